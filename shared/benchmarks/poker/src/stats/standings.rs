//! Participants over a whole run: rates over all hands, winnings as means over tables or deck sets with their intervals.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::latency::Latency;
use super::numbers::Numbers;
use super::spread::{Mean, Trimmed};
use super::tally::Tally;
use turnwise_core::metrics::spread::ratio;
use turnwise_core::prelude::*;

/// An episode that was played to its end, and where it belongs.
#[derive(Debug, Clone)]
pub struct Played {
    pub table: u32,
    /// Which repeat of the run; its tables are others.
    pub repeat: u32,
    /// In duplicate mode the deck set.
    pub deck: Option<String>,
    pub numbers: Numbers,
}

choices! {
    /// What an interval is taken over: things that do not depend on each other.
    pub enum Over {
        /// Deck sets of duplicate mode: a deck with all its rotations.
        DeckSets = "deck_sets" => "deck sets",
        Tables = "tables",
        /// Hands: there is one table, and its hands are independent.
        Hands = "hands",
        /// Nothing: there is one table, and its hands depend on each other.
        Nothing = "nothing",
    }
}

/// A participant over a run. Chips, not units.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub seat: Seat,
    pub tally: Tally,
    /// Winnings per hand, over the units of the run.
    pub per_hand: Option<Mean>,
    /// The same in big blinds for a hundred hands.
    pub bb100: Option<Mean>,
    /// All-in-adjusted, in big blinds for a hundred hands.
    pub adjusted_bb100: Option<Mean>,
    /// In big blinds for a hundred hands, over hands, whatever the run's units are. Where hands depend on each other the
    /// interval says too much.
    pub bb100_by_hand: Option<Mean>,
    /// Winnings per hand without the two lowest and the two highest tables.
    pub trimmed: Option<Trimmed>,
    pub total: f64,
    /// The largest winnings of a hand and its largest loss, by table and then averaged.
    pub extremes: Option<Extremes>,
    /// The same over the whole run.
    pub extremes_of_run: Extremes,
    /// What duplicate mode does to the variance of winnings.
    pub variance: Option<Variance>,
    /// How long decisions took, where that is known.
    pub latency: Option<Latency>,
    /// Rates and times by table and then averaged, as the paper's Figure 5 has them.
    pub over_tables: OverTables,
}

/// Numbers of one participant that are taken for each table; their mean and deviation over tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct OverTables {
    /// Hands played of one's own will, by the standard definition.
    pub vpip: Option<Mean>,
    /// The same as the authors' program counts them.
    pub vpip_coded: Option<Mean>,
    pub fold_rate: Option<Mean>,
    /// How long decisions took on average, in milliseconds.
    pub latency_ms: Option<Mean>,
}

/// A table of a run: its repeat and its number.
pub type TableKey = (u32, u32);

/// Milliseconds of decisions by participant and table; `None` where the table is not known.
pub type DecisionTimes = BTreeMap<Seat, BTreeMap<Option<TableKey>, Vec<f64>>>;

/// The largest winnings and the largest loss of a hand, in chips.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Extremes {
    /// The largest winnings, not below zero.
    pub win: f64,
    /// The largest loss, not above zero.
    pub loss: f64,
}

impl Extremes {
    fn add(&mut self, won: f64) {
        self.win = self.win.max(won);
        self.loss = self.loss.min(won);
    }

    /// The mean of both; `None` of none.
    fn mean(of: &[Extremes]) -> Option<Self> {
        let mean = |take: fn(&Extremes) -> f64| {
            let numbers: Vec<f64> = of.iter().map(take).collect();
            Mean::of(&numbers).map(|mean| mean.mean)
        };
        Some(Extremes { win: mean(|one| one.win)?, loss: mean(|one| one.loss)? })
    }
}

/// What duplicate mode does to the variance of winnings, in squared big blinds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Variance {
    /// The variance of winnings of single hands.
    pub per_hand: f64,
    /// The variance of the means of deck sets.
    pub of_set_means: f64,
    /// What the variance of such means would be if cards were dealt anew for each hand: that of hands, divided by the hands
    /// of a set.
    pub of_means_without: f64,
    /// The share of it that is removed; below zero if sets vary more.
    pub removed: Option<f64>,
}

/// All participants over a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Standings {
    /// By seat, in numeric order.
    pub players: Vec<Standing>,
    /// What intervals are taken over.
    pub over: Over,
    /// How many of them there are.
    pub units: usize,
    /// Deck sets that lack rotations; winnings are taken without them.
    pub incomplete_sets: usize,
    /// Hands that were played, each counted once.
    pub hands: u32,
    pub tables: usize,
    /// The big blind in chips.
    pub big_blind: f64,
    /// What the one of the row won from the one of the column, in chips, net.
    pub won_from: Vec<Vec<f64>>,
    /// In how many hands both were dealt in.
    pub met: Vec<Vec<u32>>,
}

