use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_shared::prelude::*;
use turnwise_shared::transcript::{self, FORMAT, SaltKey, Writer};

use super::*;

fn spec() -> Spec {
    serde_json::from_value(json!({
        "benchmark": "b", "protocol": 1, "profile": "strict", "settings": {}, "subset": {}, "budget": { "calls": 5 },
        "tasks": { "name": "samples", "digest": "0".repeat(64) },
        "pack": { "name": "p", "digest": "0".repeat(64) },
        "seats": { "player": { "player": "model:up/m" } }, "seed": 1, "repeats": 1,
    }))
    .expect("a spec")
}

fn header(spec: &Spec) -> Header {
    Header {
        format: FORMAT,
        spec: spec.clone(),
        task: TaskRef {
            id: TaskId("1".into()),
            digest: Digest::of("task"),
            labels: BTreeMap::new(),
        },
        repeat: 1,
        part: Part::Play,
        origin: Origin::Recorded,
        branch: None,
    }
}

/// The lines of an episode with these events after its header.
fn lines(spec: &Spec, events: &[Event]) -> Vec<String> {
    let header = header(spec);
    let mut writer = Writer::new(SaltKey::open(&header));
    std::iter::once(&Event::Opened(Box::new(header)))
        .chain(events)
        .map(|event| format!("{}\n", writer.line(event)))
        .collect()
}

fn asked(call: u32) -> Event {
    let request =
        Request::Search(Query { text: "x".into(), results: 5, locale: None, since: None });
    Event::Asked { call: CallId(call), request }
}

fn found(call: u32) -> Event {
    Event::Told { call: CallId(call), reply: Reply::found(Vec::new()) }
}

fn failed(call: u32) -> Event {
    let failure = Failure::new(FailureClass::Timeout, "late");
    Event::Told { call: CallId(call), reply: Reply::Failed(failure) }
}

fn closed(ending: &str) -> Event {
    Event::Closed(Outcome { ending: ending.into(), result: Value::Null })
}

fn episode() -> EpisodeKey {
    EpisodeKey::play(&"1".into(), 1)
}

/// What lines of `bytes` bytes from number `from` on need to know of these.
fn known(stored: &[String], from: u64, bytes: usize) -> StoredPart {
    let text = stored.concat();
    if text.is_empty() {
        return StoredPart::default();
    }
    let read = transcript::read(&text).expect("what is stored is sound");
    let ending = read.outcome().map(|outcome| outcome.ending.clone());
    let chain_before = |line: usize| transcript::chain_of(&stored[line - 1]).expect("a line");
    let failed = |event: &Option<Event>| event.as_ref().is_some_and(Event::tells_of_failure);
    let failed = ending.as_deref().is_some_and(may_be_taken_up).then(|| {
        let line = read.events.iter().rposition(failed)?;
        Some((line as u64, chain_before(line)))
    });
    let from = stored.len().min(from as usize);
    let at = stored[..from].concat().len();
    let end = text.len().min(at + bytes + 1);
    StoredPart {
        extent: Some(Extent {
            head: Head { lines: stored.len() as u64, chain: read.chain },
            bytes: text.len() as u64,
            ending,
            cuts: 0,
        }),
        overlap: text.as_bytes()[at..end].to_vec(),
        at: at as u64,
        failed: failed.flatten(),
    }
}

fn take(stored: &[String], from: u64, lines: &[String]) -> Result<Step, Problem> {
    let lines = lines.concat();
    let known = known(stored, from, lines.len());
    step(&known, from, &lines, &spec(), &episode())
}

fn going(step: Result<Step, Problem>) -> Going {
    match step.expect("it goes on") {
        Step::Goes(going) => *going,
        Step::Nothing => panic!("there is nothing new"),
    }
}

#[test]
fn lines_go_on_from_what_is_stored() {
    let all = lines(&spec(), &[asked(1), found(1), closed("answered")]);
    let first = going(take(&[], 0, &all[..2]));
    assert_eq!((first.from, first.at), (0, 0));
    let rest = going(take(&all[..2], 2, &all[2..]));
    assert_eq!((rest.from, rest.at), (2, all[..2].concat().len() as u64));
    assert_eq!(rest.added, all[2..].concat());
    assert!(rest.outcome().is_some());
    let whole = transcript::read(&all.concat()).expect("it is sound");
    assert_eq!((rest.after.lines, rest.after.chain), (4, whole.chain));
}

