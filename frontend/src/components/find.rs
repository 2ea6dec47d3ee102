//! Words looked for within an episode: how many turns have them, and the way from one to the next.

use turnwise_shared::finding::{self, Sought};
use web_sys::Element;

use crate::clock;
use crate::components::keys::{Step, leave_on_escape, on_slash};
use crate::prelude::*;
use crate::strings::reading as words;

/// How long typing rests before the episode is searched.
const REST: Duration = Duration::from_millis(150);

/// How often the page is looked at until it has drawn a turn, and the milliseconds between.
const LOOKS: u32 = 20;
const LOOK: u32 = 50;

/// What is looked for in an episode, and where it stands.
#[derive(Clone, Copy)]
pub struct Finding {
    /// The words, once there are any.
    pub sought: RwSignal<Option<Arc<Sought>>>,
    /// The turns that have it, in order.
    pub turns: Memo<Arc<Vec<u32>>>,
}

impl Finding {
    /// Nothing yet, in the transcript with these lines.
    pub fn of(text: Arc<String>) -> Self {
        let sought = RwSignal::new(None::<Arc<Sought>>);
        let turns = Memo::new(move |_| {
            let found = sought.with(|sought| Some(finding::turns(sought.as_ref()?, &text)));
            Arc::new(found.unwrap_or_default())
        });
        Finding { sought, turns }
    }

    /// Looks for these words, unless they are looked for already.
    fn look(self, text: &str) {
        let sought = Sought::read(text).map(Arc::new);
        if self.sought.try_with_untracked(|known| *known != sought).is_some_and(|is_new| is_new) {
            self.sought.set(sought);
        }
    }
}

/// The next of these turns, or the one before; from the end on it begins anew.
fn next(turns: &[u32], now: Option<u32>, step: Step) -> Option<u32> {
    let beyond = match step {
        Step::Next => {
            turns.iter().find(|turn| now.is_none_or(|now| **turn > now)).or(turns.first())
        }
        Step::Before => {
            turns.iter().rfind(|turn| now.is_some_and(|now| **turn < now)).or(turns.last())
        }
    };
    beyond.copied()
}

/// The field, and once something is looked for the number of turns and the ways to the next and the one before.
#[component]
pub fn Find(
    finding: Finding,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
    /// Wishes to be at another.
    go: Callback<u32>,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    on_slash(field);
    let step = move |step: Step| {
        let turn = finding.turns.with_untracked(|turns| next(turns, now.get_untracked(), step));
        if let (Some(turn), Some(sought)) = (turn, finding.sought.get_untracked()) {
            go.run(turn);
            spawn_local(unfold(turn, sought));
        }
    };
    let mut rested = debounce(REST, move |text: String| finding.look(&text));
    let is_looking = Memo::new(move |_| finding.sought.is_some());
    let count = move || {
        finding.turns.with(|turns| {
            let at = now.get().and_then(|now| turns.iter().position(|turn| *turn == now));
            words::in_turns(at.map(|at| at + 1), turns.len())
        })
    };
    let button = move |icon: &'static str, label: &'static str, to: Step| {
        view! {
            <button
                class="btn-icon"
                type="button"
                aria-label=label
                title=label
                disabled=move || finding.turns.with(|turns| turns.is_empty())
                on:click=move |_| step(to)
            >
                <SmallIcon name=icon/>
            </button>
        }
    };
    view! {
        <div class="replay-find" role="search">
            <input
                class="input"
                type="search"
                id="episode-find"
                placeholder="Find"
                aria-label="Find words in this episode"
                title=words::WORDS_NOTE
                autocomplete="off"
                node_ref=field
                on:input:target=move |event| rested(event.target().value())
                on:keydown=move |event| {
                    if event.key() == "Enter" {
                        event.prevent_default();
                        finding.look(&event_target_value(&event));
                        step(if event.shift_key() { Step::Before } else { Step::Next });
                    } else {
                        leave_on_escape(&event);
                    }
                }
            />
            <span class="replay-found" role="status">{move || is_looking.get().then(count)}</span>
            <Show when=move || is_looking.get()>
                {button("up", "Previous turn with these words", Step::Before)}
                {button("down", "Next turn with these words", Step::Next)}
            </Show>
        </div>
    }
}

/// Opens what is folded in a turn where the words stand, once the turn is drawn.
async fn unfold(turn: u32, sought: Arc<Sought>) {
    let id = format!("turn-{turn}");
    for _ in 0..LOOKS {
        clock::sleep(LOOK).await;
        let Some(turn) = document().get_element_by_id(&id) else {
            continue;
        };
        open_folds(&turn, &sought);
        // What has not been opened yet is empty: how the reply was read lies there as it was written.
        if !is_in(&turn, |text| sought.is_in(text))
            && let Ok(Some(under)) = turn.query_selector(".b-under:not([open])")
        {
            open(&under);
            clock::sleep(LOOK).await;
            open_folds(&turn, &sought);
        }
        return;
    }
}

fn open_folds(turn: &Element, sought: &Sought) {
    let touches = |element: &Element| is_in(element, |text| sought.touches(text));
    for folded in all(turn, "details:not([open])") {
        if touches(&folded) {
            open(&folded);
        }
    }
    for cut in all(turn, ".cut:has(> .is-cut)") {
        let button = cut.query_selector(":scope > .link").ok().flatten();
        if touches(&cut)
            && let Some(button) = button.and_then(as_html)
        {
            button.click();
        }
    }
}

/// An element that folds opens. The name of an attribute is never refused.
fn open(folded: &Element) {
    let _ = folded.set_attribute("open", "");
}

fn is_in(element: &Element, has: impl Fn(&str) -> bool) -> bool {
    element.text_content().is_some_and(|text| has(&text))
}

fn all(within: &Element, selector: &str) -> Vec<Element> {
    let Ok(found) = within.query_selector_all(selector) else {
        return Vec::new();
    };
    let found = (0..found.length()).filter_map(|at| found.item(at)?.dyn_into().ok());
    found.collect()
}

fn as_html(element: Element) -> Option<web_sys::HtmlElement> {
    element.dyn_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_the_last_turn_it_begins_anew() {
        let turns = [2, 5, 9];
        let on = |now| next(&turns, now, Step::Next);
        let back = |now| next(&turns, now, Step::Before);
        assert_eq!((on(None), on(Some(2)), on(Some(3))), (Some(2), Some(5), Some(5)));
        assert_eq!((on(Some(9)), on(Some(12))), (Some(2), Some(2)));
        assert_eq!((back(Some(5)), back(Some(6))), (Some(2), Some(5)));
        assert_eq!((back(Some(2)), back(None)), (Some(9), Some(9)));
        assert_eq!(next(&[], Some(1), Step::Next), None);
    }
}
