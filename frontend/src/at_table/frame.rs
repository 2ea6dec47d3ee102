//! What every game's page has: its head with the way out, the clock, what was refused, and what a model would be sent.

use turnwise_shared::wire::live::Sitter;

use super::others::Others;
use super::{clock_at, people_at};
use crate::components::clipboard::copy;
use crate::components::dialog::Dialog;
use crate::components::play::messages::as_model;
use crate::components::rules::{Rules, rules_of};
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::play as words;

/// Brings what came back last into sight whenever `came`, the count of it, has grown: it may lie beyond the screen, or behind the
/// desk at its foot. `newest` selects it.
pub fn follow_newest(came: impl Fn() -> usize + 'static, newest: &'static str) {
    Effect::new(move |before: Option<usize>| {
        let now = came();
        if before.is_some_and(|before| before < now) {
            request_animation_frame(move || bring_into_sight(newest));
        }
        now
    });
}

fn bring_into_sight(newest: &str) {
    let Ok(Some(element)) = document().query_selector(newest) else {
        return;
    };
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    let top = element.get_bounding_client_rect().top();
    // In the upper half its beginning can be read.
    if height.is_some_and(|height| !(0.0..height / 2.0).contains(&top)) {
        element.scroll_into_view();
    }
}

/// The head of a game's page.
#[component]
pub fn Head(
    seat: LiveSeat,
    /// What is played now, e.g. `Hand 3 of 10`.
    #[prop(into)]
    now: Signal<String>,
) -> impl IntoView {
    let leaving = RwSignal::new(false);
    let linking = RwSignal::new(false);
    let kind = move || {
        let kind = seat.view.map(|view| view.table.kind);
        kind.map(|kind| match kind {
            LiveKind::Practice => words::PRACTICE,
            LiveKind::Rated => words::RATED,
        })
    };
    view! {
        <div class="phead">
            <h1>{now}</h1>
            <span class="seal seal-human">{kind}</span>
            <button class="btn btn-small btn-quiet push" type="button" id="seat-link" on:click=move |_| linking.set(true)>
                <Icon name="link"/>
                {words::SEAT_LINK}
            </button>
            <button class="btn btn-small btn-quiet" type="button" on:click=move |_| leaving.set(true)>
                <Icon name="external"/>
                {words::LEAVE}
            </button>
        </div>
        <Others seat/>
        <Dialog open=linking title="Your seat is kept">
            <div class="stack">
                <p>{words::SEAT_LINK_WHY}</p>
                {link_field("own-link".to_owned(), words::SEAT_LINK.to_owned(), seat.link())}
            </div>
        </Dialog>
        <Dialog open=leaving title="Leave this seat for good?">
            <div class="stack">
            <p>{move || format!("It cannot be taken again: {}. If nobody is left, the table ends, and what was \
                played can be read.", people_at(seat).absent)}</p>
            <p>{move || words::leave_page(people_at(seat).late, clock_at(seat).runs())}</p>
            <p class="row row-end">
                <button class="btn" type="button" on:click=move |_| leaving.set(false)>
                    "Stay"
                </button>
                <button
                    class="btn btn-danger"
                    type="button"
                    on:click=move |_| {
                        leaving.set(false);
                        seat.leave();
                    }
                >
                    {words::LEAVE}
                </button>
            </p>
            </div>
        </Dialog>
    }
}

/// What the server refused, and what was lost with the line: the decision is still open.
#[component]
pub fn Refusals(seat: LiveSeat) -> impl IntoView {
    view! {
        <Trouble problem=seat.refused meaning=words::STILL_OPEN/>
        <Show when=move || seat.lost_reply.get()>
            <div class="note note-warn" role="alert">
                <Icon name="warning"/>
                <p class="note-title">"Your last reply did not arrive before the connection was lost"</p>
                <p>{words::STILL_OPEN}</p>
            </div>
        </Show>
    }
}

/// A person who sits at a table, or a seat that is still free; `seat` says which.
pub fn sitter_row(sitter: &Sitter, seat: String) -> AnyView {
    let (name, mark) = match sitter.name.as_deref() {
        Some("") => (words::NOBODY, "check"),
        Some(name) => (name, "check"),
        None => ("still free", "clock"),
    };
    any_view! {
        <li class="row">
            <Icon name=mark/>
            <b>{name.to_owned()}</b>
            <span class="faint">{seat}</span>
        </li>
    }
}

/// What the rules told the player.
pub fn remark_in(scene: &Scene) -> Option<String> {
    scene.blocks.iter().find_map(|block| match block {
        Block::Remark { text } => Some(text.clone()),
        _ => None,
    })
}

/// The rules for people, and the same request as a model gets it, word for word.
#[component]
pub fn AsModel(seat: LiveSeat, #[prop(default = Rules::Open)] lie: Rules) -> impl IntoView {
    let messages = Memo::new(move |_| {
        seat.view
            .and_then(|view| view.ask.as_ref().map(|ask| ask.messages.clone()))
            .unwrap_or_default()
    });
    let blocks = move || messages.with(|messages| as_model(messages));
    let at = Memo::new(move |_| {
        seat.view.and_then(|view| Some((view.table.benchmark.clone(), view.seat.clone())))
    });
    let rules = move || {
        let (benchmark, seat) = at.get()?;
        rules_of(registry::find(&benchmark).ok()?, &seat, lie)
    };
    view! {
        <div class="as-model">
            {rules}
            <details class="more" hidden=move || messages.with(Vec::is_empty)>
                <summary>"The prompt, as a model gets it"</summary>
                <div class="more-body stack-2">{blocks}</div>
            </details>
        </div>
    }
}

/// The link of a seat, and the button that copies it.
pub fn link_field(id: String, label: String, link: String) -> AnyView {
    let copied = link.clone();
    any_view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <div class="row play-link">
                <input id=id class="input input-mono" type="text" readonly=true prop:value=link/>
                <button class="btn" type="button" on:click=move |_| copy(copied.clone())>
                    <Icon name="copy"/>
                    "Copy link"
                </button>
            </div>
        </div>
    }
}
