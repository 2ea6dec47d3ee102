//! One episode as a sample: its conversation, its events, its score.

mod event;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use self::event::{Clock, Events};
use super::{OURS, model, short_id};
use crate::benchmark::given::{Episode, Given};
use crate::exchange::time::iso;
use crate::exchange::told;
use crate::exchange::{evaluated, model_name};
use crate::metrics::summary::SeatUsage;
use crate::picture::{PictureRef, base64, data_url};
use crate::prompt::{Rendered, Role, Said};
use crate::shortened::shortened;
use crate::task::OPEN_FIELD;
use crate::transcript::Transcript;
use crate::transcript::told::{Item, items};

/// How long a text of a summary may be, in signs; Inspect cuts there, too.
const THIN: usize = 1000;

/// The most bytes of transcripts that stand in a sample's metadata.
pub(super) const MOST_TRANSCRIPTS: usize = 8_000_000;

/// A sample, and what the log needs of it.
pub(super) struct Made {
    pub id: String,
    pub epoch: u32,
    pub whole: Value,
    pub summary: Value,
    pub models: Tokens,
    pub roles: Tokens,
    /// When its last call was answered, in milliseconds since 1970.
    pub ended: u64,
}

/// Tokens by name, as Inspect counts them: those from a cache are no part of the input.
#[derive(Default)]
pub(super) struct Tokens(BTreeMap<String, [u64; 5]>);

impl Tokens {
    fn add(&mut self, name: &str, counts: [u64; 5]) {
        let sums = self.0.entry(name.to_owned()).or_default();
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum = sum.saturating_add(count);
        }
    }

    pub(super) fn add_all(&mut self, other: &Tokens) {
        for (name, counts) in &other.0 {
            self.add(name, *counts);
        }
    }

    pub(super) fn to_value(&self) -> Value {
        let usage = self.0.iter().map(|(name, counts)| (name.clone(), usage(*counts)));
        Value::Object(usage.collect())
    }
}

/// Input without cached tokens, output, read from a cache, written to a cache, reasoning.
fn usage([input, output, read, written, reasoning]: [u64; 5]) -> Value {
    let total = [output, read, written].into_iter().fold(input, u64::saturating_add);
    let mut usage = json!({
        "input_tokens": input,
        "output_tokens": output,
        "total_tokens": total,
    });
    for (name, count) in [
        ("input_tokens_cache_read", read),
        ("input_tokens_cache_write", written),
        ("reasoning_tokens", reasoning),
    ] {
        if count > 0 {
            usage[name] = json!(count);
        }
    }
    usage
}

fn counts(usage: &SeatUsage) -> [u64; 5] {
    let (read, written) = (usage.cached, usage.cache_written);
    let input = usage.input.saturating_sub(read).saturating_sub(written);
    [input, usage.output, read, written, usage.reasoning]
}

/// What one reply used; `None` where the service counted nothing. A count that it did not tell is left out.
fn reply_usage(said: &Said) -> Option<Value> {
    let of = &said.usage;
    if of.input.is_none() && of.output.is_none() {
        return None;
    }
    let (read, written) = (of.cached.unwrap_or(0), of.cache_written.unwrap_or(0));
    let input = of.input.map(|input| input.saturating_sub(read).saturating_sub(written));
    let reasoning = of.reasoning.unwrap_or(0);
    let mut usage = usage([input.unwrap_or(0), of.output.unwrap_or(0), read, written, reasoning]);
    let members = usage.as_object_mut()?;
    for (name, count) in [("input_tokens", of.input), ("output_tokens", of.output)] {
        if count.is_none() {
            members.remove(name);
        }
    }
    Some(usage)
}

