use super::*;
use crate::{counts, dataset, memory::Counts, report, results_csv};
use turnwise_core::key::EpisodeKey;
use turnwise_core::metrics::summary::summarise;
use turnwise_core::prelude::*;
use turnwise_core::testing::read;
use turnwise_core::transcript;
use turnwise_core::transcript::Origin;

const FILE: &str = include_str!("tests/results.csv");

fn known() -> Known {
    Known { model: "made-up".to_owned(), mode: None, rounds: None, min_asks: None }
}

fn imported(tasks: Option<(&str, &Dataset)>) -> BTreeMap<String, transcript::Transcript> {
    let results = results_csv::read(FILE.as_bytes()).unwrap();
    transcripts(&results, tasks, &known())
        .unwrap()
        .iter()
        .map(|transcript| (transcript.key.to_string(), read(&transcript.lines)))
        .collect()
}

#[test]
fn the_numbers_are_those_of_the_file() {
    let found = imported(None);
    let measured = |question: &str| {
        let key = EpisodeKey::play(&question_id(question), 1);
        let play = &found[key.as_str()];
        let grading = found.get(key.grading().as_str());
        assert_eq!(play.header.origin, Origin::Imported);
        let measured = report::measure(play, grading);
        (measured.score, measured.answer, counts(play), play.outcome().unwrap().ending.clone())
    };
    let four = |answer, search, ask, invalid| Counts { answer, search, ask, invalid };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        [measured("Q1?"), measured("Q2?"), measured("Q3?"), measured("Q4?")],
        [
            (Some(1.0), some("Foo"), four(1, 1, 1, 2), "answered".into()),
            (Some(0.0), some(""), four(0, 0, 0, 0), "skipped".into()),
            (Some(0.0), some("Error"), four(0, 0, 0, 0), "error".into()),
            (Some(0.0), some("No Answer"), four(1, 0, 1, 0), "fallback".into()),
        ]
    );
    // Three were graded, and the question stands in no line.
    assert_eq!(found.len(), 7);
    let spec = &found.values().next().unwrap().header.spec;
    assert_eq!(spec.settings, json!({ "mode": "full" }));
}

/// The file has running totals, and 0 where an episode failed: the largest is what the run cost.
#[test]
fn the_cost_that_the_file_tells_is_reported() {
    let found = imported(None);
    let plays = found.iter().filter(|(key, _)| key.ends_with(".play"));
    let summaries: Vec<_> = plays
        .map(|(key, play)| {
            let grading = found.get(&key.replace(".play", ".grading"));
            summarise(play, grading, report::measure(play, grading))
        })
        .collect();
    let spec = &found.values().next().unwrap().header.spec;
    let all: Vec<_> = summaries.iter().collect();
    let record = report::report(spec, &all, &MeasureOptions::default()).record;
    assert_eq!(
        (&record["cost_usd_reference"], &record["cost_usd_reference_average"]),
        (&json!(0.3), &json!(0.075))
    );
}

#[test]
fn rows_find_their_tasks() {
    let file = r#"{"id":7,"domain":"Made up","answer":"Foo","question":"Q1?","context":"c"}"#;
    let tasks = dataset::load(file.as_bytes(), None).unwrap();
    let found = imported(Some(("own.jsonl", &tasks)));
    let labels = &found["7.r1.play"].header.task.labels;
    assert_eq!(labels["domain"], "Made up");
    assert_eq!(found["7.r1.play"].header.task.digest, tasks.tasks[0].digest());
    assert!(found.contains_key(EpisodeKey::play(&question_id("Q2?"), 1).as_str()));
}

#[test]
fn what_is_not_known_is_asked_for() {
    let results = results_csv::read(FILE.as_bytes()).unwrap();
    let named = |mode| Known { mode: Some(mode), ..known() };
    assert_eq!(
        transcripts(&results, None, &named(Mode::AskOnly)),
        Err(BadRow::file("the rows are of the mode full, not ask_only"))
    );
    let header = FILE.lines().next().unwrap();
    let from = FILE.find("Q2?,").unwrap();
    let to = FILE.find("Q3?,").unwrap();
    let only_skipped = format!("{header}\n{}", &FILE[from..to]);
    let results = results_csv::read(only_skipped.as_bytes()).unwrap();
    let unknown = transcripts(&results, None, &known()).unwrap_err().to_string();
    assert_eq!(unknown, "the rows do not tell the mode; name it with --mode");
    assert!(transcripts(&results, None, &named(Mode::AskOnly)).is_ok());
}
