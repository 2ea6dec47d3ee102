//! From what was accepted to a file of worlds (specification 3.4 and 3.5).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::pools::EntityPair;
use super::record::{Made, Record};
use super::schema::{ParaLaw, ParaQuestion};
use super::settings::Unit;
use super::work::seat;
use turnwise_core::prelude::*;
use turnwise_paraworld::task::{
    Draft, Extra, FactNote, Manifest, Term, World, Worlds, lines, load,
};

/// What the studio writes as the generator of its worlds.
pub const GENERATOR: &str = "turnwise studio 1";

/// A pair that came to its end, and which repeat of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    pub made: Made,
    /// Which repeat, from 1.
    pub repeat: u32,
}

/// A file of worlds with what stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Frozen {
    /// The worlds, in the order of pairs and levels.
    pub worlds: Vec<World>,
    pub file: String,
    /// What it is, what it holds, from what it was made.
    pub manifest: Manifest,
}

/// Why nothing could be frozen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfrozen {
    /// Nothing was accepted, or nothing was left by the filter.
    #[error(
        "no question is left: {accepted} of {all} were accepted, and {whole} of {pairs} pairs are whole"
    )]
    Nothing {
        accepted: usize,
        all: usize,
        /// Pairs all of whose questions were accepted.
        whole: usize,
        pairs: usize,
    },
    /// A record that was accepted but is no world; only a changed record can be one.
    #[error("{question}: {problem}")]
    Unsound { question: String, problem: String },
    /// What was written cannot be read again.
    #[error("the frozen file cannot be read again: {0}")]
    Unreadable(BadRow),
}

/// The questions that the filter leaves.
pub fn kept(made: &Made, unit: Unit) -> impl Iterator<Item = &Record> {
    let passes = unit == Unit::Question || made.is_whole();
    let accepted = made.questions.iter().filter(|record| record.is_accepted());
    accepted.filter(move |_| passes)
}

/// Writes what was accepted as worlds, in the order of pairs. A pair falls whole under [`Unit::Pair`] if any of its questions
/// was rejected.
///
/// # Errors
/// If nothing is left, or a record is none that the studio wrote.
pub fn freeze(
    dataset: &str,
    spec: &Spec,
    finished: &[Finished],
    unit: Unit,
) -> Result<Frozen, Unfrozen> {
    let mut sorted: Vec<&Finished> = finished.iter().collect();
    sorted.sort_by_key(|one| (&one.made.pair.domain, &one.made.pair.pair_id, one.repeat));
    let mut worlds = Vec::new();
    for Finished { made, repeat } in sorted.iter().copied() {
        for record in kept(made, unit) {
            let line = saturated(worlds.len());
            worlds.push(of_record(spec, made, *repeat, record, line)?);
        }
    }
    if worlds.is_empty() {
        let questions = || finished.iter().flat_map(|one| &one.made.questions);
        return Err(Unfrozen::Nothing {
            accepted: questions().filter(|record| record.is_accepted()).count(),
            all: questions().count(),
            whole: finished.iter().filter(|one| one.made.is_whole()).count(),
            pairs: finished.len(),
        });
    }
    let file = lines(&worlds);
    let set: Worlds = load(file.as_bytes()).map_err(Unfrozen::Unreadable)?;
    let mut manifest = Manifest::of(dataset, &set);
    manifest.models = makers(spec);
    manifest.seeds = BTreeMap::from([("run".to_owned(), spec.seed)]);
    let seeds = finished.iter().map(|one| one.made.pair.seed);
    let seeds: BTreeSet<u64> = seeds.collect();
    for (number, seed) in (1..).zip(&seeds) {
        let name = match seeds.len() {
            1 => "pairs".to_owned(),
            _ => format!("pairs {number}"),
        };
        manifest.seeds.insert(name, *seed);
    }
    Ok(Frozen { worlds: set.worlds, file, manifest })
}

/// Who sat in which seat.
fn makers(spec: &Spec) -> BTreeMap<String, String> {
    let seats = spec.seats.iter();
    seats.map(|(seat, sitting)| (seat.to_string(), sitting.player.to_string())).collect()
}

fn of_record(
    spec: &Spec,
    made: &Made,
    repeat: u32,
    record: &Record,
    line: u32,
) -> Result<World, Unfrozen> {
    let unsound =
        |problem: String| Unfrozen::Unsound { question: record.question_id.clone(), problem };
    let (Some(question), Some(law)) = (&record.question, &record.law) else {
        return Err(unsound("it was accepted without question or law".to_owned()));
    };
    let pair_id = match repeat {
        1 => made.pair.pair_id.clone(),
        repeat => format!("{}-r{repeat}", made.pair.pair_id),
    };
    let makers = makers(spec);
    let generator = json!({
        "name": GENERATOR,
        "question_id": record.question_id,
        "level": record.level,
        "repeat": repeat,
        "time_window": question.time_window,
        "edits": record.edits,
        "questioner": makers.get(seat::QUESTIONER),
        "lawgiver": makers.get(seat::LAWGIVER),
        "prompts": spec.pack.digest,
        "pool": made.pair.pool_hash,
    });
    let number = i64::from(line);
    draft(question, law, &made.pair, pair_id, number, generator)
        .into_world(line)
        .map_err(|wrong| unsound(wrong.to_string()))
}

/// A question and its law as a world that stands alone, for checks.
///
/// # Errors
/// The first field that a file could not hold.
pub fn world(question: &ParaQuestion, law: &ParaLaw, pair: &EntityPair) -> Result<World, BadRow> {
    let generator = json!({ "name": GENERATOR });
    draft(question, law, pair, pair.pair_id.clone(), 0, generator).into_world(0)
}

fn draft(
    question: &ParaQuestion,
    law: &ParaLaw,
    pair: &EntityPair,
    pair_id: String,
    index: i64,
    generator: Value,
) -> Draft {
    let notes = law.facts.iter().map(|fact| FactNote {
        key: fact.key.clone(),
        kind: fact.kind,
        entity: fact.entity.clone(),
        attribute: fact.attribute.clone(),
        period: fact.period.clone(),
        depends_on: fact.depends_on.clone(),
    });
    Draft {
        index,
        category: pair.domain.clone(),
        question: question.text.clone(),
        answer: law.answer_short.clone(),
        final_answer: law.answer_long.clone(),
        facts: law.plain_facts(),
        extra: Extra {
            pair_id: Some(pair_id),
            entities: entities(law, pair),
            attributes: law.attributes.clone(),
            facts: notes.collect(),
            generator,
        },
    }
}

/// What the law names with its aliases, then the pair, then every entity of a fact that neither knows.
fn entities(law: &ParaLaw, pair: &EntityPair) -> Vec<Term> {
    let mut known: Vec<Term> = Vec::new();
    let facts = law.facts.iter().filter_map(|fact| fact.entity.as_ref());
    let plain = facts.map(|name| Term { name: name.clone(), aliases: Vec::new() });
    let named = law.entities.iter().chain(&pair.entities).cloned();
    for term in named.chain(plain) {
        let alias = |other: &Term| other.names().any(|name| name == term.name);
        let is_entity = law.facts.iter().any(|fact| fact.entity.as_ref() == Some(&term.name));
        if known.iter().all(|other| other.name != term.name)
            && (is_entity || !known.iter().any(alias))
        {
            known.push(term);
        }
    }
    known
}
