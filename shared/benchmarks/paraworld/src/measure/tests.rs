//! The golden vectors G1 to G3 of specification 8.8 and the strict column of 8.9, out of made-up transcripts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::measure::Episode;
use crate::metrics::Key;
use crate::metrics::table::Table;
use crate::noted::Second;
use turnwise_core::note::Fault;
use turnwise_core::prelude::*;
use turnwise_core::spec::{Named, Subset};
use turnwise_core::testing::cases;
use turnwise_core::transcript::{FORMAT, Header, Part};

fn spec(profile: Profile) -> Spec {
    let named = || Named { name: String::new(), digest: Digest::of("") };
    Spec {
        benchmark: "paraworld".to_owned(),
        protocol: 2,
        profile,
        settings: json!({}),
        tasks: named(),
        subset: Subset::default(),
        pack: named(),
        seats: BTreeMap::new(),
        search: None,
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 1,
    }
}

fn transcript(profile: Profile, notes: Vec<Note>, ending: &str, result: Value) -> Transcript {
    let header = Header {
        format: FORMAT,
        spec: spec(profile),
        task: TaskRef { id: TaskId::from("1"), digest: Digest::of(""), labels: BTreeMap::new() },
        repeat: 1,
        part: Part::Play,
        origin: Origin::Recorded,
        branch: None,
    };
    let outcome = Outcome { ending: ending.to_owned(), result };
    let events = std::iter::once(Event::Opened(Box::new(header.clone())))
        .chain(notes.into_iter().map(Event::Noted))
        .chain([Event::Closed(outcome)])
        .map(Some)
        .collect();
    Transcript { header, events, chain: Digest::of("") }
}

#[derive(Default)]
struct Play {
    notes: Vec<Note>,
    turns: u32,
    rounds: u32,
}

/// What an engine said: hit, compound, key (fact number from 1, or a spelling of its own).
type Logged = (bool, bool, Option<Key>);

impl Play {
    fn of(facts: u32) -> Self {
        let world = WorldNote { facts, rules: BTreeSet::new(), max_turns: 32 };
        Play { notes: vec![world.note()], ..Play::default() }
    }

    fn turn(&mut self, kind: TurnKind, class: Option<&str>) -> u32 {
        self.turns += 1;
        self.notes.push(Note::Turn(Turn {
            index: self.turns,
            round: self.rounds,
            seat: Seat::new(Seat::PLAYER),
            call: CallId(self.turns),
            kind,
            sentence: String::new(),
            reading: Reading {
                fault: class.map(|class| Fault { class: class.to_owned(), detail: String::new() }),
                ..Reading::default()
            },
        }));
        self.turns
    }

    fn logged(&mut self, turn: u32, (hit, compound, key): Logged) {
        let log = LogNote {
            turn,
            log: Log { hit, compound, keys: Vec::from_iter(key), engine_fault: false },
            second: None,
        };
        self.notes.push(Note::Event { name: event::LOG.to_owned(), detail: json!(log) });
    }

    fn message(&mut self, calls: &[Logged]) {
        self.rounds += 1;
        for call in calls {
            let turn = self.turn(TurnKind::Search, None);
            self.logged(turn, *call);
        }
    }

    fn wrong(&mut self, class: &str) {
        self.rounds += 1;
        self.turn(TurnKind::Invalid, Some(class));
    }

    fn end(mut self, profile: Profile, ending: &str, verdict: Verdict) -> Numbers {
        let prediction = (ending == "finished").then_some("text");
        if prediction.is_some() {
            self.rounds += 1;
            self.turn(TurnKind::Answer, None);
        }
        let play = transcript(profile, self.notes, ending, json!({ "prediction": prediction }));
        let grading = transcript(profile, Vec::new(), "judged", json!({ "verdict": verdict }));
        let measured = episode(&play, Some(&grading));
        assert_eq!(measured.score, Some(verdict.score()));
        let numbers = Numbers::of(&measured).unwrap();
        let whole: Numbers = measured.numbers.read().unwrap();
        assert_eq!(numbers, whole);
        numbers
    }
}

fn key(number: u32) -> Option<Key> {
    Some(Key { spelling: number, fact: Some(number - 1) })
}

fn odd(fact: Option<u32>) -> Option<Key> {
    Some(Key { spelling: fact.map_or(100, |fact| 200 + fact), fact })
}

