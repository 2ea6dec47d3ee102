//! Where specs differ, part by part.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::benchmark::Benchmark;
use crate::benchmark::schema::Holds;
use crate::screen::words::capitalised;
use crate::seat::Seat;
use crate::shortened::shortened;
use crate::spec::Spec;
use crate::wire::naming::default_title;

/// The most signs of a value that are shown.
const LONGEST: usize = 80;

/// A part in which specs differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differs {
    pub part: String,
    /// The same for people: the label of the benchmark's setting, or plain words.
    pub label: String,
    /// What stands there, by run; `None` where nothing does.
    pub values: Vec<Option<String>>,
}

/// Every part in which not all specs are alike, in the order of names. Lists are compared as wholes; where a hash and its name
/// differ, the name is enough. What a mode makes meaningless, as the rounds of an episode of one answer or a judge who is never
/// asked, does not count: it has no value there.
pub fn differs(benchmark: &dyn Benchmark, specs: &[&Spec]) -> Vec<Differs> {
    let flat: Vec<BTreeMap<String, Value>> = specs
        .iter()
        .map(|spec| {
            let mut parts = BTreeMap::new();
            // Settings that are left out are what they are by default.
            let spec =
                Spec { settings: benchmark.binding_settings(&spec.settings), ..(*spec).clone() };
            if let Ok(value) = serde_json::to_value(&spec) {
                flatten(&value, String::new(), &mut parts);
            }
            parts
        })
        .collect();
    let names: BTreeSet<&String> = flat.iter().flat_map(BTreeMap::keys).collect();
    let at = |part: &str| flat.iter().map(|parts| parts.get(part)).collect::<Vec<_>>();
    let is_same = |values: &[Option<&Value>]| values.windows(2).all(|two| two[0] == two[1]);
    let asked = Asked::default();
    let mut found = Vec::new();
    for part in names {
        let mut values = at(part);
        let named = part
            .strip_suffix(".digest")
            .is_some_and(|whole| !is_same(&at(&format!("{whole}.name"))));
        if is_same(&values) || named {
            continue;
        }
        for (at, spec) in specs.iter().enumerate() {
            if !counts(benchmark, part, spec, specs, &asked) {
                values[at] = None;
            }
        }
        let meant: Vec<Option<&Value>> = specs
            .iter()
            .zip(&values)
            .filter(|(spec, _)| counts(benchmark, part, spec, specs, &asked))
            .map(|(_, value)| *value)
            .collect();
        if is_same(&meant) {
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

/// The most calls of each seat, by the digest of a spec: found out where it is needed.
type Asked = RefCell<BTreeMap<String, BTreeMap<String, u32>>>;

/// Whether a part means anything under a spec: with another value that one of the specs has there, it would be another run.
fn counts(
    benchmark: &dyn Benchmark,
    part: &str,
    spec: &Spec,
    specs: &[&Spec],
    asked: &Asked,
) -> bool {
    let path: Vec<&str> = part.split('.').collect();
    match path.as_slice() {
        ["settings", name, ..] => {
            let own = benchmark.binding_settings(&spec.settings);
            let mut others = specs.iter().filter_map(|other| {
                let mut changed = spec.settings.as_object()?.clone();
                match other.settings.get(name) {
                    Some(value) => changed.insert((*name).to_owned(), value.clone()),
                    None => changed.remove(*name),
                };
                let is_other = other.settings.get(name) != spec.settings.get(name);
                is_other.then(|| benchmark.binding_settings(&Value::Object(changed)))
            });
            // Nothing to try it with is nothing against it.
            others.clone().next().is_none() || others.any(|changed| changed != own)
        }
        ["seats", seat, ..] if *seat != Seat::PLAYER && benchmark.participants().is_none() => {
            let mut asked = asked.borrow_mut();
            let calls = asked
                .entry(spec.digest().to_string())
                .or_insert_with(|| most_calls(benchmark, spec));
            calls.get(*seat).is_none_or(|calls| *calls > 0)
        }
        _ => true,
    }
}

/// How often each seat may be asked in an episode.
fn most_calls(benchmark: &dyn Benchmark, spec: &Spec) -> BTreeMap<String, u32> {
    let samples = benchmark.samples();
    let calls = samples.tasks.first().map(|task| benchmark.most_calls(spec, task));
    let calls = calls.and_then(Result::ok).into_iter().flatten();
    calls.map(|(seat, calls)| (seat.to_owned(), calls)).collect()
}

/// Short names for runs of one benchmark: what tells them apart. That is the one part in which they differ; where they differ in
/// several, the one by which no two are alike, the player and then the settings in their order first; else each run's default
/// title. Runs of one spec are called alike.
pub fn names(benchmark: &dyn Benchmark, specs: &[&Spec]) -> Vec<String> {
    let differs = differs(benchmark, specs);
    let player = format!("seats.{}.player", Seat::PLAYER);
    let settings = benchmark.schema().settings;
    let order = |one: &Differs| match one.part.strip_prefix("settings.") {
        _ if one.part == player => 0,
        Some(name) => {
            1 + settings.iter().position(|one| one.name == name).unwrap_or(settings.len())
        }
        None => 2 + settings.len(),
    };
    // A hash says nothing to a reader.
    let mut told: Vec<&Differs> =
        differs.iter().filter(|one| !one.part.ends_with("digest")).collect();
    told.sort_by_key(|one| order(one));
    let tells_apart = |one: &&&Differs| {
        let values: BTreeSet<&Option<String>> = one.values.iter().collect();
        values.len() == specs.len()
    };
    let chosen = match told.as_slice() {
        [one] => Some(*one),
        several => several.iter().find(tells_apart).copied(),
    };
    let name = |(at, spec): (usize, &&Spec)| match chosen {
        Some(one) => one.called(benchmark, at),
        None if told.is_empty() => sitting(spec),
        None => default_title(benchmark, spec),
    };
    specs.iter().enumerate().map(name).collect()
}

impl Differs {
    /// What stands here in a run, as the name of that run.
    pub(super) fn called(&self, benchmark: &dyn Benchmark, at: usize) -> String {
        let setting = self.part.strip_prefix("settings.").and_then(|name| {
            let schema = benchmark.schema();
            schema.settings.iter().find(|one| one.name == name)
        });
        let is_player = self.part == format!("seats.{}.player", Seat::PLAYER);
        let name = setting.map_or_else(|| self.label.clone(), |one| one.name.replace('_', " "));
        match (&self.values[at], setting.map(|one| one.holds)) {
            (Some(value), _) if is_player => value.clone(),
            (Some(value), Some(Holds::Cards(_) | Holds::Choice(_))) => value.replace('_', " "),
            (Some(value), _) => format!("{name} {value}"),
            (None, _) => format!("no {name}"),
        }
    }
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
    shortened(&text, LONGEST)
}
