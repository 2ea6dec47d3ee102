//! What a run of the world studio made, as a file of worlds that can be played.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::studio::Studio;
use turnwise_shared::benchmarks::studio::freeze::{Finished, Frozen, freeze};
use turnwise_shared::benchmarks::studio::settings::Settings;
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript;
use turnwise_shared::wire::RunId;

use crate::components::clipboard::save;
use crate::components::icons::{Icon, IconSize};
use crate::components::toast::Toasts;
use crate::live;
use crate::strings::worlds as words;
use crate::view::snapshot::Snapshot;

/// The button that saves the worlds of a run and their manifest; nothing for other benchmarks.
#[component]
pub fn Freeze(
    /// The run.
    id: RunId,
    /// What it was played under.
    spec: Memo<Option<Spec>>,
    /// Its episodes.
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let busy = RwSignal::new(false);
    let toasts = use_context::<Toasts>();
    let is_studio = move || {
        spec.with(|spec| {
            spec.as_ref()
                .is_some_and(|spec| spec.benchmark == Studio.name())
        })
    };
    let id = StoredValue::new(id);
    let press = move |_| {
        let Some(spec) = spec.get_untracked() else {
            return;
        };
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            let id = id.get_value();
            let said = match frozen(&id, &spec, &snapshot.get_untracked()).await {
                Ok(frozen) => keep(&id, &frozen),
                Err(why) => why,
            };
            busy.try_set(false);
            if let Some(toasts) = toasts {
                toasts.show(said);
            }
        });
    };
    view! {
        <Show when=is_studio>
            <button
                class="btn btn-small"
                type="button"
                disabled=move || snapshot.with(|all| all.is_empty())
                aria-busy=move || busy.get().then_some("true")
                title=words::FREEZE_TITLE
                on:click=press
            >
                <Icon name="download" size=IconSize::Small/>
                {words::FREEZE}
            </button>
        </Show>
    }
}

/// Freezes the plays that came to their end, as the settings of the run say.
async fn frozen(id: &RunId, spec: &Spec, all: &Snapshot) -> Result<Frozen, String> {
    let mut finished = Vec::new();
    for key in &all.keys {
        let text = live::transcript(id, key)
            .await
            .map_err(|error| error.message)?;
        let play = transcript::read(&text).map_err(|bad| bad.to_string())?;
        let Some(outcome) = play.outcome().filter(|outcome| outcome.is_complete()) else {
            continue;
        };
        let made = serde_json::from_value(outcome.result.clone()).map_err(|bad| bad.to_string())?;
        finished.push(Finished {
            made,
            repeat: play.header.repeat,
        });
    }
    let settings = Settings::of(spec).map_err(|bad| bad.to_string())?;
    freeze(&format!("studio-{id}"), spec, &finished, settings.filter).map_err(|why| why.to_string())
}

/// Saves the file and its manifest; what to tell.
fn keep(id: &RunId, frozen: &Frozen) -> String {
    let name = format!("studio-{id}");
    let manifest = serde_json::to_string_pretty(&frozen.manifest).unwrap_or_default();
    save(
        &format!("{name}.jsonl"),
        "application/x-ndjson",
        std::slice::from_ref(&frozen.file),
    );
    save(
        &format!("{name}.manifest.json"),
        "application/json",
        &[manifest],
    );
    words::frozen(frozen.worlds.len())
}
