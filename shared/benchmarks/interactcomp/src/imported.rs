//! Results of the reference code as transcripts of origin `imported`: what the file tells, and nothing more
//! (specification 9; ARCHITECTURE.md, rule 5).
//!
//! Such a transcript has no calls, because the file keeps none. It can be read and measured, and never replayed.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::json;

use super::dataset::{Dataset, Language};
use super::grading::GRADED;
use super::mode::Mode;
use super::protocol::ending;
use super::reading::ActionName;
use super::responder::UserReply;
use super::results_csv::{ResultRow, Results, Round};
use super::search::Shown;
use super::verdict::{NO, YES};
use turnwise_core::formats::ImportedEpisode;
use turnwise_core::kit::records::{Notes, closed};
use turnwise_core::prelude::*;
use turnwise_core::spec::Named;
use turnwise_core::task::{question_id, texts};

/// Where the outcome of an imported episode has the cost of its run until then, in dollars.
pub(super) const COST_SO_FAR: &str = "run_cost_usd_so_far";

/// What is known of a run besides its file of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub model: String,
    /// The mode, where the file does not tell it.
    pub mode: Option<Mode>,
    /// The round limit; the file does not have it.
    pub rounds: Option<u32>,
    /// The least number of asks, in `forced_ask`.
    pub min_asks: Option<u32>,
}

/// Makes transcripts: for each row its episode, and its grading where there was one. Rows are matched to `tasks` by their
/// question; one that matches none, or that has no tasks to match, has the [`question_id`] of its question.
///
/// # Errors
/// If the mode is not known, or a score cannot be a verdict.
pub fn transcripts(
    results: &Results,
    tasks: Option<(&str, &Dataset)>,
    known: &Known,
) -> Result<Vec<ImportedEpisode>, BadRow> {
    let mode = mode(results, known)?;
    let mut matched = results.clone();
    if let Some((_, tasks)) = tasks {
        matched.match_tasks(tasks);
    }
    let named = match tasks {
        Some((name, tasks)) => {
            Named { name: name.to_owned(), digest: tasks.clone().into_task_set(name).digest }
        }
        None => Named {
            name: "imported".to_owned(),
            digest: Digest::of_parts(results.rows.iter().map(|row| row.question.as_bytes())),
        },
    };
    let spec = spec(mode, named, known);
    let mut repeats: BTreeMap<TaskId, u32> = BTreeMap::new();
    let mut episodes = Vec::new();
    for row in &matched.rows {
        let task = task(row, tasks.map(|(_, tasks)| tasks));
        let repeat = repeats.entry(task.id.clone()).or_default();
        *repeat += 1;
        let grading = verdict(row)?.map(|closed| vec![closed]);
        episodes.extend(ImportedEpisode::play(&spec, task, *repeat, play(row), grading));
    }
    Ok(episodes)
}

fn mode(results: &Results, known: &Known) -> Result<Mode, BadRow> {
    match (results.mode, known.mode) {
        (Some(file), Some(named)) if file != named && !is_told_as(named, file) => {
            Err(BadRow::file(format!("the rows are of the mode {file}, not {named}")))
        }
        (file, named) => named
            .or(file)
            .ok_or_else(|| BadRow::file("the rows do not tell the mode; name it with --mode")),
    }
}

/// Whether rows of a mode can look like those of another: with an empty context the question is not decorated.
fn is_told_as(named: Mode, file: Mode) -> bool {
    named == Mode::FullWithContext && file == Mode::Full
}

fn spec(mode: Mode, tasks: Named, known: &Known) -> Spec {
    let mut settings = json!({ "mode": mode });
    for (name, value) in [("rounds", known.rounds), ("min_asks", known.min_asks)] {
        if let Some(value) = value {
            settings[name] = json!(value);
        }
    }
    Spec::imported("interactcomp", settings, tasks, &known.model)
}

fn task(row: &ResultRow, tasks: Option<&Dataset>) -> TaskRef {
    let found = row.task.as_ref().and_then(|id| tasks?.tasks.iter().find(|task| task.id == *id));
    match found {
        Some(task) => TaskRef {
            id: task.id.clone(),
            digest: task.digest(),
            labels: texts([("domain", &*task.domain), ("language", task.language.code())]),
        },
        None => TaskRef {
            id: question_id(&row.question),
            digest: Digest::of(&row.question),
            labels: texts([("language", Language::of(&row.question).code())]),
        },
    }
}

