//! The numbers of a run, from the summaries of its episodes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::calibration::Calibration;
use super::remarks::remarks;
use super::{Numbers, detail};
use crate::grading::GRADER_FAILED;
use crate::interaction::Interaction;
use crate::memory::Counts;
use crate::numbers::{DEVIATION, METRICS};
use crate::protocol::ending;
use crate::settings;
use turnwise_core::episode::Outcome;
use turnwise_core::metrics::calibration::{Confidence, Scale, look_like_fractions};
use turnwise_core::metrics::cost::{Cost, ReferenceCost, reference_cost, reference_price};
use turnwise_core::metrics::format;
use turnwise_core::metrics::proportion::{Cluster, Interval, clustered};
use turnwise_core::metrics::report::{
    Breakdown, BreakdownRow, Figure, MeasureOptions, Report, Rounding,
};
use turnwise_core::metrics::spread::{RoundedFirst, RunCount, Spread};
use turnwise_core::metrics::summary::{SeatUsage, Summary};
use turnwise_core::metrics::times;
use turnwise_core::seat::Seat;
use turnwise_core::spec::Spec;
use turnwise_core::sweep::Point;

/// The form of the record that `turnwise metrics --json` prints.
const SCHEMA: &str = "turnwise-interactcomp-metrics/1";

/// The numbers of a run. Rates are fractions (ARCHITECTURE.md, rule 29).
///
/// `n` counts every episode that is given. Plays that are incomplete, and those whose grader failed, have no score: accuracy
/// is then taken over the others, and bounds say what it could be if all of them were wrong or right.
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    let points = settings::points(spec);
    let rows: Vec<Played> =
        episodes.iter().map(|summary| Played::of(summary, &points, options.confidences)).collect();
    let accuracy = Accuracy::of(&rows, options.rounding);
    let calibration = Calibration::of(&rows, spec.profile);
    let interaction = interaction(&rows);
    let reference_cost = costs_by_reference(&rows);
    let loss = detail::format_loss(&rows);
    let breakdowns = vec![
        breakdown("domain", &rows),
        breakdown("language", &rows),
        detail::by_asks(&rows),
        detail::by_length(&rows),
    ];
    let record = json!({
        "schema": SCHEMA,
        "benchmark": spec.benchmark,
        "profile": spec.profile,
        "mode": spec.settings.get("mode"),
        "spec_hash": spec.digest(),
        "n": rows.len(),
        "scored": accuracy.scored,
        "accuracy": accuracy.mean,
        "accuracy_std": accuracy.deviation,
        "accuracy_interval": accuracy.interval.map(pair),
        "accuracy_bounds": accuracy.bounds,
        "rankable": accuracy.scored == rows.len() && !rows.is_empty(),
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
        "times": times::record(&options.times),
        "outcomes": outcomes(&rows),
        "rates": rates(&rows),
        "faults": summed(episodes, |summary| &summary.faults),
        "flags": summed(episodes, |summary| &summary.flags),
        "usage": usage(episodes),
    });
    let is_defined = |figure: &Figure| figure.key != DEVIATION.key || figure.value.is_some();
    let [headline, groups @ ..] = METRICS else {
        return Report::default();
    };
    let headline = headline.figures(&record).into_iter();
    Report {
        headline: headline.filter(is_defined).collect(),
        groups: groups.iter().map(|group| group.group(&record)).collect(),
        tables: times::table(&options.times).into_iter().collect(),
        remarks: remarks(&rows, &accuracy, &calibration, options.confidences),
        reliability: calibration.bins,
        breakdowns,
        record,
        ..Report::default()
    }
}

/// One episode, as the numbers need it.
pub(super) struct Played<'a> {
    pub(super) summary: &'a Summary,
    /// The task that was played: in a sweep that which is alike at all values.
    task: &'a str,
    pub(super) numbers: Numbers,
    pub(super) correct: Option<bool>,
    pub(super) confidence: Confidence,
}

impl<'a> Played<'a> {
    fn of(summary: &'a Summary, points: &[Point], scale: Scale) -> Self {
        // Summaries are made by `measure`, so the numbers can be read; of a foreign one nothing is known.
        let numbers: Numbers = summary.measured.numbers.read().unwrap_or_default();
        let id = &summary.task.id;
        let original = points.iter().find_map(|point| point.original(id));
        Played {
            summary,
            task: original.unwrap_or(&id.0),
            correct: summary.score.map(|score| score >= 0.5),
            confidence: Confidence::read(numbers.confidence.as_deref()).on(scale),
            numbers,
        }
    }

