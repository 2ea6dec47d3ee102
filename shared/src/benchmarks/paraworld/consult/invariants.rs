//! The invariants of content, I6 to I10 (specification 4.6): what a page may tell, whatever the engine wrote.

use super::super::reading::engine::{Checked, Violation};
use super::super::task::World;

/// What one world's pages are held to.
pub(super) struct Rules {}

impl Rules {
    pub fn new(_world: &World) -> Self {
        Rules {}
    }

    /// The rules that a page breaks which was written for a query.
    pub fn broken_by(&self, _query: &str, _checked: &Checked) -> Vec<Violation> {
        Vec::new()
    }
}

/// A query as it is compared with others (I11).
pub(super) fn normalised(query: &str) -> String {
    query.to_lowercase()
}
