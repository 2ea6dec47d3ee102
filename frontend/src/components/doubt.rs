//! What speaks against believing a run: the server refused it, or the operator took it off its board.

use crate::clock;
use crate::prelude::*;

/// Says what speaks against a run on its own page, and where that can be read.
pub fn doubt_note(doubt: &Doubt) -> AnyView {
    note(doubt, None)
}

/// The same beside other runs: which one it is, and that nothing of it is compared.
pub fn doubt_note_of(run: &RunInfo, name: &str) -> Option<AnyView> {
    let link = view! {
        <p>
            <a href=format!("/run/{}", run.run)>{name.to_owned()}</a>
            " "
            "is left out of everything that is compared here."
        </p>
    };
    Some(note(run.doubt.as_deref()?, Some(link.into_any())))
}

/// `which` says of which run it is, where it stands on a page of several.
fn note(doubt: &Doubt, which: Option<AnyView>) -> AnyView {
    let (title, when, why, mend, log) = match doubt {
        Doubt::Refused { at, refusal } => (
            "The server checked this run and refused it: it is not what it says. Its numbers are not shown.",
            *at,
            refusal.error.message.clone(),
            refusal.error.mend.clone(),
            None,
        ),
        Doubt::Removed(said) => (
            "The operator took this run off its board.",
            said.time,
            said.reason.clone(),
            None,
            Some(format!("entry {} of the public log", said.number)),
        ),
    };
    // Several on one page would be called alike.
    let id = which.is_none().then_some("run-doubt");
    any_view! {
        <div class="note note-bad" role="status" id=id>
            <Icon name="warning"/>
            <p class="note-title">{title}</p>
            {which}
            <p>{why}</p>
            {mend.map(|mend| view! { <p>{mend}</p> })}
            <p class="soft">
                {clock::moment(when)}
                {log.map(|text| view! { " · " <a href="/log">{text}</a> })}
            </p>
        </div>
    }
}
