//! What services ask, as the server has it. It is asked for once, by the first page that shows money.

use std::cell::Cell;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::metrics::prices::PriceBook;

use crate::api;

thread_local! {
    static BOOK: ArcRwSignal<Arc<PriceBook>> = ArcRwSignal::new(Arc::default());
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// The prices; nothing is known until the server has answered, and if it does not.
pub fn prices() -> ArcRwSignal<Arc<PriceBook>> {
    let book = BOOK.with(Clone::clone);
    if !ASKED.replace(true) {
        let book = book.clone();
        spawn_local(async move {
            match api::prices().await {
                Ok(found) => book.set(Arc::new(found)),
                // The next page that shows money asks again.
                Err(_) => ASKED.set(false),
            }
        });
    }
    book
}
