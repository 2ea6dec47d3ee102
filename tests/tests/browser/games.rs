//! What games have in common that are played by built-in rules.

use turnwise_shared::wire::RunState;

use crate::*;

/// Waits until every episode of the run is stored and its ranking is drawn.
pub async fn played(tab: &Tab, asking: &Asking<'_>) -> String {
    let run = run_of(tab).await;
    let info = asking.wait(&run, "the game", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, info.episodes));
    tab.wait_for(".ranking tbody tr", SOON).await;
    run
}
