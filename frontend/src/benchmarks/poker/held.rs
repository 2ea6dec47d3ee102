//! A hand that has ended stays on the table for a moment, although the next may have begun: one wants to see what happened.

use turnwise_shared::scene::PlaceState;

use super::equity::equity;
use crate::at_table::Sight;
use crate::clock;
use crate::components::felt::Notes;
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::strings::{game, play as words};
use crate::view::felt::delta;
use crate::view::number::fixed;

/// How long a hand stays where there is nothing but its result.
const RESULT: Duration = Duration::from_secs(6);

/// How long a hand stays that is shown with all its cards.
const REVEAL: Duration = Duration::from_secs(20);

/// The least time that is left for the next decision before the bank is touched.
const FOR_DECISION: f64 = 12_000.0;

/// The least time for which a hand stays.
const LEAST: Duration = Duration::from_millis(1500);

/// A hand that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldHand {
    pub episode: u32,
    /// The table at its end.
    pub table: CardTable,
    pub result: String,
    /// What the cards would have come to, where all of them are shown.
    pub remark: Option<String>,
    /// Whether all cards are shown.
    reveal: bool,
}

/// The hand that is being looked at, if one is.
#[derive(Clone, Copy)]
pub struct Held {
    pub hand: RwSignal<Option<HeldHand>>,
}

impl Held {
    pub fn release(self) {
        self.hand.set(None);
    }

    /// Whether all cards are shown.
    pub fn is_reveal(self) -> bool {
        self.hand.is_some_and(|hand| hand.reveal)
    }
}

/// Keeps an eye on the hands that end.
pub fn hold(seat: LiveSeat) -> Held {
    let held = Held { hand: RwSignal::new(None) };
    let seen: StoredValue<Option<u32>> = StoredValue::new(None);
    let going: StoredValue<Option<TimeoutHandle>> = StoredValue::new(None);
    let stop = move || {
        if let Some(before) = going.try_update_value(Option::take).flatten() {
            before.clear();
        }
    };
    on_cleanup(stop);
    Effect::new(move |_| {
        let last = seat.view.map(|view| view.last.clone());
        let Some(last) = last else { return };
        let number = last.as_ref().map_or(0, |last| last.episode);
        let before = seen.get_value();
        seen.set_value(Some(number));
        // What had ended before the page was opened is not shown again.
        let (Some(before), Some(last)) = (before, last) else {
            return;
        };
        if number <= before {
            return;
        }
        let reveal = last.reveal.as_ref().and_then(table_of);
        let Some(own) = table_of(&last.scene) else {
            return;
        };
        let table = reveal.map(|all| with_own(all, own));
        let is_reveal = table.is_some();
        held.hand.set(Some(HeldHand {
            episode: number,
            result: result(own),
            remark: table.as_ref().and_then(|table| {
                let people = seat.view.with_untracked(|view| view.as_ref().map(people));
                let who = notes(table, &seat.kept().names, &people.unwrap_or_default(), false).who;
                would_have_won(table, &who)
            }),
            reveal: is_reveal,
            table: table.unwrap_or_else(|| own.clone()),
        }));
        stop();
        let stays = stays(seat, if is_reveal { REVEAL } else { RESULT });
        let next = set_timeout_with_handle(move || held.release(), stays);
        going.set_value(next.ok());
    });
    held
}

/// How long a hand may stay, so that enough time is left for the next decision.
fn stays(seat: LiveSeat, wanted: Duration) -> Duration {
    let left = seat
        .deadline
        .with_untracked(|deadline| deadline.map(|deadline| deadline.bank_from - clock::now()));
    let most = left
        .map_or(wanted, |left| Duration::from_secs_f64((left - FOR_DECISION).max(0.0) / 1000.0));
    wanted.min(most).max(LEAST)
}

/// The table with all cards, seen from the person's place.
pub fn with_own(all: &CardTable, own: &CardTable) -> CardTable {
    let mut table = all.clone();
    for place in &mut table.places {
        place.own = own.places.iter().any(|other| other.own && other.place == place.place);
    }
    table
}

/// The same cards as if no player had folded.
fn all_stayed(table: &CardTable) -> CardTable {
    let mut table = table.clone();
    for place in &mut table.places {
        place.delta = None;
        if place.state == PlaceState::Folded {
            place.state = PlaceState::Live;
        }
    }
    table
}

