//! The mediator where the facts are not here: it asks the engine's seat with fields by name, and receives the page and the log
//! that the server's own mediator, which has the facts, came to. The same query has the same answer here as there (I11).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::settings::seat;
use super::super::task::World;
use super::invariants::normalised;
use super::{
    Consulted, HitLog, OPEN, Ticket, Want, asking, ends_the_play, fault, observation, reading,
};
use turnwise_core::json;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps, text};
use turnwise_core::sealed::{Inquired, Inquiry, Verdict};

/// What the server tells of a search. Texts in it are those of the page that the player is shown.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Told {
    /// The results as one line of JSON.
    results: String,
    log: HitLog,
    reading: Reading,
}

/// The mediator of an episode over a sealed world.
#[derive(Default)]
pub(super) struct Mediator {
    settled: BTreeMap<String, Told>,
    open: BTreeMap<Ticket, Open>,
    /// The facts whose keys were revealed, in that order. Keys are revealed letter by letter as the world writes them, so each
    /// fact has one spelling, numbered within the episode as the open mediator does.
    spelt: Vec<Option<u32>>,
}

/// A query that the engine is being asked.
struct Open {
    query: String,
    normal: String,
    /// Searches with the same normalised query, which wait.
    waiting: Vec<(Ticket, String)>,
}

impl Mediator {
    pub fn search(&mut self, world: &World, ticket: Ticket, query: &Json) -> Want {
        let query = text(query);
        let normal = normalised(&query);
        if let Some(told) = self.settled.get(&normal) {
            return Want::Done(vec![(ticket, told.again(query))]);
        }
        if let Some(open) = self.open.values_mut().find(|open| open.normal == normal) {
            open.waiting.push((ticket, query));
            return Want::Wait;
        }
        let messages = asking::strict(world, &query);
        let waiting = Vec::new();
        let open = Open { query, normal, waiting };
        self.open.insert(ticket, open);
        Want::Ask(messages)
    }

    pub fn said(&mut self, ticket: Ticket, said: Option<&str>) -> Want {
        let told = said.and_then(|said| serde_json::from_str::<Told>(said).ok());
        match told.filter(|told| json::parse(&told.results, Dialect::Strict).is_ok()) {
            Some(mut told) => {
                for key in &mut told.log.keys {
                    key.spelling = self.spelling(key.fact);
                }
                self.settle(ticket, told)
            }
            None => self.settle(ticket, Told::nothing("the server told no page")),
        }
    }

    /// The number of a fact's spelling among those of the episode.
    fn spelling(&mut self, fact: Option<u32>) -> u32 {
        let known = self.spelt.iter().position(|spelt| *spelt == fact);
        let number = known.unwrap_or_else(|| {
            self.spelt.push(fact);
            self.spelt.len() - 1
        });
        saturated(number)
    }

    pub fn failed(&mut self, ticket: Ticket) -> Want {
        self.settle(ticket, Told::nothing("the engine could not be asked"))
    }

    fn settle(&mut self, ticket: Ticket, told: Told) -> Want {
        let open = self.open.remove(&ticket).expect(OPEN);
        let mut done = vec![(ticket, told.answer(open.query))];
        let waiting = open.waiting.into_iter();
        done.extend(waiting.map(|(waiting, query)| (waiting, told.again(query))));
        self.settled.insert(open.normal, told);
        Want::Done(done)
    }
}

impl Told {
    /// What a mediator with the facts came to, less the engine's own words.
    fn of(consulted: Consulted) -> Self {
        let page = json::parse(&consulted.observation, Dialect::Strict).ok();
        let results = page.as_ref().and_then(|page| page.as_object()?.get("search_result"));
        let mut reading = consulted.reading;
        if let Some(reason) = reading.applied.get_mut("reason") {
            *reason = serde_json::Value::Null;
        }
        Told {
            results: results.map_or_else(none, |results| dumps(results, Layout::Line)),
            log: consulted.log,
            reading,
        }
    }

    /// No page: an engine fault, which costs the player nothing.
    fn nothing(why: &str) -> Self {
        let log = HitLog { engine_fault: true, attempts: 1, ..HitLog::default() };
        let mut reading = reading(&log, None, Vec::new());
        reading.fault = fault("engine_fault", why);
        Told { results: none(), log, reading }
    }

    fn answer(&self, query: String) -> Consulted {
        let results = json::parse(&self.results, Dialect::Strict);
        Consulted {
            record: None,
            observation: observation(
                Json::Text(query),
                results.unwrap_or_else(|_| Json::List(Vec::new())),
            ),
            log: self.log.clone(),
            reading: self.reading.clone(),
        }
    }

    fn again(&self, query: String) -> Consulted {
        let mut answer = self.answer(query);
        answer.log.cached = true;
        answer
    }
}

fn none() -> String {
    "[]".to_owned()
}

/// A search where the facts are: the strict mediator asks the engine until there is a page that keeps the invariants.
pub struct Search {
    mediator: super::Mediator,
    query: String,
    thread: ThreadId,
}

impl Search {
    /// The search that a request over the redacted world asks for.
    pub fn new(world: World, query: &str, thread: ThreadId) -> Self {
        Search {
            mediator: super::Mediator::new(world, Profile::Strict),
            query: query.to_owned(),
            thread,
        }
    }

    const TICKET: Ticket = Ticket(1);

    fn next(&self, want: Want) -> Inquired {
        match want {
            Want::Ask(messages) => {
                let ask = Ask::new(seat::ENGINE, self.thread, messages, Expect::Text);
                Inquired::Ask(Box::new(ask))
            }
            Want::Done(answers) => {
                let consulted = answers.into_iter().next().map(|(_, consulted)| consulted);
                let told = consulted.map_or_else(|| Told::nothing("there is no page"), Told::of);
                let told = serde_json::to_string(&told).expect("texts and numbers can be written");
                Inquired::Told(Verdict(told))
            }
            Want::Wait => unreachable!("a single search waits for no other"),
        }
    }
}

impl Inquiry for Search {
    fn begin(&mut self) -> Inquired {
        let query = Json::Text(self.query.clone());
        let want = self.mediator.search(Self::TICKET, &query, "");
        self.next(want)
    }

    fn hear(&mut self, reply: Reply) -> Inquired {
        let want = match reply {
            Reply::Said(said) => self.mediator.said(Self::TICKET, &said),
            Reply::Failed(failure) if ends_the_play(&failure) => return Inquired::Failed(failure),
            Reply::Failed(failure) => self.mediator.failed(Self::TICKET, &failure),
            Reply::Found { .. } | Reply::Drawn { .. } | Reply::Made(_) => {
                let failure =
                    Failure::new(turnwise_core::effect::FailureClass::Undecodable, "no text");
                self.mediator.failed(Self::TICKET, &failure)
            }
        };
        self.next(want)
    }
}