pub(super) fn sample(given: &Given<'_>, episode: &Episode<'_>) -> Made {
    let summary = episode.summary;
    let (id, epoch) = (sample_id(episode), summary.repeat);
    let chain = episode.play.chain.to_string();
    let requests = told::requests(given, episode.play);
    let first = requests.values().next();
    let input = given
        .field(episode, OPEN_FIELD)
        // A game has no question; what its first player was sent says what it is.
        .or_else(|| Some(first?.last()?.text.clone()))
        .unwrap_or_else(|| format!("{} {}", given.spec.benchmark, summary.task.id));
    let target = given
        .benchmark
        .reference_field()
        .and_then(|field| given.field(episode, field))
        .unwrap_or_default();
    let messages = conversation(given, episode, first, &input);
    let metadata = metadata(episode);
    let scores = scores(given, episode);
    let (mut models, mut roles) = (Tokens::default(), Tokens::default());
    let main = evaluated(given.spec);
    for (seat, used) in &summary.usage {
        if let Some(sitting) = given.spec.seats.get(&seat.as_str().into())
            && used.counted > 0
        {
            models.add(&model_name(&sitting.player), counts(used));
            if main.is_none_or(|main| main.as_str() != seat) {
                roles.add(seat, counts(used));
            }
        }
    }
    let clock = Clock::of(given, episode);
    let (started, ended) = clock.span();
    let mut events = Events::new(given, clock, &chain);
    events.opened(&id, &input, &target, &metadata, &messages);
    events.transcript("solvers", episode.play, &requests);
    if let Some(grading) = episode.grading {
        let requests = told::grading_requests(given, episode);
        events.transcript("scorers", grading, &requests);
    }
    if let Some(score) = scores.values().next() {
        events.score(score, &target);
    }
    let seconds = (ended - started) as f64 / 1000.0;
    let uuid = short_id(&["sample", &chain]);
    let turns = summary.ribbon.len();
    let error = error(episode);
    let mut whole = json!({
        "id": id,
        "epoch": epoch,
        "input": input,
        "target": target,
        "messages": messages,
        "output": output(given, episode, &messages),
        "scores": scores,
        "metadata": with_transcripts(&metadata, episode),
        "store": {},
        "events": events.done(),
        "model_usage": models.to_value(),
        "role_usage": roles.to_value(),
        "started_at": iso(started),
        "completed_at": iso(ended),
        "total_time": seconds,
        "working_time": seconds,
        "uuid": uuid,
        "attachments": {},
        "turn_count": turns,
    });
    let mut short = json!({
        "id": id,
        "epoch": epoch,
        "input": thin(&input),
        "target": thin(&target),
        "metadata": thin_members(&metadata),
        "scores": scores.iter().map(|(name, score)| {
            let mut score = score.clone();
            score["metadata"] = thin_members(&score["metadata"]);
            (name.clone(), score)
        }).collect::<Map<String, Value>>(),
        "model_usage": whole["model_usage"],
        "role_usage": whole["role_usage"],
        "started_at": whole["started_at"],
        "completed_at": whole["completed_at"],
        "total_time": seconds,
        "working_time": seconds,
        "uuid": uuid,
        "retries": 0,
        "completed": summary.ending.is_some(),
        "message_count": messages.len(),
        "turn_count": turns,
    });
    if let Some(error) = error {
        short["error"] = json!(error);
        whole["error"] = json!({ "message": error, "traceback": error, "traceback_ansi": error });
    }
    Made { id, epoch, whole, summary: short, models, roles, ended }
}

/// The task's id; one that could be taken for a path is named by its hash, as files are.
fn sample_id(episode: &Episode<'_>) -> String {
    let id = &episode.summary.task.id.0;
    let is_odd = |sign: char| sign == '/' || sign == '\\' || sign.is_control();
    if id.is_empty() || id.contains(is_odd) || id.starts_with('.') || id.len() > 200 {
        let stem = episode.key.as_str().split('.').next();
        stem.unwrap_or("task").to_owned()
    } else {
        id.clone()
    }
}

