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
use crate::{api, library, prices};

/// What the server said.
#[derive(Clone, PartialEq)]
enum Told {
    /// Nothing yet.
    Waiting,
    Report(Box<Report>),
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
    Memo::new(move |_| {
        if !here.get() {
            return told.with(|told| match told {
                Told::Report(report) if has_ended.get() => Some(Report::clone(report)),
                _ => None,
            });
        }
        let spec = spec.get()?;
        let benchmark = library::benchmark(&spec.benchmark).ok()?;
        let opened = view.info.with(|info| info.as_ref().map(|info| info.opened));
        let options = MeasureOptions {
            times: times.get(),
            prices: PriceBook::clone(&prices::prices().get()),
            day: opened.and_then(Day::of),
            ..MeasureOptions::default()
        };
        let numbers = snapshots.numbers;
        Some(numbers.with(|all| benchmark.report(&spec, &all.ended(), &options)))
    })
}

/// What the server says: asked at once, and again whenever more has ended or the run has come to another state.
fn told(id: &RunId, view: RunView, driven: Memo<bool>) -> RwSignal<Told> {
    let told = RwSignal::new(Told::Waiting);
    let stands = Memo::new(move |_| {
        view.info
            .with(|info| info.as_ref().map(|info| (info.finished, info.state)))
    });
    let id = id.clone();
    Effect::new(move |before: Option<Option<_>>| {
        let now = stands.get();
        // What was asked when the page was opened holds for the head that came at the same time.
        let is_first_head = before == Some(None) && now.is_some();
        if !driven.get() && !is_first_head {
            let id = id.clone();
            spawn_local(async move {
                let answer = match api::report(&id).await {
                    Ok(report) => Told::Report(Box::new(report)),
                    Err(_) => Told::Nothing,
                };
                told.try_set(answer);
            });
        }
        now
    });
    told
}
