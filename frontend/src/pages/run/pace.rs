//! Episodes go on and end many times a second while a run is driven; what is computed from all of them is computed a few
//! times a second.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use turnwise_shared::wire::RunId;

use crate::clock;
use crate::live::{self, RunView};
use crate::view::snapshot::Snapshot;

/// The least time between two snapshots, in milliseconds.
const LEAST: f64 = 400.0;
/// A snapshot may use one part in so many of the time.
const SHARE: f64 = 12.0;

/// The episodes of a run as they stand, those under way included, taken anew at a pace that leaves the page its time: the
/// more episodes, the rarer.
pub fn snapshot(id: &RunId, view: RunView) -> RwSignal<Arc<Snapshot>> {
    let id = StoredValue::new(id.clone());
    let look = move || {
        let under_way = id.with_value(live::under_way);
        view.summaries
            .with_untracked(|ended| Arc::new(Snapshot::with(ended, under_way)))
    };
    let snapshot = RwSignal::new(look());
    let taken = StoredValue::new(clock::now());
    let rest = StoredValue::new(0.0);
    let pending = StoredValue::new(None::<TimeoutHandle>);
    let take = move || {
        let started = clock::now();
        pending.set_value(None);
        snapshot.set(look());
        // Whoever reads the signal computes right after this; it takes about as long again.
        let ended = clock::now();
        rest.set_value(((ended - started) * SHARE).max(LEAST));
        taken.set_value(ended);
    };
    Effect::new(move |before: Option<()>| {
        view.summaries.track();
        view.pace.track();
        if before.is_none() || pending.with_value(Option::is_some) {
            return;
        }
        let wait = taken.get_value() + rest.get_value() - clock::now();
        if wait <= 0.0 {
            take();
        } else {
            let wait = Duration::from_millis(wait as u64);
            pending.set_value(set_timeout_with_handle(take, wait).ok());
        }
    });
    on_cleanup(move || {
        pending.update_value(|pending| {
            if let Some(timer) = pending.take() {
                timer.clear();
            }
        });
    });
    snapshot
}
