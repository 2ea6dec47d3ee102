//! What speaks for an episode: whether a replay agrees, which lines its chains end in, who graded it, and what can be checked here.

use super::loaded::{Loaded, ReadTranscript};
use super::verdict::sealed;
use crate::prelude::*;

pub fn proof(loaded: &Arc<Loaded>, play: &Arc<ReadTranscript>, checks: &ViewFn) -> AnyView {
    let common = play.transcript.header.branch.as_ref().map(|of| of.lines);
    let grading = loaded.grading.as_ref().and_then(|one| one.as_ref().ok());
    let graded = grading.map(|grading| {
        let seats = grading.transcript.events.iter().flatten().filter_map(asked);
        let mut graders: Vec<String> =
            seats.map(|seat| grading.transcript.header.spec.who(seat)).collect();
        graders.sort();
        graders.dedup();
        view! {
            <div class="stack-2" id="graded">
                <h2>"Grading"</h2>
                {(!graders.is_empty()).then(|| view! { <p>{format!("Graded by {}.", graders.join(", "))}</p> })}
                {sealed(loaded.replayed(PartKey::Grading), None, false)}
                <p class="small soft">{grading.chain()}</p>
            </div>
        }
    });
    any_view! {
        <div class="panel stack" id="proof">
            <div class="stack-2">
                <h2>"Replay"</h2>
                {sealed(loaded.replayed(PartKey::Play), common, true)}
                <p class="small soft">{play.chain()}</p>
            </div>
            {graded}
        </div>
        {checks.run()}
    }
}

/// The seat that an event asks.
fn asked(event: &Event) -> Option<&Seat> {
    match event {
        Event::Asked { request, .. } => request.seat(),
        _ => None,
    }
}
