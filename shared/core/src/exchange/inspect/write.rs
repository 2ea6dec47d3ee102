//! Writing a log, sample by sample, so that no more than one is held.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::archive::Packer;
use super::sample::{Tokens, sample};
use super::{
    HEADER, JOURNAL, NAME, OURS, REDUCTIONS, SAMPLES, START, SUMMARIES, Settings, VERSION, config,
    known_profile, model, short_id,
};
use crate::benchmark::given::{Episode, Given};
use crate::exchange::time::iso;
use crate::exchange::{evaluated, model_name};
use crate::spec::Profile;

/// A log that is being written.
pub struct LogWriter<'a, W: Write> {
    given: Given<'a>,
    zip: Packer<W>,
    summaries: Vec<Value>,
    /// Scores by sample id, one an epoch.
    scores: BTreeMap<String, Vec<f64>>,
    is_binary: bool,
    unscored: u64,
    completed: u64,
    unfinished: u64,
    models: Tokens,
    roles: Tokens,
    last: u64,
}

impl<'a, W: Write> LogWriter<'a, W> {
    /// A log of a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(given: Given<'a>, out: W) -> io::Result<Self> {
        let mut zip = Packer::new(out);
        let start = json!({ "version": VERSION, "eval": eval(&given), "plan": plan(&given) });
        zip.add(START, &bytes(&start))?;
        Ok(LogWriter {
            given,
            zip,
            summaries: Vec::new(),
            scores: BTreeMap::new(),
            is_binary: true,
            unscored: 0,
            completed: 0,
            unfinished: 0,
            models: Tokens::default(),
            roles: Tokens::default(),
            last: given.opened.unwrap_or(0),
        })
    }

    /// Adds an episode.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, episode: &Episode<'_>) -> io::Result<()> {
        let made = sample(&self.given, episode);
        let name = format!("{SAMPLES}{}_epoch_{}.json", made.id, made.epoch);
        self.zip.add(&name, &bytes(&made.whole))?;
        self.models.add_all(&made.models);
        self.roles.add_all(&made.roles);
        self.last = self.last.max(made.ended);
        self.summaries.push(made.summary);
        self.completed += u64::from(episode.summary.complete);
        self.unfinished += u64::from(episode.summary.ending.is_none());
        match episode.summary.score {
            Some(score) => {
                self.is_binary &= score == 0.0 || score == 1.0;
                self.scores.entry(made.id).or_default().push(score);
            }
            None => self.unscored += 1,
        }
        Ok(())
    }

    /// Writes summaries, numbers and header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let summaries = bytes(&Value::Array(std::mem::take(&mut self.summaries)));
        self.zip.add(&format!("{JOURNAL}1.json"), &summaries)?;
        self.zip.add(SUMMARIES, &summaries)?;
        let reduced: Vec<(&String, f64)> =
            self.scores.iter().map(|(id, scores)| (id, mean(scores.iter().copied()))).collect();
        let scorer = &self.given.spec.benchmark;
        let samples: Vec<Value> =
            reduced.iter().map(|(id, value)| json!({ "value": value, "sample_id": id })).collect();
        let reductions = json!([{ "scorer": scorer, "reducer": "mean", "samples": samples }]);
        if !reduced.is_empty() {
            self.zip.add(REDUCTIONS, &bytes(&reductions))?;
        }
        let values: Vec<f64> = reduced.iter().map(|(_, value)| *value).collect();
        let header = self.header(&values);
        self.zip.add(HEADER, &bytes(&header))?;
        self.zip.finish()
    }

    fn header(&self, values: &[f64]) -> Value {
        let given = &self.given;
        let total: u64 =
            self.unscored + self.scores.values().map(|one| one.len() as u64).sum::<u64>();
        json!({
            "version": VERSION,
            "status": if self.unfinished == 0 { "success" } else { "cancelled" },
            "eval": eval(given),
            "plan": plan(given),
            "results": {
                "total_samples": total,
                "completed_samples": self.completed,
                "scores": self.results(values),
                "metadata": { "remarks": given.report.remarks },
            },
            "stats": {
                "started_at": iso(given.opened.unwrap_or(0)),
                "completed_at": iso(self.last),
                "model_usage": self.models.to_value(),
                "role_usage": self.roles.to_value(),
            },
            "invalidated": false,
        })
    }

    /// The score of the episodes, as Inspect itself would take it; and the numbers that a reader of the run sees first.
    fn results(&self, values: &[f64]) -> Vec<Value> {
        let scorer = &self.given.spec.benchmark;
        let mut results = Vec::new();
        if !values.is_empty() {
            let name = if self.is_binary { "accuracy" } else { "mean" };
            let mut metrics = Map::new();
            metrics.insert(name.to_owned(), metric(name, mean(values.iter().copied())));
            if let Some(error) = standard_error(values) {
                metrics.insert("stderr".to_owned(), metric("stderr", error));
            }
            results.push(json!({
                "name": scorer,
                "scorer": scorer,
                "reducer": "mean",
                "scored_samples": values.len(),
                "unscored_samples": self.unscored,
                "params": {},
                "metrics": metrics,
            }));
        }
        let figures: Map<String, Value> = self
            .given
            .report
            .headline
            .iter()
            .filter_map(|figure| {
                let value = figure.value.filter(|value| value.is_finite())?;
                Some((figure.label.clone(), metric(&figure.label, value)))
            })
            .collect();
        if !figures.is_empty() {
            results.push(json!({
                "name": "report",
                "scorer": "turnwise/report",
                "params": {},
                "metrics": figures,
            }));
        }
        results
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn metric(name: &str, value: f64) -> Value {
    json!({ "name": name, "value": value, "params": {} })
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

/// The sample deviation by the root of the count, as Inspect's `stderr` is; `None` for fewer than two values.
fn standard_error(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let (count, middle) = (values.len() as f64, mean(values.iter().copied()));
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    Some((squares / (count - 1.0)).sqrt() / count.sqrt())
}

/// What was played; of an imported log the task that it was made with.
fn task_name(given: &Given<'_>) -> String {
    match Settings::of(given.spec).task {
        task if given.spec.benchmark == NAME && !task.is_empty() => task,
        _ => given.spec.benchmark.clone(),
    }
}

fn eval(given: &Given<'_>) -> Value {
    let spec = given.spec;
    let under_evaluation = evaluated(spec);
    let roles: Map<String, Value> = spec
        .seats
        .iter()
        .filter(|(seat, _)| Some(*seat) != under_evaluation)
        .map(|(seat, sitting)| {
            let role = json!({
                "model": model_name(&sitting.player),
                "config": config(&sitting.sampling),
                "args": {},
            });
            (seat.to_string(), role)
        })
        .collect();
    let main = under_evaluation.and_then(|seat| spec.seats.get(seat));
    let ids: Vec<&str> = given
        .tasks
        .map(|set| set.tasks.iter().map(|task| task.id.0.as_str()).collect())
        .unwrap_or_default();
    let profile = known_profile(spec).map(Profile::name);
    let tags: Vec<&str> = std::iter::once("turnwise").chain(profile).collect();
    let mut eval = json!({
        "eval_id": short_id(&["eval", given.id]),
        "run_id": short_id(&["run", given.id]),
        "created": iso(given.opened.unwrap_or(0)),
        "task": task_name(given),
        "task_id": short_id(&["task", &spec.digest().to_string()]),
        "task_version": spec.protocol,
        "task_display_name": given.benchmark.title(),
        "task_attribs": {},
        "task_args": spec.settings,
        "task_args_passed": spec.settings,
        "tags": tags,
        "dataset": { "name": spec.tasks.name, "shuffled": false },
        "model": model(given),
        "model_generate_config": main.map_or_else(|| json!({}), |main| config(&main.sampling)),
        "model_args": {},
        "model_roles": roles,
        "config": {
            "epochs": spec.repeats,
            "epochs_reducer": ["mean"],
            "fail_on_error": false,
            "log_samples": true,
        },
        "packages": { "turnwise": given.program },
        "metadata": {
            OURS: { "run": given.id, "title": given.title, "tags": given.tags, "spec": spec, "canary": given.canary() },
        },
        "scorers": [{
            "name": spec.benchmark,
            "options": {},
            "metrics": [{ "name": "mean", "options": {} }, { "name": "stderr", "options": {} }],
            "metadata": {},
        }],
    });
    if !spec.settings.is_object() {
        eval["task_args"] = json!({ "settings": spec.settings });
        eval["task_args_passed"] = eval["task_args"].clone();
    }
    if !ids.is_empty() {
        eval["dataset"]["samples"] = json!(ids.len());
    }
    eval
}

fn plan(given: &Given<'_>) -> Value {
    let params = match known_profile(given.spec) {
        Some(profile) => json!({ "profile": profile.name() }),
        None => json!({}),
    };
    json!({
        "name": "plan",
        "steps": [{
            "solver": format!("turnwise/{}", given.spec.benchmark),
            "params": params,
            "params_passed": params,
        }],
        "config": {},
    })
}
