//! Recorded plays of ours as lines of the reference (specification 10.1 to 10.3), so that its analysis tools can read them.

use std::collections::BTreeMap;

use crate::measure::{self, Numbers};
use crate::metrics::{Episode, Key, Log, Status};
use crate::reading::judge::{JudgeStatus, thought};
use crate::report::setting;
use crate::task::World;
use turnwise_core::effect::{Effect, Reply};
use turnwise_core::json::{Int, Json, Object};
use turnwise_core::note::{Note, Turn};
use turnwise_core::prompt::{Pack, Rendered, Role};
use turnwise_core::seat::Seat;
use turnwise_core::session::{Next, Session};
use turnwise_core::task::Task;
use turnwise_core::transcript::{Event, SaltKey, Transcript};

/// A play that cannot be written as a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotWrite {
    /// It has not come to an end by the rules.
    #[error("it has not come to an end by the rules, and the reference has no line for that")]
    NotPlayed,
    /// Its conversation cannot be made again.
    #[error("its conversation cannot be made again: {0}")]
    NoConversation(String),
}

/// The line of a recorded play and its grading. `world` is that of the task.
///
/// Where the reference would count two spellings of one key, the second is written with a blank after it; keys that are no
/// fact's are written by number, because transcripts do not hold them.
///
/// # Errors
/// If the play did not end by the rules, or does not replay.
pub fn line(
    play: &Transcript,
    grading: Option<&Transcript>,
    task: &Task,
    world: &World,
    pack: &Pack,
) -> Result<Object, CannotWrite> {
    let measured = measure::episode(play, grading);
    let numbers = Numbers::of(&measured).ok_or(CannotWrite::NotPlayed)?;
    let messages = conversation(play, task, pack)?;
    let prediction = measured.answer.unwrap_or_default();
    let mut line = if setting(&play.header.spec) == "A" {
        oracle(&numbers.episode, world, &messages, &prediction)
    } else {
        searching(play, &numbers.episode, world, &messages, &prediction)
    };
    if let Some(verdict) = numbers.episode.verdict {
        line.push("answer", Json::from(verdict.name()));
    }
    let said = grading.and_then(judge_said);
    if let Some(said) = &said {
        line.push("think", Json::from(thought(said)));
        line.push("judge_response", Json::from(said.as_str()));
    }
    let status = numbers.judge.map(|status| match status {
        JudgeStatus::Success => "success",
        JudgeStatus::Skipped => "skipped",
        JudgeStatus::Error => "error",
        JudgeStatus::Unparsed => "unparsed",
    });
    if let Some(status) = status {
        line.push("judge_status", Json::from(status));
    }
    Ok(line)
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Object {
    members.into_iter().collect()
}

fn number(value: impl Into<i64>) -> Json {
    Json::Int(Int::from(value.into()))
}

/// Specification 10.1.
fn searching(
    play: &Transcript,
    episode: &Episode,
    world: &World,
    messages: &[Rendered],
    prediction: &str,
) -> Object {
    let truth = world
        .row()
        .get("extra_info")
        .and_then(Json::as_object)
        .and_then(|extra| extra.get("world_truth_info"));
    let history = messages_json(messages);
    let spoken: String = messages
        .iter()
        .filter(|message| message.role == Role::Assistant)
        .map(|message| message.text.as_str())
        .collect();
    let (calls, logs) = trajectory(play, episode, world);
    let log = object([
        ("tool_calls", Json::List(calls)),
        ("hit_logs", Json::List(logs)),
        ("full_history", history.clone()),
        ("world_truth_info", truth.cloned().unwrap_or(Json::Null)),
    ]);
    let category = world.category.as_deref().map_or(Json::Null, Json::from);
    let mut line = object([
        ("index", number(world.line)),
        ("category", category),
        ("messages", history),
        ("ground_truth", Json::from(world.answer.as_str())),
        ("prediction", Json::from(prediction)),
        ("full_response", Json::from(spoken.as_str())),
        ("status", Json::from(episode.status.name())),
        ("trajectory_log", Json::Object(log)),
        ("actual_turns", number(episode.turns)),
        ("max_turns", number(episode.max_turns)),
    ]);
    if episode.status == Status::ApiError
        && let Some(failure) = failure(play)
    {
        line.push("error_info", failure);
    }
    line
}

/// Specification 10.2.
fn oracle(episode: &Episode, world: &World, messages: &[Rendered], prediction: &str) -> Object {
    let index = world.index.unwrap_or(i64::from(world.line));
    let failed = episode.status == Status::Error;
    let facts = if failed { 0 } else { episode.facts };
    let metrics = object([
        ("total_facts", number(facts)),
        ("actual_turns", number(episode.turns)),
        ("tool_calls", number(0)),
        ("format_errors", number(episode.format_errors)),
    ]);
    let mut line = object([
        ("index", number(index)),
        (
            "category",
            Json::from(world.category.as_deref().unwrap_or("unknown")),
        ),
        ("question", Json::from(world.question())),
        ("ground_truth", Json::from(world.answer.as_str())),
        ("prediction", Json::from(prediction)),
        ("status", Json::from(episode.status.name())),
        ("metrics", Json::Object(metrics)),
    ]);
    if failed {
        line.push("error_message", Json::from("the player's service failed"));
    } else {
        line.push("messages", messages_json(messages));
    }
    line
}

/// The calls and the logs of a play.
fn trajectory(play: &Transcript, episode: &Episode, world: &World) -> (Vec<Json>, Vec<Json>) {
    let mut keys = Keys::new(world);
    let query = |turn: &Turn| {
        let applied = turn.reading.applied.get("query");
        let query = applied.and_then(|query| {
            let text = query.to_string();
            turnwise_core::json::parse(&text, turnwise_core::json::Dialect::Strict).ok()
        });
        let extracted = || turn.reading.extracted.as_deref().map(Json::from);
        query.or_else(extracted).unwrap_or(Json::Null)
    };
    let mut queries = vec![Json::Null; episode.logs.len()];
    let turns = measure::calling_turns(play);
    let calls = turns.iter().zip(&episode.calls).map(|(turn, call)| {
        let query = query(turn);
        if let Some(place) = call.log.and_then(|log| queries.get_mut(log as usize)) {
            place.clone_from(&query);
        }
        Json::Object(object([
            ("tool_name", Json::from("web_search")),
            ("query", query),
            ("hit", number(i64::from(call.hit))),
        ]))
    });
    let calls: Vec<Json> = calls.collect();
    let logs = episode.logs.iter().zip(queries).map(|(log, query)| {
        let matched = log
            .keys
            .iter()
            .map(|key| Json::from(keys.text(*key).as_str()));
        let matched = matched.collect();
        Json::Object(object([
            ("query", query),
            ("is_compound_query", Json::Bool(log.compound)),
            ("hit", number(i64::from(log.hit))),
            ("matched_fact_keys", Json::List(matched)),
            ("reason", Json::from(reason(log))),
        ]))
    });
    (calls, logs.collect())
}

fn reason(log: &Log) -> &'static str {
    match (log.engine_fault, log.compound, log.hit) {
        (true, ..) => "engine fault",
        (_, true, _) => "compound or too bare",
        (_, _, true) => "hit",
        _ => "no fact",
    }
}

