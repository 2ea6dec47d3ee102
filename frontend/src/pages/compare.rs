//! Runs side by side: which is better over the same tasks, their answers, their numbers and their curves.

mod crossed;
mod grid;
mod picker;
mod separates;
mod task;

use futures::future::join_all;
use leptos_router::hooks::use_query_map;
use turnwise_shared::compare::Entrant;
use turnwise_shared::metrics::spending;

use crate::components::doubt::doubt_note_of;
use crate::components::missing::Missing;
use crate::components::{curves, gate, head, report};
use crate::prelude::*;
use crate::strings::{compare as words, home};
use crate::view::compared;
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

#[component]
pub fn ComparePage() -> impl IntoView {
    view! { <Picked is_grid=false/> }
}

#[component]
pub fn GridPage() -> impl IntoView {
    view! { <Picked is_grid=true/> }
}

/// The runs of the address in pairs, or as a grid.
#[component]
fn Picked(is_grid: bool) -> impl IntoView {
    let (title, lede, page, other, onward) = match is_grid {
        true => (
            "Grid of runs",
            "Tick runs of one benchmark, e.g. every player with every judge, to see \
            whether the order of the players depends on the judge.",
            "grid",
            "compare",
            "Compare in pairs",
        ),
        false => (
            "Compare runs",
            "Tick two or more runs of one benchmark to see which is better over the tasks \
            that all of them have.",
            "compare",
            "grid",
            "Show as a grid",
        ),
    };
    head::title(move || title.to_owned());
    let query = use_query_map();
    let asked =
        Memo::new(move |_| asked(&query.with(|query| query.get("runs")).unwrap_or_default()));
    // What the beginnings of ids in the address stand for; `None` until the list of runs has been looked through.
    let begun: RwSignal<BTreeMap<String, Option<RunId>>> = RwSignal::new(BTreeMap::new());
    let chosen = Memo::new(move |_| {
        let mut runs = asked.with(|asked| asked.runs.clone());
        begun.with(|begun| {
            let short = asked.with(|asked| asked.short.clone());
            runs.extend(short.iter().filter_map(|short| begun.get(short)?.clone()));
        });
        runs
    });
    let gone = RwSignal::new(Vec::<RunId>::new());
    let doubted = RwSignal::new(Vec::<RunInfo>::new());
    let here = Memo::new(move |_| {
        let mut runs = chosen.get();
        gone.with(|gone| runs.retain(|run| !gone.contains(run)));
        doubted.with(|doubted| runs.retain(|run| doubted.iter().all(|one| one.run != *run)));
        runs
    });
    // Runs that can be ticked, once they are known; no visitor of a server with an access token is given a list.
    let offered = RwSignal::new(None::<Result<Vec<RunInfo>, ApiError>>);
    spawn_local(async move {
        let runs = api::runs(None, OFFERED).await;
        offered.put(runs);
    });
    Effect::new(move |_| {
        let open: Vec<String> = asked.with(|asked| {
            let known = |short: &&String| begun.with_untracked(|begun| begun.contains_key(*short));
            asked.short.iter().filter(|short| !known(short)).cloned().collect()
        });
        if open.is_empty() {
            return;
        }
        spawn_local(async move {
            let found = beginnings(open).await;
            begun.try_update(|begun| begun.extend(found));
        });
    });
    let is_resolving = move || {
        asked.with(|asked| {
            begun.with(|begun| asked.short.iter().any(|short| !begun.contains_key(short)))
        })
    };
    let list_problem = Signal::derive(move || {
        let problem = offered.and_then(|offered| offered.as_ref().err().cloned());
        problem.filter(|problem| !gate::refuses(problem))
    });
    let is_unlisted = move || {
        offered.with(|offered| matches!(offered, Some(Err(problem)) if gate::refuses(problem)))
    };
    let problem = RwSignal::new(None::<ApiError>);
    // Whether the runs of the address are on their way.
    let is_loading = RwSignal::new(true);
    let loaded: RwSignal<Vec<Compared>> = RwSignal::new(Vec::new());
    let prices = prices::prices();
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let ids = chosen.get();
        let own = wish.get_value() + 1;
        wish.set_value(own);
        is_loading.set(true);
        spawn_local(async move {
            let found = load(ids).await;
            if wish.try_get_value() != Some(own) {
                return;
            }
            match found {
                Ok(found) => {
                    gone.try_set(found.gone);
                    doubted.try_set(found.doubted);
                    problem.try_set(None);
                    loaded.try_set(found.runs);
                }
                Err(error) => problem.put(error),
            }
            is_loading.try_set(false);
        });
    });
    let navigate = use_navigate();
    let toggle = Callback::new(move |id: RunId| {
        let mut ids = chosen.get_untracked();
        if !ids.remove(&id) {
            ids.insert(id);
        }
        navigate(&address_of(page, &ids), in_place());
    });
    view! {
        <div class="stack">
            <h1>{title}</h1>
            <p class="lede">{move || if is_unlisted() { "Which of the runs in the address is better over the \
                tasks that all of them have." } else { lede }}</p>
            <p class="row">
                <a class="btn btn-small" id="other-view" href=move || chosen.with(|ids| address_of(other, ids))>
                    {onward}
                </a>
            </p>
            <Trouble problem=list_problem/>
            <Trouble problem/>
            {move || {
                let mut unknown = asked.with(|asked| asked.odd.clone());
                begun.with(|begun| {
                    let short = asked.with(|asked| asked.short.clone());
                    unknown.extend(short.into_iter().filter(|short| matches!(begun.get(short), Some(None))));
                });
                gone.with(|gone| unknown.extend(gone.iter().map(RunId::to_string)));
                (!unknown.is_empty()).then(|| unknown_note(&unknown))
            }}
            {move || doubted.with(|runs| loaded.with(|beside| doubts(runs, beside)))}
            <Show when=move || offered.is_none()>
                <Loading/>
            </Show>
            {move || {
                offered
                    .with(|offered| match offered {
                        Some(Ok(runs)) => Some(picker::picker(runs, here, toggle)),
                        Some(Err(_)) | None => None,
                    })
            }}
            {move || match loaded.with(|runs| runs.len() < 2) {
                true if is_loading.get() || is_resolving() => any_view! { <Loading/> },
                true if is_unlisted() => any_view! {
                    <p class="soft">
                        "Name two runs or more in the address, as in /compare?runs=ID,ID. This server shows its list \
                        of runs to its operator alone."
                    </p>
                },
                _ if is_grid => loaded.with(|runs| crossed::crossed_runs(runs)),
                _ => loaded.with(|runs| separated(runs)),
            }}
            {move || {
                let prices = prices.get();
                let pairs = |runs: &Vec<Compared>| (side_by_side(runs, &prices), costs(runs, &prices));
                (!is_grid).then(|| loaded.with(pairs))
            }}
        </div>
    }
}

