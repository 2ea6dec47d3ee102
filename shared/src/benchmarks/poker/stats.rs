//! Numbers over hands that were played (specification 4.d): [`Numbers`] of each episode, counted once from its notes;
//! [`standings`] over many of them; a [`report`](report::report) of a run. Pure functions, no rules and no protocol.

pub mod chart;
pub mod equity;
pub mod flows;
pub mod latency;
mod numbers;
pub mod report;
pub mod spread;
mod standings;
mod tally;
#[cfg(test)]
mod tests;

pub use numbers::{HandResult, Numbers};
pub use standings::{Over, Played, Standing, Standings, Variance, standings};
pub use tally::{Cell, Tally};
