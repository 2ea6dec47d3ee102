//! Results of the reference code as transcripts of origin `imported`: what the file tells, and nothing more
//! (specification 9; ARCHITECTURE.md, rule 5).
//!
//! Such a transcript has no calls, because the file keeps none. It can be read and measured, and never replayed.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::dataset::{Dataset, Language};
use super::grading::{GRADED, said_as};
use super::mode::Mode;
use super::protocol::ending;
use super::reading::ActionName;
use super::responder::UserReply;
use super::results_csv::{Results, Round, Row, RowCounts, RowOutcome};
use super::search::Shown;
use super::verdict::Verdict;
use turnwise_core::episode::{CallId, Outcome};
use turnwise_core::formats::ImportedEpisode;
use turnwise_core::hash::Digest;
use turnwise_core::note::{Came, Fault, Note, Reading, Tone, Turn, TurnKind};
use turnwise_core::seat::Seat;
use turnwise_core::spec::{Named, Spec};
use turnwise_core::task::{TaskId, question_id};
use turnwise_core::transcript::{Event, TaskRef};

/// Where the outcome of an imported episode has the cost of its run until then, in dollars.
pub(super) const COST_SO_FAR: &str = "run_cost_usd_so_far";

/// What is known of a run besides its file of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The player's model.
    pub model: String,
    /// The mode, where the file does not tell it.
    pub mode: Option<Mode>,
    /// The round limit; the file does not have it.
    pub rounds: Option<u32>,
    /// The least number of asks, in `forced_ask`.
    pub min_asks: Option<u32>,
}

/// Results that cannot be made transcripts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotImport {
    /// Neither the rows nor the caller say it.
    #[error("the rows do not tell the mode; name it")]
    NoMode,
    /// They say different ones.
    #[error("the rows are of the mode {file}, not {named}")]
    OtherMode {
        /// What the rows say.
        file: Mode,
        /// What the caller says.
        named: Mode,
    },
    /// A score is neither right nor wrong.
    #[error("row {row}, column score: it is neither 0 nor 1")]
    Score {
        /// Which row, from 1 after the header.
        row: usize,
    },
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
) -> Result<Vec<ImportedEpisode>, CannotImport> {
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
        let grading = verdict(row)?.map(|outcome| vec![Event::Closed(outcome)]);
        episodes.extend(ImportedEpisode::play(&spec, task, *repeat, play(row), grading));
    }
    Ok(episodes)
}

