//! What a run came to in a sentence: how many episodes are right, and why the others are not.

use std::collections::BTreeMap;

use super::natural::natural;
use super::turn::words;
use crate::effect::FailureClass;
use crate::episode::Outcome;
use crate::key::EpisodeKey;
use crate::markup::Markup;
use crate::metrics::episode_status::EpisodeStatus;
use crate::metrics::format::is_of_form;
use crate::metrics::number::{count, counted, shown};
use crate::metrics::places::{self, Known, independent};
use crate::metrics::report::{Ranking, Unit};
use crate::metrics::summary::Summary;
use crate::note::TurnKind;

/// From this share of the loss on, replies that could not be read come first in the sentence.
const MUCH: f64 = 0.1;

/// At least this many equal wrong answers, if they are also half of all, are reported.
const SAME: u32 = 3;

/// What became of a conversation that has no answer.
const OUTGROWN: &str = "outgrew_the_context_window";

crate::choices! {
    /// Why an episode is not right.
    pub enum Cause {
        /// It ended because replies could not be read as actions.
        Unreadable = "unreadable" => "Unreadable reply",
        /// It was answered, and the answer is wrong.
        Wrong = "wrong" => "Wrong answer",
        /// It was answered, and the answer is partly right.
        Partial = "partial" => "Partly right",
        /// It ended by its rules, without an answer.
        NoAnswer = "no-answer" => "No answer",
        /// It ended by its rules, and was not graded.
        Ungraded = "ungraded" => "Not graded",
        /// It did not finish, because a service failed.
        Provider = "provider" => "Provider failed",
        /// It did not finish, because a budget was used up.
        Budget = "budget" => "Budget used up",
        /// It did not finish, because the run was ended.
        Stopped = "stopped" => "Stopped",
    }
}

impl Cause {
    /// Why an episode is not right; `None` for one that is, is under way, or cannot be right or wrong.
    pub fn of(summary: &Summary) -> Option<Self> {
        let has_answer =
            || summary.measured.answer.as_ref().is_some_and(|answer| !answer.trim().is_empty());
        match EpisodeStatus::of(summary) {
            EpisodeStatus::Correct | EpisodeStatus::Played | EpisodeStatus::Live => None,
            EpisodeStatus::Partial => Some(Cause::Partial),
            EpisodeStatus::Ungraded => Some(Cause::Ungraded),
            EpisodeStatus::Wrong if has_answer() => Some(Cause::Wrong),
            EpisodeStatus::Wrong if ends_unread(summary) => Some(Cause::Unreadable),
            EpisodeStatus::Wrong => Some(Cause::NoAnswer),
            EpisodeStatus::Incomplete => {
                let classes = || summary.failures.keys().copied();
                Some(if classes().any(|class| class == FailureClass::BudgetExhausted) {
                    Cause::Budget
                } else if classes().any(|class| class != FailureClass::Cancelled) {
                    Cause::Provider
                } else {
                    Cause::Stopped
                })
            }
        }
    }

    /// This many episodes in a sentence, with what happened in most of them.
    fn told(self, episodes: u32, detail: Option<&str>) -> String {
        let episodes = u64::from(episodes);
        let detail = detail.map_or_else(String::new, |detail| format!(" ({detail})"));
        let unfinished = |why: &str| format!("{} not finished: {why}{detail}", count(episodes));
        match self {
            Cause::Unreadable => {
                format!("{} ended by replies that could not be read{detail}", count(episodes))
            }
            Cause::Wrong => {
                let answers = counted(episodes, "wrong answer", "wrong answers");
                format!("{answers}{detail}")
            }
            Cause::Partial => format!("{} partly right", count(episodes)),
            Cause::NoAnswer => format!("{} without an answer{detail}", count(episodes)),
            Cause::Ungraded => format!("{} not graded", count(episodes)),
            Cause::Provider => unfinished("the provider failed"),
            Cause::Budget => unfinished("the budget was used up"),
            Cause::Stopped => unfinished("stopped"),
        }
    }
}

/// Whether the last turn was a reply that could not be read.
fn ends_unread(summary: &Summary) -> bool {
    let last = summary.ribbon.last();
    last.is_some_and(|cell| match &cell.fault {
        Some(fault) => is_of_form(fault),
        None => cell.kind == TurnKind::Invalid,
    })
}

/// Episodes with the same cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    pub episodes: u32,
    pub example: EpisodeKey,
    /// How many of them are the first repeat of their task and have a wrong answer.
    tasks: u32,
    /// In how many of them a fault or a failure of a class occurred, or an answer was given.
    classes: BTreeMap<String, u32>,
}

