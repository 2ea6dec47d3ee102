//! How far a run is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::call::Timing;
use crate::effect::{FailureClass, Reply};
use crate::prompt::Stop;
use crate::serialised::is_usual;

/// How far a run is, in counts; times are the driver's business.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub planned: u32,
    pub under_way: u32,
    pub played: u32,
    /// Plays that are over and whose grading is, or that need none.
    pub graded: u32,
    /// Of those, plays whose grader could not be heard: they have no score, and can be graded again.
    #[serde(default)]
    pub unheard: u32,
    /// Plays that ended incomplete; resuming the run takes them up again.
    pub incomplete: u32,
    pub sent: u32,
    pub answered: u32,
    pub flying: u32,
    /// Tokens read and written.
    pub tokens: u64,
    pub failures: BTreeMap<FailureClass, u32>,
    /// Why calls failed, and what services said of requests that they refused and then answered otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Calls that failed, or were sent otherwise, for further reasons.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub other_reasons: u32,
}

/// At most this many reasons are kept; of others only the class is counted.
const MOST_REASONS: usize = 32;

/// What a service, or an engine, gave as a reason.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Who said it, e.g. `model:openai/gpt-5` or `search:wiki`.
    pub who: String,
    /// How the call failed, in a sentence, or that it was filtered; absent where it was sent otherwise and answered.
    pub failure: Option<String>,
    /// What the service itself said, if it is known.
    pub words: Option<String>,
    pub times: u32,
}

impl Progress {
    /// Receives what came back from outside, and counts its reason, if there is one.
    pub(super) fn hear(&mut self, who: &str, reply: &Reply, timing: &Timing) {
        let filtered = "the service filtered it".to_owned();
        let failure = match reply {
            // A call that a budget holds back was never sent, and the reason for the pause is given.
            Reply::Failed(failure)
                if !matches!(
                    failure.class,
                    FailureClass::BudgetExhausted | FailureClass::Cancelled
                ) =>
            {
                Some(&failure.message)
            }
            Reply::Failed(_) => return,
            Reply::Said(said) if timing.words.is_some() && said.stop == Stop::Filtered => {
                Some(&filtered)
            }
            _ if timing.words.is_none() => return,
            _ => None,
        };
        // Failures of one kind with different words are different; one without words may be any of its kind.
        let known = self.reasons.iter().position(|reason| {
            let has_words = reason.words.is_some() && timing.words.is_some();
            reason.who == who
                && reason.failure.as_ref() == failure
                && (!has_words || reason.words == timing.words)
        });
        match known {
            Some(place) => {
                let reason = &mut self.reasons[place];
                reason.times = reason.times.saturating_add(1);
                if timing.words.is_some() {
                    reason.words.clone_from(&timing.words);
                }
            }
            None if self.reasons.len() < MOST_REASONS => self.reasons.push(Reason {
                who: who.to_owned(),
                failure: failure.cloned(),
                words: timing.words.clone(),
                times: 1,
            }),
            None => self.other_reasons = self.other_reasons.saturating_add(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use crate::call::Timing;
    use crate::effect::{Failure, FailureClass, Reply};
    use crate::prompt::Said;

    #[test]
    fn what_services_said_is_counted_with_the_reason() {
        let mut progress = Progress::default();
        let said =
            |words: Option<&str>| Timing { words: words.map(str::to_owned), ..Timing::default() };
        let refused = Reply::Failed(Failure::new(FailureClass::Rejected, "refused"));
        progress.hear("a", &refused, &said(None));
        progress.hear("a", &refused, &said(Some("not before noon")));
        progress.hear("a", &refused, &said(Some("not after noon, either")));
        progress.hear("b", &refused, &said(None));
        progress.hear("a", &Reply::Said(Said::text("yes")), &said(None));
        progress.hear("a", &Reply::Said(Said::text("yes")), &said(Some("no top_p")));
        let stopped = Reply::Failed(Failure::new(FailureClass::Cancelled, "stopped"));
        progress.hear("a", &stopped, &said(None));
        let told: Vec<_> = progress
            .reasons
            .iter()
            .map(|reason| {
                (
                    reason.who.as_str(),
                    reason.failure.as_deref(),
                    reason.words.as_deref(),
                    reason.times,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("a", Some("refused"), Some("not before noon"), 2),
                ("a", Some("refused"), Some("not after noon, either"), 1),
                ("b", Some("refused"), None, 1),
                ("a", None, Some("no top_p"), 1),
            ]
        );
        for number in 0..100 {
            let failure = Failure::new(FailureClass::Server, format!("failed {number}"));
            progress.hear("a", &Reply::Failed(failure), &said(None));
        }
        assert_eq!(progress.reasons.len(), super::MOST_REASONS);
        let told: u32 = progress.reasons.iter().map(|reason| reason.times).sum();
        assert_eq!(told + progress.other_reasons, 105, "none is lost");
    }
}
