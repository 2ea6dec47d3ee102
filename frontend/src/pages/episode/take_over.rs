//! Going on from a turn of the episode that is read, in a run of its own.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use turnwise_shared::run::{BranchOf, Cut, cut};
use turnwise_shared::seat::{Player, Sampling, Sitting};
use turnwise_shared::transcript::{Origin, Transcript};
use turnwise_shared::wire::sharing::Visibility;
use turnwise_shared::wire::{ApiError, RunId};

use super::load::{Loaded, Part};
use crate::components::dialog::Dialog;
use crate::components::icons::{Icon, IconSize};
use crate::components::message::Trouble;
use crate::driver::{self, Branching, NotStarted};
use crate::live::{self, RunView};
use crate::pages::run::candidates;
use crate::strings::sharing as words;
use crate::view::address;
use crate::view::replayed::Seal;
use crate::view::wall::Wall;
use crate::{api, library};

/// The choice of another model, which is then typed.
const TYPED: &str = "model:";

/// The button and its form; nothing where nobody can go on.
#[component]
pub fn TakeOver(
    /// The run.
    id: RunId,
    /// What is known of it.
    view: RunView,
    /// The episode.
    loaded: Arc<Loaded>,
    /// Its play.
    play: Arc<Part>,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
) -> impl IntoView {
    let turns: Vec<u32> = play.timeline.cells.iter().map(|cell| cell.turn).collect();
    if !can_take_over(&loaded, &play) || turns.is_empty() {
        return ().into_any();
    }
    let open = RwSignal::new(false);
    let turn = RwSignal::new(turns[0]);
    let last = *turns.last().unwrap_or(&1);
    let at = Memo::new(move |_| now.get().unwrap_or(last));
    let begin = move |_| {
        turn.set(at.get_untracked());
        open.set(true);
    };
    let form = move || {
        open.get().then(|| {
            view! { <Form id=id.clone() view play=Arc::clone(&play) turns=turns.clone() turn/> }
        })
    };
    view! {
        <button class="btn btn-small" type="button" id="take-over" on:click=begin>
            <Icon name="person" size=IconSize::Small/>
            {move || words::take_over_at(at.get())}
        </button>
        <Dialog open title=words::TAKE_OVER>
            {form}
        </Dialog>
    }
    .into_any()
}

/// Whether a play can be gone on with here: it was recorded, it replays, its benchmark allows it, and nothing of it is sealed.
fn can_take_over(loaded: &Loaded, play: &Part) -> bool {
    let header = &play.transcript.header;
    let allowed = library::benchmark(&header.spec.benchmark)
        .is_ok_and(|benchmark| benchmark.take_over(&header.spec).is_ok());
    let replays = matches!(play.replayed.seal, Seal::Agrees { .. });
    allowed && replays && header.origin == Origin::Recorded && !loaded.sealed
}

