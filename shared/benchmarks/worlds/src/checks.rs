//! What the automatic checks can say of a law before an auditor reads it (specification 3.3).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::freeze;
use super::pools::EntityPair;
use super::schema::{ParaLaw, ParaQuestion, Window};
use turnwise_paraworld::judging::same;
use turnwise_paraworld::task::Fact;
use turnwise_paraworld::worlds::{self, Severity};

/// Something that is wrong with a question or a law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind of trouble, e.g. `no_unit`; rejections are counted by it.
    pub class: String,
    /// What and where, in a sentence.
    pub detail: String,
}

fn finding(class: &str, detail: String) -> Finding {
    Finding { class: class.to_owned(), detail }
}

/// Checks a question: it plays in the years of the run, names what it asks for, and asks about the pair.
pub fn question(question: &ParaQuestion, pair: &EntityPair, years: Window) -> Vec<Finding> {
    let mut found = Vec::new();
    let Window { from, to } = question.time_window;
    if from < years.from || to > years.to {
        found.push(finding(
            "time_window",
            format!("{from} to {to} is not within {} to {}", years.from, years.to),
        ));
    }
    if question.outputs.is_empty() {
        let detail = "outputs is empty; say what the answer consists of".to_owned();
        found.push(finding("no_output", detail));
    }
    for term in &pair.entities {
        if !term.names().any(|name| question.text.contains(name)) {
            let detail = format!("the question does not name {:?}", term.name);
            found.push(finding("entity_not_named", detail));
        }
    }
    let nodes: BTreeSet<&str> = question.goal_graph.iter().map(|goal| goal.node.as_str()).collect();
    let edges = question.goal_graph.iter().map(|goal| {
        let needs = goal.needs.iter().map(String::as_str).collect();
        (goal.node.as_str(), needs)
    });
    graph("goal_graph", &nodes, &edges.collect(), &mut found);
    found
}

/// Checks a law: all that specification 3.3 lists, and then everything that `worlds check` calls an error.
pub fn law(question: &ParaQuestion, law: &ParaLaw, pair: &EntityPair) -> Vec<Finding> {
    let mut found = Vec::new();
    if law.facts.is_empty() {
        found.push(finding("no_facts", "there is no fact".to_owned()));
    }
    let mut keys: BTreeMap<String, &str> = BTreeMap::new();
    for (place, fact) in (1..).zip(&law.facts) {
        if fact.key.trim().is_empty() || fact.value.trim().is_empty() {
            let detail = format!("fact {place} has a blank key or value");
            found.push(finding("blank", detail));
            continue;
        }
        if let Some(first) = keys.insert(fact.key.trim().to_lowercase(), &fact.key) {
            let detail = format!("the keys {first:?} and {:?} are the same", fact.key);
            found.push(finding("same_key", detail));
        }
        let asked_for = |name: &str| same(name, &fact.key);
        let is_output = question.outputs.iter().any(|output| asked_for(&output.name));
        if same(&fact.value, &law.answer_short) && !is_output {
            let detail = format!("the value of {:?} is the whole answer", fact.key);
            found.push(finding("answers_alone", detail));
        }
        if is_bare_number(&fact.value) && names_quantity(&fact.key) {
            let detail = format!("the value of {:?} is a number without a unit", fact.key);
            found.push(finding("no_unit", detail));
        }
    }
    let nodes = law.facts.iter().map(|fact| fact.key.as_str()).collect();
    let edges = law.facts.iter().map(|fact| {
        let needs = fact.depends_on.iter().map(String::as_str).collect();
        (fact.key.as_str(), needs)
    });
    graph("depends_on", &nodes, &edges.collect(), &mut found);
    if found.is_empty() {
        as_world(question, law, pair, &mut found);
    }
    found
}

/// Whether every need is there, and nothing needs itself.
fn graph(
    name: &str,
    nodes: &BTreeSet<&str>,
    edges: &BTreeMap<&str, Vec<&str>>,
    found: &mut Vec<Finding>,
) {
    for (node, needs) in edges {
        for need in needs.iter().filter(|need| !nodes.contains(*need)) {
            let detail = format!("{name}: {node:?} needs {need:?}, which is not there");
            found.push(finding("no_such_need", detail));
        }
        let mut open = needs.clone();
        let mut seen = BTreeSet::new();
        while let Some(need) = open.pop() {
            if need == *node {
                let detail = format!("{name}: {node:?} needs itself, over others");
                found.push(finding("circle", detail));
                break;
            }
            if seen.insert(need) {
                open.extend(edges.get(need).into_iter().flatten());
            }
        }
    }
}

/// The law as the world that it would become.
fn as_world(question: &ParaQuestion, law: &ParaLaw, pair: &EntityPair, found: &mut Vec<Finding>) {
    match freeze::world(question, law, pair) {
        Err(wrong) => found.push(finding("unwritable", wrong.to_string())),
        Ok(world) => {
            let errors = worlds::check(&world)
                .into_iter()
                .filter(|finding| finding.severity == Severity::Error);
            found.extend(errors.map(|error| finding("world", error.trouble.to_string())));
        }
    }
}

/// Digits, with signs, commas, points and blanks at most.
fn is_bare_number(value: &str) -> bool {
    let mut signs = value.trim().chars();
    value.contains(|sign: char| sign.is_ascii_digit())
        && signs.all(|sign| sign.is_ascii_digit() || "+-−., ".contains(sign))
}

/// Words of a key that name a quantity which is counted in something. A year, a rank, a score or a share is none.
const QUANTITIES: &str = include_str!("checks/quantities.txt");

fn names_quantity(key: &str) -> bool {
    let key = key.to_lowercase();
    let is_word = |start: usize, end: usize| {
        let letter = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_alphabetic());
        !letter(key[..start].chars().next_back()) && !letter(key[end..].chars().next())
    };
    QUANTITIES.lines().any(|word| {
        key.match_indices(word).any(|(start, found)| is_word(start, start + found.len()))
    })
}

/// Groups of keys that say the same but for case, blanks and marks, and have different values.
pub fn contradictions(facts: &[Fact]) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<String, Vec<&Fact>> = BTreeMap::new();
    for fact in facts {
        let plain = fact.key.chars().filter(|sign| sign.is_alphanumeric());
        let plain = plain.flat_map(char::to_lowercase).collect();
        groups.entry(plain).or_default().push(fact);
    }
    groups
        .into_values()
        .filter(|group| group.iter().any(|fact| fact.value != group[0].value))
        .map(|group| group.iter().map(|fact| fact.key.clone()).collect())
        .collect()
}
