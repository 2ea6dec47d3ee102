//! Several raters of the same calls: how they agree with each other and with people, and where they differ.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use turnwise_core::benchmark::tool::{Done, Given};
use turnwise_core::kit::judge::majority;
use turnwise_core::metrics::number::shown;
use turnwise_core::prelude::*;

use crate::metrics::{Call, agreement, alphas, calls};
use crate::take::{RUNS, part};
use crate::{JUDGE, NAME, tasks};

/// What is called the rater that the recorded verdicts are of.
const RECORD: &str = "the record";

/// Raters of the same calls, by call.
pub struct Raters {
    /// By their place in verdicts; the record is the first.
    names: Vec<String>,
    /// Which of them are people.
    people: Vec<usize>,
    units: BTreeMap<TaskId, Judged>,
}

/// A call with the verdict of each rater.
#[derive(Default)]
struct Judged {
    task: String,
    verdicts: Vec<Option<String>>,
}

impl Raters {
    /// Of the runs of an audit, one a rater; of several repeats the verdict of most counts.
    pub fn of(runs: &[(&Spec, Vec<&Summary>)]) -> Self {
        let mut raters =
            Raters { names: vec![RECORD.to_owned()], people: Vec::new(), units: BTreeMap::new() };
        for (at, (spec, episodes)) in (1..).zip(runs) {
            let player = spec.seats.get(&Seat::new(JUDGE)).map(|sitting| &sitting.player);
            let name = player.map_or_else(String::new, Player::to_string);
            let is_known = raters.names.contains(&name);
            raters.names.push(if is_known { format!("{name} ({at})") } else { name });
            if player == Some(&Player::Person) {
                raters.people.push(at);
            }
            for (id, call) in calls(episodes.iter().copied()) {
                let unit = raters.units.entry(id).or_default();
                unit.verdicts.resize(runs.len() + 1, None);
                unit.verdicts[at] = call.decided().map(str::to_owned);
                let Call { task, recorded, .. } = call;
                unit.task = task;
                unit.verdicts[0] = recorded.or(unit.verdicts[0].take());
            }
        }
        raters
    }

    /// The verdicts of two raters, where both have one.
    fn pairs(&self, one: usize, other: usize) -> Vec<(&str, (&str, &str))> {
        let units = self.units.values();
        units
            .filter_map(|unit| {
                let said = |at: usize| unit.verdicts[at].as_deref();
                Some((unit.task.as_str(), (said(one)?, said(other)?)))
            })
            .collect()
    }

    /// The calls on which those that have a verdict differ, the record left aside.
    fn differ(&self) -> BTreeSet<&TaskId> {
        let differs = |unit: &Judged| {
            let said: BTreeSet<&String> = unit.verdicts[1..].iter().flatten().collect();
            said.len() > 1
        };
        self.units.iter().filter(|(_, unit)| differs(unit)).map(|(id, _)| id).collect()
    }

    /// how often a rater agrees with most people.
    fn accuracy(&self, rater: usize) -> Share {
        Share::of(self.units.values().filter_map(|unit| {
            let said = self.people.iter().map(|at| unit.verdicts[*at].as_deref());
            let people: Vec<&str> = said.flatten().collect();
            let right = majority(people.iter().copied(), people.len())?;
            Some((&unit.task, unit.verdicts[rater].as_deref()? == right))
        }))
    }
}

