//! The way back from an episode to its run: the page is where it was, and the focus is on the episode's row.

use crate::clock;
use crate::prelude::*;

/// How often the page is looked at while it is made again, and the milliseconds between.
const LOOKS: u32 = 40;
const LOOK: u32 = 50;

thread_local! {
    /// How far each page was scrolled when it was left, by its path.
    static LEFT: RefCell<BTreeMap<String, f64>> = const { RefCell::new(BTreeMap::new()) };
    /// Brings an episode into sight that may not be drawn, by the path of its page.
    static REVEAL: RefCell<Option<Reveal>> = const { RefCell::new(None) };
}

/// Whether the episode was brought into sight.
type Reveal = Rc<dyn Fn(&str) -> bool>;

/// Brings an episode into sight when the reader comes back from it, as long as the component lives that says so.
pub fn reveals(reveal: impl Fn(&str) -> bool + 'static) {
    let reveal: Reveal = Rc::new(reveal);
    REVEAL.set(Some(Rc::clone(&reveal)));
    let own = StoredValue::new_local(reveal);
    on_cleanup(move || {
        // The next page may have its own by now.
        let _ = own.try_with_value(|own| {
            REVEAL.with_borrow_mut(|reveal| {
                let _ = reveal.take_if(|reveal| Rc::ptr_eq(reveal, own));
            });
        });
    });
}

/// Remembers where pages are left, and goes back there. To be called once.
pub fn watch(path: Memo<String>) {
    let scrolled = window_event_listener(ev::scroll, move |_| {
        if let (Some(path), Ok(at)) = (path.try_get_untracked(), window().scroll_y()) {
            LEFT.with_borrow_mut(|left| left.insert(path, at));
        }
    });
    on_cleanup(move || scrolled.remove());
    Effect::new(move |before: Option<String>| {
        let path = path.get();
        if let Some(row) = before.as_deref().and_then(|before| within(before, &path)) {
            let at = LEFT.with_borrow(|left| left.get(&path).copied());
            spawn_local(restore(path.clone(), row, at.unwrap_or(0.0)));
        }
        path
    });
}

/// The episode of a run's page, by the paths of both.
fn within(episode: &str, run: &str) -> Option<String> {
    let key = episode.strip_prefix(run)?.strip_prefix('/')?;
    (run.starts_with("/run/") && !key.is_empty()).then(|| episode.to_owned())
}

/// Scrolls a page to where it was once it is long enough, and gives the focus to a row once it is there.
async fn restore(path: String, row: String, at: f64) {
    let episode = row;
    let row = format!("#main a[href^=\"{episode}\"]");
    let touched = StoredValue::new(false);
    let listeners = [
        window_event_listener_untyped("wheel", move |_| touched.set_value(true)),
        window_event_listener_untyped("pointerdown", move |_| touched.set_value(true)),
        window_event_listener_untyped("keydown", move |_| touched.set_value(true)),
    ];
    let mut is_there = at == 0.0;
    let mut is_revealed = false;
    for _ in 0..LOOKS {
        clock::sleep(LOOK).await;
        // A reader who reads on is left alone.
        if touched.get_value() || window().location().pathname().ok().as_ref() != Some(&path) {
            break;
        }
        if !is_there {
            window().scroll_to_with_x_and_y(0.0, at);
            is_there = window().scroll_y().is_ok_and(|now| (now - at).abs() < 2.0);
        }
        if !is_revealed && let Some(reveal) = REVEAL.with_borrow(Clone::clone) {
            is_revealed = reveal(&episode);
            // What it brings into sight is drawn in the next frame.
            continue;
        }
        let found = document().query_selector(&row).ok().flatten();
        let found = found.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok());
        if let (true, Some(found)) = (is_there, found) {
            let options = web_sys::FocusOptions::new();
            options.set_prevent_scroll(true);
            // It fails only for elements that take no focus.
            let _ = found.focus_with_options(&options);
            break;
        }
    }
    for listener in listeners {
        listener.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_episode_lies_within_its_run() {
        let episode = "/run/ab/7.r1.play";
        assert_eq!(within(episode, "/run/ab").as_deref(), Some(episode));
        assert_eq!(within(episode, "/run/abc"), None);
        assert_eq!(within("/run/ab", "/run/ab"), None);
        assert_eq!(within("/board/x/y", "/board/x"), None);
    }
}