fn mode(results: &Results, known: &Known) -> Result<Mode, CannotImport> {
    match (results.mode, known.mode) {
        (Some(file), Some(named)) if file != named && !is_told_as(named, file) => {
            Err(CannotImport::OtherMode { file, named })
        }
        (_, Some(named)) => Ok(named),
        (Some(file), None) => Ok(file),
        (None, None) => Err(CannotImport::NoMode),
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

fn task(row: &Row, tasks: Option<&Dataset>) -> TaskRef {
    let found = row.task.as_ref().and_then(|id| tasks?.tasks.iter().find(|task| task.id == *id));
    match found {
        Some(task) => TaskRef {
            id: task.id.clone(),
            digest: task.digest(),
            labels: BTreeMap::from([
                ("domain".to_owned(), task.domain.clone()),
                ("language".to_owned(), task.language.code().to_owned()),
            ]),
        },
        None => TaskRef {
            id: question_id(&row.question),
            digest: Digest::of(&row.question),
            labels: BTreeMap::from([(
                "language".to_owned(),
                Language::of(&row.question).code().to_owned(),
            )]),
        },
    }
}

/// What the row tells of the episode.
fn play(row: &Row) -> Vec<Event> {
    let mut notes = Notes::default();
    let (last, before) = match row.history.rounds.split_last() {
        Some((last, before)) => (Some(last), before),
        None => (None, [].as_slice()),
    };
    for round in before {
        notes.round(round);
    }
    if let RowCounts::Recorded(counts) = row.counts {
        for _ in 0..counts.invalid {
            notes.invalid();
        }
    }
    match (last, row.outcome) {
        (Some(_), RowOutcome::Fallback) => {
            notes.turn(
                TurnKind::Invalid,
                "no answer in the last round".to_owned(),
                Reading {
                    applied: json!({ "fallback": row.predicted_answer }),
                    ..Reading::default()
                },
            );
        }
        (Some(round), _) => notes.round(round),
        (None, _) => {}
    }
    let mut events: Vec<Event> = notes.notes.into_iter().map(Event::Noted).collect();
    events.push(Event::Closed(outcome(row)));
    events
}

fn outcome(row: &Row) -> Outcome {
    let ending = match row.outcome {
        RowOutcome::Answered => ending::ANSWERED,
        RowOutcome::Fallback => ending::FALLBACK,
        RowOutcome::Skipped => ending::SKIPPED,
        RowOutcome::Error => ending::ERROR,
    };
    Outcome {
        ending: ending.to_owned(),
        result: json!({
            "prediction": row.predicted_answer,
            "confidence": row.confidence,
            COST_SO_FAR: row.cost,
        }),
    }
}

/// How the row was graded; failed rows were not.
fn verdict(row: &Row) -> Result<Option<Outcome>, CannotImport> {
    if row.outcome == RowOutcome::Error {
        return Ok(None);
    }
    let verdict = match row.score {
        None => return Ok(None),
        Some(1.0) => Verdict::Correct,
        Some(0.0) => Verdict::Wrong,
        Some(_) => return Err(CannotImport::Score { row: row.number }),
    };
    Ok(Some(Outcome { ending: GRADED.to_owned(), result: json!({ "verdict": said_as(verdict) }) }))
}

/// Notes in the making: turns are numbered, and the rounds they used.
#[derive(Default)]
struct Notes {
    notes: Vec<Note>,
    turns: u32,
    rounds: u32,
}

impl Notes {
    fn turn(&mut self, kind: TurnKind, sentence: String, reading: Reading) -> u32 {
        self.turns += 1;
        self.notes.push(Note::Turn(Turn {
            index: self.turns,
            round: self.rounds + 1,
            seat: Seat::new(Seat::PLAYER),
            call: CallId(self.turns),
            kind,
            sentence,
            reading,
        }));
        self.turns
    }

    /// A round in which something was carried out.
    fn round(&mut self, round: &Round) {
        let Some(action) = ActionName::named(round.action.trim()) else {
            return;
        };
        let argument = |name: &str| {
            let prefix = format!("{name}: ");
            let argument = round.params.strip_prefix(&prefix);
            argument.unwrap_or(&round.params).to_owned()
        };
        let reading = |applied: Value| Reading { applied, ..Reading::default() };
        match action {
            ActionName::Search => {
                let query = argument("query");
                let sentence = format!("searches for “{query}”");
                let applied = json!({ "action": "search", "query": query });
                let turn = self.turn(TurnKind::Search, sentence, reading(applied));
                self.came(turn, searched(&round.observation), &round.observation);
            }
            ActionName::Ask => {
                let question = argument("question");
                let sentence = format!("asks “{question}”");
                let applied = json!({ "action": "ask", "question": question });
                let turn = self.turn(TurnKind::Ask, sentence, reading(applied));
                self.came(turn, heard(&round.observation), &round.observation);
            }
            ActionName::Answer => {
                let applied = json!({ "action": "answer", "params": round.params });
                let sentence = format!("answers ({})", round.params);
                self.turn(TurnKind::Answer, sentence, reading(applied));
            }
        }
        self.rounds += 1;
    }

    /// A reply that was no valid action. The file counts them and does not say where they were: they stand before the
    /// last round.
    fn invalid(&mut self) {
        let reading = Reading {
            fault: Some(Fault {
                class: "not_told".to_owned(),
                detail: "the file does not say what was wrong, nor in which round".to_owned(),
            }),
            ..Reading::default()
        };
        self.turn(TurnKind::Invalid, "a reply that was no valid action".to_owned(), reading);
    }

    fn came(&mut self, turn: u32, (tone, word): (Tone, String), shown: &str) {
        self.notes.push(Note::Came(Came {
            turn,
            call: None,
            tone,
            word,
            shown: shown.to_owned(),
            reading: None,
        }));
    }
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
