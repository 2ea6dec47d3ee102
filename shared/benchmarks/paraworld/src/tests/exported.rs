//! Plays as lines of the authors' program, and back: what they hold, and that nothing of the numbers is lost on the way.

use super::*;
use crate::results::imported::{self, Known};
use crate::results::{self, written};
use crate::task::{World, Worlds};
use turnwise_core::metrics::summary::summarise;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};
use turnwise_core::testing::{assert_has, cases, read};
use turnwise_core::transcript::Part;

const ANSWER: &str = "<answer>Ada Tower</answer>";

/// Three worlds in one file, of two tiers.
fn worlds() -> Worlds {
    let row = |index: u32, category: &str, facts: u32, answer: &str| {
        let facts: serde_json::Map<String, Value> = (1..=facts)
            .map(|fact| (format!("height of Tower {fact}"), json!(format!("{fact}0 metres"))))
            .collect();
        let question = format!("Which of the towers of town {index} is taller?");
        json!({
            "index": index, "category": category, "answer": answer,
            "prompt": [{ "role": "user", "content": question }],
            "extra_info": { "world_truth_info": {
                "generated_question": question, "atomic_facts": facts, "final_answer": answer,
            } },
        })
    };
    let rows = [
        row(7, "Towers", 2, "Ada Tower"),
        row(8, "Towers", 6, "Bo Tower"),
        row(9, "Bridges", 2, "Ada Tower"),
    ];
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    load(text.as_bytes()).expect("the rows are worlds")
}

/// What players say, each in a way of its own.
fn said_by_players() -> Vec<String> {
    cases(include_str!("said_by_players.jsonl"))
}

/// What engines reply; `None` is the rule-based one.
fn said_by_engines() -> Vec<Option<Reply>> {
    let text = |text: &str| Some(Reply::Said(Said::text(text)));
    let failed = |class, message: &str| Some(Reply::Failed(Failure::new(class, message)));
    vec![
        None,
        None,
        None,
        text("no JSON at all"),
        text(
            r#"{"is_compound_query": false, "hit": "1", "matched_fact_keys": ["a key of no fact"], "reason": "so", "search_result": []}"#,
        ),
        text(
            r#"{"is_compound_query": 0, "hit": true, "matched_fact_keys": " height of Tower 1 ", "search_result": []}"#,
        ),
        text(
            r#"{"is_compound_query": "yes", "hit": 0.5, "matched_fact_keys": [5], "reason": 3, "search_result": []}"#,
        ),
        failed(FailureClass::Server, "400 in the text ends the attempts"),
    ]
}

/// Plays a world, and judges the episode where there is something to judge.
fn played(
    spec: &Spec,
    task: &Task,
    script: &[Says],
    engines: &[usize],
) -> (Transcript, Option<Transcript>) {
    let replies = said_by_engines();
    let played = play_with(spec, task, script, |_, number| {
        let chosen = engines.get(number as usize % engines.len().max(1));
        chosen.and_then(|at| replies[*at].clone())
    });
    let grading = ParaWorld
        .grade(spec, task, &(ParaWorld::FACTS.pack)(), &played.outcome)
        .expect("the spec fits")
        .map(|_| super::players::graded(spec, task, &played.transcript));
    (played.transcript, grading)
}

fn line(play: &(Transcript, Option<Transcript>), world: &World) -> results::ResultLine {
    let line = written::line(
        &play.0,
        play.1.as_ref(),
        &world.to_core(),
        world,
        &(ParaWorld::FACTS.pack)(),
    );
    let line = line.expect("it ended by the rules");
    let text = dumps(&turnwise_core::json::Json::Object(line), Layout::Line);
    results::read(text.as_bytes()).expect("it is read").rows.remove(0)
}

fn value(row: &results::ResultLine) -> Value {
    serde_json::to_value(row.object()).expect("it is JSON")
}

fn summary(play: &Transcript, grading: Option<&Transcript>) -> Summary {
    summarise(play, grading, (ParaWorld::FACTS.measure)(play, grading))
}

/// What `turnwise metrics` prints, without what no line holds (tokens, times, costs, replies that could not be read, the hash of the spec)
/// and what an import adds: how far the engine of the file agrees with ours.
fn record(spec: &Spec, summaries: &[Summary]) -> Value {
    let summaries: Vec<&Summary> = summaries.iter().collect();
    let mut record = ParaWorld.report(spec, &summaries, &MeasureOptions::default()).record;
    let members = record.as_object_mut().expect("an object");
    members.retain(|name, _| {
        let is_apart = matches!(
            name.as_str(),
            "usage" | "heard" | "spec_hash" | "times" | "searches_short" | "engine_agreement"
        );
        !is_apart && !name.starts_with("cost_")
    });
    record
}

