use super::*;
use crate::task::load;
use serde_json::Value;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Content;

fn task() -> Task {
    let text = r#"{"prompt": [{"role": "user", "content": "first?"}, {"role": "user", "content": "Who built it?"}], "answer": "Ines Vale", "extra_info": {"world_truth_info": {"atomic_facts": {"builder": "Ines Vale"}}}}"#;
    load(text.as_bytes()).unwrap().worlds[0].to_core()
}

fn play(prediction: Option<&str>) -> Outcome {
    Outcome { ending: "finished".to_owned(), result: json!({ "prediction": prediction }) }
}

/// The reply to one request.
#[derive(Debug, Clone)]
enum Told {
    Text(Option<&'static str>),
    Fails(FailureClass),
}

use Told::{Fails, Text};
use turnwise_core::testing::cases;

/// The outcome, the templates that were asked with, and the notes.
fn judged(
    profile: Profile,
    votes: u32,
    prediction: Option<&str>,
    told: &[Told],
) -> (Outcome, Vec<String>, Vec<Note>) {
    let (task, play) = (task(), play(prediction));
    let mut judging =
        Judging::open(Case { profile, votes, question: Question::Last, task: &task, play: &play });
    let mut told = told.iter();
    let (mut asked, mut notes) = (Vec::new(), Vec::new());
    let mut open = None;
    loop {
        match judging.poll() {
            Step::Request(call, Effect::Ask(ask)) => {
                assert_eq!(ask.seat.as_str(), seat::JUDGE);
                assert_eq!(ask.variable("answer", &task), Some("Ines Vale"));
                assert_eq!(ask.variable("question", &task), Some("Who built it?"));
                asked.push(ask.templates()[1].to_owned());
                open = Some(call);
            }
            Step::Request(..) => panic!("only the judge is asked"),
            Step::Note(note) => notes.push(note),
            Step::Wait => {
                let reply = match told.next().expect("as many replies as requests") {
                    Text(text) => {
                        Reply::Said(Said { text: text.map(str::to_owned), ..Said::default() })
                    }
                    Fails(class) => Reply::Failed(Failure::new(*class, "a test")),
                };
                judging.resume(open.take().unwrap(), reply).unwrap();
            }
            Step::Done(outcome) => {
                assert!(told.next().is_none(), "every reply was asked for");
                return (outcome, asked, notes);
            }
        }
    }
}

const YES: Told = Text(Some("<think>so</think><answer>Correct</answer>"));
const NO: Told = Text(Some("<answer> incorrect\n</answer>"));

fn ends(profile: Profile, votes: u32, told: &[Told]) -> (String, Value) {
    let (outcome, ..) = judged(profile, votes, Some("Ines"), told);
    let verdict = outcome.result["verdict"].clone();
    (outcome.ending, verdict)
}

fn wanted(ending: &str, verdict: Option<&str>) -> (String, Value) {
    (ending.to_owned(), json!(verdict))
}

/// Specification 7, golden vectors: replies as the reference reads them, from the request to the verdict.
#[test]
fn golden_verdicts_of_the_reference() {
    let rows =
        cases::<(Option<&str>, &str)>(include_str!("../reading/tests/verdicts_reference.jsonl"));
    for (reply, verdict) in rows {
        assert_eq!(
            ends(Profile::Reference, 3, &[Text(reply)]),
            wanted("judged", Some(verdict)),
            "{reply:?}"
        );
    }
    let three =
        [Fails(FailureClass::Server), Fails(FailureClass::Rejected), Fails(FailureClass::Timeout)];
    assert_eq!(ends(Profile::Reference, 1, &three), wanted("error", Some("Incorrect")));
    let second = [Fails(FailureClass::Server), YES];
    assert_eq!(ends(Profile::Reference, 1, &second), wanted("judged", Some("Correct")));
}

#[test]
fn nothing_to_judge_costs_no_call() {
    for profile in [Profile::Reference, Profile::Strict] {
        for prediction in [None, Some(""), Some(" \n")] {
            let (outcome, asked, notes) = judged(profile, 3, prediction, &[]);
            assert_eq!(outcome.ending, "skipped");
            assert_eq!(outcome.result["verdict"], "Incorrect");
            assert_eq!(outcome.result["status"], "skipped");
            assert!(asked.is_empty() && notes.is_empty());
        }
    }
}

#[test]
fn strict_asks_once_more_and_then_gives_no_verdict() {
    let strict = |told: &[Told]| ends(Profile::Strict, 1, told);
    let vague = Text(Some("Correct (mostly), or Incorrect"));
    let open = Text(Some("<think>well <answer>Correct</answer>"));
    assert_eq!(strict(&[YES]), wanted("judged", Some("Correct")));
    assert_eq!(strict(&[vague.clone(), NO]), wanted("judged", Some("Incorrect")));
    assert_eq!(strict(&[open, Text(None)]), wanted("unparsed", None));
    assert_eq!(strict(&[Fails(FailureClass::Server)]), wanted("error", None));
    assert_eq!(strict(&[Fails(FailureClass::BudgetExhausted)]), wanted(Outcome::INCOMPLETE, None));
    let (_, asked, notes) = judged(Profile::Strict, 1, Some("x"), &[vague, YES]);
    assert_eq!(asked, ["judge", "judge_again"]);
    let kinds: Vec<TurnKind> = notes
        .iter()
        .filter_map(|note| match note {
            Note::Turn(turn) => Some(turn.kind),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, [TurnKind::Invalid, TurnKind::Answer]);
    assert!(matches!(notes.last(), Some(Note::Observation(came)) if came.word == "correct"));
}

#[test]
fn three_votes_decide_by_majority_and_all_are_noted() {
    let votes = |told: &[Told]| {
        let (outcome, ..) = judged(Profile::Strict, 3, Some("x"), told);
        (outcome.ending, outcome.result["verdict"].clone(), outcome.result["votes"].clone())
    };
    let vague = || Text(Some("perhaps"));
    let server = || Fails(FailureClass::Server);
    assert_eq!(
        votes(&[YES, NO, YES]),
        ("judged".into(), json!("Correct"), json!(["Correct", "Incorrect", "Correct"]))
    );
    assert_eq!(
        votes(&[NO, server(), NO]),
        ("judged".into(), json!("Incorrect"), json!(["Incorrect", "error", "Incorrect"]))
    );
    assert_eq!(
        votes(&[YES, vague(), vague(), NO]),
        ("unparsed".into(), json!(null), json!(["Correct", "unparsed", "Incorrect"]))
    );
    assert_eq!(
        votes(&[YES, vague(), vague(), server()]),
        ("error".into(), json!(null), json!(["Correct", "unparsed", "error"]))
    );
}

#[test]
fn the_first_question_is_the_reference_s() {
    let (task, play) = (task(), play(Some("x")));
    let shown = |question: Question| {
        let mut judging = Judging::open(Case {
            profile: Profile::Reference,
            votes: 1,
            question,
            task: &task,
            play: &play,
        });
        match judging.poll() {
            Step::Request(_, Effect::Ask(ask)) => ask,
            step => panic!("{step:?}"),
        }
    };
    assert_eq!(shown(Question::First).variable("question", &task), Some("first?"));
    let ask = shown(Question::Last);
    let Content::Template { variables, .. } = &ask.messages[1].content else {
        panic!("a template");
    };
    assert_eq!(variables["question"], Variable::field(field::QUESTION));
}

#[test]
fn exact_compares_what_is_written() {
    let alike = cases::<(&str, &str)>(include_str!("tests/alike.jsonl"));
    for (one, other) in alike {
        assert!(same(one, other) && same(other, one), "{one} / {other}");
    }
    let different = cases::<(&str, &str)>(include_str!("tests/different.jsonl"));
    for (one, other) in different {
        assert!(!same(one, other) && !same(other, one), "{one} / {other}");
    }
}
