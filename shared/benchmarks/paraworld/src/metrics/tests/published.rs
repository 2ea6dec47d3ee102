use super::super::published::*;

/// A column, and how far rounding may take it.
type Column = (fn(&Cell) -> f64, f64);

fn printed(percent: f64, computed: f64) -> bool {
    (percent - computed).abs() < 0.005 + 1e-9
}

/// Specification 2.3: whether the printed percentages are fractions of a split's tiers, and of all 1,608.
fn fits(row: &Row, split: Split) -> bool {
    let row = Row { split, ..*row };
    let correct = row.correct();
    let tiers = (0..3).all(|at| {
        let computed = 100.0 * f64::from(correct[at]) / f64::from(split.sizes()[at]);
        printed(row.tiers[at].pass_at_1, computed)
    });
    let all = 100.0 * f64::from(correct.iter().sum::<u32>()) / 1608.0;
    tiers && printed(row.overall.pass_at_1, all)
}

/// Every row fits its own split and not the other.
#[test]
fn pass_at_1_of_every_row_fits_one_split() {
    for split in Split::ALL {
        assert_eq!(split.sizes().iter().sum::<u32>(), 1608);
    }
    for row in rows() {
        let fitting: Vec<Split> =
            Split::ALL.into_iter().filter(|split| fits(row, *split)).collect();
        assert_eq!(fitting, [row.split], "{} {:?}", row.model, row.setting);
    }
    let of_a = |rows: &[Row]| rows.iter().filter(|row| row.split == Split::A).count();
    assert_eq!([of_a(&TABLE_3), of_a(&TABLE_4), of_a(&TABLES_5_AND_6)], [8, 11, 2]);
}

/// Tables 4 to 6: Overall is the mean of the tiers weighted by their sizes, for all columns, within rounding.
#[test]
fn overall_columns_follow_from_tiers() {
    for row in TABLE_4.iter().chain(TABLES_5_AND_6.iter()) {
        let sizes = row.split.sizes().map(f64::from);
        let weighted = |value: fn(&Cell) -> f64| -> f64 {
            row.tiers.iter().zip(sizes).map(|(cell, size)| value(cell) * size).sum::<f64>() / 1608.0
        };
        // Coverage and hit rate have one printed decimal, pass@1 and calls two; the tiers are rounded, too.
        let columns: [Column; 4] = [
            (|cell| cell.pass_at_1, 0.011),
            (|cell| cell.fcr, 0.101),
            (|cell| cell.hit_rate, 0.101),
            (|cell| cell.tool_calls, 0.011),
        ];
        for (value, tolerance) in columns {
            let (found, wanted) = (weighted(value), value(&row.overall));
            assert!(
                (found - wanted).abs() < tolerance,
                "{} {:?}: {found} {wanted}",
                row.model,
                row.setting
            );
        }
    }
}

#[test]
fn g16_fractions() {
    let row = |model: &str, setting: Setting| {
        *rows().find(|row| row.model == model && row.setting == setting).unwrap()
    };
    assert_eq!(row("MindWatcher 32B", Setting::Unguided).correct(), [322, 223, 75]);
    assert_eq!(row("Qwen3-32B", Setting::Oracle).correct(), [535, 568, 361]);
    assert_eq!(row("Qwen3-32B", Setting::Oracle).overall.pass_at_1, 91.04);
    assert_eq!(rows().count(), 34);
}
