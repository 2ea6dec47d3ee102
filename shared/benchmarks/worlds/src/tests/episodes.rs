//! Single episodes: failures, people, what each seat may see, and texts that mean harm.

use proptest::prelude::*;

use super::*;
use crate::settings::Settings;
use crate::work::seat;
use turnwise_core::prelude::*;
use turnwise_core::replay::{Extent, Replay};

fn asks(effect: &Effect, seat: &str) -> bool {
    matches!(effect, Effect::Ask(ask) if ask.seat.as_str() == seat)
}

fn failed(class: FailureClass) -> Reply {
    Reply::Failed(Failure::new(class, "a test"))
}

#[test]
fn an_editor_who_says_nothing_in_time_lets_nothing_pass() {
    let spec = spec(&json!({ "questions": 2 }), &[]);
    let task = &Studio.samples().tasks[0];
    let play = play_with(&spec, task, |call, effect| match asks(effect, seat::EDITOR) {
        true => failed(FailureClass::Timeout),
        false => bot(&spec, task, call, effect),
    });
    assert_eq!(play.outcome().unwrap().ending, "none");
    let reasons: Vec<String> = made(&play)
        .questions
        .into_iter()
        .filter_map(|record| record.rejected.map(|rejected| rejected.reason))
        .collect();
    assert_eq!(reasons, ["silent", "silent"]);
}

#[test]
fn any_other_failure_leaves_the_pair_to_be_taken_up_again() {
    let spec = spec(&json!({ "questions": 1 }), &[]);
    let task = &Studio.samples().tasks[0];
    for (seat, class) in [
        (seat::QUESTIONER, FailureClass::Timeout),
        (seat::AUDITOR, FailureClass::Server),
        (seat::EDITOR, FailureClass::Cancelled),
    ] {
        let play = play_with(&spec, task, |call, effect| match asks(effect, seat) {
            true => failed(class),
            false => bot(&spec, task, call, effect),
        });
        let outcome = play.outcome().unwrap();
        assert!(!outcome.is_complete(), "{seat}");
        assert_eq!((Studio::FACTS.measure)(&play, None).score, None);
    }
}

#[test]
fn a_person_edits_through_the_forms() {
    let spec = spec(&json!({ "questions": 1, "audits": 1 }), &[]);
    let task = &Studio.samples().tasks[0];
    let mut names = Vec::new();
    let play = play_with(&spec, task, |call, effect| {
        let Effect::Ask(ask) = effect else {
            return bot(&spec, task, call, effect);
        };
        let Expect::Actions(forms) = &ask.expect else {
            return bot(&spec, task, call, effect);
        };
        names.push(forms.iter().map(|form| form.name.clone()).collect::<Vec<_>>());
        // The law gets a longer answer in words; the rest passes.
        let form = match names.len() {
            2 => forms.iter().find(|form| form.name == "edit").unwrap(),
            _ => &forms[0],
        };
        let typed = json!({ "answer_long": "As the facts say." }).to_string();
        let values: Vec<String> = form.parameters.iter().map(|_| typed.clone()).collect();
        Reply::Said(Said::text(form.text(&values)))
    });
    assert_eq!(
        names,
        [
            vec!["accept", "edit", "refuse"],
            vec!["accept", "edit", "refuse"],
            vec!["accept", "refuse"]
        ]
    );
    let record = &made(&play).questions[0];
    assert!(record.is_accepted());
    assert_eq!(
        (record.edits, record.law.as_ref().unwrap().answer_long.as_str()),
        (1, "As the facts say.")
    );
}

/// The words of a scene.
fn words(blocks: &[Block]) -> String {
    serde_json::to_string(blocks).unwrap()
}

