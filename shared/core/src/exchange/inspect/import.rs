//! Samples as transcripts of origin `imported`: what the log tells, and nothing more (ARCHITECTURE.md, rule 5).

mod notes;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub use self::notes::Doubts;
use self::notes::Notes;
use super::read::{Config, Header, Sample, Score};
use super::{NAME, NO_MODEL, Settings};
use crate::episode::Outcome;
use crate::exchange::OURS;
use crate::hash::Digest;
use crate::key::EpisodeKey;
use crate::lenient;
use crate::seat::{Player, Sampling, Seat, Sitting};
use crate::spec::{Named, Spec};
use crate::task::TaskId;
use crate::transcript::{Event, FORMAT, Header as Opened, Origin, Part, SaltKey, TaskRef, Writer};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Which episode it is here.
    pub key: EpisodeKey,
    /// Its lines, each without its line break.
    pub lines: Vec<String>,
    /// What could not be read of it.
    pub doubts: Doubts,
}

/// The longest value of a sample's metadata that becomes a label, in signs.
const LONGEST_LABEL: usize = 60;

/// The most labels of a task.
const MOST_LABELS: usize = 12;

/// The spec of an imported log: its model in the player's seat, other roles in seats of their names. Of a game only these.
pub fn spec(header: &Header) -> Spec {
    let eval = &header.eval;
    let settings = Settings {
        task: eval.task.clone(),
        status: header.status.clone(),
        created: eval.created.clone(),
        error: header.error.as_ref().map(|error| error.message.clone()),
        results: header
            .results
            .iter()
            .flat_map(|results| &results.scores)
            .map(|scored| {
                let metrics = scored.metrics.iter();
                let known =
                    metrics.filter_map(|(name, metric)| Some((name.clone(), metric.value?)));
                (scored.name.clone(), known.collect())
            })
            .collect(),
        scorer: eval
            .scorers
            .iter()
            .flatten()
            .next()
            .map(|scorer| scorer.name.clone())
            .or_else(|| Some(header.results.as_ref()?.scores.first()?.name.clone())),
        profile: eval.profile(),
    };
    let tasks = Named {
        name: eval.dataset.name.clone().unwrap_or_else(|| eval.task.clone()),
        digest: Digest::of_parts([eval.task.as_bytes(), eval.eval_id.as_bytes()]),
    };
    let settings = serde_json::to_value(settings).expect("texts and finite numbers are JSON");
    let mut spec = Spec::imported(NAME, settings, tasks, &eval.model);
    spec.profile = eval.profile().unwrap_or(spec.profile);
    spec.repeats = eval.config.epochs.unwrap_or(1).max(1);
    spec.seats = eval
        .model_roles
        .iter()
        .flatten()
        .filter_map(|(role, model)| {
            let model = model.as_array().and_then(|all| all.first()).unwrap_or(model);
            let config = serde_json::from_value(model["config"].clone()).unwrap_or_default();
            Some((Seat::new(role.as_str()), sitting(model["model"].as_str()?, config)))
        })
        .collect();
    if eval.model != NO_MODEL || spec.seats.is_empty() {
        let player = sitting(&eval.model, eval.model_generate_config.clone());
        spec.seats.insert(Seat::new(Seat::PLAYER), player);
    }
    spec
}

/// The player that a log names: a model, or the player in a seat of ours, as [`model_name`](crate::exchange::model_name)
/// writes it.
fn player(name: &str) -> Player {
    let (provider, model) = name.split_once('/').unwrap_or(("inspect", name));
    if provider == OURS
        && let Ok(player) = model.parse::<Player>()
    {
        return player;
    }
    let or = |text: &str, other: &str| match text {
        "" => other.to_owned(),
        text => text.to_owned(),
    };
    Player::Model { provider: or(provider, "inspect"), model: or(model, "unknown") }
}

fn sitting(model: &str, config: Config) -> Sitting {
    Sitting {
        player: player(model),
        sampling: Sampling {
            temperature: config.temperature,
            top_p: config.top_p,
            max_tokens: config.max_tokens,
            ..Sampling::default()
        },
    }
}

/// A sample's id as text.
pub fn id(value: &Value) -> String {
    lenient::id(value).unwrap_or_else(|| value.to_string())
}

/// The samples of a log that were imported, by episode.
#[derive(Debug, Default)]
pub struct Origins(BTreeMap<EpisodeKey, String>);

impl Origins {
    /// Takes in a sample.
    ///
    /// # Errors
    /// If an earlier sample has the same id and epoch: only one of them could be stored.
    pub fn add(
        &mut self,
        name: &str,
        sample: &Sample,
        imported: &Imported,
    ) -> Result<(), SameSample> {
        match self.0.insert(imported.key.clone(), name.to_owned()) {
            None => Ok(()),
            Some(other) => Err(SameSample {
                names: [other, name.to_owned()],
                id: id(&sample.id),
                epoch: sample.epoch,
            }),
        }
    }
}

/// Two samples of a log with the same id and epoch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} and {} have the same id and epoch ({id}, {epoch}), so one of them would be lost; nothing was written",
    names[0], names[1]
)]
pub struct SameSample {
    names: [String; 2],
    id: String,
    epoch: u32,
}

/// Makes the transcript of a sample.
pub fn transcript(spec: &Spec, sample: &Sample) -> Imported {
    let id = TaskId(id(&sample.id));
    let opened = Opened {
        format: FORMAT,
        spec: spec.clone(),
        task: TaskRef {
            digest: Digest::of_value(&json!([id, sample.input, sample.target])),
            labels: labels(&sample.metadata),
            id,
        },
        repeat: sample.epoch.max(1),
        part: Part::Play,
        origin: Origin::Imported,
        branch: None,
    };
    let key = EpisodeKey::play(&opened.task.id, opened.repeat);
    let mut writer = Writer::new(SaltKey::open(&opened));
    let mut lines = vec![writer.line(&Event::Opened(Box::new(opened)))];
    let (events, doubts) = Notes::of(spec, sample);
    lines.extend(events.iter().map(|event| writer.line(event)));
    lines.push(writer.line(&Event::Closed(outcome(sample))));
    Imported { key, lines, doubts }
}

/// Short single values of the metadata.
fn labels(metadata: &Map<String, Value>) -> BTreeMap<String, String> {
    metadata
        .iter()
        .filter_map(|(name, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => return None,
            };
            let is_short = !text.is_empty() && text.chars().count() <= LONGEST_LABEL;
            is_short.then(|| (name.clone(), text))
        })
        .take(MOST_LABELS)
        .collect()
}

fn outcome(sample: &Sample) -> Outcome {
    let ending = match (&sample.error, &sample.limit) {
        (Some(_), _) => Outcome::INCOMPLETE.to_owned(),
        (None, Some(limit)) if !limit.kind.is_empty() => format!("{}_limit", limit.kind),
        (None, _) => "completed".to_owned(),
    };
    let old = sample.score.iter().map(|score| ("score", score));
    let scores: Map<String, Value> = sample
        .scores
        .iter()
        .flatten()
        .map(|(name, score)| (name.as_str(), score))
        .chain(old)
        .map(|(name, score)| (name.to_owned(), told(score)))
        .collect();
    let mut result = json!({ "scores": scores });
    if let Some(error) = &sample.error {
        result["error"] = json!(error.message);
    }
    Outcome { ending, result }
}

fn told(score: &Score) -> Value {
    let mut told = json!({ "value": score.value });
    for (name, text) in [("answer", &score.answer), ("explanation", &score.explanation)] {
        if let Some(text) = text {
            told[name] = json!(text);
        }
    }
    told
}
