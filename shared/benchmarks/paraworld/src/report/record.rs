//! What `turnwise metrics --json` prints.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{BINS, Play, Run, Scored, passes};
use crate::measure::Agreement;
use crate::metrics::Episode;
use crate::metrics::bins::{self, Sample};
use crate::metrics::curves::{curve, reached_by, saturation, ticks};
use crate::metrics::errors::{Errors, recovery};
use crate::reading::judge::JudgeStatus;
use crate::task::{Tier, label};
use turnwise_core::metrics::scored::extended;
use turnwise_core::metrics::summary::usage;
use turnwise_core::prelude::*;

impl Run<'_> {
    pub(super) fn record(&self) -> Value {
        let profile = self.spec.profile;
        let all = &self.table.all;
        let [pass, fcr, hit_rate, tool_calls] = self.intervals;
        let mut numbers = json!(all);
        for number in numbers.as_object_mut().into_iter().flatten().map(|(_, number)| number) {
            if all.n == 0 {
                *number = Value::Null;
            }
        }
        let repeats = self.played.parts(|one| passes(one, profile).map(|_| one.summary.repeat));
        let record = json!({
            "setting": self.setting,
            "spec_hash": self.spec_hash(),
            "n": all.n + self.unplayed,
            "played": all.n,
            "judged": all.n - all.incomplete,
            "incomplete": self.incomplete(),
            "rankable": self.incomplete() == 0 && all.n > 0,
            "repeats": repeats.len(),
            "pass_at_1": self.pass_at_1,
            "pass_at_1_std": self.repeats.and_then(|spread| spread.deviation),
            "pass_at_1_interval": pass,
            "pass_at_1_bounds": self.bounds(),
            "fcr_interval": fcr,
            "hit_rate_macro_callers_interval": hit_rate,
            "tool_calls_interval": tool_calls,
            "by_tier": self.tiers(),
            "overall_published": self.table.overall_published,
            "by_status": self.rows(self.by_status()),
            "stops": self.stops,
            "redundancy": self.stops.redundancy,
            "interval_over": "pairs",
            "format": self.format_record(),
        });
        let more = json!({
            "by_category": self.rows(self.by_label(label::CATEGORY)),
            "by_language": self.rows(self.by_label(label::LANGUAGE)),
            "engine_agreement": agreement(self.agreement),
            "judge": self.judged(),
            "errors": self.errors(),
            "curve": curve(&self.series, 1),
            "reached": {
                "200": reached_by(&self.series, 200),
                "100": reached_by(&self.series, 100),
                "50": reached_by(&self.series, 50),
            },
            "ticks": ticks(&self.series, 2),
            "saturation": saturation(&ticks(&self.series, 2)),
            "fcr_bins": bins::by_quantile(&self.samples, BINS),
            "fcr_pass_correlation": self.correlation(),
            "by_calls": bins::by_calls(&self.episodes, profile),
            "by_turns": bins::by_turns(&self.episodes, profile),
            "by_coverage": bins::by_coverage(&self.episodes, profile),
            "usage": self.usage(),
        });
        extended(extended(numbers, record), more)
    }

    /// The hash of the spec in which it was played; that of the given one where nothing was.
    fn spec_hash(&self) -> Digest {
        let first = self.played.plays.first();
        first.map_or_else(|| self.spec.digest(), |one| one.summary.spec)
    }

    /// All three tiers, so that readers of the record find each.
    fn tiers(&self) -> Value {
        let mut parts = self.by_tier();
        let tiers = Tier::ALL.into_iter().map(|tier| {
            let part = parts.remove(&tier).unwrap_or_default();
            let mut record = self.part(&part);
            let row = self.row(&part);
            record["fcr_sd"] = json!((row.n > 0).then_some(row.fcr_sd));
            (tier.name().to_owned(), record)
        });
        Value::Object(tiers.collect())
    }

    fn rows(&self, parts: BTreeMap<&str, Scored<'_>>) -> Value {
        let parts = parts.into_iter().map(|(name, part)| (name.to_owned(), self.part(&part)));
        Value::Object(parts.collect())
    }

    fn part(&self, part: &Scored<'_>) -> Value {
        let (row, pass) = (self.row(part), self.pass(part));
        let there = |number: f64| (row.n > 0).then_some(number);
        json!({
            "n": row.n,
            "pass_at_1": pass.value,
            "pass_at_1_interval": pass.interval,
            "fcr": there(row.fcr),
            "hit_rate": row.hit_rate_macro_callers,
            "tool_calls": there(row.tool_calls),
        })
    }

    /// Of coverage and right answers. Coverages above 1, which only `reference` has, count here, as in the authors' code.
    fn correlation(&self) -> Option<f64> {
        let sample = |episode: &Episode| {
            Some(Sample { fcr: episode.fcr(self.spec.profile), pass: episode.verdict?.score() })
        };
        let samples: Vec<Sample> = self.episodes.iter().filter_map(sample).collect();
        bins::correlation(&samples)
    }

    fn judged(&self) -> Value {
        let name = |one: &Play<'_>| match one.numbers.judge {
            Some(JudgeStatus::Success) => "success",
            Some(JudgeStatus::Skipped) => "skipped",
            Some(JudgeStatus::Error) => "error",
            Some(JudgeStatus::Unparsed) => "unparsed",
            None => "none",
        };
        json!(self.played.counts(|one| [(name(one), &1)]))
    }

    fn errors(&self) -> Value {
        let each: Vec<Errors> = self.played.plays.iter().map(|one| one.numbers.errors).collect();
        let sum = |count: fn(&Errors) -> u32| each.iter().map(count).sum::<u32>();
        json!({
            "tool_calls": sum(|one| one.tool_calls),
            "valid_calls": sum(|one| one.valid_calls),
            "format_errors": sum(|one| one.format_errors),
            "engine_parse_errors": sum(|one| one.engine_parse_errors),
            "engine_call_errors": sum(|one| one.engine_call_errors),
            "answered": sum(|one| u32::from(one.success)),
            "recovery": recovery(&each),
        })
    }

    /// Calls and tokens by seat.
    fn usage(&self) -> Value {
        let seats = usage(self.played.plays.iter().map(|one| one.summary));
        let seats = seats.into_iter().map(|(seat, usage)| {
            let record = json!({
                "calls": usage.calls,
                "model_calls": usage.model_calls,
                "tokens_read": usage.known(usage.input),
                "tokens_cached": usage.known(usage.cached),
                "tokens_written": usage.known(usage.output),
            });
            (seat.to_owned(), record)
        });
        Value::Object(seats.collect())
    }
}

/// How far the engine agrees with the rule-based one; nothing where it is that engine, or no comparison was made.
fn agreement(found: Agreement) -> Value {
    if found.is_nothing() {
        return Value::Null;
    }
    let share = |part: u32| f64::from(part) / f64::from(found.compared);
    json!({
        "compared": found.compared,
        "same_class": share(found.same_class),
        "same": share(found.same),
    })
}
