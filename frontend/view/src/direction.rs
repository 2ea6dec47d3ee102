//! From which end a list is sorted.

/// Where a sorted list begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    /// With the least.
    #[default]
    Up,
    /// With the greatest.
    Down,
}
