//! Recorded plays of ours as lines of the reference (specification 10.1 to 10.3), so that its analysis tools can read them.

use std::collections::BTreeMap;

use super::beside::{Beside, MEMBER};
use crate::measure::{self, Numbers};
use crate::metrics::{Episode, Key, Log, Status};
use crate::protocol::{Play, Written};
use crate::reading::judge::{JudgeStatus, thought};
use crate::settings::{Engines, Setting, Settings};
use crate::task::World;
use turnwise_core::episode::Episode as _;
use turnwise_core::json::{self, object};
use turnwise_core::prelude::*;
use turnwise_core::prompt::Rendered;

/// How often the authors' engine of setting A for a local server asks.
const ORACLE_ATTEMPTS: u32 = 3;

/// An episode that cannot be written as a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotWrite {
    /// It has not come to an end by the rules.
    #[error("it has not come to an end by the rules, and the reference has no line for that")]
    NotPlayed,
    /// Its conversation cannot be made again.
    #[error("its conversation cannot be made again: {0}")]
    NoConversation(String),
}

/// The line of a recorded episode and its grading. `world` is that of the task.
///
/// Of an episode under `reference` it is what the authors' program would have written, and beside it [what that program does not
/// write](Beside). Of one under `strict`, which that program does not play, keys of two spellings are distinguished by spaces
/// after the second, and keys that are no fact's are written by number, because transcripts do not hold them.
///
/// # Errors
/// If the episode did not end by the rules, or does not replay.
pub fn line(
    play: &Transcript,
    grading: Option<&Transcript>,
    task: &Task,
    world: &World,
    pack: &Pack,
) -> Result<Object, CannotWrite> {
    let measured = measure::episode(play, grading);
    let numbers = Numbers::of(&measured).ok_or(CannotWrite::NotPlayed)?;
    let spec = &play.header.spec;
    let settings =
        Settings::of(spec).map_err(|bad| CannotWrite::NoConversation(bad.to_string()))?;
    let replayed = replayed(play, task, pack)?;
    let prediction = measured.answer.unwrap_or_default();
    let mut line: Members = if settings.setting == Setting::Oracle {
        oracle(play, &numbers.episode, &settings, world, &replayed.messages, &prediction)
    } else {
        searching(play, &numbers.episode, &settings, world, &replayed, &prediction)
    };
    line.extend(numbers.episode.verdict.map(|verdict| ("answer", verdict.name().into())));
    if let Some(said) = grading.and_then(judge_said) {
        line.push(("think", thought(&said).into()));
        line.push(("judge_response", said.into()));
    }
    let status = numbers.judge.map(JudgeStatus::name);
    line.extend(status.map(|status| ("judge_status", status.into())));
    let beside = Beside {
        setting: settings.setting,
        profile: spec.profile,
        seed: spec.seed,
        repeat: play.header.repeat,
        task: play.header.task.clone(),
        rules: numbers.episode.rules.clone(),
        agreement: numbers.agreement,
        numbers: (spec.profile == Profile::Strict).then(|| Numbers {
            judge: None,
            episode: Episode { verdict: None, ..numbers.episode.clone() },
            ..numbers
        }),
    };
    let beside = serde_json::to_string(&beside).ok();
    let beside = beside.and_then(|text| json::parse(&text, Dialect::Python).ok());
    line.extend(beside.map(|beside| (MEMBER, beside)));
    Ok(line.into_iter().collect())
}

