//! Checks that take longer than a request: proxies give up after a few seconds, and a large run is checked for minutes. A client
//! that prefers it learns at once that the check goes on, and asks again until it has an answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinHandle;
use turnwise_shared::prelude::*;

use super::Refused;
use crate::error::Problem;

/// The longest that a client that prefers it waits for one answer.
const PATIENCE: Duration = Duration::from_millis(300);

/// How many answers are kept that no client has asked for again.
const UNASKED: usize = 64;

/// What is done with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    Check,
    /// It is checked and put on its board.
    Publish,
}

type Outcome = Result<Admission, Refused>;
type Slot = Arc<tokio::sync::Mutex<Option<JoinHandle<Outcome>>>>;

#[derive(Debug, Default)]
pub struct Underway(Mutex<BTreeMap<(RunId, Wanted), Slot>>);

impl Underway {
    /// What a check came to that goes on, or begins now as `begin` has it; `None` while it goes on.
    pub async fn outcome<F>(
        &self,
        run: &RunId,
        wanted: Wanted,
        begin: impl FnOnce() -> F,
    ) -> Option<Outcome>
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let key = (run.clone(), wanted);
        let slot = {
            let mut all = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
            if all.len() > UNASKED {
                all.retain(|_, slot| {
                    slot.try_lock()
                        .map_or(true, |task| task.as_ref().is_some_and(|task| !task.is_finished()))
                });
            }
            let begun = || Arc::new(tokio::sync::Mutex::new(Some(tokio::spawn(begin()))));
            Arc::clone(all.entry(key.clone()).or_insert_with(begun))
        };
        let asked = tokio::time::timeout(PATIENCE, async {
            let mut task = slot.lock().await;
            let outcome = match task.as_mut() {
                Some(task) => task.await,
                // Another request took the outcome a moment ago.
                None => return None,
            };
            *task = None;
            Some(outcome)
        });
        let outcome = asked.await.ok().flatten()?;
        let mut all = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        all.remove(&key);
        Some(outcome.unwrap_or_else(|broken| Err(Problem::internal(broken).into())))
    }
}
