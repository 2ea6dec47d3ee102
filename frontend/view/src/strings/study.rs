//! The study on the page of a run.

pub const PUBLISHED: &str = "Show what the paper prints";
