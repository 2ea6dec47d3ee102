//! The form with which the plays of a run are graded again.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::seat::{Player, Sampling, Seat, Sitting};
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::{ApiError, RunId};

use super::graders::candidates;
use crate::components::message::Trouble;
use crate::driver::{self, NotStarted, Regrading};
use crate::live::{self, RunView};
use crate::strings::reading as words;
use crate::view::address;
use crate::view::snapshot::Snapshot;
use crate::view::wall::Wall;
use crate::{api, clock, library};

/// The choice of another model, which is then typed.
const TYPED: &str = "model:";

/// Calls in flight at once.
const IN_FLIGHT: u32 = 32;

/// Milliseconds of work before the browser gets a turn.
const SLICE: f64 = 8.0;

/// The form, folded away.
#[component]
pub fn GradeAgain(
    /// The run.
    id: RunId,
    /// Its spec.
    spec: Spec,
    /// The seat that grades.
    seat: Seat,
    /// Its episodes.
    snapshot: RwSignal<Arc<Snapshot>>,
    /// What is known of it.
    view: RunView,
) -> impl IntoView {
    let all = RwSignal::new(Vec::<String>::new());
    let chosen = RwSignal::new(String::new());
    let typed = RwSignal::new(String::new());
    let fetching = RwSignal::new(None::<(usize, usize)>);
    let problem = RwSignal::new(None::<ApiError>);
    let navigate = use_navigate();
    let (known_spec, known_seat) = (spec.clone(), seat.clone());
    let open = move |_| {
        if all.with_untracked(|all| !all.is_empty()) {
            return;
        }
        let (spec, seat) = (known_spec.clone(), known_seat.clone());
        spawn_local(async move {
            let found = candidates(&spec, &seat).await;
            let now = spec
                .seats
                .get(&seat)
                .map(|sitting| sitting.player.to_string());
            let first = found
                .iter()
                .find(|who| Some(*who) != now.as_ref())
                .or(found.first());
            chosen.try_set(first.cloned().unwrap_or_default());
            all.try_set(found);
        });
    };
    let options = move || {
        let one = |value: String, title: String| {
            let is_chosen = chosen.with(|chosen| *chosen == value);
            view! {
                <option value=value prop:selected=is_chosen>
                    {title}
                </option>
            }
        };
        let person = Player::Person.to_string();
        let known = all.get().into_iter().map(|who| {
            let title = match who == person {
                true => words::PERSON.to_owned(),
                false => who.clone(),
            };
            one(who, title)
        });
        let other = one(TYPED.to_owned(), words::OTHER_MODEL.to_owned());
        (known.collect_view(), other)
    };
    let start = move |_| {
        let who = match chosen.get_untracked() {
            chosen if chosen == TYPED => format!("{TYPED}{}", typed.get_untracked().trim()),
            chosen => chosen,
        };
        let Ok(player) = who.parse::<Player>() else {
            problem.set(Some(api::error("bad_grader", words::NOT_A_GRADER)));
            return;
        };
        let (id, mut spec, seat) = (id.clone(), spec.clone(), seat.clone());
        let sampling = match (&player, library::benchmark(&spec.benchmark)) {
            (Player::Model { model, .. }, Ok(benchmark)) => {
                benchmark.default_sampling(&seat, model)
            }
            _ => Sampling::default(),
        };
        spec.seats
            .insert(seat.clone(), Sitting { player, sampling });
        let wanted = (spec, seat.to_string());
        let navigate = navigate.clone();
        let all = snapshot.get_untracked();
        let name = view
            .info
            .with_untracked(|info| info.as_ref().map(super::run_name));
        problem.set(None);
        fetching.set(Some((0, all.len())));
        spawn_local(async move {
            let title = format!("{}, graded by {who}", name.unwrap_or_default());
            match begin(&id, wanted, title, &all, fetching).await {
                Ok(Some(run)) => {
                    fetching.try_set(None);
                    navigate(
                        &address::run(&run, &Wall::default()),
                        NavigateOptions::default(),
                    );
                }
                Ok(None) => {}
                Err(why) => {
                    fetching.try_set(None);
                    problem.try_set(Some(why));
                }
            }
        });
    };
    let is_busy = move || fetching.with(Option::is_some);
    view! {
        <details class="more" on:toggle=open>
            <summary>{words::GRADE_AGAIN}</summary>
            <div class="more-body stack">
                <p class="read">{words::GRADE_AGAIN_ABOUT}</p>
                <div class="row row-end">
                    <div class="field">
                        <label for="grade-who">{words::WHO}</label>
                        <select
                            class="select"
                            id="grade-who"
                            on:change=move |event| chosen.set(event_target_value(&event))
                        >
                            {options}
                        </select>
                    </div>
                    <Show when=move || chosen.with(|chosen| chosen == TYPED)>
                        <div class="field">
                            <label for="grade-model">{words::MODEL}</label>
                            <input
                                class="input input-mono"
                                id="grade-model"
                                aria-describedby="grade-model-note"
                                on:input=move |event| typed.set(event_target_value(&event))
                            />
                            <span class="field-note" id="grade-model-note">
                                {words::MODEL_NOTE}
                            </span>
                        </div>
                    </Show>
                    <button
                        class="btn btn-primary"
                        type="button"
                        id="grade-start"
                        disabled=is_busy
                        aria-busy=move || is_busy().then_some("true")
                        on:click=start
                    >
                        {move || match fetching.get() {
                            Some((done, of)) => words::fetching(done, of),
                            None => words::START.to_owned(),
                        }}
                    </button>
                </div>
                <Trouble problem/>
            </div>
        </details>
    }
}

