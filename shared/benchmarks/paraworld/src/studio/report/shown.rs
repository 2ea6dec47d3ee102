//! A run's numbers as they are shown, and as a record for programs.

use std::collections::BTreeMap;

use serde_json::json;

use super::{Ended, Run, SCHEMA, number};
use crate::studio::numbers::METRICS;
use crate::studio::record::{At, Stage};
use crate::task::Tier;
use turnwise_core::metrics::cost::Cost;
use turnwise_core::metrics::proportion::{Cluster, Interval, clustered};
use turnwise_core::metrics::report::{
    Breakdown, BreakdownRow, Column, Report, Table, TableRow, Unit,
};
use turnwise_core::metrics::summary::SeatUsage;

/// The stages of the yield table, with what each row says.
const STAGES: [Stage; 7] = Stage::ALL;

impl Run {
    pub(super) fn report(&self) -> Report {
        let record = self.record();
        Report {
            headline: METRICS[0].figures(&record),
            breakdowns: vec![
                self.breakdown("domain", |domain, _| domain.to_owned()),
                self.breakdown("level", |_, one| one.level.to_string()),
            ],
            tables: vec![self.yields(), self.rejections(), self.sizes()],
            remarks: self.remarks(),
            record,
            ..Report::default()
        }
    }

    fn share(&self, counts: impl Fn(&Ended) -> bool) -> (Option<f64>, Option<(f64, f64)>) {
        let clusters = self.pairs.iter().map(|pair| {
            let questions = &pair.numbers.questions;
            Cluster {
                successes: questions.iter().filter(|one| counts(one)).count() as u64,
                n: questions.len() as u64,
            }
        });
        of_clusters(&clusters.collect::<Vec<_>>())
    }

    fn breakdown(&self, by: &str, part: impl Fn(&str, &Ended) -> String) -> Breakdown {
        let mut parts: BTreeMap<String, Vec<Cluster>> = BTreeMap::new();
        for pair in &self.pairs {
            let mut of_pair: BTreeMap<String, Cluster> = BTreeMap::new();
            for one in &pair.numbers.questions {
                let cluster = of_pair
                    .entry(part(&pair.domain, one))
                    .or_insert(Cluster { successes: 0, n: 0 });
                cluster.n += 1;
                cluster.successes += u64::from(one.is_accepted());
            }
            for (value, cluster) in of_pair {
                parts.entry(value).or_default().push(cluster);
            }
        }
        let rows = parts.into_iter().map(|(value, clusters)| {
            let (score, interval) = of_clusters(&clusters);
            let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
            BreakdownRow { value, n: u32::try_from(n).unwrap_or(u32::MAX), score, interval }
        });
        Breakdown { by: by.to_owned(), rows: rows.collect() }
    }

    /// Stages with how many questions reached each; the last row is what the filter leaves.
    fn stages(&self) -> Vec<(&'static str, u32)> {
        let stages = STAGES.iter().map(|stage| (stage.name(), self.reached(*stage)));
        let kept = number(self.kept().count());
        stages.chain([("kept", kept)]).collect()
    }

    fn yields(&self) -> Table {
        let stages = self.stages();
        let all = self.reached(Stage::Begun);
        let before = std::iter::once(all).chain(stages.iter().map(|(_, n)| *n));
        let rows = stages.iter().zip(before).map(|((name, n), before)| TableRow {
            name: (*name).to_owned(),
            n: *n,
            cells: vec![share(*n, all), share(*n, before)],
        });
        Table {
            title: "Yield".to_owned(),
            about: "How many questions came through each stage; kept is what the filter leaves."
                .to_owned(),
            by: "stage".to_owned(),
            columns: vec![
                Column::new("Of all", Unit::Fraction, "of those that were begun"),
                Column::new(
                    "Of the stage before",
                    Unit::Fraction,
                    "of those that came to the stage before",
                ),
            ],
            rows: rows.collect(),
        }
    }

    fn rejections(&self) -> Table {
        let all = self.reached(Stage::Begun);
        let rows = self.reasons().into_iter().map(|((stage, reason), n)| TableRow {
            name: format!("{}: {reason}", stage.name()),
            n,
            cells: vec![share(n, all)],
        });
        Table {
            title: "Rejections".to_owned(),
            about: "Where questions were rejected, and why.".to_owned(),
            by: "reason".to_owned(),
            columns: vec![Column::new("Of all", Unit::Fraction, "of those that were begun")],
            rows: rows.collect(),
        }
    }

    fn sizes(&self) -> Table {
        let kept = number(self.kept().count());
        let rows = self.tiers().into_iter().map(|(tier, n)| TableRow {
            name: tier.name().to_owned(),
            n,
            cells: vec![share(n, kept)],
        });
        Table {
            title: "Worlds by tier".to_owned(),
            about: "Easy: up to 5 facts; mid: 6 to 10; hard: 11 and more.".to_owned(),
            by: "tier".to_owned(),
            columns: vec![Column::new("Share", Unit::Fraction, "of the worlds that are left")],
            rows: rows.collect(),
        }
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
            rejections.entry(stage.name()).or_default().insert(reason, n);
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
        let kept = number(self.kept().count());
        let dollars = self.spent.total.exactly().map(Cost::dollars);
        let of_world = dollars.filter(|_| kept > 0);
        let mut used = SeatUsage::default();
        for role in self.spent.roles.values() {
            used.add(&role.usage);
        }
        let (accepted, accepted_interval) = self.share(Ended::is_accepted);
        json!({
            "schema": SCHEMA,
            "pairs": self.pairs.len(),
            "pairs_whole": whole.count(),
            "incomplete": self.incomplete,
            "questions": self.reached(Stage::Begun),
            "accepted": accepted,
            "accepted_interval": accepted_interval,
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

fn of_clusters(clusters: &[Cluster]) -> (Option<f64>, Option<(f64, f64)>) {
    let n: u64 = clusters.iter().map(|cluster| cluster.n).sum();
    let successes: u64 = clusters.iter().map(|cluster| cluster.successes).sum();
    let interval = clustered(clusters).map(|Interval { low, high }| (low, high));
    ((n > 0).then(|| successes as f64 / n as f64), interval)
}

fn share(part: u32, all: u32) -> Option<f64> {
    (all > 0).then(|| f64::from(part) / f64::from(all))
}
