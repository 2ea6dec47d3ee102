//! How long seats took. The server knows; it is asked where numbers are computed here, whenever the run has
//! come to rest.

use crate::api;
use crate::live::RunView;
use crate::prelude::*;

/// Milliseconds that calls took, by seat.
pub type Times = BTreeMap<Seat, Vec<f64>>;

/// The times of a run's calls, once they are wanted; empty where no times are known.
pub fn times(id: &RunId, view: RunView, wanted: Memo<bool>) -> RwSignal<Times> {
    let times = RwSignal::new(Times::new());
    let state = Memo::new(move |_| view.info.map(|info| info.state));
    let id = id.clone();
    Effect::new(move |_| {
        // While calls are made, what they took changes all the time and says little.
        if !wanted.get() || !matches!(state.get(), Some(RunState::Closed | RunState::Cancelled)) {
            return;
        }
        let id = id.clone();
        spawn_local(async move {
            // Without them the page says nothing about time; everything else is there.
            if let Ok(found) = api::times(&id).await {
                times.try_set(found);
            }
        });
    });
    times
}