    pub(super) fn outcome(&self) -> &str {
        match (&self.numbers.grading, &self.summary.ending) {
            (Some(grading), _) if grading == GRADER_FAILED => GRADER_FAILED,
            (_, Some(ending)) => ending,
            (_, None) => "unfinished",
        }
    }
}

pub(super) struct Accuracy {
    pub(super) scored: usize,
    pub(super) mean: Option<f64>,
    pub(super) deviation: Option<f64>,
    pub(super) interval: Option<Interval>,
    pub(super) bounds: Option<(f64, f64)>,
}

impl Accuracy {
    /// Of some episodes. The interval is clustered by task: Wilson's where each was played once, and a task that was played
    /// several times, or at several values of a sweep, counts as one (ARCHITECTURE.md, rule 29).
    fn of<'a>(rows: impl IntoIterator<Item = &'a Played<'a>>, rounding: Rounding) -> Self {
        let mut runs: BTreeMap<u32, RunCount> = BTreeMap::new();
        let mut tasks: BTreeMap<&str, Cluster> = BTreeMap::new();
        let mut all = 0_u64;
        for row in rows {
            all += 1;
            let Some(correct) = row.correct else { continue };
            let run = runs.entry(row.summary.repeat).or_insert(RunCount { correct: 0, rows: 0 });
            run.correct += u64::from(correct);
            run.rows += 1;
            let task = tasks.entry(row.task).or_insert(Cluster { successes: 0, n: 0 });
            task.successes += u64::from(correct);
            task.n += 1;
        }
        let counts: Vec<RunCount> = runs.into_values().collect();
        let correct: u64 = counts.iter().map(|run| run.correct).sum();
        let scored: u64 = counts.iter().map(|run| run.rows).sum();
        let (mean, deviation) = match rounding {
            Rounding::None => {
                let shares: Vec<f64> =
                    counts.iter().map(|run| share(run.correct, run.rows)).collect();
                let spread = Spread::of(&shares);
                (spread.map(|spread| spread.mean), spread.and_then(|spread| spread.deviation))
            }
            Rounding::Published => {
                let rounded = RoundedFirst::of(&counts);
                // In decimal, so that 7.14 % is exactly the number 0.0714.
                let fraction = |percent: String| format!("{percent}e-2").parse().ok();
                (
                    rounded.as_ref().and_then(|run| fraction(run.mean(2).to_string())),
                    rounded
                        .as_ref()
                        .and_then(|run| run.deviation(2))
                        .and_then(|deviation| fraction(deviation.to_string())),
                )
            }
        };
        Accuracy {
            scored: usize::try_from(scored).unwrap_or(usize::MAX),
            mean,
            deviation,
            interval: clustered(&tasks.into_values().collect::<Vec<_>>()),
            bounds: (all > 0).then(|| (share(correct, all), share(correct + all - scored, all))),
        }
    }
}

pub(super) fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