/// Texts for the numbered keys of an episode.
struct Keys<'a> {
    world: &'a World,
    /// By spelling.
    texts: BTreeMap<u32, String>,
    /// How many spellings of a fact there were.
    of_fact: BTreeMap<u32, usize>,
}

impl<'a> Keys<'a> {
    fn new(world: &'a World) -> Self {
        Keys {
            world,
            texts: BTreeMap::new(),
            of_fact: BTreeMap::new(),
        }
    }

    fn text(&mut self, key: Key) -> String {
        if let Some(text) = self.texts.get(&key.spelling) {
            return text.clone();
        }
        let fact = key
            .fact
            .and_then(|fact| self.world.facts.get(fact as usize));
        let text = match (key.fact, fact) {
            (Some(number), Some(fact)) => {
                let before = self.of_fact.entry(number).or_default();
                let text = format!("{}{}", fact.key, " ".repeat(*before));
                *before += 1;
                text
            }
            _ => format!("key {} of no fact", key.spelling),
        };
        self.texts.insert(key.spelling, text.clone());
        text
    }
}

fn messages_json(messages: &[Rendered]) -> Json {
    let message = |message: &Rendered| {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        Json::Object(object([
            ("role", Json::from(role)),
            ("content", Json::from(message.text.as_str())),
        ]))
    };
    Json::List(messages.iter().map(message).collect())
}

