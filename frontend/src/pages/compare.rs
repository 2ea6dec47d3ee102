//! Runs side by side: what separates them over the same tasks, their numbers and their curves.

mod separates;
mod task;

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_query_map};
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::metrics::report::{MeasureOptions, Report, Unit};
use turnwise_shared::metrics::spending;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::registry;
use turnwise_shared::spec::BadSpec;
use turnwise_shared::wire::{ApiError, RunId, RunInfo};

use crate::components::message::{Loading, Trouble};
use crate::components::{curves, head, report};
use crate::pages::run::run_name;
use crate::strings::{compare as words, home};
use crate::view::{compared, number};
use crate::{api, prices};

pub use task::TaskPage;

/// Runs that can be ticked.
const OFFERED: u32 = 100;

/// A run with everything that is compared.
#[derive(Clone)]
struct Compared {
    info: RunInfo,
    summaries: Vec<Summary>,
}

/// Route `/compare?runs=ID,ID`.
#[component]
pub fn ComparePage() -> impl IntoView {
    head::title(|| words::TITLE.to_owned());
    let query = use_query_map();
    let chosen = Memo::new(move |_| {
        let runs = query.with(|query| query.get("runs")).unwrap_or_default();
        let ids = runs.split(',').filter_map(|id| id.parse::<RunId>().ok());
        ids.collect::<BTreeSet<_>>()
    });
    let offered: RwSignal<Option<Vec<RunInfo>>> = RwSignal::new(None);
    let problem: RwSignal<Option<ApiError>> = RwSignal::new(None);
    spawn_local(async move {
        match api::runs(None, OFFERED).await {
            Ok(runs) => drop(offered.try_set(Some(runs))),
            Err(error) => drop(problem.try_set(Some(error))),
        }
    });
    let loaded: RwSignal<Vec<Compared>> = RwSignal::new(Vec::new());
    let prices = prices::prices();
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let ids = chosen.get();
        let own = wish.get_value() + 1;
        wish.set_value(own);
        spawn_local(async move {
            let found = load(ids).await;
            if wish.try_get_value() != Some(own) {
                return;
            }
            match found {
                Ok(runs) => {
                    problem.try_set(None);
                    loaded.try_set(runs);
                }
                Err(error) => drop(problem.try_set(Some(error))),
            }
        });
    });
    let navigate = use_navigate();
    let toggle = Callback::new(move |id: RunId| {
        let mut ids = chosen.get_untracked();
        if !ids.remove(&id) {
            ids.insert(id);
        }
        let ids: Vec<_> = ids.iter().map(RunId::to_string).collect();
        let options = NavigateOptions {
            replace: true,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&format!("/compare?runs={}", ids.join(",")), options);
    });
    view! {
        <div class="stack">
            <h1>{words::TITLE}</h1>
            <p class="lede">{words::LEDE}</p>
            <Trouble problem/>
            <Show when=move || offered.with(Option::is_none) && problem.with(Option::is_none)>
                <Loading/>
            </Show>
            {move || offered.with(|runs| runs.as_ref().map(|runs| picker(runs, chosen, toggle)))}
            {move || loaded.with(|runs| side_by_side(runs))}
            {move || {
                let prices = prices.get();
                loaded.with(|runs| costs(runs, &prices))
            }}
        </div>
    }
}

async fn load(ids: BTreeSet<RunId>) -> Result<Vec<Compared>, ApiError> {
    let mut runs = Vec::new();
    for id in ids {
        let info = api::run(&id).await?;
        let summaries = api::summaries(&id).await?.into_values();
        let summaries = summaries.map(Arc::unwrap_or_clone).collect();
        runs.push(Compared { info, summaries });
    }
    // In the order in which they were played.
    runs.sort_by_key(|run| run.info.opened);
    Ok(runs)
}

