//! What benchmarks draw themselves on pages that are made of their declarations otherwise. A benchmark that is not named here works
//! completely.
//!
//! Whoever asks for a screen has all of them in their part of the program ([`crate::later`]): pages on which one only reads must not.

mod paraworld;
mod poker;

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::RunId;

use crate::pages::logs::PassedOn;
use crate::pages::new_run::Draft;
use crate::view::snapshot::Snapshot;

/// What a benchmark draws itself. What is absent is not drawn, or drawn as for all benchmarks.
pub trait Screen: Sync {
    /// What **New run** shows below the choice of a task set.
    fn tasks(&self, _draft: Draft) -> Option<AnyView> {
        None
    }

    /// Buttons in the head of a run's page.
    fn run_tools(
        &self,
        _id: RunId,
        _spec: Spec,
        _snapshot: RwSignal<Arc<Snapshot>>,
    ) -> Option<AnyView> {
        None
    }
}

/// What a benchmark draws itself, if it does.
pub fn screen(benchmark: &str) -> Option<&'static dyn Screen> {
    Some(match benchmark {
        "paraworld" => &paraworld::Worlds,
        "worlds" => &paraworld::Studio,
        _ => return None,
    })
}

/// Parts of the page of published logs.
const LOGS: &[fn(PassedOn) -> AnyView] =
    &[|pass_on| view! { <poker::logs::PokerLogs pass_on/> }.into_any()];

/// The parts of the page of published logs that benchmarks draw.
pub fn logs(pass_on: PassedOn) -> Vec<AnyView> {
    LOGS.iter().map(|part| part(pass_on.clone())).collect()
}