fn error(episode: &Episode<'_>) -> Option<String> {
    let outcome = episode.play.outcome()?;
    (!outcome.is_complete()).then(|| match &outcome.result {
        Value::Null => outcome.ending.clone(),
        result => format!("{}: {result}", outcome.ending),
    })
}

fn metadata(episode: &Episode<'_>) -> Value {
    let summary = episode.summary;
    let mut metadata: Map<String, Value> =
        summary.task.labels.iter().map(|(label, value)| (label.clone(), json!(value))).collect();
    metadata.insert(
        OURS.to_owned(),
        json!({
            "task": summary.task.id,
            "episode": episode.key,
            "chain": episode.play.chain,
            "ending": summary.ending,
            "complete": summary.complete,
            "faults": summary.faults,
            "flags": summary.flags,
        }),
    );
    Value::Object(metadata)
}

/// The metadata with the exact transcripts, unless they are too long for a viewer.
fn with_transcripts(metadata: &Value, episode: &Episode<'_>) -> Value {
    let mut metadata = metadata.clone();
    let play = episode.play.text();
    let grading = episode.grading.map(Transcript::text);
    let bytes = play.as_ref().map_or(0, String::len)
        + grading.iter().flatten().map(String::len).sum::<usize>();
    match (play, grading) {
        (Some(_), Some(_) | None) if bytes > MOST_TRANSCRIPTS => {
            metadata[OURS]["transcripts_left_out"] =
                json!(format!("{bytes} bytes; at most {MOST_TRANSCRIPTS} are kept"));
        }
        (Some(play), Some(Some(grading))) => {
            metadata[OURS]["transcripts"] = json!({ "play": play, "grading": grading });
        }
        (Some(play), None) => metadata[OURS]["transcripts"] = json!({ "play": play }),
        (None, _) | (Some(_), Some(None)) => {
            metadata[OURS]["transcripts_left_out"] = json!("lines are withheld");
        }
    }
    metadata
}

/// What was said and what came back, by role: of a sample all that follows from its transcripts alone.
pub(super) fn said(messages: &[Value]) -> Vec<(&str, &Value)> {
    let told = messages.iter().filter_map(|message| {
        let role = message["role"].as_str()?;
        ["assistant", "tool"].contains(&role).then_some((role, &message["content"]))
    });
    told.collect()
}

fn scores(given: &Given<'_>, episode: &Episode<'_>) -> Map<String, Value> {
    let summary = episode.summary;
    // Where participants are numbered nothing is right or wrong: it is a number for each seat.
    let of_seats = || {
        given.benchmark.participants()?;
        Some(json!(given.benchmark.sample(given.spec, summary)?.numbers))
    };
    let value = summary.score.map(|score| json!(score)).or_else(of_seats);
    let Some(value) = value else {
        return Map::new();
    };
    let score = json!({
        "value": value,
        "answer": summary.measured.answer,
        "explanation": summary.ending,
        "metadata": { "figures": summary.measured.numbers },
        "history": [],
    });
    Map::from_iter([(given.spec.benchmark.clone(), score)])
}

