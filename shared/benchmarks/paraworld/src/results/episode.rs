//! What a judged line says, in the types of metrics.

use std::collections::BTreeMap;

use super::{Beside, Judged, ResultLine, Setting};
use crate::metrics::errors::analyse;
use crate::metrics::{Call, Episode, Key, Log, Status};
use crate::reading::engine::folded;
use crate::reading::judge::{JudgeStatus, Verdict};
use turnwise_core::json;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps, strip, truthy};

/// Whether a number is above 0; truth values and numbers in quotes, which crash the authors' tool, are normalised.
pub(in super::super) fn above_zero(value: Option<&Json>) -> bool {
    match value {
        Some(Json::Bool(value)) => *value,
        Some(Json::Int(number)) => !number.is_zero() && !number.digits().starts_with('-'),
        Some(Json::Float(number)) => *number > 0.0,
        Some(Json::Text(text)) => text.trim().parse::<f64>().is_ok_and(|number| number > 0.0),
        _ => false,
    }
}

pub(super) fn question(object: &Object) -> Option<&str> {
    if let Some(question) = object.get("question").and_then(Json::as_text) {
        return Some(question);
    }
    let Json::List(messages) = object.get("messages")? else {
        return None;
    };
    let user = messages
        .iter()
        .filter_map(Json::as_object)
        .find(|message| message.get("role").and_then(Json::as_text) == Some("user"))?;
    match user.get("content")? {
        Json::Text(text) => Some(text),
        Json::List(parts) => {
            parts.iter().filter_map(Json::as_object).find_map(|part| part.get("text")?.as_text())
        }
        _ => None,
    }
}

impl ResultLine {
    pub(super) fn of(number: usize, object: Object) -> Result<ResultLine, BadRow> {
        let line = Fields::new(number, &object);
        let status = line.word("status")?.and_then(Status::named).ok_or_else(|| {
            let problem = "missing or unknown; this is not a line of the authors' engines";
            line.bad("status", problem)
        })?;
        let is_oracle =
            line.value("trajectory_log").is_none() && line.value("metrics.total_facts").is_some();
        let setting = if is_oracle { Setting::Oracle } else { Setting::Search };
        let verdict = verdict(&line)?;
        let category = line.value("category").and_then(Json::as_text);
        let category = category.map(str::trim).filter(|name| !name.is_empty());
        Ok(ResultLine {
            number,
            index: line.maybe("index")?,
            category: category.unwrap_or("unknown").to_owned(),
            setting,
            verdict,
            judge_status: line.word("judge_status")?.and_then(JudgeStatus::named),
            episode: episode(&line, status, setting, verdict)?,
            beside: Beside::of(&object),
            object,
        })
    }
}

/// The first place that says something.
fn verdict(line: &Fields<'_>) -> Result<Judged, BadRow> {
    for place in ["answer", "evaluation.judgment", "judge_judgment", "verdict"] {
        if let Some(said) = line.word(place)? {
            return Ok(match said.to_lowercase().as_str() {
                "correct" => Judged::Verdict(Verdict::Correct),
                "incorrect" => Judged::Verdict(Verdict::Incorrect),
                _ => Judged::Other,
            });
        }
    }
    Ok(Judged::Missing)
}

/// Keys of facts, from the first place that has some; an object stored as a text is decoded.
fn facts(line: &Fields<'_>) -> Vec<String> {
    let places = [
        "trajectory_log.world_truth_info.atomic_facts",
        "data.extra_info.world_truth_info.atomic_facts",
        "data.world_truth_info.atomic_facts",
    ];
    let keys = |value: &Json| match value {
        Json::Object(facts) => facts.keys().map(str::to_owned).collect(),
        Json::List(facts) => facts.iter().map(|fact| dumps(fact, Layout::Line)).collect(),
        _ => Vec::new(),
    };
    match places.iter().find_map(|place| line.value(place)) {
        Some(Json::Text(text)) => {
            json::parse(text, Dialect::Python).map_or_else(|_| Vec::new(), |value| keys(&value))
        }
        Some(value) => keys(value),
        None => Vec::new(),
    }
}

