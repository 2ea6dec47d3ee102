//! What the rest of a run will cost if it goes on as it went, as far as prices are known; with or without a cap.

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::metrics::report::MeasureOptions;
use turnwise_shared::metrics::spending;

use crate::live::RunView;
use crate::prices::prices;
use crate::strings::budgets as words;
use crate::view::snapshot::Snapshot;

/// See the module's head; nothing for a run that is over.
#[component]
pub fn Ahead(
    /// What is known of the run.
    view: RunView,
    /// Its episodes.
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let book = prices();
    // Counted anew when a play has ended, and not with every turn of one.
    let ended = Memo::new(move |_| {
        let ended = snapshot.with(|all| all.ended().len());
        let is_over = view
            .info
            .with(|info| info.as_ref().is_none_or(|info| info.state.is_over()));
        (!is_over).then_some(ended)
    });
    let ahead = Memo::new(move |_| {
        let ended = u32::try_from(ended.get()?).ok()?;
        let info = view.info.get_untracked()?;
        let options = MeasureOptions {
            prices: book.with(|book| PriceBook::clone(book)),
            day: Day::of(info.opened),
            ..MeasureOptions::default()
        };
        let spent = snapshot.with_untracked(|all| {
            let usages = all.ended().into_iter().map(|summary| &summary.usage);
            spending::of(&info.spec, usages, &options).total
        });
        let ahead = spent.ahead(ended, info.episodes)?;
        Some((ahead.known.dollars(), ahead.unknown == 0))
    });
    move || {
        ahead
            .get()
            .map(|(dollars, is_all)| view! { <p class="small soft" id="ahead">{words::ahead(dollars, is_all)}</p> })
    }
}
