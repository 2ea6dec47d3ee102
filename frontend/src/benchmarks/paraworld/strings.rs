//! Mind-ParaWorld on the page on which a run is configured: fresh worlds, what checks found.

use crate::prelude::*;

texts!("paraworld/strings");

/// The kinds of questions, counted.
pub fn families(counts: &BTreeMap<String, u32>) -> String {
    let parts: Vec<String> =
        counts.iter().map(|(name, number)| format!("{} × {name}", count(*number))).collect();
    parts.join(", ")
}
