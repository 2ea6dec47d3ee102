//! What speaks against believing a run: the server refused it, or the operator took it off its board.

use leptos::prelude::*;
use turnwise_shared::wire::publishing::Doubt;

use crate::clock;
use crate::components::icons::Icon;
use crate::strings::publishing as words;

/// Says what speaks against a run, and where that can be read.
pub fn doubt_note(doubt: &Doubt) -> impl IntoView + use<> {
    let (title, when, why, mend, log) = match doubt {
        Doubt::Refused { at, refusal } => (
            words::REFUSED_RUN,
            *at,
            refusal.error.message.clone(),
            refusal.error.mend.clone(),
            None,
        ),
        Doubt::Removed(said) => (
            words::REMOVED_RUN,
            said.time,
            said.reason.clone(),
            None,
            Some(words::log_entry(said.number)),
        ),
    };
    view! {
        <div class="note note-bad" role="status" id="run-doubt">
            <Icon name="warning"/>
            <p class="note-title">{title}</p>
            <p>{why}</p>
            {mend.map(|mend| view! { <p>{mend}</p> })}
            <p class="soft">
                {clock::moment(when)}
                {log.map(|text| view! { " · " <a href="/log">{text}</a> })}
            </p>
        </div>
    }
}
