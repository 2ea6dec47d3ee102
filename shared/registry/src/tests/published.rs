//! Every row has columns that exist, a source, and what was found about it.

use std::collections::BTreeSet;

use serde_json::json;

use super::of;
use crate::benchmark::Benchmark;
use crate::benchmark::default_spec;
use crate::board::published::*;
use crate::registry;
use crate::registry::BENCHMARKS;
use crate::spec::Spec;
use crate::wire::boards::BoardId;

fn named() -> Vec<(&'static dyn Benchmark, Condition)> {
    let of = |benchmark: &&'static dyn Benchmark| {
        let published = benchmark.boards().map(|boards| (boards.published)());
        let benchmark = *benchmark;
        let published = published.unwrap_or_default().into_iter();
        published.map(move |condition| (benchmark, condition))
    };
    BENCHMARKS.iter().flat_map(of).collect()
}

/// What papers printed under all conditions.
pub(super) fn conditions() -> Vec<Condition> {
    named()
        .into_iter()
        .map(|(_, condition)| condition)
        .collect()
}

fn condition(name: &str) -> Option<Condition> {
    let mut all = conditions().into_iter();
    all.find(|condition| condition.name == name)
}

fn beside(spec: &Spec) -> Option<String> {
    (of(spec).boards()?.beside)(spec)
}

