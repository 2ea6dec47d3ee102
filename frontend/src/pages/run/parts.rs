//! What the tabs of a run show beside its episodes: its parts, and what is counted over it. Each table and each plot is drawn for
//! itself, in a task of its own, and only when it is another: a report comes every few seconds while a run is driven, and has dozens.

use turnwise_shared::metrics::report::{Breakdown, Table};
use turnwise_shared::metrics::{spending, times};

use super::elsewhere::Lost;
use super::pace::{self, Following};
use crate::components::chart::Reliability;
use crate::components::{curves, report, standings};
use crate::live::RunView;
use crate::prelude::*;
use crate::stint::surveyed;
use crate::strings::run as words;
use crate::view::figures::{CountingEvents, CountingUse};
use crate::view::parts::Order;

/// Tab: the same numbers for parts of a run, as curves, breakdowns and tables, and what went wrong in it.
#[component]
pub fn ByPart(
    id: RunId,
    snapshot: RwSignal<Arc<Snapshot>>,
    report: RwSignal<Option<Report>>,
    driven: Memo<bool>,
) -> impl IntoView {
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
    let run = StoredValue::new(id.clone());
    let breakdowns = move || {
        section("parts-head", "By part", driven, |following| {
            let parts = pieces(
                following,
                report,
                |report| report.breakdowns.len(),
                |report, at| {
                    let breakdown = report.breakdowns.get(at)?;
                    let whole = report.headline.first().and_then(|figure| figure.value);
                    is_divided(breakdown).then(|| (breakdown.clone(), whole))
                },
                move |(breakdown, whole)| {
                    let drawn = |id: &RunId| report::breakdown(id, breakdown, *whole, order);
                    run.with_value(drawn).into_any()
                },
            );
            view! { <div class="stack-2">
                <div class="grid-2">{parts}</div>
                <p class="small soft">"Line: 95 % interval. Dashed: the whole run."</p>
            </div> }
        })
    };
    let tables = move || {
        section("tables-head", "More by part", driven, |following| {
            tables(following, report, |table| is_by_part(table) && table.rows.len() > 1)
        })
    };
    let faults = section("faults-head", "Faults and flags", driven, move |following| {
        let snapshot = followed(following, snapshot);
        let events = surveyed(move || Some((snapshot.get(), CountingEvents::default())));
        move || {
            let events = events.get()?;
            Some(report::faults(&id, &events))
        }
    });
    let has_plots = has(report, |report| !report.plots.is_empty());
    let has_parts = has(report, |report| report.breakdowns.iter().any(is_divided));
    let has_tables = has(report, |report| {
        let mut tables = report.tables.iter();
        tables.any(|table| is_by_part(table) && table.rows.len() > 1)
    });
    view! {
        <Show when=has_parts>{breakdowns}</Show>
        <Show when=has_plots>{plots}</Show>
        <Show when=has_tables>{tables}</Show>
        {faults}
    }
}

/// Of a breakdown with one part the headline says everything.
fn is_divided(breakdown: &Breakdown) -> bool {
    breakdown.rows.len() > 1
}

/// Whether a table stands among the parts: what was spent and how long it took have a tab of their own.
fn is_by_part(table: &Table) -> bool {
    table.title != spending::TITLE && table.title != times::TITLE
}

/// Tab of games: who won from whom.
#[component]
pub fn Pairs(report: RwSignal<Option<Report>>, driven: Memo<bool>) -> impl IntoView {
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
    let has_pairs = has(report, |report| !report.matrices.is_empty());
    view! { <Show when=has_pairs>{pairs}</Show> }
}

/// Tab: whether stated confidences were true.
#[component]
pub fn Calibration(report: RwSignal<Option<Report>>, driven: Memo<bool>) -> impl IntoView {
    section("calibration-head", words::CALIBRATION, driven, |following| {
        pace::piece(
            following,
            report,
            |report| Some(report.reliability.clone()),
            |bins| any_view! { <Reliability bins=bins.clone()/> },
        )
    })
}

