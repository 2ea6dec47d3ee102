//! What the paper says of 5,005 hands at ten tables, as data (specification 4.f and 4.h): the totals of each table, from which
//! means and deviations follow, and the corrected row. Chips, percent as printed, milliseconds.

use turnwise_core::metrics::spread::Spread;

/// The six models, in the order of their seats.
pub const MODELS: [&str; 6] = ["Grok", "Gemini", "GPT-5", "Kimi", "DeepSeek", "Qwen3"];

/// The models' names on the wire, as the published logs have them.
pub const SLUGS: [&str; 6] = [
    "x-ai/grok-4.1-fast",
    "google/gemini-3-flash-preview",
    "openai/gpt-5-mini",
    "moonshotai/kimi-k2-0905",
    "deepseek/deepseek-v3.2",
    "qwen/qwen3-max",
];

/// A table: hands, and what each model won there in all.
pub type Totals = (u32, [i64; 6]);

/// The ten tables, from the statistics files.
pub const TABLES: [Totals; 10] = [
    (507, [38_595, 21_825, 68_375, -66_070, -75_000, 12_275]),
    (497, [-11_900, 28_750, -62_030, -51_020, 61_045, 35_155]),
    (498, [2_775, 20_375, 23_735, 50_290, -32_850, -64_325]),
    (486, [-15_595, -16_750, 22_765, -13_250, -5_745, 28_575]),
    (491, [-14_750, 55_600, 16_050, -54_175, -31_150, 28_425]),
    (507, [13_250, 275, -9_930, 35_505, 27_195, -66_295]),
    (518, [25_445, 6_550, 23_255, 17_225, -5_900, -66_575]),
    (490, [1_525, 20_795, 29_090, 37_314, -40_725, -48_000]),
    (509, [40_530, 28_725, 26_720, -87_050, -14_300, 5_375]),
    (502, [63_062, -7_450, -26_390, -11_113, 1_875, -19_985]),
];

/// What is printed of one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Winnings per hand over ten tables: mean, sample deviation.
    pub winnings: (f64, f64),
    /// The same over the six tables in the middle, with the population deviation.
    pub trimmed: (f64, f64),
    /// The mean with the uncalled part of wrongly settled hands returned, and its sample deviation: a lower bound of the
    /// correction (ARCHITECTURE.md, rule 36).
    pub corrected: (f64, f64),
    /// Percent, as the authors' program counts it.
    pub vpip: f64,
    /// Percent of hands.
    pub folded: f64,
    /// Mean time of a decision in milliseconds.
    pub latency: f64,
    /// Hands folded and hands played of one's own will, of 5,005.
    pub counts: (u32, u32),
}

const fn row(
    winnings: (f64, f64),
    trimmed: (f64, f64),
    corrected: (f64, f64),
    [vpip, folded, latency]: [f64; 3],
    counts: (u32, u32),
) -> Row {
    Row { winnings, trimmed, corrected, vpip, folded, latency, counts }
}

/// The rows, in the order of [`MODELS`].
#[rustfmt::skip]
pub const ROWS: [Row; 6] = [
    row((27.9, 53.5), (22.7, 32.7), (31.2, 40.2), [14.8, 80.0, 8672.0], (4002, 741)),
    row((31.8, 42.4), (32.7, 19.4), (23.1, 46.5), [14.0, 81.9, 1204.0], (4099, 701)),
    row((22.2, 71.4), (34.2, 24.8), (24.3, 61.9), [23.7, 71.4, 17802.0], (3572, 1186)),
    row((-28.3, 96.7), (-26.5, 65.5), (-23.0, 89.0), [19.3, 80.3, 2949.0], (4018, 963)),
    row((-23.2, 75.2), (-29.5, 26.5), (-19.9, 72.9), [9.0, 90.5, 5728.0], (4527, 452)),
    row((-30.4, 84.8), (-28.9, 66.7), (-35.6, 83.7), [13.9, 87.3, 2945.0], (4372, 696)),
];

/// Winnings per hand of a model over the first so many tables: the mean over tables, and its sample deviation.
pub fn winnings(model: usize, tables: usize) -> Option<Spread> {
    let per_hand = TABLES
        .iter()
        .take(tables)
        .map(|(hands, totals)| Some(*totals.get(model)? as f64 / f64::from(*hands)))
        .collect::<Option<Vec<f64>>>()?;
    Spread::of(&per_hand)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(TABLES.iter().map(|(hands, _)| hands).sum::<u32>(), 5005);
        let sums: Vec<i64> = TABLES.iter().map(|(_, won)| won.iter().sum()).collect();
        // An odd chip of a split pot vanished at two tables.
        assert_eq!(sums, [0, 0, 0, 0, 0, 0, 0, -1, 0, -1]);
        for row in ROWS {
            let (folds, vpip) = row.counts;
            // Means over tables, and shares over all hands: the tables are about equally long.
            assert!((100.0 * f64::from(folds) / 5005.0 - row.folded).abs() < 0.1);
            assert!((100.0 * f64::from(vpip) / 5005.0 - row.vpip).abs() < 0.1);
        }
    }

    #[test]
    fn means_and_deviations_follow_from_the_tables() {
        for (model, row) in ROWS.iter().enumerate() {
            let found = winnings(model, 10).expect("every model has tables");
            let name = MODELS[model];
            assert_eq!(printed(found.mean, 10.0), row.winnings.0, "{name}");
            let deviation = found.deviation.expect("of several tables");
            // GPT-5's 71.35 is printed both ways.
            assert!((deviation - row.winnings.1).abs() <= 0.051, "{name} {deviation}");
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
        let t = |row: &Row| row.winnings.0 / (row.winnings.1 / 10.0_f64.sqrt());
        let found: Vec<f64> = ROWS.iter().map(|row| printed(t(row), 100.0)).collect();
        assert_eq!(found, [1.65, 2.37, 0.98, -0.93, -0.98, -1.13]);
        assert_eq!(found.iter().filter(|t| t.abs() > 2.26).count(), 1);
    }

    #[test]
    fn trimmed_means_leave_out_two_at_each_end() {
        for (model, row) in ROWS.iter().enumerate() {
            let mut means: Vec<f64> =
                TABLES.iter().map(|(hands, won)| won[model] as f64 / f64::from(*hands)).collect();
            means.sort_by(f64::total_cmp);
            let middle = &means[2..8];
            let mean = middle.iter().sum::<f64>() / 6.0;
            let squares: f64 = middle.iter().map(|one| (one - mean).powi(2)).sum();
            assert_eq!(printed(mean, 10.0), row.trimmed.0, "{}", MODELS[model]);
            assert!(((squares / 6.0).sqrt() - row.trimmed.1).abs() <= 0.051);
        }
    }

    /// What is returned to one was taken from another, so the correction changes the order: Gemini led, Grok leads.
    #[test]
    fn the_correction_changes_who_leads() {
        let first = |number: fn(&Row) -> f64| {
            let best = ROWS.iter().map(number).fold(f64::MIN, f64::max);
            ROWS.iter().position(|row| number(row) == best).map(|at| MODELS[at])
        };
        assert_eq!(first(|row| row.winnings.0), Some("Gemini"));
        assert_eq!(first(|row| row.corrected.0), Some("Grok"));
        let sum: f64 = ROWS.iter().map(|row| row.corrected.0).sum();
        assert!(sum.abs() < 0.4, "chips are moved, not made: {sum}");
    }
}
