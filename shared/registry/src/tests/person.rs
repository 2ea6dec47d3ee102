use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::prompt::{Message, ThreadId};
use crate::run::{Action, Ingredients, parts};
use crate::testing;
use std::collections::BTreeMap;

use super::run::{open, spec, world};

/// Everything that people are asked before the run waits, with the lines that were written.
fn asked(run: &mut Run, lines: &mut BTreeMap<EpisodeKey, Vec<String>>) -> Vec<(Ticket, Question)> {
    let mut all = Vec::new();
    loop {
        match run.poll() {
            Action::Person { ticket, ask } => {
                let question = run.question(&ticket, &ask).expect("it can be shown");
                all.push((ticket, question));
            }
            Action::Lines { episode, lines: more, .. } => {
                lines.entry(episode).or_default().extend(more)
            }
            Action::Call { ticket, request } => {
                run.tell(&ticket, world(&request)).expect("it fits");
            }
            Action::Wait | Action::Over => return all,
            _ => {}
        }
    }
}

fn say(run: &mut Run, ticket: &Ticket, text: &str) {
    let said = Reply::Said(Said::text(text));
    run.tell(ticket, said).expect("it fits");
}

/// The first of them that is asked of this seat.
fn first_of(seat: &str, all: Vec<(Ticket, Question)>) -> (Ticket, Question) {
    let mut all = all.into_iter();
    all.find(|(_, question)| question.seat.as_str() == seat).expect("the seat is asked")
}

const ASK: &str = r#"{"action":"ask","params":{"question":"Is it old?"}}"#;

/// The first episode comes to a question to the responder, because a person who plays asks it.
fn to_responder(
    run: &mut Run,
    lines: &mut BTreeMap<EpisodeKey, Vec<String>>,
) -> (Ticket, Question) {
    let (player, _) = first_of(Seat::PLAYER, asked(run, lines));
    say(run, &player, ASK);
    first_of(Seat::RESPONDER, asked(run, lines))
}

/// A person in the player's seat, and the given player in the responder's.
fn with_player(responder: &'static str) -> [(&'static str, &'static str); 3] {
    [("player", "person"), ("responder", responder), ("grader", "person")]
}

const RESPONDER: [(&str, &str); 3] =
    [("player", "bot:asks-by-rule"), ("responder", "person"), ("grader", "person")];

#[test]
fn a_person_sees_what_a_model_is_sent_and_nothing_besides() {
    let mut run = open(spec(&with_player("person"), "full"), BTreeMap::new());
    let (ticket, question) = to_responder(&mut run, &mut BTreeMap::new());
    let names: Vec<_> = question.parts.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["context", "question"]);
    let sent = &question.messages.last().expect("a message").text;
    for (_, text) in &question.parts {
        assert!(sent.contains(text), "{text} is not in the message");
    }
    // Of the episode this seat sees the question that it is asked, and nothing else.
    assert!(
        matches!(&question.scene.blocks[..], [Block::Act { text, .. }] if text == "Is it old?")
    );
    // The same as a model in this seat gets.
    let seats = with_player("model:up/m");
    let mut other = open(spec(&seats, "full"), BTreeMap::new());
    let (player, _) = first_of(Seat::PLAYER, asked(&mut other, &mut BTreeMap::new()));
    assert_eq!(player.episode, ticket.episode);
    say(&mut other, &player, ASK);
    let call = loop {
        match other.poll() {
            Action::Call { request: Outgoing::Model(call), .. } => break call,
            Action::Wait | Action::Over => panic!("the model is not asked"),
            _ => {}
        }
    };
    assert_eq!(call.messages, question.messages);
}

#[test]
fn what_a_template_does_not_name_is_not_shown() {
    let pack = Pack {
        name: "own".to_owned(),
        templates: BTreeMap::from([
            ("t".to_owned(), "{b} before {a}".to_owned()),
            ("again".to_owned(), "{fault}".to_owned()),
        ]),
    };
    let run = open(spec(&RESPONDER, "full"), BTreeMap::new());
    let task = &run.tasks()[0];
    let variables = [
        ("a", Variable::text("1")),
        ("b", Variable::field("question")),
        ("hidden", Variable::field("answer")),
    ];
    let mut ask = Ask {
        seat: Seat::new("x"),
        thread: ThreadId(1),
        messages: vec![Message::template(Role::User, "t", variables)],
        expect: Expect::Text,
    };
    let names = |ask: &Ask| -> Vec<String> {
        let shown = parts(&pack, ask, task).expect("it can be shown");
        shown.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(&ask), ["b", "a"], "in the order of the template");
    // A person who is asked again still sees the question, and below it what was wrong.
    let fault = [("fault", Variable::text("it is empty"))];
    ask.messages.push(Message::template(Role::User, "again", fault));
    assert_eq!(names(&ask), ["b", "a", "fault"]);
}