/// S0 to S7 of specification 8.8.
fn s(profile: Profile) -> Vec<Episode> {
    use Verdict::{Correct, Incorrect};
    let hit = |number| (true, false, key(number));
    let miss = (false, false, None);
    let unknown = (true, false, odd(None));
    let mut all = Vec::new();
    let mut add = |facts: u32, messages: &[&[Logged]], ending: &str, verdict| {
        let mut play = Play::of(facts);
        for message in messages {
            play.message(message);
        }
        all.push(play.end(profile, ending, verdict).episode);
    };
    add(4, &[&[hit(1)], &[hit(1)], &[miss], &[hit(2)]], "finished", Correct);
    add(5, &[], "finished", Incorrect);
    let padded = (true, false, odd(Some(0)));
    add(10, &[&[unknown], &[padded], &[hit(2)]], "finished", Incorrect);
    let five: Vec<Logged> = (1..=5).map(hit).collect();
    add(11, &[&five[..3], &five[3..]], "finished", Correct);
    add(12, &[&[hit(1)]], "api_error", Incorrect);
    add(2, &[&[hit(1)], &[hit(2)], &[unknown]], "finished", Correct);
    let said_but_missed = (false, false, key(1));
    let compound = (true, true, key(2));
    add(8, &[&[said_but_missed], &[compound]], "max_turns_reached", Incorrect);
    let mut s2 = Play::of(6);
    s2.message(&[hit(1)]);
    s2.message(&[hit(2)]);
    s2.wrong("read_again");
    all.insert(2, s2.end(profile, "finished", Correct).episode);
    all
}

#[track_caller]
fn near(found: impl IntoIterator<Item = f64>, wanted: &[f64]) {
    let found: Vec<f64> = found.into_iter().collect();
    let mut pairs = found.iter().zip(wanted);
    assert!(
        found.len() == wanted.len() && pairs.all(|(one, other)| (one - other).abs() < 6e-7),
        "{found:?} against {wanted:?}"
    );
}

#[test]
fn g1_to_g3_out_of_transcripts() {
    let s = s(Profile::Reference);
    let counts: Vec<(u32, u32)> = s
        .iter()
        .map(|one| (one.tool_calls(Profile::Reference), one.hits(Profile::Reference)))
        .collect();
    assert_eq!(counts, [(4, 3), (0, 0), (3, 2), (3, 3), (5, 5), (1, 1), (3, 3), (2, 1)]);
    near(
        s.iter().map(|one| one.fcr(Profile::Reference)),
        &[0.5, 0.0, 0.333333, 0.3, 0.454545, 0.083333, 1.5, 0.25],
    );
    assert_eq!((s[4].calling_messages, s[4].turns, s[4].max_turns), (2, 3, 32));
    assert_eq!((s[2].format_errors, s[2].calls[2].log), (1, None));
    let overall = Table::of(&s, Profile::Reference).overall_published.unwrap();
    near(
        [overall.pass_at_1, overall.fcr, overall.hit_rate, overall.tool_calls],
        &[0.5, 0.427652, 0.848958, 2.625],
    );
}

#[test]
fn strict_coverage_out_of_transcripts() {
    near(
        s(Profile::Strict).iter().map(|one| one.fcr(Profile::Strict)),
        &[0.5, 0.0, 1.0 / 3.0, 0.2, 5.0 / 11.0, 1.0 / 12.0, 1.0, 0.0],
    );
}

/// Which calls that were not run are counted (specification 5.5).
#[test]
fn calls_that_were_not_run() {
    let counted = |profile, class: &str| {
        let mut play = Play::of(3);
        play.wrong(class);
        let one = play.end(profile, "finished", Verdict::Incorrect).episode;
        (one.calls.len(), one.format_errors, one.calling_messages)
    };
    for (profile, class, wanted) in
        cases::<(Profile, &str, (usize, u32, u32))>(include_str!("tests/not_run.jsonl"))
    {
        assert_eq!(counted(profile, class), wanted, "{profile:?} {class}");
    }
    // Side by side the reference counts what its tool refused, and nothing else.
    for (class, calls) in [("no_query", 2), ("not_json", 1), ("unknown_tool", 1)] {
        let mut play = Play::of(3);
        play.message(&[(true, false, key(1))]);
        play.turn(TurnKind::Invalid, Some(class));
        let one = play.end(Profile::Reference, "finished", Verdict::Incorrect);
        let counts = (one.episode.calls.len(), one.errors.valid_calls);
        assert_eq!(counts, (calls, 1), "{class}");
    }
}

#[test]
fn a_call_where_there_is_no_tool_is_no_search() {
    let mut play = Play::of(1);
    play.wrong("unknown_tool");
    let result = json!({ "prediction": null });
    let mut play = transcript(Profile::Strict, play.notes, "max_turns_reached", result);
    play.header.spec.settings = json!({ "setting": "control" });
    let measured = episode(&play, None);
    let numbers: Numbers = measured.numbers.read().unwrap();
    assert_eq!((numbers.episode.calls.len(), numbers.episode.format_errors), (0, 1));
    assert_eq!(measured.score, Some(0.0));
}

