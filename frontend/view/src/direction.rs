//! From which end a list is sorted.

/// Where a sorted list begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Up,
    Down,
}