impl Tally {
    /// The class that occurred in most of them; of several that occurred as often, the first by name.
    fn most(&self) -> Option<(&str, u32)> {
        let mut most: Option<(&str, u32)> = None;
        for (class, episodes) in &self.classes {
            if most.is_none_or(|(_, before)| *episodes > before) {
                most = Some((class, *episodes));
            }
        }
        most
    }

    /// What most of them have in common, in words; of wrong answers, that they are the same.
    pub fn detail(&self, cause: Cause) -> Option<String> {
        let (class, episodes) = self.most()?;
        match cause {
            Cause::Wrong if episodes < SAME || episodes * 2 < self.tasks => None,
            Cause::Wrong if episodes == self.tasks => Some("all the same".to_owned()),
            Cause::Wrong => Some(format!("the same for {} tasks", count(episodes))),
            _ => Some(words(class)),
        }
    }
}

/// Why the episodes of a run are not right, counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Causes {
    /// Episodes that have ended or were broken off.
    pub ended: u32,
    pub right: u32,
    /// Episodes of games, which are neither right nor wrong.
    pub played: u32,
    tallies: BTreeMap<Cause, Tally>,
    /// 1 minus the score, over all scored episodes.
    loss: f64,
    /// The same over those that ended because replies could not be read.
    loss_unread: f64,
}

