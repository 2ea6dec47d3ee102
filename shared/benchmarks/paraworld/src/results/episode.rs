//! What a judged line says, in the types of metrics.

use std::collections::BTreeMap;

use super::{Beside, Judged, Problem, Row, Setting};
use crate::metrics::errors::analyse;
use crate::metrics::{Call, Episode, Key, Log, Status};
use crate::reading::engine::folded;
use crate::reading::judge::{JudgeStatus, Verdict};
use turnwise_core::json::{self, Dialect, Json, Object};
use turnwise_core::lenient;
use turnwise_core::python::{Layout, dumps, strip, truthy};

/// The value at the end of some keys.
fn at<'a>(object: &'a Object, path: &[&str]) -> Option<&'a Json> {
    let (first, rest) = path.split_first()?;
    let value = object.get(first)?;
    if rest.is_empty() {
        return Some(value);
    }
    at(value.as_object()?, rest)
}

/// A whole number that is not negative, or nothing; in quotes or with a point as well.
fn count(object: &Object, path: &[&str], field: &'static str) -> Result<Option<u32>, Problem> {
    match at(object, path) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Text(text)) if lenient::is_nothing(text) => Ok(None),
        Some(value) => lenient::whole_json(value)
            .and_then(|count| u32::try_from(count).ok())
            .ok_or(Problem::Field { field })
            .map(Some),
    }
}

/// The number of a world, which may be missing.
fn index(object: &Object) -> Result<Option<i64>, Problem> {
    match object.get("index") {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Int(number)) => Ok(number.as_i64()),
        Some(value) => lenient::whole_json(value)
            .and_then(|index| i64::try_from(index).ok())
            .ok_or(Problem::Field { field: "index" })
            .map(Some),
    }
}

/// A word of a closed list.
fn word<'a>(object: &'a Object, path: &[&str]) -> Option<&'a str> {
    Some(lenient::word(at(object, path)?.as_text()?))
}

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

