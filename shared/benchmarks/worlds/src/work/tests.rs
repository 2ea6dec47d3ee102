//! Every transition of the state machine of specification 3.5.

mod auditing;
mod editing;

use serde_json::{Value, json};

use super::*;
use turnwise_core::prelude::*;
use turnwise_paraworld::task::Term;

pub(super) fn work(settings: Settings) -> Work {
    let term = |name: &str| Term { name: name.to_owned(), aliases: Vec::new() };
    let pair = EntityPair {
        pair_id: "band-1".to_owned(),
        domain: "Band".to_owned(),
        entities: [term("Ada Choir"), term("Bea Quartet")],
        seed: 1,
        pool_hash: Digest::of(""),
    };
    Work::new(&settings, &pair, 1)
}

/// Without an editor and without second chances.
pub(super) fn plain() -> Settings {
    Settings { review: Default::default(), repairs: 0, ..Settings::default() }
}

pub(super) fn question() -> Value {
    json!({
        "text": "Who of Ada Choir and Bea Quartet plays the longer tour in 2028?",
        "time_window": { "from": 2028, "to": 2028 },
        "outputs": [{ "name": "who", "type": "name" }],
    })
}

pub(super) fn law() -> Value {
    serde_json::from_str(include_str!("tests/law.json")).expect("it is JSON")
}

pub(super) fn unsound_law() -> Value {
    let mut law = law();
    law["facts"][0]["value"] = json!(" ");
    law
}

pub(super) fn passed() -> Value {
    json!({ "contradictions": [], "implausible": [], "pass": true })
}

pub(super) fn answer(text: &str) -> Value {
    json!({ "answer": text })
}

/// Everybody of the wave says this.
pub(super) fn say(work: &mut Work, what: &Value) -> Vec<Word> {
    let said = Heard::Said(Some(match what {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }));
    let heard = work.open().iter().map(|_| said.clone()).collect();
    work.hear(heard)
}

/// The wave says these, one each.
pub(super) fn say_each(work: &mut Work, what: &[Value]) {
    let heard = what.iter().map(|what| Heard::Said(Some(what.to_string())));
    work.hear(heard.collect());
}

pub(super) fn requests(work: &Work) -> Vec<Request> {
    work.open().iter().map(|asking| asking.request).collect()
}

pub(super) fn rejection(work: &Work) -> (At, &str) {
    assert!(work.open().is_empty(), "nothing is open after a rejection");
    let rejected = work.record.rejected.as_ref().expect("it is rejected");
    (rejected.stage, &rejected.reason)
}

#[test]
fn the_straight_way() {
    let mut work = work(plain());
    assert_eq!(requests(&work), [Request::Question]);
    assert_eq!(work.record.reached, Stage::Begun);
    say(&mut work, &question());
    assert_eq!((work.record.reached, requests(&work)), (Stage::Drafted, vec![Request::Law]));
    say(&mut work, &law());
    assert_eq!((work.record.reached, requests(&work)), (Stage::SelfChecked, vec![Request::Audit]));
    say(&mut work, &passed());
    assert_eq!(work.record.reached, Stage::Audit1Pass);
    assert_eq!(requests(&work), [1, 2, 3].map(Request::Answer));
    let words = say(&mut work, &answer("ada choir by 9 days"));
    assert_eq!((work.record.reached, requests(&work)), (Stage::Accepted, vec![]));
    assert!(matches!(words.last(), Some(Word::Event(event::DECISION, _))));
    assert!(work.record.audit2.iter().all(|audit| audit.consistent && audit.by_rule));
    assert_eq!(work.hear(vec![Heard::Silent]), [work.decision()], "nothing is open any more");
}

#[test]
fn the_editor_is_asked_where_it_is_set() {
    let mut work = work(Settings { repairs: 0, ..Settings::default() });
    let accept = json!({ "action": "accept", "params": {} });
    let mut seen = Vec::new();
    for what in [
        question(),
        accept.clone(),
        law(),
        accept.clone(),
        passed(),
        answer("Ada Choir, by 9 days"),
        accept,
    ] {
        seen.push((work.record.reached, requests(&work)[0]));
        say(&mut work, &what);
    }
    assert_eq!(
        seen,
        [
            (Stage::Begun, Request::Question),
            (Stage::Begun, Request::ReviewQuestion),
            (Stage::Drafted, Request::Law),
            (Stage::LawDrafted, Request::ReviewLaw),
            (Stage::SelfChecked, Request::Audit),
            (Stage::Audit1Pass, Request::Answer(1)),
            (Stage::Audit2Pass, Request::LastLook),
        ]
    );
    assert!(work.record.is_accepted());
}

