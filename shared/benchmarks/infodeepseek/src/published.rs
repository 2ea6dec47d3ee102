//! What the paper printed, and boards beside it (9).

use std::collections::BTreeMap;

use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper};
use turnwise_core::board::{self, Boards};
use turnwise_core::prelude::*;

use crate::numbers::{ACCURACY, BY_ATTRIBUTE, EEU, IA, IC, INTERFERENCE, SEPARATE, UNIFIED};
use crate::settings::{Language, Mode, Settings, USUAL};

pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "InfoDeepSeek: Benchmarking Agentic Information Seeking for Retrieval-Augmented Generation",
        authors: "Yunjia Xi, Jianghao Lin, Menghui Zhu et al.",
        year: 2025,
        address: "https://arxiv.org/abs/2505.15872",
    }),
    published: || Condition::read_all(PUBLISHED, |_, _| ()),
    beside,
    by_part: board::no_parts,
};

const COLUMNS: &[Column] = &[
    Column::of(&ACCURACY),
    Column::of(IA[0]).at("ia_1"),
    Column::of(IA[1]).at("ia_2").on_wish(),
    Column::of(IA[2]).at("ia_3").on_wish(),
    Column::of(IA[3]).at("ia_4").on_wish(),
    Column::of(IA[4]).at("ia_5"),
    Column::of(&EEU),
    Column::of(&IC),
    Column::of(&INTERFERENCE),
    Column::of(BY_ATTRIBUTE[0]).at("multi_hop").on_wish(),
    Column::of(BY_ATTRIBUTE[1]).at("long_tail").on_wish(),
    Column::of(BY_ATTRIBUTE[2]).at("time_sensitive").on_wish(),
    Column::of(BY_ATTRIBUTE[3]).at("freshness").on_wish(),
    Column::of(BY_ATTRIBUTE[4]).at("distracting_info").on_wish(),
    Column::of(BY_ATTRIBUTE[5]).at("false_premise").on_wish(),
    Column::of_papers(&UNIFIED).on_wish(),
    Column::of_papers(&SEPARATE).on_wish(),
    COST,
    LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let steps = board::setting(spec, "steps").unwrap_or_default();
    let Ok(all) = Settings::of(spec) else {
        return Vec::new();
    };
    let Some(Settings { mode, language, pages, .. }) = all.first() else {
        return Vec::new();
    };
    let mut words = vec![mode.name().replace('_', " "), language.name().to_owned()];
    if *mode == Mode::Agent {
        words.extend([format!("{steps} steps"), format!("{pages} pages")]);
    }
    words
}

/// The table whose setting a spec has, as far as the paper says its setting.
fn beside(spec: &Spec) -> Option<String> {
    let all = Settings::of(spec).ok()?;
    let [Settings { mode: Mode::Agent, language, steps: USUAL, pages: USUAL, .. }] = &all[..]
    else {
        return None;
    };
    let engine = spec.search.as_ref().map_or("", |search| search.engine.as_str());
    let is_first = engine.contains("duckduckgo") || engine.contains("local");
    let number = match (language, is_first) {
        (Language::Zh, true) => 3,
        (Language::Zh, false) => 4,
        _ => 15,
    };
    Some(format!("infodeepseek-table-{number}"))
}

const PUBLISHED: &str = include_str!("../published/tables.toml");

/// ACC of Table 10 by steps, a curve a model.
pub(crate) fn curves_by_steps() -> Vec<Curve> {
    let mut curves: BTreeMap<String, Vec<Point>> = BTreeMap::new();
    Condition::read_all(PUBLISHED, |row, numbers| {
        let steps = row.name.split_once(", ").filter(|_| row.source.starts_with("Table 10,"));
        let steps = steps
            .and_then(|(model, steps)| Some((model, steps.strip_suffix(" steps")?.parse().ok()?)));
        if let Some((model, steps)) = steps {
            let point = Point::at(steps, numbers["accuracy"] / 100.0);
            curves.entry(model.to_owned()).or_default().push(point);
        }
    });
    curves.into_iter().map(|(model, points)| Curve::new(model, points)).collect()
}

#[cfg(test)]
mod tests {
    use turnwise_core::board::published::PaperRow;

    use super::*;

    /// Rates of 245 (Table 18: 105) questions are printed to two digits, and each EEU is the best IA@k by ACC.
    #[test]
    fn published_numbers_are_consistent_with_each_other() {
        let mut checked = 0;
        for condition in (BOARDS.published)() {
            for row in &condition.rows {
                let cell = |key: &str| row.cells.get(key).map(|cell| cell.value);
                let Some(n) = row.n else { continue };
                let count = |key: &str| {
                    let share = cell(key)?;
                    let count = (share * f64::from(n)).round();
                    let is_one = (count / f64::from(n) - share).abs() < 1e-4;
                    assert!(is_one, "{} {key}", row.source);
                    Some(count)
                };
                let best = ["ia_1", "ia_2", "ia_3", "ia_4", "ia_5"].into_iter().filter_map(count);
                let best = best.fold(0.0, f64::max);
                if let Some(accuracy) = count("accuracy") {
                    let eeu = cell("eeu").expect("it has one");
                    assert!((best / accuracy - eeu).abs() < 6e-4, "{}", row.source);
                    checked += 1;
                }
            }
        }
        assert_eq!(checked, 37);
    }

    #[test]
    fn every_table_is_there_with_all_its_cells() {
        let names: Vec<String> = (BOARDS.published)().into_iter().map(|one| one.name).collect();
        let expected =
            [3, 4].into_iter().chain(6..=18).map(|at| format!("infodeepseek-table-{at}"));
        assert_eq!(names, expected.collect::<Vec<_>>());
        for condition in (BOARDS.published)() {
            let cells = &condition.rows[0].cells;
            assert!(!cells.is_empty(), "{}", condition.name);
            let is_whole = |row: &PaperRow| row.cells.keys().eq(cells.keys());
            assert!(condition.rows.iter().all(is_whole), "{}", condition.name);
        }
        let curves = curves_by_steps();
        assert_eq!(curves.iter().map(|curve| curve.points.len()).collect::<Vec<_>>(), [5, 5]);
    }
}