/// The items of a list; nothing where the field is absent.
fn list<'a>(value: Option<&'a Json>, field: &'static str) -> Result<&'a [Json], Problem> {
    match value {
        None | Some(Json::Null) => Ok(&[]),
        Some(Json::List(items)) => Ok(items),
        Some(_) => Err(Problem::Field { field }),
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

impl Row {
    pub(super) fn of(number: u32, object: Object) -> Result<Row, Problem> {
        let status = word(&object, &["status"]).and_then(Status::named).ok_or(Problem::NoStatus)?;
        let setting = if object.get("trajectory_log").is_none()
            && at(&object, &["metrics", "total_facts"]).is_some()
        {
            Setting::Oracle
        } else {
            Setting::Search
        };
        let verdict = verdict(&object)?;
        let category = object.get("category").and_then(Json::as_text);
        let category = category.map(str::trim).filter(|name| !name.is_empty());
        Ok(Row {
            number,
            index: index(&object)?,
            category: category.unwrap_or("unknown").to_owned(),
            setting,
            verdict,
            judge_status: judge_status(&object)?,
            episode: episode(&object, status, setting, verdict)?,
            beside: Beside::of(&object),
            object,
        })
    }
}

/// The first place that says something.
fn verdict(object: &Object) -> Result<Judged, Problem> {
    let places: [(&[&str], &str); 4] = [
        (&["answer"], "answer"),
        (&["evaluation", "judgment"], "evaluation.judgment"),
        (&["judge_judgment"], "judge_judgment"),
        (&["verdict"], "verdict"),
    ];
    for (place, field) in places {
        match at(object, place) {
            None | Some(Json::Null) => {}
            Some(Json::Text(text)) => {
                let said = lenient::word(text);
                return Ok(if said.eq_ignore_ascii_case("correct") {
                    Judged::Verdict(Verdict::Correct)
                } else if said.eq_ignore_ascii_case("incorrect") {
                    Judged::Verdict(Verdict::Incorrect)
                } else {
                    Judged::Other
                });
            }
            Some(_) => return Err(Problem::Field { field }),
        }
    }
    Ok(Judged::Missing)
}

fn judge_status(object: &Object) -> Result<Option<JudgeStatus>, Problem> {
    let field = "judge_status";
    match object.get(field) {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::Text(_)) => {}
        Some(_) => return Err(Problem::Field { field }),
    }
    Ok(match word(object, &[field]) {
        Some("success") => Some(JudgeStatus::Success),
        Some("skipped") => Some(JudgeStatus::Skipped),
        Some("error") => Some(JudgeStatus::Error),
        // Ours, in lines that we wrote.
        Some("unparsed") => Some(JudgeStatus::Unparsed),
        _ => None,
    })
}

/// Keys of facts, from the first place that has some; an object stored as a text is decoded.
fn facts(object: &Object) -> Vec<String> {
    let places: [&[&str]; 3] = [
        &["trajectory_log", "world_truth_info", "atomic_facts"],
        &["data", "extra_info", "world_truth_info", "atomic_facts"],
        &["data", "world_truth_info", "atomic_facts"],
    ];
    let keys = |value: &Json| match value {
        Json::Object(facts) => facts.keys().map(str::to_owned).collect(),
        Json::List(facts) => facts.iter().map(|fact| dumps(fact, Layout::Line)).collect(),
        _ => Vec::new(),
    };
    let found = places.iter().find_map(|place| at(object, place));
    match found {
        Some(Json::Text(text)) => {
            json::parse(text, Dialect::Python).map_or_else(|_| Vec::new(), |value| keys(&value))
        }
        Some(value) => keys(value),
        None => Vec::new(),
    }
}

fn episode(
    object: &Object,
    status: Status,
    setting: Setting,
    verdict: Judged,
) -> Result<Episode, Problem> {
    let facts = facts(object);
    let total = count(object, &["metrics", "total_facts"], "metrics.total_facts")?;
    let trajectory = object.get("trajectory_log").and_then(Json::as_object);
    let part = |name: &str| trajectory.and_then(|trajectory| trajectory.get(name));
    let calls = list(part("tool_calls"), "trajectory_log.tool_calls")?;
    let raw_logs = list(part("hit_logs"), "trajectory_log.hit_logs")?;
    let mut spellings = Spellings::new(&facts);
    let logs: Vec<Log> = raw_logs.iter().map(|log| spellings.log(log)).collect::<Result<_, _>>()?;
    let prediction = object.get("prediction").and_then(Json::as_text);
    let errors = analyse(messages(object));
    let turns = match count(object, &["actual_turns"], "actual_turns")? {
        Some(turns) => Some(turns),
        None => count(object, &["metrics", "actual_turns"], "metrics.actual_turns")?,
    };
    let calls = paired(calls, raw_logs)?;
    Ok(Episode {
        facts: if facts.is_empty() { total.unwrap_or(0) } else { facts.len() as u32 },
        rules: std::collections::BTreeSet::new(),
        format_errors: errors.format_errors,
        calls,
        logs,
        calling_messages: errors.tool_calls,
        turns: turns.unwrap_or(0),
        max_turns: match setting {
            // Setting A has one turn, and its lines do not say so.
            Setting::Oracle => 1,
            Setting::Search => count(object, &["max_turns"], "max_turns")?.unwrap_or(0),
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
fn paired(calls: &[Json], logs: &[Json]) -> Result<Vec<Call>, Problem> {
    let field = "trajectory_log.tool_calls";
    let query = |record: &Json| record.as_object().and_then(|one| one.get("query")).cloned();
    let spare = calls.len().saturating_sub(logs.len());
    let (mut next, mut passed) = (0, 0);
    calls
        .iter()
        .map(|call| {
            let record = call.as_object().ok_or(Problem::Field { field })?;
            let waiting = logs.get(next);
            let hit = |record: &Json| above_zero(record.as_object().and_then(|one| one.get("hit")));
            // Of equal queries, one that was refused has no log, and the log of the other says what that one hit.
            let is_others = |log: &Json| passed < spare && hit(log) != hit(call);
            let same = waiting.is_some_and(|log| query(log) == query(call) && !is_others(log));
            // Where a query was changed on its way, the numbers still tell how many calls may be without a log.
            let log = if waiting.is_some() && (same || passed == spare) {
                next += 1;
                Some(next as u32 - 1)
            } else {
                passed += 1;
                None
            };
            Ok(Call { hit: above_zero(record.get("hit")), log })
        })
        .collect()
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

    fn log(&mut self, log: &Json) -> Result<Log, Problem> {
        let field = "trajectory_log.hit_logs";
        let record = log.as_object().ok_or(Problem::Field { field })?;
        let keys = match record.get("matched_fact_keys") {
            Some(Json::List(keys)) => keys.iter().map(|key| self.key(key)).collect(),
            None | Some(Json::Null) => Vec::new(),
            Some(single) => vec![self.key(single)],
        };
        let hit = above_zero(record.get("hit"));
        let compound = record.get("is_compound_query").is_some_and(truthy);
        // The authors' program charges its engine's failures to the player and tells them in the reason.
        let reason = record.get("reason").and_then(Json::as_text);
        let tells_of_one = reason.is_some_and(|reason| {
            let begins = |beginning: &&str| reason.starts_with(*beginning);
            ENGINE_FAILURES.iter().any(begins)
        });
        Ok(Log {
            engine_fault: tells_of_one && compound && !hit && keys.is_empty(),
            hit,
            compound,
            keys,
        })
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