/// The members of a line, in the order of the authors.
type Members = Vec<(&'static str, Json)>;

/// Specification 10.1.
fn searching(
    play: &Transcript,
    episode: &Episode,
    settings: &Settings,
    world: &World,
    replayed: &Replayed,
    prediction: &str,
) -> Members {
    let truth = world
        .row()
        .get("extra_info")
        .and_then(Json::as_object)
        .and_then(|extra| extra.get("world_truth_info"));
    let messages = messages_json(&replayed.messages);
    let spoken = replayed.messages.iter();
    let spoken: String = spoken
        .filter(|message| message.role == Role::Assistant)
        .map(|message| message.text.as_str())
        .collect();
    let is_reference = play.header.spec.profile == Profile::Reference;
    let (calls, logs) = match is_reference {
        true => (replayed.written.calls.clone(), replayed.written.logs.clone()),
        false => trajectory(play, episode, world),
    };
    // The authors' engine for services keeps no history, and tells nothing of errors.
    let is_local = settings.engines == Engines::Local;
    let history = match (is_reference, is_local) {
        (true, true) => messages_json(&replayed.history),
        (true, false) => Json::Null,
        (false, _) => messages.clone(),
    };
    let log = object([
        ("tool_calls", calls.into()),
        ("hit_logs", logs.into()),
        ("full_history", history),
        ("world_truth_info", truth.cloned().into()),
    ]);
    let mut line = vec![
        ("index", world.line.into()),
        ("category", world.category.as_deref().into()),
        ("messages", messages),
        ("ground_truth", (&*world.answer).into()),
        ("prediction", prediction.into()),
        ("full_response", spoken.into()),
        ("status", episode.status.name().into()),
        ("trajectory_log", log),
        ("actual_turns", episode.turns.into()),
        ("max_turns", episode.max_turns.into()),
    ];
    if episode.status == Status::ApiError && is_local {
        line.push(("error_info", failure(play, episode)));
    }
    line
}

/// Specification 10.2.
fn oracle(
    play: &Transcript,
    episode: &Episode,
    settings: &Settings,
    world: &World,
    messages: &[Rendered],
    prediction: &str,
) -> Members {
    let index = world.index.unwrap_or(i64::from(world.line));
    let failed = episode.status == Status::Error;
    let facts = if failed { 0 } else { episode.facts };
    let mut metrics: Members = vec![
        ("total_facts", facts.into()),
        ("actual_turns", episode.turns.into()),
        ("tool_calls", 0_u32.into()),
        ("format_errors", 0_u32.into()),
    ];
    // The authors' engine for a local server counts its attempts: how many failed, of three at most.
    if settings.engines == Engines::Local {
        metrics.push(("retry_count", if failed { ORACLE_ATTEMPTS } else { 0 }.into()));
    }
    let question = if failed { "" } else { world.question() };
    let told = match failed {
        true => ("error_message", message(play)),
        false => ("messages", messages_json(messages)),
    };
    vec![
        ("index", index.into()),
        ("category", world.category.as_deref().unwrap_or("unknown").into()),
        ("question", question.into()),
        ("ground_truth", (&*world.answer).into()),
        ("prediction", prediction.into()),
        ("status", episode.status.name().into()),
        told,
        ("metrics", object(metrics)),
    ]
}

/// The calls and the logs of an episode under `strict`.
fn trajectory(play: &Transcript, episode: &Episode, world: &World) -> (Vec<Json>, Vec<Json>) {
    let mut keys = Keys::new(world);
    let query = |turn: &Turn| {
        let applied = turn.reading.applied.get("query");
        let query = applied.and_then(|query| {
            let text = query.to_string();
            json::parse(&text, Dialect::Strict).ok()
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
        object([
            ("tool_name", "web_search".into()),
            ("query", query),
            ("hit", u32::from(call.hit).into()),
        ])
    });
    let calls: Vec<Json> = calls.collect();
    let logs = episode.logs.iter().zip(queries).map(|(log, query)| {
        let matched: Vec<Json> = log.keys.iter().map(|key| keys.text(*key).into()).collect();
        object([
            ("query", query),
            ("is_compound_query", log.compound.into()),
            ("hit", u32::from(log.hit).into()),
            ("matched_fact_keys", matched.into()),
            ("reason", reason(log).into()),
        ])
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
    texts: BTreeMap<u32, String>,
    /// How many spellings of a fact there were.
    of_fact: BTreeMap<u32, usize>,
}

impl<'a> Keys<'a> {
    fn new(world: &'a World) -> Self {
        Keys { world, texts: BTreeMap::new(), of_fact: BTreeMap::new() }
    }

    fn text(&mut self, key: Key) -> String {
        if let Some(text) = self.texts.get(&key.spelling) {
            return text.clone();
        }
        let fact = key.fact.and_then(|fact| self.world.facts.get(fact as usize));
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
        object([("role", role.into()), ("content", (&*message.text).into())])
    };
    Json::List(messages.iter().map(message).collect())
}

/// `error_info`: the class of what failed, what was said of it, and in which turn.
fn failure(play: &Transcript, episode: &Episode) -> Json {
    let class = play.outcome().and_then(|outcome| outcome.result.get("failure"));
    let class = class.and_then(serde_json::Value::as_str);
    object([
        // The program itself failed where no service did.
        ("error_type", class.unwrap_or("AttributeError").into()),
        ("error_message", message(play)),
        ("turn", (episode.turns + 1).into()),
    ])
}

/// What was said of the failure with which an episode ended.
fn message(play: &Transcript) -> Json {
    let message = play.outcome().and_then(|outcome| outcome.result.get("message"));
    Json::from(message.and_then(serde_json::Value::as_str).unwrap_or_default())
}

/// The last thing that the judge said.
fn judge_said(grading: &Transcript) -> Option<String> {
    let events = grading.events.iter().rev().flatten();
    events
        .filter_map(|event| match event {
            Event::Told { reply: Reply::Said(said), .. } => said.text.clone(),
            _ => None,
        })
        .next()
}

/// What an episode was, made again by replaying it.
struct Replayed {
    /// The whole conversation with the player, nothing cut off: what the reference calls the full track.
    messages: Vec<Rendered>,
    /// Messages with calls and their raw observations (`reference`).
    history: Vec<Rendered>,
    /// What the authors' program writes down of the calls (`reference`).
    written: Written,
}

/// The whole conversation with the player, nothing cut off: what the reference calls the full track. It is made again by
/// replaying the episode.
///
/// # Errors
/// If the episode cannot be opened or does not replay.
pub fn conversation(
    play: &Transcript,
    task: &Task,
    pack: &Pack,
) -> Result<Vec<Rendered>, CannotWrite> {
    Ok(replayed(play, task, pack)?.messages)
}

fn replayed(play: &Transcript, task: &Task, pack: &Pack) -> Result<Replayed, CannotWrite> {
    let no = |why: String| CannotWrite::NoConversation(why);
    let render = |messages: Vec<Message>| {
        let ask = Ask::new(Seat::PLAYER, ThreadId(1), messages, Expect::Text);
        pack.render(&ask, task).map_err(|error| no(error.to_string()))
    };
    // Without a cap every message shows the whole track, and nothing else of the episode is otherwise.
    let mut uncut = play.header.spec.clone();
    if let Some(settings) = uncut.settings.as_object_mut() {
        settings.insert("context".to_owned(), serde_json::Value::Null);
    }
    let mut opened = Play::open(&uncut, task, pack).map_err(|error| no(error.to_string()))?;
    let mut asked = BTreeMap::new();
    // What the player was asked with last, and what it said to that.
    let mut shown: Vec<Message> = Vec::new();
    let mut said = None;
    requests(&mut opened, &mut asked);
    for event in play.events.iter().flatten() {
        let Event::Told { call, reply } = event else {
            continue;
        };
        if let Some(ask) = asked.remove(call) {
            shown = ask;
            said = match reply {
                Reply::Said(said) => said.text.clone(),
                _ => None,
            };
        }
        let resumed = opened.resume(*call, reply.clone());
        resumed.map_err(|error| no(error.to_string()))?;
        requests(&mut opened, &mut asked);
    }
    let messages = match uncut.profile {
        Profile::Reference => render(opened.conversation())?,
        // The reminder of the last turn stands in the request alone.
        Profile::Strict => {
            let mut messages = render(shown)?;
            let said = said.unwrap_or_default();
            if !turnwise_core::python::strip(&said).is_empty() {
                messages.push(Rendered::text(Role::Assistant, said));
            }
            messages.extend(shown_last(play, &messages));
            messages
        }
    };
    let history = opened.history().iter().flat_map(|(said, raw)| {
        [Rendered::text(Role::Assistant, said.clone()), Rendered::text(Role::User, raw.clone())]
    });
    Ok(Replayed { messages, history: history.collect(), written: opened.written().clone() })
}

/// Takes what an episode wants now: what the player is asked with, by call.
fn requests(play: &mut Play, asked: &mut BTreeMap<CallId, Vec<Message>>) {
    loop {
        match play.poll() {
            Step::Request(call, Effect::Ask(ask)) if ask.seat.as_str() == Seat::PLAYER => {
                asked.insert(call, ask.messages);
            }
            Step::Request(..) | Step::Note(_) => {}
            Step::Wait | Step::Done(_) => return,
        }
    }
}

/// What came back for the last message, if the episode ended there and it was never asked with.
fn shown_last(play: &Transcript, messages: &[Rendered]) -> Option<Rendered> {
    let ends_with_answer = messages.last().is_some_and(|one| one.role == Role::Assistant);
    let last_round = play.notes().filter_map(round).max().unwrap_or(0);
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
            Note::Observation(came) if last.contains(&came.turn) => Some(came.shown.as_str()),
            _ => None,
        })
        .collect();
    (ends_with_answer && !shown.is_empty()).then(|| Rendered::text(Role::User, shown.join("\n\n")))
}

fn round(note: &Note) -> Option<u32> {
    match note {
        Note::Turn(turn) => Some(turn.round),
        _ => None,
    }
}
