//! Publishing a run, checking one, and the public log.

use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::wire::publishing::Change;

use crate::number::{self, Shown};

texts!("publishing");

/// A number with its name.
pub fn measure(label: &str, shown: &Shown) -> String {
    let range = match &shown.range {
        Some(range) => format!(" ({range})"),
        None => String::new(),
    };
    let unit = match shown.unit.is_empty() {
        true => String::new(),
        false => format!(" {}", shown.unit),
    };
    format!("{label} {}{unit}{range}", shown.value)
}

pub fn replies(count: u64, kind: Evidence) -> String {
    format!("{} {}.", number::counted(count, "reply", "replies"), evidence(kind))
}
