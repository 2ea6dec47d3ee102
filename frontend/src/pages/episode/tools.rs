//! What can be done with an episode: passing it on, going on from a turn, checking it; of a branch, what it changed.

use super::branches::Changed;
use super::loaded::{Loaded, ReadTranscript};
use super::take_over::TakeOver;
use super::{Whereabouts, share};
use crate::components::share::Share;
use crate::later::{later, piece};
use crate::live::RunView;
use crate::prelude::*;
use crate::view::face::Face;

later! {
    /// The button with which the reader goes on from a turn of an episode.
    work fetch fetch_work: fn take_over(id: RunId, view: RunView, play: Arc<ReadTranscript>, now: Signal<Option<u32>>) -> AnyView {
        any_view! { <TakeOver id view play now/> }
    }

    work: fn changed(id: RunId, loaded: Arc<Loaded>) -> AnyView {
        any_view! { <Changed id loaded/> }
    }
}

pub fn tools(
    id: &RunId,
    view: RunView,
    loaded: Arc<Loaded>,
    whereabouts: Whereabouts,
    address: Callback<Place, String>,
) -> AnyView {
    let place = whereabouts.place;
    let here = Signal::derive(move || {
        place.with(|place| {
            let whole = Place { turn: None, face: place.face, ..Place::default() };
            address.run(whole)
        })
    });
    let at = Signal::derive(move || {
        place.with(|place| {
            let turn = place.turn?;
            let there = Place { turn: Some(turn), ..Place::default() };
            Some((turn, address.run(there)))
        })
    });
    let episode = share::of_episode(id, view, &loaded, at);
    let now = Signal::derive(move || place.with(|place| place.turn));
    // Once it has been played again here.
    let take_over = loaded.play.as_ref().ok().map(|play| {
        let (id, play, study) = (id.clone(), Arc::clone(play), loaded.study.clone());
        move || {
            let can = study.is_some_and(|study| study.can_branch);
            can.then(|| {
                let (id, play) = (id.clone(), Arc::clone(&play));
                piece(fetch_work(), move || take_over(id, view, play, now))
            })
        }
    });
    let is_branch = matches!(&loaded.play, Ok(play) if play.transcript.header.branch.is_some());
    let changed = is_branch.then(|| {
        let (id, loaded) = (id.clone(), Arc::clone(&loaded));
        piece(fetch_work(), move || changed(id, loaded))
    });
    let is_imported =
        matches!(&loaded.play, Ok(play) if play.transcript.header.origin == Origin::Imported);
    let checks = match is_branch || is_imported {
        true => "Check",
        false => "Verify",
    };
    let to_checks = move |_| {
        let place = Place { face: Face::Proof, ..place.get_untracked() };
        whereabouts.move_to.run(place);
        // The tab is drawn by then.
        request_animation_frame(|| request_animation_frame(to_checks));
    };
    any_view! {
        <div class="row">
            <Share run=id.clone() view address=here episode=Some(episode)/>
            {take_over}
            <button class="btn btn-small" type="button" id="to-verify" on:click=to_checks>
                <SmallIcon name="seal"/>
                {checks}
            </button>
        </div>
        {changed}
    }
}

/// To what can be checked of the episode.
fn to_checks() {
    let find = |id: &str| document().get_element_by_id(id);
    // While it checks there is a button that stops instead.
    let button = find("verify").or_else(|| find("verify-stop"));
    if let Some(button) = button.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        // It fails only for elements that take no focus.
        let _ = button.focus();
    }
    if let Some(head) = find("verify-head") {
        head.scroll_into_view();
    }
}
