//! Pools of names, and the pairs that are drawn from them (specification 3.1).
//!
//! A file of pools is JSON Lines: `{"domain": "Band", "entities": ["Ada Choir", {"name": "…", "aliases": ["…"]}]}`, one
//! domain a line. A line `{"sampling": {"pairs": 500, "seed": 1}}` in front of them says how many pairs are drawn and from
//! which seed; these two numbers hold without it. The file decides the pairs, so a task set means the same everywhere.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use turnwise_core::kit::rows::{self, ROW_LIMIT};
use turnwise_core::prelude::*;
use turnwise_core::task::texts;
use turnwise_core::{dice, lenient};
use turnwise_paraworld::task::{Language, Term};

/// The most names of one pool.
const MOST_ENTITIES: usize = 20_000;
/// The most pairs of one file.
const MOST_PAIRS: u32 = 100_000;

/// Names of labels and fields of a task.
pub mod field {
    /// The label with the domain; worlds carry it as their category.
    pub const DOMAIN: &str = "domain";
    /// The field with the pair, as JSON.
    pub const PAIR: &str = "pair";
}

/// The names of one domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// What its entities are, e.g. `Football Club`.
    pub domain: String,
    #[serde(deserialize_with = "terms")]
    pub entities: Vec<Term>,
}

/// How many pairs are drawn, and from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sampling {
    /// How many, over all domains; fewer where the pools hold no more.
    pub pairs: u32,
    pub seed: u64,
}

impl Default for Sampling {
    /// As many as the paper drew.
    fn default() -> Self {
        Sampling { pairs: 500, seed: 1 }
    }
}

/// Two entities of one domain, about which questions are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityPair {
    /// Follows from domain and names: the same pair has the same id in every file.
    pub pair_id: String,
    pub domain: String,
    pub entities: [Term; 2],
    /// The seed from which the pair was drawn.
    pub seed: u64,
    /// The hash of the pool from which it was drawn.
    pub pool_hash: Digest,
}

impl EntityPair {
    /// What the two are called in a language: the first name in its script, else the name as it is.
    pub fn names(&self, language: Language) -> [&str; 2] {
        self.entities.each_ref().map(|term| {
            let mut names = term.names();
            names.find(|name| Language::of(name) == language).unwrap_or(&term.name)
        })
    }

    fn task(&self) -> Task {
        let text = serde_json::to_string(self).expect("names and numbers can be written");
        Task {
            id: TaskId(self.pair_id.clone()),
            digest: Digest::of_value(self),
            labels: texts([(field::DOMAIN, &*self.domain)]),
            fields: texts([(field::PAIR, text)]),
        }
    }
}

/// The pair behind a task; `None` if it is none of ours.
pub fn of_task(task: &Task) -> Option<EntityPair> {
    serde_json::from_str(task.field(field::PAIR)?).ok()
}

/// Draws `n` pairs, domain by domain in the order of the pools.
///
/// Every domain has the same quota; what is left over goes, one each, to the first domains of a shuffle. A domain that
/// holds fewer pairs gives what it has. While pairs lack, the domains are walked in shuffled order, and each that has one
/// to spare gives one more. Within a domain pairs are drawn without replacement. The seed decides everything.
pub fn pairs(pools: &[Pool], n: u32, seed: u64) -> Vec<EntityPair> {
    let count = saturated(pools.len());
    let Some(quota) = n.checked_div(count) else {
        return Vec::new();
    };
    let over = n % count;
    let shuffled = dice::draw(seed, "studio:domains", count, count);
    let room: Vec<u32> = pools.iter().map(capacity).collect();
    let mut take: Vec<u32> = room.iter().map(|room| quota.min(*room)).collect();
    for (place, domain) in (0_u32..).zip(&shuffled) {
        let domain = *domain as usize;
        let share = quota + u32::from(place < over);
        take[domain] = share.min(room[domain]);
    }
    let mut total: u32 = take.iter().sum();
    while total < n {
        let before = total;
        for domain in &shuffled {
            let domain = *domain as usize;
            if total < n && take[domain] < room[domain] {
                take[domain] += 1;
                total += 1;
            }
        }
        if total == before {
            break;
        }
    }
    pools
        .iter()
        .zip(room)
        .zip(take)
        .flat_map(|((pool, room), take)| of_pool(pool, room, take, seed))
        .collect()
}

/// How many unordered pairs a pool holds.
fn capacity(pool: &Pool) -> u32 {
    let names = pool.entities.len().min(MOST_ENTITIES) as u64;
    saturated(names * names.saturating_sub(1) / 2)
}

