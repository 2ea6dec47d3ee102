//! Every row has columns that exist, a source, and what was found about it.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::benchmark::default_spec;
use crate::board::column::columns;
use crate::registry;
use crate::wire::boards::BoardId;

#[test]
fn every_number_has_its_column_and_every_row_its_source() {
    let mut names = BTreeSet::new();
    let mut count = 0;
    for condition in conditions() {
        assert!(names.insert(condition.name.clone()), "{}", condition.name);
        let id = BoardId::Paper(condition.name.clone());
        assert_eq!(id.to_string().parse(), Ok(id));
        registry::find(condition.benchmark).unwrap();
        let keys: Vec<&str> = columns(condition.benchmark)
            .unwrap()
            .iter()
            .map(|column| column.key)
            .collect();
        for row in &condition.rows {
            count += 1;
            assert!(
                row.cells.contains_key(keys[0]),
                "{} {}",
                condition.name,
                row.name
            );
            assert!(!row.source.is_empty());
            for (key, cell) in &row.cells {
                assert!(keys.contains(key), "{key}");
                let (low, high) = cell.interval.unwrap_or((cell.value, cell.value));
                assert!(
                    low <= cell.value && cell.value <= high,
                    "{} {key}",
                    row.name
                );
            }
        }
        let rows: BTreeSet<&str> = condition.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(rows.len(), condition.rows.len(), "{}", condition.name);
    }
    // Tables 2, 3, 4 and A2; poker; trust; Tables 3 to 6.
    assert_eq!(count, (17 + 4) + 3 * 8 + 2 * 4 + 5 * 4 + 6 + 8 + 34);
}

#[test]
fn a_spec_finds_the_rows_of_its_condition() {
    let of = |benchmark: &str, settings: serde_json::Value| {
        let mut spec = default_spec(registry::find(benchmark).unwrap());
        for (key, value) in settings.as_object().unwrap() {
            spec.settings[key] = value.clone();
        }
        beside(&spec).map(|condition| condition.name)
    };
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(of("interactcomp", json!({})), some("interactcomp-full"));
    assert_eq!(
        of("interactcomp", json!({ "rounds": 20 })),
        some("interactcomp-full-20")
    );
    assert_eq!(of("interactcomp", json!({ "rounds": 7 })), None);
    assert_eq!(of("interactcomp", json!({ "rounds": [5, 10] })), None);
    assert_eq!(
        of("interactcomp", json!({ "mode": "full_with_context" })),
        some("interactcomp-full-with-context")
    );
    assert_eq!(
        of(
            "interactcomp",
            json!({ "mode": "forced_ask", "min_asks": 8, "rounds": 20 })
        ),
        some("interactcomp-forced-8")
    );
    assert_eq!(of("interactcomp", json!({ "mode": "ask_only" })), None);
    assert_eq!(of("paraworld", json!({})), some("paraworld-c"));
    assert_eq!(
        of("paraworld", json!({ "setting": "B-few-shot" })),
        some("paraworld-b-few-shot")
    );
    assert_eq!(of("paraworld", json!({ "setting": "control" })), None);
    assert_eq!(of("poker", json!({})), some("poker-ten-tables"));
    assert_eq!(of("trust", json!({})), some("trust-tournament"));
    assert_eq!(of("worlds", json!({})), None);
}

/// Percentages are printed with two decimals, and come back with them.
#[test]
fn printed_numbers_are_told_as_printed() {
    let full = condition("interactcomp-full").unwrap();
    let row = full.rows.iter().find(|row| row.name == "GPT-5").unwrap();
    assert_eq!(row.cells["accuracy"].value, 0.1373);
    assert_eq!(row.cells["accuracy"].interval, None);
    let row = full.rows.iter().find(|row| row.name == "GLM-4.5").unwrap();
    assert_eq!(
        (row.n, row.cells["interaction_rate"].value),
        (Some(630), 0.0025)
    );
    // 45 of 630.
    let (low, high) = row.cells["accuracy"].interval.unwrap();
    assert_eq!(format!("{low:.4} {high:.4}"), "0.0538 0.0942");
    let poker = condition("poker-ten-tables").unwrap();
    let gemini = &poker.rows[1];
    assert_eq!(gemini.cells["bb100"].value, gemini.cells["per_hand"].value);
    let (low, _) = gemini.cells["per_hand"].interval.unwrap();
    assert!(low > 0.0, "the one of six that differs from zero");
    let (low, high) = poker.rows[0].cells["per_hand"].interval.unwrap();
    assert!(low < 0.0 && high > 0.0);
}
