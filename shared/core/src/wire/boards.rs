//! Leaderboards: `GET /api/boards` lists them ([`BoardHead`]), `GET /api/boards/{id}` shows one ([`Board`]), as a table of
//! comma-separated values with `format=csv`. The query is a [`View`](crate::leaderboard::View), as in the address of the page.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::publishing::Owner;
use crate::board::column::Shown;
use crate::evidence_tier::EvidenceTier;
use crate::hash::Digest;
use crate::key::RunId;
pub use crate::metrics::metric::Better;
use crate::metrics::number::Cell;
use crate::metrics::report::Unit;
use crate::seat::Seat;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardId {
    /// That of runs: `Benchmark::board`.
    Key(Digest),
    /// What a paper printed under one condition, e.g. `ours-table-2`; it has no runs.
    Paper(String),
}

as_text!(BoardId);

/// How the ids of boards of papers begin.
const PAPER: &str = "paper-";

/// The longest name of a condition.
const LONGEST: usize = 60;

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardId::Key(digest) => digest.fmt(f),
            BoardId::Paper(condition) => write!(f, "{PAPER}{condition}"),
        }
    }
}

/// A text that names no board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a board's id is 64 hexadecimal digits, or paper- and a condition")]
pub struct BadBoardId;

impl FromStr for BoardId {
    type Err = BadBoardId;

    fn from_str(text: &str) -> Result<Self, BadBoardId> {
        let plain = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
        match text.strip_prefix(PAPER) {
            Some(name) if (1..=LONGEST).contains(&name.len()) && name.chars().all(plain) => {
                Ok(BoardId::Paper(name.to_owned()))
            }
            Some(_) => Err(BadBoardId),
            None => text.parse().map(BoardId::Key).map_err(|_| BadBoardId),
        }
    }
}

/// A board in a list, and the head of its page.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardHead {
    pub id: BoardId,
    /// The benchmark's name in specs.
    pub benchmark: String,
    /// The benchmark's name for people.
    pub benchmark_title: String,
    /// Under which condition, in a few words, e.g. `full, 10 rounds`.
    pub title: String,
    /// What all its runs have in common. Runs that differ in any of it stand on different boards.
    pub fixed: Vec<Fixed>,
    /// What it is ordered by.
    pub main: BoardColumn,
    /// Runs on it, by evidence tier; those of papers are counted as rows.
    pub rows: BTreeMap<EvidenceTier, u32>,
    /// The best run, by the main number; of a board of a paper its best row.
    pub best: Option<Best>,
    /// When the newest run was published, in milliseconds since 1970.
    pub newest: Option<u64>,
    /// The paper that the benchmark comes from.
    pub paper: Option<Cited>,
    /// Of a board of runs: the board of the paper's condition that is nearest to it, whose rows are [`Board::printed`].
    pub beside: Option<BoardId>,
    /// Of a board of runs: the best row of [`BoardHead::beside`].
    pub printed: Option<Best>,
}

/// A paper, as it is cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    pub title: String,
    /// Its first authors.
    pub authors: String,
    /// The year of its first version.
    pub year: u16,
    /// Where it can be read.
    pub address: String,
}

/// One thing that a board holds fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixed {
    pub what: String,
    /// How it is, e.g. `model:openai/gpt-4o`.
    pub value: String,
}

/// The best row of a board.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Best {
    pub name: String,
    /// How far it can be believed.
    #[serde(rename = "standing")]
    pub tier: EvidenceTier,
    pub cell: Cell,
    /// The run, if it is one.
    pub run: Option<RunId>,
    /// Whose run it is, where that is known.
    pub owner: Option<Owner>,
}

/// A number that the rows of a board have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardColumn {
    /// Its name in addresses and files, e.g. `interaction_rate`.
    pub key: String,
    pub label: String,
    pub unit: Unit,
    /// What it means, in a sentence.
    pub about: String,
    pub better: Better,
    /// Whether it is among those that are shown by default.
    pub shown: Shown,
}