impl Causes {
    pub fn of<'a>(all: impl IntoIterator<Item = (&'a EpisodeKey, &'a Summary)>) -> Self {
        let mut causes = Causes::default();
        for (key, summary) in all {
            causes.add(key, summary);
        }
        causes
    }

    pub fn add(&mut self, key: &EpisodeKey, summary: &Summary) {
        if summary.ending.is_none() {
            return;
        }
        self.ended += 1;
        let cause = Cause::of(summary);
        let lost = summary.score.filter(|_| summary.complete).map_or(0.0, |score| 1.0 - score);
        self.loss += lost;
        let Some(cause) = cause else {
            match EpisodeStatus::of(summary) {
                EpisodeStatus::Played => self.played += 1,
                _ => self.right += 1,
            }
            return;
        };
        let tally = self.tallies.entry(cause).or_insert_with(|| Tally {
            episodes: 0,
            tasks: 0,
            example: key.clone(),
            classes: BTreeMap::new(),
        });
        tally.episodes += 1;
        // Episodes end in any order; the example is the first in the order of lists.
        if natural(&key.to_string(), &tally.example.to_string()).is_lt() {
            tally.example = key.clone();
        }
        match cause {
            // Another repeat of a task has its answer again.
            Cause::Wrong if summary.repeat > 1 => {}
            Cause::Wrong => {
                tally.tasks += 1;
                let answer = summary.measured.answer.as_deref().unwrap_or_default();
                let answer = answer.trim().to_lowercase();
                *tally.classes.entry(answer).or_default() += 1;
            }
            Cause::Unreadable => {
                self.loss_unread += lost;
                for class in summary.faults.keys().filter(|class| is_of_form(class)) {
                    *tally.classes.entry(class.clone()).or_default() += 1;
                }
            }
            Cause::NoAnswer if summary.ending.as_deref() == Some(Outcome::CONTEXT) => {
                *tally.classes.entry(OUTGROWN.to_owned()).or_default() += 1;
            }
            Cause::Provider => {
                for class in summary.failures.keys() {
                    *tally.classes.entry(class.to_string()).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    /// Episodes that are not right, by why, the most frequent first.
    pub fn tallies(&self) -> Vec<(Cause, &Tally)> {
        let mut all: Vec<_> = self.tallies.iter().map(|(cause, tally)| (*cause, tally)).collect();
        all.sort_by_key(|(cause, tally)| (std::cmp::Reverse(tally.episodes), *cause));
        all
    }

    /// The share of the loss that falls on episodes which ended because replies could not be read, where it is large.
    pub fn much_unread(&self) -> Option<f64> {
        (self.loss > 0.0).then(|| self.loss_unread / self.loss).filter(|share| *share > MUCH)
    }

    /// Writes the sentence: how many are right, and why the rest is not. `run` is the address of the run's page.
    pub fn write(&self, out: &mut Markup, run: &str) {
        let scored = self.ended - self.played;
        if scored == 0 {
            return;
        }
        let warns = self.much_unread().is_some();
        out.open_with("p", &[("class", if warns { "why is-bad" } else { "why" }), ("id", "why")]);
        let all = counted(scored, "episode", "episodes");
        let count_of = |causes: &[Cause]| -> u32 {
            let tallies = causes.iter().filter_map(|cause| self.tallies.get(cause));
            tallies.map(|tally| tally.episodes).sum()
        };
        let unfinished = count_of(&[Cause::Provider, Cause::Budget, Cause::Stopped]);
        // Where scores are points, nothing has failed.
        let are_points = count_of(&[Cause::Partial]) == scored;
        out.inline(
            "b",
            &[],
            &match self.right {
                0 if unfinished == scored => "No episode has finished.".to_owned(),
                0 if are_points => format!("{all}, none with the full score."),
                1 if scored == 1 => "The episode is right.".to_owned(),
                right if right == scored => format!("All {all} right."),
                right => format!("{} of {all} right.", count(right)),
            },
        );
        let mut rest = if are_points { Vec::new() } else { self.tallies() };
        if warns && let Some(at) = rest.iter().position(|(cause, _)| *cause == Cause::Unreadable) {
            let (cause, tally) = rest.remove(at);
            let (episodes, class) = (tally.episodes, tally.detail(cause));
            let who = match episodes == scored {
                true => format!("All {}", count(episodes)),
                false => format!("{} of {}", count(episodes), count(scored)),
            };
            let class = class.map_or_else(String::new, |class| format!(" ({class})"));
            out.text(" ");
            out.inline(
                "strong",
                &[],
                &format!("{who} ended because replies could not be read as actions{class}."),
            );
            out.text(" ");
            example(out, run, cause, tally);
        }
        if !rest.is_empty() {
            out.text(match (warns, unfinished == scored) {
                (true, _) => " Others: ",
                (false, true) => " Why: ",
                (false, false) => " Why the rest failed: ",
            });
            for (at, (cause, tally)) in rest.iter().enumerate() {
                if at > 0 {
                    out.text(", ");
                }
                let href = format!("{run}?cause={}", cause.name());
                out.inline(
                    "a",
                    &[("href", &href)],
                    &cause.told(tally.episodes, tally.detail(*cause).as_deref()),
                );
            }
            out.text(". ");
            if !warns && let Some((cause, tally)) = rest.first() {
                example(out, run, *cause, tally);
            }
        }
        out.close("p");
    }
}

fn example(out: &mut Markup, run: &str, cause: Cause, tally: &Tally) {
    let query = cause.name();
    let href = format!("{run}/{}?cause={query}", tally.example);
    out.inline("a", &[("class", "why-example"), ("href", &href)], "See one");
}

/// Writes who leads and by how much.
pub fn leader(out: &mut Markup, ranking: &Ranking) {
    let Some(first) = ranking.rows.first() else {
        return;
    };
    let number = |value, interval| {
        let number = shown(value, interval, ranking.value.unit);
        let sign = match ranking.value.unit {
            Unit::Number | Unit::Chips if value.is_some_and(|value| value > 0.0) => "+",
            _ => "",
        };
        format!("{sign}{}", number.value.trim_start_matches('+'))
    };
    out.open_with("p", &[("class", "why"), ("id", "why")]);
    out.inline(
        "b",
        &[],
        &match first.value {
            Some(_) => format!(
                "1st {} {} {}",
                first.name,
                number(first.value, first.interval),
                ranking.value.label
            ),
            None => format!("No ranking yet: {} has no number", first.name),
        },
    );
    if let Some(second) =
        ranking.rows.get(1).filter(|row| first.value.is_some() && row.value.is_some())
    {
        out.text(&format!(", 2nd {} {}", second.name, number(second.value, second.interval)));
        out.text(&match is_alone_ahead(ranking) {
            true => " (ahead of everybody else).".to_owned(),
            false => {
                format!(" (cannot be told apart yet: n = {}).", count(first.n.min(second.n)))
            }
        });
    }
    out.close("p");
}

/// Whether the first of a ranking is told apart from all others, as a board tells its rows apart. All sat at one table: what one of k
/// wins others lose, so the variance of a difference is k / (k - 1) times that of numbers that do not depend on each other.
fn is_alone_ahead(ranking: &Ranking) -> bool {
    let numbers: Vec<Known> = ranking
        .rows
        .iter()
        .filter_map(|row| {
            let interval = row.interval.filter(|(low, high)| low < high);
            Some(Known::of(row.value?, interval))
        })
        .collect();
    let k = numbers.len() as f64;
    let variance = independent(&numbers);
    let places = places::places(&numbers, |one, other| variance(one, other) * k / (k - 1.0));
    places.first().is_some_and(|(_, worst)| *worst == 1)
}

#[cfg(test)]
mod tests;
