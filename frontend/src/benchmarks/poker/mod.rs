//! The table of cards.

mod end;
mod equity;
mod held;
mod page;

use super::{Jump, Screen};
use crate::at_table::ends::{End, Over};
use crate::components::felt::Shares;
use crate::live_seat::LiveSeat;
use crate::prelude::*;

pub struct Cards;

impl Screen for Cards {
    fn table(&self, seat: LiveSeat) -> Option<AnyView> {
        Some(any_view! { <page::PokerPage seat/> })
    }

    fn end(&self, over: &Over<'_>) -> Option<End> {
        end::table_end(over)
    }

    fn jump(&self) -> Option<Jump> {
        Some(Jump { name: "Next all-in", finds: |cells, at| cells[at].sentence.contains("all-in") })
    }

    fn shares(&self, table: &CardTable) -> Option<Shares> {
        equity::equity(table)
    }
}
