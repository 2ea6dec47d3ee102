use serde_json::{Value, json};

use super::archive::{Archive, BadArchive, Packer};
use super::import;
use super::read::{BadLog, Header, Log, Sample};
use crate::metrics::summary::summarise;
use crate::testing::cases;
use crate::transcript;

fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packer = Packer::new(Vec::new());
    for (name, bytes) in files {
        packer.add(name, bytes).unwrap();
    }
    packer.finish().unwrap()
}

fn opened(bytes: &[u8]) -> Result<Archive<&[u8]>, BadArchive> {
    Archive::open(bytes, bytes.len() as u64)
}

#[test]
fn what_was_packed_is_unpacked() {
    let zip = packed(&[("a.json", b"{}"), ("b/\u{4e16}.json", &[7; 100_000])]);
    let archive = opened(&zip).unwrap();
    let names: Vec<&str> = archive.names().collect();
    assert_eq!(names, ["a.json", "b/\u{4e16}.json"]);
    assert_eq!(archive.file("a.json", 2).unwrap(), b"{}");
    assert_eq!(archive.file("b/\u{4e16}.json", 100_000).unwrap(), [7; 100_000]);
    assert_eq!(packed(&[("a", b"x")]), packed(&[("a", b"x")]));
}

#[test]
fn a_file_is_never_larger_than_its_limit() {
    let zip = packed(&[("bomb", &vec![0; 3_000_000])]);
    assert!(zip.len() < 10_000);
    let archive = opened(&zip).unwrap();
    assert_eq!(
        archive.file("bomb", 2_999_999),
        Err(BadArchive::TooLarge { file: "bomb".to_owned(), limit: 2_999_999 })
    );
    assert!(archive.file("bomb", 3_000_000).is_ok());
}

#[test]
fn broken_files_are_told_apart() {
    let zip = packed(&[("a", &[b'x'; 5000]), ("b", b"y")]);
    assert!(matches!(opened(b"no zip at all"), Err(BadArchive::NotZip(_))));
    assert!(matches!(opened(&zip[..zip.len() - 9]), Err(BadArchive::NotZip(_))));
    let archive = opened(&zip).unwrap();
    assert_eq!(archive.file("c", 10), Err(BadArchive::Missing("c".to_owned())));
    let mut changed = zip.clone();
    // Within the packed bytes of the first file, behind its head of 30 bytes and its name.
    changed[36] ^= 0x55;
    let found = opened(&changed).and_then(|archive| archive.file("a", 10_000));
    assert!(matches!(found, Err(BadArchive::Broken { .. })), "{found:?}");
}