#[test]
fn what_cannot_be_read_is_asked_again_and_ends_as_unknown() {
    let mut run = open(spec(&with_player("person"), "full"), BTreeMap::new());
    let mut lines = BTreeMap::new();
    let (mut ticket, _) = to_responder(&mut run, &mut lines);
    let episode = ticket.episode.clone();
    for attempt in 1..=3 {
        say(&mut run, &ticket, "perhaps, who knows that? yes or no");
        let again = asked(&mut run, &mut lines);
        let (next, question) = again
            .into_iter()
            .find(|(ticket, _)| ticket.episode == episode)
            .expect("the person is asked again");
        let seat = if attempt < 3 { Seat::RESPONDER } else { Seat::PLAYER };
        assert_eq!(question.seat.as_str(), seat, "attempt {attempt}");
        ticket = next;
    }
    let text = lines[&episode].join("\n");
    assert_eq!(text.matches("\"responder_unreadable\"").count(), 4, "{text}");
    assert!(text.contains("\"word\":\"i don't know\""));
}

#[test]
fn a_question_stands_until_it_is_answered_and_after_the_run_was_taken_up() {
    let mut run = open(spec(&RESPONDER, "full"), BTreeMap::new());
    let mut lines = BTreeMap::new();
    let first = asked(&mut run, &mut lines);
    assert!(first.len() > 1, "several episodes wait at once");
    for _ in 0..1000 {
        // No clock in the core takes a question away.
        assert_eq!(run.poll(), Action::Wait);
    }
    say(&mut run, &first[0].0, "no");
    let second = asked(&mut run, &mut lines);
    let open_now: BTreeMap<Ticket, Question> =
        first.iter().skip(1).cloned().chain(second).collect();

    let mut again = open(spec(&RESPONDER, "full"), BTreeMap::new());
    let (plays, gradings): (Vec<_>, Vec<_>) =
        lines.iter().partition(|(episode, _)| episode.part() == PartKey::Play);
    for (episode, lines) in plays.into_iter().chain(gradings) {
        again.restore(episode, &testing::read(lines)).expect("it replays");
    }
    let taken_up: BTreeMap<Ticket, Question> =
        asked(&mut again, &mut BTreeMap::new()).into_iter().collect();
    assert_eq!(taken_up, open_now, "the same questions stand");
}

#[test]
fn whoever_is_evaluated_plays_one_episode_after_the_other() {
    let seats = [("player", "person"), ("responder", "bot:lexical"), ("grader", "bot:exact")];
    let spec = spec(&seats, "answer_only");
    let benchmark = example(QUESTIONS);
    let ingredients = Ingredients::new(benchmark, spec, benchmark.samples(), 8);
    let mut run = Run::new(ingredients).expect("it can be run");
    let mut lines = BTreeMap::new();
    let text = r#"{"action":"answer","params":{"answer":"a","confidence":"50"}}"#;
    let mut played = 0;
    loop {
        let now = asked(&mut run, &mut lines);
        let [(ticket, question)] = &now[..] else {
            assert!(now.is_empty());
            break;
        };
        assert!(!question.scene.blocks.is_empty(), "the question is shown");
        say(&mut run, ticket, text);
        played += 1;
    }
    assert_eq!(played, run.progress().planned);
    assert_eq!(run.progress().incomplete, 0);
    let head = lines.values().next().expect("a transcript")[0].clone();
    assert!(head.contains("\"player\":\"person\""), "the record says it");
}

#[test]
fn a_task_has_the_language_of_its_label() {
    let run = open(spec(&RESPONDER, "full"), BTreeMap::new());
    let languages = run.languages();
    assert!(languages.contains("en") && languages.contains("zh"));
    for task in &example(QUESTIONS).samples().tasks {
        let language = run.language_of(&EpisodeKey::play(&task.id, 1));
        assert_eq!(language.as_ref(), task.labels.get("language"));
    }
}
