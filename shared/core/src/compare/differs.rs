//! Where specs differ, part by part.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::benchmark::Benchmark;
use crate::screen::words::capitalised;
use crate::seat::Seat;
use crate::spec::Spec;

/// The most signs of a value that are shown.
const LONGEST: usize = 80;

/// A part in which specs differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differs {
    /// Where, e.g. `settings.rounds`.
    pub part: String,
    /// The same for people: the label of the benchmark's setting, or plain words.
    pub label: String,
    /// What stands there, by run; `None` where nothing does.
    pub values: Vec<Option<String>>,
}

/// Every part in which not all specs are alike, in the order of names. Lists are compared as wholes; where a hash and its name
/// differ, the name is enough.
pub fn differs(benchmark: &dyn Benchmark, specs: &[&Spec]) -> Vec<Differs> {
    let flat: Vec<BTreeMap<String, Value>> = specs
        .iter()
        .map(|spec| {
            let mut parts = BTreeMap::new();
            if let Ok(value) = serde_json::to_value(spec) {
                flatten(&value, String::new(), &mut parts);
            }
            parts
        })
        .collect();
    let names: BTreeSet<&String> = flat.iter().flat_map(BTreeMap::keys).collect();
    let at = |part: &str| flat.iter().map(|parts| parts.get(part)).collect::<Vec<_>>();
    let is_same = |values: &[Option<&Value>]| values.windows(2).all(|two| two[0] == two[1]);
    let mut found = Vec::new();
    for part in names {
        let values = at(part);
        let named = part
            .strip_suffix(".digest")
            .is_some_and(|whole| !is_same(&at(&format!("{whole}.name"))));
        if is_same(&values) || named {
            continue;
        }
        found.push(Differs {
            part: part.clone(),
            label: label(benchmark, part),
            values: values.into_iter().map(|value| value.map(brief)).collect(),
        });
    }
    found
}

/// Short names for runs of one benchmark, of what differs alone: the player, then every setting and parameter in which they
/// differ. Runs of one spec are called alike.
pub fn names(benchmark: &dyn Benchmark, specs: &[&Spec]) -> Vec<String> {
    let differs = differs(benchmark, specs);
    let player = format!("seats.{}.player", Seat::PLAYER);
    let names = specs.iter().enumerate().map(|(at, spec)| {
        let mut parts = Vec::new();
        let others: Vec<&Differs> = differs.iter().filter(|one| one.part != player).collect();
        if others.len() < differs.len() || others.is_empty() || specs.len() == 1 {
            parts.push(sitting(spec));
        }
        // Beside the players a hash says nothing to a reader.
        let told = others.iter().filter(|one| !one.part.ends_with("digest"));
        parts.extend(told.map(|one| match &one.values[at] {
            Some(value) => format!("{} {value}", one.label),
            None => format!("no {}", one.label),
        }));
        parts.retain(|part| !part.is_empty());
        match parts.is_empty() {
            true => sitting(spec),
            false => parts.join(" · "),
        }
    });
    names.collect()
}

/// Who sits in the seat under evaluation; where all are players, how many.
fn sitting(spec: &Spec) -> String {
    match spec.seats.get(&Seat::new(Seat::PLAYER)) {
        Some(sitting) => sitting.player.to_string(),
        None => format!("{} players", spec.seats.len()),
    }
}

/// A part of a spec for people.
fn label(benchmark: &dyn Benchmark, part: &str) -> String {
    let path: Vec<&str> = part.split('.').collect();
    let words = |words: &[&str]| words.join(" ").replace('_', " ");
    match path.as_slice() {
        ["settings", name, rest @ ..] => {
            let schema = benchmark.schema();
            let found = schema.settings.iter().find(|one| one.name == *name);
            let label =
                found.map_or_else(|| capitalised(&words(&[name])), |one| one.label.to_owned());
            format!("{label} {}", words(rest)).trim_end().to_owned()
        }
        ["seats", seat, "player"] => match *seat {
            Seat::PLAYER => "Player".to_owned(),
            seat => format!("Player in seat {seat}"),
        },
        ["seats", seat, "sampling", knob @ ..] => match *seat {
            Seat::PLAYER => capitalised(&words(knob)),
            seat => format!("{} of seat {seat}", capitalised(&words(knob))),
        },
        ["tasks", "name" | "digest"] => "Tasks".to_owned(),
        ["pack", "name" | "digest"] => "Prompt pack".to_owned(),
        path => capitalised(&words(path)),
    }
}

fn flatten(value: &Value, path: String, parts: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = match path.is_empty() {
                    true => name.clone(),
                    false => format!("{path}.{name}"),
                };
                flatten(field, path, parts);
            }
        }
        other => {
            parts.insert(path, other.clone());
        }
    }
}

fn brief(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
