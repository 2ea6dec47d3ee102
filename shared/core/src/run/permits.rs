//! How many calls a run has in flight, seat by seat.

use std::collections::BTreeMap;

use crate::benchmark::{Benchmark, SeatInfo};
use crate::scheduler::{Limits, Permits};
use crate::seat::{Player, Seat};
use crate::spec::Spec;

/// The limits of a run with this many permits, divided as its benchmark has it; `own` are seats with a number of their own.
///
/// Bots and recordings are answered inside and hold none, so only models (and the search engine) count. A person who plays has one
/// episode at a time. A person who takes part in the episodes of others, as their user for one, holds no permit; so that they finish
/// one task before the next, few episodes are under way. Gradings come one by one anyway, and hold nothing up.
pub fn limits(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    permits: usize,
    own: &BTreeMap<Seat, usize>,
) -> Limits {
    let mut limits = divided(benchmark.permits(), spec, permits, own);
    let people = spec.seats.iter().filter(|(_, sitting)| sitting.player == Player::Person);
    for (seat, _) in people {
        let is_first = |info: &SeatInfo| info.seat == seat.as_str();
        let plays =
            benchmark.participants().is_some() || benchmark.seats().first().is_some_and(is_first);
        match plays {
            true => limits.window = 1,
            false if !benchmark.grading_seats().contains(&seat.as_str()) => {
                limits.window = limits.window.min(BESIDE);
            }
            false => {}
        }
    }
    limits
}

/// Episodes under way in which a person takes part beside the player: theirs, and the next, which makes its first calls meanwhile.
const BESIDE: usize = 2;

fn divided(division: Permits, spec: &Spec, permits: usize, own: &BTreeMap<Seat, usize>) -> Limits {
    let mut lanes = own.iter().map(|(seat, permits)| (seat.to_string(), *permits));
    if division == Permits::Shared {
        return Limits { lanes: lanes.collect(), ..Limits::new(permits) };
    }
    let models = spec
        .seats
        .iter()
        .filter(|(_, sitting)| matches!(sitting.player, Player::Model { .. }))
        .map(|(seat, _)| seat.as_str());
    let mut limits = Limits::each(permits, models);
    limits.lanes.extend(&mut lanes);
    Limits { lanes: limits.lanes.clone(), ..Limits::new(limits.lanes.values().sum()) }
}
