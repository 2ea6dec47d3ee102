//! When a player stops (specification 8.9).

use serde::{Deserialize, Serialize};

use super::{Episode, mean, share};
use turnwise_core::prelude::*;

/// How well a player chose when to stop. Every share is `None` where there is nothing of which it is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stops {
    pub answered: u32,
    /// Mean coverage when the answer was given.
    pub fcr_at_answer: Option<f64>,
    /// Share of answers that came before all facts were found and before 80 % of the turns were used.
    pub premature: Option<f64>,
    /// Share of right answers with less than half of the facts: a guess or a leak.
    pub correct_without_coverage: Option<f64>,
    /// Share of wrong answers among those with all facts: what was found was not put together.
    pub wrong_with_full_coverage: Option<f64>,
    /// Mean number of calls by found facts, over episodes with calls.
    pub redundancy: Option<f64>,
}

impl Stops {
    /// Of some episodes. Where the allowed turns are not known, every early answer counts as premature.
    pub fn of(episodes: &[Episode], profile: Profile) -> Self {
        let answers: Vec<(&Episode, f64)> = episodes
            .iter()
            .filter(|episode| episode.answered)
            .map(|episode| (episode, episode.fcr(profile)))
            .collect();
        let among = |whole: &dyn Fn(&Episode, f64) -> bool,
                     part: &dyn Fn(&Episode, f64) -> bool| {
            let there: Vec<_> = answers.iter().filter(|(one, fcr)| whole(one, *fcr)).collect();
            let part = there.iter().filter(|(one, fcr)| part(one, *fcr)).count();
            share(part as u32, there.len() as u32)
        };
        let early = |episode: &Episode| {
            episode.max_turns == 0
                || u64::from(episode.turns) * 5 < u64::from(episode.max_turns) * 4
        };
        let called = episodes.iter().filter(|episode| episode.tool_calls(profile) > 0);
        Stops {
            answered: answers.len() as u32,
            fcr_at_answer: mean(answers.iter().map(|(_, fcr)| *fcr)),
            premature: among(&|_, _| true, &|episode, fcr| fcr < 1.0 && early(episode)),
            correct_without_coverage: among(&|episode, _| episode.is_correct(), &|_, fcr| {
                fcr < 0.5
            }),
            wrong_with_full_coverage: among(
                &|episode, fcr| fcr >= 1.0 && episode.verdict.is_some(),
                &|episode, _| !episode.is_correct(),
            ),
            redundancy: mean(called.map(|episode| episode.redundancy(profile))),
        }
    }
}