/// The conversation as a reader follows it: what the first request said, then every turn, and what came back as the answer of
/// a tool. What exactly each call was sent stands in the events.
fn conversation(
    given: &Given<'_>,
    episode: &Episode<'_>,
    first: Option<&Vec<Rendered>>,
    input: &str,
) -> Vec<Value> {
    let mut messages: Vec<Value> = match first {
        Some(first) => first.iter().map(|sent| message(given, sent)).collect(),
        None => vec![message(given, &Rendered::text(Role::User, input))],
    };
    let main = evaluated(given.spec);
    for item in items(episode.play) {
        let Item::Turn(told) = item else { continue };
        let turn = told.turn;
        let id = format!("turn-{}", turn.index);
        let mut spoken = json!({
            "id": short_id(&["message", &episode.play.chain.to_string(), &id]),
            "role": "assistant",
            "content": told.said.map_or_else(|| json!(turn.sentence), content),
            "source": "generate",
        });
        if let Some(sitting) = given.spec.seats.get(&turn.seat) {
            spoken["model"] = json!(model_name(&sitting.player));
        }
        if main != Some(&turn.seat) {
            spoken["metadata"] = json!({ "seat": turn.seat });
        }
        if !told.came.is_empty() {
            let arguments = match &turn.reading.applied {
                Value::Object(members) => Value::Object(members.clone()),
                Value::Null => json!({}),
                other => json!({ "applied": other }),
            };
            spoken["tool_calls"] = json!([{
                "id": id,
                "function": turn.kind.name(),
                "arguments": arguments,
                "type": "function",
            }]);
        }
        messages.push(spoken);
        if !told.came.is_empty() {
            let shown: Vec<&str> = told.came.iter().map(|came| came.shown.as_str()).collect();
            messages.push(json!({
                "id": short_id(&["came", &episode.play.chain.to_string(), &id]),
                "role": "tool",
                "content": shown.join("\n\n"),
                "tool_call_id": id,
                "function": turn.kind.name(),
            }));
        }
    }
    messages
}

/// A message as Inspect writes it. The same text has the same id, so that viewers can tell what is sent again.
fn message(given: &Given<'_>, sent: &Rendered) -> Value {
    let role = match sent.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let digests: Vec<_> = sent.pictures.iter().map(|picture| picture.digest.to_string()).collect();
    let id = [role, &sent.text].into_iter().chain(digests.iter().map(String::as_str));
    let id = short_id(&id.collect::<Vec<_>>());
    json!({ "id": id, "role": role, "content": with_pictures(given, &sent.text, &sent.pictures) })
}

/// A text, or a list of parts where pictures that are at hand follow it.
fn with_pictures(given: &Given<'_>, text: &str, pictures: &[PictureRef]) -> Value {
    let found = pictures.iter().filter_map(|picture| given.pictures.get(&picture.digest));
    let found: Vec<_> = found
        .map(|png| json!({ "type": "image", "image": data_url(&base64(png)), "detail": "auto" }))
        .collect();
    match found.is_empty() {
        true => json!(text),
        false => std::iter::once(json!({ "type": "text", "text": text })).chain(found).collect(),
    }
}

/// What was said; reasoning stands before it as a part of its own.
fn content(said: &Said) -> Value {
    let text = said.text.as_deref().or(said.refusal.as_deref()).unwrap_or_default();
    match said.reasoning.as_deref().filter(|reasoning| !reasoning.is_empty()) {
        Some(reasoning) => json!([
            { "type": "reasoning", "reasoning": reasoning },
            { "type": "text", "text": text },
        ]),
        None => json!(text),
    }
}

/// What the sample ended with.
fn output(given: &Given<'_>, episode: &Episode<'_>, messages: &[Value]) -> Value {
    let model = model(given);
    let last = messages.iter().rev().find(|message| message["role"] == "assistant");
    let Some(last) = last else {
        return json!({ "model": model, "choices": [], "completion": "" });
    };
    let text = match &last["content"] {
        Value::Array(parts) => parts.last().map_or(&Value::Null, |part| &part["text"]),
        other => other,
    };
    let answer = episode.summary.measured.answer.as_deref();
    json!({
        "model": model,
        "choices": [{ "message": last, "stop_reason": "stop" }],
        "completion": answer.or(text.as_str()).unwrap_or_default(),
    })
}

fn thin(text: &str) -> String {
    shortened(text, THIN)
}

/// Members that are short enough for a summary.
fn thin_members(value: &Value) -> Value {
    let Value::Object(members) = value else {
        return json!({});
    };
    let thin = members.iter().filter_map(|(name, value)| match value {
        Value::String(text) => Some((name.clone(), json!(thin(text)))),
        other => (other.to_string().len() <= THIN).then(|| (name.clone(), other.clone())),
    });
    Value::Object(thin.collect())
}
