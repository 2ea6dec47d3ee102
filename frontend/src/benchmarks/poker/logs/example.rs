//! Made-up logs: random players at tables of our reference engine, written down as the app writes it (specification 4.g).

use serde_json::{Value, json};
use turnwise_shared::benchmarks::poker::action::{Action, Kind, Street};
use turnwise_shared::benchmarks::poker::card::{CARDS, Deck};
use turnwise_shared::benchmarks::poker::chips::{Chips, Unit};
use turnwise_shared::benchmarks::poker::hand::{Hand, Setup};
use turnwise_shared::benchmarks::poker::imported::Amount;
use turnwise_shared::benchmarks::poker::record::{Blinds, HandRecord};
use turnwise_shared::dice;
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::Profile;

const TABLES: u32 = 3;
const HANDS: u32 = 120;
const PLAYERS: usize = 5;
const STACK: u64 = 10_000;
/// More decisions than any hand has.
const MOST_DECISIONS: u32 = 400;

/// Files with their names.
pub fn files() -> Vec<(String, String)> {
    let file = |table| {
        let name = format!("stats-log-{table}.ndjson");
        (name, stats_log(table, &hands(table)))
    };
    (1..=TABLES).map(file).collect()
}

/// Hands at a table, one after the other; when somebody has lost everything, all stacks are reset.
fn hands(table: u32) -> Vec<HandRecord> {
    let full = || vec![Unit::Millionth.chips(STACK); PLAYERS];
    let mut stacks = full();
    (1..=HANDS)
        .map(|number| {
            if stacks.iter().any(Chips::is_zero) {
                stacks = full();
            }
            let record = played(table, number, &stacks);
            stacks.clone_from(&record.stacks);
            record
        })
        .collect()
}

fn played(table: u32, number: u32, stacks: &[Chips]) -> HandRecord {
    let seats = (1..).map(|place: u32| Seat::new(place.to_string()));
    let setup = Setup {
        hand: number,
        profile: Profile::Reference,
        button: (number as usize - 1) % stacks.len(),
        blinds: Blinds { small: Unit::Millionth.chips(50), big: Unit::Millionth.chips(100) },
        seated: seats.zip(stacks.iter().copied()).collect(),
    };
    let cards = dice::draw(table.into(), &format!("deck:{number}"), CARDS, CARDS);
    let deck = Deck::new(&cards).expect("each card is drawn once");
    let mut hand = Hand::deal(setup, &deck).expect("everybody has chips");
    let choices = format!("choices:{number}");
    let mut choices = dice::draw(table.into(), &choices, 10_000, MOST_DECISIONS).into_iter();
    while let Some(place) = hand.to_act() {
        let choice = choices.next().unwrap_or(0);
        let action = match choice % 24 {
            0..14 => Action::FOLD,
            14..20 => Action::CALL,
            20..22 => Action::CHECK,
            22 => Action::raise_to(Unit::Millionth.chips(u64::from(choice / 10) * 10)),
            _ => Action::ALL_IN,
        };
        hand.act(place, action).expect("the reference engine takes every action");
    }
    hand.into_record()
}

/// A line for every hand that was won by folds; what the others won goes into the next line.
fn stats_log(table: u32, hands: &[HandRecord]) -> String {
    let mut seats = vec![Counters::default(); PLAYERS];
    let mut lines = String::new();
    for hand in hands {
        for (place, seat) in seats.iter_mut().enumerate() {
            seat.count(hand, place);
        }
        if hand.is_showdown() {
            continue;
        }
        let players: Vec<Value> =
            seats.iter_mut().enumerate().map(|(place, seat)| seat.written(hand, place)).collect();
        let line = json!({
            "timestamp": hand.hand, "tableId": table, "gameNumber": 1, "handNumber": hand.hand, "players": players,
        });
        lines.push_str(&format!("{line}\n"));
    }
    lines
}

/// What a player has done so far.
#[derive(Debug, Clone, Default)]
struct Counters {
    since_last_line: i64,
    folds: u32,
    played: u32,
    best: i64,
    worst: i64,
}

impl Counters {
    fn count(&mut self, hand: &HandRecord, place: usize) {
        let delta = hand.deltas[place];
        self.since_last_line += delta;
        self.best = self.best.max(delta);
        self.worst = self.worst.min(delta);
        self.folds += u32::from(hand.fold_of(place).is_some());
        let own = hand.actions.iter().filter(|action| action.place == place);
        let mut before_flop = own.filter(|action| action.street == Street::Preflop);
        let plays =
            before_flop.any(|action| !matches!(action.happened.kind, Kind::Fold | Kind::Check));
        self.played += u32::from(plays);
    }

    fn written(&mut self, hand: &HandRecord, place: usize) -> Value {
        let winnings = std::mem::take(&mut self.since_last_line);
        let chips = i64::try_from(hand.stacks[place].units()).unwrap_or(i64::MAX);
        json!({
            "id": place + 1,
            "name": format!("Player {}", place + 1),
            "model": format!("made-up/model-{}", place + 1),
            "chips": Amount::millionths(chips),
            "handWinnings": Amount::millionths(winnings),
            "handsPlayed": hand.hand,
            "folds": self.folds,
            "vpipCount": self.played,
            "avgThinkMs": 0,
            "biggestWin": Amount::millionths(self.best),
            "biggestLoss": Amount::millionths(self.worst),
        })
    }
}

#[cfg(test)]
mod tests {
    use turnwise_shared::benchmarks::poker::imported::stats_log::{StatsLog, overview};

    use super::*;

    /// What the statistics prove is what our engine really paid.
    #[test]
    fn what_is_found_in_the_example_is_true() {
        let logs: Vec<StatsLog> = files()
            .iter()
            .map(|(name, text)| StatsLog::read(name, text).expect("we wrote it"))
            .collect();
        let overview = overview(&logs).expect("they are of one game");
        let wrong = &overview.missettled;
        assert!(wrong.overpaid_hands > 1, "{wrong:?}");
        assert!(wrong.returned_chips > Amount::ZERO);
        for found in &wrong.evidence {
            let hands = hands(found.table);
            let hand = &hands[found.hand as usize - 1];
            let winner = hand.deltas.iter().position(|delta| *delta > 0);
            let winner = winner.expect("somebody won");
            assert_eq!(found.winner, format!("Player {}", winner + 1));
            assert_eq!(found.won, Amount::millionths(hand.deltas[winner]));
            let opening = hand.places[winner].opening.units();
            assert_eq!(
                found.winner_stack.in_millionths(),
                i64::try_from(opening).expect("a stack is small")
            );
        }
    }
}
