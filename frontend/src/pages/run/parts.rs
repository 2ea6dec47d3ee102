//! What stands below the wall of a run: its parts, and what is counted over it. Each table and each plot is drawn for itself,
//! in a task of its own, and only when it is another: a report comes every few seconds while a run is driven, and has dozens.

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::metrics::report::{Report, Table};
use turnwise_shared::metrics::spending;
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::RunId;

use super::elsewhere::Lost;
use super::pace::{self, Following};
use crate::components::chart::Reliability;
use crate::components::{curves, report, standings};
use crate::live::RunView;
use crate::stint::surveyed;
use crate::strings::run as words;
use crate::view::figures::{CountingEvents, CountingUse};
use crate::view::parts::Order;
use crate::view::snapshot::Snapshot;

/// The parts of a run: curves, pairs, breakdowns and calibration.
#[component]
pub fn Parts(id: RunId, report: RwSignal<Option<Report>>, driven: Memo<bool>) -> impl IntoView {
    let order = RwSignal::new(Order::default());
    let plots = move || {
        section("plots-head", "Over the course", driven, |following| {
            let plots = pieces(
                following,
                report,
                |report| report.plots.len(),
                |report, at| report.plots.get(at).cloned(),
                curves::plot,
            );
            view! { <div class="grid-2">{plots}</div> }
        })
    };
    let pairs = move || {
        section("pairs-head", "Side by side", driven, |following| {
            let pairs = pieces(
                following,
                report,
                |report| report.matrices.len(),
                |report, at| report.matrices.get(at).cloned(),
                |matrix| standings::matrix(matrix).into_any(),
            );
            view! { <div class="grid-2">{pairs}</div> }
        })
    };
    let id = StoredValue::new(id);
    let breakdowns = move || {
        section("parts-head", "By part", driven, |following| {
            let parts = pieces(
                following,
                report,
                |report| report.breakdowns.len(),
                |report, at| {
                    let breakdown = report.breakdowns.get(at)?;
                    let whole = report.headline.first().and_then(|figure| figure.value);
                    (!breakdown.rows.is_empty()).then(|| (breakdown.clone(), whole))
                },
                move |(breakdown, whole)| {
                    let drawn = |id: &RunId| report::breakdown(id, breakdown, *whole, order);
                    id.with_value(drawn).into_any()
                },
            );
            view! { <div class="stack-2">
                <div class="grid-2">{parts}</div>
                <p class="small soft">"Line: 95 % interval. Dashed: the whole run."</p>
            </div> }
        })
    };
    let more = move || {
        section("more-head", "In detail", driven, |following| {
            // What was spent has a section of its own below.
            let tables = pieces(
                following,
                report,
                |report| report.tables.len(),
                |report, at| {
                    let table = report.tables.get(at);
                    table
                        .filter(|table| table.title != spending::TITLE)
                        .cloned()
                },
                report::part_table,
            );
            let groups = pieces(
                following,
                report,
                |report| report.groups.len(),
                |report, at| report.groups.get(at).cloned(),
                report::group,
            );
            view! { <div class="stack-8">
                {tables} <div class="stack-8">{groups}</div>
            </div> }
        })
    };
    let calibration = move || {
        section(
            "calibration-head",
            words::CALIBRATION,
            driven,
            |following| {
                pace::piece(
                    following,
                    report,
                    |report| Some(report.reliability.clone()),
                    |bins| view! { <Reliability bins=bins.clone()/> }.into_any(),
                )
            },
        )
    };
    let has = move |some: fn(&Report) -> bool| {
        let has = Memo::new(move |_| report.with(|report| report.as_ref().is_some_and(some)));
        move || has.get()
    };
    let has_plots = has(|report| !report.plots.is_empty());
    let has_pairs = has(|report| !report.matrices.is_empty());
    let has_parts = has(|report| report.breakdowns.iter().any(|one| !one.rows.is_empty()));
    let has_more = has(|report| {
        let other = |title: &str| title != spending::TITLE;
        report.tables.iter().any(|table| other(&table.title)) || !report.groups.is_empty()
    });
    let has_calibration = has(|report| !report.reliability.is_empty());
    view! {
        <Show when=has_plots>{plots}</Show>
        <Show when=has_pairs>{pairs}</Show>
        <Show when=has_parts>{breakdowns}</Show>
        <Show when=has_more>{more}</Show>
        <Show when=has_calibration>{calibration}</Show>
    }
}

/// A section with its heading, whose id is `head`; its body may follow the numbers.
fn section<V: IntoView + 'static>(
    head: &'static str,
    title: &'static str,
    driven: Memo<bool>,
    body: impl FnOnce(Following) -> V,
) -> AnyView {
    let section = NodeRef::new();
    let body = body(Following::of(section, driven));
    view! {
        <section class="section" aria-labelledby=head node_ref=section>
            <div class="section-head">
                <h2 id=head>{title}</h2>
            </div>
            {body}
        </section>
    }
    .into_any()
}

/// Several pieces of one kind, one after the other: how many there are, each of them, and how it is drawn.
fn pieces<T>(
    following: Following,
    report: RwSignal<Option<Report>>,
    count: fn(&Report) -> usize,
    part: fn(&Report, usize) -> Option<T>,
    draw: impl Fn(&T) -> AnyView + Copy + Send + 'static,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let count = Memo::new(move |_| report.with(|report| report.as_ref().map_or(0, count)));
    move || {
        let piece =
            |at: usize| pace::piece(following, report, move |report| part(report, at), draw);
        (0..count.get()).map(piece).collect_view()
    }
}

/// Counts over a run: faults, and calls, tokens and cost.
#[component]
pub fn Sums(
    id: RunId,
    view: RunView,
    spec: Memo<Option<Spec>>,
    snapshot: RwSignal<Arc<Snapshot>>,
    report: RwSignal<Option<Report>>,
    driven: Memo<bool>,
) -> impl IntoView {
    let followed = move |following: Following| {
        following.memo(move || snapshot.get(), |one, other| !is_same(one, other))
    };
    let faults = section("faults-head", "Faults and flags", driven, |following| {
        let snapshot = followed(following);
        let events = surveyed(move || Some((snapshot.get(), CountingEvents::default())));
        move || {
            let events = events.get()?;
            Some(report::faults(&id, &events))
        }
    });
    let usage = section(
        "usage-head",
        "Calls, tokens and cost",
        driven,
        |following| {
            let snapshot = followed(following);
            let spent = following.memo(
                move || {
                    let spent = |table: &&Table| table.title == spending::TITLE;
                    report.with(|report| report.as_ref()?.tables.iter().find(spent).cloned())
                },
                |one, other| one != other,
            );
            let used =
                surveyed(move || Some((snapshot.get(), CountingUse::of(spec.get()?, spent.get()))));
            let usage = move || {
                let used = used.get()?;
                Some(report::usage(&used))
            };
            view! { {usage} <Lost view/> }
        },
    );
    view! { {faults} {usage} }
}

fn is_same(one: Option<&Arc<Snapshot>>, other: Option<&Arc<Snapshot>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}
