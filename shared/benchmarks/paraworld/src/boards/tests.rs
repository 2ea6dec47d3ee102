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

/// Specification 9: all four numbers of every tier and of all, where something is searched, and pass@1 where nothing is.
#[test]
fn every_printed_number_has_its_cell() {
    let mut count = 0;
    for row in rows() {
        let name = match row.setting {
            Setting::Oracle => "paraworld-a",
            Setting::FewShot => "paraworld-b-few-shot",
            Setting::Guidance => "paraworld-b-guidance",
            Setting::Unguided => "paraworld-c",
        };
        let condition = condition(name);
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
    let unguided = condition("paraworld-c");
    let gpt = unguided.rows.iter().find(|row| row.name == "GPT-5");
    let hard = ["pass_hard", "fcr_hard", "hit_hard", "calls_hard"];
    assert_eq!(hard.map(|key| gpt.unwrap().cells[key].value), [0.2209, 0.084, 0.083, 9.91]);
}

/// What is printed over all worlds follows from what is printed of the tiers, weighted by their sizes, as the specification
/// says of all 26 rows with searches: so no number sits in the wrong column.
#[test]
fn numbers_of_tiers_make_those_over_all() {
    for row in rows().filter(|row| row.setting != Setting::Oracle) {
        let found = conditions()
            .into_iter()
            .flat_map(|one| one.rows)
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
            assert!((mean - cells[all].value).abs() < slack, "{} {all}: {mean}", row.model);
        }
    }
}
