//! The mediator of `strict` (specification 4.6): question, facts and query go to the engine; what comes back reaches the player
//! only if it keeps the invariants. Else the engine is asked again with the rules it broke, twice at most; then a page
//! from templates stands in, which is an engine fault and never a lost hit.

use std::collections::BTreeMap;

use super::super::engine::{Class, Judgement, SearchResult};
use super::super::reading::engine::{self, Sign, Violation, told};
use super::invariants::{Rules, normalised};
use super::{
    Consulted, ENGINE_FAILED, HitLog, OPEN, RepairedBy, Room, Ticket, Want, asking, fault,
    observation, reading, too_bare,
};
use turnwise_core::json::object;
use turnwise_core::prelude::*;
use turnwise_core::python::text;

/// The most calls for one query.
const ATTEMPTS: u32 = 3;

#[derive(Default)]
pub(super) struct Mediator {
    rules: Option<Rules>,
    /// Answers by normalised query: the same query has the same answer (I11).
    settled: BTreeMap<String, Settled>,
    /// Queries on their way, by the search that asked first.
    open: BTreeMap<Ticket, Open>,
}

/// A query that the engine is being asked.
struct Open {
    /// As it was written by the search that asked first.
    query: String,
    normal: String,
    /// Searches with the same normalised query, which wait.
    waiting: Vec<(Ticket, String)>,
    attempts: u32,
    violations: Vec<Violation>,
    /// What the last reply took the query for, of those that kept I3 to I5.
    sign: Option<Sign>,
}

/// A query that was answered.
struct Settled {
    results: Json,
    log: HitLog,
    reading: Reading,
}

impl Mediator {
    pub fn search(&mut self, room: &mut Room<'_>, ticket: Ticket, query: &Json) -> Want {
        let query = text(query);
        let normal = normalised(&query);
        if let Some(settled) = self.settled.get(&normal) {
            let mut answer = settled.answer(query);
            answer.log.cached = true;
            return Want::Done(vec![(ticket, answer)]);
        }
        if let Some(open) = self.open.values_mut().find(|open| open.normal == normal) {
            open.waiting.push((ticket, query));
            return Want::Wait;
        }
        let messages = asking::strict(room.world, &query);
        let open = Open {
            query,
            normal,
            waiting: Vec::new(),
            attempts: 1,
            violations: Vec::new(),
            sign: None,
        };
        self.open.insert(ticket, open);
        Want::Ask(messages)
    }

    pub fn said(&mut self, room: &mut Room<'_>, ticket: Ticket, said: Option<&str>) -> Want {
        let rules = self.rules.get_or_insert_with(|| Rules::new(room.world));
        let open = self.open.get_mut(&ticket).expect(OPEN);
        let refused = match engine::strict(said.unwrap_or_default(), &room.world.facts) {
            Ok(checked) => {
                let wrong = rules.broken_by(&open.query, &checked);
                if wrong.is_empty() {
                    let repairs = told(&checked.repairs);
                    let by = match (open.attempts, repairs.is_empty()) {
                        (1, true) => None,
                        (1, false) => Some(RepairedBy::Local),
                        _ => Some(RepairedBy::Reask),
                    };
                    open.violations.extend(checked.repairs);
                    let reason = checked.reason.as_deref();
                    let log = log(room, open, &checked.sign, reason, by);
                    let settled = Settled {
                        reading: reading(&log, reason, repairs),
                        log,
                        results: results(&checked.pages),
                    };
                    return self.settle(ticket, settled);
                }
                engine::Refused { violations: wrong, sign: Some(checked.sign) }
            }
            Err(refused) => refused,
        };
        open.sign = refused.sign.or(open.sign.take());
        let latest = refused.violations;
        open.violations.extend(latest.iter().cloned());
        if open.attempts < ATTEMPTS {
            open.attempts += 1;
            return Want::Ask(asking::again(room.world, &open.query, &latest));
        }
        let why = told(&latest).join("; ");
        let settled = self.stand_in(room, ticket, "engine_fault", &why);
        self.settle(ticket, settled)
    }

