//! What the core does for the benchmarks that there are, one file for each of its modules.

mod board;
mod branch;
mod bundle;
mod compare;
mod fairness;
mod heard;
mod others;
mod pausing;
mod permits;
mod person;
mod progress;
mod published;
mod run;
mod screen_play;
mod screen_row;
mod sealed;
mod spending;
mod sweep;
mod task_texts;
mod visitors;

use crate::prelude::*;

/// The benchmark that a spec names.
fn of(spec: &Spec) -> &'static dyn Benchmark {
    registry::find(&spec.benchmark).expect("it is registered")
}

/// The board on which a spec is ranked.
fn board_of(spec: &Spec) -> Digest {
    of(spec).board(spec)
}