fn episode(
    line: &Fields<'_>,
    status: Status,
    setting: Setting,
    verdict: Judged,
) -> Result<Episode, BadRow> {
    let facts = facts(line);
    let total: Option<u32> = line.maybe("metrics.total_facts")?;
    let calls = line.objects("trajectory_log.tool_calls")?;
    let raw_logs = line.objects("trajectory_log.hit_logs")?;
    let mut spellings = Spellings::new(&facts);
    let prediction = line.value("prediction").and_then(Json::as_text);
    let errors = analyse(messages(line.object()));
    let turns = match line.maybe("actual_turns")? {
        Some(turns) => Some(turns),
        None => line.maybe("metrics.actual_turns")?,
    };
    Ok(Episode {
        facts: if facts.is_empty() { total.unwrap_or(0) } else { facts.len() as u32 },
        rules: std::collections::BTreeSet::new(),
        format_errors: errors.format_errors,
        calls: paired(&calls, &raw_logs),
        logs: raw_logs.iter().map(|log| spellings.log(log)).collect(),
        calling_messages: errors.tool_calls,
        turns: turns.unwrap_or(0),
        max_turns: match setting {
            // Setting A has one turn, and its lines do not say so.
            Setting::Oracle => 1,
            Setting::Search => line.maybe("max_turns")?.unwrap_or(0),
        },
        status,
        answered: prediction.is_some_and(|prediction| !strip(prediction).is_empty()),
        verdict: match verdict {
            Judged::Verdict(verdict) => Some(verdict),
            Judged::Other => Some(Verdict::Incorrect),
            Judged::Missing => None,
        },
    })
}

/// Roles and texts of the messages whose content is a text.
pub(super) fn messages(object: &Object) -> impl Iterator<Item = (&str, &str)> {
    let items = match object.get("messages") {
        Some(Json::List(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().filter_map(|item| {
        let message = item.as_object()?;
        let role = message.get("role")?.as_text()?;
        Some((role, message.get("content")?.as_text()?))
    })
}

/// How the reason of a hit log begins where the engine failed.
const ENGINE_FAILURES: [&str; 3] = ["API Error: ", "JSON parse error", "Internal Error: "];

/// The calls, each with its log: calls without one (wrong format) stand between those that have one, so logs are given out
/// in order to calls with the same query.
fn paired(calls: &[Fields<'_>], logs: &[Fields<'_>]) -> Vec<Call> {
    let spare = calls.len().saturating_sub(logs.len());
    let (mut next, mut passed) = (0, 0);
    let pair = |call: &Fields<'_>| {
        let waiting = logs.get(next);
        let hit = |record: &Fields<'_>| above_zero(record.value("hit"));
        // Of equal queries, one that was refused has no log, and the log of the other says what that one hit.
        let is_others = |log: &Fields<'_>| passed < spare && hit(log) != hit(call);
        let same =
            waiting.is_some_and(|log| log.value("query") == call.value("query") && !is_others(log));
        // Where a query was changed on its way, the numbers still tell how many calls may be without a log.
        let log = if waiting.is_some() && (same || passed == spare) {
            next += 1;
            Some(next as u32 - 1)
        } else {
            passed += 1;
            None
        };
        Call { hit: hit(call), log }
    };
    calls.iter().map(pair).collect()
}

/// Numbers for the different spellings of keys in an episode.
pub(in super::super) struct Spellings {
    exact: BTreeMap<String, u32>,
    folded: BTreeMap<String, u32>,
    numbers: BTreeMap<String, u32>,
}

impl Spellings {
    /// Nothing was spelled yet; `facts` are the keys in order.
    pub(in super::super) fn new(facts: &[String]) -> Self {
        let numbered = || (0_u32..).zip(facts);
        Spellings {
            exact: numbered().map(|(at, key)| (key.clone(), at)).collect(),
            folded: numbered().map(|(at, key)| (folded(key), at)).collect(),
            numbers: BTreeMap::new(),
        }
    }

    fn log(&mut self, log: &Fields<'_>) -> Log {
        let keys = match log.value("matched_fact_keys") {
            Some(Json::List(keys)) => keys.iter().map(|key| self.key(key)).collect(),
            None => Vec::new(),
            Some(single) => vec![self.key(single)],
        };
        let hit = above_zero(log.value("hit"));
        let compound = log.value("is_compound_query").is_some_and(truthy);
        // The authors' program charges its engine's failures to the player and tells them in the reason.
        let reason = log.value("reason").and_then(Json::as_text).unwrap_or_default();
        let tells_of_one = ENGINE_FAILURES.iter().any(|beginning| reason.starts_with(beginning));
        Log {
            engine_fault: tells_of_one && compound && !hit && keys.is_empty(),
            hit,
            compound,
            keys,
        }
    }

    /// A key that is no text, which crashes the authors' tool, is taken as its JSON.
    pub(in super::super) fn key(&mut self, key: &Json) -> Key {
        let text = match key {
            Json::Text(text) => text.clone(),
            other => dumps(other, Layout::Line),
        };
        let fact = self.exact.get(&text).or_else(|| self.folded.get(&folded(&text)));
        let fact = fact.copied();
        let fresh = self.numbers.len() as u32;
        Key { spelling: *self.numbers.entry(text).or_insert(fresh), fact }
    }
}