#[test]
fn who_audits_and_who_makes_see_no_more_than_they_are_asked_with() {
    let spec = spec(&json!({ "questions": 1 }), &[]);
    let task = &Studio.samples().tasks[0];
    let mut episode = Studio.open(&spec, task, &(Studio::FACTS.pack)()).unwrap();
    let (mut open, mut answer, mut text) = (Vec::new(), String::new(), String::new());
    let mut looked = 0;
    loop {
        match episode.poll() {
            turnwise_core::episode::Step::Request(call, effect) => open.push((call, effect)),
            turnwise_core::episode::Step::Note(_) => {}
            turnwise_core::episode::Step::Done(_) => break,
            turnwise_core::episode::Step::Wait => {
                let (call, effect): (CallId, Effect) = open.remove(0);
                let seen = |seat: &str| words(&episode.scene(&Viewer::Seat(seat.into())).blocks);
                let reply = bot(&spec, task, call, &effect);
                let said = match &reply {
                    Reply::Said(said) => said.text.clone().unwrap_or_default(),
                    _ => String::new(),
                };
                if asks(&effect, seat::QUESTIONER) {
                    text = serde_json::from_str::<Value>(&said).unwrap()["text"]
                        .as_str()
                        .unwrap()
                        .to_owned();
                }
                if asks(&effect, seat::LAWGIVER) {
                    assert!(seen(seat::LAWGIVER).contains(&text));
                    answer = serde_json::from_str::<Value>(&said).unwrap()["answer_short"]
                        .as_str()
                        .unwrap()
                        .to_owned();
                }
                if asks(&effect, seat::AUDITOR) {
                    looked += 1;
                    let Effect::Ask(ask) = &effect else { panic!() };
                    let rendered = (Studio::FACTS.pack)().render(ask, task).unwrap();
                    let shown =
                        rendered.iter().map(|message| message.text.as_str()).collect::<String>();
                    assert!(!shown.contains(&answer) && shown.contains(&text));
                    assert!(!seen(seat::AUDITOR).contains(&answer));
                    assert!(!seen(seat::QUESTIONER).contains(&answer));
                    assert!(seen(seat::EDITOR).contains(&answer));
                }
                episode.resume(call, reply).unwrap();
            }
        }
    }
    assert_eq!(looked, 4, "one look at the law and three answers");
    assert!(words(&episode.scene(&Viewer::Reader).blocks).contains(&answer));
}

/// Replies in the forms of every seat, sound and not.
fn hostile() -> impl Strategy<Value = Option<String>> {
    let text = prop_oneof![
        Just(r#"{"action":"accept","params":{}}"#.to_owned()),
        Just(r#"{"action":"refuse"}"#.to_owned()),
        Just(r#"{"action":"edit","params":{"json":{"facts":[{"key":"a","value":"1 day"}]}}}"#.to_owned()),
        Just(r#"{"action":"edit","params":{"json":"{\"text\":\"\"}"}}"#.to_owned()),
        Just(r#"{"contradictions":[],"implausible":[],"pass":true}"#.to_owned()),
        Just(r#"{"answer":"1 day"}"#.to_owned()),
        Just(r#"{"consistent":true}"#.to_owned()),
        Just(r#"{"facts":[{"key":"a","value":"1 day","depends_on":["a"]}],"answer_short":"x","answer_long":"y"}"#.to_owned()),
        Just(r#"{"facts":[{"key":"a","value":"1 day"},{"key":"\u0000","value":"{answer}"}],"answer_short":"x","answer_long":"y"}"#.to_owned()),
        Just(r#"{"text":"{chance} {pair}","time_window":{"from":-9223372036854775808,"to":9223372036854775807},"outputs":[]}"#.to_owned()),
        any::<String>(),
    ];
    proptest::option::weighted(0.95, text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_a_seat_says_breaks_an_episode_or_its_budget(
        replies in proptest::collection::vec((hostile(), any::<bool>()), 1..30),
        repairs in 0_u32..3,
    ) {
        let spec = spec(&json!({ "questions": 2, "audits": 2, "repairs": repairs }), &[]);
        let most = Settings::of(&spec).unwrap().most_calls();
        let task = &Studio.samples().tasks[0];
        let mut calls = 0;
        let play = play_with(&spec, task, |call, effect| {
            calls += 1;
            let (said, sound) = &replies[calls as usize % replies.len()];
            match effect {
                Effect::Ask(_) if !sound => Reply::Said(Said { text: said.clone(), ..Said::default() }),
                _ => bot(&spec, task, call, effect),
            }
        });
        let outcome = play.outcome().unwrap();
        prop_assert!(outcome.is_complete(), "{outcome:?}");
        prop_assert!(calls <= most, "{calls} of {most}");
        let made = made(&play);
        for record in &made.questions {
            prop_assert!(record.is_accepted() != record.rejected.is_some());
        }
        let mut again = Case::new(&Studio, &spec, task).open();
        prop_assert_eq!(Replay::new(&play).run(&mut again), Ok(Extent::Whole));
    }
}