#[test]
fn a_log_is_told_from_other_zips_and_later_versions() {
    let open = |files: &[(&str, &[u8])]| {
        let zip = packed(files);
        let length = zip.len() as u64;
        Log::open(zip, length).map(|log| log.header.status)
    };
    assert_eq!(open(&[("a", b"{}")]), Err(BadLog::NoLog));
    assert_eq!(open(&[("header.json", br#"{"version":3}"#)]), Err(BadLog::Version(3)));
    let bad = open(&[("header.json", b"[1")]);
    assert!(matches!(bad, Err(BadLog::Malformed { .. })), "{bad:?}");
    let started = open(&[("_journal/start.json", br#"{"version":2,"eval":{"task":"t"}}"#)]);
    assert_eq!(started.as_deref(), Ok("started"));
}

#[test]
fn pythons_numbers_are_read() {
    let header =
        br#"{"version":2,"status":"success","eval":{"task":"NaN \" Infinity"},"results":{"scores":[
        {"name":"s","metrics":{"a":{"value":NaN},"b":{"value":-Infinity},"c":{"value":0.5}}}]}}"#;
    let zip = packed(&[("header.json", header)]);
    let length = zip.len() as u64;
    let log = Log::open(zip, length).unwrap();
    assert_eq!(log.header.eval.task, "NaN \" Infinity");
    let metrics = &log.header.results.unwrap().scores[0].metrics;
    let values: Vec<Option<f64>> = metrics.values().map(|metric| metric.value).collect();
    assert_eq!(values, [None, None, Some(0.5)]);
}

#[test]
fn a_log_that_is_still_written_has_the_summaries_of_its_journal() {
    let zip = packed(&[
        ("_journal/start.json", br#"{"version":2}"#),
        ("_journal/summaries/1.json", br#"[{"id":"a","epoch":1}]"#),
        ("_journal/summaries/2.json", br#"[{"id":7,"epoch":2}]"#),
        ("samples/a_epoch_1.json", br#"{"id":"a","epoch":1}"#),
    ]);
    let length = zip.len() as u64;
    let log = Log::open(zip, length).unwrap();
    let epochs: Vec<u32> = log.summaries().unwrap().iter().map(|one| one.epoch).collect();
    assert_eq!(epochs, [1, 2]);
    assert_eq!(log.samples(), ["samples/a_epoch_1.json"]);
    assert_eq!(log.sample("samples/a_epoch_1.json").unwrap().epoch, 1);
}

#[test]
fn what_a_file_counts_may_be_anything() {
    let said =
        json!({ "message": { "role": "assistant", "content": "yes" }, "stop_reason": "stop" });
    let usage =
        json!({ "input_tokens": u64::MAX, "output_tokens": 1, "input_tokens_cache_read": 7 });
    let sample: Sample = serde_json::from_value(json!({
        "id": 1, "epoch": 1, "input": "Is it?",
        "events": [{ "event": "model", "output": { "model": "m", "choices": [said], "usage": usage } }],
    }))
    .unwrap();
    let imported = import::transcript(&import::spec(&Header::default()), &sample);
    let told = imported.lines.join("\n");
    assert!(!told.contains("\"input\":1"), "{told}");
    assert_eq!(imported.doubts.odd_counts, 1);
}

/// A log of one sample, made by `change` from one with two calls that are in order.
fn log_of(change: impl FnOnce(&mut Value)) -> Log<Vec<u8>> {
    let call = |text: &str| {
        json!({ "event": "model", "output": {
            "model": "m",
            "choices": [{ "message": { "role": "assistant", "content": text }, "stop_reason": "stop" }],
            "usage": { "input_tokens": 12, "output_tokens": 4, "total_tokens": 16 },
        } })
    };
    let mut sample = json!({
        "id": 1, "epoch": 1, "input": "nine and eight?", "target": "17", "messages": [], "metadata": {},
        "scores": { "exact": { "value": "C", "answer": "17" } }, "events": [call("first"), call("17")],
    });
    change(&mut sample);
    let zip = packed(&[
        ("header.json", br#"{"version":2,"status":"success","eval":{"task":"t","model":"a/b"},"results":{"total_samples":1}}"#),
        ("samples/1_epoch_1.json", sample.to_string().as_bytes()),
    ]);
    let length = zip.len() as u64;
    Log::open(zip, length).unwrap()
}

fn only(log: &Log<Vec<u8>>) -> import::Imported {
    let sample = log.sample("samples/1_epoch_1.json").unwrap();
    import::transcript(&import::spec(&log.header), &sample)
}

/// Turns, and what the player is known to have used.
fn measured(imported: &import::Imported) -> (usize, u32, u64, u64) {
    let text: String = imported.lines.iter().map(|line| format!("{line}\n")).collect();
    let play = transcript::read(&text).unwrap();
    let summary = summarise(&play, None, Default::default());
    let usage = &summary.usage["player"];
    (summary.ribbon.len(), usage.counted, usage.input, usage.output)
}

#[test]
fn a_call_whose_account_is_odd_stays_and_its_odd_counts_are_unknown() {
    let usage = "/events/0/output/usage";
    assert_eq!(measured(&only(&log_of(|_| {}))), (2, 2, 24, 8));
    for (field, value, wanted, is_odd) in
        cases::<(&str, Value, (usize, u32, u64, u64), bool)>(include_str!("tests/odd_counts.jsonl"))
    {
        let imported =
            only(&log_of(|sample| sample.pointer_mut(usage).unwrap()[field] = value.clone()));
        assert_eq!(measured(&imported), wanted, "{field} {value}");
        assert_eq!(imported.doubts.odd_counts, usize::from(is_odd), "{field} {value}");
    }
    for value in [json!({}), json!(null), json!("none"), json!([])] {
        let imported = only(&log_of(|sample| *sample.pointer_mut(usage).unwrap() = value.clone()));
        assert_eq!(measured(&imported), (2, 1, 12, 4), "{value}");
    }
}

#[test]
fn a_call_that_ends_oddly_or_says_odd_things_stays() {
    for (pointer, value) in cases::<(&str, Value)>(include_str!("tests/odd_calls.jsonl")) {
        let path = format!("/events/0/output{pointer}");
        let imported = only(&log_of(|sample| {
            let (parent, name) = path.rsplit_once('/').unwrap();
            sample.pointer_mut(parent).unwrap()[name] = value.clone();
        }));
        let (turns, ..) = measured(&imported);
        assert_eq!(turns, 2, "{pointer} {value}");
        assert_eq!(imported.doubts.left_out, 0);
    }
    let imported = only(&log_of(|sample| sample["events"][0]["output"] = json!(7)));
    assert_eq!(imported.doubts.left_out, 1);
    assert!(imported.lines.join("").contains("cannot be read and are left out"));
}

#[test]
fn a_field_that_cannot_be_used_is_named() {
    for (field, value) in [
        ("epoch", json!("first")),
        ("id", json!(null)),
        ("id", json!([1])),
        ("epoch", json!(1.5)),
        ("events", json!("none at all")),
        ("messages", json!(7)),
    ] {
        let log = log_of(|sample| sample[field] = value.clone());
        let said = log.sample("samples/1_epoch_1.json").unwrap_err().to_string();
        assert!(
            said.contains("samples/1_epoch_1.json") && said.contains(&format!("{field}: ")),
            "{said}"
        );
    }
    for (field, value) in [
        ("epoch", json!(1.0)),
        ("epoch", json!("1")),
        ("epoch", json!(null)),
        ("messages", json!(null)),
        ("metadata", json!(null)),
        ("attachments", json!(null)),
        ("error", json!(null)),
        ("limit", json!("odd")),
        ("score", json!(1)),
    ] {
        let log = log_of(|sample| sample[field] = value.clone());
        assert_eq!(measured(&only(&log)), (2, 2, 24, 8), "{field} {value}");
    }
}

#[test]
fn parts_of_a_log_that_contradict_each_other_are_named() {
    let sample = br#"{"id":1,"epoch":1}"#;
    let said = |header: &[u8], files: &[(&str, &[u8])]| {
        let zip = packed(&[&[("header.json", header)], files].concat());
        let length = zip.len() as u64;
        Log::open(zip, length).unwrap().contradictions().unwrap()
    };
    let (one, two) = (
        br#"{"version":2,"results":{"total_samples":1.0}}"#,
        br#"{"version":"2","results":{"total_samples":"2"}}"#,
    );
    let name = "samples/1_epoch_1.json";
    assert!(said(one, &[(name, sample)]).is_empty());
    assert!(said(two, &[(name, sample)])[0].contains("counts 2 samples, and 1"));
    assert!(
        said(one, &[(name, sample), ("summaries.json", b"[{},{}]")])[0]
            .contains("2 samples are summed up")
    );
    let once = br#"{"version":2,"eval":{"config":{"epochs":1.0}}}"#;
    let third = ("summaries.json", br#"[{"id":1,"epoch":"3"}]"#.as_slice());
    assert!(
        said(once, &[(name, sample), third])[0].contains("1 repeats, and a sample is repeat 3")
    );
    assert!(said(one, &[(name, sample), (name, sample)])[0].contains("more than once"));
}

#[test]
fn lone_surrogates_and_marks_of_byte_order_are_read() {
    let sample =
        "\u{feff}{\"id\":1,\"epoch\":1,\"input\":\"half \\ud83d a smile\",\"n\":-Infinity}";
    let zip = packed(&[
        ("header.json", b"\xef\xbb\xbf{\"version\":2}"),
        ("samples/1_epoch_1.json", sample.as_bytes()),
    ]);
    let length = zip.len() as u64;
    let log = Log::open(zip, length).unwrap();
    let read = log.sample("samples/1_epoch_1.json").unwrap();
    assert_eq!(read.input, "half \u{fffd} a smile");
}

#[test]
fn of_a_conversation_that_was_given_the_last_question_is_told() {
    let told = |input: Value, target: Value| {
        let imported = only(&log_of(|sample| {
            sample["input"] = input;
            sample["target"] = target;
        }));
        imported.lines.join("\n")
    };
    let talk = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "Hello?" },
        { "role": "assistant", "content": "Hello." },
        { "role": "user", "content": [{ "type": "text", "text": "Which river?" }] },
        { "role": "assistant", "content": "Which one of them?" },
    ]);
    let whole = told(talk, json!(["Rhine", "the Rhine"]));
    assert!(whole.contains(r#""asked":"Which river?""#), "{whole}");
    assert!(whole.contains(r#""text":"Rhine / the Rhine""#), "{whole}");
    for nothing in [
        json!("nine and eight?"),
        json!([{ "role": "system", "content": "Go." }]),
        json!([{ "role": "user", "content": " " }]),
    ] {
        let told = told(nothing, json!(""));
        assert!(!told.contains("\"asked\":\"") && !told.contains("\"name\":\"target\""), "{told}");
    }
}

#[test]
fn a_call_without_an_output_is_told_and_a_tool_that_nobody_called_is_counted() {
    for output in [json!(null), json!({}), json!({ "choices": [] }), json!({ "choices": null })] {
        let log = log_of(|sample| {
            sample["events"] = json!([{ "event": "model", "output": output }]);
        });
        let imported = only(&log);
        assert_eq!(imported.doubts.unanswered, 1, "{output}");
        let told = imported.doubts.sentence().unwrap_or_default();
        assert!(told.contains("no output"), "{told}");
    }
    let log = log_of(|sample| {
        sample["events"] = json!([{ "event": "model", "output": null, "error": "timed out" }]);
    });
    assert_eq!(only(&log).doubts.unanswered, 0, "its error says it");
    let log = log_of(|sample| {
        sample["events"] = json!([{ "event": "tool", "id": "x", "function": "f", "result": "r" }, { "event": "model", "output": null }]);
    });
    let imported = only(&log);
    assert_eq!(imported.doubts.left_out, 0);
    assert!(imported.lines.join("").contains(r#""text":"r""#), "it came before the first turn");
}

#[test]
fn a_number_is_the_same_id_however_it_is_written() {
    for id in [json!(7), json!(7.0), json!("7")] {
        let log = log_of(|sample| sample["id"] = id.clone());
        assert_eq!(only(&log).key.as_str(), "7.r1.play", "{id}");
    }
}
