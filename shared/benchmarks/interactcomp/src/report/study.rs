//! The paper's two studies: a sweep over round limits (scaling, its Table 4) and over minimum asks (forced interaction, its
//! Table A2), value by value over the same tasks, with the points that the paper prints beside them.

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use super::{Numbers, published, run};
use crate::numbers::ACCURACY;
use crate::settings::{self, MIN_ASKS};
use turnwise_core::metrics::bootstrap::{Cluster, clusters, interval, intervals};
use turnwise_core::metrics::calibration::{BINS, Confidence, Scale};
use turnwise_core::metrics::proportion::Interval;
use turnwise_core::metrics::report::{
    Column, Curve, MeasureOptions, Plot, Point, Report, Study, Table, TableRow, Unit,
};
use turnwise_core::metrics::summary::Summary;
use turnwise_core::spec::{Profile, Spec};
use turnwise_core::sweep;

/// How often tasks are drawn anew for the intervals of asks and calibration errors.
const RESAMPLES: u32 = 1000;

/// The numbers at one value of the sweep.
pub(super) struct AtValue {
    value: u32,
    n: u32,
    accuracy: Option<f64>,
    accuracy_interval: Option<(f64, f64)>,
    calibration: Option<f64>,
    calibration_interval: Option<(f64, f64)>,
    asks: Option<f64>,
    asks_interval: Option<(f64, f64)>,
    rounds: Option<f64>,
    record: Value,
}

/// Adds a run's study to its report, if the run sweeps; whatever is over all values together says so.
pub fn add(
    mut report: Report,
    spec: &Spec,
    episodes: &[&Summary],
    options: &MeasureOptions,
) -> Report {
    let points = settings::points(spec);
    let Some(first) = points.first() else {
        return report;
    };
    let mut found: Vec<AtValue> = points
        .iter()
        .map(|point| {
            let wanted = point.value.to_string();
            let there: Vec<&Summary> = episodes
                .iter()
                .copied()
                .filter(|summary| summary.task.labels.get(point.setting) == Some(&wanted))
                .collect();
            at(point.value, spec, &there, options)
        })
        .collect();
    let records: Vec<Value> = found
        .iter()
        .map(|one| {
            let mut record = json!({
                first.setting: one.value,
                "calibration_error_interval": one.calibration_interval,
                "iround_interval": one.asks_interval,
            });
            for key in KEYS {
                record[key] = one.record[key].clone();
            }
            record
        })
        .collect();
    report.record["swept"] = json!(first.setting);
    report.record["sweep"] = json!(records);
    found.sort_by_key(|one| one.value);
    report.study = Some(shown(first, &found));
    let unit = match first.setting == MIN_ASKS {
        true => "asks at least",
        false => "rounds",
    };
    report.by_value(&ACCURACY, |value| format!("{value} {unit}"))
}

/// What a value's record has of a whole run's.
const KEYS: [&str; 11] = [
    "n",
    "scored",
    "accuracy",
    "accuracy_std",
    "accuracy_interval",
    "accuracy_bounds",
    "calibration_error",
    "calibration_n",
    "round",
    "iround",
    "ir_micro",
];