/// The runs that can be ticked; those of another benchmark than the ticked ones cannot.
fn picker(
    runs: &[RunInfo],
    chosen: Memo<BTreeSet<RunId>>,
    toggle: Callback<RunId>,
) -> impl IntoView + use<> {
    let ticked: Vec<(RunId, String)> = runs
        .iter()
        .map(|run| (run.run.clone(), run.spec.benchmark.clone()))
        .collect();
    let benchmark = Memo::new(move |_| {
        chosen.with(|chosen| {
            let first = ticked.iter().find(|(run, _)| chosen.contains(run));
            first.map(|(_, benchmark)| benchmark.clone())
        })
    });
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let (id, own) = (run.run.clone(), run.spec.benchmark.clone());
            let is_chosen = {
                let id = id.clone();
                move || chosen.with(|chosen| chosen.contains(&id))
            };
            let is_other =
                move || benchmark.with(|one| one.as_ref().is_some_and(|one| *one != own));
            let name = run_name(run);
            let score = number::shown(run.accuracy, None, Unit::Fraction);
            view! {
                <tr>
                    <th scope="row">
                        <input
                            type="checkbox"
                            aria-label=words::pick(&name)
                            prop:checked=is_chosen.clone()
                            disabled={
                                let (is_other, is_chosen) = (is_other.clone(), is_chosen.clone());
                                move || is_other() && !is_chosen()
                            }
                            title=move || is_other().then_some(words::OTHER)
                            on:change=move |_| toggle.run(id.clone())
                        />
                        " "
                        <a href=format!("/run/{}", run.run)>{name.clone()}</a>
                    </th>
                    <td data-label=words::CONDITION>{compared::condition(&run.spec)}</td>
                    <td class="cell-wide" data-label=home::PLAYER>{compared::player(&run.spec)}</td>
                    <td class="num" data-label=home::EPISODES>{number::count(u64::from(run.finished))}</td>
                    <td class="num cell-main" data-label=home::ACCURACY>{score.value}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <div class="table-wrap">
            <table class="table table-cards" aria-label=words::PICK>
                <thead>
                    <tr>
                        <th scope="col">{home::RUN}</th>
                        <th scope="col">{words::CONDITION}</th>
                        <th scope="col">{home::PLAYER}</th>
                        <th scope="col" class="num">{home::EPISODES}</th>
                        <th scope="col" class="num">
                            {home::ACCURACY} " " <span class="unit">{home::PERCENT}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// What the runs cost, by the prices of the days on which they were played.
fn costs(runs: &[Compared], prices: &PriceBook) -> Option<impl IntoView + use<>> {
    let infos: Vec<&RunInfo> = runs.iter().map(|run| &run.info).collect();
    let names = compared::names(&infos);
    let sides: Vec<_> = runs
        .iter()
        .zip(names)
        .map(|(run, name)| {
            let options = MeasureOptions {
                prices: prices.clone(),
                day: Day::of(run.info.opened),
                ..MeasureOptions::default()
            };
            let usages = run.summaries.iter().map(|summary| &summary.usage);
            let plays = u32::try_from(run.summaries.len()).unwrap_or(u32::MAX);
            let spent = spending::of(&run.info.spec, usages, &options);
            (name, plays, spent)
        })
        .collect();
    let table = compared::costs(&sides)?;
    Some(view! {
        <section class="section" aria-labelledby="costs-head">
            <div class="section-head">
                <h2 id="costs-head">{words::COSTS}</h2>
            </div>
            {report::part_table(&table)}
        </section>
    })
}

fn side_by_side(runs: &[Compared]) -> AnyView {
    if runs.len() < 2 {
        return view! { <p class="soft">{words::NOTHING}</p> }.into_any();
    }
    let infos: Vec<&RunInfo> = runs.iter().map(|run| &run.info).collect();
    let names = compared::names(&infos);
    let reports: Result<Vec<(String, Report)>, BadSpec> = runs
        .iter()
        .zip(&names)
        .map(|(run, name)| {
            let benchmark = registry::find(&run.info.spec.benchmark)?;
            let options = MeasureOptions::default();
            let summaries: Vec<&Summary> = run.summaries.iter().collect();
            let report = benchmark.report(&run.info.spec, &summaries, &options);
            Ok((name.clone(), report))
        })
        .collect();
    let reports = match reports {
        Ok(reports) => reports,
        Err(bad) => return separates::refused(&bad),
    };
    let table = compared::table(words::HEADLINES, home::RUN, &reports);
    let plots: Vec<_> = compared::overlay(&reports)
        .iter()
        .map(curves::plot)
        .collect();
    view! {
        {separates::separates(runs, &names)}
        <section class="section" aria-labelledby="sides-head">
            <div class="section-head">
                <h2 id="sides-head">{words::SIDE_BY_SIDE}</h2>
            </div>
            {table.as_ref().map(report::part_table)}
        </section>
        {(!plots.is_empty())
            .then(|| {
                view! {
                    <section class="section" aria-labelledby="curves-head">
                        <div class="section-head">
                            <h2 id="curves-head">{words::CURVES}</h2>
                        </div>
                        <div class="grid-2">{plots}</div>
                    </section>
                }
            })}
    }
    .into_any()
}