/// A board, as one view shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Board {
    pub head: BoardHead,
    /// Every number that it has.
    pub columns: Vec<BoardColumn>,
    /// The rows of this portion, in the view's order. Cells are in the order of [`Board::columns`]. On a board of runs, rows of
    /// the paper are among them only if the view asks for them.
    pub rows: Vec<BoardRow>,
    /// On a board of runs: what the paper printed under the nearest condition, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<BoardRow>,
    /// Rows that pass the view's filters.
    pub matching: u32,
    /// Rows without any filter; those of the paper as in [`Board::rows`].
    pub total: u32,
    /// How many matching rows come before these.
    pub skip: u32,
    /// Which of the best runs cannot be told apart, each group by the places of its rows in the main order, from 1;
    /// groups of one are left out.
    pub ties: Vec<Tie>,
    /// In games: who takes part, over all runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Rated>,
    /// What was found about the rows of papers; rows name them by their place here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What a reader must know about this board, each in a sentence.
    pub remarks: Vec<String>,
}

/// A run, one of its participants, or a row of a paper.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardRow {
    pub name: String,
    /// Who, as the lineup writes it; empty for rows of papers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// How far it can be believed.
    #[serde(rename = "standing")]
    pub tier: EvidenceTier,
    /// The run, unless it is a row of a paper.
    pub run: Option<RunId>,
    /// In games, whose row of the run it is.
    pub seat: Option<Seat>,
    /// The run's name for people; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Whose run it is, and how many of its runs its owner published.
    pub owner: Option<Owned>,
    /// When it was published, in milliseconds since 1970.
    pub published: Option<u64>,
    /// How many episodes, hands or matches stand behind it.
    pub n: Option<u32>,
    /// From the best to the worst place that it can have: what cannot be told apart from it may stand before or behind.
    /// Only runs have places.
    pub place: Option<(u32, u32)>,
    /// One for each column; `None` where it is not known.
    pub cells: Vec<Option<Cell>>,
    /// Where it is printed, if it is a row of a paper.
    pub source: Option<String>,
    /// Its notes, by their places in [`Board::notes`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<u32>,
}

/// An owner on a board. Who opens many runs and publishes few may have published the best of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owned {
    /// Who; it names a key, not a person.
    pub owner: Owner,
    /// Runs that it opened with what this board holds fixed.
    pub opened: u32,
    /// Of these, how many stand on it.
    pub published: u32,
}

/// Runs that cannot be told apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// Their places in the main order, from 1.
    pub places: Vec<u32>,
    pub names: Vec<String>,
    /// Their runs, each once; with two or more they can be compared task by task, which tells more apart.
    pub runs: Vec<RunId>,
}

/// A participant of games over all runs of a board; people are none, because they cannot be recognised at another table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    pub name: String,
    /// Who, as the lineup writes it.
    pub who: String,
    /// By how much more it wins than the participants here, on average; `None` where it met no member of the largest group.
    pub rating: Option<Cell>,
    /// Runs behind it, each counted once in however many seats it sat.
    pub runs: u32,
    /// Hands or matches behind it.
    pub n: u32,
    /// From the best to the worst place that it can have.
    pub place: Option<(u32, u32)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_written_alike() {
        let key = BoardId::Key(Digest::of("a board"));
        for id in [key, BoardId::Paper("ours-table-2".to_owned())] {
            assert_eq!(id.to_string().parse(), Ok(id.clone()));
            let json = serde_json::to_string(&id).expect("an id is a string");
            let again: BoardId = serde_json::from_str(&json).expect("what was written");
            assert_eq!(again, id);
        }
        for bad in ["", "paper-", "paper-A", "paper-../x", "abc", "Paper-x"] {
            assert_eq!(bad.parse::<BoardId>(), Err(BadBoardId), "{bad}");
        }
        let long = format!("paper-{}", "a".repeat(61));
        assert_eq!(long.parse::<BoardId>(), Err(BadBoardId));
    }
}
