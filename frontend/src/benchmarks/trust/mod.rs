//! A match of two.

mod end;
mod page;

use leptos::prelude::*;

use super::Screen;
use crate::live_seat::LiveSeat;
use crate::pages::table::over::{End, Over};

/// See the module's head.
pub struct Match;

impl Screen for Match {
    fn table(&self, seat: LiveSeat) -> Option<AnyView> {
        Some(view! { <page::MatchPage seat/> }.into_any())
    }

    fn end(&self, over: &Over<'_>) -> Option<End> {
        end::match_end(over)
    }
}
