//! Importing the reference code's results: one CSV per model run (specification 9).
//!
//! The file has no ids, no mode and no round limit. Rows are matched to tasks by their question, the mode is inferred from the
//! order of the counts and the first user line. What cannot be inferred stays `None`; nothing is guessed silently.

mod history;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::dataset::Dataset;
use super::memory::Counts;
use super::mode::Mode;
use super::protocol::ending;
use super::reading::ActionName;
use turnwise_core::json;
use turnwise_core::prelude::*;
use turnwise_core::{lenient, python};

pub use history::{History, Round};

#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Its rows, in the file's order, which is that of the tasks.
    pub rows: Vec<ResultRow>,
    /// The mode, if the rows tell it: skipped and failed rows do not.
    pub mode: Option<Mode>,
    /// What was found and is no mistake for sure, in sentences that name the row.
    pub remarks: Vec<String>,
}

#[derive(Clone, PartialEq)]
pub struct ResultRow {
    /// Its number, from 1; the header does not count.
    pub number: usize,
    /// The task, once it is known.
    pub task: Option<TaskId>,
    pub question: String,
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
    /// How the episode ended: a word of [`ending`].
    pub ending: &'static str,
    /// What the player did; `None` where the file has lost it (skipped and failed episodes).
    pub counts: Option<Counts>,
}

/// Texts of tasks stay out of logs.
impl fmt::Debug for ResultRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("number", &self.number)
            .field("task", &self.task)
            .field("score", &self.score)
            .field("ending", &self.ending)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

/// The most characters of a cell that spreadsheets keep, in UTF-16 units. What is longer is cut without a word.
const CELL: usize = 32_767;

/// What cells are separated by: as the reference code writes them, as spreadsheets of many countries do, and as they are pasted.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The columns of the file.
const COLUMNS: [&str; 8] = [
    "question",
    "correct_answer",
    "predicted_answer",
    "confidence",
    "history",
    "score",
    "cost",
    "action_counts",
];

const CUT: &str = "it has exactly 32,767 characters, the most that a spreadsheet keeps in a cell, so its end is lost; import the file \
                   that the reference code wrote";
const NO_COUNTS: &str = "it is no record of counts as the reference code prints it";
const MODES_DIFFER: &str =
    "the row belongs to another mode than those before it; one file is one run";

fn bad(row: usize, column: &str, problem: &str) -> BadRow {
    BadRow { field: column.to_owned(), ..BadRow::row(row, problem) }
}

/// Reads a file of results. Line ends within cells, separators and the spelling of numbers change nothing.
///
/// # Errors
/// The first mistake, with its row and column. No message contains text of the file.
pub fn read(file: &[u8]) -> Result<Results, BadRow> {
    let not_text = "the file says that it is UTF-16, and is not; save it as CSV in UTF-8";
    let text = lenient::unmarked(file).ok_or_else(|| BadRow::file(not_text))?;
    let (mut sheet, separator) = sheet(&text)?;
    let header = sheet.headers.clone();
    let place = |column: &str| header.iter().position(|name| name == column);
    if let Some(column) = COLUMNS.into_iter().find(|column| place(column).is_none()) {
        let problem = "it is missing; this is the per-model CSV of the reference code, not models_summary.csv";
        return Err(BadRow { field: column.to_owned(), ..BadRow::file(problem) });
    }
    let mut rows: Vec<ResultRow> = Vec::new();
    let mut family = None;
    let mut remarks = Vec::new();
    let mut whole: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (index, record) in sheet.reader.records().enumerate() {
        let number = index + 1;
        let record = record.map_err(|error| BadRow::row(number, not_csv(&error)))?;
        // Spreadsheets write empty cells behind a row, and rows of nothing else.
        if record.iter().all(str::is_empty) {
            continue;
        }
        let is_empty = |place: usize| record.get(place).is_none_or(str::is_empty);
        if record.len() < header.len() || !(header.len()..record.len()).all(is_empty) {
            let (found, wanted) = (record.len(), header.len());
            let problem =
                format!("the row has {found} cells, the header {wanted}; a quote may be missing");
            return Err(BadRow::row(number, problem));
        }
        let cells: Vec<String> =
            record.iter().map(|cell| lenient::line_feeds(cell).into_owned()).collect();
        let cell = |column: &str| {
            place(column).and_then(|place| cells.get(place)).map_or("", String::as_str)
        };
        let is_cut = |column: &&str| cell(column).encode_utf16().count() == CELL;
        if let Some(column) = COLUMNS.iter().find(|column| is_cut(column)) {
            return Err(bad(number, column, CUT));
        }
        let (row, of_row) = read_row(number, separator != b',', cell)?;
        if family.is_some() && of_row.is_some() && family != of_row {
            return Err(BadRow::row(number, MODES_DIFFER));
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
        return Err(BadRow::file("the file has no rows"));
    }
    let mode = mode_of(&rows, family)?;
    Ok(Results { rows, mode, remarks })
}

fn not_csv(error: &csv::Error) -> String {
    format!("it is not CSV in UTF-8: {error}")
}

/// A table whose header was read.
struct Sheet<'a> {
    reader: csv::Reader<&'a [u8]>,
    headers: Vec<String>,
}