pub fn report(raters: &Raters) -> Report {
    let Raters { names, people, units } = raters;
    let all: Vec<_> = units
        .values()
        .map(|unit| {
            let said = unit.verdicts[1..].iter().flatten();
            (unit.task.as_str(), said.map(String::as_str).collect())
        })
        .collect();
    let mut pairs = Vec::new();
    for (one, name) in names.iter().enumerate() {
        for (other, second) in names.iter().enumerate().skip(one + 1) {
            let mut found = agreement(&raters.pairs(one, other));
            found["raters"] = json!([name, second]);
            pairs.push((format!("{name} and {second}"), found));
        }
    }
    let judged = (0..names.len()).filter(|at| !people.is_empty() && !people.contains(at));
    let accuracies: Vec<_> = judged.map(|at| (&names[at], raters.accuracy(at))).collect();
    let alphas = alphas(&all);
    let mut verdicts: Vec<String> =
        pairs.iter().map(|(name, found)| sentence(name, found)).collect();
    verdicts.extend(accuracies.iter().map(|(name, share)| {
        let agrees = text(share.value, share.interval, Unit::Fraction);
        format!("{name} agrees with most people on {agrees} of {} calls.", share.n)
    }));
    for (name, key) in [("nominal", "nominal_alpha"), ("interval", "interval_alpha")] {
        if let Some(value) = alphas[key].as_f64() {
            let interval = pair(&alphas[format!("{key}_interval")]);
            let value = text(Some(value), interval, Unit::Number);
            verdicts.push(format!("Krippendorff's alpha of all raters, {name}: {value}."));
        }
    }
    let accuracy: BTreeMap<&String, Share> = accuracies.iter().copied().collect();
    let pairs: Vec<Value> = pairs.into_iter().map(|(_, found)| found).collect();
    Report {
        verdicts,
        record: json!({
            "raters": { "pairs": pairs, "alphas": alphas, "accuracy_against_people": accuracy,
                "disagreements": raters.differ() },
        }),
        ..Report::default()
    }
}

fn pair(value: &Value) -> Option<(f64, f64)> {
    value[0].as_f64().zip(value[1].as_f64())
}

/// A number with its interval.
fn text(value: Option<f64>, interval: Option<(f64, f64)>, unit: Unit) -> String {
    let shown = shown(value, interval, unit);
    let range = shown.range.map_or_else(String::new, |range| format!(" ({range})"));
    format!("{}{}{range}", shown.value, shown.unit)
}

fn sentence(name: &str, found: &Value) -> String {
    let number =
        |key: &str, unit| text(found[key].as_f64(), pair(&found[format!("{key}_interval")]), unit);
    let percent = number("percent", Unit::Fraction);
    let kappa = number("kappa", Unit::Number);
    format!("{name} agree in {percent} of {} calls; Cohen's kappa {kappa}.", found["n"])
}

/// Prints how runs agree, and writes the tasks on which they differ.
///
/// # Errors
/// If they are not runs of audits with calls in common.
pub fn disagreements(given: &Given<'_>) -> Result<Done, String> {
    let runs = given.runs(RUNS);
    let [first, others @ ..] = runs else { return Err("no run was named".to_owned()) };
    if others.is_empty() {
        return Err("expected the runs of at least two raters".to_owned());
    }
    for run in runs {
        if run.given.benchmark.name() != NAME {
            let name = run.given.benchmark.name();
            return Err(format!("{}: it is a run of {name}, not of {NAME}", run.path));
        }
    }
    let set =
        first.given.tasks.ok_or_else(|| format!("{}: its tasks are not at hand", first.path))?;
    let summaries: Vec<_> = runs
        .iter()
        .map(|run| (run.given.spec, run.episodes.iter().map(|episode| episode.summary).collect()))
        .collect();
    let raters = Raters::of(&summaries);
    if raters.units.values().all(|unit| unit.verdicts[1..].iter().flatten().count() < 2) {
        return Err("there is no call on which two of the runs have a verdict".to_owned());
    }
    let differ = raters.differ();
    let mut said = report(&raters).verdicts;
    said.push(match differ.len() {
        0 => "They differ nowhere; nothing is written.".to_owned(),
        count => {
            format!("They differ in {count} of {} calls, which are written.", raters.units.len())
        }
    });
    let written = (!differ.is_empty()).then(|| tasks::write(&part(set, |id| differ.contains(id))));
    Ok(Done { files: written.transpose()?.into_iter().collect(), ..Done::text(said.join("\n")) })
}