/// A file of lines as `turnwise import` makes transcripts of it, without further information.
fn imported(file: &str) -> (Spec, Vec<Summary>) {
    let results = results::read(file.as_bytes()).expect("the lines are read");
    let known = Known { model: "m", setting: None, worlds: None };
    let imported = imported::transcripts(&results, &known).expect("the setting is told");
    let transcripts: Vec<Transcript> =
        imported.episodes.iter().map(|one| read(&one.lines)).collect();
    let plays = transcripts.iter().filter(|one| one.header.part == Part::Play);
    let summaries = plays.clone().map(|play| {
        let of_it = |one: &&Transcript| one.header.part == Part::Grading { play: play.chain };
        summary(play, transcripts.iter().find(of_it))
    });
    let spec = plays.clone().next().expect("a play").header.spec.clone();
    (spec, summaries.collect())
}

fn settings() -> Vec<(Profile, Value)> {
    cases(include_str!("exported_settings.jsonl"))
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(96))]

    /// Export, then import without a word about the setting, then measure: the same numbers, whatever players and engines say.
    #[test]
    fn export_then_import_then_metrics_is_the_identity(
        setting in 0..12_usize,
        scripts in proptest::collection::vec(proptest::collection::vec(0..21_usize, 0..5), 3),
        ends in proptest::collection::vec(0..4_usize, 3),
        engines in proptest::collection::vec(0..8_usize, 1..6),
    ) {
        let (profile, settings) = settings().swap_remove(setting);
        let spec = spec(profile, settings);
        let texts = said_by_players();
        let worlds = worlds();
        let (mut file, mut summaries) = (String::new(), Vec::new());
        for ((world, script), end) in worlds.worlds.iter().zip(&scripts).zip(&ends) {
            let mut script: Vec<Says> = script.iter().map(|at| texts[*at].clone().into()).collect();
            match end {
                0 => script.push(Says::Fails(FailureClass::Server)),
                1 => script.push(Says::Nothing),
                _ => script.push(ANSWER.into()),
            }
            let play = played(&spec, &world.to_core(), &script, &engines);
            if play.0.outcome().is_none_or(|outcome| !outcome.is_complete()) {
                continue;
            }
            file.push_str(&dumps(&turnwise_core::json::Json::Object(line(&play, world).object().clone()), Layout::Line));
            file.push('\n');
            summaries.push(summary(&play.0, play.1.as_ref()));
        }
        proptest::prop_assume!(!summaries.is_empty());
        let (back, again) = imported(&file);
        proptest::prop_assert_eq!(back.profile, profile);
        proptest::prop_assert_eq!(record(&back, &again), record(&spec, &summaries));
    }
}

/// What the authors' program would have written, field by field.
#[test]
fn lines_hold_what_the_authors_program_writes() {
    let reference = |settings: Value| spec(Profile::Reference, settings);
    let worlds = worlds();
    let world = &worlds.worlds[0];
    let row = |spec: &Spec, script: &[Says], engines: &[usize]| {
        value(&line(&played(spec, &world.to_core(), script, engines), world))
    };
    let last = |row: &Value| row["messages"].as_array().expect("messages").last().cloned();
    let local = reference(json!({ "setting": "C" }));
    let texts = said_by_players();

    // The engine's own values and reason, its unknown key, the decoded query; the history is raw.
    let spoken: Vec<Says> = vec![texts[0].clone().into(), texts[2].clone().into(), ANSWER.into()];
    let one = row(&local, &spoken, &[4]);
    let log = &one["trajectory_log"];
    assert_has(
        log,
        &json!({ "hit_logs": [{
            "query": "height of Tower 1", "is_compound_query": false, "hit": "1",
            "matched_fact_keys": ["a key of no fact"], "reason": "so",
        }], "tool_calls": [
            { "tool_name": "web_search", "query": "height of Tower 1", "hit": "1" },
            { "tool_name": "web_search", "query": "height of Tower 1", "hit": 0 },
        ] }),
    );
    let history = log["full_history"].as_array().expect("a history");
    let raw = history[1]["content"].as_str().expect("a text");
    assert!(raw.starts_with("\n<|im_start|>user\n<tool_response>{"), "{raw}");
    assert_eq!((history.len(), &history[0]["role"]), (4, &json!("assistant")));
    // Read back, it has the same numbers also where only the authors' fields are looked at.
    let api = row(&reference(json!({ "setting": "C", "engines": "api" })), &spoken, &[4]);
    assert_eq!(api["trajectory_log"]["full_history"], Value::Null);

    // The last observation is an error: it is among the messages.
    for (text, told) in [
        (&texts[8], "Error: Unknown tool; the only tool is web_search"),
        (&texts[9], ""),
        (&texts[3], "Error: the query cannot be cut"),
        (&texts[4], "Error: the query cannot be cut"),
    ] {
        let one = row(&local, &[text.clone().into()], &[0]);
        let content = last(&one).expect("a message")["content"].clone();
        assert!(content.as_str().is_some_and(|text| text.contains(told)), "{content}");
    }
    let broken = tagged("{\"name\": }");
    let one = row(&local, &[broken.into()], &[0]);
    let content = last(&one).expect("a message")["content"].clone();
    assert!(
        content.as_str().is_some_and(|text| text.starts_with("Error: Invalid tool call format"))
    );

    // The player's service failed: what was said and shown so far, and what failed.
    let script = [Says::from(texts[0].clone()), Says::Fails(FailureClass::Server)];
    let one = row(&local, &script, &[0]);
    assert_eq!(one["status"], "api_error");
    let content = last(&one).expect("a message")["content"].clone();
    assert!(
        content.as_str().is_some_and(|text| text.starts_with("{\"search_query\"")),
        "{content}"
    );
    assert_has(&one["error_info"], &json!({ "error_type": "server", "turn": 2 }));
    let api = row(&reference(json!({ "setting": "C", "engines": "api" })), &script, &[0]);
    assert_eq!(api.get("error_info"), None);

    // An engine that cannot be asked, or read, tells so in the reason of its log.
    let one = row(&local, &spoken[..1], &[7]);
    let reason = one["trajectory_log"]["hit_logs"][0]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("API Error: 400"), "{reason}");
    let one = row(&local, &spoken[..1], &[3]);
    let reason = one["trajectory_log"]["hit_logs"][0]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("JSON parse error"), "{reason}");
}