#[component]
fn Form(
    id: RunId,
    view: RunView,
    play: Arc<Part>,
    turns: Vec<u32>,
    turn: RwSignal<u32>,
) -> impl IntoView {
    let spec = play.transcript.header.spec.clone();
    let transcript = StoredValue::new(play.transcript.clone());
    let place = Memo::new(move |_| {
        transcript.with_value(|play: &Transcript| cut(play, turn.get()).map(Found))
    });
    let seat = move || place.get().map(|found| found.0.seat);
    let all = RwSignal::new(Vec::<String>::new());
    let chosen = RwSignal::new(Player::Person.to_string());
    let typed = RwSignal::new(String::new());
    let listed = RwSignal::new(true);
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    {
        let spec = spec.clone();
        Effect::new(move |_| {
            let (spec, Some(seat)) = (spec.clone(), seat()) else {
                return;
            };
            spawn_local(async move {
                let found = candidates(&spec, &seat).await;
                all.try_set(found);
            });
        });
    }
    let before = {
        let spec = spec.clone();
        move || {
            let sitting = spec.seats.get(&seat()?)?;
            Some(words::was(&sitting.player.to_string()))
        }
    };
    let navigate = use_navigate();
    let start = move |_| {
        let who = match chosen.get_untracked() {
            chosen if chosen == TYPED => format!("{TYPED}{}", typed.get_untracked().trim()),
            chosen => chosen,
        };
        let (Ok(player), Some(Found(place))) = (who.parse::<Player>(), place.get_untracked())
        else {
            problem.set(Some(api::error("nobody", words::NOBODY)));
            return;
        };
        let wanted = Wanted {
            turn: turn.get_untracked(),
            place,
            player,
            visibility: match listed.get_untracked() {
                true => Visibility::Public,
                false => Visibility::Unlisted,
            },
        };
        let (id, navigate) = (id.clone(), navigate.clone());
        let parent = transcript.get_value();
        problem.set(None);
        busy.set(true);
        spawn_local(async move {
            match begin(&id, view, parent, wanted).await {
                Ok(run) => navigate(
                    &address::run(&run, &Wall::default()),
                    NavigateOptions::default(),
                ),
                Err(why) => {
                    busy.try_set(false);
                    problem.try_set(Some(why));
                }
            }
        });
    };
    let options = move || {
        let person = Player::Person.to_string();
        let one = |value: String, title: String| {
            let is_chosen = chosen.with_untracked(|chosen| *chosen == value);
            view! {
                <option value=value prop:selected=is_chosen>
                    {title}
                </option>
            }
        };
        let others = all.get().into_iter().filter(|who| *who != person);
        (
            one(person.clone(), words::ME.to_owned()),
            others.map(|who| one(who.clone(), who)).collect_view(),
            one(TYPED.to_owned(), words::OTHER_MODEL.to_owned()),
        )
    };
    let turn_options = turns
        .into_iter()
        .map(|one| {
            let is_chosen = turn.get_untracked() == one;
            view! { <option value=one.to_string() prop:selected=is_chosen>{one}</option> }
        })
        .collect_view();
    let choose_turn = move |event| {
        if let Ok(chosen) = event_target_value(&event).parse() {
            turn.set(chosen);
        }
    };
    let label = move || {
        seat()
            .map(|seat| words::who_sits(seat.as_str()))
            .unwrap_or_default()
    };
    view! {
        <div class="stack">
            <p>{words::TAKE_OVER_ABOUT}</p>
            <div class="field">
                <label for="take-turn">{words::FROM_TURN}</label>
                <select class="select" id="take-turn" on:change=choose_turn>
                    {turn_options}
                </select>
            </div>
            <div class="field">
                <label for="take-who">{label}</label>
                <select
                    class="select"
                    id="take-who"
                    aria-describedby="take-was"
                    on:change=move |event| chosen.set(event_target_value(&event))
                >
                    {options}
                </select>
                <span class="field-note" id="take-was">
                    {before}
                </span>
            </div>
            <Show when=move || chosen.with(|chosen| chosen == TYPED)>
                <div class="field">
                    <label for="take-model">{words::MODEL}</label>
                    <input
                        class="input input-mono"
                        id="take-model"
                        aria-describedby="take-model-note"
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                    <span class="field-note" id="take-model-note">
                        {words::MODEL_NOTE}
                    </span>
                </div>
            </Show>
            <label class="check">
                <input
                    type="checkbox"
                    id="take-listed"
                    prop:checked=move || listed.get()
                    on:change:target=move |event| listed.set(event.target().checked())
                />
                <span>
                    {words::LIST_IT} <span class="small soft share-means">{words::LIST_IT_ABOUT}</span>
                </span>
            </label>
            <Trouble problem/>
            <div>
                <button
                    class="btn btn-primary"
                    type="button"
                    id="take-begin"
                    disabled=move || busy.get()
                    aria-busy=move || busy.get().then_some("true")
                    on:click=start
                >
                    {words::BEGIN}
                </button>
            </div>
        </div>
    }
}

/// Where a turn begins, for a memo.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found(Cut);

/// What was chosen.
struct Wanted {
    turn: u32,
    place: Cut,
    player: Player,
    visibility: Visibility,
}

async fn begin(
    id: &RunId,
    view: RunView,
    parent: Transcript,
    wanted: Wanted,
) -> Result<RunId, ApiError> {
    let ingredients = live::ingredients(id).await?;
    let header = &parent.header;
    let mut spec = header.spec.clone();
    let sampling = match (&wanted.player, library::benchmark(&spec.benchmark)) {
        (Player::Model { model, .. }, Ok(benchmark)) => {
            benchmark.default_sampling(&wanted.place.seat, model)
        }
        _ => Sampling::default(),
    };
    let title = words::branch_title(&header.task.id.0, wanted.turn, &wanted.player.to_string());
    let player = wanted.player;
    spec.seats
        .insert(wanted.place.seat, Sitting { player, sampling });
    // Plays that a run grades again are those of the run that played them.
    let run = view
        .info
        .with_untracked(|info| info.as_ref().and_then(|info| info.regrades.clone()))
        .unwrap_or_else(|| id.clone());
    let branching = Branching {
        of: BranchOf {
            run,
            episode: turnwise_shared::run::EpisodeKey::play(&header.task.id, header.repeat),
            turn: wanted.turn,
            lines: wanted.place.lines,
        },
        parent,
        spec,
        title,
        tasks: ingredients.tasks,
        pack: ingredients.pack,
        visibility: wanted.visibility,
    };
    driver::branch(branching).await.map_err(|why| match why {
        NotStarted::Spec(bad) => api::error("bad_spec", bad.to_string()),
        NotStarted::Server(problem) => problem,
    })
}
