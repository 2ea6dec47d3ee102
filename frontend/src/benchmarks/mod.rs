//! What benchmarks draw themselves on pages that are made of their declarations otherwise. A benchmark that is not named here works
//! completely.

/// A section of **New run** that a benchmark draws in place of the form made of its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnForm {
    /// A card for each mode, and the studies of the paper.
    Modes,
    /// A card for each setting of the player's knowledge.
    Knowledge,
}

/// The section that a benchmark draws itself, if it has one.
pub fn own_form(benchmark: &str) -> Option<OwnForm> {
    match benchmark {
        "interactcomp" => Some(OwnForm::Modes),
        "paraworld" => Some(OwnForm::Knowledge),
        _ => None,
    }
}