/// What the row tells of the episode.
fn play(row: &ResultRow) -> Vec<Event> {
    let mut notes = Notes::default();
    let mut round = 1;
    let (last, before) = match row.history.rounds.split_last() {
        Some((last, before)) => (Some(last), before),
        None => (None, [].as_slice()),
    };
    for done in before {
        carried_out(&mut notes, &mut round, done);
    }
    // The file counts replies that were no valid action, and does not say where they were: they stand before the last round.
    for _ in 0..row.counts.map_or(0, |counts| counts.invalid) {
        let fault = Some(Fault {
            class: "not_told".to_owned(),
            detail: "the file does not say what was wrong, nor in which round".to_owned(),
        });
        let reading = Reading { fault, ..Reading::default() };
        notes.turn(round, TurnKind::Invalid, "a reply that was no valid action", reading);
    }
    match last {
        Some(_) if row.ending == ending::FALLBACK => {
            let applied = json!({ "fallback": row.predicted_answer });
            let reading = Reading { applied, ..Reading::default() };
            notes.turn(round, TurnKind::Invalid, "no answer in the last round", reading);
        }
        Some(last) => carried_out(&mut notes, &mut round, last),
        None => {}
    }
    let result = json!({
        "prediction": row.predicted_answer,
        "confidence": row.confidence,
        COST_SO_FAR: row.cost,
    });
    notes.closed(row.ending, result)
}

/// How the row was graded; failed rows were not.
fn verdict(row: &ResultRow) -> Result<Option<Event>, BadRow> {
    let verdict = match row.score {
        _ if row.ending == ending::ERROR => return Ok(None),
        None => return Ok(None),
        Some(1.0) => YES,
        Some(0.0) => NO,
        Some(_) => {
            let bad = BadRow::row(row.number, "it is neither 0 nor 1");
            return Err(BadRow { field: "score".to_owned(), ..bad });
        }
    };
    Ok(Some(closed(GRADED, json!({ "verdict": verdict }))))
}

/// A round in which something was carried out.
fn carried_out(notes: &mut Notes, round: &mut u32, done: &Round) {
    let Some(action) = ActionName::named(done.action.trim()) else {
        return;
    };
    let argument = |name: &str| {
        let argument = done.params.strip_prefix(&format!("{name}: "));
        argument.unwrap_or(&done.params).to_owned()
    };
    let (kind, sentence, applied, brought) = match action {
        ActionName::Search => {
            let query = argument("query");
            let sentence = format!("searches for “{query}”");
            let applied = json!({ "action": "search", "query": query });
            (TurnKind::Search, sentence, applied, Some(searched(&done.observation)))
        }
        ActionName::Ask => {
            let question = argument("question");
            let sentence = format!("asks “{question}”");
            let applied = json!({ "action": "ask", "question": question });
            (TurnKind::Ask, sentence, applied, Some(heard(&done.observation)))
        }
        ActionName::Answer => {
            let applied = json!({ "action": "answer", "params": done.params });
            (TurnKind::Answer, format!("answers ({})", done.params), applied, None)
        }
    };
    notes.turn(*round, kind, sentence, Reading { applied, ..Reading::default() });
    if let Some((tone, word)) = brought {
        notes.came(tone, &word, &done.observation);
    }
    *round += 1;
}

/// What a search brought, from what the player was shown of it.
fn searched(observation: &str) -> (Tone, String) {
    let failed = Shown::no_engine().text == observation
        || observation == "Search failed"
        || observation.starts_with("1. Search error — ");
    if failed {
        (Tone::Failed, "search error".to_owned())
    } else if observation == Shown::found(&[]).text {
        (Tone::Negative, "no results".to_owned())
    } else {
        (Tone::Neutral, "results".to_owned())
    }
}

/// What the user said, word for word.
fn heard(observation: &str) -> (Tone, String) {
    let known = [
        (UserReply::Yes, Tone::Positive),
        (UserReply::No, Tone::Negative),
        (UserReply::Unknown, Tone::Unknown),
    ];
    known
        .into_iter()
        .find(|(reply, _)| reply.text() == observation)
        .map_or((Tone::Neutral, String::new()), |(reply, tone)| (tone, reply.text().to_owned()))
}
