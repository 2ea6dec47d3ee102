//! The numbers of an imported log: every score again, from the samples, beside those that the log came with.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Numbers, Settings};
use turnwise_core::metrics::HALF_95;
use turnwise_core::metrics::metric::{Better, HEADLINE, Section, metric};
use turnwise_core::metrics::proportion::Share;
use turnwise_core::metrics::report::{
    Breakdown, BreakdownRow, Column, Figure, Report, Table, TableRow, Unit,
};
use turnwise_core::metrics::summary::Summary;

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

/// The score of some episodes.
struct Mean {
    samples: usize,
    value: f64,
    interval: Option<(f64, f64)>,
}

/// The mean over samples of the mean over their epochs, as Inspect takes it; Wilson's interval where all scores are 0 or 1.
fn mean<'a>(scores: impl Iterator<Item = (&'a str, f64)>) -> Option<Mean> {
    let mut samples: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (task, score) in scores {
        samples.entry(task).or_default().push(score);
    }
    if samples.is_empty() {
        return None;
    }
    let of = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means: Vec<f64> = samples.values().map(|values| of(values)).collect();
    let (count, value) = (means.len() as f64, of(&means));
    let all = || samples.values().flatten();
    let interval = if all().all(|score| *score == 0.0 || *score == 1.0) {
        let trials =
            samples.iter().flat_map(|(task, scores)| scores.iter().map(move |one| (task, one)));
        Share::of(trials.map(|(task, score)| (task, *score == 1.0))).interval
    } else {
        let squares: f64 = means.iter().map(|one| (one - value).powi(2)).sum();
        let error = (squares / (count - 1.0)).sqrt() / count.sqrt();
        (means.len() > 1).then_some((value - HALF_95 * error, value + HALF_95 * error))
    };
    Some(Mean { samples: means.len(), value, interval })
}

/// One sample with its scores; none where they cannot be read.
struct Sample<'a> {
    summary: &'a Summary,
    scores: BTreeMap<String, f64>,
}

impl<'a> Sample<'a> {
    fn of(summary: &'a Summary) -> Self {
        let Numbers { scores } = summary.measured.numbers.read().unwrap_or_default();
        Sample { summary, scores }
    }

    fn score(&self, scorer: &str) -> Option<(&'a str, f64)> {
        let score = self.scores.get(scorer)?;
        Some((self.summary.task.id.0.as_str(), *score))
    }
}

fn of_scorer<'a>(
    episodes: &'a [Sample<'_>],
    scorer: &'a str,
) -> impl Iterator<Item = (&'a str, f64)> {
    episodes.iter().filter_map(move |one| one.score(scorer))
}

/// How a score is shown: as a fraction if it can be one everywhere.
fn unit(episodes: &[Sample<'_>], scorer: &str) -> Unit {
    match of_scorer(episodes, scorer).all(|(_, score)| (0.0..=1.0).contains(&score)) {
        true => Unit::Fraction,
        false => Unit::Number,
    }
}

pub(super) fn report(settings: &Settings, episodes: &[&Summary]) -> Report {
    let episodes: &[Sample<'_>] = &Vec::from_iter(episodes.iter().copied().map(Sample::of));
    let scorers: BTreeSet<&str> =
        episodes.iter().flat_map(|one| one.scores.keys().map(String::as_str)).collect();
    let main = settings.scorer.as_deref().filter(|main| scorers.contains(main));
    let main = main.or_else(|| scorers.iter().next().copied());
    let complete = episodes.iter().filter(|one| one.summary.complete).count();
    let mut report = Report::default();
    if let Some(main) = main {
        let found = mean(of_scorer(episodes, main));
        report.headline.push(Figure {
            key: format!("scores.{main}.mean"),
            label: main.to_owned(),
            value: found.as_ref().map(|found| found.value),
            known: None,
            interval: found.and_then(|found| found.interval),
            unit: unit(episodes, main),
            about:
                "The mean over samples of the mean over their epochs, taken again from the samples"
                    .to_owned(),
        });
        report.breakdowns = breakdowns(episodes, main);
    }
    if !scorers.is_empty() {
        report.tables.push(table(settings, episodes, &scorers));
    }
    report.remarks = remarks(settings, episodes, &scorers);
    report.record = record(settings, episodes, &scorers, complete);
    let counts = METRICS[0].figures(&report.record);
    report.headline.extend(counts);
    report
}

fn breakdowns(episodes: &[Sample<'_>], scorer: &str) -> Vec<Breakdown> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in episodes {
        for (label, value) in &one.summary.task.labels {
            values.entry(label).or_default().insert(value);
        }
    }
    let is_telling = |(_, values): &(&str, BTreeSet<&str>)| (2..=40).contains(&values.len());
    let parts = values.into_iter().filter(is_telling);
    parts
        .map(|(label, values)| Breakdown {
            by: label.to_owned(),
            rows: values
                .into_iter()
                .map(|value| {
                    let scores: Vec<(&str, f64)> = episodes
                        .iter()
                        .filter(|one| {
                            let labels = &one.summary.task.labels;
                            labels.get(label).is_some_and(|it| it == value)
                        })
                        .filter_map(|one| one.score(scorer))
                        .collect();
                    let found = mean(scores.iter().copied());
                    BreakdownRow {
                        value: value.to_owned(),
                        n: scores.len() as u32,
                        score: found.as_ref().map(|found| found.value),
                        interval: found.and_then(|found| found.interval),
                    }
                })
                .collect(),
        })
        .collect()
}

/// What the log itself gives as the mean of a scorer.
fn told(settings: &Settings, scorer: &str) -> Option<f64> {
    let metrics = settings.results.get(scorer)?;
    metrics.get("accuracy").or_else(|| metrics.get("mean")).copied()
}

fn table(settings: &Settings, episodes: &[Sample<'_>], scorers: &BTreeSet<&str>) -> Table {
    Table::new(
        "Scores",
        "Every score of the log: taken again from its samples, and as the log gives it",
        "score",
        [
            Column::new("mean", Unit::Number, "Taken again from the samples"),
            Column::new("in the log", Unit::Number, "Its accuracy or mean, as the log gives it"),
        ],
        scorers.iter().map(|scorer| {
            let found = mean(of_scorer(episodes, scorer));
            let n = found.as_ref().map_or(0, |found| found.samples);
            TableRow::new(*scorer, n, [found.map(|found| found.value), told(settings, scorer)])
        }),
    )
}

fn remarks(settings: &Settings, episodes: &[Sample<'_>], scorers: &BTreeSet<&str>) -> Vec<String> {
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
        let found = mean(of_scorer(episodes, scorer)).map(|found| found.value);
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
    episodes: &[Sample<'_>],
    scorers: &BTreeSet<&str>,
    complete: usize,
) -> Value {
    let scores: BTreeMap<&str, Value> = scorers
        .iter()
        .map(|scorer| {
            let found = mean(of_scorer(episodes, scorer));
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
        "episodes": episodes.len(),
        "completed": complete,
        "scores": scores,
    })
}