#[test]
fn every_number_has_its_column_and_every_row_its_source() {
    let mut names = BTreeSet::new();
    let mut count = 0;
    for (benchmark, condition) in named() {
        assert!(names.insert(condition.name.clone()), "{}", condition.name);
        let id = BoardId::Paper(condition.name.clone());
        assert_eq!(id.to_string().parse(), Ok(id));
        let boards = benchmark.boards().unwrap();
        let keys: Vec<&str> = boards.columns.iter().map(|column| column.key).collect();
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
    // Tables 2, 3, 4 and A2; poker; trust; Tables 3 to 6; puzzles with and without interaction; Math.
    assert_eq!(count, 17 + 3 * 8 + 3 * 4 + 5 * 4 + 6 + 8 + 34 + 2 * 6 + 6);
}

/// One run over fifty questions says less than three over 210: they are not ordered together.
#[test]
fn rows_of_a_condition_are_over_about_as_many_questions() {
    for condition in conditions() {
        let counts = || condition.rows.iter().filter_map(|row| row.n);
        let (least, most) = (counts().min(), counts().max());
        assert!(most <= least.map(|n| n * 2), "{}", condition.name);
    }
}

#[test]
fn a_spec_finds_the_rows_of_its_condition() {
    let of = |benchmark: &str, settings: serde_json::Value| {
        let mut spec = default_spec(registry::find(benchmark).unwrap());
        for (key, value) in settings.as_object().unwrap() {
            spec.settings[key] = value.clone();
        }
        beside(&spec)
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
    // Table 3 has ten rounds, and one where nothing can be done but answer.
    for mode in ["search_only", "full_with_context"] {
        for rounds in [json!(20), json!([10, 20])] {
            let settings = json!({ "mode": mode, "rounds": rounds });
            assert_eq!(of("interactcomp", settings.clone()), None, "{settings}");
        }
    }
    assert_eq!(
        of(
            "interactcomp",
            json!({ "mode": "answer_only", "rounds": 5 })
        ),
        some("interactcomp-answer-only")
    );
    let sweep = json!({ "mode": "forced_ask", "min_asks": 8, "rounds": [10, 20] });
    assert_eq!(of("interactcomp", sweep), None);
    assert_eq!(of("paraworld", json!({})), some("paraworld-c"));
    assert_eq!(
        of("paraworld", json!({ "setting": "B-few-shot" })),
        some("paraworld-b-few-shot")
    );
    assert_eq!(of("paraworld", json!({ "setting": "control" })), None);
    // The paper's players had 32 turns, and one search in each; who searches nothing needs no turns.
    assert_eq!(of("paraworld", json!({ "turns": 2 })), None);
    let beside = json!({ "parallel": true });
    assert_eq!(of("paraworld", beside), None);
    let oracle = json!({ "setting": "A", "turns": 2 });
    assert_eq!(of("paraworld", oracle), some("paraworld-a"));
    assert_eq!(of("poker", json!({})), some("poker-ten-tables"));
    assert_eq!(of("trust", json!({})), some("trust-tournament"));
    assert_eq!(of("worlds", json!({})), None);
}

/// Specification 9: all four numbers of every tier and of all, where something is searched, and pass@1 where nothing is.
#[test]
fn every_printed_number_of_paraworld_has_its_cell() {
    use crate::benchmarks::paraworld::metrics::published::{Setting, rows};
    let mut count = 0;
    for row in rows() {
        let name = match row.setting {
            Setting::Oracle => "paraworld-a",
            Setting::FewShot => "paraworld-b-few-shot",
            Setting::Guidance => "paraworld-b-guidance",
            Setting::Unguided => "paraworld-c",
        };
        let condition = condition(name).unwrap();
        let found = condition.rows.iter().find(|one| one.name == row.model);
        let found = &found.unwrap().cells;
        let [easy, mid, hard] = row.tiers;
        for (printed, [pass, fcr, hit, calls]) in [
            (row.overall, ["pass_at_1", "fcr", "hit_rate", "calls"]),
            (easy, ["pass_easy", "fcr_easy", "hit_easy", "calls_easy"]),
            (mid, ["pass_mid", "fcr_mid", "hit_mid", "calls_mid"]),
            (hard, ["pass_hard", "fcr_hard", "hit_hard", "calls_hard"]),
        ] {
            let mut holds = |key: &str, number: f64| {
                assert_eq!(found[key].value, number, "{name} {} {key}", row.model);
                count += 1;
            };
            holds(pass, percent(printed.pass_at_1, 2).value);
            match row.setting {
                Setting::Oracle => {
                    assert!([fcr, hit, calls].iter().all(|key| !found.contains_key(key)));
                }
                _ => {
                    holds(fcr, percent(printed.fcr, 2).value);
                    holds(hit, percent(printed.hit_rate, 2).value);
                    holds(calls, printed.tool_calls);
                }
            }
        }
    }
    // Tables 3, 4, 5 and 6.
    assert_eq!(count, 8 * 4 + (14 + 12) * 16);
    let unguided = condition("paraworld-c").unwrap();
    let gpt = unguided.rows.iter().find(|row| row.name == "GPT-5");
    let hard = ["pass_hard", "fcr_hard", "hit_hard", "calls_hard"];
    assert_eq!(
        hard.map(|key| gpt.unwrap().cells[key].value),
        [0.2209, 0.084, 0.083, 9.91]
    );
}

/// What is printed over all worlds follows from what is printed of the tiers, weighted by their sizes, as the specification
/// says of all 26 rows with searches: so no number sits in the wrong column.
#[test]
fn numbers_of_tiers_make_those_over_all() {
    use crate::benchmarks::paraworld::metrics::published::{Setting, rows};
    for row in rows().filter(|row| row.setting != Setting::Oracle) {
        let found = named()
            .into_iter()
            .filter(|(benchmark, _)| benchmark.name() == "paraworld")
            .flat_map(|(_, one)| one.rows)
            .filter(|one| one.name == row.model)
            .find(|one| one.cells["pass_at_1"].value == percent(row.overall.pass_at_1, 2).value);
        let cells = found.unwrap().cells;
        for (all, tiers, slack) in [
            ("pass_at_1", "pass", 0.0002),
            ("fcr", "fcr", 0.0011),
            ("hit_rate", "hit", 0.0011),
            ("calls", "calls", 0.011),
        ] {
            let sum: f64 = ["easy", "mid", "hard"]
                .iter()
                .zip(row.split.sizes())
                .map(|(tier, n)| cells[format!("{tiers}_{tier}").as_str()].value * f64::from(n))
                .sum();
            let mean = sum / 1608.0;
            assert!(
                (mean - cells[all].value).abs() < slack,
                "{} {all}: {mean}",
                row.model
            );
        }
    }
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
