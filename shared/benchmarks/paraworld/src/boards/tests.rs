use serde_json::json;
use turnwise_core::benchmark::default_spec;

use super::*;
use crate::ParaWorld;

fn condition(name: &str) -> Condition {
    let mut all = (BOARDS.published)().into_iter();
    all.find(|condition| condition.name == name).expect("it is printed")
}

/// The rows beside which a run with these settings stands.
fn beside(settings: serde_json::Value) -> Option<String> {
    let mut spec = default_spec(&ParaWorld);
    for (key, value) in settings.as_object().expect("settings") {
        spec.settings[key] = value.clone();
    }
    (BOARDS.beside)(&spec)
}

#[test]
fn a_spec_finds_the_rows_of_its_condition() {
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(beside(json!({})), some("paraworld-c"));
    assert_eq!(beside(json!({ "setting": "B-few-shot" })), some("paraworld-b-few-shot"));
    assert_eq!(beside(json!({ "setting": "control" })), None);
    // The paper's players had 32 turns, and one search in each; who searches nothing needs no turns.
    assert_eq!(beside(json!({ "turns": 2 })), None);
    assert_eq!(beside(json!({ "parallel": true })), None);
    let oracle = json!({ "setting": "A", "turns": 2 });
    assert_eq!(beside(oracle), some("paraworld-a"));
}

const TIERS: [&str; 3] = ["easy", "mid", "hard"];

/// How many worlds each tier has, by what a row says of them.
fn sizes(row: &PaperRow) -> [f64; 3] {
    match row.notes[0] {
        EARLIER_FACTS => [564.0, 623.0, 421.0],
        _ => [568.0, 619.0, 421.0],
    }
}

fn rows() -> impl Iterator<Item = PaperRow> {
    conditions().into_iter().flat_map(|one| one.rows)
}

/// Specification 9: all four numbers of every tier and of all, where something is searched, and pass@1 where nothing is.
#[test]
fn every_printed_number_has_its_cell() {
    let counts = conditions().into_iter().map(|one| (one.rows.len(), one.rows[0].cells.len()));
    assert_eq!(counts.collect::<Vec<_>>(), [(12, 16), (7, 16), (7, 16), (8, 4)]);
    assert!(
        rows().all(|row| TIERS.iter().all(|tier| row.cells.contains_key(&*format!("pass_{tier}"))))
    );
    let unguided = condition("paraworld-c");
    let gpt = unguided.rows.iter().find(|row| row.name == "GPT-5");
    let hard = ["pass_hard", "fcr_hard", "hit_hard", "calls_hard"];
    assert_eq!(hard.map(|key| gpt.unwrap().cells[key].value), [0.2209, 0.084, 0.083, 9.91]);
}

/// What is printed over all worlds follows from what is printed of the tiers, weighted by their sizes, as the specification
/// says of all 26 rows with searches: so no number sits in the wrong column.
#[test]
fn numbers_of_tiers_make_those_over_all() {
    for row in rows().filter(|row| row.cells.contains_key("fcr")) {
        for (all, tiers, slack) in [
            ("pass_at_1", "pass", 0.0002),
            ("fcr", "fcr", 0.0011),
            ("hit_rate", "hit", 0.0011),
            ("calls", "calls", 0.011),
        ] {
            let tier = |tier: &str| row.cells[format!("{tiers}_{tier}").as_str()].value;
            let sum: f64 = TIERS.iter().zip(sizes(&row)).map(|(name, n)| tier(name) * n).sum();
            let mean = sum / 1608.0;
            assert!((mean - row.cells[all].value).abs() < slack, "{} {all}: {mean}", row.name);
        }
    }
}

/// Specification 2.3: the printed percentages are fractions of the tiers of one split, the row's own, and of all 1,608 worlds.
#[test]
fn pass_at_1_of_every_row_fits_one_split() {
    let fits = |row: &PaperRow, [easy, mid, hard]: [f64; 3]| {
        let right = |key: &str, n: f64| {
            let printed = row.cells[key].value;
            let right = (printed * n).round();
            ((right / n - printed).abs() < 0.5001e-4).then_some(right)
        };
        let sum = (|| {
            Some(right("pass_easy", easy)? + right("pass_mid", mid)? + right("pass_hard", hard)?)
        })();
        sum.is_some_and(|sum| (sum / 1608.0 - row.cells["pass_at_1"].value).abs() < 0.5001e-4)
    };
    for row in rows() {
        let splits = [[564.0, 623.0, 421.0], [568.0, 619.0, 421.0]];
        let fitting: Vec<_> = splits.into_iter().filter(|split| fits(&row, *split)).collect();
        assert_eq!(fitting, [sizes(&row)], "{}", row.name);
    }
    let of_earlier =
        |one: Condition| one.rows.iter().filter(|row| row.notes[0] == EARLIER_FACTS).count();
    assert_eq!(conditions().into_iter().map(of_earlier).collect::<Vec<_>>(), [2, 4, 7, 8]);
}