#[test]
fn what_cannot_be_read_is_quoted_back_three_times_and_then_rejected() {
    let mut work = work(plain());
    let broken = json!(r#"{"text": "Which one"#);
    for time in 1..=3 {
        say(&mut work, &broken);
        let [asking] = work.open() else { panic!("it is asked again") };
        assert_eq!(asking.request, Request::Question);
        assert_eq!(asking.back.len(), time);
        assert_eq!(asking.back[0].said, broken.as_str().unwrap());
        assert!(asking.back[0].fault.contains("ends too early"), "{asking:?}");
    }
    say(&mut work, &broken);
    assert_eq!(rejection(&work), (At::Format, "questioner"));
}

#[test]
fn a_reply_after_a_retry_goes_on() {
    let mut work = work(plain());
    say(&mut work, &json!("no"));
    say(&mut work, &question());
    assert_eq!(requests(&work), [Request::Law]);
    assert!(work.open()[0].back.is_empty(), "the next request begins anew");
    say(&mut work, &json!("no"));
    say(&mut work, &law());
    for wrong in ["", "pass"] {
        say(&mut work, &json!(wrong));
    }
    say(&mut work, &passed());
    assert_eq!(work.record.reached, Stage::Audit1Pass);
}

#[test]
fn every_seat_can_fail_at_its_format() {
    let to_the_end = |steps: &[Value]| {
        let mut work = work(Settings { repairs: 0, ..Settings::default() });
        for step in steps {
            say(&mut work, step);
        }
        for _ in 0..4 {
            say(&mut work, &json!("I pass."));
        }
        let (stage, seat) = rejection(&work);
        (stage, seat.to_owned())
    };
    let accept = json!({ "action": "accept" });
    let steps = [
        question(),
        accept.clone(),
        law(),
        accept.clone(),
        passed(),
        answer("Ada Choir, by 9 days"),
    ];
    let seats = ["questioner", "editor", "lawgiver", "editor", "auditor", "auditor", "editor"];
    for (count, seat) in seats.into_iter().enumerate() {
        assert_eq!(to_the_end(&steps[..count]), (At::Format, seat.to_owned()), "{count}");
    }
}

#[test]
fn the_machine_checks_before_anybody_audits() {
    let mut work = work(plain());
    say(&mut work, &question());
    say(&mut work, &unsound_law());
    assert_eq!(rejection(&work), (At::Checks, "blank"));
    assert_eq!(work.record.reached, Stage::LawDrafted);
    let mut work = self::work(plain());
    let mut far = question();
    far["time_window"] = json!({ "from": 1999, "to": 1999 });
    say(&mut work, &far);
    assert_eq!(rejection(&work), (At::Checks, "time_window"));
    assert_eq!(work.record.reached, Stage::Begun);
}

#[test]
fn a_law_that_fails_the_checks_is_sent_back_as_often_as_it_is_set() {
    let mut work = work(Settings { repairs: 2, ..plain() });
    say(&mut work, &question());
    for time in 1..=2 {
        say(&mut work, &unsound_law());
        let [asking] = work.open() else { panic!("it is sent back") };
        assert_eq!((asking.request, asking.back.len()), (Request::Law, time));
        assert!(asking.back[0].fault.contains("blank key or value"));
    }
    // A format fault has chances of its own.
    say(&mut work, &json!("oh"));
    assert_eq!(requests(&work), [Request::Law]);
    say(&mut work, &unsound_law());
    assert_eq!(rejection(&work), (At::Checks, "blank"));
    let mut work = self::work(Settings { repairs: 1, ..plain() });
    say(&mut work, &question());
    say(&mut work, &unsound_law());
    say(&mut work, &law());
    assert_eq!((requests(&work), &work.record.findings[..]), (vec![Request::Audit], &[][..]));
}

#[test]
fn a_silent_editor_lets_nothing_pass() {
    let mut work = work(Settings::default());
    say(&mut work, &question());
    work.hear(vec![Heard::Silent]);
    assert_eq!(rejection(&work), (At::Question, "silent"));
}
