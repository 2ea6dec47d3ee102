//! Importing the reference code's results: one CSV per model run (specification 9).
//!
//! The file has no ids, no mode and no round limit. Rows are matched to tasks by their question, the mode is told by the
//! order of the counts and the first user line. What cannot be told stays `None`; nothing is guessed silently.

mod error;
mod history;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::dataset::Dataset;
use super::memory::Counts;
use super::mode::Mode;
use super::reading::ActionName;
use turnwise_core::json::{Json, Object};
use turnwise_core::python;
use turnwise_core::task::TaskId;

pub use error::{Column, ImportError, Problem};
pub use history::{History, Round};

/// A file of results.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Its rows, in the file's order, which is that of the tasks.
    pub rows: Vec<Row>,
    /// The mode, if the rows tell it: skipped and failed rows do not.
    pub mode: Option<Mode>,
}

/// One episode.
#[derive(Clone, PartialEq)]
pub struct Row {
    /// Its number, from 1; the header does not count.
    pub number: usize,
    /// The task, once it is known.
    pub task: Option<TaskId>,
    /// The bare question.
    pub question: String,
    /// The truth.
    pub correct_answer: String,
    /// The answer; empty for skipped episodes and blank answers.
    pub predicted_answer: String,
    /// The confidence as the file has it; 0 where the reference code made it up.
    pub confidence: String,
    /// What happened, round by round.
    pub history: History,
    /// 0 or 1, in theory.
    pub score: f64,
    /// The run's cost in dollars when this row ended, not the row's own.
    pub cost: f64,
    /// How the episode ended.
    pub outcome: RowOutcome,
    /// What the player did.
    pub counts: RowCounts,
}

/// Texts of tasks stay out of logs.
impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("number", &self.number)
            .field("task", &self.task)
            .field("score", &self.score)
            .field("outcome", &self.outcome)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

/// How an episode of the reference code ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOutcome {
    /// With an answer.
    Answered,
    /// With whatever the last round brought, because that was no answer.
    Fallback,
    /// With four invalid outputs in one round.
    Skipped,
    /// With three failed attempts.
    Error,
}

/// Where the counts of a row come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowCounts {
    /// The file has them.
    Recorded(Counts),
    /// The file lost them (skipped episodes); these are counted from the history, without invalid outputs.
    FromHistory(Counts),
    /// There are none (failed episodes).
    None,
}

impl RowCounts {
    /// The counts, wherever they come from.
    pub fn counts(self) -> Option<Counts> {
        match self {
            RowCounts::Recorded(counts) | RowCounts::FromHistory(counts) => Some(counts),
            RowCounts::None => None,
        }
    }
}

/// Reads a file of results.
///
/// # Errors
/// The first mistake, with its row and column. No message contains text of the file.
pub fn read(file: &[u8]) -> Result<Results, ImportError> {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let header = reader
        .headers()
        .map_err(|error| ImportError::of(None, None, Problem::Csv(error.to_string())))?
        .clone();
    let places = Column::ALL.map(|column| header.iter().position(|name| name == column.name()));
    for (column, place) in Column::ALL.into_iter().zip(places) {
        if place.is_none() {
            return Err(ImportError::of(None, Some(column), Problem::NoColumn));
        }
    }
    let mut rows = Vec::new();
    let mut family = None;
    for (index, record) in reader.records().enumerate() {
        let number = index + 1;
        let record = record.map_err(|error| {
            ImportError::of(Some(number), None, Problem::Csv(error.to_string()))
        })?;
        if record.len() != header.len() {
            let problem = Problem::Cells {
                found: record.len(),
                wanted: header.len(),
            };
            return Err(ImportError::of(Some(number), None, problem));
        }
        let cell = |column: Column| {
            places[column as usize]
                .and_then(|place| record.get(place))
                .unwrap_or_default()
        };
        let (row, of_row) = read_row(number, cell)?;
        if family.is_some() && of_row.is_some() && family != of_row {
            return Err(ImportError::of(Some(number), None, Problem::ModesDiffer));
        }
        family = family.or(of_row);
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(ImportError::of(None, None, Problem::NoRows));
    }
    let mode = mode_of(&rows, family)?;
    Ok(Results { rows, mode })
}

