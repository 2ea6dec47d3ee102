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

use std::collections::BTreeMap;

use turnwise_core::metrics::paired::Sample;
use turnwise_core::prelude::*;

pub use numbers::{HandResult, Numbers};
pub use standings::{
    DecisionTimes, Extremes, Over, OverTables, Played, Standing, Standings, TableKey, Variance,
    standings,
};
pub use tally::{Cell, Tally};

/// What is compared of an episode, a hand or a table: big blinds for a hundred hands of everybody who took part. Rotations of
/// one deck are alike.
pub fn sample(summary: &Summary) -> Option<Sample> {
    let numbers: Numbers = summary.measured.numbers.read().ok()?;
    if !summary.complete || numbers.hands.is_empty() || numbers.big_blind == 0 {
        return None;
    }
    let mut won = BTreeMap::new();
    for (place, seat) in numbers.seats.iter().enumerate() {
        let hands = numbers.hands.iter();
        let results: Vec<i64> =
            hands.filter_map(|hand| hand.won.get(place).copied().flatten()).collect();
        if results.is_empty() {
            continue;
        }
        let blinds = results.iter().sum::<i64>() as f64 / numbers.big_blind as f64;
        won.insert(seat.clone(), 100.0 * blinds / results.len() as f64);
    }
    let task = summary.task.id.to_string();
    let deck = summary.task.labels.get("deck");
    Some(Sample {
        cluster: deck.map_or_else(|| task.clone(), |deck| format!("deck {deck}")),
        task,
        numbers: won,
    })
}
