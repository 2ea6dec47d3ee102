//! The tables against what the specification derived from them (7.1, 7.2, 8).

use super::*;
use crate::settings::FORCED;
use turnwise_core::metrics::spread::{RoundedFirst, RunCount};

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
    let explained: Vec<&Main> = TABLE_2.iter().filter(|row| row.counts.is_some()).collect();
    assert_eq!(explained.len(), 7);
    for row in explained {
        let counts = row.counts.unwrap();
        let runs =
            RoundedFirst::of(&counts.map(|correct| RunCount { correct, rows: 210 })).unwrap();
        assert_eq!(runs.mean(2).to_f64(), row.accuracy, "{}", row.model);
        assert_eq!(runs.deviation(2).unwrap().to_f64(), row.deviation, "{}", row.model);
    }
}

/// The others cannot come from three runs of 210 rows.
#[test]
fn the_other_rows_of_table_2_do_not() {
    for row in TABLE_2.iter().filter(|row| row.counts.is_none()) {
        // Only the mean is looked at: the sum of three rounded percentages, within the rounding of the mean.
        let near = (row.accuracy / 100.0 * 210.0).round() as u64;
        let range = near.saturating_sub(12)..near + 13;
        let fits = range.clone().flat_map(|a| {
            let range = range.clone();
            (a..range.end).flat_map(move |b| (b..range.end).map(move |c| [a, b, c]))
        });
        let found = fits
            .map(|counts| (counts, counts.map(|correct| RunCount { correct, rows: 210 })))
            .find(|(_, runs)| {
                let runs = RoundedFirst::of(runs).unwrap();
                runs.mean(2).to_f64() == row.accuracy
                    && runs.deviation(2).unwrap().to_f64() == row.deviation
            });
        assert_eq!(found, None, "{}", row.model);
    }
}

#[test]
fn with_context_was_measured_over_193_rows() {
    let all = |rows: u32| TABLE_3.iter().all(|row| is_share(row.with_context.0, rows));
    let fitting: Vec<u32> = (150..=214).filter(|rows| all(*rows)).collect();
    assert_eq!(fitting, [193]);
    let of_193 = TABLE_3.iter().filter(|row| is_share(row.search_only.0, 193));
    assert_eq!(of_193.count(), 6);
    let row = |model: &str| TABLE_3.iter().find(|row| row.model == model).unwrap();
    assert!(is_share(row("GPT-5").search_only.0, 210));
    assert!(is_share(row("Kimi-K2").search_only.0, 186));
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
        let percent = row(model).answer_only.0;
        assert!(is_share(percent, rows) && !is_share(percent, other), "{model}");
    }
    // 6 of 210 are 2.857 %: cut off, not rounded.
    assert_eq!((600.0_f64 / 210.0 * 100.0).floor() / 100.0, row("Claude-Sonnet-4").answer_only.0);
}

#[test]
fn the_studies_are_single_runs_over_fifty() {
    let studies =
        TABLE_4.iter().flat_map(|(_, rows)| rows).chain(TABLE_A2.iter().flat_map(|(_, rows)| rows));
    let mut count = 0;
    for (asks, accuracy, error) in studies {
        assert!(is_multiple(*accuracy, 100.0 / f64::from(STUDY_TASKS)));
        assert!(is_multiple(*asks, 1.0 / f64::from(STUDY_TASKS)));
        // As a mean of distances must be, and a root of a mean of squares need not.
        assert!(is_multiple(*error, 0.02), "{error}");
        count += 1;
    }
    assert_eq!(count, 32);
    for (model, rows) in TABLE_A2.iter() {
        for ((asks, ..), least) in rows.iter().zip(FORCED) {
            assert!(*asks >= f64::from(least), "{model} {least}");
        }
    }
}

#[test]
fn best_in_table() {
    let best = TABLE_2.iter().max_by(|one, other| one.accuracy.total_cmp(&other.accuracy)).unwrap();
    assert_eq!((best.model, best.accuracy), ("GPT-5", 13.73));
    let best = TABLE_3
        .iter()
        .max_by(|one, other| one.with_context.0.total_cmp(&other.with_context.0))
        .unwrap();
    assert_eq!((best.model, best.with_context.0), ("OpenAI o3", 71.5));
    // The studies are of models of the main table.
    let named = |model: &str| TABLE_2.iter().any(|row| row.model == model);
    assert!(TABLE_4.iter().all(|(model, _)| named(model)));
    let unnamed: Vec<&str> =
        TABLE_A2.iter().map(|(model, _)| *model).filter(|model| !named(model)).collect();
    assert_eq!(unnamed, ["DeepSeek-Chat"]);
    assert!(TABLE_3.iter().all(|row| named(row.model)));
}
