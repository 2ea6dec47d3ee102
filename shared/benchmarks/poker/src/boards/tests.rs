use turnwise_core::benchmark::default_spec;
use turnwise_core::board::published::Numbers;
use turnwise_core::metrics::spread::Spread;

use super::*;
use crate::Poker;
use turnwise_core::testing::cases;

#[test]
fn the_default_stands_beside_the_printed_table() {
    let beside = (BOARDS.beside)(&default_spec(&Poker));
    assert_eq!(beside.as_deref(), Some("poker-ten-tables"));
}

#[test]
fn printed_numbers_are_told_as_printed() {
    let tables = (BOARDS.published)();
    let rows = &tables[0].rows;
    assert_eq!((tables.len(), rows.len()), (1, 6));
    let gemini = &rows[1];
    assert_eq!(gemini.cells["bb100"].value, gemini.cells["per_hand"].value);
    let (low, _) = gemini.cells["per_hand"].interval.unwrap();
    assert!(low > 0.0, "the one of six that differs from zero");
    let (low, high) = rows[0].cells["per_hand"].interval.unwrap();
    assert!(low < 0.0 && high > 0.0);
}

/// A table: hands, and what each model won there in all.
type Totals = (u32, [i64; 6]);

/// The ten tables, from the statistics files.
fn totals() -> Vec<Totals> {
    cases(include_str!("tests/totals.jsonl"))
}

/// What is printed of each model.
fn rows() -> Vec<(String, Numbers)> {
    let mut rows = Vec::new();
    Condition::read(PUBLISHED, |row, numbers| rows.push((row.name.clone(), numbers.clone())));
    rows
}

/// Winnings per hand of a model over the first `tables` tables: the mean over tables, and its sample deviation.
fn winnings(model: usize, tables: usize) -> Option<Spread> {
    let per_hand = totals()
        .iter()
        .take(tables)
        .map(|(hands, totals)| Some(*totals.get(model)? as f64 / f64::from(*hands)))
        .collect::<Option<Vec<f64>>>()?;
    Spread::of(&per_hand)
}

/// Tables 1 to 7 alone: as published, with sample deviation, and corrected (ARCHITECTURE.md, rule 36).
#[rustfmt::skip]
const FIRST_SEVEN: [((f64, f64), f64); 6] = [
    ((10.1, 42.3), 19.1), ((33.4, 47.0), 25.3), ((23.2, 79.5), 28.8),
    ((-23.8, 93.7), -26.3), ((-17.7, 87.8), -20.5), ((-25.3, 98.5), -26.4),
];

fn printed(value: f64, places: f64) -> f64 {
    (value * places).round() / places
}

#[test]
fn hands_and_chips_add_up() {
    assert_eq!(totals().iter().map(|(hands, _)| hands).sum::<u32>(), 5005);
    let sums: Vec<i64> = totals().iter().map(|(_, won)| won.iter().sum()).collect();
    // An odd chip of a split pot vanished at two tables.
    assert_eq!(sums, [0, 0, 0, 0, 0, 0, 0, -1, 0, -1]);
    for (_, row) in rows() {
        // Means over tables, and shares over all hands: the tables are about equally long.
        assert!((100.0 * row["folds"] / 5005.0 - row["folded"]).abs() < 0.1);
        assert!((100.0 * row["played"] / 5005.0 - row["vpip"]).abs() < 0.1);
    }
}

#[test]
fn means_and_deviations_follow_from_the_tables() {
    for (model, (name, row)) in rows().iter().enumerate() {
        let found = winnings(model, 10).expect("every model has tables");
        assert_eq!(printed(found.mean, 10.0), row["per_hand"], "{name}");
        let deviation = found.deviation.expect("of several tables");
        // GPT-5's 71.35 is printed both ways.
        assert!((deviation - row["per_hand_sd"]).abs() <= 0.051, "{name} {deviation}");
        let ((mean, sd), _) = FIRST_SEVEN[model];
        let found = winnings(model, 7).expect("every model has tables");
        assert_eq!(printed(found.mean, 10.0), mean, "{name}, tables 1 to 7");
        // Grok's 42.25 was rounded up.
        assert!((found.deviation.expect("of several tables") - sd).abs() <= 0.053, "{name}");
    }
}

/// Specification 4.h.6: t = mean / (sd / √10); only one of six lies beyond 2.26, the 5 % point for nine degrees.
#[test]
fn one_mean_of_six_differs_from_zero() {
    let t = |row: &Numbers| row["per_hand"] / (row["per_hand_sd"] / 10.0_f64.sqrt());
    let found: Vec<f64> = rows().iter().map(|(_, row)| printed(t(row), 100.0)).collect();
    assert_eq!(found, [1.65, 2.37, 0.98, -0.93, -0.98, -1.13]);
    assert_eq!(found.iter().filter(|t| t.abs() > 2.26).count(), 1);
}

#[test]
fn trimmed_means_leave_out_two_at_each_end() {
    for (model, (name, row)) in rows().iter().enumerate() {
        let mut means: Vec<f64> =
            totals().iter().map(|(hands, won)| won[model] as f64 / f64::from(*hands)).collect();
        means.sort_by(f64::total_cmp);
        let middle = &means[2..8];
        let mean = middle.iter().sum::<f64>() / 6.0;
        let squares: f64 = middle.iter().map(|one| (one - mean).powi(2)).sum();
        assert_eq!(printed(mean, 10.0), row["trimmed"], "{name}");
        assert!(((squares / 6.0).sqrt() - row["trimmed_sd"]).abs() <= 0.051);
    }
}

/// What is returned to one was taken from another, so the correction changes the order: Gemini led, Grok leads.
#[test]
fn the_correction_changes_who_leads() {
    let rows = rows();
    let first = |number: &str| {
        let best = rows.iter().max_by(|one, other| one.1[number].total_cmp(&other.1[number]));
        best.map(|(name, _)| name.as_str())
    };
    assert_eq!(first("per_hand"), Some("Gemini"));
    assert_eq!(first("corrected"), Some("Grok"));
    let sum: f64 = rows.iter().map(|(_, row)| row["corrected"]).sum();
    assert!(sum.abs() < 0.4, "chips are moved, not made: {sum}");
}
