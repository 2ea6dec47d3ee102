//! How far a run is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::effect::FailureClass;

/// How far a run is, in counts; times are the driver's business.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Plays planned.
    pub planned: u32,
    /// Plays under way.
    pub under_way: u32,
    /// Plays that are over.
    pub played: u32,
    /// Plays that are over and whose grading is, or that need none.
    pub graded: u32,
    /// Of those, plays whose grader could not be heard: they have no score, and can be graded again.
    #[serde(default)]
    pub unheard: u32,
    /// Plays that ended incomplete; resuming the run takes them up again.
    pub incomplete: u32,
    /// Calls sent out.
    pub sent: u32,
    /// Calls that came back.
    pub answered: u32,
    /// Calls in flight.
    pub flying: u32,
    /// Tokens read and written.
    pub tokens: u64,
    /// Failed calls by class.
    pub failures: BTreeMap<FailureClass, u32>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Doing;
    use super::super::tests::{open, spec};
    use crate::effect::Reply;
    use crate::prompt::Said;

    /// How many plays are over in all, and how many of them have no verdict, where every grader says this.
    fn graded_by(words: &str) -> (u32, u32) {
        let seats = [("player", "bot:asks-by-rule"), ("grader", "model:up/m")];
        let mut run = open(spec(&seats, "answer_only"), BTreeMap::new());
        loop {
            match run.poll() {
                Doing::Call { ticket, .. } => {
                    let reply = Reply::Said(Said::text(words));
                    run.tell(&ticket, reply).expect("it fits");
                }
                Doing::Over => break,
                _ => {}
            }
        }
        let progress = run.progress();
        assert_eq!(progress.graded, progress.planned);
        (progress.graded, progress.unheard)
    }

    #[test]
    fn a_grader_that_cannot_be_heard_gives_no_score() {
        let (all, unheard) = graded_by("maybe");
        assert_eq!(unheard, all);
        assert_eq!(graded_by("no"), (all, 0));
    }
}
