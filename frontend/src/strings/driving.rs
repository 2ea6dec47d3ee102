//! Who drives a run, and how it stands.

use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::RunState;
use turnwise_shared::wire::driving::CallCount;

use crate::view::number::{count, counted, fixed};

/// How a run stands, in a word or two.
pub fn state(state: RunState) -> &'static str {
    match state {
        RunState::Open => "open",
        RunState::Running => "running",
        RunState::Paused => "paused",
        RunState::Idle => "idle",
        RunState::Closed => "complete",
        RunState::Cancelled => "stopped",
        RunState::Withdrawn => "withdrawn",
    }
}
/// It runs in this page.
pub const HERE: &str = "running here";
/// It runs on the server.
pub const ON_SERVER: &str = "running on the server";

/// Another tab of this browser drives it.
pub const OTHER_TAB: &str = "Another tab of this browser drives this run.";
/// What is stored of an episode does not replay.
pub fn drifted(episode: &EpisodeKey, why: &str) -> String {
    format!("The run cannot be taken up: {episode} does not replay ({why}).")
}

/// An episode that cannot be played.
pub fn unfit(episode: &EpisodeKey, problem: &str) -> String {
    format!("{episode} cannot be played under this configuration: {problem}")
}

/// How far it is, as the end of a sentence.
fn so_far(finished: u32, episodes: u32) -> String {
    format!(
        "{} of {} are stored",
        count(u64::from(finished)),
        counted(u64::from(episodes), "episode", "episodes")
    )
}
/// The server drives it.
pub fn on_server(finished: u32, episodes: u32) -> String {
    format!(
        "The server drives this run, and goes on after a restart: {}. Every page may be closed.",
        so_far(finished, episodes)
    )
}
/// Another page drives it.
pub fn elsewhere(finished: u32, episodes: u32) -> String {
    format!(
        "This run is driven elsewhere, in another page: {}. This page looks again every few seconds.",
        so_far(finished, episodes)
    )
}
/// It is paused.
pub fn paused(finished: u32, episodes: u32) -> String {
    format!(
        "This run is paused: {}. It goes on when somebody says so.",
        so_far(finished, episodes)
    )
}
/// Its driver has gone.
pub fn idle(finished: u32, episodes: u32) -> String {
    format!(
        "Nobody drives this run at the moment, because its page was closed or its server stopped: {}. It goes on where its \
         transcripts end, and no answer that came is asked for again.",
        so_far(finished, episodes)
    )
}
/// It was stopped; `incomplete`: how many of its episodes broke off.
pub fn stopped(finished: u32, episodes: u32, incomplete: usize) -> String {
    let missing = match (incomplete, finished >= episodes) {
        (0, true) => ". Some may lack their grading.".to_owned(),
        (0, false) => ".".to_owned(),
        (incomplete, _) => format!(", {} of them incomplete.", count(incomplete as u64)),
    };
    let far = so_far(finished, episodes);
    let goes_on = "Taken up again, it goes on where it stands.";
    format!("This run was stopped: {far}{missing} {goes_on}")
}

/// The button that hands a run to the server.
pub const CONTINUE_ON_SERVER: &str = "Continue on the server";
/// What that means.
pub const CONTINUE_ON_SERVER_MEANS: &str =
    "The server goes on with the run where it stands; this page may be closed then";

/// How many calls nobody knows the answer of.
pub fn lost(calls: &CallCount) -> Option<String> {
    let share = calls.loss()?;
    Some(match calls.lost {
        0 => format!(
            "{} sent, none of them lost.",
            counted(calls.sent, "call was", "calls were")
        ),
        lost => format!(
            "{} of {} lost ({} %): the server stopped before the answer was written down. They were sent again, and may be \
             paid for twice.",
            count(lost),
            counted(
                calls.sent,
                "call that was sent is",
                "calls that were sent are"
            ),
            fixed(100.0 * share, 2)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_run_says_what_is_missing() {
        let told = stopped(20, 20, 0);
        assert!(told.contains("20 of 20 episodes are stored. Some may lack their grading."));
        let told = stopped(5, 20, 3);
        assert!(told.contains("5 of 20 episodes are stored, 3 of them incomplete."));
    }
}