fn address_of(page: &str, runs: &BTreeSet<RunId>) -> String {
    let ids: Vec<&str> = runs.iter().map(RunId::as_str).collect();
    format!("/{page}?runs={}", ids.join(","))
}

/// What the runs are called where they stand beside each other.
fn names(runs: &[Compared]) -> Vec<String> {
    compared::names(&runs.iter().map(|run| &run.info).collect::<Vec<_>>())
}

/// The runs as the core compares them.
fn entrants<'a>(runs: &'a [Compared], names: &'a [String]) -> Vec<Entrant<'a>> {
    let entrant = |(run, name): (&'a Compared, &'a String)| {
        let benchmark = registry::find(&run.info.spec.benchmark).ok()?;
        Some(Entrant { name, benchmark, spec: &run.info.spec, episodes: &run.summaries })
    };
    runs.iter().zip(names).filter_map(entrant).collect()
}

/// What an address says of runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Asked {
    runs: BTreeSet<RunId>,
    /// Beginnings of ids, as pages show them.
    short: Vec<String>,
    odd: Vec<String>,
}

/// Characters of the shortest beginning of an id that is looked for.
const SHORTEST: usize = 8;

fn asked(runs: &str) -> Asked {
    let mut asked = Asked::default();
    let is_sign = |sign: u8| matches!(sign, b'0'..=b'9' | b'a'..=b'f');
    for part in runs.split(',').filter(|part| !part.is_empty()) {
        match part.parse() {
            Ok(id) => drop(asked.runs.insert(id)),
            Err(_) if part.len() >= SHORTEST && part.len() < 32 && part.bytes().all(is_sign) => {
                asked.short.push(part.to_owned());
            }
            Err(_) => asked.odd.push(part.to_owned()),
        }
    }
    asked
}

