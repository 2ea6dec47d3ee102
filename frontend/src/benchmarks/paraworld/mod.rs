//! Mind-ParaWorld and its world studio: fresh worlds and their checks before a run, and worlds as files after one.

mod built;
mod findings;
mod freeze;
mod fresh;
mod strings;

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::RunId;

use super::Screen;
use crate::pages::new_run::Draft;
use crate::view::snapshot::Snapshot;
use findings::Findings;
use freeze::Freeze;
use fresh::Fresh;

/// The benchmark.
pub struct Worlds;

impl Screen for Worlds {
    fn tasks(&self, draft: Draft) -> Option<AnyView> {
        Some(
            view! {
                <Fresh draft/>
                <Findings draft/>
            }
            .into_any(),
        )
    }
}

/// The world studio.
pub struct Studio;

impl Screen for Studio {
    fn run_tools(
        &self,
        id: RunId,
        spec: Spec,
        snapshot: RwSignal<Arc<Snapshot>>,
    ) -> Option<AnyView> {
        Some(view! { <Freeze id spec snapshot/> }.into_any())
    }
}
