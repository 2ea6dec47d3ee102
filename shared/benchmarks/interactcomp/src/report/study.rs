//! The paper's two studies: a sweep over round limits (scaling, its Table 4) and over minimum asks (forced interaction, its
//! Table A2), value by value over the same tasks, with the points that the paper prints beside them.

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use super::{Scored, published, run};
use crate::numbers::{ACCURACY, ASKS, CALIBRATION_ERROR, ROUNDS};
use crate::settings::{MIN_ASKS, Settings};
use turnwise_core::kit::swept::Swept;
use turnwise_core::metrics::bootstrap::{Cluster, clusters, interval, intervals};
use turnwise_core::metrics::calibration::{BINS, Scale};
use turnwise_core::metrics::report::{Caption, Study};
use turnwise_core::prelude::*;

turnwise_core::captions! { "report.toml" }

/// How often tasks are drawn anew for the intervals of asks and calibration errors.
const RESAMPLES: u32 = 1000;

/// Adds a run's study to its report, if the run sweeps; whatever is over all values together says so.
pub fn add(
    mut report: Report,
    spec: &Spec,
    scored: &Scored<'_>,
    options: &MeasureOptions,
) -> Report {
    let points = Settings::SCHEMA.points(&spec.settings);
    let Some(first) = points.first() else {
        return report;
    };
    let setting = first.setting;
    let mut parts = scored.by_value(setting);
    let mut records: Vec<Value> = points
        .iter()
        .map(|point| {
            let part = parts.remove(&point.value).unwrap_or_default();
            at(setting, point.value, spec, &part, options)
        })
        .collect();
    report.record["swept"] = json!(setting);
    report.record["sweep"] = json!(records);
    records.sort_by_key(|record| record[setting].as_u64());
    report.study = Some(shown(Swept { setting, records: &records }));
    let unit = match setting == MIN_ASKS {
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

/// The record of one value.
fn at(
    setting: &str,
    value: u32,
    spec: &Spec,
    scored: &Scored<'_>,
    options: &MeasureOptions,
) -> Value {
    let whole = run::report(spec, scored, options).record;
    let plays = scored.plays.iter().filter(|play| run::has_counts(play.summary));
    let asks = plays.map(|play| (play.summary.task.id.0.as_str(), f64::from(play.numbers.asks)));
    let asks = interval(&clusters(asks), RESAMPLES, spec.seed);
    let error = whole[CALIBRATION_ERROR.key].as_f64();
    let calibration = calibration_interval(spec, scored, options.confidences)
        .map(|(low, high)| (low.min(error.unwrap_or(low)), high.max(error.unwrap_or(high))));
    let mut record = json!({
        setting: value,
        "calibration_error_interval": calibration,
        "iround_interval": asks.filter(|_| !whole[ASKS.key].is_null()),
    });
    for key in KEYS {
        record[key] = whole[key].clone();
    }
    record
}

/// The interval of the calibration error by drawing tasks anew. Only with one repeat, because over repeats the error is a
/// mean of errors. An error is a sum of distances, so small samples draw it upwards, and the interval with it; it is widened
/// to hold the error itself.
fn calibration_interval(spec: &Spec, scored: &Scored<'_>, scale: Scale) -> Option<(f64, f64)> {
    if spec.repeats != 1 {
        return None;
    }
    // For each bin the stated confidences and the right answers.
    let mut tasks: Vec<[Cluster; 2 * BINS]> = Vec::new();
    for play in &scored.plays {
        let Some(right) = play.right() else { continue };
        let confidence = run::confidence(play, scale);
        if !confidence.is_stated() && spec.profile == Profile::Strict {
            continue;
        }
        let width = 100.0 / BINS as f64;
        let bin = ((confidence.percent / width) as usize).min(BINS - 1);
        let mut task = [Cluster::default(); 2 * BINS];
        task[2 * bin].add(confidence.percent / 100.0);
        task[2 * bin + 1].add(f64::from(u8::from(right)));
        tasks.push(task);
    }
    let [found] = intervals(&tasks, RESAMPLES, spec.seed, |sums| {
        let all: u32 = sums.iter().step_by(2).map(|sum| sum.n).sum();
        let apart = sums.as_chunks::<2>().0.iter().filter_map(|[stated, right]| {
            Some((stated.mean()? - right.mean()?).abs() * f64::from(stated.n))
        });
        [(all > 0).then(|| apart.sum::<f64>() / f64::from(all))]
    });
    found
}

fn shown(swept: Swept<'_>) -> Study {
    let forced = swept.setting == MIN_ASKS;
    let Caption { title, about, by, columns: x } =
        caption(if forced { "forced" } else { "scaling" });
    let Caption { about: of_intervals, columns, .. } = caption("numbers");
    let drawn = [&ACCURACY, &CALIBRATION_ERROR, &ASKS].into_iter().zip([0, 3, 4]);
    let plots = drawn.map(|(metric, at)| {
        let axes = [x[0].clone(), columns[at].clone()];
        let curve = swept.curve("this run", metric);
        Plot::new(plot_title(&axes[1].label, &by), "", axes, [curve])
    });
    let plots: Vec<Plot> = plots.collect();
    let published = plots
        .iter()
        .zip(published::curves(forced))
        .map(|(plot, curves)| Plot { curves, ..plot.clone() })
        .collect();
    let keys = [
        ACCURACY.key,
        "accuracy_interval.0",
        "accuracy_interval.1",
        CALIBRATION_ERROR.key,
        ASKS.key,
        ROUNDS.key,
    ];
    let numbers: Vec<(&str, Column)> = keys.into_iter().zip(columns).collect();
    Study {
        title,
        about,
        plots,
        published,
        published_about: published::ABOUT[usize::from(forced)].to_owned(),
        table: swept.table(&format!("By {by}"), &of_intervals, &by, &numbers),
    }
}

fn plot_title(what: &str, by: &str) -> String {
    let mut title = format!("{what} against {by}");
    title.replace_range(..1, &what[..1].to_uppercase());
    title
}
