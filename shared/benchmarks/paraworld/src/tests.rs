//! Whole plays by hand: a script for the player, the rule-based engine or a script in the engine's seat.

mod dispatch;
mod episodes;
mod exported;
mod pacing;
mod players;
mod sealed;
mod settings;
mod shared_pages;
mod windows;

use serde_json::{Value, json};

use super::ParaWorld;
use super::measure::Numbers;
use super::task::load;
use turnwise_core::benchmark::default_spec;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Content;
use turnwise_core::replay::{Extent, Replay};
use turnwise_core::session::Session;
use turnwise_core::testing::{self, Case, drive_in_order};

/// A world of two facts.
fn towers() -> Task {
    world(json!({
        "index": 7,
        "prompt": [{ "role": "user", "content": "Which is taller, Ada Tower or Bo Tower?" }],
        "answer": "Ada Tower",
        "extra_info": { "world_truth_info": {
            "generated_question": "Which is taller, Ada Tower or Bo Tower?",
            "atomic_facts": { "height of Ada Tower": "120 metres", "height of Bo Tower": "90 metres" },
            "final_answer": "Ada Tower, by 30 metres",
        } },
    }))
}

fn world(row: Value) -> Task {
    let worlds = load(row.to_string().as_bytes()).expect("the row is a world");
    worlds.worlds[0].to_core()
}

pub(super) fn spec(profile: Profile, settings: Value) -> Spec {
    let mut spec = default_spec(&ParaWorld);
    spec.profile = profile;
    spec.settings = settings;
    <dyn Benchmark>::check_spec(&ParaWorld, &spec).expect("the settings can be played");
    spec
}

fn call(query: &str) -> String {
    tagged(&json!({ "name": "web_search", "arguments": { "query": query } }).to_string())
}

fn tagged(inside: &str) -> String {
    format!("<tool_call>\n{inside}\n</tool_call>")
}

/// What the player says to one request.
#[derive(Clone)]
enum Says {
    Text(String),
    Nothing,
    Fails(FailureClass),
}

impl From<&str> for Says {
    fn from(text: &str) -> Self {
        Says::Text(text.to_owned())
    }
}

impl From<String> for Says {
    fn from(text: String) -> Self {
        Says::Text(text)
    }
}

/// A play that is over.
struct Played {
    outcome: Outcome,
    numbers: Option<Numbers>,
    transcript: Transcript,
    /// What the player was asked.
    asks: Vec<Ask>,
    /// The queries that the engine was asked.
    queries: Vec<String>,
}

impl Played {
    fn numbers(&self) -> &Numbers {
        self.numbers.as_ref().expect("it came to an end by the rules")
    }

    fn prediction(&self) -> &str {
        self.outcome.result["prediction"].as_str().unwrap_or_default()
    }

    /// Ending, prediction, turns, calls, logs.
    fn row(&self) -> (&str, &str, u32, usize, usize) {
        let episode = &self.numbers().episode;
        (
            &self.outcome.ending,
            self.prediction(),
            episode.turns,
            episode.calls.len(),
            episode.logs.len(),
        )
    }

    fn picked<'a>(&'a self, pick: impl Fn(&'a Note) -> Option<&'a str>) -> Vec<&'a str> {
        self.transcript.notes().filter_map(pick).collect()
    }

    fn flags(&self) -> Vec<&str> {
        self.picked(|note| match note {
            Note::Flag { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// The classes of what was wrong with turns, in order.
    fn faults(&self) -> Vec<&str> {
        self.picked(|note| match note {
            Note::Turn(turn) => Some(turn.reading.fault.as_ref()?.class.as_str()),
            _ => None,
        })
    }

    /// The words of what came back, in order.
    fn words(&self) -> Vec<&str> {
        self.picked(|note| match note {
            Note::Observation(came) => Some(came.word.as_str()),
            _ => None,
        })
    }
}

/// The text of a message, or the name of its template in angle brackets.
fn said(message: &Message) -> String {
    match &message.content {
        Content::Text(text) => text.clone(),
        Content::Template { name, .. } => format!("<{name}>"),
    }
}

fn roles(ask: &Ask) -> String {
    let letter = |message: &Message| match message.role {
        Role::System => 's',
        Role::User => 'u',
        Role::Assistant => 'a',
    };
    ask.messages.iter().map(letter).collect()
}

fn open(spec: &Spec, task: &Task) -> Session {
    Case::new(&ParaWorld, spec, task).open()
}

fn bot(spec: &Spec, task: &Task, call: CallId, ask: &Ask) -> Said {
    let name = spec.seats[&ask.seat].player.to_string();
    let name = name.strip_prefix("bot:").expect("bots sit everywhere");
    Case::new(&ParaWorld, spec, task).bot(name, call, ask)
}

fn drive(
    spec: &Spec,
    task: &Task,
    mut answer: impl FnMut(CallId, &Ask) -> Reply,
) -> (Session, Transcript) {
    let mut session = open(spec, task);
    // The newest first, so that the order of replies differs from that of calls.
    let newest = |call: CallId| usize::MAX - call.0 as usize;
    let lines = drive_in_order(&mut session, newest, |call, effect| match effect {
        Effect::Ask(ask) => answer(call, ask),
        _ => panic!("only seats are asked"),
    });
    (session, testing::read(&lines))
}

/// Plays a script, and replays it; where it ends the player says nothing. The engine is `bot:facts`, or `engine` says what it replies.
fn play_with(
    spec: &Spec,
    task: &Task,
    script: &[Says],
    mut engine: impl FnMut(&Ask, u32) -> Option<Reply>,
) -> Played {
    let (mut asks, mut queries) = (Vec::new(), Vec::new());
    let (session, transcript) = drive(spec, task, |call, ask| {
        if ask.seat.as_str() == "engine" {
            queries.push(ask.variable("query", task).expect("a query").to_owned());
            let scripted = engine(ask, queries.len() as u32);
            return scripted.unwrap_or_else(|| Reply::Said(bot(spec, task, call, ask)));
        }
        asks.push(ask.clone());
        match script.get(asks.len() - 1) {
            Some(Says::Text(text)) => Reply::Said(Said::text(text.as_str())),
            Some(Says::Fails(class)) => Reply::Failed(Failure::new(*class, "a test")),
            Some(Says::Nothing) | None => Reply::Said(Said::default()),
        }
    });
    let outcome = session.outcome().expect("it is over").clone();
    let mut again = open(spec, task);
    let replayed = Replay::new(&transcript).run(&mut again);
    assert_eq!(replayed, Ok(Extent::Whole), "what was written replays");
    let measured = (ParaWorld::FACTS.measure)(&transcript, None);
    Played { numbers: measured.numbers.read().ok(), outcome, transcript, asks, queries }
}

fn play<S: Clone + Into<Says>>(spec: &Spec, script: &[S]) -> Played {
    let script: Vec<Says> = script.iter().cloned().map(Into::into).collect();
    play_with(spec, &towers(), &script, |_, _| None)
}