    /// The driver has tried as often as it should. The page that stands in comes from no engine, so the same query asks it anew:
    /// else no search of the episode could ever count for what the page revealed.
    pub fn failed(&mut self, room: &mut Room<'_>, ticket: Ticket) -> Want {
        let why = "the engine could not be asked";
        let settled = self.stand_in(room, ticket, ENGINE_FAILED, why);
        Want::Done(self.answer(ticket, &settled))
    }

    /// A page from templates, in the place of one that the engine did not write, or not by the rules.
    fn stand_in(
        &mut self,
        room: &mut Room<'_>,
        ticket: Ticket,
        class: &'static str,
        why: &str,
    ) -> Settled {
        let open = self.open.get(&ticket).expect(OPEN);
        let engine = room.engine();
        let mut facts = room.world.facts.iter();
        let judgement = match &open.sign {
            None => engine.judge(&open.query),
            Some(Sign::Hit { key }) => {
                Judgement::given(Class::Hit, facts.position(|fact| fact.key == *key))
            }
            Some(Sign::Miss) => Judgement::given(Class::Miss, None),
            Some(Sign::Compound) => Judgement::given(Class::Compound, None),
        };
        let page = engine.page_as(&open.query, judgement);
        let sign = match (page.matched_fact_keys.first(), judgement.class) {
            (Some(key), _) => Sign::Hit { key: key.clone() },
            (None, Class::Compound | Class::TooBare) => Sign::Compound,
            (None, Class::Hit | Class::Miss) => Sign::Miss,
        };
        let reason = match judgement.class {
            Class::TooBare => Some("too_bare"),
            _ => None,
        };
        let mut log = log(room, open, &sign, reason, Some(RepairedBy::Fallback));
        log.engine_fault = true;
        let mut reading = reading(&log, None, Vec::new());
        reading.fault = fault(class, why);
        Settled { results: results(&page.search_result), log, reading }
    }

    /// Answers a query, and every later one like it with the same (I11).
    fn settle(&mut self, ticket: Ticket, settled: Settled) -> Want {
        let normal = self.open.get(&ticket).expect(OPEN).normal.clone();
        let done = self.answer(ticket, &settled);
        self.settled.insert(normal, settled);
        Want::Done(done)
    }

    /// Answers a query, and those that wait for the same answer.
    fn answer(&mut self, ticket: Ticket, settled: &Settled) -> Vec<(Ticket, Consulted)> {
        let open = self.open.remove(&ticket).expect(OPEN);
        let mut done = vec![(ticket, settled.answer(open.query))];
        for (waiting, query) in open.waiting {
            let mut answer = settled.answer(query);
            answer.log.cached = true;
            done.push((waiting, answer));
        }
        done
    }
}

impl Settled {
    /// The answer to a query in this player's spelling.
    fn answer(&self, query: String) -> Consulted {
        Consulted {
            record: None,
            observation: observation(Json::Text(query), self.results.clone()),
            log: self.log.clone(),
            reading: self.reading.clone(),
        }
    }
}

fn log(
    room: &mut Room<'_>,
    open: &Open,
    sign: &Sign,
    reason: Option<&str>,
    repaired_by: Option<RepairedBy>,
) -> HitLog {
    let compound = *sign == Sign::Compound;
    let keys = match sign {
        Sign::Hit { key } => vec![room.spellings.key(&Json::from(key.as_str()))],
        Sign::Miss | Sign::Compound => Vec::new(),
    };
    HitLog {
        hit: !keys.is_empty(),
        compound,
        too_bare: too_bare(compound, reason),
        keys,
        engine_fault: false,
        cached: false,
        attempts: open.attempts,
        violations: open.violations.clone(),
        repaired_by,
        second: room.second(&open.query),
    }
}

fn results(pages: &[SearchResult]) -> Json {
    let result = |page: &SearchResult| {
        object([
            ("id", page.id.into()),
            ("title", (&*page.title).into()),
            ("content", (&*page.content).into()),
            ("date", (&*page.date).into()),
        ])
    };
    Json::List(pages.iter().map(result).collect())
}
