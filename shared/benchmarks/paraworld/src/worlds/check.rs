//! Checks of any world: its form, its answer, and whether every fact matters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::super::task::{Extra, Fact, World};
use super::fraction::{read, whole};
use super::solver::{Hazard, Unsolved, solve};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// To be known; the world can be used.
    Warning,
    /// The world should not be used.
    Error,
}

/// Something that is wrong with a world. Its text names keys, never values or the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Built worlds must keep every guarantee; on worlds from elsewhere most findings are warnings.
    pub severity: Severity,
    pub trouble: Trouble,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.trouble)
    }
}

/// What can be wrong with a world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Keys that differ in case or blanks only.
    #[error("keys {0:?} and {1:?} are the same but for case and blanks")]
    SameKey(String, String),
    /// Fewer facts than 2 or more than 30.
    #[error("{0} facts; 2 to 30 are meant")]
    FactCount(usize),
    /// One fact gives the whole answer.
    #[error("the value of {0:?} alone holds the answer")]
    AnswersAlone(String),
    /// Two facts with one value: a page about one tells the other.
    #[error("{0:?} and {1:?} have the same value")]
    SameValue(String, String),
    /// A dependency on a fact that is not there.
    #[error("{0:?} depends on {1:?}, which is no fact")]
    NoSuchFact(String, String),
    /// Facts that depend on each other in a circle.
    #[error("{0:?} depends on itself, over others")]
    Circle(String),
    /// Its entity stands neither in the question nor in the value of a fact that can be reached.
    #[error("nobody who reads the question can come to ask for {0:?}")]
    Unreachable(String),
    /// A key that says too little to be asked for: nothing in it ties it to the question.
    #[error("the key {0:?} is bare: a query for it cannot say whose it is")]
    BareKey(String),
    /// The solver cannot read the question, so that nothing was computed.
    #[error("the answer was not checked: {0}")]
    NotChecked(Unsolved),
    /// The facts give another answer than the file.
    #[error("the facts give another answer than the file")]
    OtherAnswer,
    /// Another reading gives, or nearly gives, another answer.
    #[error("the answer depends on how one reads: {0:?}")]
    Unsafe(Hazard),
    /// The answer is the same whatever the fact says, or without it.
    #[error("the answer does not need {0:?}")]
    Unnecessary(String),
}

/// What is wrong with a world; nothing if all is well. Worlds of our builder are held to all guarantees; on others what
/// cannot be checked, bare keys and values shared between facts are warnings.
pub fn check(world: &World) -> Vec<Finding> {
    let built = world
        .extra
        .as_ref()
        .and_then(|extra| extra.generator.get("name"))
        .is_some_and(|name| name == super::GENERATOR);
    let mut found = Found { built, findings: Vec::new() };
    form(world, &mut found);
    match &world.extra {
        Some(extra) if !extra.facts.is_empty() => {
            dependencies(extra, &world.facts, &mut found);
            reach(world, extra, &mut found);
        }
        _ => bare_keys(world, &mut found),
    }
    answer(world, &mut found);
    found.findings
}

struct Found {
    built: bool,
    findings: Vec<Finding>,
}

impl Found {
    fn error(&mut self, trouble: Trouble) {
        let severity = Severity::Error;
        self.findings.push(Finding { severity, trouble });
    }

    /// An error in a world of ours, a warning in others.
    fn lapse(&mut self, trouble: Trouble) {
        let severity = if self.built { Severity::Error } else { Severity::Warning };
        self.findings.push(Finding { severity, trouble });
    }
}

fn form(world: &World, found: &mut Found) {
    if !(2..=30).contains(&world.facts.len()) {
        found.lapse(Trouble::FactCount(world.facts.len()));
    }
    let mut keys: BTreeMap<String, &str> = BTreeMap::new();
    let mut values: BTreeMap<&str, &str> = BTreeMap::new();
    for fact in &world.facts {
        let plain: String = fact.key.to_lowercase().split_whitespace().collect();
        if let Some(first) = keys.insert(plain, &fact.key) {
            found.error(Trouble::SameKey(first.to_owned(), fact.key.clone()));
        }
        if let Some(first) = values.insert(fact.value.trim(), &fact.key) {
            found.lapse(Trouble::SameValue(first.to_owned(), fact.key.clone()));
        }
        if fact.value.contains(world.answer.trim()) {
            found.lapse(Trouble::AnswersAlone(fact.key.clone()));
        }
    }
}

