//! The mediator as the authors' code has it (specification 4.4 and 4.5): five inputs, five attempts, whatever can be decoded is
//! taken, and kept for the rest of the episode under a key without the trajectory.

use std::collections::BTreeMap;

use super::super::cache::reference_key;
use super::super::reading::engine::{self, Fields, Reply, ends_retries};
use super::super::results::above_zero;
use super::{
    Consulted, ENGINE_FAILED, HitLog, OPEN, Room, Ticket, Want, asking, fault, observation,
    reading, too_bare,
};
use turnwise_core::json::object;
use turnwise_core::prelude::*;
use turnwise_core::python::{text, truthy};

/// The most calls for one query.
const ATTEMPTS: u32 = 5;
/// A trajectory of more characters is cut.
const LONGEST: usize = 30_000;
/// How the tool tells of an engine that could not be asked.
pub const SERVICE_ERROR: &str = "Error: Internal Service Error: ";
/// How the reason of its hit log begins then.
pub const API_ERROR: &str = "API Error: ";
/// How the reason of a hit log begins where nothing could be decoded.
pub const PARSE_ERROR: &str = "JSON parse error after 7 attempts: ";
/// How many of its last characters are kept.
const LEFT: usize = 20_000;
/// What stands for the beginning that was cut off.
pub(super) const CUT: &str = "[...]\n";

#[derive(Default)]
pub(super) struct Mediator {
    /// What was read of earlier replies, by the reference's key.
    kept: BTreeMap<String, Kept>,
    open: BTreeMap<Ticket, Open>,
}

/// A query that the engine is being asked.
struct Open {
    query: Json,
    trajectory: String,
    attempts: u32,
}

/// What was read of a reply.
#[derive(Clone)]
struct Kept {
    fields: Fields,
    /// Whether nothing could be decoded, and these are the defaults.
    unreadable: bool,
}

impl Mediator {
    pub fn search(
        &mut self,
        room: &mut Room<'_>,
        ticket: Ticket,
        query: &Json,
        trajectory: &str,
    ) -> Want {
        if let Some(kept) = self.kept.get(&reference_key(query, &room.world.facts)) {
            let answer = answered(room, query, kept.clone(), 0);
            return Want::Done(vec![(ticket, answer)]);
        }
        let open = Open { query: query.clone(), trajectory: cut(trajectory), attempts: 0 };
        self.open.insert(ticket, open);
        self.ask(room, ticket)
    }

    pub fn said(&mut self, room: &mut Room<'_>, ticket: Ticket, said: Option<&str>) -> Want {
        let reply = said.filter(|text| !text.is_empty()).map(engine::reference);
        let kept = match reply {
            None => return self.again(room, ticket, "the engine returned no content", Try::Again),
            Some(Reply::NotAnObject) => {
                let error = "the engine's reply is JSON, but no object";
                return self.again(room, ticket, error, Try::Again);
            }
            Some(Reply::Read(fields)) => Kept { fields, unreadable: false },
            Some(Reply::Unreadable) => Kept { fields: Fields::default(), unreadable: true },
        };
        let open = self.close(ticket);
        let key = reference_key(&open.query, &room.world.facts);
        self.kept.insert(key, kept.clone());
        let answer = answered(room, &open.query, kept, open.attempts);
        Want::Done(vec![(ticket, answer)])
    }

    pub fn failed(&mut self, room: &mut Room<'_>, ticket: Ticket, failure: &Failure) -> Want {
        // The authors' code looks for the number in the text of the error; our services keep it beside the text.
        let ends = ends_retries(&failure.message) || failure.detail["status"] == 400;
        let next = if ends { Try::NoMore } else { Try::Again };
        self.again(room, ticket, &failure.message, next)
    }

    fn ask(&mut self, room: &Room<'_>, ticket: Ticket) -> Want {
        let open = self.open.get_mut(&ticket).expect(OPEN);
        open.attempts += 1;
        let query = text(&open.query);
        Want::Ask(asking::reference(room.world, &query, &open.trajectory))
    }

    /// A call that counts as failed.
    fn again(&mut self, room: &mut Room<'_>, ticket: Ticket, error: &str, next: Try) -> Want {
        let attempts = self.open.get(&ticket).expect(OPEN).attempts;
        if next == Try::Again && attempts < ATTEMPTS {
            return self.ask(room, ticket);
        }
        let open = self.close(ticket);
        let log = HitLog {
            compound: true,
            engine_fault: true,
            attempts,
            second: room.second(&text(&open.query)),
            ..HitLog::default()
        };
        let mut reading = reading(&log, None, Vec::new());
        reading.fault = fault(ENGINE_FAILED, error);
        let reason = Json::from(format!("{API_ERROR}{error}").as_str());
        let answer = Consulted {
            observation: format!("{SERVICE_ERROR}{error}"),
            record: Some(record(&open.query, &Fields::default(), reason)),
            log,
            reading,
        };
        Want::Done(vec![(ticket, answer)])
    }

    fn close(&mut self, ticket: Ticket) -> Open {
        self.open.remove(&ticket).expect(OPEN)
    }
}

/// Whether a failed call may be tried again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Try {
    Again,
    NoMore,
}

fn answered(room: &mut Room<'_>, query: &Json, kept: Kept, attempts: u32) -> Consulted {
    let Kept { fields, unreadable } = kept;
    let reason = fields.reason.as_ref().map(text);
    let told = match (&fields.reason, unreadable) {
        (_, true) => Json::from(format!("{PARSE_ERROR}no JSON object could be decoded").as_str()),
        (Some(reason), false) => reason.clone(),
        (None, false) => Json::from(""),
    };
    let record = record(query, &fields, told);
    let compound = truthy(&fields.is_compound_query);
    let keys = &fields.matched_fact_keys;
    let log = HitLog {
        hit: above_zero(Some(&fields.hit)),
        compound,
        too_bare: too_bare(compound, reason.as_deref()),
        keys: keys.iter().map(|key| room.spellings.key(key)).collect(),
        engine_fault: unreadable,
        cached: attempts == 0,
        attempts,
        second: room.second(&text(query)),
        ..HitLog::default()
    };
    let mut reading = reading(&log, reason.as_deref(), Vec::new());
    if unreadable {
        reading.fault = fault("unreadable", "no JSON object could be decoded");
    }
    Consulted {
        observation: observation(query.clone(), fields.search_result),
        record: Some(record),
        log,
        reading,
    }
}

/// A hit log as the authors' program writes it: the engine's own values, of whatever type they are.
fn record(query: &Json, fields: &Fields, reason: Json) -> Json {
    object([
        ("query", query.clone()),
        ("is_compound_query", fields.is_compound_query.clone()),
        ("hit", fields.hit.clone()),
        ("matched_fact_keys", Json::List(fields.matched_fact_keys.clone())),
        ("reason", reason),
    ])
}

/// A trajectory as the engine is shown it.
fn cut(trajectory: &str) -> String {
    let length = trajectory.chars().count();
    if length <= LONGEST {
        return trajectory.to_owned();
    }
    let last = trajectory.chars().skip(length - LEFT);
    CUT.chars().chain(last).collect()
}
