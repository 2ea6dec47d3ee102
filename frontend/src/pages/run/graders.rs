//! Who graded, who graded again, and how far they agree.

use turnwise_shared::metrics::agreement::{self, Graded};

use super::regrade::GradeAgain;
use crate::components::report;
use crate::live::RunView;
use crate::prelude::*;
use crate::{api, library};

/// A grading of the same episodes by another run.
#[derive(Debug, Clone, PartialEq)]
struct Other {
    run: RunId,
    graded: Graded<EpisodeKey>,
}

/// The section; empty where the run has no graders.
#[component]
pub fn Graders(
    id: RunId,
    /// What is known of it.
    view: RunView,
    spec: Memo<Option<Spec>>,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let seats = Memo::new(move |_| {
        let spec = spec.get()?;
        let seats = library::benchmark(&spec.benchmark).ok()?.grading_seats().iter();
        let seats = seats.map(|seat| Seat::new(*seat));
        let seats: Vec<_> = seats.filter(|seat| spec.seats.contains_key(seat)).collect();
        (!seats.is_empty()).then_some(seats)
    });
    move || {
        let of_seat = |seat| view! { <OfSeat id=id.clone() view spec snapshot seat/> };
        let graders: Vec<_> = seats.get()?.into_iter().map(of_seat).collect();
        Some(view! {
            <section class="section" id="graders" aria-labelledby="graders-head">
                {section_head("graders-head", "Graders")}
                {graders}
            </section>
        })
    }
}

/// Who grades in one seat.
#[component]
fn OfSeat(
    id: RunId,
    view: RunView,
    spec: Memo<Option<Spec>>,
    snapshot: RwSignal<Arc<Snapshot>>,
    seat: Seat,
) -> impl IntoView {
    let others = RwSignal::new(Vec::<Other>::new());
    let regrades = Memo::new(move |_| view.info.and_then(|info| info.regrades.clone()));
    let load = {
        let (id, seat) = (id.clone(), seat.clone());
        move || {
            let (id, seat) = (id.clone(), seat.clone());
            let of = regrades.get();
            spawn_local(async move {
                let found = gradings(&id, of, &seat).await;
                others.try_set(found);
            });
        }
    };
    Effect::new(move |_| load());
    move || {
        let spec = spec.get()?;
        let who = spec.seats.get(&seat)?.clone();
        let origin = regrades.get().map(|of| {
            let href = address::run(&of, &Wall::default());
            view! {
                <p class="read">
                    "This run grades the episodes of another run again; they stay as they are. "
                    <a href=href>"The run that played"</a>
                </p>
            }
        });
        let is_played = registry::is_played(&spec.benchmark);
        let by = format!("The episodes were graded by {}.", who.player);
        let table = {
            let seat = seat.clone();
            let who = who.clone();
            move || {
                let others = others.get();
                (!others.is_empty()).then(|| {
                    let own = Graded {
                        name: format!("{} ({})", who.player, "this run"),
                        scores: scores(&snapshot.get(), &seat),
                    };
                    compared(own, &others)
                })
            }
        };
        Some(view! {
            <div class="stack">
                    {origin}
                    <p class="read">{by}</p>
                    {table}
                    {is_played.then(|| view! { <GradeAgain id=id.clone() spec=spec.clone() seat=seat.clone() snapshot view/> })}
            </div>
        })
    }
}

/// Scores of the episodes that the player in this seat graded. An episode marked wrong without a grading episode says nothing
/// about graders.
fn scores(all: &Snapshot, seat: &Seat) -> BTreeMap<EpisodeKey, f64> {
    let summaries = all.summaries.iter().map(|summary| &**summary);
    of_summaries(all.keys.iter().zip(summaries), seat)
}

fn of_summaries<'a>(
    all: impl Iterator<Item = (&'a EpisodeKey, &'a Summary)>,
    seat: &Seat,
) -> BTreeMap<EpisodeKey, f64> {
    all.filter(|(_, summary)| summary.usage.contains_key(seat.as_str()))
        .filter_map(|(play, summary)| Some((play.clone(), summary.score?)))
        .collect()
}

/// All other gradings of the same episodes: that of the run that played them, and those of the runs that graded them again.
async fn gradings(id: &RunId, of: Option<RunId>, seat: &Seat) -> Vec<Other> {
    let root = of.clone().unwrap_or_else(|| id.clone());
    let mut runs: Vec<RunInfo> = Vec::new();
    if of.is_some()
        && let Ok(info) = api::run(&root).await
    {
        runs.push(info);
    }
    runs.extend(api::regradings(&root).await.unwrap_or_default());
    let mut found = Vec::new();
    for info in runs.into_iter().filter(|info| info.run != *id) {
        let Ok(summaries) = api::summaries(&info.run).await else {
            continue;
        };
        let sitting = info.spec.seats.get(seat);
        let name = sitting.map_or_else(String::new, |sitting: &Sitting| sitting.player.to_string());
        let short: String = info.run.as_str().chars().take(8).collect();
        found.push(Other {
            graded: Graded {
                name: format!("{name} ({short})"),
                scores: of_summaries(summaries.iter().map(|(play, one)| (play, &**one)), seat),
            },
            run: info.run,
        });
    }
    found
}

/// The graders, and how far every two of them agree.
fn compared(own: Graded<EpisodeKey>, others: &[Other]) -> impl IntoView + use<> {
    let right = |graded: &Graded<EpisodeKey>| {
        let right = graded.scores.values().filter(|score| **score >= 0.5);
        right.count() as u64
    };
    let row = |graded: &Graded<EpisodeKey>, head: TableCell| {
        vec![
            head,
            TableCell::Number(count(graded.scores.len())),
            TableCell::Number(count(right(graded))),
        ]
    };
    let mut rows = vec![row(&own, TableCell::Text(own.name.clone()))];
    rows.extend(others.iter().map(|other| {
        let name = other.graded.name.clone();
        row(
            &other.graded,
            TableCell::Link {
                label: name.clone(),
                text: name,
                href: address::run(&other.run, &Wall::default()),
            },
        )
    }));
    let columns =
        vec![Head::words("Grader"), Head::numbers("Episodes graded"), Head::numbers("Right")];
    let all: Vec<_> =
        std::iter::once(own).chain(others.iter().map(|other| other.graded.clone())).collect();
    let agreement = match agreement::table(&all) {
        Some(table) => report::part_table(&table),
        None => {
            any_view! { <p class="soft">"Nothing to compare yet: no episode has a verdict of two graders."</p> }
        }
    };
    view! {
        <Table label="Graded again by" columns rows/>
        {agreement}
    }
}