pub(super) fn pair(interval: Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

/// Whether an episode has counts: errors and incomplete plays have none (specification 7.3).
pub(super) fn has_counts(play: &Summary) -> bool {
    play.complete && play.ending.as_deref() != Some(ending::ERROR)
}

/// Whether the confidences that plays state look like fractions.
pub(super) fn states_fractions(episodes: &[&Summary]) -> bool {
    let plays = episodes.iter();
    let stated: Vec<Confidence> =
        plays.map(|summary| Played::of(summary, &[], Scale::Percent).confidence).collect();
    look_like_fractions(&stated)
}

/// Over plays that have counts.
fn interaction(rows: &[Played<'_>]) -> Option<Interaction> {
    let counts: Vec<Counts> = rows
        .iter()
        .filter(|row| has_counts(row.summary))
        .map(|row| Counts {
            answer: row.numbers.answers,
            search: row.numbers.searches,
            ask: row.numbers.asks,
            invalid: row.numbers.invalid,
        })
        .collect();
    Interaction::of(&counts)
}

/// What the reference code calls the cost of its player, by its price table (specification 7.4); absent where no model played. A
/// model that is not in its table costs nothing there. Imported plays have it as it stood in the file, and each repeat is a file.
fn costs_by_reference(rows: &[Played<'_>]) -> Option<ReferenceCost> {
    let mut files: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for row in rows {
        if let Some(cost) = row.numbers.cost_so_far {
            files.entry(row.summary.repeat).or_default().push(cost);
        }
    }
    let of = |total: f64| ReferenceCost { total, average: total / rows.len() as f64 };
    if !files.is_empty() {
        let totals = files.values().filter_map(|costs| reference_cost(costs));
        return Some(of(totals.map(|file| file.total).sum()));
    }
    let calls: Vec<Cost> = rows
        .iter()
        .filter_map(|row| row.summary.usage.get(Seat::PLAYER))
        .filter_map(|usage| {
            Some(reference_price(usage.model.as_deref()?).of(usage.input, usage.output))
        })
        .collect();
    (!calls.is_empty()).then(|| of(calls.into_iter().sum::<Cost>().dollars()))
}

fn breakdown(label: &str, rows: &[Played<'_>]) -> Breakdown {
    let mut parts: BTreeMap<&str, Vec<&Played<'_>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.correct.is_some()) {
        if let Some(value) = row.summary.task.labels.get(label) {
            parts.entry(value).or_default().push(row);
        }
    }
    breakdown_of(label, parts.into_iter().map(|(value, rows)| (value.to_owned(), rows)))
}

/// Accuracy of parts, in their order.
pub(super) fn breakdown_of<'a>(
    by: &str,
    parts: impl Iterator<Item = (String, Vec<&'a Played<'a>>)>,
) -> Breakdown {
    let row = |(value, rows): (String, Vec<&'a Played<'a>>)| {
        let accuracy = Accuracy::of(rows, Rounding::None);
        BreakdownRow {
            value,
            n: u32::try_from(accuracy.scored).unwrap_or(u32::MAX),
            score: accuracy.mean,
            interval: accuracy.interval.map(pair),
        }
    };
    Breakdown { by: by.to_owned(), rows: parts.map(row).collect() }
}

fn by(breakdown: &Breakdown) -> Value {
    breakdown
        .rows
        .iter()
        .map(|row| {
            let part =
                json!({ "n": row.n, "accuracy": row.score, "accuracy_interval": row.interval });
            (row.value.clone(), part)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn outcomes(rows: &[Played<'_>]) -> BTreeMap<String, u32> {
    let mut outcomes = BTreeMap::new();
    for row in rows {
        *outcomes.entry(row.outcome().to_owned()).or_default() += 1;
    }
    outcomes
}

/// How often episodes end badly, and how many replies are invalid, as fractions.
fn rates(rows: &[Played<'_>]) -> Value {
    let n = rows.len() as u64;
    let ended = |wanted: &str| {
        let count = rows.iter().filter(|row| row.outcome() == wanted).count() as u64;
        (n > 0).then(|| share(count, n))
    };
    let invalid: u64 = rows.iter().map(|row| u64::from(row.numbers.invalid)).sum();
    let turns: u64 = rows
        .iter()
        .map(|row| {
            let Numbers { answers, searches, asks, .. } = row.numbers;
            u64::from(answers + searches + asks)
        })
        .sum();
    json!({
        "invalid": (turns + invalid > 0).then(|| share(invalid, turns + invalid)),
        "skipped": ended(ending::SKIPPED),
        "fallback": ended(ending::FALLBACK),
        "error": ended(ending::ERROR),
        "incomplete": ended(Outcome::INCOMPLETE),
        "grader_failed": ended(GRADER_FAILED),
    })
}

fn summed(
    episodes: &[&Summary],
    of: impl Fn(&Summary) -> &BTreeMap<String, u32>,
) -> BTreeMap<String, u32> {
    let mut sums = BTreeMap::new();
    for (name, count) in episodes.iter().copied().flat_map(&of) {
        *sums.entry(name.clone()).or_default() += count;
    }
    sums
}

fn usage(episodes: &[&Summary]) -> Value {
    let mut seats: BTreeMap<&str, SeatUsage> = BTreeMap::new();
    for (seat, usage) in episodes.iter().flat_map(|summary| &summary.usage) {
        seats.entry(seat).or_default().add(usage);
    }
    json!(seats)
}