fn dependencies(extra: &Extra, facts: &[Fact], found: &mut Found) {
    let known: BTreeSet<&str> = facts.iter().map(|fact| fact.key.as_str()).collect();
    let needs: BTreeMap<&str, &[String]> =
        extra.facts.iter().map(|note| (note.key.as_str(), note.depends_on.as_slice())).collect();
    for note in &extra.facts {
        for need in &note.depends_on {
            if !known.contains(need.as_str()) {
                found.error(Trouble::NoSuchFact(note.key.clone(), need.clone()));
            }
        }
        let mut open: Vec<&String> = note.depends_on.iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(need) = open.pop() {
            if *need == note.key {
                found.error(Trouble::Circle(note.key.clone()));
                break;
            }
            if seen.insert(need.as_str()) {
                open.extend(needs.get(need.as_str()).copied().unwrap_or_default());
            }
        }
    }
}

/// Every entity of a fact must stand in the question, or in the value of a fact that can itself be reached.
fn reach(world: &World, extra: &Extra, found: &mut Found) {
    let mut read = vec![world.question().to_owned()];
    let mut open: Vec<&Fact> = world.facts.iter().collect();
    loop {
        let (reached, rest): (Vec<&Fact>, Vec<&Fact>) = open.into_iter().partition(|fact| {
            let entity = extra.fact(&fact.key).and_then(|note| note.entity.as_ref());
            entity.is_none_or(|name| {
                let known = extra.entities.iter().find(|term| term.name == *name);
                let spoken = |name: &str| read.iter().any(|text| text.contains(name));
                spoken(name) || known.is_some_and(|term| term.names().any(spoken))
            })
        });
        open = rest;
        if reached.is_empty() || open.is_empty() {
            break;
        }
        read.extend(reached.into_iter().map(|fact| fact.value.clone()));
    }
    for fact in open {
        found.error(Trouble::Unreachable(fact.key.clone()));
    }
}

/// Without notes: a key must share a name, a number or four Han characters in a row with the question.
fn bare_keys(world: &World, found: &mut Found) {
    let question = world.question();
    let words: BTreeSet<&str> = question
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()))
        .collect();
    for fact in &world.facts {
        let mut parts = fact.key.split(|c: char| !c.is_ascii_alphanumeric());
        let named = parts.any(|word| !word.is_empty() && words.contains(word));
        let han: Vec<char> = fact.key.chars().collect();
        let shared = han.windows(4).any(|four| {
            !four.iter().any(char::is_ascii) && question.contains(&String::from_iter(four))
        });
        if !named && !shared {
            let severity = Severity::Warning;
            let trouble = Trouble::BareKey(fact.key.clone());
            found.findings.push(Finding { severity, trouble });
        }
    }
}

fn answer(world: &World, found: &mut Found) {
    let solution = match solve(world.question(), &world.facts) {
        Ok(solution) => solution,
        Err(Unsolved::Unreadable) => return found.lapse(Trouble::NotChecked(Unsolved::Unreadable)),
        Err(other) => return found.error(Trouble::NotChecked(other)),
    };
    if solution.answer != world.answer.trim() {
        found.error(Trouble::OtherAnswer);
    }
    for hazard in &solution.hazards {
        found.error(Trouble::Unsafe(*hazard));
    }
    for (position, fact) in world.facts.iter().enumerate() {
        let matters = others(&fact.value).into_iter().any(|other| {
            let mut facts = world.facts.clone();
            facts[position].value = other;
            solve(world.question(), &facts).map(|solution| solution.answer)
                != Ok(solution.answer.clone())
        });
        if !matters {
            found.error(Trouble::Unnecessary(fact.key.clone()));
        }
    }
}

/// Other values that a fact could have: a number with the same unit, or another name.
fn others(value: &str) -> Vec<String> {
    let number = read(value).and_then(|(number, unit)| Some((whole(number)?, unit)));
    match number {
        Some((number, unit)) => [number * 2, number / 2, number + 1, number * 10]
            .into_iter()
            .map(|other| format!("{other}{unit}"))
            .collect(),
        None => vec![format!("{value} II")],
    }
}
