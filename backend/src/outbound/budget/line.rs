//! Calls that fit into a budget only when others have come back stand in line before it, each server's in one of its own. The first
//! looks again and again, because what comes back may have been held by another server; the rest look when it is their turn.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as Turns, OwnedMutexGuard};

/// Until the first in line looks again: at first, and at most.
const FIRST: Duration = Duration::from_millis(25);
const LONGEST: Duration = Duration::from_millis(500);

/// The lines before all budgets.
#[derive(Debug, Default)]
pub(super) struct Lines(Mutex<HashMap<String, Weak<Turns<()>>>>);

/// The first place in a line; dropping it leaves it.
#[derive(Debug)]
pub struct PlaceInLine {
    _first: OwnedMutexGuard<()>,
    wait: Duration,
}

impl Lines {
    /// Waits until it is first in the line before a budget. A call that stops waiting leaves the line.
    pub async fn first(&self, budget: &str) -> PlaceInLine {
        let line = self.line(budget);
        PlaceInLine { _first: line.lock_owned().await, wait: FIRST }
    }

    fn line(&self, budget: &str) -> Arc<Turns<()>> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(budget).and_then(Weak::upgrade) {
            return line;
        }
        lines.retain(|_, line| line.strong_count() > 0);
        let line = Arc::default();
        lines.insert(budget.to_owned(), Arc::downgrade(&line));
        line
    }
}

impl PlaceInLine {
    /// Waits until it is worth looking again.
    pub async fn a_while(&mut self) {
        tokio::time::sleep(self.wait).await;
        self.wait = (self.wait * 2).min(LONGEST);
    }
}
