//! The columns of the file, and what can be wrong in it.

use std::fmt;

/// The columns of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// `question`
    Question,
    /// `correct_answer`
    CorrectAnswer,
    /// `predicted_answer`
    PredictedAnswer,
    /// `confidence`
    Confidence,
    /// `history`
    History,
    /// `score`
    Score,
    /// `cost`
    Cost,
    /// `action_counts`
    ActionCounts,
}

impl Column {
    pub(super) const ALL: [Column; 8] = [
        Column::Question,
        Column::CorrectAnswer,
        Column::PredictedAnswer,
        Column::Confidence,
        Column::History,
        Column::Score,
        Column::Cost,
        Column::ActionCounts,
    ];

    /// Its name in the header.
    pub fn name(self) -> &'static str {
        match self {
            Column::Question => "question",
            Column::CorrectAnswer => "correct_answer",
            Column::PredictedAnswer => "predicted_answer",
            Column::Confidence => "confidence",
            Column::History => "history",
            Column::Score => "score",
            Column::Cost => "cost",
            Column::ActionCounts => "action_counts",
        }
    }
}

/// Why a file of results cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ImportError {
    /// Which row, from 1 after the header; `None` if it concerns the whole file.
    pub row: Option<usize>,
    /// Which column.
    pub column: Option<Column>,
    /// What is wrong there.
    pub problem: Problem,
}

impl ImportError {
    pub(super) fn of(row: Option<usize>, column: Option<Column>, problem: Problem) -> Self {
        ImportError { row, column, problem }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map(|row| format!("row {row}"));
        let column = self.column.map(|column| format!("column {}", column.name()));
        let place: Vec<String> = row.into_iter().chain(column).collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        write!(f, "{}", self.problem)
    }
}

/// What can be wrong in a file of results.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There are no rows.
    #[error("the file has no rows")]
    NoRows,
    /// A column is missing.
    #[error(
        "it is missing; this is the per-model CSV of the reference code, not models_summary.csv"
    )]
    NoColumn,
    /// It is not CSV.
    #[error("it is not CSV in UTF-8: {0}")]
    Csv(String),
    /// It is in no encoding that is read.
    #[error("the file says that it is UTF-16, and is not; save it as CSV in UTF-8")]
    NotText,
    /// A spreadsheet has cut a cell.
    #[error(
        "it has exactly 32,767 characters, the most that a spreadsheet keeps in a cell, so its end is lost; import the file that \
         the reference code wrote"
    )]
    Cut,
    /// A row has too many or too few cells.
    #[error("the row has {found} cells, the header {wanted}; a quote may be missing")]
    Cells {
        /// How many it has.
        found: usize,
        /// How many the header has.
        wanted: usize,
    },
    /// A score or a cost is no number, or an impossible one.
    #[error("it is no number in range")]
    NoAmount,
    /// The counts are none that the reference code writes.
    #[error("it is no record of counts as the reference code prints it")]
    NoCounts,
    /// The history does not begin with a first round.
    #[error("it does not begin with [Round 1] and a user line, and is not Error")]
    NoHistory,
    /// Two rows belong to different modes.
    #[error("the row belongs to another mode than those before it; one file is one run")]
    ModesDiffer,
}