/// Fetches the plays and begins; `None` if the page was left meanwhile.
async fn begin(
    id: &RunId,
    (spec, seat): (Spec, String),
    title: String,
    all: &Snapshot,
    fetching: RwSignal<Option<(usize, usize)>>,
) -> Result<Option<RunId>, ApiError> {
    let ingredients = live::ingredients(id).await?;
    let mut plays = Vec::new();
    let mut begun = clock::now();
    let ended = all.keys.iter().zip(&all.summaries);
    let ended: Vec<&EpisodeKey> = ended
        .filter(|(_, summary)| summary.complete)
        .map(|(play, _)| play)
        .collect();
    for (done, play) in ended.iter().enumerate() {
        if fetching.try_set(Some((done, ended.len()))).is_some() {
            return Ok(None);
        }
        plays.push(read(id, play).await?);
        if clock::now() - begun > SLICE {
            clock::breathe().await;
            begun = clock::now();
        }
    }
    let regrading = Regrading {
        of: id.clone(),
        tapes: library::tapes(&spec).await?,
        spec,
        title,
        tasks: ingredients.tasks,
        pack: ingredients.pack,
        in_flight: IN_FLIGHT,
        plays,
    };
    let run = driver::regrade(regrading).await.map_err(|why| match why {
        NotStarted::Spec(bad) => api::error("bad_spec", bad.to_string()),
        NotStarted::Server(problem) => problem,
    })?;
    // Plays that need no grading keep what they have.
    let ungraded = all.keys.iter().zip(&all.summaries);
    let ungraded: Vec<_> = ungraded
        .filter(|(_, summary)| summary.ending.is_some() && !summary.usage.contains_key(&seat))
        .map(|(play, summary)| (play.clone(), Arc::clone(summary)))
        .collect();
    live::view(&run).summaries.update(|known| {
        for (play, summary) in ungraded {
            known.entry(play).or_insert(summary);
        }
    });
    Ok(Some(run))
}

async fn read(id: &RunId, play: &EpisodeKey) -> Result<Transcript, ApiError> {
    let text = live::transcript(id, play).await?;
    transcript::read(&text)
        .map_err(|bad| api::error("unreadable_play", format!("{play} cannot be read: {bad}.")))
}
