//! A table with cards and chips: an oval felt, places around it, the board and the pots in its middle.

use turnwise_shared::scene::{PlaceState, TablePlace};

use crate::prelude::*;
use crate::strings::game as words;
use crate::view::felt::{Face, card_name, chips, delta, face, front, price, spoken, spots, total};

/// The shares of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    /// The share of each place, 0 to 1; `None` for one that does not take part.
    pub shares: Vec<Option<f64>>,
    /// Whether they were estimated from a sample of boards.
    pub sampled: bool,
}

/// What is known about places beyond what the table says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes {
    /// Who sits in each place, e.g. `equity`; in the order of the places, empty where the player is unknown.
    pub who: Vec<String>,
    /// What stands beside each place, e.g. its chance to win; in the order of the places.
    pub beside: Vec<Option<String>>,
    /// What the place that is to act decides, e.g. `raises to 300`.
    pub decides: Option<String>,
}

/// More places than this need a longer table on a narrow page.
const MANY: usize = 6;

/// Cards of the board that can be dealt.
const BOARD: usize = 5;

pub fn felt(table: &CardTable, notes: &Notes) -> AnyView {
    let spots = spots(table.places.len(), front(table));
    let places: Vec<_> = table
        .places
        .iter()
        .zip(spots)
        .enumerate()
        .map(|(index, (place, spot))| {
            let percent = |value: f64| format!("{value}%");
            let bet =
                (place.bet > 0).then(|| stake("bet", &chips(place.bet, table.units_per_chip)));
            view! {
                <li
                    class="place"
                    class:is-side={spot.tall_x.abs() > 20.0}
                    class:is-low={spot.tall_y > 0.0}
                    class:is-folded=place.state == PlaceState::Folded
                    class:is-out=place.state == PlaceState::Out
                    class:is-acting=place.to_act
                    class:is-own=place.own
                    class:is-winner=place.delta.is_some_and(|won| won > 0)
                    style:--x=percent(spot.x)
                    style:--y=percent(spot.y)
                    style:--tall-x=percent(spot.tall_x)
                    style:--tall-y=percent(spot.tall_y)
                >
                    {bet}
                    {place_view(table, place, index, notes)}
                </li>
            }
        })
        .collect();
    let many = table.places.len() > MANY;
    let label = format!("The table, hand {}, {}", table.hand, table.street);
    any_view! {
        <div class="felt-box" translate="no">
            <div class="felt" class:felt-many=many role="group" aria-label=label>
                <div class="felt-cloth" aria-hidden="true"></div>
                {middle(table)}
                <ol class="places">{places}</ol>
            </div>
        </div>
    }
}

/// A table in few words, for a place beside a turn: cards, pot and price, and how everybody stands.
pub fn look(table: &CardTable) -> AnyView {
    let amount = |units| chips(units, table.units_per_chip);
    let own = table.places.iter().find(|place| place.own);
    let hole = own.map(|own| {
        let names: Vec<String> = own.cards.iter().flatten().map(|card| card_name(card)).collect();
        let cards: Vec<_> = own.cards.iter().map(|card| card_view(card.as_deref())).collect();
        view! {
            <span role="img" aria-label=format!("own cards: {}", names.join(" and "))>
                <b aria-hidden="true">"own cards"</b>
                {cards}
            </span>
        }
    });
    let names: Vec<String> = table.board.iter().map(|card| card_name(card)).collect();
    let board = match names.is_empty() {
        true => any_view! { <span>{words::street(&table.street)}</span> },
        false => {
            let cards: Vec<_> = table.board.iter().map(|card| card_view(Some(card))).collect();
            any_view! {
                <span role="img" aria-label=words::board(&names)>
                    <b aria-hidden="true">{words::street(&table.street)}</b>
                    {cards}
                </span>
            }
        }
    };
    let to_call = price(table).map(|price| words::to_call(amount(price.to_call)));
    let places: Vec<_> = table
        .places
        .iter()
        .map(|place| {
            let mut parts =
                vec![format!("P{} {}", place.place, place.position), amount(place.stack)];
            if place.bet > 0 {
                parts.push(words::bet(amount(place.bet)));
            }
            match place.state {
                PlaceState::Folded => parts.push(words::FOLDED.to_owned()),
                PlaceState::AllIn => parts.push(words::ALL_IN.to_owned()),
                PlaceState::Out => parts.push(words::OUT.to_owned()),
                PlaceState::Live => {}
            }
            view! {
                <li class:is-folded=place.state == PlaceState::Folded class:is-own=place.own>
                    {parts.join(" · ")}
                </li>
            }
        })
        .collect();
    any_view! {
        <div class="look">
            <div class="look-cards">
                {hole}
                {board}
                <span class="num">
                    {format!("pot {}", amount(total(table)))}
                    {to_call.map(|to_call| format!(", {to_call}"))}
                </span>
            </div>
            <ul class="look-places">{places}</ul>
        </div>
    }
}

