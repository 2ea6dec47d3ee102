mod published;

use serde_json::json;
use turnwise_core::benchmark::default_spec;

use super::*;
use crate::InteractComp;

fn condition(name: &str) -> Condition {
    let mut all = (BOARDS.published)().into_iter();
    all.find(|condition| condition.name == name).expect("it is printed")
}

/// The rows beside which a run with these settings stands.
fn beside(settings: serde_json::Value) -> Option<String> {
    let mut spec = default_spec(&InteractComp);
    for (key, value) in settings.as_object().expect("settings") {
        spec.settings[key] = value.clone();
    }
    (BOARDS.beside)(&spec)
}

/// Tables 2, 3, 4 and A2.
#[test]
fn every_printed_row_is_there() {
    let conditions = (BOARDS.published)().into_iter();
    let rows: usize = conditions.map(|condition| condition.rows.len()).sum();
    assert_eq!(rows, 17 + 3 * 8 + 3 * 4 + 5 * 4);
}

#[test]
fn a_spec_finds_the_rows_of_its_condition() {
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(beside(json!({})), some("interactcomp-full"));
    assert_eq!(beside(json!({ "rounds": 20 })), some("interactcomp-full-20"));
    assert_eq!(beside(json!({ "rounds": 7 })), None);
    assert_eq!(beside(json!({ "rounds": [5, 10] })), None);
    assert_eq!(
        beside(json!({ "mode": "full_with_context" })),
        some("interactcomp-full-with-context")
    );
    assert_eq!(
        beside(json!({ "mode": "forced_ask", "min_asks": 8, "rounds": 20 })),
        some("interactcomp-forced-8")
    );
    assert_eq!(beside(json!({ "mode": "ask_only" })), None);
    // Table 3 has ten rounds, and one where nothing can be done but answer.
    for mode in ["search_only", "full_with_context"] {
        for rounds in [json!(20), json!([10, 20])] {
            let settings = json!({ "mode": mode, "rounds": rounds });
            assert_eq!(beside(settings.clone()), None, "{settings}");
        }
    }
    assert_eq!(
        beside(json!({ "mode": "answer_only", "rounds": 5 })),
        some("interactcomp-answer-only")
    );
    let sweep = json!({ "mode": "forced_ask", "min_asks": 8, "rounds": [10, 20] });
    assert_eq!(beside(sweep), None);
}

/// Percentages are printed with two decimals, and come back with them.
#[test]
fn printed_numbers_are_told_as_printed() {
    let full = condition("interactcomp-full");
    let row = full.rows.iter().find(|row| row.name == "GPT-5").unwrap();
    assert_eq!(row.cells["accuracy"].value, 0.1373);
    assert_eq!(row.cells["accuracy"].interval, None);
    let row = full.rows.iter().find(|row| row.name == "GLM-4.5").unwrap();
    assert_eq!((row.n, row.cells["interaction_rate"].value), (Some(630), 0.0025));
    // 45 of 630.
    let (low, high) = row.cells["accuracy"].interval.unwrap();
    assert_eq!(format!("{low:.4} {high:.4}"), "0.0538 0.0942");
}
