//! Who drives a run, and how it stands.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::CallCount;

use super::run;
use crate::number::{count, counted, fixed};

texts!("driving");

/// How far it is: `failed` of those that ended did not finish.
fn so_far(ended: u32, episodes: u32, failed: usize) -> String {
    let finished = u64::from(ended).saturating_sub(failed as u64);
    let told =
        format!("{} of {} finished", count(finished), counted(episodes, "episode", "episodes"));
    match run::failed(failed) {
        Some(failed) => format!("{told}, {failed}"),
        None => told,
    }
}
pub fn on_server(ended: u32, episodes: u32, failed: usize) -> String {
    format!("Running on the server: {}. Every page may be closed.", so_far(ended, episodes, failed))
}
pub fn elsewhere(ended: u32, episodes: u32, failed: usize) -> String {
    format!(
        "Running in another tab: {}. This page updates by itself.",
        so_far(ended, episodes, failed)
    )
}
pub fn paused(ended: u32, episodes: u32, failed: usize) -> String {
    format!("Paused. {}.", so_far(ended, episodes, failed))
}
pub fn idle(ended: u32, episodes: u32, failed: usize) -> String {
    format!(
        "Not running: its page was closed, or its server stopped. {}. Resume continues where its transcripts end; no call that was answered \
         is made again.",
        so_far(ended, episodes, failed)
    )
}
/// It was ended; `failed`: how many of its episodes broke off.
pub fn stopped(ended: u32, episodes: u32, failed: usize) -> String {
    let missing = match (failed, ended >= episodes) {
        (0, true) => " Some may lack their grading.",
        _ => "",
    };
    format!("Ended. {}.{missing} Resume continues it.", so_far(ended, episodes, failed))
}

/// How many calls have no known answer.
pub fn lost(calls: &CallCount) -> Option<String> {
    let share = calls.loss()?;
    Some(match calls.lost {
        0 => format!("{} sent, none of them lost.", counted(calls.sent, "call was", "calls were")),
        lost => format!(
            "{} of {} lost ({} %): the server stopped before the answer was written down. They were sent again, and may be \
             paid for twice.",
            count(lost),
            counted(calls.sent, "call that was sent is", "calls that were sent are"),
            fixed(100.0 * share, 2)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_how_many_finished_and_how_many_failed() {
        let told = stopped(20, 20, 0);
        assert!(told.contains("20 of 20 episodes finished. Some may lack their grading."));
        let told = stopped(5, 20, 3);
        assert!(told.contains("2 of 20 episodes finished, 3 failed (will be replayed)."));
        assert_eq!(
            paused(9, 20, 9),
            "Paused. 0 of 20 episodes finished, 9 failed (will be replayed)."
        );
        assert_eq!(paused(4, 20, 0), "Paused. 4 of 20 episodes finished.");
    }
}
