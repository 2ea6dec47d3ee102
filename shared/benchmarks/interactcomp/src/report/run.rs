//! The numbers of a run, from the summaries of its episodes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calibration::Calibration;
use super::remarks::remarks;
use super::{Play, Scored, detail};
use crate::grading::GRADER_FAILED;
use crate::interaction::Interaction;
use crate::memory::Counts;
use crate::numbers::{DEVIATION, METRICS};
use crate::protocol::ending;
use turnwise_core::metrics::calibration::{Confidence, Scale, look_like_fractions};
use turnwise_core::metrics::cost::{Cost, ReferenceCost, reference_cost, reference_price};
use turnwise_core::metrics::format;
use turnwise_core::metrics::report::Breakdown;
use turnwise_core::metrics::scored::extended;
use turnwise_core::metrics::spread::{Rounding, ratio};
use turnwise_core::metrics::summary::usage;
use turnwise_core::prelude::*;

/// The numbers of a run. Rates are fractions (ARCHITECTURE.md, rule 29).
///
/// `n` counts every episode that is given. Plays that are incomplete, and those whose grader failed, have no score: accuracy
/// is then taken over the others, and bounds say what it could be if all of them were wrong or right.
pub fn report(spec: &Spec, scored: &Scored<'_>, options: &MeasureOptions) -> Report {
    let calibration = Calibration::of(scored, spec.profile, options.confidences);
    let interaction = interaction(scored);
    let reference_cost = costs_by_reference(scored);
    let loss = detail::format_loss(scored);
    let of_label = |label: &'static str| {
        breakdown(label, scored.parts(|play| play.right().and(play.label(label))))
    };
    let breakdowns = vec![
        of_label("domain"),
        of_label("language"),
        detail::by_asks(scored),
        detail::by_length(scored),
    ];
    let repeats = scored.repeats(options.rounding);
    let more = json!({
        "mode": spec.settings.get("mode"),
        "accuracy": repeats.map(|spread| spread.mean),
        "accuracy_std": repeats.and_then(|spread| spread.deviation),
        "calibration_error": calibration.left_closed,
        "calibration_error_right_closed": calibration.right_closed,
        "calibration_error_equal_count": calibration.equal_count,
        "calibration_n": calibration.n,
        "confidence_flags": calibration.flags,
        "confidence_odd": calibration.flags.values().sum::<u32>(),
        "confidence_scale": options.confidences,
        "round": interaction.map(|found| found.round),
        "ir_micro": interaction.and_then(|found| found.ir_micro),
        "ir_macro": interaction.and_then(|found| found.ir_macro),
        "iround": interaction.map(|found| found.iround),
        "cost_usd_reference": reference_cost.map(|cost| cost.total),
        "cost_usd_reference_average": reference_cost.map(|cost| cost.average),
        "by_domain": by(&breakdowns[0]),
        "by_language": by(&breakdowns[1]),
        "by_asks": by(&breakdowns[2]),
        "by_length": by(&breakdowns[3]),
        "format": format::record(loss.as_ref()),
        "outcomes": scored.counts(|play| [(outcome(play), &1)]),
        "rates": rates(scored),
        "faults": scored.counts(|play| &play.summary.faults),
        "flags": scored.counts(|play| &play.summary.flags),
        "usage": usage(scored.plays.iter().map(|play| play.summary)),
    });
    let mut report = Report {
        remarks: remarks(scored, &calibration, options.confidences),
        reliability: calibration.bins,
        breakdowns,
        ..Report::of(METRICS, extended(scored.record(), more))
    };
    report.headline.retain(|figure| figure.key != DEVIATION.key || figure.value.is_some());
    report
}

/// What an episode says of its confidence.
pub(super) fn confidence(play: &Play<'_>, scale: Scale) -> Confidence {
    Confidence::read(play.numbers.confidence.as_deref()).on(scale)
}

