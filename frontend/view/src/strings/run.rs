//! The page of a run.

use crate::number::{count, counted};

pub fn finished(finished: u64, planned: u64) -> (String, String) {
    (format!("{} of {}", count(finished), count(planned)), " finished".to_owned())
}
/// How many failed and are played again on resume; nothing where none did.
pub fn failed(failed: usize) -> Option<String> {
    (failed > 0).then(|| format!("{} failed (will be replayed)", count(failed)))
}

pub use turnwise_shared::screen::words::{RUNS, WALL};

pub mod wall;

texts!("run");
