//! The other people at the table: who they are, and whether they are still there. And the page of a person who has left it.

use turnwise_shared::wire::live::Sitter;

use super::{clock_at, people_at};
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::play as words;
use crate::strings::play::Presence;

fn presence(sitter: &Sitter) -> Presence {
    match (sitter.left, sitter.connected) {
        (true, _) => Presence::Left,
        (false, true) => Presence::Here,
        (false, false) => Presence::Away,
    }
}

/// What a person is called; the seat, where they gave no name.
fn called(seat: &Seat, sitter: &Sitter) -> String {
    match sitter.name.as_deref().map(str::trim) {
        None | Some("") => format!("Seat {}", seat.as_str()),
        Some(name) => name.to_owned(),
    }
}

/// Whether the person of this page has left the table for good.
pub fn has_left(seat: LiveSeat) -> bool {
    seat.view.is_some_and(|view| {
        let own = view.table.people.get(&view.seat);
        own.is_some_and(|own| own.left)
    })
}

/// Everybody else who sits here, in a sentence each. Nothing where all others are bots or models.
#[component]
pub fn Others(seat: LiveSeat) -> impl IntoView {
    let others = Memo::new(move |_| {
        seat.view.with(|view| {
            let Some(view) = view else {
                return Vec::new();
            };
            let people = view.table.people.iter();
            people
                .filter(|(place, _)| **place != view.seat)
                .map(|(place, sitter)| (called(place, sitter), presence(sitter)))
                .collect()
        })
    });
    let rows = move || {
        let (people, clock) = (people_at(seat), clock_at(seat));
        others
            .get()
            .into_iter()
            .map(|(name, presence)| {
                let class = match presence {
                    Presence::Here => "soft",
                    Presence::Away | Presence::Left => "warn",
                };
                view! { <li class=class>{words::present(&name, presence, people.absent, clock.runs())}</li> }
            })
            .collect_view()
    };
    view! {
        <div role="status" class="small pothers" hidden=move || others.with(Vec::is_empty)>
            <ul aria-label="The other people at the table">{rows}</ul>
        </div>
    }
}

/// The page of a person who has left a table that goes on.
#[component]
pub fn Left(seat: LiveSeat) -> impl IntoView {
    view! {
        <div class="page-head"><div><h1>"You have left the table"</h1></div></div>
        <div class="stack" role="status">
            <p>{move || format!("Your seat cannot be taken again: {}.", people_at(seat).absent)}</p>
            <p class="soft">"The others play on. Once the table is over, everything that was played is shown here."</p>
            <p class="row"><a class="btn btn-primary" href="/play">{words::ANOTHER}</a></p>
        </div>
    }
}
