//! The numbers of a run of the studio: how much is left after each stage and why the rest is not, what it cost, and how many
//! worlds of each size there are. From transcripts and summaries only.

mod shown;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::record::{At, Stage};
use super::settings::{Settings, Unit};
use super::work::event;
use turnwise_core::metrics::spending::{self, Spending};
use turnwise_core::prelude::*;
use turnwise_paraworld::task::Tier;

/// What the numbers need of one pair.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Its questions that came to their end, in order.
    pub questions: Vec<Ended>,
}

impl Numbers {
    pub fn accepted(&self) -> usize {
        let accepted = self.questions.iter().filter(|one| one.is_accepted());
        accepted.count()
    }

    /// The questions that the filter leaves.
    pub fn kept(&self, unit: Unit) -> impl Iterator<Item = &Ended> {
        let passes = unit == Unit::Question || self.accepted() == self.questions.len();
        let accepted = self.questions.iter().filter(|one| one.is_accepted());
        accepted.filter(move |_| passes)
    }
}

/// How one question ended: the event `decision`, as far as it is counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub level: u32,
    pub reached: Stage,
    pub stage: Option<At>,
    /// The class of the reason.
    pub reason: Option<String>,
    /// How many facts its law has.
    pub facts: usize,
    /// How often the editor changed it.
    pub edits: u32,
}

impl Ended {
    fn is_accepted(&self) -> bool {
        self.reached == Stage::Accepted
    }
}

/// Measures one pair: its score is the share of its questions that were accepted.
pub fn measure(play: &Transcript) -> Measured {
    let numbers = Numbers { questions: play.noted(event::DECISION).collect() };
    let (accepted, all) = (numbers.accepted(), numbers.questions.len());
    let complete = play.outcome().is_some_and(|outcome| outcome.is_complete());
    let score = (complete && all > 0).then(|| accepted as f64 / all as f64);
    Measured::of(score, complete.then(|| format!("{accepted} of {all} accepted")), &numbers)
}

/// The numbers of a run. Incomplete pairs are left out and counted.
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    match Settings::of(spec) {
        Ok(settings) => Run::of(spec, settings, episodes, options).report(),
        Err(bad) => Report {
            remarks: vec![format!("The settings cannot be read: {bad}.")],
            ..Report::default()
        },
    }
}

/// Everything that a report is made from.
struct Run {
    unit: Unit,
    pairs: Vec<Pair>,
    incomplete: u32,
    spent: Spending,
}

struct Pair {
    domain: String,
    numbers: Numbers,
}

impl Run {
    fn of(
        spec: &Spec,
        settings: Settings,
        episodes: &[&Summary],
        options: &MeasureOptions,
    ) -> Self {
        let mut run = Run {
            unit: settings.filter,
            pairs: Vec::new(),
            incomplete: 0,
            spent: spending::of(spec, episodes.iter().map(|summary| &summary.usage), options),
        };
        for summary in episodes {
            let numbers = summary.measured.numbers.read();
            match (summary.complete, numbers) {
                (true, Ok(numbers)) => run.pairs.push(Pair {
                    domain: summary.task.labels.get("domain").cloned().unwrap_or_default(),
                    numbers,
                }),
                _ => run.incomplete += 1,
            }
        }
        run
    }

    fn questions(&self) -> impl Iterator<Item = &Ended> {
        self.pairs.iter().flat_map(|pair| &pair.numbers.questions)
    }

    fn kept(&self) -> impl Iterator<Item = &Ended> {
        let unit = self.unit;
        self.pairs.iter().flat_map(move |pair| pair.numbers.kept(unit))
    }

    fn count(&self, counts: impl Fn(&Ended) -> bool) -> u32 {
        saturated(self.questions().filter(|one| counts(one)).count())
    }

    fn reached(&self, stage: Stage) -> u32 {
        self.count(|one| one.reached >= stage)
    }

    /// Rejections by place and reason.
    fn reasons(&self) -> BTreeMap<(At, String), u32> {
        let mut reasons = BTreeMap::new();
        for one in self.questions() {
            if let (Some(stage), Some(reason)) = (one.stage, &one.reason) {
                *reasons.entry((stage, reason.clone())).or_default() += 1;
            }
        }
        reasons
    }

    fn tiers(&self) -> BTreeMap<Tier, u32> {
        let mut tiers = BTreeMap::from(Tier::ALL.map(|tier| (tier, 0)));
        for one in self.kept() {
            *tiers.entry(Tier::of(one.facts)).or_default() += 1;
        }
        tiers
    }
}
