//! What a line tells of the episode, as notes.

use serde_json::{Value, json};

use crate::measure::{Agreement, Numbers};
use crate::metrics::errors::analyse;
use crate::metrics::{Call, Log};
use crate::noted::{LogNote, WorldNote, event, rules};
use crate::results::Row;
use crate::task::World;
use turnwise_core::episode::{CallId, Outcome};
use turnwise_core::json::Json;
use turnwise_core::note::{Came, Fault, Note, Reading, Tone, Turn, TurnKind};
use turnwise_core::python::{self, strip};
use turnwise_core::seat::Seat;
use turnwise_core::transcript::Event;

/// What the line tells of the episode.
pub(super) fn play(row: &Row, world: Option<&World>) -> Vec<Event> {
    let mut episode = row.episode.clone();
    episode.verdict = None;
    if let Some(world) = world.filter(|world| world.facts.len() as u32 == episode.facts) {
        episode.rules = rules(world);
    } else if let Some(beside) = &row.beside {
        episode.rules.clone_from(&beside.rules);
    }
    let world = WorldNote {
        facts: episode.facts,
        rules: episode.rules.clone(),
        max_turns: episode.max_turns,
    };
    let prediction = row.object.get("prediction").and_then(Json::as_text);
    let prediction = prediction.filter(|text| !strip(text).is_empty());
    let mut notes = vec![world.note()];
    let observations = observations(row);
    let queries = queries(row);
    for (at, call) in (0_usize..).zip(&episode.calls) {
        let query = queries.get(at).cloned().flatten();
        let shown = match observations.len() == episode.calls.len() {
            true => observations[at],
            false => "",
        };
        let log = call.log.and_then(|log| episode.logs.get(log as usize));
        notes.extend(called(at as u32 + 1, query, *call, log, shown));
    }
    if let Some(prediction) = prediction {
        let turn = episode.calls.len() as u32 + 1;
        let reading = Reading { applied: json!({ "answer": prediction }), ..Reading::default() };
        let sentence = format!("answers “{prediction}”");
        notes.push(noted(turn, TurnKind::Answer, sentence, reading));
    }
    let ending = episode.status.name().to_owned();
    let errors = analyse(row.messages());
    let beside = row.beside.as_ref();
    let kept = beside.and_then(|beside| beside.numbers.clone());
    let numbers = kept.unwrap_or_else(|| Numbers {
        format_fault: Some(errors.format_errors > 0),
        episode,
        errors,
        agreement: beside.map_or_else(Agreement::default, |beside| beside.agreement),
        judge: None,
    });
    notes.push(Note::Event { name: event::NUMBERS.to_owned(), detail: json!(numbers) });
    let mut events: Vec<Event> = notes.into_iter().map(Event::Noted).collect();
    events.push(Event::Closed(Outcome { ending, result: json!({ "prediction": prediction }) }));
    events
}

/// One call: its turn, what came back, what the engine said of it.
fn called(
    turn: u32,
    query: Option<Value>,
    call: Call,
    log: Option<&Log>,
    shown: &str,
) -> Vec<Note> {
    let words = match &query {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let kind = match log {
        Some(_) => TurnKind::Search,
        None => TurnKind::Invalid,
    };
    let reading = Reading {
        applied: json!({ "query": query }),
        fault: log.is_none().then(|| Fault {
            class: "not_told".to_owned(),
            detail: "a call without a log: the file does not say what was wrong".to_owned(),
        }),
        ..Reading::default()
    };
    let mut notes = vec![noted(turn, kind, format!("searches for “{words}”"), reading)];
    let (tone, word) = match log {
        None => (Tone::Failed, "refused"),
        Some(log) if log.compound => (Tone::Unknown, "compound"),
        Some(_) if call.hit => (Tone::Positive, "hit"),
        Some(_) => (Tone::Negative, "miss"),
    };
    notes.push(Note::Came(Came {
        turn,
        call: None,
        tone,
        word: word.to_owned(),
        shown: shown.to_owned(),
        reading: None,
    }));
    notes.extend(log.map(|log| Note::Event {
        name: event::LOG.to_owned(),
        detail: json!(LogNote { turn, log: log.clone(), second: None }),
    }));
    notes
}

fn noted(index: u32, kind: TurnKind, sentence: String, reading: Reading) -> Note {
    Note::Turn(Turn {
        index,
        round: index,
        seat: Seat::new(Seat::PLAYER),
        call: CallId(index),
        kind,
        sentence,
        reading,
    })
}

/// What was searched for, call by call.
fn queries(row: &Row) -> Vec<Option<Value>> {
    let log = row.object.get("trajectory_log").and_then(Json::as_object);
    let calls = match log.and_then(|log| log.get("tool_calls")) {
        Some(Json::List(calls)) => calls.as_slice(),
        _ => &[],
    };
    let query = |call: &Json| {
        let query = call.as_object()?.get("query")?;
        let plain = serde_json::to_value(query);
        Some(plain.unwrap_or_else(|_| Value::from(python::text(query))))
    };
    calls.iter().map(query).collect()
}

/// What followed each message of the assistant that has a call in it.
fn observations(row: &Row) -> Vec<&str> {
    let messages: Vec<(&str, &str)> = row.messages().collect();
    let pairs = messages.windows(2).filter(|pair| {
        pair[0].0 == "assistant" && pair[0].1.contains("<tool_call>") && pair[1].0 != "assistant"
    });
    pairs.map(|pair| pair[1].1).collect()
}
