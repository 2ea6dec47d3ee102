//! The list of recent runs.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, stream};
use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::metrics::proportion::wilson;
use turnwise_shared::metrics::report::Unit;
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::sharing::Visibility;
use turnwise_shared::wire::{About, ApiError, Listed, RunId, RunInfo, RunState};

use crate::components::message::{Loading, Trouble};
use crate::components::state::state;
use crate::keep::Wish;
use crate::strings::compare::pick;
use crate::strings::driving;
use crate::strings::home as strings;
use crate::strings::run::{participants, untitled};
use crate::view::compared::{condition, is_swept};
use crate::view::number;
use crate::{api, clock, driven, keep};

/// Own runs that are asked for at once.
const AT_ONCE: usize = 6;
/// Runs asked for at a time.
const PORTION: u32 = 30;

/// The runs that were made private in this browser and still are; no list of the server's has them.
async fn private() -> Vec<RunInfo> {
    let runs = keep::private_runs();
    let asked = stream::iter(&runs).map(api::run).buffered(AT_ONCE);
    let asked: Vec<_> = asked.collect().await;
    // One that was withdrawn since, or that the server does not have any more, is passed over.
    let found = asked.into_iter().filter_map(Result::ok);
    found
        .filter(|run| run.visibility == Visibility::Private)
        .collect()
}

/// The runs that this browser opened, newest first.
async fn own() -> Vec<RunInfo> {
    let mut kept = keep::runs().await.unwrap_or_default();
    kept.sort_by_key(|run| std::cmp::Reverse(run.opened));
    kept.truncate(PORTION as usize);
    let asked = stream::iter(&kept).map(|kept| api::run(&kept.run));
    let found: Vec<_> = asked.buffered(AT_ONCE).collect().await;
    found.into_iter().filter_map(Result::ok).collect()
}

/// Recent runs, newest first.
#[component]
pub fn Runs(
    /// What the server offers, once it is known.
    about: RwSignal<Option<About>>,
    /// Whether the server has said what it offers, or could not.
    asked: RwSignal<bool>,
    /// Whether the list is not for whoever looks: then it has the runs of this browser.
    is_visitor: Memo<bool>,
) -> impl IntoView {
    let runs: RwSignal<Option<Vec<RunInfo>>> = RwSignal::new(None);
    let wishes: RwSignal<BTreeMap<RunId, Wish>> = RwSignal::new(BTreeMap::new());
    let problem: RwSignal<Option<ApiError>> = RwSignal::new(None);
    let more = RwSignal::new(false);
    // Of those that the server listed; own private runs stand between them.
    let oldest = StoredValue::new(None::<Listed>);
    let busy = RwSignal::new(false);
    let load = move || {
        // A second click wants no second portion: the same runs would come twice.
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        let before = oldest.get_value();
        spawn_local(async move {
            match api::runs(before.as_ref(), PORTION).await {
                Ok(mut found) => {
                    problem.try_set(None);
                    more.try_set(found.len() >= PORTION as usize);
                    oldest.try_set_value(found.last().map(Listed::after).or(before.clone()));
                    if before.is_none() {
                        found.extend(private().await);
                        found.sort_by_key(|run| std::cmp::Reverse(run.opened));
                    }
                    runs.try_update(|runs| runs.get_or_insert_default().extend(found));
                }
                Err(error) => {
                    problem.try_set(Some(error));
                }
            }
            busy.try_set(false);
        });
    };
    Effect::new(move |before: Option<bool>| {
        let is_known = asked.get();
        if is_known && before != Some(true) {
            match is_visitor.get_untracked() {
                true => spawn_local(async move {
                    runs.try_set(Some(own().await));
                }),
                false => load(),
            }
        }
        is_known
    });
    spawn_local(async move {
        // Without the browser's store every run is just somebody's.
        let kept = keep::runs().await.unwrap_or_default();
        wishes.try_set(kept.into_iter().map(|kept| (kept.run, kept.wish)).collect());
    });
    let ticked: RwSignal<BTreeSet<RunId>> = RwSignal::new(BTreeSet::new());
    let rows = move || {
        runs.get()
            .unwrap_or_default()
            .into_iter()
            .map(|run| {
                let wish = wishes.with(|wishes| wishes.get(&run.run).copied());
                view! { <Row run wish about ticked/> }
            })
            .collect_view()
    };
    let comparison = move || {
        let runs: Vec<String> = ticked.with(|runs| runs.iter().map(RunId::to_string).collect());
        match runs.is_empty() {
            true => "/compare".to_owned(),
            false => format!("/compare?runs={}", runs.join(",")),
        }
    };
    let is_empty = move || runs.with(|runs| runs.as_ref().is_some_and(Vec::is_empty));
    view! {
        <section class="section">
            <div class="section-head">
                <h2>{strings::RUNS}</h2>
                <a class="push" id="compare-ticked" href=comparison>
                    {move || strings::compare(ticked.with(BTreeSet::len))}
                </a>
            </div>
            <Trouble problem/>
            <Show when=move || runs.with(Option::is_none) && problem.with(Option::is_none)>
                <Loading/>
            </Show>
            <Show when=is_empty>
                {move || match is_visitor.get() {
                    true => view! { <NotListed/> }.into_any(),
                    false => view! { <NoRuns/> }.into_any(),
                }}
            </Show>
            <Show when=move || is_visitor.get() && !is_empty()>
                <p class="small soft">"Those that were opened in this browser; the list of all is for whoever has the server's access token."</p>
            </Show>
            <Show when=move || runs.with(|runs| runs.as_ref().is_some_and(|runs| !runs.is_empty()))>
                <div class="table-wrap">
                    <table translate="no" class="table table-cards" aria-label=strings::RUNS>
                        <thead>
                            <tr>
                                <th scope="col">{strings::RUN}</th>
                                <th scope="col" class="num">
                                    {strings::ACCURACY}
                                    " "
                                    <span class="unit">{strings::PERCENT}</span>
                                </th>
                                <th scope="col" class="num">{strings::EPISODES}</th>
                                <th scope="col">{strings::STATE}</th>
                                <th scope="col">{strings::PLAYER}</th>
                                <th scope="col">"Other seats"</th>
                                <th scope="col">{strings::OPENED}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </Show>
            <Show when=move || more.get()>
                <button class="btn btn-quiet" type="button" disabled=move || busy.get() on:click=move |_| load()>
                    "Show older runs"
                </button>
            </Show>
        </section>
    }
}

