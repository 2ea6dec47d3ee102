//! What the paper printed, and boards beside it (9).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper, PaperRow, percent, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::metric::Better::More;
use turnwise_core::prelude::*;

use crate::numbers::{ACCURACY, BY_ATTRIBUTE, EEU, IA, IC, INTERFERENCE};
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
    published: || PUBLISHED.table.iter().map(Table::condition).collect(),
    beside,
    by_part: board::no_parts,
};

const UNIFIED: Metric = metric(
    "judge_unified",
    "Judge as people, one prompt",
    Unit::Fraction,
    More,
    "Share of answers that a judge with one prompt for all questions judged as people did.",
);
const SEPARATE: Metric = metric(
    "judge_separate",
    "Judge as people, two prompts",
    Unit::Fraction,
    More,
    "The same with a prompt of its own for false premises.",
);

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

#[derive(Debug, Deserialize)]
struct Published {
    table: Vec<Table>,
}

/// A table as it is printed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    title: String,
    printed: String,
    n: Option<u32>,
    fixed: Vec<[String; 2]>,
    remarks: Vec<String>,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    #[serde(default)]
    notes: Vec<[String; 2]>,
}

static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    toml::from_str(include_str!("../published/tables.toml"))
        .expect("a test reads the published tables")
});

impl Table {
    fn condition(&'static self) -> Condition {
        let row = |row: &Vec<String>| {
            let cell = |(column, text): (&String, &String)| {
                let value: f64 = text.parse().expect("a test reads the published tables");
                let column = COLUMNS.iter().find(|known| known.key == *column)?;
                let decimals = text.split_once('.').map_or(0, |(_, after)| after.len());
                let decimals = u8::try_from(decimals).unwrap_or(u8::MAX);
                let cell = match column.metric.unit {
                    Unit::Fraction => percent(value, decimals),
                    _ => plain(value, decimals),
                };
                Some((column.key, cell))
            };
            let notes = self.notes.iter().filter(|[of, _]| *of == row[0]);
            PaperRow {
                name: row[0].clone(),
                source: format!("{}, {}", self.printed, row[0]),
                n: self.n,
                cells: self.columns.iter().zip(&row[1..]).filter_map(cell).collect(),
                notes: notes.map(|[_, note]| note.as_str()).collect(),
            }
        };
        let rows = self.rows.iter().map(row).collect();
        let fixed = self.fixed.iter().map(|[name, value]| (name.as_str(), value.clone()));
        let (name, title, fixed) = (self.name.clone(), self.title.clone(), fixed.collect());
        Condition { name, title, fixed, remarks: self.remarks.clone(), rows }
    }
}

/// ACC of Table 10 by steps, a curve a model.
pub(crate) fn curves_by_steps() -> Vec<Curve> {
    let mut curves: BTreeMap<String, Vec<Point>> = BTreeMap::new();
    let table = PUBLISHED.table.iter().find(|table| table.printed == "Table 10");
    for row in table.into_iter().flat_map(|table| &table.rows) {
        let read = || {
            let (model, steps) = row[0].split_once(", ")?;
            let steps = steps.strip_suffix(" steps")?.parse().ok()?;
            Some((model.to_owned(), Point::at(steps, row[1].parse::<f64>().ok()? / 100.0)))
        };
        if let Some((model, point)) = read() {
            curves.entry(model).or_default().push(point);
        }
    }
    curves.into_iter().map(|(model, points)| Curve::new(model, points)).collect()
}

#[cfg(test)]
mod tests {
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
        for table in &PUBLISHED.table {
            assert!(
                table.rows.iter().all(|row| row.len() == table.columns.len() + 1),
                "{}",
                table.name
            );
            let known = |note: &[String; 2]| table.rows.iter().any(|row| row[0] == note[0]);
            assert!(table.notes.iter().all(known), "{}", table.name);
            let condition = table.condition();
            assert!(condition.rows.iter().all(|row| !row.cells.is_empty()), "{}", condition.name);
        }
        let curves = curves_by_steps();
        assert_eq!(curves.iter().map(|curve| curve.points.len()).collect::<Vec<_>>(), [5, 5]);
    }
}
