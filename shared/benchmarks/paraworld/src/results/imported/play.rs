//! What a line tells of the episode, as notes.

use serde_json::{Value, json};

use crate::measure::{Agreement, Numbers};
use crate::metrics::errors::analyse;
use crate::metrics::{Call, Log};
use crate::noted::{LogNote, WorldNote, event, rules};
use crate::results::ResultLine;
use crate::task::World;
use turnwise_core::kit::records::Notes;
use turnwise_core::prelude::*;
use turnwise_core::python::{self, strip};

/// What the line tells of the episode.
pub(super) fn play(row: &ResultLine, world: Option<&World>) -> Vec<Event> {
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
    let mut notes = Notes::default();
    notes.push(world.note());
    let observations = observations(row);
    let queries = queries(row);
    for (at, call) in (0_usize..).zip(&episode.calls) {
        let query = queries.get(at).cloned().flatten();
        let shown = match observations.len() == episode.calls.len() {
            true => observations[at],
            false => "",
        };
        let log = call.log.and_then(|log| episode.logs.get(log as usize));
        called(&mut notes, query, *call, log, shown);
    }
    if let Some(prediction) = prediction {
        let applied = json!({ "answer": prediction });
        noted(&mut notes, TurnKind::Answer, format!("answers “{prediction}”"), applied, None);
    }
    let ending = episode.status.name();
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
    notes.event(event::NUMBERS, numbers);
    notes.closed(ending, json!({ "prediction": prediction }))
}

/// One call: its turn, what came back, what the engine said of it.
fn called(notes: &mut Notes, query: Option<Value>, call: Call, log: Option<&Log>, shown: &str) {
    let words = match &query {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let kind = match log {
        Some(_) => TurnKind::Search,
        None => TurnKind::Invalid,
    };
    let fault = log.is_none().then(|| Fault {
        class: "not_told".to_owned(),
        detail: "a call without a log: the file does not say what was wrong".to_owned(),
    });
    let applied = json!({ "query": query });
    noted(notes, kind, format!("searches for “{words}”"), applied, fault);
    let (tone, word) = match log {
        None => (Tone::Failed, "refused"),
        Some(log) if log.compound => (Tone::Unknown, "compound"),
        Some(_) if call.hit => (Tone::Positive, "hit"),
        Some(_) => (Tone::Negative, "miss"),
    };
    notes.came(tone, word, shown);
    if let Some(log) = log {
        notes.event(event::LOG, LogNote { turn: notes.turns(), log: log.clone(), second: None });
    }
}

fn noted(
    notes: &mut Notes,
    kind: TurnKind,
    sentence: String,
    applied: Value,
    fault: Option<Fault>,
) {
    let reading = Reading { applied, fault, ..Reading::default() };
    notes.turn(notes.turns() + 1, kind, sentence, reading);
}

/// What was searched for, call by call.
fn queries(row: &ResultLine) -> Vec<Option<Value>> {
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
fn observations(row: &ResultLine) -> Vec<&str> {
    let messages: Vec<(&str, &str)> = row.messages().collect();
    let pairs = messages.windows(2).filter(|pair| {
        pair[0].0 == "assistant" && pair[0].1.contains("<tool_call>") && pair[1].0 != "assistant"
    });
    pairs.map(|pair| pair[1].1).collect()
}