#[component]
fn Row(
    run: RunInfo,
    wish: Option<Wish>,
    about: RwSignal<Option<About>>,
    /// The runs that are ticked for comparing.
    ticked: RwSignal<BTreeSet<RunId>>,
) -> impl IntoView {
    let state = match (run.state, wish) {
        (RunState::Open | RunState::Running | RunState::Idle, _) if driven::has(&run.run) => {
            state(RunState::Running, driving::HERE)
        }
        (RunState::Running, _) if run.is_servers() => state(RunState::Running, driving::ON_SERVER),
        (RunState::Idle, Some(Wish::Run | Wish::Rest)) => {
            state(RunState::Idle, "idle; can be continued")
        }
        (other, _) => state(other, driving::state(other)),
    };
    let accuracy = number::shown(run.accuracy, interval(&run), Unit::Fraction);
    let (player, others) = seats(&run.spec);
    let age = clock::today().saturating_sub(run.opened);
    let mode = condition(&run.spec);
    let address = format!("/run/{}", run.run);
    let (finished, episodes) = (run.finished, run.episodes);
    let id = run.run.clone();
    let is_ticked = {
        let id = id.clone();
        move || ticked.with(|runs| runs.contains(&id))
    };
    let name = Memo::new(move |_| about.with(|about| name(&run, about.as_ref())));
    view! {
        <tr>
            <th scope="row">
                <input
                    type="checkbox"
                    aria-label=move || pick(&name.get())
                    prop:checked=is_ticked
                    on:change:target=move |event| {
                        let tick = event.target().checked();
                        ticked
                            .update(|runs| {
                                match tick {
                                    true => runs.insert(id.clone()),
                                    false => runs.remove(&id),
                                };
                            });
                    }
                />
                " "
                <a href=address>{name}</a>
                " "
                {mode.map(|mode| view! { <span class="tag">{mode}</span> })}
            </th>
            <td class="num cell-main" data-label=strings::ACCURACY>
                {accuracy.value} {accuracy.range.map(|range| view! { " "<span class="pm">"(" {range} ")"</span> })}
            </td>
            <td class="num" data-label=strings::EPISODES>
                {strings::finished(&number::count(u64::from(finished)), &number::count(u64::from(episodes)))}
            </td>
            <td data-label=strings::STATE>{state}</td>
            <td class="cell-wide" data-label=strings::PLAYER>{player}</td>
            <td class="soft cell-drop">{others}</td>
            <td class="cell-wide ago" data-label=strings::OPENED>
                {strings::ago(&number::duration(age))}
            </td>
        </tr>
    }
}

/// The interval of a finished run's accuracy. Where a task is played more than once, by repeats or in a sweep, it depends on every
/// task, and the run's page has it.
fn interval(run: &RunInfo) -> Option<(f64, f64)> {
    let n = u64::from(run.finished);
    if run.state != RunState::Closed || run.spec.repeats != 1 || is_swept(&run.spec) {
        return None;
    }
    // A share of a count of episodes: rounding gives the count back.
    let right = (run.accuracy? * n as f64).round() as u64;
    wilson(right.min(n), n).map(|interval| (interval.low, interval.high))
}

/// A run's own name, else that of its benchmark, as the server calls it, and its tasks.
fn name(run: &RunInfo, about: Option<&About>) -> String {
    if !run.title.trim().is_empty() {
        return run.title.clone();
    }
    let benchmark = about
        .into_iter()
        .flat_map(|about| &about.benchmarks)
        .find(|benchmark| benchmark.name == run.spec.benchmark)
        .map_or(&run.spec.benchmark, |benchmark| &benchmark.title);
    untitled(benchmark, &run.spec.tasks.name)
}

/// The player, and the others in one line; where all are players, how many.
fn seats(spec: &Spec) -> (String, String) {
    let player = spec.seats.get(&Seat::new(Seat::PLAYER)).map_or_else(
        || participants(spec.seats.len()),
        |sitting| sitting.player.to_string(),
    );
    let others: Vec<_> = spec
        .seats
        .iter()
        .filter(|(seat, _)| seat.as_str() != Seat::PLAYER)
        .map(|(seat, sitting)| format!("{seat} {}", sitting.player))
        .collect();
    (player, others.join(", "))
}

/// The list is not for everybody, and nothing was opened here.
#[component]
fn NotListed() -> impl IntoView {
    view! {
        <p class="soft read" id="not-listed">
            "The list of all runs is for whoever has this server's access token. What was published stands on the " <a href="/boards">"boards"</a> {strings::NOT_LISTED_END}
        </p>
    }
}

#[component]
fn NoRuns() -> impl IntoView {
    view! {
        <div class="empty">
            <span class="ribbon ribbon-mid" aria-hidden="true">
                <i class="turn k-waiting">"·"</i>
                <i class="turn k-waiting">"·"</i>
                <i class="turn k-waiting">"·"</i>
                <i class="turn k-waiting">"·"</i>
            </span>
            <h3>"No runs yet"</h3>
            <p>{strings::NO_RUNS_WHY}</p>
        </div>
    }
}
