//! What the page of a run says of a branch.

use crate::prelude::*;

/// From where a branch goes on, and where it says what it changed; `None` for a run that is none.
pub fn branch_note(info: &RunInfo) -> Option<impl IntoView + use<>> {
    let of = info.branch_of.as_ref()?;
    let place = Place { turn: Some(of.turn), ..Place::default() };
    let parent = address::episode(&of.run, &of.episode, &place);
    let own = address::episode(&info.run, &of.episode, &Place::default());
    Some(view! {
        <p class="soft" id="branch-note">
            "This run is a branch: it goes on from a turn of "
            <a href=parent>"another run's episode"</a>
            ". It counts on no board. "
            <a href=own id="branch-episode">"What it changed"</a>
        </p>
    })
}
