//! The core of Turnwise: interactive benchmarks of language models as plain data.
//!
//! An [`Episode`](episode::Episode) is asked "what now?" and handed "here is what came back". It never knows who sits in a
//! seat: a model, a person, a built-in bot or a recording. A [`Session`](session::Session) keeps it to its contract and writes
//! the [transcript]; a [`Run`](run::Run) holds many of them behind one `poll` and one `tell`. There is no clock, no chance,
//! no network and no file in this crate: whatever comes from outside comes in as an argument.
//!
//! Where to read next: [`episode`] for the contract, [`run`] for what a driver does, [`benchmark`] for what it takes to add
//! a benchmark, [`transcript`] for the file that *is* the run.

#[macro_use]
mod serialised;

pub mod archive;
pub mod benchmark;
pub mod board;
pub mod call;
pub mod caps;
pub mod compare;
pub mod day;
pub mod dice;
pub mod difference;
pub mod effect;
pub mod episode;
pub mod evidence;
pub mod evidence_tier;
pub mod exchange;
pub mod fairness;
pub mod finding;
pub mod formats;
pub mod hash;
pub mod json;
pub mod key;
pub mod kit;
pub mod layout;
pub mod leaderboard;
pub mod lenient;
pub mod markup;
pub mod maths;
pub mod metrics;
pub mod misfit;
pub mod note;
pub mod parse;
pub mod picture;
pub mod prelude;
pub mod prompt;
pub mod python;
pub mod receipt;
pub mod recording;
pub mod replay;
pub mod reread;
pub mod run;
pub mod scene;
pub mod scheduler;
pub mod screen;
pub mod sealed;
pub mod seat;
pub mod session;
pub mod share;
pub mod shortened;
pub mod signs;
pub mod spec;
pub mod sweep;
pub mod task;
pub mod task_texts;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transcript;
pub mod verify;
pub mod visitors;
pub mod wire;

/// A count as its place takes it: the greatest where it does not fit.
pub fn saturated(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}
