//! What the page of a run knows of its budget: asked for at once, at every pause, at the end, and every few seconds in between.

use turnwise_shared::wire::budgets::Scope;

use crate::live::{Driving, RunView};
use crate::prelude::*;
use crate::{api, clock, driven, keep, prices};

/// Milliseconds between two looks.
const PAUSE: u32 = 4000;

#[derive(Clone, Copy)]
pub struct Watched {
    /// The budget; nothing without the run's token.
    pub now: RwSignal<Option<RunBudgets>>,
    /// Whether the form that sets it is unfolded.
    pub is_unfolded: RwSignal<bool>,
    /// How many looks have begun.
    looks: StoredValue<u64>,
}

/// What the budget depends on besides the calls that are made: how the run is driven here, whether it has paused by itself, whether
/// calls are on their way, and how it stands.
type Stand = (Option<(Driving, bool)>, bool, Option<RunState>);

impl Watched {
    /// The budget of a run; it is not looked up any more once the page is left.
    pub fn of(id: &RunId, view: RunView) -> Self {
        let watched = Watched {
            now: RwSignal::new(None),
            is_unfolded: RwSignal::new(false),
            looks: StoredValue::new(0),
        };
        let stand = Memo::new(move |_| -> Stand {
            let driving = view.pace.map(|pace| (pace.driving, pace.halt.is_some()));
            let flies = view.progress.with(|progress| {
                let flying = progress.as_ref().map(|progress| progress.flying);
                flying.is_some_and(|flying| flying > 0)
            });
            let rests = driving.is_none_or(|(driving, _)| driving != Driving::Running);
            let state = view.info.map(|info| info.state);
            // While it runs, calls come and go, and it is looked at every few seconds.
            (driving, rests && flies, state)
        });
        let token = RwSignal::new(None::<String>);
        let asked = StoredValue::new(id.clone());
        Effect::new(move |_| {
            // A memo that is only tracked is never computed.
            let _ = stand.get();
            if let Some(token) = token.get() {
                spawn_local(watched.look(asked.get_value(), token));
            }
        });
        spawn_local(watched.keep_looking(id.clone(), view, token));
        watched
    }

    /// The run's own budget, if anything of it is capped.
    pub fn own(&self) -> Option<SpendingBudget> {
        self.now.with(own)
    }

    /// Notes what the server says; what was asked before and comes later does not count.
    pub fn told(&self, budget: RunBudgets) {
        self.looks.try_update_value(|looks| *looks += 1);
        self.now.put(budget);
    }

    async fn look(self, id: RunId, token: String) {
        let Some(look) = self.looks.try_update_value(|looks| {
            *looks += 1;
            *looks
        }) else {
            return;
        };
        if let Ok(budget) = api::budget(&id, &token).await
            && self.looks.try_get_value() == Some(look)
        {
            self.now.put(budget);
        }
    }

    /// Looks again as long as the run is driven, until the page is left.
    async fn keep_looking(self, id: RunId, view: RunView, token: RwSignal<Option<String>>) {
        let Ok(Some(kept)) = keep::run(&id).await else {
            return;
        };
        // Without prices it is unknown whether the budget is worth a word.
        prices::known().await;
        if token.try_set(Some(kept.token.clone())).is_some() {
            return;
        }
        loop {
            clock::sleep(PAUSE).await;
            if self.now.is_disposed() {
                return;
            }
            if driven::has(&id) || is_driven(view) {
                self.look(id.clone(), kept.token.clone()).await;
            }
        }
    }
}

/// Whether another page or the server drives the run.
fn is_driven(view: RunView) -> bool {
    let state = view.info.try_with_untracked(|info| info.as_ref().map(|info| info.state));
    state.flatten() == Some(RunState::Running)
}

fn own(budget: &Option<RunBudgets>) -> Option<SpendingBudget> {
    let mut budgets = budget.iter().flat_map(|budget| &budget.budgets);
    budgets.find(|budget| budget.of == Scope::Run).cloned()
}
