//! The builder: worlds of the rule-based builder, about the two entities of the pair.

use serde_json::{Value, json};

use super::pair;
use crate::pools::EntityPair;
use crate::prompts::{template, variable};
use crate::schema::{LawFact, Output, ParaLaw, ParaQuestion, Window};
use turnwise_core::prelude::*;
use turnwise_paraworld::prompts::named;
use turnwise_paraworld::task::{FactKind, Language, Term, Tier, World};
use turnwise_paraworld::worlds::{self, Family, Order};

/// How many worlds are built before it is given up that one fits the pair and the years.
const TRIES: u32 = 60;

/// A question with its law.
pub(super) struct Built {
    pub question: ParaQuestion,
    pub law: ParaLaw,
}

/// What the builder replies in the seat in which it is asked.
pub(super) fn reply(asked: &Asked<'_>) -> String {
    match built(asked) {
        None => "I cannot build a world about these two in these years.".to_owned(),
        Some(Built { question, law }) => match is_law(asked) {
            true => json!(law).to_string(),
            false => json!(question).to_string(),
        },
    }
}

pub(super) fn is_law(asked: &Asked<'_>) -> bool {
    Language::ALL.into_iter().any(|language| asked.uses(&named(template::LAWGIVER, language)))
}

/// The world that follows from what is asked for. `None` where the dice find none, e.g. in a span of years that is too short.
pub(super) fn built(asked: &Asked<'_>) -> Option<Built> {
    let number = |name: &str| asked.variable(name).parse::<u32>().ok();
    let pair = pair(asked)?;
    let (chance, level) = (number(variable::CHANCE)?, number(variable::LEVEL)?);
    let years = Window { from: number(variable::FROM)?.into(), to: number(variable::TO)?.into() };
    let language = Language::named(asked.variable(variable::LANGUAGE)).unwrap_or(Language::En);
    // Levels as in specification 3.2: side by side, with a filter or a convention, with hops, with many of them.
    let (families, tier): (&[Family], Tier) = match level {
        1 => (&[Family::Comparison], Tier::Easy),
        2 => (&[Family::Count, Family::Index], Tier::Mid),
        3 => (&[Family::Chain], Tier::Mid),
        _ => (&[Family::Chain], Tier::Hard),
    };
    let family = families[chance as usize % families.len()];
    let category = worlds::categories().into_iter().find(|category| *category == pair.domain);
    (0..TRIES).find_map(|attempt| {
        let order = Order {
            seed: chance.into(),
            first: 1000 * level + attempt,
            count: 1,
            tier,
            language,
            family: Some(family),
            category: category.map(str::to_owned),
        };
        let world = worlds::build(&order).ok()?.pop()?;
        about(&world, &pair, language).filter(|built| {
            let Window { from, to } = built.question.time_window;
            from >= years.from && to <= years.to
        })
    })
}

/// The world with the first two entities that its question names called by the names of the pair.
fn about(world: &World, pair: &EntityPair, language: Language) -> Option<Built> {
    let extra = world.extra.as_ref()?;
    let is_index = |name: &str| {
        let mut notes = extra.facts.iter();
        notes.any(|note| note.kind == FactKind::Rule && note.entity.as_deref() == Some(name))
    };
    let mut named: Vec<(usize, &Term)> = extra
        .entities
        .iter()
        .filter(|term| !is_index(&term.name))
        .filter_map(|term| Some((world.question().find(&term.name)?, term)))
        .collect();
    named.sort_by_key(|(place, _)| *place);
    let [(_, first), (_, second), ..] = named.as_slice() else {
        return None;
    };
    let taken = pair.names(language);
    let clashes = |term: &Term| {
        let mut ours = pair.entities.iter().flat_map(Term::names);
        ours.any(|name| term.names().any(|other| other == name))
    };
    let others = || extra.entities.iter().filter(|term| *term != *first && *term != *second);
    if others().any(clashes) {
        return None;
    }
    // Over marks that no text holds, because one new name may contain an old one.
    let renamed = |text: &str| {
        let marked = text.replace(&first.name, "\u{1}").replace(&second.name, "\u{2}");
        marked.replace('\u{1}', taken[0]).replace('\u{2}', taken[1])
    };
    let ours = pair.entities.iter().zip(taken).map(|(term, name)| Term {
        name: name.to_owned(),
        aliases: term.names().filter(|other| *other != name).map(str::to_owned).collect(),
    });
    let facts = world.facts.iter().map(|fact| {
        let note = extra.fact(&fact.key);
        LawFact {
            key: renamed(&fact.key),
            value: renamed(&fact.value),
            kind: note.map(|note| note.kind).unwrap_or_default(),
            depends_on: note.map_or_else(Vec::new, |note| {
                note.depends_on.iter().map(|key| renamed(key)).collect()
            }),
            entity: note.and_then(|note| note.entity.as_deref().map(renamed)),
            attribute: note.and_then(|note| note.attribute.clone()),
            period: note.and_then(|note| note.period.clone()),
        }
    });
    let law = ParaLaw {
        facts: facts.collect(),
        derivation: vec![renamed(world.final_answer.as_deref()?)],
        answer_short: renamed(&world.answer),
        answer_long: renamed(world.final_answer.as_deref()?),
        entities: ours.chain(others().cloned()).collect(),
        attributes: extra.attributes.clone(),
    };
    let text = renamed(world.question());
    let solution = worlds::solve(&text, &law.plain_facts()).ok()?;
    if solution.answer != law.answer_short {
        return None;
    }
    let periods = extra.facts.iter().filter_map(|note| note.period.as_deref()?.parse().ok());
    let periods: Vec<i64> = periods.collect();
    let family = extra.generator.get("family").and_then(Value::as_str);
    Some(Built {
        question: ParaQuestion {
            text,
            time_window: Window { from: *periods.iter().min()?, to: *periods.iter().max()? },
            outputs: outputs(family.unwrap_or_default()),
            goal_graph: Vec::new(),
        },
        law,
    })
}

fn outputs(family: &str) -> Vec<Output> {
    let output = |name: &str, kind: &str| Output { name: name.to_owned(), kind: kind.to_owned() };
    match family {
        "comparison" | "chain" => vec![output("larger", "name"), output("difference", "number")],
        "count" => vec![output("how many", "number"), output("sum", "number")],
        _ => vec![output("result", "number")],
    }
}
