//! Judged lines of the reference (specification 10): `import` and `export --format mpw-results`.
//!
//! A line is kept as it was read, unknown fields and the order of keys included, and written back equal as a JSON value;
//! what metrics need is read beside it. Fields have moved in the authors' code, so several places are looked at
//! (specification 10.5). Records of a player's texts, questions and facts stay inside the rows: nothing here prints them.

mod beside;
mod episode;
pub mod imported;
#[cfg(test)]
mod tests;
pub mod written;

use std::collections::BTreeMap;
use std::fmt;

use turnwise_core::kit::rows;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};

pub(super) use episode::{Spellings, above_zero};

pub use beside::Beside;

use super::metrics::Episode;
use super::reading::judge::{JudgeStatus, Verdict};

/// The most bytes of one line: a whole episode with its messages.
pub const LINE_LIMIT: usize = 16 << 20;

/// A file of judged lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// All lines in order, repeated ones included.
    pub rows: Vec<ResultLine>,
    /// Whether the file ends in the middle of a line, which is left out, as after a crash.
    pub cut: bool,
}

#[derive(Clone, PartialEq)]
pub struct ResultLine {
    /// The number of the line in the file, from 1.
    pub number: usize,
    /// `index`: the line of the world in its file from 0 (B, C, custom), or the world's own number (A).
    pub index: Option<i64>,
    /// The domain; `unknown` where the line names none.
    pub category: String,
    /// The setting, where the line tells it apart.
    pub setting: Setting,
    pub verdict: Judged,
    /// How the verdict came about, where the line says so.
    pub judge_status: Option<JudgeStatus>,
    pub episode: Episode,
    /// What a line of ours tells besides.
    pub beside: Option<Beside>,
    object: Object,
}

/// What a line tells of its setting: B, C and custom lines look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// A: no trajectory, but a count of facts.
    Oracle,
    Search,
}

/// What a line says of its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// One of the two words.
    Verdict(Verdict),
    /// Another word of the older judges: partial, no answer, unknown. Not correct.
    Other,
    /// Nothing: the line was not judged yet.
    Missing,
}

impl ResultLine {
    /// What it shares with lines that repeat it.
    fn key(&self) -> Option<(i64, u32)> {
        let repeat = self.beside.as_ref().map_or(1, |beside| beside.repeat);
        Some((self.index?, repeat))
    }

    /// The line as it was read.
    pub fn object(&self) -> &Object {
        &self.object
    }

    pub fn ground_truth(&self) -> Option<&str> {
        self.object.get("ground_truth")?.as_text()
    }

    /// Roles and texts of its messages, as [the error analysis](super::metrics::errors::analyse) reads them.
    pub fn messages(&self) -> impl Iterator<Item = (&str, &str)> {
        episode::messages(&self.object)
    }

    /// The question: `question` in setting A, else the first message of the user, or its first text part.
    pub fn question(&self) -> Option<&str> {
        episode::question(&self.object)
    }
}

impl fmt::Debug for ResultLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("number", &self.number)
            .field("index", &self.index)
            .field("setting", &self.setting)
            .field("verdict", &self.verdict)
            .field("status", &self.episode.status)
            .finish_non_exhaustive()
    }
}

impl Results {
    /// The lines that count: of several with one index (and of ours, one repeat) the last that was judged successfully, else the
    /// last. In the order of the file; lines without an index all count.
    pub fn counted(&self) -> Vec<&ResultLine> {
        let mut chosen: BTreeMap<(i64, u32), usize> = BTreeMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            let Some(key) = row.key() else { continue };
            let kept = chosen.entry(key).or_insert(at);
            let good = |row: &ResultLine| row.judge_status == Some(JudgeStatus::Success);
            if good(row) || !good(&self.rows[*kept]) {
                *kept = at;
            }
        }
        let counts = |(at, row): &(usize, &ResultLine)| match row.key() {
            Some(key) => chosen.get(&key) == Some(at),
            None => true,
        };
        let rows = self.rows.iter().enumerate().filter(counts);
        rows.map(|(_, row)| row).collect()
    }

    /// The setting that lines of ours name; `None` where none does, or they name several.
    pub fn setting(&self) -> Option<super::settings::Setting> {
        let mut named = self.rows.iter().map(|row| Some(row.beside.as_ref()?.setting));
        let first = named.next()??;
        named.all(|setting| setting == Some(first)).then_some(first)
    }

    /// The episodes of the lines that count.
    pub fn episodes(&self) -> Vec<Episode> {
        let rows = self.counted();
        rows.into_iter().map(|row| row.episode.clone()).collect()
    }

    /// The file: every line, equal as a JSON value to the one that was read, written as Python writes it.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            out.push_str(&dumps(&Json::Object(row.object.clone()), Layout::Line));
            out.push('\n');
        }
        out
    }
}

/// Reads a file of judged (or not yet judged) lines.
///
/// # Errors
/// The first line that is not a JSON object, or whose parts cannot be identified. A last line that was cut off is no error.
pub fn read(file: &[u8]) -> Result<Results, BadRow> {
    let mut results = Results { rows: Vec::new(), cut: false };
    // Without a line break after it, the last line may have been cut off, also in the middle of a letter.
    let is_whole = file.trim_ascii_end().len() < file.len();
    let mut lines = rows::objects(file, Dialect::Python, LINE_LIMIT).peekable();
    while let Some(line) = lines.next() {
        match line {
            Ok((number, object)) => results.rows.push(ResultLine::of(number, object)?),
            Err(_) if !is_whole && lines.peek().is_none() && !results.rows.is_empty() => {
                results.cut = true;
            }
            Err(bad) => return Err(bad),
        }
    }
    match results.rows.is_empty() {
        true => Err(BadRow::file("it has no lines; expected one JSON object a line")),
        false => Ok(results),
    }
}