fn of_pool(pool: &Pool, room: u32, take: u32, seed: u64) -> Vec<EntityPair> {
    let pool_hash = Digest::of_value(pool);
    let stream = format!("studio:pairs:{}", pool.domain);
    let drawn = dice::draw(seed, &stream, room, take);
    drawn
        .into_iter()
        .map(|number| {
            let (first, second) = places(number as usize, pool.entities.len());
            let entities = [first, second].map(|place| pool.entities[place].clone());
            EntityPair {
                pair_id: pair_id(&pool.domain, &entities),
                domain: pool.domain.clone(),
                entities,
                seed,
                pool_hash,
            }
        })
        .collect()
}

/// The pair of that number: (0,1), (0,2), …, (1,2), …
fn places(mut number: usize, names: usize) -> (usize, usize) {
    let mut first = 0;
    while number >= names - 1 - first {
        number -= names - 1 - first;
        first += 1;
    }
    (first, first + 1 + number)
}

fn pair_id(domain: &str, [first, second]: &[Term; 2]) -> String {
    let words: String = domain
        .chars()
        .map(|sign| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' })
        .collect();
    let digest = Digest::of_value(&(domain, &first.name, &second.name)).short();
    match words.trim_matches('-') {
        "" => digest,
        words => format!("{words}-{digest}"),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pools {
    /// The pools in the file's order; at least one.
    pub pools: Vec<Pool>,
    /// How pairs are drawn from them.
    pub sampling: Sampling,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    sampling: Sampling,
}

/// A name alone, or with its aliases.
#[derive(Deserialize)]
#[serde(untagged)]
enum NameOrTerm {
    Name(String),
    Term(Term),
}

fn terms<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Term>, D::Error> {
    let written = Vec::<NameOrTerm>::deserialize(from)?;
    Ok(written
        .into_iter()
        .map(|one| match one {
            NameOrTerm::Term(term) => term,
            NameOrTerm::Name(name) => Term { name, aliases: Vec::new() },
        })
        .collect())
}

/// Reads a file of pools.
///
/// # Errors
/// The first mistake, with its row and how to mend it.
pub fn read(name: &str, bytes: &[u8]) -> Result<Pools, BadTasks> {
    let read = read_pools(bytes).map_err(|bad| bad.of_tasks(name))?;
    if read.pools.iter().all(|pool| capacity(pool) == 0) {
        let problem = "no domain has two names; a pair needs two of one domain";
        return Err(BadRow::file(problem).of_tasks(name));
    }
    Ok(read)
}

fn read_pools(bytes: &[u8]) -> Result<Pools, BadRow> {
    let mut read = Pools { pools: Vec::new(), sampling: Sampling::default() };
    for object in rows::objects(bytes, Dialect::Strict, ROW_LIMIT) {
        let (row, object) = object?;
        let bad = |problem: String| BadRow::row(row, problem);
        let value = serde_json::to_value(object).unwrap_or_default();
        if let Ok(Head { sampling }) = serde_json::from_value(value.clone()) {
            if !read.pools.is_empty() {
                return Err(bad("the sampling stands in front of the first domain".to_owned()));
            }
            if !(1..=MOST_PAIRS).contains(&sampling.pairs) {
                return Err(bad(format!("draw 1 to {MOST_PAIRS} pairs")));
            }
            read.sampling = sampling;
            continue;
        }
        let pool: Pool = lenient::typed(value).map_err(|error| {
            let form =
                r#"a row is {"domain": "…", "entities": ["…", {"name": "…", "aliases": ["…"]}]}"#;
            bad(format!("{error}; {form}"))
        })?;
        check(&pool, &read.pools).map_err(bad)?;
        read.pools.push(pool);
    }
    Ok(read)
}

fn check(pool: &Pool, before: &[Pool]) -> Result<(), String> {
    if pool.domain.trim().is_empty() {
        return Err("the domain is blank".to_owned());
    }
    if before.iter().any(|other| other.domain == pool.domain) {
        return Err(format!("the domain {:?} stands there twice", pool.domain));
    }
    if pool.entities.len() > MOST_ENTITIES {
        return Err(format!("more than {MOST_ENTITIES} names in one domain"));
    }
    let mut seen = BTreeSet::new();
    for term in &pool.entities {
        if term.names().any(|name| name.trim().is_empty()) {
            return Err("a name is blank".to_owned());
        }
        if !seen.insert(term.name.trim().to_lowercase()) {
            return Err(format!("the name {:?} stands there twice", term.name));
        }
    }
    Ok(())
}

impl Pools {
    /// The pairs that the file means.
    pub fn pairs(&self) -> Vec<EntityPair> {
        pairs(&self.pools, self.sampling.pairs, self.sampling.seed)
    }

    /// The pairs as tasks, under a name.
    pub fn to_task_set(&self, name: impl Into<String>) -> TaskSet {
        let tasks = self.pairs().iter().map(EntityPair::task).collect();
        TaskSet::new(name, tasks, TaskSetOrigin::Plain)
    }
}
