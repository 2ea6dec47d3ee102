//! How many calls a run has in flight, seat by seat.

use std::collections::BTreeMap;

use crate::benchmark::Benchmark;
use crate::scheduler::{Limits, Permits};
use crate::seat::{Player, Seat};
use crate::spec::Spec;

/// The limits of a run with so many permits, divided as its benchmark has it; `own` are seats to which somebody gave a
/// number of their own.
///
/// Bots and tapes are answered inside and hold none, so only models (and the search engine) count. A person who is
/// evaluated plays one episode after the other; people in other seats hold no permit, and what they are asked waits.
pub fn limits(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    permits: usize,
    own: &BTreeMap<Seat, usize>,
) -> Limits {
    let mut limits = divided(benchmark.permits(), spec, permits, own);
    let player = spec.seats.get(&Seat::new(Seat::PLAYER));
    if player.is_some_and(|sitting| sitting.player == Player::Person) {
        limits.window = 1;
    }
    limits
}

fn divided(division: Permits, spec: &Spec, permits: usize, own: &BTreeMap<Seat, usize>) -> Limits {
    let mut lanes = own
        .iter()
        .map(|(seat, permits)| (seat.to_string(), *permits));
    if division == Permits::Shared {
        return Limits {
            lanes: lanes.collect(),
            ..Limits::new(permits)
        };
    }
    let models = spec
        .seats
        .iter()
        .filter(|(_, sitting)| matches!(sitting.player, Player::Model { .. }))
        .map(|(seat, _)| seat.as_str());
    let mut limits = Limits::each(permits, models);
    limits.lanes.extend(&mut lanes);
    Limits {
        lanes: limits.lanes.clone(),
        ..Limits::new(limits.lanes.values().sum())
    }
}
