//! What stands below the wall of a run: its parts, and what is counted over it.

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::metrics::report::Report;
use turnwise_shared::metrics::spending;
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::RunId;

use super::elsewhere::Lost;
use crate::components::chart::Reliability;
use crate::components::{curves, report, standings};
use crate::live::RunView;
use crate::strings::{game as game_words, run as words};
use crate::view::parts::Order;
use crate::view::snapshot::Snapshot;

/// The parts of a run: curves, pairs, breakdowns and calibration.
#[component]
pub fn Parts(id: RunId, report: RwSignal<Option<Report>>) -> impl IntoView {
    let order = RwSignal::new(Order::default());
    move || {
        report.with(|report| {
            report.as_ref().map(|report| {
                let whole = report.headline.first().and_then(|figure| figure.value);
                let parts: Vec<_> = report
                    .breakdowns
                    .iter()
                    .filter(|breakdown| !breakdown.rows.is_empty())
                    .map(|breakdown| report::breakdown(&id, breakdown, whole, order))
                    .collect();
                let calibration = (!report.reliability.is_empty()).then(|| {
                    let bins = report.reliability.clone();
                    view! {
                        <section class="section" aria-labelledby="calibration-head">
                            <div class="section-head">
                                <h2 id="calibration-head">{words::CALIBRATION}</h2>
                            </div>
                            <Reliability bins/>
                        </section>
                    }
                });
                let pairs: Vec<_> = report.matrices.iter().map(standings::matrix).collect();
                let pairs = (!pairs.is_empty()).then(|| {
                    view! {
                        <section class="section" aria-labelledby="pairs-head">
                            <div class="section-head">
                                <h2 id="pairs-head">{game_words::MATRICES}</h2>
                            </div>
                            <div class="grid-2">{pairs}</div>
                        </section>
                    }
                });
                let plots: Vec<_> = report.plots.iter().map(curves::plot).collect();
                let plots = (!plots.is_empty()).then(|| {
                    view! {
                        <section class="section" aria-labelledby="plots-head">
                            <div class="section-head">
                                <h2 id="plots-head">{game_words::PLOTS}</h2>
                            </div>
                            <div class="grid-2">{plots}</div>
                        </section>
                    }
                });
                // What was spent has a section of its own below.
                let tables: Vec<_> = report
                    .tables
                    .iter()
                    .filter(|table| table.title != spending::TITLE)
                    .map(report::part_table)
                    .collect();
                let has_more = !(tables.is_empty() && report.groups.is_empty());
                let more = has_more.then(|| {
                    view! {
                        <section class="section" aria-labelledby="more-head">
                            <div class="section-head">
                                <h2 id="more-head">{words::MORE}</h2>
                            </div>
                            <div class="stack-8">{tables} {report::groups(&report.groups)}</div>
                        </section>
                    }
                });
                let breakdowns = (!parts.is_empty()).then(|| {
                    view! {
                        <section class="section" aria-labelledby="parts-head">
                            <div class="section-head">
                                <h2 id="parts-head">{words::PARTS}</h2>
                            </div>
                            <div class="stack-2">
                                <div class="grid-2">{parts}</div>
                                <p class="small soft">{words::WHISK_NOTE}</p>
                            </div>
                        </section>
                    }
                });
                (plots, pairs, breakdowns, more, calibration)
            })
        })
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
) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="faults-head">
            <div class="section-head">
                <h2 id="faults-head">{words::FAULTS}</h2>
            </div>
            {move || snapshot.with(|all| report::faults(&id, all))}
        </section>
        <section class="section" aria-labelledby="usage-head">
            <div class="section-head">
                <h2 id="usage-head">{words::USAGE}</h2>
            </div>
            {move || {
                let spec = spec.get()?;
                Some(report.with(|told| snapshot.with(|all| report::usage(&spec, all, told.as_ref()))))
            }}
            <Lost view/>
        </section>
    }
}
