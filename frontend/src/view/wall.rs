//! The wall of ribbons: which episodes, in which order, in which groups, on which rows, and which rows are in sight.

mod arrange;
mod query;
mod rows;

use std::collections::BTreeMap;

use super::standing::Standing;

pub use arrange::{Arranged, Band, arrange};
pub use rows::{Row, Rows, Step, window};

/// How a wall is looked at. Everything of it stands in the address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wall {
    /// By what episodes are sorted.
    pub sort: By,
    /// From which end.
    pub direction: Direction,
    /// By what they are put together under a heading; `None` = not at all.
    pub group: Option<By>,
    /// Which are shown.
    pub filter: Filter,
    /// How large they are drawn; `None` = as their number suggests.
    pub look: Option<Look>,
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
    /// In which turn somebody was first asked; never comes last.
    FirstAsk,
    /// A label of the task, e.g. `domain`.
    Label(String),
}

/// Where a sorted list begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    /// With the least.
    #[default]
    Up,
    /// With the greatest.
    Down,
}

/// Which episodes are shown. All conditions hold together; an absent one does not bind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those that stand so.
    pub outcome: Option<Standing>,
    /// Only tasks with these values of labels.
    pub labels: BTreeMap<String, String>,
    /// Only those with a fault.
    pub fault: Option<FaultFilter>,
    /// Only those in whose id, labels, answer, ending, flags or sentences these words occur, letter case aside.
    pub text: String,
}

impl Filter {
    /// Whether everything is shown.
    pub fn is_open(&self) -> bool {
        *self == Filter::default()
    }
}

/// Which fault an episode must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultFilter {
    /// Any.
    Any,
    /// One of this class.
    Class(String),
}

/// How large a wall is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// One episode a row, with labels and confidence.
    List,
    /// Several episodes a row, with letters.
    Tiles,
    /// As many as fit, colours only.
    Dense,
}

impl Look {
    /// Every look.
    pub const ALL: [Look; 3] = [Look::List, Look::Tiles, Look::Dense];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Look::List => "list",
            Look::Tiles => "tiles",
            Look::Dense => "dense",
        }
    }

    /// The look that suits so many episodes.
    pub fn for_count(episodes: usize) -> Self {
        match episodes {
            0..=60 => Look::List,
            61..=180 => Look::Tiles,
            _ => Look::Dense,
        }
    }

    /// The height of a row in CSS pixels; the style sheet says the same.
    pub fn row_height(self) -> f64 {
        match self {
            Look::List => 40.0,
            Look::Tiles => 24.0,
            Look::Dense => 16.0,
        }
    }

    /// How many episodes stand side by side in so many CSS pixels.
    pub fn columns(self, width: f64) -> usize {
        let each = match self {
            Look::List => return 1,
            Look::Tiles => 304.0,
            Look::Dense => 200.0,
        };
        // A width is a few thousand pixels at most, so the cast is exact.
        ((width / each) as usize).clamp(1, 6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_follow_the_width() {
        assert_eq!(Look::Tiles.columns(390.0), 1);
        assert_eq!(Look::Tiles.columns(1280.0), 4);
        assert_eq!(Look::Dense.columns(1280.0), 6);
        assert_eq!(Look::Dense.columns(100.0), 1);
        assert_eq!(Look::List.columns(1280.0), 1);
    }
}
