//! The tables against what the specification derived from them (7.1, 7.2, 8).

use super::*;
use turnwise_core::board::published::Numbers;
use turnwise_core::metrics::spread::{RoundedFirst, RunCount};

/// The rows with such a source, with their numbers as printed.
fn rows(source: &str) -> Vec<(String, Numbers)> {
    let mut rows = Vec::new();
    Condition::read_all(PUBLISHED, |row, numbers| {
        if row.source.starts_with(source) {
            rows.push((row.name.clone(), numbers.clone()));
        }
    });
    rows
}

/// The accuracies of a column of Table 3.
fn accuracies(column: &str) -> Vec<(String, f64)> {
    let rows = rows(&format!("Table 3, {column}")).into_iter();
    rows.map(|(model, numbers)| (model, numbers["accuracy"])).collect()
}

fn accuracy(column: &str, model: &str) -> f64 {
    accuracies(column).into_iter().find(|(name, _)| name == model).unwrap().1
}

/// The right answers of three runs, where they are known.
fn runs(numbers: &Numbers) -> Option<[RunCount; 3]> {
    let count = |run| Some(RunCount { correct: *numbers.get(run)? as u64, rows: 210 });
    Some([count("run_1")?, count("run_2")?, count("run_3")?])
}

/// Whether mean and deviation of a row are those of three runs.
fn explains(runs: &[RunCount; 3], numbers: &Numbers) -> bool {
    let runs = RoundedFirst::of(runs).unwrap();
    runs.mean(2).to_f64() == numbers["accuracy"]
        && runs.deviation(2).unwrap().to_f64() == numbers["deviation"]
}

/// Whether a printed percentage is a share of this many rows.
fn is_share(percent: f64, rows: u32) -> bool {
    let count = (percent / 100.0 * f64::from(rows)).round();
    (100.0 * count / f64::from(rows) - percent).abs() < 0.005 + 1e-9
}

/// Whether a printed number is a whole multiple of a step.
fn is_multiple(number: f64, step: f64) -> bool {
    let times = number / step;
    (times - times.round()).abs() < 1e-6
}

#[test]
fn seven_rows_of_table_2_follow_from_three_runs_of_210() {
    let rows = rows("Table 2").into_iter();
    let explained = rows.filter_map(|(model, numbers)| Some((model, runs(&numbers)?, numbers)));
    let explained: Vec<_> = explained.collect();
    assert_eq!(explained.len(), 7);
    for (model, runs, numbers) in explained {
        assert!(explains(&runs, &numbers), "{model}");
    }
}

/// The others cannot come from three runs of 210 rows.
#[test]
fn the_other_rows_of_table_2_do_not() {
    for (model, numbers) in rows("Table 2").iter().filter(|(_, numbers)| runs(numbers).is_none()) {
        // Only the mean is looked at: the sum of three rounded percentages, within the rounding of the mean.
        let near = (numbers["accuracy"] / 100.0 * 210.0).round() as u64;
        let range = near.saturating_sub(12)..near + 13;
        let mut fits = range.clone().flat_map(|a| {
            let range = range.clone();
            (a..range.end).flat_map(move |b| (b..range.end).map(move |c| [a, b, c]))
        });
        let found = fits.find(|counts| {
            explains(&counts.map(|correct| RunCount { correct, rows: 210 }), numbers)
        });
        assert_eq!(found, None, "{model}");
    }
}

#[test]
fn with_context_was_measured_over_193_rows() {
    let with_context = accuracies("with context");
    let all = |rows: u32| with_context.iter().all(|(_, accuracy)| is_share(*accuracy, rows));
    let fitting: Vec<u32> = (150..=214).filter(|rows| all(*rows)).collect();
    assert_eq!(fitting, [193]);
    let search_only = accuracies("search only");
    let of_193 = search_only.iter().filter(|(_, accuracy)| is_share(*accuracy, 193));
    assert_eq!(of_193.count(), 6);
    assert!(is_share(accuracy("search only", "GPT-5"), 210));
    assert!(is_share(accuracy("search only", "Kimi-K2"), 186));
    // Without tools both sizes are mixed: o3 and DeepSeek fit the older one only.
    for (model, rows, other) in [
        ("GPT-4o", 210, 193),
        ("GPT-5", 210, 193),
        ("GLM-4.5", 210, 193),
        ("Kimi-K2", 210, 193),
        ("Gemini-2.5-Pro", 210, 193),
        ("OpenAI o3", 193, 210),
        ("DeepSeek-V3.1", 193, 210),
    ] {
        let percent = accuracy("answer only", model);
        assert!(is_share(percent, rows) && !is_share(percent, other), "{model}");
    }
    // 6 of 210 are 2.857 %: cut off, not rounded.
    let cut_off = (600.0_f64 / 210.0 * 100.0).floor() / 100.0;
    assert_eq!(cut_off, accuracy("answer only", "Claude-Sonnet-4"));
}

#[test]
fn the_studies_are_single_runs_over_fifty() {
    let studies = [rows("Table 4"), rows("Table A2")].concat();
    assert_eq!(studies.len(), 32);
    for (model, numbers) in studies {
        assert!(is_multiple(numbers["accuracy"], 2.0), "{model}");
        assert!(is_multiple(numbers["asks"], 0.02), "{model}");
        // As a mean of distances must be, and a root of a mean of squares need not.
        assert!(is_multiple(numbers["calibration_error"], 0.02), "{model}");
        assert!(numbers.get("least").is_none_or(|least| numbers["asks"] >= *least), "{model}");
    }
}

#[test]
fn best_in_table() {
    let best = |rows: Vec<(String, f64)>| {
        rows.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).unwrap()
    };
    let main = rows("Table 2");
    let accuracies_of_all =
        main.iter().map(|(model, numbers)| (model.clone(), numbers["accuracy"]));
    assert_eq!(best(accuracies_of_all.collect()), ("GPT-5".to_owned(), 13.73));
    assert_eq!(best(accuracies("with context")), ("OpenAI o3".to_owned(), 71.5));
    // Ablations and studies are of models of the main table.
    let others = ["Table 3", "Table 4", "Table A2"].map(rows).concat();
    let mut unnamed: Vec<_> = others
        .into_iter()
        .map(|(model, _)| model)
        .filter(|model| main.iter().all(|(name, _)| name != model))
        .collect();
    unnamed.dedup();
    assert_eq!(unnamed, ["DeepSeek-Chat"]);
}
