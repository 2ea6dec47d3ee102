use serde_json::json;

use super::*;
use turnwise_core::testing::cases;

#[test]
fn scores_are_numbers_as_inspect_takes_them() {
    for (value, wanted) in cases::<(Value, Option<f64>)>(include_str!("tests/scores.jsonl")) {
        assert_eq!(number(&value), wanted, "{value}");
    }
}

#[test]
fn it_cannot_be_played() {
    let spec = turnwise_core::benchmark::default_spec(&Inspect);
    assert!(<dyn Benchmark>::check_spec(&Inspect, &spec).is_ok());
    let task = Task {
        id: "1".into(),
        digest: Digest::of(""),
        labels: BTreeMap::new(),
        fields: BTreeMap::new(),
    };
    assert!(Inspect.open(&spec, &task, &(Inspect::FACTS.pack)()).is_err());
}

/// What is measured in a sample that another program wrote.
fn measured(change: impl FnOnce(&mut Value)) -> Measured {
    use turnwise_core::exchange::inspect::import;
    use turnwise_core::exchange::inspect::read::{Header, Sample};
    let mut sample = json!({
        "id": 1, "epoch": 1, "input": "Which\n river?", "target": "Rhine",
        "messages": [
            { "role": "user", "content": "Which river?" },
            { "role": "assistant", "content": "It is the Rhine." },
        ],
        "scores": { "match": { "value": "C", "answer": "Rhine" } },
    });
    change(&mut sample);
    let sample: Sample = serde_json::from_value(sample).expect("a sample");
    let imported = import::transcript(&import::spec(&Header::default()), &sample);
    let lines: String = imported.lines.iter().map(|line| format!("{line}\n")).collect();
    let play = turnwise_core::transcript::read(&lines).expect("a transcript");
    (Inspect::FACTS.measure)(&play, None)
}

#[test]
fn question_reference_and_answer_are_those_of_the_log() {
    let told = |change: fn(&mut Value)| {
        let measured = measured(change);
        (measured.asked, measured.right, measured.answer)
    };
    let some = |text: &str| Some(text.to_owned());
    let all = (some("Which river?"), some("Rhine"), some("Rhine"));
    assert_eq!(told(|_| {}), all);
    let asked = told(|sample| {
        sample["input"] = json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Which river?" },
        ]);
    });
    assert_eq!(asked, all, "the question, not the instructions");
    // Another scorer understood an answer, or none did.
    let other = told(|sample| {
        sample["scores"] = json!({ "a": { "value": "C" }, "b": { "value": 1, "answer": 42 } });
    });
    assert_eq!(other.2, some("42"));
    let said = told(|sample| sample["scores"] = json!({ "a": { "value": "C", "answer": " " } }));
    assert_eq!(said.2, some(" "), "an empty answer is one");
}

#[test]
fn what_a_log_does_not_tell_is_not_invented() {
    let bare = measured(|sample| {
        *sample = json!({ "id": 1, "epoch": 1, "input": "", "target": [], "messages": [] });
    });
    assert_eq!((bare.asked, bare.right, bare.answer), (None, None, None));
    let failed = measured(|sample| {
        sample["scores"] = json!({});
        sample["error"] = json!({ "message": "out of memory" });
    });
    assert_eq!(failed.answer, None, "it did not come to an answer");
    let tool = measured(|sample| {
        sample["scores"] = Value::Null;
        sample["messages"][1] = json!({
            "role": "assistant", "content": "",
            "tool_calls": [{ "id": "1", "function": "search", "arguments": { "query": "rivers" } }],
        });
    });
    assert_eq!(tool.answer, None, "it only searched");
}
