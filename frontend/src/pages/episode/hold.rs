//! The turn at which a reader is stays where it stands while the page above it still grows, until the reader moves.

use web_sys::Element;

use crate::components::size::on_resize;
use crate::prelude::*;
use crate::view::face::Face;

/// What is held. It outlives what is drawn of an episode, so that drawing it anew does not move the reader.
#[derive(Debug, Clone, Copy)]
pub struct Hold {
    /// The turn that was brought into sight last.
    brought: StoredValue<Option<(EpisodeKey, u32)>>,
    held: StoredValue<Option<Held>>,
}

/// A turn that is held.
#[derive(Debug, Clone, Copy)]
struct Held {
    turn: u32,
    /// How the page lay when the turn was last put into its place.
    lay: Option<Lay>,
}

/// How a page lies in its window.
#[derive(Debug, Clone, Copy)]
struct Lay {
    scrolled: f64,
    height: i32,
}

impl Lay {
    fn now() -> Option<Self> {
        Some(Lay {
            scrolled: window().scroll_y().ok()?,
            height: document().document_element()?.scroll_height(),
        })
    }

    /// Whether the reader has scrolled since. A page of another height may have moved by itself.
    fn was_moved(self, now: Lay) -> bool {
        self.height == now.height && (self.scrolled - now.scrolled).abs() > 1.0
    }
}

impl Hold {
    /// Nothing yet. It listens while the component lives.
    pub fn new() -> Self {
        let hold = Hold { brought: StoredValue::new(None), held: StoredValue::new(None) };
        on_resize(|| document().get_element_by_id("main"), move || hold.put());
        let release = move || hold.release();
        let listeners = (
            window_event_listener(ev::wheel, move |_| release()),
            window_event_listener(ev::touchmove, move |_| release()),
            window_event_listener(ev::pointerdown, move |_| release()),
            window_event_listener(ev::keydown, move |_| release()),
            window_event_listener(ev::scroll, move |_| hold.scrolled()),
        );
        on_cleanup(move || {
            let (wheel, touch, pointer, key, scroll) = listeners;
            for listener in [wheel, touch, pointer, key, scroll] {
                listener.remove();
            }
        });
        hold
    }

    /// Brings the turn of the address into sight whenever it is another one.
    pub fn follow(self, episode: EpisodeKey, now: Signal<Option<u32>>, face: Memo<Face>) {
        Effect::new(move |_| {
            let wanted = now.get().map(|turn| (episode.clone(), turn));
            let is_new = self.brought.with_value(|brought| *brought != wanted);
            if !face.get().has_turns() || !is_new {
                return;
            }
            let turn = wanted.as_ref().map(|(_, turn)| *turn);
            self.brought.set_value(wanted);
            self.held.set_value(turn.map(|turn| Held { turn, lay: None }));
            // The timeline is drawn in the same breath; afterwards it has its place.
            request_animation_frame(move || self.put());
        });
    }

    /// Puts what is held into its place.
    fn put(self) {
        self.held.try_update_value(|held| {
            let Some(held) = held else { return };
            let id = format!("turn-{}", held.turn);
            if let Some(element) = document().get_element_by_id(&id) {
                to_top(&element);
                held.lay = Lay::now();
            }
        });
    }

    fn release(self) {
        self.held.try_update_value(|held| *held = None);
    }

    /// The window was scrolled, by the page or by the reader.
    fn scrolled(self) {
        let lay = self.held.try_with_value(|held| held.as_ref()?.lay).flatten();
        if let (Some(lay), Some(now)) = (lay, Lay::now())
            && lay.was_moved(now)
        {
            self.release();
        }
    }
}

/// Scrolls until an element begins where the style sheet lets it.
fn to_top(element: &Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Start);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_that_did_not_grow_was_scrolled_by_somebody() {
        let lay = |scrolled, height| Lay { scrolled, height };
        assert!(lay(100.0, 2000).was_moved(lay(160.0, 2000)));
        assert!(!lay(100.0, 2000).was_moved(lay(100.5, 2000)));
        assert!(!lay(100.0, 2000).was_moved(lay(160.0, 2300)));
    }
}
