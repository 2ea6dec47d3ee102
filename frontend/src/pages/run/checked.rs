//! How far a run can be believed, in a sentence.

use super::publish::OnBoard;
use crate::components::seal::seal;
use crate::prelude::*;

/// The sentence on top of the tab.
pub fn sentence(entry: &OnBoard) -> AnyView {
    match entry {
        OnBoard::Unknown => ().into_any(),
        OnBoard::No => any_view! {
            <p id="checked" class="read">
                <b>"Not published."</b>
                " Publishing has the server replay the run, check every reply and assign an evidence tier."
            </p>
        },
        OnBoard::Yes(admission) => {
            let tier = admission.entry.tier;
            any_view! {
                <p id="checked" class="read">
                    "Published as " {seal(tier)} ". " {meaning(tier)}
                </p>
            }
        }
    }
}

/// What a label rests on, and what would make it a better one.
fn meaning(tier: EvidenceTier) -> &'static str {
    match tier {
        EvidenceTier::SelfReported => {
            "The server could not confirm every reply. To be verified: run it over this server with models of services at their own addresses, so that the server signs each reply, and publish that run."
        }
        _ => "The server replayed it, and confirmed what the label says.",
    }
}
