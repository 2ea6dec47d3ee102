//! A match of two.

mod end;
mod page;

use super::{Jump, Screen};
use crate::at_table::ends::{End, Over};
use crate::live_seat::LiveSeat;
use crate::prelude::*;

pub struct Match;

impl Screen for Match {
    fn table(&self, seat: LiveSeat) -> Option<AnyView> {
        Some(any_view! { <page::MatchPage seat/> })
    }

    fn jump(&self) -> Option<Jump> {
        Some(Jump { name: "Next change of move", finds: changes })
    }

    fn end(&self, over: &Over<'_>) -> Option<End> {
        end::match_end(over)
    }
}

/// Whether a seat moves otherwise than in its turn before.
fn changes(cells: &[Cell], at: usize) -> bool {
    let moved = |cell: &Cell| cell.sentence.split(" → ").next().map(str::to_owned);
    let before = cells[..at].iter().rev().find(|before| before.seat == cells[at].seat);
    before.is_some_and(|before| moved(before) != moved(&cells[at]))
}