/// Setting A: attempts of the engine for a local server, and lines of failed items.
#[test]
fn lines_of_setting_a() {
    let worlds = worlds();
    let world = &worlds.worlds[1];
    let row = |settings: Value, says: Says| {
        let spec = spec(Profile::Reference, settings);
        value(&line(&played(&spec, &world.to_core(), &[says], &[0]), world))
    };
    let local = row(json!({ "setting": "A" }), ANSWER.into());
    assert_eq!(
        local["metrics"],
        json!({ "total_facts": 6, "actual_turns": 1, "tool_calls": 0, "format_errors": 0, "retry_count": 0 })
    );
    assert_eq!(local["messages"][2], json!({ "role": "assistant", "content": ANSWER }));
    let api = row(json!({ "setting": "A", "engines": "api" }), ANSWER.into());
    assert_eq!(api["metrics"].get("retry_count"), None);
    let failed = row(json!({ "setting": "A" }), Says::Fails(FailureClass::Server));
    assert_has(
        &failed,
        &json!({ "status": "error", "question": "", "metrics": { "total_facts": 0, "retry_count": 3 } }),
    );
    assert_eq!((failed.get("messages"), &failed["error_message"]), (None, &json!("a test")));
}

/// Without what a line of ours has beside the authors' fields, those fields alone give the same table and error analysis.
#[test]
fn the_authors_fields_alone_tell_the_same() {
    let spec = spec(Profile::Reference, json!({ "setting": "C", "turns": 6 }));
    let worlds = worlds();
    let texts = said_by_players();
    let script = |numbers: &[usize]| -> Vec<Says> {
        numbers.iter().map(|at| texts[*at].clone().into()).collect()
    };
    let scripts = [script(&[0, 2, 10, 5, 18]), script(&[1, 15, 13, 9]), script(&[6, 4])];
    let (mut file, mut summaries) = (String::new(), Vec::new());
    for (world, script) in worlds.worlds.iter().zip(&scripts) {
        let play = played(&spec, &world.to_core(), script, &[0, 3, 4, 5]);
        let mut object = value(&line(&play, world));
        object.as_object_mut().expect("an object").remove("turnwise");
        file.push_str(&format!("{object}\n"));
        summaries.push(summary(&play.0, play.1.as_ref()));
    }
    let results = results::read(file.as_bytes()).expect("the lines are read");
    assert_eq!(results.setting(), None);
    let known = Known {
        model: "m",
        setting: Some(super::super::settings::Setting::Unguided),
        worlds: None,
    };
    let imported = imported::transcripts(&results, &known).expect("the setting is told");
    assert_eq!(imported.plays, 3);
    let again: Vec<Summary> = imported
        .episodes
        .iter()
        .map(|one| read(&one.lines))
        .filter(|one| one.header.part == Part::Play)
        .map(|play| summary(&play, None))
        .collect();
    let wanted = record(&spec, &summaries);
    let found = record(&spec, &again);
    for name in [
        "fcr",
        "hit_rate_macro_callers",
        "hit_rate_micro",
        "tool_calls",
        "format_error_rate",
        "compound_rate",
        "engine_fault_rate",
        "by_turns",
        "errors",
        "curve",
        "reached",
    ] {
        let numbers = |record: &Value| match name {
            // Verdicts stand in gradings, which are left out here.
            "by_turns" => record[name].as_array().map(|groups| {
                groups
                    .iter()
                    .map(|group| json!([group["name"], group["n"], group["fcr"]]))
                    .collect()
            }),
            _ => Some(record[name].clone()),
        };
        assert_eq!(numbers(&found), numbers(&wanted), "{name}");
    }
    assert!(wanted["errors"]["format_errors"].as_u64() > Some(1), "{}", wanted["errors"]);
}
