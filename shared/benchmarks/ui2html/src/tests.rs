//! Episodes from given replies, and bots with a made-up renderer.

mod bots;

use serde_json::{Value, json};
use turnwise_core::effect::Made;
use turnwise_core::prelude::*;
use turnwise_core::testing::{Case, FAILED_CALL, Played, made, spec, tasks};

use crate::Ui2Html;
use crate::likeness::Likeness;

const SCORES: &str = r#"{"layout": 14, "component": 12, "style": 15, "text": 18, "polish": 11}"#;
const ASKED: &str = "QUESTION: Compared with the target, should I enlarge the header?";

fn page(body: &str) -> String {
    format!("```html\n<!doctype html><html><body>{body}</body></html>\n```")
}

fn asks(body: &str) -> String {
    format!("{}\n{ASKED}", page(body))
}

/// Plays the first sample; the seats that are not given reply by their bots, and pages are made up.
fn play(settings: Value, replies: &[(&str, &[&str])]) -> (Played, Vec<String>) {
    let spec = spec(&Ui2Html, Profile::Strict, settings);
    let set = tasks(&Ui2Html, &spec);
    let points = turnwise_core::sweep::tasks(&Ui2Html, &spec, &set).expect("they can be played");
    let case = Case::new(&Ui2Html, &spec, &points[0]);
    let mut left: std::collections::BTreeMap<&str, std::slice::Iter<'_, &str>> =
        replies.iter().map(|(seat, texts)| (*seat, texts.iter())).collect();
    let mut rendered = Vec::new();
    let played = case.play_by(|call, effect| match effect {
        Effect::Ask(ask) => match left.get_mut(ask.seat.as_str()) {
            Some(texts) => match *texts.next().expect("a reply is left") {
                FAILED_CALL => Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500")),
                text => Reply::Said(Said::text(text)),
            },
            None => case.answer(call, effect),
        },
        Effect::Use(tool) => {
            let turnwise_core::effect::Tool::Render(job) = tool else { panic!("{tool:?}") };
            rendered.push(job.html.clone());
            match job.html.contains("bomb") {
                true => Reply::Failed(Failure::new(FailureClass::Rejected, "10 seconds")),
                false => Reply::Made(made(tool)),
            }
        }
        other => panic!("{other:?} is not asked for"),
    });
    assert!(left.values().all(|texts| texts.len() == 0), "replies are left over");
    (played, rendered)
}

/// Vectors 1 and 4 of 2.e.
#[test]
fn a_question_is_answered_and_the_final_page_is_scored() {
    let (first, last) = (asks("a"), page("b"));
    let replies: [(&str, &[&str]); 3] = [
        ("player", &[&first, &last]),
        ("judge", &["Yes, because…"]),
        ("scorer", &["{\"layout\": 14.5}", SCORES]),
    ];
    let (played, rendered) = play(json!({ "rounds": 1 }), &replies);
    assert_eq!(played.outcome().ending, "written");
    assert_eq!((played.summary.score, rendered.len()), (Some(0.7), 2));
    let grading = played.grading.as_ref().and_then(|grading| grading.outcome());
    assert_eq!(grading.and_then(|outcome| outcome.verdict()), Some("70"));
    let told = played.shown_to("player");
    assert!(told[1].contains("The answer is: yes.") && told[1].contains("final page"));
    assert!(played.shown_to("judge")[0].contains("should I enlarge the header?"));
    assert!(played.shown_to("scorer")[1].contains("could not be read"));
    // Both pictures, in every request of a seat that sees; none for the player, the meter.
    let pictures = |seat: &str| -> Vec<usize> {
        let asks = played.shown.iter().filter(|shown| shown.ask.seat.as_str() == seat);
        asks.map(|shown| shown.ask.messages.iter().map(|one| one.pictures.len()).sum()).collect()
    };
    assert_eq!((pictures("judge"), pictures("scorer")), (vec![2], vec![2, 2]));
    assert_eq!((pictures("player"), pictures("meter")), (vec![0, 0], vec![0]));
}

/// Vector 2 of 2.e: the round is used up, and the judge is not asked.
#[test]
fn a_missing_question_costs_the_round() {
    let (first, last) = (page("a"), page("b"));
    let replies: [(&str, &[&str]); 2] = [("player", &[&first, &last]), ("judge", &[])];
    let (played, rendered) = play(json!({ "rounds": 1 }), &replies);
    let faults = [("missing_question".to_owned(), 1)];
    assert_eq!((played.summary.faults.clone(), rendered.len()), (faults.into(), 2));
    let told = played.shown_to("player")[1].to_owned();
    assert!(told.contains("invalid") && told.contains("no line begins with QUESTION:"), "{told}");
}

#[test]
fn the_page_before_stays_where_none_can_be_read_or_rendered() {
    let (bomb, large) = (asks("bomb"), asks(&"é".repeat(24_000)));
    let replies: [(&str, &[&str]); 2] = [
        ("player", &[ASKED, &asks("a"), &bomb, &large, "Sorry."]),
        ("judge", &["no", "It depends", "It depends", "NO.", "yes"]),
    ];
    let (played, rendered) = play(json!({ "rounds": 4 }), &replies);
    // First the blank page, and after the second nothing new.
    assert_eq!(rendered.len(), 3);
    assert!(rendered[0].ends_with("<html></html>") && rendered[1].contains("<body>a</body>"));
    let flags = &played.summary.flags;
    let names = ["html_too_large", "judge_invalid", "missing_html", "unrenderable"];
    assert_eq!(names.map(|name| flags[name]), [1, 1, 2, 1]);
    let expected = made(&turnwise_core::effect::Tool::Render(turnwise_core::effect::Job {
        html: rendered[1].clone(),
        width: 800,
        height: 480,
        profile: turnwise_core::effect::RenderProfile::Render1,
    }));
    let Made::Picture(expected) = expected else { panic!("a picture") };
    assert_eq!(played.outcome().result["picture"], json!(expected.picture));
    assert!(played.shown_to("player")[3].contains("could not be rendered: 10 seconds"));
}

