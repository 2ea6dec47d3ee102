//! Importing the reference code's results: one CSV per model run (specification 9).
//!
//! The file has no ids, no mode and no round limit. Rows are matched to tasks by their question, the mode is told by the
//! order of the counts and the first user line. What cannot be told stays `None`; nothing is guessed silently.

mod error;
mod history;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::dataset::Dataset;
use super::memory::Counts;
use super::mode::Mode;
use super::reading::ActionName;
use turnwise_core::json::{self, Dialect, Json, Object};
use turnwise_core::lenient;
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
    /// What was found and is no mistake for sure, in sentences that name the row.
    pub remarks: Vec<String>,
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
    /// 0 or 1, in theory; `None` where the file has none.
    pub score: Option<f64>,
    /// The run's cost in dollars when this row ended, not the row's own; `None` where the file has none.
    pub cost: Option<f64>,
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

/// The most characters of a cell that spreadsheets keep, in UTF-16 units. What is longer is cut without a word.
const CELL: usize = 32_767;

/// What cells are separated by: as the reference code writes them, as spreadsheets of many countries do, and as they are pasted.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Reads a file of results. Line ends within cells, separators and the spelling of numbers change nothing.
///
/// # Errors
/// The first mistake, with its row and column. No message contains text of the file.
pub fn read(file: &[u8]) -> Result<Results, ImportError> {
    let not_text = || ImportError::of(None, None, Problem::NotText);
    let text = lenient::unmarked(file).ok_or_else(not_text)?;
    let (mut sheet, separator) = sheet(&text)?;
    let header = sheet.headers.clone();
    let places = Column::ALL.map(|column| header.iter().position(|name| name == column.name()));
    for (column, place) in Column::ALL.into_iter().zip(places) {
        if place.is_none() {
            return Err(ImportError::of(None, Some(column), Problem::NoColumn));
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut family = None;
    let mut remarks = Vec::new();
    let mut whole: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (index, record) in sheet.reader.records().enumerate() {
        let number = index + 1;
        let record = record.map_err(|error| {
            ImportError::of(Some(number), None, Problem::Csv(error.to_string()))
        })?;
        // Spreadsheets write empty cells behind a row, and rows of nothing else.
        if record.iter().all(str::is_empty) {
            continue;
        }
        let is_empty = |place: usize| record.get(place).is_none_or(str::is_empty);
        if record.len() < header.len() || !(header.len()..record.len()).all(is_empty) {
            let problem = Problem::Cells { found: record.len(), wanted: header.len() };
            return Err(ImportError::of(Some(number), None, problem));
        }
        let cells: Vec<String> =
            record.iter().map(|cell| lenient::line_feeds(cell).into_owned()).collect();
        let cell = |column: Column| {
            places[column as usize].and_then(|place| cells.get(place)).map_or("", String::as_str)
        };
        if let Some(column) =
            Column::ALL.into_iter().find(|column| cell(*column).encode_utf16().count() == CELL)
        {
            return Err(ImportError::of(Some(number), Some(column), Problem::Cut));
        }
        let (row, of_row) = read_row(number, separator != b',', cell)?;
        if family.is_some() && of_row.is_some() && family != of_row {
            return Err(ImportError::of(Some(number), None, Problem::ModesDiffer));
        }
        family = family.or(of_row);
        if let Some(first) = whole.get(&cells) {
            remarks.push(format!("row {number} is row {first} once more, and is left out"));
            continue;
        }
        if let Some(before) = rows.iter().find(|before| before.question == row.question) {
            let first = before.number;
            remarks.push(format!(
                "row {number} has the question of row {first}, and counts as another repeat of its task"
            ));
        }
        remarks.extend(contradiction(&row));
        whole.insert(cells, number);
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(ImportError::of(None, None, Problem::NoRows));
    }
    let mode = mode_of(&rows, family)?;
    Ok(Results { rows, mode, remarks })
}

/// A table whose header was read.
struct Sheet<'a> {
    reader: csv::Reader<&'a [u8]>,
    headers: Vec<String>,
}

/// The table in a text, by the separator under which most of our columns are found.
fn sheet(text: &[u8]) -> Result<(Sheet<'_>, u8), ImportError> {
    // A spreadsheet may write a line that says what the separator is.
    let text = match text.strip_prefix(b"sep=") {
        Some(rest) => rest.splitn(2, |byte| *byte == b'\n').nth(1).unwrap_or_default(),
        None => text,
    };
    let mut best: Option<(usize, Sheet<'_>, u8)> = None;
    for separator in SEPARATORS {
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).delimiter(separator).from_reader(text);
        let headers = reader
            .headers()
            .map_err(|error| ImportError::of(None, None, Problem::Csv(error.to_string())))?;
        let headers: Vec<String> = headers.iter().map(|name| name.trim().to_owned()).collect();
        let found = Column::ALL
            .into_iter()
            .filter(|column| headers.iter().any(|name| name == column.name()))
            .count();
        if best.as_ref().is_none_or(|(most, ..)| found > *most) {
            best = Some((found, Sheet { reader, headers }, separator));
        }
    }
    let (_, sheet, separator) = best.expect("there are separators");
    Ok((sheet, separator))
}

/// Where the history of a row and its counts tell of different actions.
fn contradiction(row: &Row) -> Option<String> {
    let RowCounts::Recorded(counts) = row.counts else {
        return None;
    };
    let told = row.history.counts();
    let same = |counts: &Counts| (counts.answer, counts.search, counts.ask);
    (same(&counts) != same(&told)).then(|| {
        format!(
            "row {}: its history has {} answers, {} searches and {} asks, its counts say {}, {} and {}; numbers follow the \
             history",
            row.number, told.answer, told.search, told.ask, counts.answer, counts.search, counts.ask
        )
    })
}

fn read_row<'a>(
    number: usize,
    comma: bool,
    cell: impl Fn(Column) -> &'a str,
) -> Result<(Row, Option<Family>), ImportError> {
    let wrong = |column, problem| ImportError::of(Some(number), Some(column), problem);
    let amount = |column, most: f64| {
        if lenient::is_nothing(cell(column)) {
            return Ok(None);
        }
        let number = lenient::number_text(cell(column), comma);
        let number = number.filter(|number| (0.0..=most).contains(number));
        number.ok_or_else(|| wrong(column, Problem::NoAmount)).map(Some)
    };
    let question = cell(Column::Question);
    let history_text = cell(Column::History);
    let counts = lenient::plain_quotes(cell(Column::ActionCounts));
    let literal = python::literal(&counts).ok();
    let record = match literal.or_else(|| json::parse(&counts, Dialect::Python).ok()) {
        Some(Json::Object(record)) => record,
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
        (RowOutcome::Skipped, RowCounts::FromHistory(history.counts()), None)
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
        score: amount(Column::Score, 1.0)?,
        cost: amount(Column::Cost, f64::MAX)?,
        history,
        outcome,
        counts,
    };
    Ok((row, family))
}