fn read_row<'a>(
    number: usize,
    cell: impl Fn(Column) -> &'a str,
) -> Result<(Row, Option<Family>), ImportError> {
    let wrong = |column, problem| ImportError::of(Some(number), Some(column), problem);
    let amount = |column| {
        let number: Option<f64> = cell(column).trim().parse().ok();
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| wrong(column, Problem::NoAmount))
    };
    let question = cell(Column::Question);
    let history_text = cell(Column::History);
    let record = match python::literal(cell(Column::ActionCounts)) {
        Ok(Json::Object(record)) => record,
        _ => return Err(wrong(Column::ActionCounts, Problem::NoCounts)),
    };
    let is_error = record.is_empty() && history_text == "Error";
    let history = if is_error {
        History::default()
    } else {
        History::read(history_text, question)
            .ok_or_else(|| wrong(Column::History, Problem::NoHistory))?
    };
    let is_skipped = record.len() == 1 && record.get("valid") == Some(&Json::Bool(true));
    let (outcome, counts, family) = if is_error {
        (RowOutcome::Error, RowCounts::None, None)
    } else if is_skipped {
        (
            RowOutcome::Skipped,
            RowCounts::FromHistory(history.counts()),
            None,
        )
    } else {
        let (counts, family) =
            recorded(&record).ok_or_else(|| wrong(Column::ActionCounts, Problem::NoCounts))?;
        let outcome = match history.rounds.last() {
            Some(last) if is_answer(&last.observation) => RowOutcome::Answered,
            _ => RowOutcome::Fallback,
        };
        (outcome, RowCounts::Recorded(counts), Some(family))
    };
    let row = Row {
        number,
        task: None,
        question: question.to_owned(),
        correct_answer: cell(Column::CorrectAnswer).to_owned(),
        predicted_answer: cell(Column::PredictedAnswer).to_owned(),
        confidence: cell(Column::Confidence).to_owned(),
        score: amount(Column::Score).and_then(|score| {
            let fits = score <= 1.0;
            fits.then_some(score)
                .ok_or_else(|| wrong(Column::Score, Problem::NoAmount))
        })?,
        cost: amount(Column::Cost)?,
        history,
        outcome,
        counts,
    };
    Ok((row, family))
}

/// Whether an observation is the dict of an accepted answer.
fn is_answer(observation: &str) -> bool {
    match python::literal(observation) {
        Ok(Json::Object(dict)) => dict.keys().eq(["answer", "confidence"]),
        _ => false,
    }
}

/// Modes whose counts have the same keys in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Family(Mode);

impl Family {
    const ALL: [Family; 4] = [
        Family(Mode::AnswerOnly),
        Family(Mode::SearchOnly),
        Family(Mode::AskOnly),
        Family(Mode::Full),
    ];
}

/// The counts of a record such as `{'answer': 1, 'search': 0, 'ask': 2, 'invalid': 0}`, and whose they are.
fn recorded(record: &Object) -> Option<(Counts, Family)> {
    let family = Family::ALL.into_iter().find(|family| {
        let actions = family.0.actions().iter().map(|action| action.name());
        actions.chain(["invalid"]).eq(record.keys())
    })?;
    let count = |key: &str| match record.get(key) {
        None => Some(0),
        Some(Json::Int(number)) => number
            .as_i64()
            .and_then(|number| u32::try_from(number).ok()),
        Some(_) => None,
    };
    let counts = Counts {
        answer: count(ActionName::Answer.name())?,
        search: count(ActionName::Search.name())?,
        ask: count(ActionName::Ask.name())?,
        invalid: count("invalid")?,
    };
    Some((counts, family))
}

/// The mode of a whole file, which is one run: the counts tell it, or the family to which the decorated modes belong.
fn mode_of(rows: &[Row], family: Option<Family>) -> Result<Option<Mode>, ImportError> {
    let mut told = rows
        .iter()
        .filter_map(|row| Some((row.number, row.history.told()?)));
    let Some((first, mode)) = told.next() else {
        return Ok(family.map(|family| family.0));
    };
    let other = told
        .find(|(_, other)| *other != mode)
        .map(|(number, _)| number);
    match (other, family) {
        (None, None | Some(Family(Mode::Full))) => Ok(Some(mode)),
        (other, _) => Err(ImportError::of(
            Some(other.unwrap_or(first)),
            None,
            Problem::ModesDiffer,
        )),
    }
}

impl Results {
    /// Names the task of every row whose question is, letter by letter, that of exactly one task. Gives back the numbers
    /// of the rows that match none.
    pub fn match_tasks(&mut self, tasks: &Dataset) -> Vec<usize> {
        let mut by_question: BTreeMap<&str, Option<&TaskId>> = BTreeMap::new();
        for task in &tasks.tasks {
            let id = by_question.entry(&task.question).or_insert(Some(&task.id));
            if *id != Some(&task.id) {
                *id = None;
            }
        }
        for row in &mut self.rows {
            row.task = by_question
                .get(row.question.as_str())
                .copied()
                .flatten()
                .cloned();
        }
        let unmatched = self.rows.iter().filter(|row| row.task.is_none());
        unmatched.map(|row| row.number).collect()
    }

    /// The mean score over all rows, failed ones included.
    pub fn accuracy(&self) -> f64 {
        self.rows.iter().map(|row| row.score).sum::<f64>() / self.rows.len() as f64
    }
}