#[test]
fn replies_in_another_order_are_put_into_that_of_the_text() {
    let mut play = Play::of(2);
    play.rounds = 1;
    let turns = [(); 2].map(|()| play.turn(TurnKind::Search, None));
    play.logged(turns[1], (false, false, None));
    play.logged(turns[0], (true, false, key(1)));
    let one = play.end(Profile::Strict, "finished", Verdict::Incorrect).episode;
    assert_eq!(one.logs.iter().map(|log| log.hit).collect::<Vec<_>>(), [true, false]);
    assert_eq!(one.calls.iter().map(|call| call.log).collect::<Vec<_>>(), [Some(0), Some(1)]);
}

#[test]
fn what_was_before_a_restart_does_not_count() {
    let mut play = Play::of(2);
    play.message(&[(true, false, key(1))]);
    let note = Note::Restarted { attempt: 2, why: String::new() };
    play.notes.push(note);
    play.rounds = 0;
    play.message(&[(false, false, None)]);
    let one = play.end(Profile::Strict, "finished", Verdict::Incorrect).episode;
    assert_eq!((one.calls.len(), one.hits(Profile::Strict), one.turns), (1, 0, 2));
}

#[test]
fn a_second_opinion() {
    let opinions = [
        ((true, false, key(1)), Class::Hit, Some(0)),
        ((true, false, key(1)), Class::Hit, Some(1)),
        ((false, false, None), Class::Miss, None),
        ((false, true, None), Class::TooBare, None),
        ((false, true, None), Class::Miss, None),
    ];
    let mut play = Play::of(2);
    for (said, class, fact) in opinions {
        play.message(&[said]);
        let Some(Note::Event { detail, .. }) = play.notes.last_mut() else {
            panic!("a message ends with what the engine said");
        };
        detail["second"] = json!(Second { class, fact });
    }
    let agreement = play.end(Profile::Strict, "finished", Verdict::Incorrect).agreement;
    let wanted = Agreement { compared: 5, same_class: 4, same: 3 };
    assert_eq!(agreement, wanted);
}

#[test]
fn verdicts() {
    let play = |profile, prediction: Option<&str>| {
        let result = json!({ "prediction": prediction });
        transcript(profile, Play::of(1).notes, "finished", result)
    };
    let grading = |ending: &str, verdict: Option<Verdict>| {
        let result = json!({ "verdict": verdict });
        transcript(Profile::Strict, Vec::new(), ending, result)
    };
    let score = |profile, prediction, grading: Option<Transcript>| {
        episode(&play(profile, prediction), grading.as_ref()).score
    };
    let (strict, reference) = (Profile::Strict, Profile::Reference);
    let text = Some("text");
    assert_eq!(score(strict, text, None), None);
    assert_eq!(score(strict, Some(" "), None), Some(0.0));
    assert_eq!(score(strict, None, None), Some(0.0));
    assert_eq!(score(strict, text, Some(grading("error", None))), None);
    assert_eq!(score(strict, text, Some(grading("unparsed", None))), None);
    assert_eq!(score(reference, text, Some(grading("error", None))), Some(0.0));
    let correct = grading("judged", Some(Verdict::Correct));
    assert_eq!(score(strict, text, Some(correct)), Some(1.0));
}

#[test]
fn an_episode_that_broke_off_has_no_numbers() {
    for ending in [Outcome::INCOMPLETE, Outcome::BROKEN] {
        let play = transcript(Profile::Strict, Play::of(1).notes, ending, Value::Null);
        assert_eq!(episode(&play, None), Measured::default());
    }
}

#[test]
fn what_the_engine_failed() {
    let failed = |fault: Option<&str>| {
        let mut play = Play::of(1);
        play.message(&[(false, true, None)]);
        play.notes.push(Note::Observation(Observation {
            turn: 1,
            call: None,
            tone: Tone::Failed,
            word: "error".to_owned(),
            shown: String::new(),
            reading: fault.map(|class| Reading {
                fault: Some(Fault { class: class.to_owned(), detail: String::new() }),
                ..Reading::default()
            }),
        }));
        play.end(Profile::Reference, "finished", Verdict::Incorrect).errors
    };
    let errors = failed(None);
    assert_eq!(errors.engine_call_errors, 1);
    assert!(errors.success);
    // A call that fails has a reading, which says why; it is no reply that could not be read.
    let errors = failed(Some(ENGINE_FAILED));
    assert_eq!((errors.engine_call_errors, errors.engine_parse_errors), (1, 0));
    assert_eq!(failed(Some("unreadable")).engine_parse_errors, 1);
}
