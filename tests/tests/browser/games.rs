//! What games have in common that are played by built-in rules.

use crate::*;

/// Waits until every episode of the run is stored and its ranking is drawn.
pub async fn played(tab: &Tab, trial: &Trial) -> String {
    let run = trial.whole(tab).await;
    tab.wait_for(".ranking tbody tr").await;
    run
}
