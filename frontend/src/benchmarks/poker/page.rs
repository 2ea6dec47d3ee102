//! A card table at which a person plays.

use super::held::{Held, hold, notes, people, table_of};
use crate::at_table::Sight;
use crate::at_table::frame::{AsModel, Head, Refusals, remark_in};
use crate::components::felt::felt;
use crate::components::keys::on_key;
use crate::components::play::bet::BetControls;
use crate::components::play::bets::{Options, text, your_turn};
use crate::components::play::clock::DecisionClock;
use crate::components::play::hand::own_cards;
use crate::components::play::log::{ActionLog, named};
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::{game, play as words};

#[component]
pub fn PokerPage(seat: LiveSeat) -> impl IntoView {
    let held = hold(seat);
    let names = StoredValue::new(seat.kept().names);
    let live = Memo::new(move |_| seat.view.with(|view| table_of(&view.as_ref()?.scene).cloned()));
    let shown = Memo::new(move |_| match held.hand.get() {
        Some(hand) => Some(hand.table),
        None => live.get(),
    });
    let asked = Memo::new(move |_| {
        let view = seat.view.get()?;
        let ask = view.ask.as_ref()?;
        let table = table_of(&view.scene)?;
        let options = Options::of(&ask.expect, table)?;
        Some((ask.turn, options))
    });
    let remark = Memo::new(move |_| seat.view.with(|view| remark_in(&view.as_ref()?.scene)));
    let open = Signal::derive(move || seat.open_turn().is_some() && held.hand.is_none());
    let now = Signal::derive(move || {
        let view = seat.view.get();
        shown.with(|table| heading(view.as_ref(), table.as_ref(), held))
    });
    let picture = move || {
        let table = shown.get()?;
        let people = seat.view.map(people);
        let notes = names.with_value(|names| {
            notes(&table, names, &people.unwrap_or_default(), held.is_reveal())
        });
        Some(felt(&table, &notes))
    };
    let cards = Memo::new(move |_| {
        shown.and_then(|table| {
            let own = table.places.iter().find(|place| place.own)?;
            Some(own.cards.clone())
        })
    });
    let who = move |table: &CardTable| {
        let people = seat.view.map(people);
        names.with_value(|names| notes(table, names, &people.unwrap_or_default(), false).who)
    };
    let status = Memo::new(move |_| {
        if let Some(hand) = held.hand.get() {
            return hand.result;
        }
        shown.with(|table| match table {
            _ if !seat.is_connected() => words::NO_LINE.to_owned(),
            Some(table) => {
                let people = seat.view.map(people);
                whose_turn(table, &people.unwrap_or_default(), open.get())
            }
            None => words::WAIT.to_owned(),
        })
    });
    let controls = move || {
        if held.hand.is_some() {
            return any_view! { <Next held/> };
        }
        match asked.get() {
            Some((_, options)) => {
                let known = options.clone();
                let decide = Callback::new(move |decision| seat.reply(text(decision, &known)));
                any_view! { <BetControls options open decide/> }
            }
            None => any_view! { <div class="bets bets-empty"></div> },
        }
    };
    let hand = Signal::derive(move || {
        let episode = seat.view.and_then(|view| view.episode);
        let number = shown.map(|table| table.hand).unwrap_or(0);
        // Two hands never share a number and an episode.
        match held.hand.map(|hand| hand.episode) {
            Some(before) => before * 10_000 + number,
            None => episode.unwrap_or(0) * 10_000 + number,
        }
    });
    let lines = Signal::derive(move || {
        shown.with(|table| {
            let Some(table) = table else {
                return Vec::new();
            };
            let who = who(table);
            let lines = table.log.iter();
            lines.map(|line| named(line, table, &who)).collect()
        })
    });
    view! {
        <Head seat now/>
        <div class="ptable">
            <div class="ptable-felt">{picture}</div>
            <ActionLog hand lines/>
            <div class="pdesk">
                <div class="pdesk-own">
                    {move || cards.get().map(|cards| own_cards(&cards))}
                    <div class="pdesk-words">
                        <p class="pstatus" role="status">{move || status.get()}</p>
                        <DecisionClock deadline=seat.deadline/>
                    </div>
                </div>
                {move || remark.get().map(|remark| view! { <p class="warn" role="alert">{remark}</p> })}
                {controls}
                <Refusals seat/>
            </div>
            <AsModel seat/>
        </div>
    }
}

/// The button that goes on after a hand; Enter does the same.
#[component]
fn Next(held: Held) -> impl IntoView {
    on_key(move |event| {
        if event.key() == "Enter" {
            event.prevent_default();
            held.release();
        }
    });
    view! {
        <div class="bets" translate="no">
            <p class="small soft">{move || held.hand.get().and_then(|hand| hand.remark)}</p>
            <div class="bet-buttons">
                <button class="btn btn-primary btn-big bet-next" type="button" on:click=move |_| held.release()>
                    <span>"Next hand"</span>
                    <kbd aria-hidden="true">"Enter"</kbd>
                </button>
            </div>
        </div>
    }
}

fn heading(view: Option<&Sight>, table: Option<&CardTable>, held: Held) -> String {
    let (Some(view), Some(table)) = (view, table) else {
        return "Table".to_owned();
    };
    let episode = held.hand.map(|hand| hand.episode).or(view.episode);
    match (view.table.episodes, episode) {
        (0 | 1, _) | (_, None) => game::hand(table.hand, table.hands),
        (episodes, Some(episode)) => game::hand(episode, episodes),
    }
}

/// Whose turn it is, and what it is about.
fn whose_turn(table: &CardTable, people: &BTreeMap<Seat, String>, open: bool) -> String {
    if open {
        return your_turn(table);
    }
    match table.places.iter().find(|place| place.to_act) {
        Some(place) if place.own => words::SENT.to_owned(),
        Some(place) => {
            let name = place.seat.as_ref().and_then(|seat| people.get(seat));
            words::thinks(name.map(String::as_str), place.place)
        }
        None => words::WAIT.to_owned(),
    }
}