/// Vectors 5 and 6 of 2.e; the scorer is asked in the grading.
#[test]
fn rounds_say_how_often_each_seat_is_asked() {
    for (rounds, expected) in [(20, [21, 20, 21, 0, 1, 1]), (0, [1, 0, 1, 0, 1, 1])] {
        let (played, rendered) = play(json!({ "rounds": rounds }), &[]);
        let asked = |seat| played.shown_to(seat).len();
        let [player, judge, summarizer, scorer, meter] =
            ["player", "judge", "summarizer", "scorer", "meter"].map(asked);
        let counts = [player, judge, rendered.len(), summarizer, scorer, meter];
        assert_eq!(counts, expected, "{rounds} rounds");
    }
}

#[test]
fn the_history_is_cut_to_the_last_rounds() {
    let (played, _) = play(json!({ "rounds": 4, "history": 2 }), &[]);
    let asks = played.shown.iter().filter(|shown| shown.ask.seat.as_str() == "player");
    let lengths: Vec<_> = asks.map(|shown| shown.ask.messages.len()).collect();
    assert_eq!(lengths, [2, 4, 6, 6, 6]);
}

#[test]
fn only_those_who_may_see_the_specification_and_the_target() {
    for sees in [true, false] {
        let (played, _) = play(json!({ "rounds": 1, "scorer_sees_spec": sees }), &[]);
        let spec = "A centred block 200 px from the left";
        assert_eq!(played.shown_to("scorer")[0].contains(spec), sees);
        for seat in ["player", "judge"] {
            assert!(!played.shown_to(seat).concat().contains(spec), "{seat}");
        }
        assert!(!played.shown_to("player").concat().contains("pale salmon"));
    }
}

#[test]
fn a_description_is_live_or_to_be_frozen() {
    let said = "A sign.\n**LEFT OUT:**\n- the colours\n- the sizes";
    let live = json!({ "rounds": 0, "description": "live" });
    let (played, _) = play(live, &[("summarizer", &["", said])]);
    assert!(played.shown_to("player")[0].contains("Description of the target:\nA sign.\n"));
    let (played, rendered) = play(json!({ "mode": "describe" }), &[("summarizer", &[said])]);
    let frozen = json!({ "description": "A sign.", "omits": ["the colours", "the sizes"] });
    assert_eq!((&played.outcome().result, rendered.len()), (&frozen, 0));
    assert_eq!((played.grading.is_none(), played.summary.score), (true, None));
    let (played, _) = play(json!({ "mode": "describe" }), &[("summarizer", &["", " "])]);
    assert_eq!(played.outcome().ending, "not_described");
}

#[test]
fn a_scorer_that_cannot_be_read_leaves_no_score_but_a_likeness() {
    let replies: [(&str, &[&str]); 1] = [("scorer", &["Great!", "{\"layout\": 21}"])];
    let (played, _) = play(json!({ "rounds": 0 }), &replies);
    let grading = played.grading.as_ref().and_then(|grading| grading.outcome()).expect("it ended");
    assert_eq!((grading.ending.as_str(), grading.verdict()), ("score_failed", None));
    assert!(grading.result["likeness"]["likeness"].is_f64() && played.summary.score.is_none());
    let (played, _) = play(json!({ "rounds": 0 }), &[("player", &[FAILED_CALL])]);
    assert!(!played.outcome().is_complete());
}

#[test]
fn a_meter_says_five_numbers_or_that_there_are_none() {
    let equal = json!(Likeness::EQUAL).to_string();
    assert_eq!(crate::reading::likeness(&equal), Ok(Some(Likeness::EQUAL)));
    assert_eq!(crate::reading::likeness("absent"), Ok(None));
    assert!(crate::reading::likeness(&equal.replacen("1.0", "1.5", 1)).is_err());
    assert!(crate::reading::likeness("{}").is_err());
}

/// What a run is allowed is at least what its longest episode needs.
#[test]
fn no_seat_is_asked_more_often_than_announced() {
    for (_, settings) in Ui2Html.trials() {
        let spec = spec(&Ui2Html, Profile::Strict, settings.clone());
        let task = &tasks(&Ui2Html, &spec).tasks[0];
        let most = Ui2Html.most_calls(&spec, task).expect("the spec can be played");
        let unread = ["", ""];
        let (bomb, silent) = (asks("x"), ASKED.to_owned());
        let replies: Vec<(&str, Vec<&str>)> = match settings["mode"] == "describe" {
            true => vec![("summarizer", unread.into())],
            false => vec![
                ("summarizer", vec!["", "A page."]),
                ("player", vec![&silent, &bomb, &bomb, &bomb]),
                ("judge", vec![""; 6]),
                ("scorer", unread.into()),
            ],
        };
        let replies: Vec<_> = replies.iter().map(|(seat, texts)| (*seat, &texts[..])).collect();
        let (played, rendered) = play(settings, &replies);
        for (seat, most) in most {
            let asked = match seat {
                turnwise_core::effect::RENDER => rendered.len(),
                seat => played.shown_to(seat).len(),
            };
            assert!(asked <= most as usize, "{seat} is asked {asked} times of {most}");
        }
    }
}