#[test]
fn what_is_stored_may_be_sent_again() {
    let all = lines(&spec(), &[asked(1), found(1), closed("answered")]);
    assert_eq!(take(&all, 1, &all[1..3]), Ok(Step::Nothing));
    assert_eq!(take(&all, 0, &all), Ok(Step::Nothing));
    let overlapping = going(take(&all[..2], 0, &all));
    assert_eq!(overlapping.from, 2);
    let without_break = [all[2].trim_end().to_owned()];
    assert_eq!(going(take(&all[..2], 2, &without_break)).added, all[2]);
}

#[test]
fn a_gap_and_another_continuation_are_refused_with_the_number_stored() {
    let all = lines(&spec(), &[asked(1), found(1), closed("answered")]);
    let other = lines(&spec(), &[asked(1), failed(1)]);
    for (from, lines) in [(3, &all[3..]), (2, &other[2..]), (0, &other[..])] {
        let stored = if from == 3 { &all[..2] } else { &all[..] };
        let problem = take(stored, from, lines).expect_err("it does not go on");
        assert_eq!(problem.error.code, "conflict");
        let said = format!("has {} lines", stored.len());
        assert!(problem.error.message.contains(&said), "{problem}");
    }
}

#[test]
fn an_incomplete_transcript_is_taken_up_at_the_call_that_failed() {
    let broken = lines(&spec(), &[asked(1), found(1), asked(2), failed(2), closed("incomplete")]);
    let mended = lines(&spec(), &[asked(1), found(1), asked(2), found(2), closed("answered")]);
    let again = going(take(&broken, 4, &mended[4..]));
    assert_eq!((again.from, again.at), (4, broken[..4].concat().len() as u64));
    assert_eq!(going(take(&broken, 0, &mended)).from, 4);
    let elsewhere = lines(&spec(), &[asked(1), found(1), found(2)]);
    assert!(take(&broken, 3, &elsewhere[3..]).is_err(), "before the call that failed");
    assert!(take(&mended, 4, &broken[4..]).is_err(), "what is complete stays");
}

#[test]
fn a_broken_chain_is_named_by_its_line() {
    let all = lines(&spec(), &[asked(1), found(1)]);
    let other = lines(&spec(), &[asked(2), found(2)]);
    let problem = take(&all[..2], 2, &other[2..]).expect_err("the chain does not hold");
    assert_eq!(problem.error.code, "unfit");
    assert!(
        problem
            .error
            .message
            .starts_with("In the episode 1.r1.play: line 3: the hash chain is broken"),
        "{problem}"
    );
    for nonsense in ["{}\n", "not JSON\n", "{\"chain\":1}\n"] {
        assert!(take(&all[..2], 2, &[nonsense.to_owned()]).is_err(), "{nonsense}");
    }
    assert!(take(&[], 0, &["\n".to_owned()]).is_err());
    assert!(take(&[], 0, &all[1..]).is_err(), "without a header");
}

#[test]
fn lines_belong_to_their_run_and_episode() {
    let all = lines(&spec(), &[asked(1)]);
    let text = all.concat();
    let other = EpisodeKey::play(&"2".into(), 1);
    assert!(step(&StoredPart::default(), 0, &text, &spec(), &other).is_err());
    assert!(step(&StoredPart::default(), 0, &text, &spec(), &episode().grading()).is_err());
    let mut seeded = spec();
    seeded.seed = 2;
    assert!(step(&StoredPart::default(), 0, &text, &seeded, &episode()).is_err());
    let mut recorded = spec();
    let recording =
        Sitting { player: Player::Recording("old".into()), sampling: Sampling::default() };
    recorded.seats.insert(Seat::new("player"), recording);
    assert!(
        step(&StoredPart::default(), 0, &text, &recorded, &episode()).is_ok(),
        "a recording speaks for the recorded"
    );
}

#[test]
fn nothing_follows_the_end_and_nothing_is_opened_twice() {
    let spec = spec();
    let after = lines(&spec, &[closed("answered"), asked(1)]);
    assert!(take(&[], 0, &after).is_err());
    assert!(take(&after[..2], 2, &after[2..]).is_err(), "sent later");
    let twice = lines(&spec, &[Event::Opened(Box::new(header(&spec)))]);
    assert!(take(&[], 0, &twice).is_err());
}