fn failure(play: &Transcript) -> Option<Json> {
    let result = &play.outcome()?.result;
    let text = |name: &str| result.get(name)?.as_str().map(Json::from);
    Some(Json::Object(object([
        ("error_type", text("failure")?),
        ("error_message", text("message").unwrap_or(Json::Null)),
    ])))
}

/// The last thing that the judge said.
fn judge_said(grading: &Transcript) -> Option<String> {
    let events = grading.events.iter().rev().flatten();
    events
        .filter_map(|event| match event {
            Event::Told {
                reply: Reply::Said(said),
                ..
            } => said.text.clone(),
            _ => None,
        })
        .next()
}

/// The whole conversation with the player, nothing cut off: what the reference calls the full track. It is made again by
/// replaying the play.
///
/// # Errors
/// If the play cannot be opened or does not replay.
pub fn conversation(
    play: &Transcript,
    task: &Task,
    pack: &Pack,
) -> Result<Vec<Rendered>, CannotWrite> {
    let no = |why: String| CannotWrite::NoConversation(why);
    let header = &play.header;
    // Without a cap every message shows the whole track, and nothing else of the play is otherwise.
    let mut uncut = header.spec.clone();
    if let Some(settings) = uncut.settings.as_object_mut() {
        settings.insert("context".to_owned(), serde_json::Value::Null);
    }
    let opened = crate::protocol::Play::open(&uncut, task, pack);
    let opened = opened.map_err(|error| no(error.to_string()))?;
    let mut session = Session::open(header.clone(), Box::new(opened), SaltKey::open(header));
    let player = Seat::new(Seat::PLAYER);
    let mut asked = BTreeMap::new();
    let mut track: Vec<Rendered> = Vec::new();
    for event in play.events.iter().flatten() {
        while let Next::Call(call, effect) = session.poll() {
            if let Effect::Ask(ask) = effect
                && ask.seat == player
            {
                asked.insert(call, ask);
            }
        }
        let Event::Told { call, reply } = event else {
            continue;
        };
        if let (Some(ask), Reply::Said(said)) = (asked.remove(call), reply) {
            let shown = pack
                .render(&ask, task)
                .map_err(|error| no(error.to_string()))?;
            let last = shown.iter().rposition(|one| one.role == Role::Assistant);
            let new = match (track.is_empty(), last) {
                (false, Some(last)) => last + 1,
                _ => 0,
            };
            track.extend(shown.into_iter().skip(new));
            let text = said.text.clone().unwrap_or_default();
            if !turnwise_core::python::strip(&text).is_empty() {
                track.push(Rendered::text(Role::Assistant, text));
            }
        }
        session
            .tell(*call, reply.clone())
            .map_err(|error| no(error.to_string()))?;
    }
    // What came back for the last message, if the play ended there, was never asked with.
    let ends_with_answer = track.last().is_some_and(|one| one.role == Role::Assistant);
    let last_round = play.notes().filter_map(round).max().unwrap_or(0);
    if ends_with_answer {
        let last: Vec<u32> = play
            .notes()
            .filter_map(|note| match note {
                Note::Turn(turn) if turn.round == last_round => Some(turn.index),
                _ => None,
            })
            .collect();
        let shown: Vec<&str> = play
            .notes()
            .filter_map(|note| match note {
                Note::Came(came) if last.contains(&came.turn) => Some(came.shown.as_str()),
                _ => None,
            })
            .collect();
        if !shown.is_empty() {
            track.push(Rendered::text(Role::User, shown.join("\n\n")));
        }
    }
    Ok(track)
}

fn round(note: &Note) -> Option<u32> {
    match note {
        Note::Turn(turn) => Some(turn.round),
        _ => None,
    }
}
