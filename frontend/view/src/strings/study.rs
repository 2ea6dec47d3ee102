//! The study on the page of a run.

/// The layer of published points.
pub const PUBLISHED: &str = "Show what the paper prints";
