//! Who drives a run, and how it stands.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::CallCount;

use super::run;
use crate::number::fixed;

texts!("driving");

/// How far it is: `failed` of those that ended did not finish.
pub fn so_far(ended: u32, episodes: u32, failed: usize) -> String {
    let finished = u64::from(ended).saturating_sub(failed as u64);
    match run::failed(failed) {
        Some(failed) => format!("{}, {failed}", finished_of(finished, episodes)),
        None => finished_of(finished, episodes),
    }
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
        0 => none_lost(calls.sent),
        lost => some_lost(lost, calls.sent, fixed(100.0 * share, 2)),
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
            paused(so_far(9, 20, 9)),
            "Paused. 0 of 20 episodes finished, 9 failed (will be replayed)."
        );
        assert_eq!(paused(so_far(4, 20, 0)), "Paused. 4 of 20 episodes finished.");
    }
}