/// Tab: every further number of the whole run.
#[component]
pub fn Numbers(report: RwSignal<Option<Report>>, driven: Memo<bool>) -> impl IntoView {
    let numbers = move || {
        section("more-head", "All numbers", driven, |following| {
            let groups = pieces(
                following,
                report,
                |report| report.groups.len(),
                |report, at| Some((report.groups.get(at).cloned()?, report.headline.clone())),
                |(group, headline)| report::group(group, headline),
            );
            let rest = tables(following, report, |table| is_by_part(table) && table.rows.len() < 2);
            view! { <div class="stack-8">{groups} {rest}</div> }
        })
    };
    let has_more = has(report, |report| {
        let mut tables = report.tables.iter();
        !report.groups.is_empty() || tables.any(|table| is_by_part(table) && table.rows.len() < 2)
    });
    view! { <Show when=has_more>{numbers}</Show> }
}

/// The tables of a report that `are_these`.
fn tables(
    following: Following,
    report: RwSignal<Option<Report>>,
    are_these: fn(&Table) -> bool,
) -> impl IntoView {
    let count = Memo::new(move |_| report.map(|report| report.tables.len()).unwrap_or(0));
    let drawn = move || {
        let piece = |at: usize| {
            let table = move |report: &Report| {
                report.tables.get(at).filter(|table| are_these(table)).cloned()
            };
            pace::piece(following, report, table, report::part_table)
        };
        (0..count.get()).map(piece).collect_view()
    };
    view! { <div class="stack-8">{drawn}</div> }
}

fn has(report: RwSignal<Option<Report>>, some: fn(&Report) -> bool) -> impl Fn() -> bool + Clone {
    let has = Memo::new(move |_| report.is_some_and(some));
    move || has.get()
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
    any_view! {
        <section class="section" aria-labelledby=head node_ref=section>
            {section_head(head, title)}
            {body}
        </section>
    }
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
    let count = Memo::new(move |_| report.map(count).unwrap_or(0));
    move || {
        let piece =
            |at: usize| pace::piece(following, report, move |report| part(report, at), draw);
        (0..count.get()).map(piece).collect_view()
    }
}

/// Tab: what a run cost, and how long it took.
#[component]
pub fn CostAndTime(
    view: RunView,
    spec: Memo<Option<Spec>>,
    snapshot: RwSignal<Arc<Snapshot>>,
    report: RwSignal<Option<Report>>,
    driven: Memo<bool>,
) -> impl IntoView {
    let usage = section("usage-head", "Calls, tokens and cost", driven, |following| {
        let snapshot = followed(following, snapshot);
        let spent = following.memo(
            move || {
                let spent = |table: &&Table| table.title == spending::TITLE;
                report.and_then(|report| report.tables.iter().find(spent).cloned())
            },
            |one, other| one != other,
        );
        let used =
            surveyed(move || Some((snapshot.get(), CountingUse::of(spec.get()?, spent.get()))));
        let usage = move || {
            let used = used.get()?;
            Some(report::usage(&used))
        };
        let unfinished = following.memo(
            move || report.with(|report| Some(spending::unfinished(report.as_ref()?)?.to_owned())),
            |one, other| one != other,
        );
        let unfinished = move || {
            unfinished.get().map(|told| view! { <p class="small" id="unfinished-cost">{told}</p> })
        };
        view! { {unfinished} {usage} <Lost view/> }
    });
    let time = move || {
        section("time-head", "Time", driven, |following| {
            tables(following, report, |table| table.title == times::TITLE)
        })
    };
    let has_time =
        has(report, |report| report.tables.iter().any(|table| table.title == times::TITLE));
    view! {
        {usage}
        <Show when=has_time>{time}</Show>
    }
}

fn followed(following: Following, snapshot: RwSignal<Arc<Snapshot>>) -> Memo<Arc<Snapshot>> {
    following.memo(move || snapshot.get(), |one, other| !is_same(one, other))
}

fn is_same(one: Option<&Arc<Snapshot>>, other: Option<&Arc<Snapshot>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}
