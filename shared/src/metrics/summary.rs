//! One episode in a few numbers, computed from its transcripts and from nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::effect::{FailureClass, Reply};
use crate::episode::{CallId, Outcome};
use crate::hash::Digest;
use crate::note::Note;
use crate::scene::{Cell, ribbon};
use crate::seat::{Player, Seat};
use crate::session::Session;
use crate::transcript::{Event, Header, Request, TaskRef, Transcript};

/// What lists, walls and reports need of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The task.
    pub task: TaskRef,
    /// Which repeat, from 1.
    pub repeat: u32,
    /// The hash of the spec under which it was played.
    pub spec: Digest,
    /// How the play ended; `None` while it is under way.
    pub ending: Option<String>,
    /// Whether the play came to an end of its own.
    pub complete: bool,
    /// The score, 0 to 1; `None` while it is not graded, or where grading failed.
    pub score: Option<f64>,
    /// The ribbon.
    pub ribbon: Vec<Cell>,
    /// Calls and tokens by seat; searches stand under `search`.
    pub usage: BTreeMap<String, SeatUsage>,
    /// Faults by class, over all turns.
    pub faults: BTreeMap<String, u32>,
    /// Flags by name.
    pub flags: BTreeMap<String, u32>,
    /// Failed calls by class.
    pub failures: BTreeMap<FailureClass, u32>,
    /// The benchmark's own numbers.
    pub measured: Measured,
}

/// The benchmark's own numbers of one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The score, 0 to 1; `None` while it is not graded, or where grading failed.
    pub score: Option<f64>,
    /// The final answer, if the protocol has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Anything else that the benchmark's report needs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub numbers: Value,
}

/// Calls and tokens of one seat in one episode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatUsage {
    /// Calls that were made.
    pub calls: u32,
    /// Calls that were made to a model; others are free.
    pub model_calls: u32,
    /// Calls whose reply told its tokens.
    pub counted: u32,
    /// Tokens read, cached ones included.
    pub input: u64,
    /// Of these, tokens read from a cache.
    pub cached: u64,
    /// Of these, tokens written to a cache.
    #[serde(default)]
    pub cache_written: u64,
    /// Tokens written, reasoning included.
    pub output: u64,
    /// Of these, tokens of reasoning, where the service counted them.
    #[serde(default)]
    pub reasoning: u64,
    /// Calls in which a parameter was not sent as chosen, by parameter ([`Departure`](crate::prompt::Departure)).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub departures: BTreeMap<String, u32>,
    /// The model as the lineup names it, if a model sat there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Summarises a play and its newest grading.
pub fn summarise(play: &Transcript, grading: Option<&Transcript>, measured: Measured) -> Summary {
    summarise_of(play.header.spec.digest(), play, grading, measured)
}

/// The same, where the hash of the play's spec is known already.
pub fn summarise_of(
    spec: Digest,
    play: &Transcript,
    grading: Option<&Transcript>,
    measured: Measured,
) -> Summary {
    let mut summary = blank(spec, &play.header, play.outcome(), measured);
    summary.ribbon = ribbon(play.notes());
    for transcript in std::iter::once(play).chain(grading) {
        count(
            &transcript.header,
            transcript.events.iter().flatten(),
            &mut summary,
        );
    }
    summary
}

/// Summarises a play that is under way, under a spec with this hash.
pub fn so_far(spec: Digest, play: &Session) -> Summary {
    let mut summary = blank(spec, play.header(), play.outcome(), Measured::default());
    summary.ribbon = play.ribbon();
    count(play.header(), play.events().iter(), &mut summary);
    summary
}

fn blank(spec: Digest, header: &Header, outcome: Option<&Outcome>, measured: Measured) -> Summary {
    Summary {
        task: header.task.clone(),
        repeat: header.repeat,
        spec,
        ending: outcome.map(|outcome| outcome.ending.clone()),
        complete: outcome.is_some_and(Outcome::is_complete),
        score: measured.score,
        ribbon: Vec::new(),
        usage: BTreeMap::new(),
        faults: BTreeMap::new(),
        flags: BTreeMap::new(),
        failures: BTreeMap::new(),
        measured,
    }
}

fn count<'a>(header: &Header, events: impl Iterator<Item = &'a Event>, summary: &mut Summary) {
    let mut asked: BTreeMap<CallId, &Request> = BTreeMap::new();
    for event in events {
        match event {
            Event::Asked { call, request } => {
                asked.insert(*call, request);
            }
            Event::Told { call, reply } => {
                if let Some(request) = asked.get(call) {
                    count_reply(header, request, reply, summary);
                }
            }
            Event::Noted(Note::Turn(turn)) => {
                if let Some(fault) = &turn.reading.fault {
                    *summary.faults.entry(fault.class.clone()).or_default() += 1;
                }
            }
            Event::Noted(Note::Came(came)) => {
                let fault = came
                    .reading
                    .as_ref()
                    .and_then(|reading| reading.fault.as_ref());
                if let Some(fault) = fault {
                    *summary.faults.entry(fault.class.clone()).or_default() += 1;
                }
            }
            Event::Noted(Note::Flag { name, .. }) => {
                *summary.flags.entry(name.clone()).or_default() += 1;
            }
            Event::Noted(Note::Restarted { .. } | Note::Event { .. })
            | Event::Opened(_)
            | Event::Closed(_) => {}
        }
    }
}

fn count_reply(header: &Header, request: &Request, reply: &Reply, summary: &mut Summary) {
    let seat = match request {
        Request::Ask { seat, .. } => seat.as_str(),
        Request::Search(_) => "search",
        Request::Draw { .. } => return,
    };
    let model = match header.spec.seats.get(&Seat::new(seat)) {
        Some(sitting) => match &sitting.player {
            Player::Model { model, .. } => Some(model.clone()),
            _ => None,
        },
        None => None,
    };
    let usage = summary.usage.entry(seat.to_owned()).or_default();
    usage.calls += 1;
    usage.model_calls += u32::from(model.is_some());
    usage.model = model.or_else(|| usage.model.take());
    match reply {
        Reply::Said(said) => {
            usage.counted += u32::from(said.usage.input.is_some() && said.usage.output.is_some());
            usage.input += said.usage.input.unwrap_or(0);
            usage.cached += said.usage.cached.unwrap_or(0);
            usage.cache_written += said.usage.cache_written.unwrap_or(0);
            usage.output += said.usage.output.unwrap_or(0);
            usage.reasoning += said.usage.reasoning.unwrap_or(0);
            for departure in &said.departures {
                let parameter = departure.parameter.clone();
                *usage.departures.entry(parameter).or_default() += 1;
            }
        }
        Reply::Failed(failure) => *summary.failures.entry(failure.class).or_default() += 1,
        _ => {}
    }
}
