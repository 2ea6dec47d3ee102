//! What a run of the world studio made: a file of worlds to keep, or to play at once.

use turnwise_shared::benchmarks::paraworld::ParaWorld;
use turnwise_shared::benchmarks::worlds::freeze::{Finished, Frozen, freeze};
use turnwise_shared::benchmarks::worlds::settings::Settings;

use crate::address::Config;
use crate::components::clipboard::save;
use crate::components::toast::Toasts;
use crate::prelude::*;
use crate::{api, live};

/// What becomes of the worlds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// They are saved as a file, with their manifest.
    Save,
    /// They are stored on the server as a task set, and a new run over it is prepared.
    Play,
}

struct Made {
    /// What there is to be said of it.
    said: String,
    /// The address of the new run, where one is prepared.
    leads: Option<String>,
}

/// The buttons for the worlds of a run.
#[component]
pub(super) fn Freeze(
    id: RunId,
    /// What it was played under.
    spec: Spec,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let busy = RwSignal::new(false);
    let toasts = use_context::<Toasts>();
    let navigate = use_navigate();
    let (id, spec) = (StoredValue::new(id), StoredValue::new(spec));
    let press = Callback::new(move |aim: Aim| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        let navigate = navigate.clone();
        let (id, spec) = (id.get_value(), spec.get_value());
        spawn_local(async move {
            let all = snapshot.get_untracked();
            let made = made_of(&id, &spec, &all, aim).await;
            let is_here = busy.try_set(false).is_none();
            if let Some(toasts) = toasts {
                toasts.show(made.said);
            }
            if let Some(leads) = made.leads.filter(|_| is_here) {
                navigate(&leads, NavigateOptions::default());
            }
        });
    });
    let button = move |aim: Aim, icon: &'static str, label: &'static str, title: &'static str| {
        view! {
            <button
                class="btn btn-small"
                type="button"
                disabled=move || snapshot.with(|all| all.is_empty())
                aria-busy=move || busy.get().then_some("true")
                title=title
                on:click=move |_| press.run(aim)
            >
                <SmallIcon name=icon/>
                {label}
            </button>
        }
    };
    view! {
        {button(Aim::Play, "play", "Play these worlds", "Stores what was accepted on the server as a task set, and prepares a run of Mind-ParaWorld over it")}
        {button(Aim::Save, "download", "Worlds (JSON lines)", "What was accepted, as worlds that Mind-ParaWorld plays, and their manifest; pairs with a rejected question are left out if the run's settings say so")}
    }
}

impl Made {
    fn nothing(said: String) -> Self {
        Made { said, leads: None }
    }
}

/// Makes the file and does with it what is wanted.
async fn made_of(id: &RunId, spec: &Spec, all: &Snapshot, aim: Aim) -> Made {
    match (frozen(id, spec, all).await, aim) {
        (Ok(frozen), Aim::Save) => Made::nothing(keep(id, &frozen)),
        (Ok(frozen), Aim::Play) => store(&frozen).await,
        (Err(why), _) => Made::nothing(why),
    }
}

/// Stores the worlds on the server as tasks of Mind-ParaWorld. Everyone sees the names of task sets, so this one is made from
/// the contents, and does not reveal the run.
async fn store(frozen: &Frozen) -> Made {
    let file = format!("studio-{}.jsonl", Digest::of(&frozen.file).short());
    match api::store_tasks(ParaWorld::FACTS.name, &file, frozen.file.as_bytes()).await {
        Ok(info) => {
            let config = Config { tasks: info.name, ..Config::new(ParaWorld::FACTS.name) };
            Made {
                said: format!(
                    "{} on the server. This run plays them.",
                    counted(frozen.worlds.len(), "world is", "worlds are")
                ),
                leads: Some(format!("/new?{}", config.query())),
            }
        }
        Err(why) => Made::nothing(why.message),
    }
}

/// What the files are called in which a run's worlds are saved.
fn name(id: &RunId) -> String {
    format!("studio-{id}")
}

/// Freezes the episodes that came to their end, as the settings of the run say.
async fn frozen(id: &RunId, spec: &Spec, all: &Snapshot) -> Result<Frozen, String> {
    let mut finished = Vec::new();
    for key in &all.keys {
        let text = live::transcript(id, key).await.map_err(|error| error.message)?;
        let play = transcript::read(&text).map_err(|bad| bad.to_string())?;
        let Some(outcome) = play.outcome().filter(|outcome| outcome.is_complete()) else {
            continue;
        };
        let made = serde_json::from_value(outcome.result.clone()).map_err(|bad| bad.to_string())?;
        finished.push(Finished { made, repeat: play.header.repeat });
    }
    let settings = Settings::of(spec).map_err(|bad| bad.to_string())?;
    freeze(&name(id), spec, &finished, settings.filter).map_err(|why| why.to_string())
}

/// Saves the file and its manifest; what to tell.
fn keep(id: &RunId, frozen: &Frozen) -> String {
    let name = name(id);
    let manifest = serde_json::to_string_pretty(&frozen.manifest).unwrap_or_default();
    save(&format!("{name}.jsonl"), "application/x-ndjson", std::slice::from_ref(&frozen.file));
    save(&format!("{name}.manifest.json"), "application/json", &[manifest]);
    format!("{} saved, with the manifest.", counted(frozen.worlds.len(), "world", "worlds"))
}