/// Winnings of one participant in one unit.
#[derive(Debug, Clone, Copy, Default)]
struct Won {
    hands: u32,
    chips: f64,
    adjusted: f64,
}

impl Won {
    fn add(&mut self, chips: f64, adjusted: f64) {
        self.hands += 1;
        self.chips += chips;
        self.adjusted += adjusted;
    }
}

/// A participant's winnings, by unit, table and hand.
#[derive(Debug, Default)]
struct Ledger {
    units: BTreeMap<String, Won>,
    tables: BTreeMap<TableKey, Won>,
    hands: Vec<f64>,
    total: f64,
    extremes: BTreeMap<TableKey, Extremes>,
    rates: BTreeMap<TableKey, Tally>,
}

impl Ledger {
    /// The counts of an episode from which rates of its table are taken.
    fn count(&mut self, table: TableKey, tally: &Tally) {
        let sum = self.rates.entry(table).or_default();
        sum.hands += tally.hands;
        sum.walks += tally.walks;
        sum.vpip += tally.vpip;
        sum.vpip_coded += tally.vpip_coded;
        sum.folded += tally.folded;
    }

    fn over_tables(&self, times: Option<&BTreeMap<Option<TableKey>, Vec<f64>>>) -> OverTables {
        let rate = |rate: fn(&Tally) -> Option<f64>| {
            Mean::of(&self.rates.values().filter_map(rate).collect::<Vec<f64>>())
        };
        let of_tables = times.into_iter().flatten();
        let latencies: Vec<f64> = of_tables
            .filter(|(table, _)| table.is_some())
            .filter_map(|(_, times)| Some(Latency::of(times)?.mean))
            .collect();
        OverTables {
            vpip: rate(Tally::vpip_rate),
            vpip_coded: rate(|tally| ratio(tally.vpip_coded, tally.hands)),
            fold_rate: rate(Tally::fold_rate),
            latency_ms: Mean::of(&latencies),
        }
    }
}

/// Takes the numbers of a run. `times` are those of decisions, where they are known.
pub fn standings(played: &[Played], times: &DecisionTimes) -> Standings {
    let seats = seats(played);
    let place = |seat: &Seat| seats.iter().position(|other| other == seat);
    let tables: BTreeSet<TableKey> = played.iter().map(|one| (one.repeat, one.table)).collect();
    let over = over(played, tables.len());
    let complete = complete_sets(played, seats.len());
    let sets: BTreeSet<String> = played.iter().filter_map(set).collect();
    let mut ledgers: Vec<Ledger> = seats.iter().map(|_| Ledger::default()).collect();
    let mut tallies = vec![Tally::default(); seats.len()];
    let mut won_from = vec![vec![0.0; seats.len()]; seats.len()];
    let mut met = vec![vec![0; seats.len()]; seats.len()];
    let mut hands = 0;
    for (episode, one) in played.iter().enumerate() {
        let numbers = &one.numbers;
        let places: Vec<Option<usize>> = numbers.seats.iter().map(place).collect();
        let counts = match set(one) {
            Some(set) => complete.contains(&set),
            None => true,
        };
        for (local, seat) in places.iter().enumerate() {
            let Some(seat) = *seat else { continue };
            tallies[seat] += &numbers.tallies[local];
            ledgers[seat].count((one.repeat, one.table), &numbers.tallies[local]);
            for (other, other_seat) in places.iter().enumerate() {
                if let Some(other_seat) = *other_seat {
                    won_from[seat][other_seat] += numbers.chips(numbers.won_from[local][other]);
                    met[seat][other_seat] += numbers.met[local][other];
                }
            }
            for hand in &numbers.hands {
                let Some(won) = hand.won[local] else { continue };
                let won = numbers.chips(won as f64);
                let adjusted = hand.adjusted.as_ref().and_then(|all| all[local]);
                let adjusted = adjusted.map_or(won, |adjusted| numbers.chips(adjusted));
                let ledger = &mut ledgers[seat];
                ledger.total += won;
                let at_table = ledger.extremes.entry((one.repeat, one.table));
                at_table.or_default().add(won);
                if !counts {
                    continue;
                }
                let unit = match over {
                    Over::DeckSets => set(one).unwrap_or_default(),
                    Over::Tables | Over::Nothing => format!("{} {}", one.repeat, one.table),
                    Over::Hands => format!("{episode} {}", hand.hand),
                };
                ledger.hands.push(won);
                ledger.units.entry(unit).or_default().add(won, adjusted);
                let table = ledger.tables.entry((one.repeat, one.table)).or_default();
                table.add(won, adjusted);
            }
        }
        hands += saturated(numbers.hands.len());
    }
    let big_blind = played.iter().map(|one| one.numbers.chips(one.numbers.big_blind as f64));
    let big_blind = big_blind.fold(0.0, f64::max);
    let players: Vec<Standing> = seats
        .iter()
        .zip(ledgers)
        .zip(tallies)
        .map(|((seat, ledger), tally)| {
            standing(seat, &ledger, tally, big_blind, over, times.get(seat))
        })
        .collect();
    let units = match over {
        Over::DeckSets => complete.len(),
        Over::Tables | Over::Nothing => tables.len(),
        Over::Hands => hands as usize,
    };
    Standings {
        players,
        over,
        units,
        incomplete_sets: sets.len() - complete.len(),
        hands,
        tables: tables.len(),
        big_blind,
        won_from,
        met,
    }
}

