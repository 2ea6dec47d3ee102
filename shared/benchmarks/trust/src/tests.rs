//! Matches by hand, and whole runs against the golden vectors.

mod branches;
mod matches;
pub mod runs;

use turnwise_core::prelude::*;
use turnwise_core::testing::sitting;

/// A spec with these players in the seats 1 to n, as the command line writes them.
pub fn spec_of(players: &str) -> Spec {
    let mut spec = turnwise_core::benchmark::default_spec(&super::Trust);
    spec.seats.clear();
    let players = super::lineup::read(players).expect("players");
    for (number, (_, player)) in (1..).zip(players) {
        spec.seats.insert(Seat::new(number.to_string()), sitting(&player.to_string()));
    }
    spec
}
