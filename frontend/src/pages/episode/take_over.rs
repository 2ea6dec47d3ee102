//! Going on from a turn of the episode that is read, in a run of its own.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use turnwise_shared::run::{BranchOf, Cut, cut};
use turnwise_shared::seat::{Player, Sitting};
use turnwise_shared::transcript::Transcript;
use turnwise_shared::wire::sharing::Visibility;
use turnwise_shared::wire::{ApiError, RunId};

use super::load::Part;
use crate::components::dialog::Dialog;
use crate::components::icons::{Icon, IconSize};
use crate::components::message::Trouble;
use crate::components::who::{Who, WhoField};
use crate::driver::{self, Branching};
use crate::live::{self, RunView};
use crate::pages::run::candidates;
use crate::plan::usual_sampling;
use crate::strings::sharing as words;
use crate::view::address;
use crate::view::wall::Wall;
use crate::{api, library};

/// The button and its form; nothing where nobody can go on.
#[component]
pub fn TakeOver(
    /// The run.
    id: RunId,
    /// What is known of it.
    view: RunView,
    /// Its play.
    play: Arc<Part>,
    /// The turn at which the reader is.
    now: Signal<Option<u32>>,
) -> impl IntoView {
    let turns: Vec<u32> = play.timeline.cells.iter().map(|cell| cell.turn).collect();
    if turns.is_empty() {
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
    let person = Player::Person.to_string();
    let all = RwSignal::new(vec![person.clone()]);
    let who = Who::new(person);
    let parent = view
        .info
        .with_untracked(|info| info.as_ref().map(|info| info.visibility))
        .unwrap_or_default();
    // Nothing is made public that nobody asked to be.
    let listed = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    {
        let spec = spec.clone();
        Effect::new(move |_| {
            let (spec, Some(seat)) = (spec.clone(), seat()) else {
                return;
            };
            spawn_local(async move {
                let mut found = candidates(&spec, &seat).await;
                // Whoever reads is who most likely goes on.
                found.sort_by_key(|who| *who != Player::Person.to_string());
                all.try_set(found);
            });
        });
    }
    let before = Signal::derive(move || {
        let sitting = spec.seats.get(&seat()?)?;
        Some(words::was(&sitting.player.to_string()))
    });
    let navigate = use_navigate();
    let start = move |_| {
        let player = untrack(|| who.player());
        let (Some(player), Some(Found(place))) = (player, place.get_untracked()) else {
            problem.set(Some(api::error("nobody", words::NOBODY)));
            return;
        };
        let wanted = Wanted {
            turn: turn.get_untracked(),
            place,
            player,
            visibility: parent.of_branch(match listed.get_untracked() {
                true => Visibility::Public,
                false => Visibility::Unlisted,
            }),
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
    let seen = match parent {
        Visibility::Private => {
            view! { <p class="small soft">{words::PRIVATE_BRANCH}</p> }.into_any()
        }
        Visibility::Unlisted | Visibility::Public => view! {
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
        }
        .into_any(),
    };
    // Of games a reader may know what decides them; a bot or a model does not.
    let foreknown =
        library::benchmark(&transcript.with_value(|play| play.header.spec.benchmark.clone()))
            .ok()
            .and_then(|benchmark| benchmark.foreknown());
    let foreknown = move || {
        let is_reader = who.player() == Some(Player::Person);
        foreknown
            .filter(|_| is_reader)
            .map(|known| view! { <p class="note" id="take-known">{known}</p> })
    };
    let label = Signal::derive(move || {
        seat()
            .map(|seat| words::who_sits(seat.as_str()))
            .unwrap_or_default()
    });
    view! {
        <div class="stack">
            <p>{words::TAKE_OVER_ABOUT}</p>
            <div class="field">
                <label for="take-turn">{words::FROM_TURN}</label>
                <select class="select" id="take-turn" on:change=choose_turn>
                    {turn_options}
                </select>
            </div>
            <WhoField name="take" label known=all person=words::ME who note=before/>
            {foreknown}
            {seen}
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
    let benchmark = library::benchmark(&header.spec.benchmark)?;
    let sampling = usual_sampling(benchmark, &wanted.place.seat, &wanted.player);
    let title = words::branch_title(&header.task.id.0, wanted.turn, &wanted.player.to_string());
    let player = wanted.player;
    let mut seats = header.spec.seats.clone();
    seats.insert(wanted.place.seat, Sitting { player, sampling });
    let spec = benchmark
        .take_over(&header.spec, seats)
        .map_err(|bad| api::error("bad_branch", bad.to_string()))?;
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
    Ok(driver::branch(branching).await?)
}
