use serde_json::json;

use super::archive::{Archive, BadArchive, Packer};
use super::import;
use super::read::{BadLog, Header, Log, Sample};

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
    assert_eq!(
        archive.file("b/\u{4e16}.json", 100_000).unwrap(),
        [7; 100_000]
    );
    assert_eq!(packed(&[("a", b"x")]), packed(&[("a", b"x")]));
}

#[test]
fn a_file_is_never_larger_than_its_limit() {
    let zip = packed(&[("bomb", &vec![0; 3_000_000])]);
    assert!(zip.len() < 10_000);
    let archive = opened(&zip).unwrap();
    assert_eq!(
        archive.file("bomb", 2_999_999),
        Err(BadArchive::TooLarge {
            file: "bomb".to_owned(),
            limit: 2_999_999
        })
    );
    assert!(archive.file("bomb", 3_000_000).is_ok());
}

#[test]
fn broken_files_are_told_apart() {
    let zip = packed(&[("a", &[b'x'; 5000]), ("b", b"y")]);
    assert!(matches!(
        opened(b"no zip at all"),
        Err(BadArchive::NotZip(_))
    ));
    assert!(matches!(
        opened(&zip[..zip.len() - 9]),
        Err(BadArchive::NotZip(_))
    ));
    let archive = opened(&zip).unwrap();
    assert_eq!(
        archive.file("c", 10),
        Err(BadArchive::Missing("c".to_owned()))
    );
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
    assert_eq!(
        open(&[("header.json", br#"{"version":3}"#)]),
        Err(BadLog::Version(3))
    );
    let bad = open(&[("header.json", b"[1")]);
    assert!(matches!(bad, Err(BadLog::Malformed { .. })), "{bad:?}");
    let started = open(&[(
        "_journal/start.json",
        br#"{"version":2,"eval":{"task":"t"}}"#,
    )]);
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
    let epochs: Vec<u32> = log
        .summaries()
        .unwrap()
        .iter()
        .map(|one| one.epoch)
        .collect();
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
    assert!(told.contains(&format!("\"input\":{}", u64::MAX)), "{told}");
}