fn middle(table: &CardTable) -> AnyView {
    let cards: Vec<_> = (0..BOARD)
        .map(|at| match table.board.get(at) {
            Some(card) => card_view(Some(card)),
            None => any_view! { <span class="pc pc-slot"></span> },
        })
        .collect();
    let board = match table.board.is_empty() {
        true => "no open cards yet".to_owned(),
        false => words::board(&table.board.iter().map(|card| card_name(card)).collect::<Vec<_>>()),
    };
    let pots: Vec<_> = table
        .pots
        .iter()
        .enumerate()
        .filter(|(_, amount)| **amount > 0)
        .map(|(at, amount)| {
            let name = words::pot(at, table.pots.len());
            stake(&name, &chips(*amount, table.units_per_chip))
        })
        .collect();
    any_view! {
        <div class="middle">
            <p class="street">{words::street(&table.street)}</p>
            <p class="board" role="img" aria-label=board>{cards}</p>
            <p class="pots">{pots}</p>
        </div>
    }
}

fn stake(name: &str, amount: &str) -> AnyView {
    any_view! {
        <span class="stake" class:is-bet=name == "bet">
            <span class="chip" aria-hidden="true"></span>
            <span class="sr">{name.to_owned()} " "</span>
            {(name != "bet").then(|| view! { <span class="stake-name" aria-hidden="true">{name.to_owned()}</span> })}
            <b>{amount.to_owned()}</b>
        </span>
    }
}

fn place_view(table: &CardTable, place: &TablePlace, index: usize, notes: &Notes) -> AnyView {
    let name = format!("P{}", place.place);
    let who = notes.who.get(index).filter(|who| !who.is_empty()).cloned();
    // A hand that folded wins nothing, whatever it would have won.
    let beside = notes.beside.get(index).cloned().flatten();
    let beside = beside.filter(|_| place.state != PlaceState::Folded);
    let decides = notes.decides.clone().filter(|_| place.to_act);
    let label = spoken(place, who.as_deref().unwrap_or(&name), table);
    let cards: Vec<_> = place.cards.iter().map(|card| card_view(card.as_deref())).collect();
    let said = match (&decides, place.state) {
        (Some(decides), _) => Some(decides.clone()),
        (None, PlaceState::Out) => Some(words::OUT.to_owned()),
        (None, PlaceState::Folded) => Some(words::FOLDED.to_owned()),
        (None, PlaceState::AllIn) => Some(words::ALL_IN.to_owned()),
        (None, PlaceState::Live) if place.to_act => Some(words::TO_ACT.to_owned()),
        (None, PlaceState::Live) => place.last.clone(),
    };
    let said = place.holds.clone().or(said);
    let result = place.delta.map(|won| {
        let class = match won.signum() {
            1 => "result is-won",
            -1 => "result is-lost",
            _ => "result",
        };
        view! { <b class=class>{delta(won, table.units_per_chip)}</b> }
    });
    let has_result = result.is_some();
    any_view! {
        <div class="hole" aria-hidden="true">{cards}</div>
        <div class="plate">
            <span class="sr">{label}</span>
            <span class="plate-name" aria-hidden="true">
                <b>{who.unwrap_or_else(|| name.clone())}</b>
                {(!place.position.is_empty()).then(|| view! { <span class="position">{place.position.clone()}</span> })}
            </span>
            <span class="plate-stack" aria-hidden="true">
                <span class="num">{chips(place.stack, table.units_per_chip)}</span>
                {result}
                {beside.map(|beside| view! { <span class="beside">{beside}</span> })}
            </span>
            {said
                .filter(|_| !has_result || place.state == PlaceState::Folded || place.holds.is_some())
                .map(|said| {
                    view! { <span class="plate-said" class:is-now=decides.is_some() aria-hidden="true">{said}</span> }
                })}
            {(place.position == "BTN")
                .then(|| view! { <span class="dealer" aria-hidden="true">"D"</span> })}
        </div>
    }
}

/// A card; `None` lies face down.
pub fn card_view(short: Option<&str>) -> AnyView {
    match short.map(face) {
        Some(Some(Face { rank, suit })) => {
            let class = format!("pc {}", suit.class());
            any_view! {
                <svg class=class viewBox="0 0 48 66" aria-hidden="true">
                    <rect class="pc-face" x="0.75" y="0.75" width="46.5" height="64.5" rx="5"></rect>
                    <text x="5" y="25" class:is-ten=rank == "10">{rank}</text>
                    <path transform="translate(12.5 31) scale(0.86)" d=suit.path()></path>
                </svg>
            }
        }
        _ => any_view! {
            <svg class="pc pc-back" viewBox="0 0 48 66" aria-hidden="true">
                <rect class="pc-face" x="0.75" y="0.75" width="46.5" height="64.5" rx="5"></rect>
                <path d="M7 7H41V59H7Z M7 20L20 7 M7 33L33 7 M7 46L41 12 M7 59L41 25 M20 59L41 38 M33 59L41 51 M28 7L41 20 M15 7L41 33 M7 12L41 46 M7 25L41 59 M7 38L28 59 M7 51L15 59"></path>
            </svg>
        },
    }
}
