//! An episode over a sealed world goes as one over the open world, and nothing that it is made of holds what the world knows.

use super::*;
use turnwise_core::benchmark::check_sealed;
use turnwise_core::prelude::*;
use turnwise_core::sealed::{self, Inquired, Seal, Verdict};

const SCRIPT: [&str; 5] = [
    "height of Ada Tower",
    "Height of  Ada Tower",
    "Which is taller, Ada Tower or Bo Tower?",
    "colour of Ada Tower",
    "height of Bo Tower",
];

fn script(asked: usize) -> Reply {
    let text = match SCRIPT.get(asked) {
        Some(query) => call(query),
        None => "<answer>Ada Tower</answer>".to_owned(),
    };
    Reply::Said(Said::text(text))
}

/// The task with every field and as it is handed out.
fn both() -> (Task, Task) {
    let open = TaskSet::new("towers", vec![towers()], TaskSetOrigin::Plain);
    let whole = Seal::new([1; 32]).keep(open);
    let told = sealed::handed_out(ParaWorld::FACTS.sealing.expect("it can be"), &whole);
    (whole.tasks[0].clone(), told.tasks[0].clone())
}

fn by_models() -> Spec {
    let mut spec = spec(Profile::Strict, json!({}));
    let seat = Seat::new(Seat::PLAYER);
    let sitting = spec.seats.get_mut(&seat).expect("somebody sits there");
    sitting.player = Player::Person;
    spec
}

/// What a server tells of a request.
fn told(spec: &Spec, whole: &Task, id: CallId, ask: &Ask) -> Reply {
    let sealing = check_sealed(&ParaWorld, spec).expect("it can be played");
    let inquiry = sealing.inquire(spec, whole, ask.clone());
    let mut inquiry = inquiry.expect("it is taken");
    let mut next = inquiry.begin();
    loop {
        next = match next {
            Inquired::Ask(ask) => inquiry.hear(Reply::Said(bot(spec, whole, id, &ask))),
            Inquired::Told(Verdict(text)) => return Reply::Said(Said::text(text)),
            Inquired::Failed(failure) => return Reply::Failed(failure),
        };
    }
}

#[test]
fn a_sealed_world_plays_as_an_open_one() {
    let (whole, handed) = both();
    let spec = by_models();
    let notes = |task: &Task| -> Vec<Note> {
        let mut asked = 0;
        let (_, transcript) = drive(&spec, task, |id, ask| match ask.seat.as_str() {
            "engine" if task.field("facts").is_none() => told(&spec, &whole, id, ask),
            "engine" => Reply::Said(bot(&spec, task, id, ask)),
            _ => {
                asked += 1;
                script(asked - 1)
            }
        });
        assert_eq!(asked, SCRIPT.len() + 1);
        let mut again = open(&spec, task);
        assert_eq!(
            Replay::new(&transcript).run(&mut again),
            Ok(Extent::Whole),
            "what was written replays"
        );
        transcript.notes().cloned().collect()
    };
    let (open, closed) = (notes(&whole), notes(&handed));
    assert_eq!(open.len(), closed.len());
    for (open, closed) in open.into_iter().zip(closed) {
        // The engine's own reason stays hidden.
        let plain = |note: Note| match note {
            Note::Observation(mut came) => {
                if let Some(reading) = &mut came.reading {
                    reading.applied["reason"] = Value::Null;
                }
                Note::Observation(came)
            }
            other => other,
        };
        assert_eq!(plain(open), plain(closed));
    }
}

#[test]
fn what_is_handed_out_of_a_world_tells_none_of_it() {
    let (_, handed) = both();
    let text = serde_json::to_string(&handed).expect("JSON");
    for hidden in ["120 metres", "90 metres", "height of", "by 30"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    assert!(
        (ParaWorld::FACTS.evidence)(&played(), Some(&handed))
            .is_some_and(|evidence| { evidence.facts.iter().all(|fact| fact.text.is_none()) })
    );
}

fn played() -> Transcript {
    let (whole, handed) = both();
    let spec = by_models();
    let mut asked = 0;
    let (_, transcript) = drive(&spec, &handed, |id, ask| match ask.seat.as_str() {
        "engine" => told(&spec, &whole, id, ask),
        _ => {
            asked += 1;
            script(asked - 1)
        }
    });
    transcript
}

#[test]
fn the_judge_says_one_word() {
    let (whole, _) = both();
    let spec = by_models();
    let sealing = check_sealed(&ParaWorld, &spec).expect("it can be played");
    let ask = Ask {
        seat: Seat::new("judge"),
        thread: turnwise_core::prompt::ThreadId(1),
        messages: Vec::new(),
        expect: turnwise_core::prompt::Expect::Text,
    };
    let said = "It is Ada Tower, by 30 metres. <answer>correct</answer>";
    for (text, word) in [(said, "<answer>Correct</answer>"), ("by 30 metres", "")] {
        let inquiry = sealing.inquire(&spec, &whole, ask.clone());
        let mut inquiry = inquiry.expect("it is taken");
        inquiry.begin();
        let heard = inquiry.hear(Reply::Said(Said::text(text)));
        assert_eq!(heard, Inquired::Told(Verdict(word.to_owned())));
    }
}

#[test]
fn oracles_and_the_reference_are_refused() {
    let refused = |spec: &Spec| {
        let refused = check_sealed(&ParaWorld, spec).map(|_| ());
        refused.expect_err("it would tell").field
    };
    let sound = by_models();
    assert!(check_sealed(&ParaWorld, &sound).is_ok());
    let mut knows = sound.clone();
    let seat = Seat::new(Seat::PLAYER);
    knows.seats.get_mut(&seat).expect("it is there").player = Player::Bot("per-fact".to_owned());
    assert_eq!(refused(&knows), "seats.player");
    let mut reference = sound.clone();
    reference.profile = Profile::Reference;
    assert_eq!(refused(&reference), "profile");
    let mut shown = sound;
    shown.settings = json!({ "setting": "A" });
    assert_eq!(refused(&shown), "settings.setting");
}
