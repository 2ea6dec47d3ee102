//! What the rest of a run will cost if it goes on as it went, as far as prices are known; with or without a cap.

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::metrics::report::MeasureOptions;
use turnwise_shared::metrics::spending::{self, Amount};
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::wire::RunInfo;

use crate::live::RunView;
use crate::prices::prices;
use crate::strings::budgets as words;
use crate::view::snapshot::Snapshot;

/// See the module's head; nothing for a run that is over.
#[component]
pub fn Ahead(
    /// What is known of the run.
    view: RunView,
    /// Its episodes, those under way included.
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let (book, book_again) = (prices(), prices());
    // There are many of those that have ended, and what they cost changes only when another one has.
    let ended = Memo::new(move |_| {
        let ended = snapshot.with(|all| all.ended().len());
        let is_over = view
            .info
            .with(|info| info.as_ref().is_none_or(|info| info.state.is_over()));
        (!is_over).then_some(ended)
    });
    let costs = Memo::new(move |_| {
        ended.get()?;
        let (info, options) = counting(view, &book)?;
        let of = |summary: &Summary| cost(summary, &info, &options);
        Some(snapshot.with_untracked(|all| all.ended().into_iter().map(of).collect::<Vec<_>>()))
    });
    let ahead = Memo::new(move |_| {
        costs.with(|ended| {
            let ended = ended.as_ref()?;
            let (info, options) = counting(view, &book_again)?;
            let under_way: Vec<_> = snapshot.with(|all| {
                let plays = all.summaries.iter().filter(|one| one.ending.is_none());
                plays.map(|one| cost(one, &info, &options)).collect()
            });
            spending::ahead(ended, &under_way, info.episodes)
        })
    });
    move || {
        ahead
            .get()
            .map(|ahead| view! { <p class="small soft" id="ahead">{words::ahead(ahead.dollars, ahead.is_all)}</p> })
    }
}

/// By what its plays are counted.
fn counting(
    view: RunView,
    book: &ArcRwSignal<Arc<PriceBook>>,
) -> Option<(RunInfo, MeasureOptions)> {
    let info = view.info.get_untracked()?;
    let options = MeasureOptions {
        prices: book.with(|book| PriceBook::clone(book)),
        day: Day::of(info.opened),
        ..MeasureOptions::default()
    };
    Some((info, options))
}

/// What a play has cost so far.
fn cost(summary: &Summary, info: &RunInfo, options: &MeasureOptions) -> Amount {
    spending::of(&info.spec, [&summary.usage], options).total
}
