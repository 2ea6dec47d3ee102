//! The numbers of an imported log: every score again, from the samples, beside those that the log came with.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Numbers, Settings};
use turnwise_core::metrics::report::{Breakdown, BreakdownRow};
use turnwise_core::metrics::spread::{self, Spread};
use turnwise_core::metrics::{HALF_95, scored};
use turnwise_core::prelude::*;

/// The numbers of every log; its scores are called as in the log.
#[rustfmt::skip]
pub(super) const METRICS: &[Section] = &[Section {
    title: HEADLINE,
    metrics: &[
        &metric("episodes", "samples", Unit::Count, Better::Neither, "Samples in the log, epochs counted"),
        &metric("completed", "completed", Unit::Count, Better::More, "Samples that ended without an error"),
    ],
}];

/// Two numbers that differ by less are the same.
const SAME: f64 = 1e-9;

type Scored<'a> = scored::Scored<'a, Numbers>;

/// The score of some episodes.
struct Mean {
    episodes: usize,
    samples: usize,
    value: f64,
    interval: Option<(f64, f64)>,
}

/// The mean over samples of the mean over their epochs, as Inspect takes it; Wilson's interval where all scores are 0 or 1. Episodes
/// without this score are left out.
fn mean(scored: &Scored<'_>, scorer: &str) -> Option<Mean> {
    let mut samples: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (task, score) in scores(scored, scorer) {
        samples.entry(task).or_default().push(score);
    }
    let means: Vec<f64> =
        samples.values().filter_map(|scores| spread::mean(scores.iter().copied())).collect();
    let Spread { mean, deviation } = Spread::of(&means)?;
    let all = || scores(scored, scorer);
    let interval = if all().all(|(_, score)| score == 0.0 || score == 1.0) {
        Share::of(all().map(|(task, score)| (task, score == 1.0))).interval
    } else {
        let error = deviation.map(|deviation| deviation / (means.len() as f64).sqrt());
        error.map(|error| (mean - HALF_95 * error, mean + HALF_95 * error))
    };
    Some(Mean { episodes: all().count(), samples: means.len(), value: mean, interval })
}

/// The scores of this name, with their samples.
fn scores<'b>(scored: &'b Scored<'_>, scorer: &str) -> impl Iterator<Item = (&'b str, f64)> {
    let plays = scored.plays.iter();
    plays.filter_map(move |play| Some((play.task.as_str(), *play.numbers.scores.get(scorer)?)))
}

/// How a score is shown: as a fraction if it can be one everywhere.
fn unit(scored: &Scored<'_>, scorer: &str) -> Unit {
    match scores(scored, scorer).all(|(_, score)| (0.0..=1.0).contains(&score)) {
        true => Unit::Fraction,
        false => Unit::Number,
    }
}

pub(super) fn report(settings: &Settings, episodes: &[&Summary]) -> Report {
    let scored = &Scored::of(episodes.iter().copied(), |summary| summary.task.id.0.clone());
    let plays = scored.plays.iter();
    let scorers: BTreeSet<&str> =
        plays.flat_map(|play| play.numbers.scores.keys().map(String::as_str)).collect();
    let main = settings.scorer.as_deref().filter(|main| scorers.contains(main));
    let main = main.or_else(|| scorers.iter().next().copied());
    let complete = episodes.iter().filter(|one| one.complete).count();
    let mut report = Report::default();
    if let Some(main) = main {
        let found = mean(scored, main);
        report.headline.push(Figure {
            key: format!("scores.{main}.mean"),
            label: main.to_owned(),
            value: found.as_ref().map(|found| found.value),
            known: None,
            interval: found.and_then(|found| found.interval),
            unit: unit(scored, main),
            about:
                "The mean over samples of the mean over their epochs, taken again from the samples"
                    .to_owned(),
        });
        report.breakdowns = breakdowns(scored, main);
    }
    if !scorers.is_empty() {
        report.tables.push(table(settings, scored, &scorers));
    }
    report.remarks = remarks(settings, scored, &scorers);
    report.record = record(settings, scored, &scorers, complete);
    let counts = METRICS[0].figures(&report.record);
    report.headline.extend(counts);
    report
}

fn breakdowns(scored: &Scored<'_>, scorer: &str) -> Vec<Breakdown> {
    let labels = scored.plays.iter().flat_map(|play| play.summary.task.labels.keys());
    let labels: BTreeSet<&String> = labels.collect();
    let breakdown = |label: &String| {
        let parts = scored.parts(|play| play.label(label));
        let rows = parts.iter().map(|(value, part)| {
            let found = mean(part, scorer);
            BreakdownRow {
                value: (*value).to_owned(),
                n: found.as_ref().map_or(0, |found| found.episodes as u32),
                score: found.as_ref().map(|found| found.value),
                interval: found.and_then(|found| found.interval),
            }
        });
        let rows = rows.collect();
        (2..=40).contains(&parts.len()).then(|| Breakdown { by: label.clone(), rows })
    };
    labels.into_iter().filter_map(breakdown).collect()
}

/// What the log itself gives as the mean of a scorer.
fn told(settings: &Settings, scorer: &str) -> Option<f64> {
    let metrics = settings.results.get(scorer)?;
    metrics.get("accuracy").or_else(|| metrics.get("mean")).copied()
}

fn table(settings: &Settings, scored: &Scored<'_>, scorers: &BTreeSet<&str>) -> Table {
    Table::new(
        "Scores",
        "Every score of the log: taken again from its samples, and as the log gives it",
        "score",
        [
            Column::new("mean", Unit::Number, "Taken again from the samples"),
            Column::new("in the log", Unit::Number, "Its accuracy or mean, as the log gives it"),
        ],
        scorers.iter().map(|scorer| {
            let found = mean(scored, scorer);
            let n = found.as_ref().map_or(0, |found| found.samples);
            TableRow::new(*scorer, n, [found.map(|found| found.value), told(settings, scorer)])
        }),
    )
}

fn remarks(settings: &Settings, scored: &Scored<'_>, scorers: &BTreeSet<&str>) -> Vec<String> {
    let mut remarks = vec![
        "This run was made with Inspect and imported: it cannot be played again, and it counts on no board."
            .to_owned(),
    ];
    match (settings.status.as_str(), &settings.error) {
        ("success", _) => {}
        (status, Some(error)) => remarks.push(format!("The log ended as “{status}”: {error}")),
        (status, None) => remarks.push(format!("The log ended as “{status}”.")),
    }
    for scorer in scorers {
        let found = mean(scored, scorer).map(|found| found.value);
        if let (Some(found), Some(told)) = (found, told(settings, scorer))
            && (found - told).abs() > SAME
        {
            remarks.push(format!(
                "{scorer}: the log says {told}, its samples say {found}; epochs may be reduced otherwise there than by their mean."
            ));
        }
    }
    remarks
}

fn record(
    settings: &Settings,
    scored: &Scored<'_>,
    scorers: &BTreeSet<&str>,
    complete: usize,
) -> Value {
    let scores: BTreeMap<&str, Value> = scorers
        .iter()
        .map(|scorer| {
            let found = mean(scored, scorer);
            let told = told(settings, scorer);
            let value = match found {
                Some(found) => json!({
                    "mean": found.value,
                    "interval": found.interval,
                    "samples": found.samples,
                    "in_log": told,
                }),
                None => json!({ "mean": null, "in_log": told }),
            };
            (*scorer, value)
        })
        .collect();
    json!({
        "task": settings.task,
        "status": settings.status,
        "episodes": scored.n(),
        "completed": complete,
        "scores": scores,
    })
}
