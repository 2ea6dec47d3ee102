//! The wall of ribbons: which episodes, in which order, in which groups, on which rows, and which rows are in sight.

mod arrange;
mod choices;
mod pricing;
mod query;
mod rows;

use std::collections::BTreeMap;

use turnwise_shared::prelude::*;

use super::causes::Cause;
use super::direction::Direction;
use super::episode_status::EpisodeStatus;

#[cfg(any(test, feature = "testing"))]
pub use arrange::arrange;
pub use arrange::{Arranged, Arranging, Band};
pub use choices::{Choices, Choosing};
pub use pricing::Pricing;
pub use rows::{Rows, Step, WallLine, filled, in_sight, stop, window};
pub use turnwise_shared::screen::columns::{Column, Columns};
pub use turnwise_shared::screen::look::Look;

/// How a wall is looked at. Everything of it stands in the address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wall {
    /// By what episodes are sorted.
    pub sort: By,
    pub direction: Direction,
    /// By what they are put together under a heading; `None` = not at all.
    pub group: Option<By>,
    pub filter: Filter,
    /// How large they are drawn; `None` = as their number suggests.
    pub look: Option<Look>,
    /// The columns of the table; `None` = all that the run fills, on a phone those that say most.
    pub columns: Option<Columns>,
}

impl Wall {
    /// The columns that are shown of those that the run fills.
    pub fn shown_columns(&self, filled: Columns, on_a_phone: bool) -> Columns {
        let usual = || match (on_a_phone, filled.has(Column::Question)) {
            (true, true) => [Column::Question, Column::Answer].into_iter().collect(),
            (true, false) => [Column::Turns, Column::Answer].into_iter().collect(),
            (false, _) => filled,
        };
        self.columns.unwrap_or_else(usual).and(filled)
    }

    /// Sorts by something, or turns the order around where it is sorted by that already.
    pub fn sort_by(&mut self, by: By) {
        self.direction = match (self.sort == by, self.direction) {
            (true, Direction::Up) => Direction::Down,
            (true, Direction::Down) | (false, _) => Direction::Up,
        };
        self.sort = by;
    }

    /// Shows a column or hides it; what is the usual choice again is none.
    pub fn choose_column(
        &mut self,
        column: Column,
        is_shown: bool,
        filled: Columns,
        on_a_phone: bool,
    ) {
        let chosen = self.shown_columns(filled, on_a_phone).with(column, is_shown);
        self.columns = None;
        if self.shown_columns(filled, on_a_phone) != chosen {
            self.columns = Some(chosen);
        }
    }
}

/// By what episodes are sorted and grouped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum By {
    /// The task's id, numbers by their value.
    #[default]
    Task,
    /// How they stand, the best first.
    Outcome,
    /// How many turns they have.
    Length,
    /// The first turn in which the player asked; never comes last.
    FirstAsk,
    /// How often the player asked.
    Asks,
    /// Tokens read and written, of all seats.
    Tokens,
    /// How the episode ended, in the protocol's word.
    Ending,
    Question,
    Answer,
    /// How sure it said it is.
    Confidence,
    /// Dollars of all seats and searches; what is unknown comes last.
    Cost,
    /// A label of the task, e.g. `domain`.
    Label(String),
}

impl By {
    /// What a column of the table shows.
    pub fn of_column(column: Column) -> Self {
        match column {
            Column::Question => By::Question,
            Column::Turns => By::Length,
            Column::Answer => By::Answer,
            Column::Confidence => By::Confidence,
            Column::Tokens => By::Tokens,
            Column::Cost => By::Cost,
            Column::Outcome => By::Outcome,
        }
    }

    /// Whether episodes have it in common, so that they can be put together by it.
    pub fn groups(&self) -> bool {
        !matches!(self, By::Task | By::Question | By::Answer | By::Confidence | By::Cost)
    }
}

/// Which episodes are shown. All conditions hold together; an absent one does not bind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those that stand so.
    pub outcome: Option<EpisodeStatus>,
    /// Only tasks with these values of labels.
    pub labels: BTreeMap<String, String>,
    /// Only those that are not right, or not right for one reason.
    pub cause: Option<CauseFilter>,
    /// Only those with a fault.
    pub fault: Option<FaultFilter>,
    /// Only those in whose id, labels, answer, ending, flags or sentences these words occur, letter case aside.
    pub text: String,
    /// Only those in whose transcripts these words occur; the server looks for them.
    pub within: String,
}

impl Filter {
    pub fn is_open(&self) -> bool {
        *self == Filter::default()
    }
}

/// Why an episode must not be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseFilter {
    Any,
    One(Cause),
}

impl CauseFilter {
    pub fn passes(self, summary: &Summary) -> bool {
        match (self, Cause::of(summary)) {
            (CauseFilter::Any, cause) => cause.is_some(),
            (CauseFilter::One(wanted), cause) => cause == Some(wanted),
        }
    }
}

/// Which fault an episode must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultFilter {
    Any,
    Class(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_sorts_and_turns_the_order_around() {
        let mut wall = Wall::default();
        wall.sort_by(By::of_column(Column::Turns));
        assert_eq!(wall.query(), "sort=length");
        wall.sort_by(By::Length);
        assert_eq!(wall.query(), "sort=-length");
        wall.sort_by(By::of_column(Column::Cost));
        assert_eq!(wall.query(), "sort=cost");
        assert_eq!(Wall::read("sort=-confidence").sort, By::Confidence);
        for column in Column::ALL {
            let by = By::of_column(column);
            assert_eq!(By::named(&by.name()), Some(by));
        }
        wall.sort_by(By::Task);
        assert_eq!(wall, Wall::default());
    }

    #[test]
    fn columns_are_chosen_among_those_that_the_run_fills() {
        let filled = Columns::read("question,turns,answer,outcome").expect("columns");
        let mut wall = Wall::default();
        assert_eq!(wall.shown_columns(filled, false), filled);
        let phone = wall.shown_columns(filled, true);
        assert_eq!(phone.written(), "question,answer");
        let of_game = Columns::read("turns,answer,outcome").expect("columns");
        assert_eq!(wall.shown_columns(of_game, true).written(), "turns,answer");
        wall.choose_column(Column::Turns, false, filled, false);
        let written = wall.columns.map(Columns::written);
        assert_eq!(written.as_deref(), Some("question,answer,outcome"));
        assert!(!wall.shown_columns(filled, false).has(Column::Turns));
        // What an address names and the run has not is not shown.
        wall.columns = Columns::read("cost,question");
        assert_eq!(wall.shown_columns(filled, false).written(), "question");
        // The usual choice leaves no trace in the address.
        wall.columns = Columns::read("question,answer,outcome");
        wall.choose_column(Column::Turns, true, filled, false);
        assert_eq!(wall, Wall::default());
        for column in filled.each() {
            wall.choose_column(column, false, filled, false);
        }
        assert_eq!(wall.query(), "columns=none");
        assert_eq!(wall.shown_columns(filled, true), Columns::default());
    }
}