/// The table in a text, by the separator under which most of our columns are found.
fn sheet(text: &[u8]) -> Result<(Sheet<'_>, u8), BadRow> {
    // A spreadsheet may write a line that says what the separator is.
    let text = match text.strip_prefix(b"sep=") {
        Some(rest) => rest.splitn(2, |byte| *byte == b'\n').nth(1).unwrap_or_default(),
        None => text,
    };
    let mut best: Option<(usize, Sheet<'_>, u8)> = None;
    for separator in SEPARATORS {
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).delimiter(separator).from_reader(text);
        let headers = reader.headers().map_err(|error| BadRow::file(not_csv(&error)))?;
        let headers: Vec<String> = headers.iter().map(|name| name.trim().to_owned()).collect();
        let is_there = |column: &&str| headers.iter().any(|name| name == column);
        let found = COLUMNS.iter().filter(|column| is_there(column)).count();
        if best.as_ref().is_none_or(|(most, ..)| found > *most) {
            best = Some((found, Sheet { reader, headers }, separator));
        }
    }
    let (_, sheet, separator) = best.expect("there are separators");
    Ok((sheet, separator))
}

/// Where the history of a row and its counts tell of different actions.
fn contradiction(row: &ResultRow) -> Option<String> {
    let counts = row.counts?;
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
    cell: impl Fn(&str) -> &'a str,
) -> Result<(ResultRow, Option<Mode>), BadRow> {
    let wrong = |column: &str, problem: &str| bad(number, column, problem);
    let amount = |column: &str, most: f64| {
        if lenient::is_nothing(cell(column)) {
            return Ok(None);
        }
        let number = lenient::number_text(cell(column), comma);
        let number = number.filter(|number| (0.0..=most).contains(number));
        number.ok_or_else(|| wrong(column, "it is no number in range")).map(Some)
    };
    let question = cell("question");
    let history_text = cell("history");
    let no_counts = || wrong("action_counts", NO_COUNTS);
    let counts = lenient::plain_quotes(cell("action_counts"));
    let literal = python::literal(&counts).ok();
    let record = match literal.or_else(|| json::parse(&counts, Dialect::Python).ok()) {
        Some(Json::Object(record)) => record,
        _ => return Err(no_counts()),
    };
    let is_error = record.is_empty() && history_text == "Error";
    let history = if is_error {
        History::default()
    } else {
        let problem = "it does not begin with [Round 1] and a user line, and is not Error";
        History::read(history_text, question).ok_or_else(|| wrong("history", problem))?
    };
    let is_skipped = record.len() == 1 && record.get("valid") == Some(&Json::Bool(true));
    let (ending, counted) = if is_error {
        (ending::ERROR, None)
    } else if is_skipped {
        (ending::SKIPPED, None)
    } else {
        let counted = recorded(&record).ok_or_else(no_counts)?;
        let ending = match history.rounds.last() {
            Some(last) if is_answer(&last.observation) => ending::ANSWERED,
            _ => ending::FALLBACK,
        };
        (ending, Some(counted))
    };
    let row = ResultRow {
        number,
        task: None,
        question: question.to_owned(),
        correct_answer: cell("correct_answer").to_owned(),
        predicted_answer: cell("predicted_answer").to_owned(),
        confidence: cell("confidence").to_owned(),
        score: amount("score", 1.0)?,
        cost: amount("cost", f64::MAX)?,
        history,
        ending,
        counts: counted.map(|(counts, _)| counts),
    };
    Ok((row, counted.map(|(_, family)| family)))
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

/// One mode for each order of keys that counts may have.
const FAMILIES: [Mode; 4] = [Mode::AnswerOnly, Mode::SearchOnly, Mode::AskOnly, Mode::Full];

/// The counts of a record such as `{'answer': 1, 'search': 0, 'ask': 2, 'invalid': 0}`, and whose they are.
fn recorded(record: &Object) -> Option<(Counts, Mode)> {
    let family = FAMILIES.into_iter().find(|mode| {
        let actions = mode.actions().iter().map(|action| action.name());
        actions.chain(["invalid"]).eq(record.keys())
    })?;
    let count = |key: &str| match record.get(key) {
        None => Some(0),
        Some(value) => u32::try_from(lenient::whole_json(value)?).ok(),
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
fn mode_of(rows: &[ResultRow], family: Option<Mode>) -> Result<Option<Mode>, BadRow> {
    let mut told = rows.iter().filter_map(|row| Some((row.number, row.history.told()?)));
    let Some((first, mode)) = told.next() else {
        return Ok(family);
    };
    let other = told.find(|(_, other)| *other != mode).map(|(number, _)| number);
    match (other, family) {
        (None, None | Some(Mode::Full)) => Ok(Some(mode)),
        (other, _) => Err(BadRow::row(other.unwrap_or(first), MODES_DIFFER)),
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
}
