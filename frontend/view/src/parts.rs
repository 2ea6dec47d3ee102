//! The parts of a run, in the order in which a reader wants them.

use std::cmp::Ordering;

use turnwise_shared::metrics::report::{BreakdownRow, Figure};
use turnwise_shared::screen::natural::natural;

use super::direction::Direction;

/// By what the parts of a run are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Column {
    #[default]
    Name,
    /// How many graded episodes they have.
    Count,
    /// Their score; without one comes last.
    Score,
}

/// An order of the parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Order {
    pub column: Column,
    pub direction: Direction,
}

impl Order {
    /// The order after the user pressed the head of a column: numbers begin with the greatest, and pressing again turns
    /// the order around.
    pub fn pressed(self, column: Column) -> Self {
        let direction = match (self.column == column, self.direction, column) {
            (true, Direction::Up, _) | (false, _, Column::Count | Column::Score) => Direction::Down,
            (true, Direction::Down, _) | (false, _, Column::Name) => Direction::Up,
        };
        Order { column, direction }
    }

    /// What `aria-sort` says of a column; nothing for the others.
    pub fn aria(self, column: Column) -> Option<&'static str> {
        (self.column == column).then_some(match self.direction {
            Direction::Up => "ascending",
            Direction::Down => "descending",
        })
    }
}

/// The rows in that order; equal ones by name.
pub fn sorted(rows: &[BreakdownRow], order: Order) -> Vec<BreakdownRow> {
    let mut rows = rows.to_vec();
    let turn = |ordering: Ordering| match order.direction {
        Direction::Up => ordering,
        Direction::Down => ordering.reverse(),
    };
    rows.sort_by(|a, b| {
        let by_name = natural(&a.value, &b.value);
        match order.column {
            Column::Name => turn(by_name),
            Column::Count => turn(a.n.cmp(&b.n)).then(by_name),
            Column::Score => match (a.score, b.score) {
                (Some(one), Some(other)) => turn(one.total_cmp(&other)).then(by_name),
                (one, other) => other.is_some().cmp(&one.is_some()).then(by_name),
            },
        }
    });
    rows
}

/// Whether a figure says something that is neither nothing nor said by the headline already.
pub fn says_more(figure: &Figure, headline: &[Figure]) -> bool {
    let is_something = figure.value.is_some_and(|value| value != 0.0);
    let is_same = |other: &Figure| {
        (other.value, other.interval, other.unit) == (figure.value, figure.interval, figure.unit)
    };
    is_something && !headline.iter().any(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: &str, n: u32, score: Option<f64>) -> BreakdownRow {
        BreakdownRow { value: value.into(), n, score, interval: None }
    }

    #[test]
    fn parts_are_sorted_by_any_column() {
        let rows = [row("b", 2, Some(0.5)), row("a", 2, None), row("c", 9, Some(0.1))];
        let names = |column, direction| {
            sorted(&rows, Order { column, direction })
                .into_iter()
                .map(|row| row.value)
                .collect::<String>()
        };
        assert_eq!(names(Column::Name, Direction::Up), "abc");
        assert_eq!(names(Column::Name, Direction::Down), "cba");
        assert_eq!(names(Column::Count, Direction::Down), "cab");
        assert_eq!(names(Column::Score, Direction::Up), "cba");
        assert_eq!(names(Column::Score, Direction::Down), "bca", "without a score comes last");
    }

    #[test]
    fn numbers_begin_with_the_greatest_and_turn_around() {
        let order = Order::default().pressed(Column::Score);
        assert_eq!(order.aria(Column::Score), Some("descending"));
        assert_eq!(order.aria(Column::Name), None);
        let again = order.pressed(Column::Score);
        assert_eq!(again.aria(Column::Score), Some("ascending"));
        assert_eq!(again.pressed(Column::Name).aria(Column::Name), Some("ascending"));
    }
}
