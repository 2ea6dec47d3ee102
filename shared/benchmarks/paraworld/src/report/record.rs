//! What `turnwise metrics --json` prints.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{BINS, Played, Run, SCHEMA, part_interval};
use crate::measure::Agreement;
use crate::metrics::Episode;
use crate::metrics::bins::{self, Sample};
use crate::metrics::curves::{curve, reached_by, saturation, ticks};
use crate::metrics::errors::{Errors, recovery};
use crate::metrics::table::Row;
use crate::reading::judge::JudgeStatus;
use crate::task::{Tier, label};
use turnwise_core::hash::Digest;
use turnwise_core::metrics::summary::SeatUsage;

impl Run<'_> {
    pub(super) fn record(&self) -> Value {
        let profile = self.spec.profile;
        let all = &self.table.all;
        let any = |number: f64| (all.n > 0).then_some(number);
        let mut record = json!({
            "schema": SCHEMA,
            "benchmark": self.spec.benchmark,
            "profile": profile,
            "setting": self.setting,
            "spec_hash": self.spec_hash(),
            "n": all.n + self.unplayed,
            "played": all.n,
            "judged": all.n - all.incomplete,
            "incomplete": self.incomplete(),
            "rankable": self.incomplete() == 0 && all.n > 0,
            "repeats": self.repeats.count,
            "pass_at_1": self.pass_at_1,
            "pass_at_1_std": self.repeats.deviation,
            "pass_at_1_interval": self.intervals.pass_at_1.map(super::ends),
            "pass_at_1_bounds": self.bounds(),
            "fcr": any(all.fcr),
            "fcr_sd": any(all.fcr_sd),
            "fcr_interval": self.intervals.fcr.map(super::ends),
            "fcr_data": all.fcr_data,
            "fcr_rules": all.fcr_rules,
            "hit_rate_macro_callers": all.hit_rate_macro_callers,
            "hit_rate_macro_callers_interval": self.intervals.hit_rate.map(super::ends),
            "hit_rate_macro_zero": any(all.hit_rate_macro_zero),
            "hit_rate_micro": all.hit_rate_micro,
            "tool_calls": any(all.tool_calls),
            "tool_calls_sd": any(all.tool_calls_sd),
            "tool_calls_interval": self.intervals.tool_calls.map(super::ends),
            "zero_call_share": any(all.zero_calls),
            "format_error_rate": any(all.format_error_rate),
            "compound_rate": any(all.compound_rate),
            "engine_fault_rate": any(all.engine_fault_rate),
            "by_tier": self.by_tier(),
            "overall_published": self.table.overall_published,
            "by_status": self.by_status(),
            "stops": self.stops,
            "redundancy": self.stops.redundancy,
            "interval_over": "pairs",
        });
        let more = json!({
            "by_category": self.by_label(label::CATEGORY),
            "by_language": self.by_label(label::LANGUAGE),
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
        if let (Value::Object(record), Value::Object(more)) = (&mut record, more) {
            record.extend(more);
        }
        record
    }

    /// The hash of the spec in which it was played; that of the given one where nothing was.
    fn spec_hash(&self) -> Digest {
        let first = self.played.first();
        first.map_or_else(|| self.spec.digest(), |one| one.summary.spec)
    }

    /// All three tiers, so that whoever reads them finds each.
    fn by_tier(&self) -> Value {
        let empty = Row::default();
        let tiers = Tier::ALL.into_iter().map(|tier| {
            let row = self.table.by_tier.get(&tier).unwrap_or(&empty);
            let there = |number: f64| (row.n > 0).then_some(number);
            let played = self.played.iter().filter(|one| one.numbers.episode.tier() == tier);
            let played: Vec<&Played<'_>> = played.collect();
            let record = json!({
                "n": row.n,
                "pass_at_1": row.pass_at_1,
                "pass_at_1_interval": part_interval(&played, self.spec.profile).map(super::ends),
                "fcr": there(row.fcr),
                "fcr_sd": there(row.fcr_sd),
                "hit_rate": row.hit_rate_macro_callers,
                "tool_calls": there(row.tool_calls),
            });
            (tier.name().to_owned(), record)
        });
        Value::Object(tiers.collect())
    }

    fn by_status(&self) -> Value {
        let parts = self.parts(|one| Some(one.numbers.episode.status.name()));
        self.rows(parts)
    }

    fn by_label(&self, label: &str) -> Value {
        self.rows(self.parts(|one| one.label(label)))
    }

    fn rows(&self, parts: BTreeMap<&str, Vec<&Played<'_>>>) -> Value {
        let row = |(name, played): (&str, Vec<&Played<'_>>)| {
            let row = Row::of(played.iter().map(|one| &one.numbers.episode), self.spec.profile);
            let record = json!({
                "n": row.n,
                "pass_at_1": row.pass_at_1,
                "pass_at_1_interval": part_interval(&played, self.spec.profile).map(super::ends),
                "fcr": row.fcr,
                "hit_rate": row.hit_rate_macro_callers,
                "tool_calls": row.tool_calls,
            });
            (name.to_owned(), record)
        };
        Value::Object(parts.into_iter().map(row).collect())
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
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for one in &self.played {
            let name = match one.numbers.judge {
                Some(JudgeStatus::Success) => "success",
                Some(JudgeStatus::Skipped) => "skipped",
                Some(JudgeStatus::Error) => "error",
                Some(JudgeStatus::Unparsed) => "unparsed",
                None => "none",
            };
            *counts.entry(name).or_default() += 1;
        }
        json!(counts)
    }

    fn errors(&self) -> Value {
        let each: Vec<Errors> = self.played.iter().map(|one| one.numbers.errors).collect();
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
        let mut seats: BTreeMap<&str, SeatUsage> = BTreeMap::new();
        for (seat, usage) in self.played.iter().flat_map(|one| &one.summary.usage) {
            seats.entry(seat).or_default().add(usage);
        }
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
        Value::Object(seats.collect::<Map<_, _>>())
    }
}

/// How far the engine agrees with the rule-based one; nothing where it is that engine, or nobody compared.
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
