//! The numbers of a run. The server has computed them from the transcripts it has; while a run is driven in this page, or
//! where the server cannot say, they are computed here, by the same function.

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::metrics::report::{MeasureOptions, Report};
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::RunId;

use super::pace::Snapshots;
use super::times;
use crate::live::RunView;
use crate::view::snapshot::Snapshot;
use crate::{api, later, library, prices};

/// What the server said.
#[derive(Clone, PartialEq)]
enum Told {
    /// Nothing yet.
    Waiting,
    Report {
        report: Box<Report>,
        /// Whether it says how long seats took.
        has_times: bool,
    },
    /// It could not.
    Nothing,
}

/// The numbers as soon as there are any; `None` before a play has ended.
pub fn report(
    id: &RunId,
    view: RunView,
    snapshots: Snapshots,
    spec: Memo<Option<Spec>>,
) -> Memo<Option<Report>> {
    let driven = Memo::new(move |_| view.progress.with(Option::is_some));
    let told = told(id, view, driven);
    let here = Memo::new(move |_| driven.get() || told.with(|told| *told == Told::Nothing));
    let times = times::times(id, view, here);
    let has_ended = Memo::new(move |_| {
        view.info
            .with(|info| info.as_ref().is_some_and(|info| info.finished > 0))
    });
    let counted = RwSignal::new(None::<Report>);
    Effect::new(move |_| {
        let Some(spec) = spec.get().filter(|_| here.get()) else {
            return;
        };
        let opened = view.info.with(|info| info.as_ref().map(|info| info.opened));
        let options = MeasureOptions {
            times: times.get(),
            prices: PriceBook::clone(&prices::prices().get()),
            day: opened.and_then(Day::of),
            ..MeasureOptions::default()
        };
        let all = snapshots.numbers.get();
        spawn_local(async move {
            // Where the code cannot be had, the numbers stay as they were.
            if let Ok(Some(report)) = later::report(spec, all, options).await {
                counted.try_set(Some(report));
            }
        });
    });
    Memo::new(move |_| match here.get() {
        true => counted.get(),
        false => told.with(|told| match told {
            Told::Report { report, .. } if has_ended.get() => Some(Report::clone(report)),
            // A run that was driven here a moment ago keeps its numbers until the server's are there.
            Told::Waiting => counted.get(),
            _ => None,
        }),
    })
}

/// Counts the plays that have ended; `None` where none has, or their benchmark is not of this program.
pub(crate) fn count_here(spec: &Spec, all: &Snapshot, options: &MeasureOptions) -> Option<Report> {
    let benchmark = library::benchmark(&spec.benchmark).ok()?;
    let ended = all.ended();
    (!ended.is_empty()).then(|| benchmark.report(spec, &ended, options))
}

/// What the server says: asked at once, and again whenever more has ended or the run has come to another state. Of a run that is
/// over it is then asked how long seats took, too; for that it reads every transcript.
fn told(id: &RunId, view: RunView, driven: Memo<bool>) -> RwSignal<Told> {
    let told = RwSignal::new(Told::Waiting);
    let stands = Memo::new(move |_| {
        view.info
            .with(|info| info.as_ref().map(|info| (info.finished, info.state)))
    });
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    let wants_times = Memo::new(move |_| {
        let is_over = stands.get().is_some_and(|(_, state)| state.is_over());
        is_over
            && told.with(|told| {
                matches!(
                    told,
                    Told::Report {
                        has_times: false,
                        ..
                    }
                )
            })
    });
    let of_times = id.clone();
    Effect::new(move |_| {
        if !wants_times.get() {
            return;
        }
        let (id, own) = (of_times.clone(), wish.get_value());
        spawn_local(async move {
            // Without them the page says nothing about time; everything else is there.
            if let Ok(report) = api::report_with_times(&id).await
                && wish.try_get_value() == Some(own)
            {
                told.try_set(Told::Report {
                    report: Box::new(report),
                    has_times: true,
                });
            }
        });
    });
    let id = id.clone();
    Effect::new(move |before: Option<Option<_>>| {
        let now = stands.get();
        // What was asked when the page was opened holds for the head that came at the same time.
        let is_first_head = before == Some(None) && now.is_some();
        let is_driven = driven.get();
        if is_driven || !is_first_head {
            wish.update_value(|wish| *wish += 1);
        }
        if is_driven {
            // What was said of the run before says nothing of it once it has gone on.
            told.set(Told::Waiting);
        } else if !is_first_head {
            let id = id.clone();
            let own = wish.get_value();
            spawn_local(async move {
                let answer = match api::report(&id).await {
                    Ok(report) => Told::Report {
                        report: Box::new(report),
                        has_times: false,
                    },
                    Err(_) => Told::Nothing,
                };
                if wish.try_get_value() == Some(own) {
                    told.try_set(answer);
                }
            });
        }
        now
    });
    told
}