fn at(value: u32, spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> AtValue {
    let record = run::report(spec, episodes, options).record;
    let number = |key: &str| record[key].as_f64();
    let plays: Vec<(&Summary, Numbers)> = episodes
        .iter()
        .map(|summary| {
            let numbers = summary.measured.numbers.read();
            (*summary, numbers.unwrap_or_default())
        })
        .collect();
    let asks = plays
        .iter()
        .filter(|(summary, _)| run::has_counts(summary))
        .map(|(summary, numbers)| (summary.task.id.0.as_str(), f64::from(numbers.asks)));
    let asks_interval = interval(&clusters(asks), RESAMPLES, spec.seed);
    AtValue {
        value,
        n: u32::try_from(record["scored"].as_u64().unwrap_or(0)).unwrap_or(u32::MAX),
        accuracy: number("accuracy"),
        accuracy_interval: serde_json::from_value(record["accuracy_interval"].clone())
            .unwrap_or_default(),
        calibration: number("calibration_error"),
        calibration_interval: calibration_interval(spec, &plays, options.confidences).map(
            |(low, high)| {
                let error = number("calibration_error");
                (low.min(error.unwrap_or(low)), high.max(error.unwrap_or(high)))
            },
        ),
        asks: number("iround"),
        asks_interval: asks_interval.filter(|_| number("iround").is_some()).map(ends),
        rounds: number("round"),
        record,
    }
}

/// The interval of the calibration error by drawing tasks anew. Only with one repeat, because over repeats the error is a
/// mean of errors. An error is a sum of distances, so small samples draw it upwards, and the interval with it; it is widened
/// to hold the error itself.
fn calibration_interval(
    spec: &Spec,
    plays: &[(&Summary, Numbers)],
    scale: Scale,
) -> Option<(f64, f64)> {
    if spec.repeats != 1 {
        return None;
    }
    // For each bin the stated confidences and the right answers.
    let mut tasks: Vec<[Cluster; 2 * BINS]> = Vec::new();
    for (summary, numbers) in plays {
        let Some(score) = summary.score else { continue };
        let confidence = Confidence::read(numbers.confidence.as_deref()).on(scale);
        if !confidence.is_stated() && spec.profile == Profile::Strict {
            continue;
        }
        let width = 100.0 / BINS as f64;
        let bin = ((confidence.percent / width) as usize).min(BINS - 1);
        let mut task = [Cluster::default(); 2 * BINS];
        task[2 * bin].add(confidence.percent / 100.0);
        task[2 * bin + 1].add(if score >= 0.5 { 1.0 } else { 0.0 });
        tasks.push(task);
    }
    let [found] = intervals(&tasks, RESAMPLES, spec.seed, |sums| {
        let all: u32 = sums.iter().step_by(2).map(|sum| sum.n).sum();
        let apart = sums.as_chunks::<2>().0.iter().filter_map(|[stated, right]| {
            Some((stated.mean()? - right.mean()?).abs() * f64::from(stated.n))
        });
        [(all > 0).then(|| apart.sum::<f64>() / f64::from(all))]
    });
    found.map(ends)
}

fn ends(interval: Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

fn shown(point: &sweep::Point, found: &[AtValue]) -> Study {
    let forced = point.setting == MIN_ASKS;
    let (title, about, x, by) = match forced {
        true => (
            "Forced-asking study",
            "The same tasks with more and more asks before an answer is accepted: does a player that must ask answer better?",
            Column::new(
                "minimum asks",
                Unit::Count,
                "How many asks are needed before an answer is accepted.",
            ),
            "minimum asks",
        ),
        false => (
            "Scaling study",
            "The same tasks with more and more rounds: does a player that has more time ask more, and answer better?",
            Column::new("round limit", Unit::Count, "How many rounds an episode has at most."),
            "round limit",
        ),
    };
    let y = [
        Column::new("accuracy", Unit::Fraction, "Share of answers that the grader accepted."),
        Column::new(
            "calibration error",
            Unit::Fraction,
            "How far stated confidence and accuracy lie apart.",
        ),
        Column::new("asks", Unit::Count, "Mean questions put to the user in an episode."),
    ];
    let own: [Vec<Point>; 3] = [
        curve(found, |one| (one.accuracy, one.accuracy_interval)),
        curve(found, |one| (one.calibration, one.calibration_interval)),
        curve(found, |one| (one.asks, one.asks_interval)),
    ];
    let plots: Vec<Plot> = y
        .iter()
        .zip(own)
        .map(|(y, points)| Plot {
            title: plot_title(&y.label, by),
            about: String::new(),
            x: x.clone(),
            y: y.clone(),
            curves: vec![Curve { name: "this run".to_owned(), points }],
        })
        .collect();
    let published = plots
        .iter()
        .zip(published::curves(forced))
        .map(|(plot, curves)| Plot { curves, ..plot.clone() })
        .collect();
    Study {
        title: title.to_owned(),
        about: about.to_owned(),
        plots,
        published,
        published_about: published::ABOUT[usize::from(forced)].to_owned(),
        table: Table {
            title: format!("By {by}"),
            about: "Intervals are 95 %.".to_owned(),
            by: by.to_owned(),
            columns: vec![
                y[0].clone(),
                Column::new("from", Unit::Fraction, "Lower end of accuracy's interval."),
                Column::new("to", Unit::Fraction, "Upper end of accuracy's interval."),
                y[1].clone(),
                y[2].clone(),
                Column::new("rounds", Unit::Count, "Mean rounds used, the answer included."),
            ],
            rows: found.iter().map(row).collect(),
        },
    }
}

fn plot_title(what: &str, by: &str) -> String {
    let mut title = format!("{what} against {by}");
    title.replace_range(..1, &what[..1].to_uppercase());
    title
}

fn row(one: &AtValue) -> TableRow {
    TableRow {
        name: one.value.to_string(),
        n: one.n,
        cells: vec![
            one.accuracy,
            one.accuracy_interval.map(|(low, _)| low),
            one.accuracy_interval.map(|(_, high)| high),
            one.calibration,
            one.asks,
            one.rounds,
        ],
    }
}

type Height = (Option<f64>, Option<(f64, f64)>);

fn curve(found: &[AtValue], height: fn(&AtValue) -> Height) -> Vec<Point> {
    found
        .iter()
        .filter_map(|one| {
            let (y, interval) = height(one);
            Some(Point { x: f64::from(one.value), y: y?, interval, n: Some(one.n) })
        })
        .collect()
}