/// Runs that are asked for per beginning of an id: the server also finds it in names and tags.
const CANDIDATES: u32 = 20;

/// The one run of the list whose id begins so, for each; none where there is no such run, or several.
async fn beginnings(short: Vec<String>) -> BTreeMap<String, Option<RunId>> {
    let found = short.into_iter().map(async |short| {
        let filter = Filter { q: short.clone(), ..Filter::default() };
        // Who may not see the list names runs in full.
        let runs = api::runs_like(&filter, None, CANDIDATES).await;
        let ids: Vec<RunId> = runs.into_iter().flatten().map(|run| run.run).collect();
        let one = one_that_begins(&ids, &short);
        (short, one)
    });
    join_all(found).await.into_iter().collect()
}

fn one_that_begins(ids: &[RunId], short: &str) -> Option<RunId> {
    let mut found = ids.iter().filter(|id| id.as_str().starts_with(short));
    let first = found.next()?;
    found.all(|other| other == first).then(|| first.clone())
}

fn unknown_note(unknown: &[String]) -> impl IntoView + use<> {
    view! {
        <div class="note note-warn" role="status" id="unknown-runs">
            <Icon name="warning"/>
            <p class="note-title">{words::unknown(unknown.len())}</p>
            <p class="mono">{unknown.join(", ")}</p>
            <p>{words::UNKNOWN_NOTE}</p>
        </div>
    }
}

/// What speaks against the runs that are left out, one after the other, each called otherwise than those that are not.
fn doubts(runs: &[RunInfo], beside: &[Compared]) -> Option<AnyView> {
    let beside = beside.iter().map(|run| &run.info);
    let infos: Vec<&RunInfo> = runs.iter().chain(beside).collect();
    let names = compared::names(&infos);
    let notes: Vec<_> =
        runs.iter().zip(&names).filter_map(|(run, name)| doubt_note_of(run, name)).collect();
    let notes = (!notes.is_empty()).then_some(notes)?;
    Some(any_view! { <div class="stack" id="doubted-runs">{notes}</div> })
}

/// What came of the runs that an address names.
#[derive(Default)]
struct Found {
    /// Those that are compared, in the order in which they were played.
    runs: Vec<Compared>,
    /// Those against which something speaks: nothing of them is compared.
    doubted: Vec<RunInfo>,
    /// Those that are not here.
    gone: Vec<RunId>,
}

async fn load(ids: BTreeSet<RunId>) -> Result<Found, ApiError> {
    let mut found = Found::default();
    for id in ids {
        let info = match api::run(&id).await {
            Ok(info) => info,
            Err(problem) if Missing::run(&problem).is_some() => {
                found.gone.push(id);
                continue;
            }
            Err(problem) => return Err(problem),
        };
        if info.doubt.is_some() {
            found.doubted.push(info);
            continue;
        }
        let summaries = api::summaries(&id).await?.into_values();
        let summaries = summaries.map(Arc::unwrap_or_clone).collect();
        found.runs.push(Compared { info, summaries });
    }
    found.runs.sort_by_key(|run| run.info.opened);
    Ok(found)
}

