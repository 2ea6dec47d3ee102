//! How many calls a run has in flight, seat by seat.

use std::collections::BTreeMap;

use crate::registry;
use crate::scheduler::{Limits, Permits};
use crate::seat::{Player, Seat};
use crate::spec::Spec;

/// The limits of a run with so many permits, divided as its benchmark has it; `own` are seats to which somebody gave a
/// number of their own.
///
/// Bots and tapes are answered inside and hold none, so only models (and the search engine) count. A person who is
/// evaluated plays one episode after the other; people in other seats hold no permit, and what they are asked waits.
pub fn limits(spec: &Spec, permits: usize, own: &BTreeMap<Seat, usize>) -> Limits {
    let mut limits = divided(spec, permits, own);
    let player = spec.seats.get(&Seat::new(Seat::PLAYER));
    if player.is_some_and(|sitting| sitting.player == Player::Person) {
        limits.window = 1;
    }
    limits
}

fn divided(spec: &Spec, permits: usize, own: &BTreeMap<Seat, usize>) -> Limits {
    let division = registry::find(&spec.benchmark).map_or(Permits::Shared, |it| it.permits());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::default_spec;

    #[test]
    fn a_seat_can_have_permits_of_its_own() {
        let benchmark = registry::find("interactcomp").expect("it is registered");
        let spec = default_spec(benchmark);
        assert_eq!(limits(&spec, 8, &BTreeMap::new()), Limits::new(8));
        let own = BTreeMap::from([(Seat::new("grader"), 2)]);
        let some = limits(&spec, 8, &own);
        assert_eq!((some.in_flight, some.lanes["grader"]), (8, 2));
    }
}
