//! What the pages of a live table have in common, drawn by the page itself or by a benchmark.

pub mod ends;
pub mod frame;
pub mod others;
pub mod unmasked;

use turnwise_shared::benchmark::People;
use turnwise_shared::wire::live::Clock;

use crate::live_seat::LiveSeat;
use crate::prelude::*;

/// A view as the pages of games hold it.
pub type Sight = Arc<SeatView>;

/// How people play what is played at the table of a seat.
pub fn people_at(seat: LiveSeat) -> &'static People {
    let people = seat.view.with(|view| {
        let table = &view.as_ref()?.table;
        registry::find(&table.benchmark).ok()?.people()
    });
    people.unwrap_or(&People::OF_TASKS)
}

/// The clock of a seat's table; none while the server has not said so.
pub fn clock_at(seat: LiveSeat) -> Clock {
    let clock = |view: &Option<Sight>| view.as_ref().map(|view| view.table.clock);
    seat.view.with(clock).unwrap_or(Clock::NONE)
}
