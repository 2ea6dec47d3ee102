use std::collections::BTreeMap;

use crate::benchmark::default_spec;
use crate::examples::{QUESTIONS, example};
use crate::markup::Markup;
use crate::metrics::episode_status::EpisodeStatus;
use crate::note::{Reading, Turn};
use crate::prelude::*;
use crate::run::header;
use crate::screen::play::*;
use crate::screen::row::Labels;
use crate::screen::sample;
use serde_json::{Value, json};

const EVIL: &str = "<img src=x onerror=alert(1)>\"";

/// An episode of turns whose texts are all the same, and the episode in numbers.
fn played(kinds: &[TurnKind], text: &str, result: Value) -> (Transcript, Summary) {
    let spec = default_spec(example(QUESTIONS));
    let task = example(QUESTIONS).samples().tasks[0].clone();
    let header = header(&spec, &task, 1, Part::Play);
    let mut events =
        vec![Event::Noted(Note::Event { name: "deal".into(), detail: json!({ "cards": [text] }) })];
    for (index, kind) in (1..).zip(kinds) {
        let call = CallId(index);
        events.push(Event::Told { call, reply: Reply::Said(Said::text(text)) });
        events.push(Event::Noted(Note::Turn(Turn {
            index,
            round: index,
            seat: "player".into(),
            call,
            kind: *kind,
            sentence: text.to_owned(),
            reading: Reading::default(),
        })));
        events.push(Event::Noted(Note::Observation(Observation {
            turn: index,
            call: None,
            tone: Tone::Positive,
            word: "yes".into(),
            shown: text.to_owned(),
            reading: None,
        })));
    }
    events.push(Event::Told {
        call: CallId(999),
        reply: Reply::Failed(Failure::new(FailureClass::Timeout, text)),
    });
    events.push(Event::Closed(Outcome { ending: "answered".into(), result }));
    let letters: String = kinds.iter().map(|kind| kind.letter()).collect();
    let mut summary = sample::summary("7", &letters);
    for cell in &mut summary.ribbon {
        cell.sentence = text.to_owned();
    }
    summary.task.labels.insert("domain".into(), text.to_owned());
    summary.task.labels.insert("language".into(), "zh".into());
    let transcript = Transcript {
        header,
        events: events.into_iter().map(Some).collect(),
        chain: Digest::of(""),
    };
    (transcript, summary)
}

fn told((transcript, summary): &(Transcript, Summary)) -> (String, String) {
    let play = Play {
        run: EVIL,
        run_href: "/run/0",
        href: "/run/0/7.r1.play",
        summary,
        transcript,
        people: &BTreeMap::new(),
        labels: Labels::All,
        question: Some(EVIL),
        benchmark: example(QUESTIONS),
        now: Some(2),
        parent: transcript.header.branch.as_ref().map(|_| Parent {
            href: "/run/1/7.r1.play?turn=2",
            status: EpisodeStatus::Ungraded,
            answer: None,
        }),
    };
    let (mut heading, mut story) = (Markup::default(), Markup::default());
    play.heading(&mut heading);
    _ = play.story(&mut story);
    (heading.done(), story.done())
}

#[test]
fn every_turn_is_told_with_what_came_back() {
    let kinds = [TurnKind::Search, TurnKind::Ask, TurnKind::Answer];
    let answered = json!({ "prediction": "长城", "confidence": "80" });
    let (heading, story) = told(&played(&kinds, "what it was", answered));
    for part in ["<a href=\"/run/0\">", "<h1>Task 7</h1>", "<span class=\"tag\">what it was</span>"]
    {
        assert!(heading.contains(part), "{part} is not in {heading}");
    }
    for part in [
        "<b>Not graded:</b>",
        "said <b class=\"strong\" lang=\"zh\">长城</b>",
        "confidence 80",
        "<span class=\"soft\">3 turns</span>",
        "href=\"/run/0/7.r1.play?turn=2\" aria-label=\"Turn 2: what it was\"",
        "<h3 lang=\"zh\">What it was</h3>",
        "<p class=\"told-text\">what it was</p>",
        "<b>deal</b>\n cards what it was",
    ] {
        assert!(story.contains(part), "{part} is not in {story}");
    }
    assert_eq!(story.matches("class=\"tl-turn\"").count(), 2);
    assert!(story.contains("<a href=\"#told-turn-2\">Go to turn 2</a>"), "{story}");
    assert!(story.contains("<li class=\"tl-turn is-now\" id=\"told-turn-2\">"), "{story}");
    assert!(!story.contains("A branch"), "{story}");
}

#[test]
fn a_branch_says_from_where_it_goes_on_and_what_it_changed() {
    let mut played = played(&[TurnKind::Ask, TurnKind::Answer], "x", json!({}));
    played.0.header.branch = Some(crate::transcript::BranchOf {
        run: "0123456789abcdef0123456789abcdef".parse().expect("an id"),
        episode: "7.r1.play".parse().expect("an episode"),
        turn: 2,
        lines: 3,
    });
    let (_, story) = told(&played);
    for part in [
        "<h2>A branch</h2>",
        "The turns before turn 2 are those of another run",
        "<p class=\"strong\">The outcome is the same: not graded.</p>",
        "<a href=\"/run/1/7.r1.play?turn=2\">The episode it goes on from</a>",
    ] {
        assert!(story.contains(part), "{part} is not in {story}");
    }
}

#[test]
fn nothing_that_was_said_becomes_markup() {
    let result = json!({ "prediction": EVIL, "confidence": EVIL, "message": EVIL });
    let (heading, story) = told(&played(&[TurnKind::Move, TurnKind::Ask], EVIL, result));
    for markup in [heading, story] {
        assert!(!markup.contains("<img") && !markup.contains("alert(1)>"), "{markup}");
        assert!(markup.contains("&lt;img src=x onerror=alert(1)&gt;&quot;"), "{markup}");
    }
}

#[test]
fn a_long_episode_says_how_much_is_left_out() {
    let kinds = [TurnKind::Move; 400];
    let (_, story) = told(&played(&kinds, &"word ".repeat(1_000), Value::Null));
    let turns = story.matches("class=\"tl-turn").count();
    assert!((1..100).contains(&turns), "{turns} turns");
    let left = format!("{} more turns stand in the whole transcript.", 400 - turns);
    assert!(story.contains(&left), "{turns} turns were told, not {left}");
    assert!(story.contains("word …</p>") || story.contains("word…</p>"));
    assert_eq!(story.matches("?turn=").count(), CELLS);
    assert!(story.len() < 120_000, "{} bytes", story.len());
}