/// Who had the best cards, in a sentence; `who` are the names of the places, empty where the player is unknown.
pub fn would_have_won(table: &CardTable, who: &[String]) -> Option<String> {
    let shares = equity(&all_stayed(table))?.shares;
    let best = shares.iter().flatten().copied().fold(0.0, f64::max);
    let names: Vec<String> = table
        .places
        .iter()
        .zip(&shares)
        .zip(who)
        .filter(|((_, share), _)| share.is_some_and(|share| (best - share).abs() < 1e-9))
        .map(|((place, _), name)| match (place.own, name.as_str()) {
            (true, _) => words::YOU_THERE.to_owned(),
            (false, "") => format!("P{}", place.place),
            (false, name) => format!("{name} (P{})", place.place),
        })
        .collect();
    Some(match table.board.len() {
        5 => words::best_cards(&names),
        _ => format!(
            "Had everybody stayed in, the best chance: {} with {} %.",
            names.join(" and "),
            fixed(best * 100.0, 0)
        ),
    })
}

/// What stands at the places beside their chips: who sits there, as far as the person may know, and after a hand of practice
/// what the cards were worth.
pub fn notes(
    table: &CardTable,
    names: &BTreeMap<Seat, String>,
    people: &BTreeMap<Seat, String>,
    reveal: bool,
) -> Notes {
    let who = table
        .places
        .iter()
        .map(|place| match (&place.seat, place.own) {
            (_, true) => words::YOU.to_owned(),
            (Some(seat), false) => {
                people.get(seat).or_else(|| names.get(seat)).cloned().unwrap_or_default()
            }
            (None, false) => String::new(),
        })
        .collect();
    let shares = reveal
        .then(|| equity(&all_stayed(table)))
        .flatten()
        .map(|equity| equity.shares)
        .unwrap_or_default();
    Notes {
        who,
        beside: shares
            .into_iter()
            .map(|share| share.map(|share| game::equity(fixed(share * 100.0, 0))))
            .collect(),
        decides: None,
    }
}

/// The table of a scene.
pub fn table_of(scene: &Scene) -> Option<&CardTable> {
    scene.blocks.iter().find_map(|block| match block {
        Block::CardTable(table) => Some(table),
        _ => None,
    })
}

/// The names of people by their seats.
pub fn people(view: &Sight) -> BTreeMap<Seat, String> {
    view.table
        .people
        .iter()
        .filter_map(|(seat, sitter)| Some((seat.clone(), sitter.name.clone()?)))
        .collect()
}

/// What a hand came to for the person, in words.
pub fn result(table: &CardTable) -> String {
    let won = table.places.iter().find(|place| place.own).and_then(|place| place.delta);
    match won {
        Some(won) => words::hand_result(won.signum(), &delta(won, table.units_per_chip)),
        None => "The hand is over.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::scene::TablePlace;

    fn ended() -> CardTable {
        let place = |number: u32, cards: [&str; 2], state| TablePlace {
            place: number,
            seat: Some(number.to_string().as_str().into()),
            position: "BTN".into(),
            stack: 10_000,
            bet: 0,
            cards: cards.map(|card| Some(card.to_owned())).to_vec(),
            state,
            to_act: false,
            own: number == 1,
            delta: Some(if number == 1 { -50 } else { 50 }),
            last: None,
            holds: None,
        };
        CardTable {
            board: ["2c", "3d", "9h", "Js", "Kd"].map(str::to_owned).to_vec(),
            units_per_chip: 1,
            places: vec![
                place(1, ["As", "Ah"], PlaceState::Folded),
                place(2, ["7s", "7h"], PlaceState::Live),
            ],
            ..CardTable::default()
        }
    }

    #[test]
    fn folded_cards_count_as_if_they_had_stayed() {
        assert_eq!(
            would_have_won(&ended(), &[words::YOU.to_owned(), String::new()]),
            Some(words::best_cards(&[words::YOU_THERE.to_owned()]))
        );
        let shown = notes(&ended(), &BTreeMap::new(), &BTreeMap::new(), true);
        assert_eq!(shown.beside, [Some("100 %".to_owned()), Some("0 %".to_owned())]);
        assert_eq!(shown.who, [words::YOU.to_owned(), String::new()]);
    }

    #[test]
    fn nothing_is_said_of_cards_that_are_not_shown() {
        let mut table = ended();
        table.places[1].cards = vec![None, None];
        assert_eq!(would_have_won(&table, &[String::new(), String::new()]), None);
        let shown = notes(&ended(), &BTreeMap::new(), &BTreeMap::new(), false);
        assert!(shown.beside.is_empty());
    }
}
