use serde_json::json;
use turnwise_core::benchmark::Chance;
use turnwise_core::kit::turns::turns;
use turnwise_core::prelude::*;
use turnwise_core::spec::Profile::{self, Reference, Strict};

use super::{Played, drive, rounds, spec};
use crate::SituationPuzzle;
use crate::prompts::{Prompts, default_pack};
use crate::reading::{Kind, Token};
use crate::settings::Settings;
use crate::tasks::{self, field, is_han};
use turnwise_core::testing::cases;

const PUZZLE: &dyn Benchmark = &SituationPuzzle;

const CHANCE: Chance = Chance { seed: 1, repeat: 1, call: CallId(1) };

fn with(player: &str, profile: Profile, budget: u32, task: &Task) -> Played {
    drive(&rounds(profile, budget), task, |ask, _| {
        let name = if ask.seat.as_str() == Seat::PLAYER { player } else { "bank" };
        let said = PUZZLE.bot(name, &Asked::new(ask, task, CHANCE));
        Reply::Said(said.expect("there is such a bot"))
    })
}

fn judged(task: &Task, kind: Kind, text: &str) -> String {
    let prompts = Prompts::new(&default_pack(), Strict, Settings::default(), tasks::suffix(task))
        .expect("it fits");
    let ask = prompts.ask_judge(&mut prompts.judge(ThreadId(1)), kind, text);
    let said = PUZZLE.bot("bank", &Asked::new(&ask, task, CHANCE));
    said.and_then(|said| said.text).expect("it says something")
}

#[test]
fn the_samples_are_whole() {
    let samples = SituationPuzzle.samples();
    let chinese = samples.tasks.iter().filter(|task| task.labels["language"] == "zh");
    let chinese = chinese.count();
    assert!(chinese >= 5 && samples.tasks.len() - chinese >= 15);
    for task in &samples.tasks {
        assert_eq!(task.labels["language"] == "zh", task.fields[field::SOLUTION].contains(is_han));
        let bank = tasks::bank(task);
        for token in Token::ALL {
            let has = bank.iter().any(|entry| entry.token == token);
            assert!(has, "{} has no {token}", task.id);
        }
        for entry in &bank {
            assert_eq!(
                judged(task, entry.kind, &entry.text),
                entry.token.name(),
                "{}: {}",
                task.id,
                entry.text
            );
        }
    }
}

#[test]
fn the_bank_understands_other_words() {
    let samples = SituationPuzzle.samples();
    let task = |id: &str| samples.task(&id.into()).expect("it is a sample");
    let cases = cases::<(&str, Kind, &str, Token)>(include_str!("judged.jsonl"));
    for (id, kind, text, token) in cases {
        assert_eq!(judged(task(id), kind, text), token.name(), "{id}: {text}");
    }
    // Without a bank it goes by the words of the hidden story, and a bank that is not one harms nothing.
    for bank in ["", "[", "[{}]"] {
        let mut bare = task("the_snowman").clone();
        bare.fields.insert(field::BANK.to_owned(), bank.to_owned());
        let solution = bare.field(field::SOLUTION).expect("it has one").to_owned();
        assert_eq!(judged(&bare, Kind::Final, &solution), "CORRECT");
        assert_eq!(judged(&bare, Kind::Final, "A wizard did it."), "INCORRECT");
        assert_eq!(judged(&bare, Kind::Question, "Did a magpie drop the ring?"), "YES");
        assert_eq!(judged(&bare, Kind::Question, "Is the mayor corrupt?"), "IRRELEVANT");
    }
}

#[test]
fn bots_play_the_samples_as_they_say() {
    for task in &SituationPuzzle.samples().tasks {
        for (profile, budget) in [(Strict, 1), (Strict, 20), (Reference, 20)] {
            let known = with("follows-bank", profile, budget, task);
            assert_eq!(known.summary().score, Some(1.0), "{} in {budget}", task.id);
            let answer = with("answer-only", profile, 2, task);
            assert_eq!(answer.summary().score, Some(0.0), "{}", task.id);
        }
        let asks = with("asks-by-rule", Strict, 20, task);
        assert_eq!(turns(&asks.transcript).len(), 21, "{}", task.id);
        assert!(asks.faults().is_empty(), "{}: {:?}", task.id, asks.faults());
    }
}

#[test]
fn every_bot_answers_every_request_readably() {
    let task = &SituationPuzzle.samples().tasks[0];
    for info in SituationPuzzle::FACTS.bots {
        for settings in
            [json!({ "mode": "direct" }), json!({ "rounds": 3, "judge_memory": "running" })]
        {
            let spec = spec(Strict, settings);
            let played = drive(&spec, task, |ask, _| {
                let is_own = ask.seat.as_str() == info.seat;
                let other = if ask.seat.as_str() == Seat::PLAYER { "answer-only" } else { "bank" };
                let name = if is_own { info.name } else { other };
                Reply::Said(
                    PUZZLE.bot(name, &Asked::new(ask, task, CHANCE)).expect("there is such a bot"),
                )
            });
            assert!(played.outcome.is_complete() && played.faults().is_empty(), "{}", info.name);
        }
    }
}