fn standing(
    seat: &Seat,
    ledger: &Ledger,
    tally: Tally,
    big_blind: f64,
    over: Over,
    times: Option<&BTreeMap<Option<TableKey>, Vec<f64>>>,
) -> Standing {
    let per_unit = |amount: fn(&Won) -> f64| -> Vec<f64> {
        let units = ledger.units.values();
        units.map(|won| amount(won) / f64::from(won.hands)).collect()
    };
    let in_bb100 = |mean: Mean| {
        let factor = if big_blind > 0.0 { 100.0 / big_blind } else { 0.0 };
        mean.scaled(factor)
    };
    let winnings = per_unit(|won| won.chips);
    let per_hand = Mean::of(&winnings);
    let by_table: Vec<f64> =
        ledger.tables.values().map(|won| won.chips / f64::from(won.hands)).collect();
    let by_hand = Mean::of(&ledger.hands);
    let extremes: Vec<Extremes> = ledger.extremes.values().copied().collect();
    let variance = match (over, per_hand, by_hand) {
        (Over::DeckSets, Some(sets), Some(hands)) if big_blind > 0.0 => {
            let size = ledger.hands.len() as f64 / winnings.len() as f64;
            variance(sets, hands, size, big_blind)
        }
        _ => None,
    };
    Standing {
        seat: seat.clone(),
        tally,
        per_hand,
        bb100: per_hand.map(in_bb100),
        adjusted_bb100: Mean::of(&per_unit(|won| won.adjusted)).map(in_bb100),
        bb100_by_hand: by_hand.map(in_bb100),
        trimmed: Trimmed::of(&by_table),
        total: ledger.total,
        extremes: Extremes::mean(&extremes),
        extremes_of_run: Extremes {
            win: extremes.iter().map(|one| one.win).fold(0.0, f64::max),
            loss: extremes.iter().map(|one| one.loss).fold(0.0, f64::min),
        },
        variance,
        latency: Latency::of(
            &times.into_iter().flat_map(BTreeMap::values).flatten().copied().collect::<Vec<f64>>(),
        ),
        over_tables: ledger.over_tables(times),
    }
}

fn variance(sets: Mean, hands: Mean, size: f64, big_blind: f64) -> Option<Variance> {
    let per_hand = (hands.sd? / big_blind).powi(2);
    let of_set_means = (sets.sd? / big_blind).powi(2);
    let of_means_without = per_hand / size;
    Some(Variance {
        per_hand,
        of_set_means,
        of_means_without,
        removed: (of_means_without > 0.0).then(|| 1.0 - of_set_means / of_means_without),
    })
}

/// Everybody who took part, by the number of the seat.
fn seats(played: &[Played]) -> Vec<Seat> {
    let all: BTreeSet<&Seat> = played.iter().flat_map(|one| &one.numbers.seats).collect();
    let mut seats: Vec<Seat> = all.into_iter().cloned().collect();
    seats.sort_by_key(|seat| seat.as_str().parse::<u32>().unwrap_or(u32::MAX));
    seats
}

/// The deck set of an episode; repeats have sets of their own.
fn set(played: &Played) -> Option<String> {
    let deck = played.deck.as_ref()?;
    Some(format!("{} {deck}", played.repeat))
}

/// Deck sets in which each participant had each place: as many hands as participants.
fn complete_sets(played: &[Played], participants: usize) -> BTreeSet<String> {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for one in played {
        if let Some(set) = set(one) {
            *sizes.entry(set).or_default() += one.numbers.hands.len();
        }
    }
    let complete = sizes.into_iter().filter(|(_, size)| *size >= participants);
    complete.map(|(set, _)| set).collect()
}

fn over(played: &[Played], tables: usize) -> Over {
    if played.iter().any(|one| one.deck.is_some()) {
        return Over::DeckSets;
    }
    let are_single = played.len() > 1 && played.iter().all(|one| one.numbers.hands.len() <= 1);
    match tables {
        2.. => Over::Tables,
        _ if are_single => Over::Hands,
        _ => Over::Nothing,
    }
}
