//! `game-log-N.ndjson`: what happened at a table, event by event (specification 4.g).
//!
//! The app ran under a development server that calls state updaters twice, so that most events stand there twice; equal
//! repeats are dropped. Hands that came to a showdown have no event that says who won; the winnings so far of the next hand's
//! start tell it. Hole cards are nowhere.
//!
//! [`read`] makes hands of lines, [`replay`] plays them with our `reference` engine and compares, [`summary`] counts, and
//! [`write`] makes such a log of hands that our engine played, so that all this can be tried: no log has been published.

mod counts;
mod hand;
mod read;
pub mod replay;
#[cfg(test)]
mod tests;
pub mod write;

pub use counts::{Counts, HandRow, PlayerCounts, Summary, summary};
pub use hand::{
    Counter, Ending, GameLog, Logged, LoggedAction, LoggedHand, Snapshot, SnapshotPlayer,
};