/// Whether an observation is the dict of an accepted answer. A spreadsheet or a word processor may have bent its quotes, those
/// within its texts included.
fn is_answer(observation: &str) -> bool {
    if let Ok(Json::Object(dict)) = python::literal(observation) {
        return dict.keys().eq(["answer", "confidence"]);
    }
    let plain = lenient::plain_quotes(observation).replace('"', "'");
    let inside = plain.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    inside.is_some_and(|inside| {
        let rest = inside.trim_start().strip_prefix("'answer':");
        rest.and_then(|rest| rest.rsplit_once("'confidence':"))
            .is_some_and(|(answer, _)| answer.trim_end().ends_with(','))
    })
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
    let small = |count: u64| u32::try_from(count).ok();
    let count = |key: &str| match record.get(key) {
        None => Some(0),
        Some(value) => small(lenient::whole_json(value)?),
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
    let mut told = rows.iter().filter_map(|row| Some((row.number, row.history.told()?)));
    let Some((first, mode)) = told.next() else {
        return Ok(family.map(|family| family.0));
    };
    let other = told.find(|(_, other)| *other != mode).map(|(number, _)| number);
    match (other, family) {
        (None, None | Some(Family(Mode::Full))) => Ok(Some(mode)),
        (other, _) => {
            Err(ImportError::of(Some(other.unwrap_or(first)), None, Problem::ModesDiffer))
        }
    }
}

impl Results {
    /// Names the task of every row whose question is, line ends aside, letter by letter that of exactly one task. Gives back the
    /// numbers of the rows that match none.
    pub fn match_tasks(&mut self, tasks: &Dataset) -> Vec<usize> {
        let mut by_question: BTreeMap<Cow<'_, str>, Option<&TaskId>> = BTreeMap::new();
        for task in &tasks.tasks {
            let question = lenient::line_feeds(&task.question);
            let id = by_question.entry(question).or_insert(Some(&task.id));
            if *id != Some(&task.id) {
                *id = None;
            }
        }
        for row in &mut self.rows {
            row.task = by_question.get(row.question.as_str()).copied().flatten().cloned();
        }
        let unmatched = self.rows.iter().filter(|row| row.task.is_none());
        unmatched.map(|row| row.number).collect()
    }

    /// The mean score over all rows, failed ones included.
    pub fn accuracy(&self) -> f64 {
        let scores = self.rows.iter().map(|row| row.score.unwrap_or_default());
        scores.sum::<f64>() / self.rows.len() as f64
    }
}
