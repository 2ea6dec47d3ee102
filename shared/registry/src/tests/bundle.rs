use crate::benchmark::default_spec;
use crate::examples::{QUESTIONS, example};
use crate::exchange::bundle::*;
use crate::prelude::*;
use crate::run::header;
use crate::transcript::{SaltKey, Writer};
use std::collections::BTreeMap;

/// A transcript that has its first line only.
fn begun(task: usize) -> (EpisodeKey, String) {
    let tasks = example(QUESTIONS).samples().tasks;
    let header = header(&default_spec(example(QUESTIONS)), &tasks[task], 1, Part::Play);
    let mut writer = Writer::new(SaltKey::open(&header));
    let line = writer.line(&Event::Opened(Box::new(header)));
    (EpisodeKey::play(&tasks[task].id, 1), format!("{line}\n"))
}

#[test]
fn what_was_bundled_comes_back_byte_for_byte() {
    let all: BTreeMap<_, _> = [begun(0), begun(1)].into();
    let mut text = head("x", Some(&default_spec(example(QUESTIONS))), Some("canary"));
    for (episode, transcript) in &all {
        text.push_str(&line(episode, transcript));
    }
    assert_eq!(read(&text), Ok(all));
}

#[test]
fn what_is_no_bundle_says_where() {
    let (episode, transcript) = begun(0);
    let whole = line(&episode, &transcript);
    let top = head("x", None, None);
    let said = |text: &str| read(text).expect_err("it is no bundle").to_string();
    assert_eq!(read(&whole), Err(BadBundle::NoHead));
    assert_eq!(read(""), Err(BadBundle::NoHead));
    assert_eq!(read(&top), Err(BadBundle::Empty));
    assert_eq!(said(&format!("{top}{whole}{whole}")), "line 3: 1.r1.play.jsonl is there twice");
    let outside = whole.replace("1.r1.play", "../1.r1.play");
    assert_eq!(
        said(&format!("{top}{outside}")),
        "line 2: \"../1.r1.play.jsonl\" names no transcript"
    );
    let changed = line(&episode, &transcript.replacen(QUESTIONS, "other", 1));
    assert!(said(&format!("{top}{changed}")).starts_with("line 2: 1.r1.play.jsonl: "));
}