fn outcome<'b>(play: &'b Play<'_>) -> &'b str {
    let grading = play.numbers.grading.as_deref();
    grading.filter(|grading| *grading == GRADER_FAILED).unwrap_or(play.ending())
}

/// Whether an episode has counts: errors and incomplete plays have none (specification 7.3).
pub(super) fn has_counts(play: &Summary) -> bool {
    play.complete && play.ending.as_deref() != Some(ending::ERROR)
}

/// Whether the confidences that plays state look like fractions.
pub(super) fn states_fractions(scored: &Scored<'_>) -> bool {
    let stated: Vec<Confidence> =
        scored.plays.iter().map(|play| confidence(play, Scale::Percent)).collect();
    look_like_fractions(&stated)
}

/// Over plays that have counts.
fn interaction(scored: &Scored<'_>) -> Option<Interaction> {
    let plays = scored.plays.iter().filter(|play| has_counts(play.summary));
    let counts: Vec<Counts> = plays
        .map(|play| Counts {
            answer: play.numbers.answers,
            search: play.numbers.searches,
            ask: play.numbers.asks,
            invalid: play.numbers.invalid,
        })
        .collect();
    Interaction::of(&counts)
}

/// What the reference code calls the cost of its player, by its price table (specification 7.4); absent where no model played. A
/// model that is not in its table costs nothing there. Imported plays have it as it stood in the file, and each repeat is a file.
fn costs_by_reference(scored: &Scored<'_>) -> Option<ReferenceCost> {
    let mut files: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for play in &scored.plays {
        if let Some(cost) = play.numbers.cost_so_far {
            files.entry(play.summary.repeat).or_default().push(cost);
        }
    }
    let of = |total: f64| ReferenceCost { total, average: total / f64::from(scored.n()) };
    if !files.is_empty() {
        let totals = files.values().filter_map(|costs| reference_cost(costs));
        return Some(of(totals.map(|file| file.total).sum()));
    }
    let calls: Vec<Cost> = scored
        .plays
        .iter()
        .filter_map(|play| play.summary.usage.get(Seat::PLAYER))
        .filter_map(|usage| {
            Some(reference_price(usage.model.as_deref()?).of(usage.input, usage.output))
        })
        .collect();
    (!calls.is_empty()).then(|| of(calls.into_iter().sum::<Cost>().dollars()))
}

/// Accuracy of parts, in their order: the mean over the repeats, as that of the run.
pub(super) fn breakdown<'a, P: ToString>(
    by: &str,
    parts: impl IntoIterator<Item = (P, Scored<'a>)>,
) -> Breakdown {
    let parts = parts.into_iter().map(|(value, part)| {
        let mean = part.repeats(Rounding::None).map(|spread| spread.mean);
        (value, Share { value: mean, ..part.accuracy() })
    });
    Breakdown::of(by, parts)
}

fn by(breakdown: &Breakdown) -> Value {
    let rows = breakdown.rows.iter().map(|row| {
        let part = json!({ "n": row.n, "accuracy": row.score, "accuracy_interval": row.interval });
        (row.value.clone(), part)
    });
    Value::Object(rows.collect::<Map<_, _>>())
}

/// How often episodes end badly, and how many replies are invalid, as fractions.
fn rates(scored: &Scored<'_>) -> Value {
    let outcomes = scored.counts(|play| [(outcome(play), &1)]);
    let ended = |wanted: &str| ratio(outcomes.get(wanted).copied().unwrap_or(0), scored.n());
    let invalid = scored.sum(|numbers| numbers.invalid);
    let turns = scored.sum(|numbers| numbers.answers + numbers.searches + numbers.asks);
    json!({
        "invalid": ratio(invalid, turns + invalid),
        "skipped": ended(ending::SKIPPED),
        "fallback": ended(ending::FALLBACK),
        "error": ended(ending::ERROR),
        "incomplete": ended(Outcome::INCOMPLETE),
        "grader_failed": ended(GRADER_FAILED),
    })
}
