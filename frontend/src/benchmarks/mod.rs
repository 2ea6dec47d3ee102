//! What benchmarks draw themselves on pages that are made of their declarations otherwise. A benchmark that is not named here works
//! completely.

mod poker;

use leptos::prelude::*;

use crate::pages::logs::PassedOn;

/// Parts of the page of published logs.
const LOGS: &[fn(PassedOn) -> AnyView] =
    &[|pass_on| view! { <poker::logs::PokerLogs pass_on/> }.into_any()];

/// The parts of the page of published logs that benchmarks draw.
pub fn logs(pass_on: PassedOn) -> Vec<AnyView> {
    LOGS.iter().map(|part| part(pass_on)).collect()
}

/// A section of **New run** that a benchmark draws in place of the form made of its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnForm {
    /// A card for each mode, and the studies of the paper.
    Modes,
    /// A card for each setting of the player's knowledge.
    Knowledge,
}

/// The section that a benchmark draws itself, if it has one.
pub fn own_form(benchmark: &str) -> Option<OwnForm> {
    match benchmark {
        "interactcomp" => Some(OwnForm::Modes),
        "paraworld" => Some(OwnForm::Knowledge),
        _ => None,
    }
}
