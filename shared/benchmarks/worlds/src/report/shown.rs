//! A run's numbers as they are shown, and as a record for programs.

use std::collections::BTreeMap;

use serde_json::json;

use super::{Ended, Run};
use crate::numbers::METRICS;
use crate::record::{At, Stage};
use turnwise_core::metrics::cost::Cost;
use turnwise_core::metrics::report::Breakdown;
use turnwise_core::metrics::spread::ratio;
use turnwise_core::metrics::summary::SeatUsage;
use turnwise_core::prelude::*;
use turnwise_paraworld::task::Tier;

turnwise_core::captions! { "report.toml" }

/// The stages of the yield table, with what each row says.
const STAGES: [Stage; 7] = Stage::ALL;

impl Run {
    pub(super) fn report(&self) -> Report {
        Report {
            breakdowns: vec![
                self.breakdown("domain", |domain, _| domain.to_owned()),
                self.breakdown("level", |_, one| one.level.to_string()),
            ],
            tables: vec![self.yields(), self.rejections(), self.sizes()],
            remarks: self.remarks(),
            ..Report::of(METRICS, self.record())
        }
    }

    /// The share of questions that were accepted; those of one pair are alike.
    fn breakdown(&self, by: &str, part: impl Fn(&str, &Ended) -> String) -> Breakdown {
        let mut parts: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
        for (at, pair) in self.pairs.iter().enumerate() {
            for one in &pair.numbers.questions {
                let part = parts.entry(part(&pair.domain, one)).or_default();
                part.push((at, one.is_accepted()));
            }
        }
        Breakdown::of(by, parts.into_iter().map(|(value, part)| (value, Share::of(part))))
    }

    /// Stages with how many questions reached each; the last row is what the filter leaves.
    fn stages(&self) -> Vec<(&'static str, u32)> {
        let stages = STAGES.iter().map(|stage| (stage.label(), self.reached(*stage)));
        let kept = saturated(self.kept().count());
        stages.chain([("kept", kept)]).collect()
    }

    fn yields(&self) -> Table {
        let stages = self.stages();
        let all = self.reached(Stage::Begun);
        let before = std::iter::once(all).chain(stages.iter().map(|(_, n)| *n));
        let rows = stages.iter().zip(before).map(|((name, n), before)| {
            TableRow::new(*name, *n, [ratio(*n, all), ratio(*n, before)])
        });
        caption("yield").table(rows)
    }

    fn rejections(&self) -> Table {
        let all = self.reached(Stage::Begun);
        caption("rejections").table(self.reasons().into_iter().map(|((stage, reason), n)| {
            TableRow::new(format!("{}: {reason}", stage.label()), n, [ratio(n, all)])
        }))
    }

    fn sizes(&self) -> Table {
        let kept = saturated(self.kept().count());
        let row = |(tier, n): (Tier, u32)| TableRow::new(tier.name(), n, [ratio(n, kept)]);
        caption("sizes").table(self.tiers().into_iter().map(row))
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.incomplete > 0 {
            remarks.push(format!(
                "{} pairs are incomplete and counted in no yield; take the run up again.",
                self.incomplete
            ));
        }
        let edits: u32 = self.questions().map(|one| one.edits).sum();
        if edits > 0 {
            let times = match edits {
                1 => "once".to_owned(),
                edits => format!("{edits} times"),
            };
            remarks.push(format!("The editor changed drafts {times}."));
        }
        remarks.push("The score is the share of questions that were accepted: it says how the makers work, not how good a player is.".to_owned());
        remarks
    }

    fn record(&self) -> serde_json::Value {
        let stages: BTreeMap<_, _> = self.stages().into_iter().collect();
        let mut rejections: BTreeMap<&str, BTreeMap<String, u32>> = BTreeMap::new();
        for ((stage, reason), n) in self.reasons() {
            let stage: At = stage;
            rejections.entry(stage.label()).or_default().insert(reason, n);
        }
        let tiers: BTreeMap<&str, u32> =
            self.tiers().into_iter().map(|(tier, n): (Tier, u32)| (tier.name(), n)).collect();
        let seats: BTreeMap<&String, _> = self
            .spent
            .roles
            .iter()
            .map(|(seat, role)| {
                let numbers = json!({
                    "calls": role.usage.calls,
                    "model_calls": role.usage.model_calls,
                    "tokens_read": role.usage.known(role.usage.input),
                    "tokens_written": role.usage.known(role.usage.output),
                    "dollars": role.amount.exactly().map(Cost::dollars),
                });
                (seat, numbers)
            })
            .collect();
        let whole = self
            .pairs
            .iter()
            .filter(|pair| pair.numbers.accepted() == pair.numbers.questions.len());
        let kept = saturated(self.kept().count());
        let dollars = self.spent.total.exactly().map(Cost::dollars);
        let of_world = dollars.filter(|_| kept > 0);
        let mut used = SeatUsage::default();
        for role in self.spent.roles.values() {
            used.add(&role.usage);
        }
        let questions = self.pairs.iter().enumerate().flat_map(|(at, pair)| {
            pair.numbers.questions.iter().map(move |one| (at, one.is_accepted()))
        });
        let accepted = Share::of(questions);
        json!({
            "pairs": self.pairs.len(),
            "pairs_whole": whole.count(),
            "incomplete": self.incomplete,
            "questions": self.reached(Stage::Begun),
            "accepted": accepted.value,
            "accepted_interval": accepted.interval,
            "calls": used.calls,
            "tokens": used.tokens(),
            "cost_usd": dollars,
            "cost_usd_per_world": of_world.map(|dollars| dollars / f64::from(kept)),
            "yield": stages,
            "rejections": rejections,
            "worlds_per_tier": tiers,
            "seats": seats,
        })
    }
}