/// How a run is measured here: by the prices of the day on which it was played.
fn measured(run: &RunInfo, prices: &PriceBook) -> MeasureOptions {
    MeasureOptions { prices: prices.clone(), day: Day::of(run.opened), ..MeasureOptions::default() }
}

fn costs(runs: &[Compared], prices: &PriceBook) -> Option<impl IntoView + use<>> {
    let names = names(runs);
    let sides: Vec<_> = runs
        .iter()
        .zip(names)
        .map(|(run, name)| {
            let options = measured(&run.info, prices);
            let usages = run.summaries.iter().map(|summary| &summary.usage);
            let plays = u32::try_from(run.summaries.len()).unwrap_or(u32::MAX);
            let spent = spending::of(&run.info.spec, usages, &options);
            (name, plays, spent)
        })
        .collect();
    let table = compared::costs(&sides)?;
    Some(view! {
        <section class="section" aria-labelledby="costs-head">
            {section_head("costs-head", "Cost")}
            {report::part_table(&table)}
        </section>
    })
}

/// What separates the runs, whatever they cost.
fn separated(runs: &[Compared]) -> AnyView {
    if runs.len() < 2 {
        return any_view! { <p class="soft">"Tick two or more runs."</p> };
    }
    separates::separates(runs, &names(runs))
}

/// Their headline numbers and curves; nothing where they cannot be compared, which [`separated`] says.
fn side_by_side(runs: &[Compared], prices: &PriceBook) -> Option<AnyView> {
    if runs.len() < 2 {
        return None;
    }
    let names = names(runs);
    let reports: Result<Vec<(String, Report)>, BadSpec> = runs
        .iter()
        .zip(&names)
        .map(|(run, name)| {
            let benchmark = registry::find(&run.info.spec.benchmark)?;
            let options = measured(&run.info, prices);
            let summaries: Vec<&Summary> = run.summaries.iter().collect();
            let report = benchmark.report(&run.info.spec, &summaries, &options);
            Ok((name.clone(), report))
        })
        .collect();
    let reports = reports.ok()?;
    let plays: Vec<u32> = runs
        .iter()
        .map(|run| run.summaries.iter().filter(|one| one.complete).count())
        .map(|count| u32::try_from(count).unwrap_or(u32::MAX))
        .collect();
    let table = compared::table("Headline numbers", home::RUN, &reports, &plays);
    let plots: Vec<_> = compared::overlay(&reports).iter().map(curves::plot).collect();
    let view = view! {
        <section class="section" aria-labelledby="sides-head">
            {section_head("sides-head", "Side by side")}
            {table.as_ref().map(report::part_table)}
        </section>
        {(!plots.is_empty())
            .then(|| {
                view! {
                    <section class="section" aria-labelledby="curves-head">
                        {section_head("curves-head", "Over the course")}
                        <div class="grid-2">{plots}</div>
                    </section>
                }
            })}
    };
    Some(view.into_any())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_run_in_an_address_is_not_dropped_in_silence() {
        let run = RunId::new([0xab; 16]);
        let found = asked(&format!("abc,{run},,xyzxyzxyz,{run},ABABABAB"));
        assert_eq!(found.runs, BTreeSet::from([run]));
        assert_eq!(found.odd, ["abc", "xyzxyzxyz", "ABABABAB"]);
        assert_eq!(asked(""), Asked::default());
    }

    #[test]
    fn the_beginning_of_an_id_names_one_run_or_none() {
        let asked = asked("abababab,cdcdcdcdcd");
        assert_eq!(asked.short, ["abababab", "cdcdcdcdcd"]);
        let mut near = [0xab; 16];
        near[15] = 0;
        let ids = [RunId::new([0xab; 16]), RunId::new([0xcd; 16]), RunId::new(near)];
        assert_eq!(one_that_begins(&ids, "cdcdcdcd"), Some(ids[1].clone()));
        assert_eq!(one_that_begins(&ids, "abababab"), None, "two begin so");
        assert_eq!(one_that_begins(&ids, "00000000"), None);
    }
}
