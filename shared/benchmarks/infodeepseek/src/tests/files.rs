//! Files of questions, and commands over them.

use turnwise_core::benchmark::tool::{File, Given, Load, Printed, Recorded};
use turnwise_core::prelude::*;

use super::*;
use crate::tasks::{field, label};
use crate::tools::TOOLS;
use turnwise_core::testing::cases;

#[test]
fn rows_become_tasks_with_labels() {
    let set = questions();
    let task = &set.tasks[0];
    assert_eq!(
        (task.id.0.as_str(), task.field(field::QUESTION_ZH)),
        ("7", Some("博雷岛何时独立？"))
    );
    assert_eq!(task.field(field::SOURCES), Some("https://a.example/borey\nhttps://b.example/list"));
    let label = |name: &str| task.labels.get(name).map(String::as_str);
    assert_eq!(label(label::ATTRIBUTES), Some("multi-hop, long-tail"));
    assert_eq!(
        (label(label::DOMAIN), label(label::SOURCES)),
        (Some("history, geography"), Some("2"))
    );
    assert_eq!((label(label::RESISTS), label("other")), (Some("GPT-4o"), None));
    assert!(crate::tasks::is_false_premise(&set.tasks[1].labels));
    // The older schema has another name for an attribute.
    let older = QUESTIONS.replace("\"multi_hop\"", "\"mixed_truth\"");
    let set = tasks::read("old", older.as_bytes()).expect("it can be read");
    assert_eq!(set.tasks[0].labels[label::ATTRIBUTES], "long-tail, distracting information");
}

#[test]
fn mistakes_are_named_by_row_and_field() {
    for (from, to, wanted) in cases::<(&str, &str, &str)>(include_str!("mistakes.jsonl")) {
        let file = QUESTIONS.replace(from, to);
        let error = tasks::read("x.json", file.as_bytes()).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

fn run(
    tool: usize,
    file: &[u8],
    plays: &[Transcript],
) -> Result<turnwise_core::benchmark::tool::Done, String> {
    let (path, name) = ("x/questions.json".to_owned(), "questions.json".to_owned());
    let file = File { path, name, bytes: file.to_vec(), beside: None };
    let load = |play: &Transcript| -> Load<'_> {
        let play = play.clone();
        Box::new(move || Ok(Recorded { path: "x".to_owned(), transcript: play.clone() }))
    };
    (TOOLS.tools[tool].run)(&Given {
        files: [("FILE", file)].into(),
        transcripts: [("DIR|FILE", plays.iter().map(load).collect())].into(),
        ..Given::default()
    })
}

/// A question is left out if each of two models answers it from one search.
#[test]
fn questions_that_one_search_answers_are_left_out() {
    let set = questions();
    let tried = |at: usize, model: &str, answer: &str| -> [Transcript; 2] {
        let mut spec = spec(json!({ "mode": "single_search", "offline": false }));
        let player = spec.seats.get_mut(&"player".into()).expect("there is a player");
        let (provider, model) = ("p".to_owned(), model.to_owned());
        player.player = Player::Model { provider, model };
        let case = Case::new(&InfoDeepSeek, &spec, &set.tasks[at]);
        let played = case.play_by(|call, effect| match effect {
            Effect::Ask(ask) if ask.seat.as_str() == "player" => Reply::Said(Said::text(answer)),
            effect => case.answer(call, effect),
        });
        [played.play, played.grading.expect("it was graded")]
    };
    let mut plays: Vec<Transcript> = Vec::new();
    for (at, model, answer) in [
        (0, "one", "In 1994."),
        (0, "two", "It was in 1994."),
        (1, "one", "There was no cup in 1850."),
        (1, "two", "The Reds."),
    ] {
        plays.extend(tried(at, model, answer));
    }
    plays.sort_by_key(|play| play.header.part != turnwise_core::transcript::Part::Play);
    let said = |plays: &[Transcript]| {
        let done = run(0, QUESTIONS.as_bytes(), plays).expect("it is checked");
        let Printed::Text(text) = done.printed else { panic!("a text") };
        (text, done.is_sound)
    };
    let (text, is_sound) = said(&plays);
    assert!(
        text.starts_with("2 questions: 1 kept, 1 rejected, 0 undecided\n7: rejected") && !is_sound,
        "{text}"
    );
    assert!(text.contains("attributes: "), "{text}");
    // One model is too few to reject, and enough to keep.
    let (text, is_sound) = said(&plays[..1]);
    assert!(text.starts_with("2 questions: 0 kept, 0 rejected, 2 undecided") && is_sound, "{text}");
    let kept = run(1, QUESTIONS.as_bytes(), &plays).expect("it is written");
    let kept = tasks::read("kept", &kept.files[0]).expect("it can be read");
    assert_eq!(kept.tasks, set.tasks[1..]);
}

/// Every attribute of the paper, and addresses of the sample web.
#[test]
fn the_samples_have_every_attribute() {
    let set = InfoDeepSeek.samples();
    assert!(set.tasks.len() >= 24);
    for (_, _, title) in crate::tasks::ATTRIBUTES {
        let has = |task: &&turnwise_core::task::Task| {
            let attributes = task.labels.get(label::ATTRIBUTES).map_or("", String::as_str);
            turnwise_core::task::label_values(attributes).any(|one| one == title)
        };
        assert!(set.tasks.iter().filter(has).count() >= 3, "{title}");
    }
}
