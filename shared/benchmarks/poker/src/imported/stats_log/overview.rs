//! Totals per table and means over tables, as the authors' aggregator takes them (specification 4.d and 4.f).

use serde::Serialize;
use turnwise_core::saturated;

use super::missettled::{self, Busted, MisSettled};
use super::{Counters, StatsLog};
use crate::imported::Amount;
use crate::stats::spread::{Mean, Trimmed};
use turnwise_core::formats::BadFile;

/// What logs of several tables say. Rates are fractions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overview {
    pub tables: Vec<TableRow>,
    /// The players, in seat order of the first table.
    pub players: Vec<PlayerRow>,
    pub missettled: MisSettled,
    /// What a reader must know of these numbers, each in a sentence.
    pub remarks: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow {
    pub table: u32,
    pub file: String,
    pub lines: usize,
    /// Lines that the aggregator takes.
    pub accepted: usize,
    /// Hands that were played, those without a line included.
    pub hands: u32,
    /// Hands without a line: showdowns.
    pub missing: u32,
    /// All totals together: zero unless chips vanished.
    pub sum: Amount,
    /// The players, in seat order.
    pub players: Vec<TablePlayer>,
}

/// A player at a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TablePlayer {
    pub name: String,
    pub model: String,
    /// What was won, in chips.
    pub total: Amount,
    pub hands: u32,
    pub folds: u32,
    /// Hands that were voluntarily played, by the app's own rule.
    pub vpip_count: u32,
    /// Mean time of a decision in milliseconds.
    pub avg_think_ms: f64,
    /// Winnings per hand in chips; `None` without hands.
    pub winnings_per_hand: Option<f64>,
    /// The largest winnings of one hand.
    pub biggest_win: Amount,
    /// The largest loss of one hand, not above zero.
    pub biggest_loss: Amount,
}

/// A player over all tables: every mean is one over tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerRow {
    pub name: String,
    /// Tables at which the player sat.
    pub tables: usize,
    /// Hands at all of them.
    pub hands: u64,
    /// Winnings per hand in chips.
    pub winnings_per_hand_mean: Option<f64>,
    pub winnings_per_hand_sd: Option<f64>,
    /// Its population deviation, as the authors' script prints it.
    pub winnings_per_hand_sd_population: Option<f64>,
    /// Its 95 % interval over tables, by Student's t.
    pub winnings_per_hand_interval: Option<(f64, f64)>,
    /// The mean in standard errors.
    pub t: Option<f64>,
    /// The mean without the two lowest and the two highest tables; `None` for fewer than five.
    pub trimmed_mean: Option<f64>,
    pub trimmed_sd_population: Option<f64>,
    /// The share of hands that were voluntarily played, by the app's own rule.
    pub vpip_mean: Option<f64>,
    pub vpip_sd: Option<f64>,
    /// The share of hands with a fold.
    pub fold_mean: Option<f64>,
    pub fold_sd: Option<f64>,
    /// Mean time of a decision in milliseconds.
    pub avg_think_ms_mean: Option<f64>,
    pub avg_think_ms_sd: Option<f64>,
    /// Hands with a fold at all tables.
    pub folds: u64,
    /// Hands that were voluntarily played at all tables.
    pub vpip_count: u64,
    /// The mean of the tables' largest winnings.
    pub biggest_win_mean: Option<f64>,
    /// The mean of the tables' largest losses.
    pub biggest_loss_mean: Option<f64>,
    /// The largest winnings of one hand at any table.
    pub biggest_win: Amount,
    /// The largest loss of one hand at any table.
    pub biggest_loss: Amount,
}

/// Aggregates logs, one a table, given in any order. A player who sits at several tables is known by name.
///
/// # Errors
/// If a log is given twice.
pub fn overview(logs: &[StatsLog]) -> Result<Overview, BadFile> {
    let mut logs: Vec<&StatsLog> = logs.iter().collect();
    logs.sort_by(|one, other| {
        let place = (one.table, &one.file);
        place.cmp(&(other.table, &other.file))
    });
    for pair in logs.windows(2) {
        if (pair[0].table, pair[0].begun) == (pair[1].table, pair[1].begun) {
            return Err(BadFile {
                file: Some(pair[1].file.clone()),
                problem: format!(
                    "it is the log of table {} that {} is, too; give each log once",
                    pair[1].table, pair[0].file
                ),
            });
        }
    }
    let corrected: Vec<Corrected> = logs.iter().map(|log| Corrected::of(log)).collect();
    let sittings = sittings(&logs);
    let mut players = Vec::new();
    let mut missettled = Vec::new();
    for Sitting { name, seats } in &sittings {
        let here: Vec<Seat<'_>> = seats
            .iter()
            .map(|(log, seat)| Seat {
                counters: &logs[*log].last().players[*seat],
                total: logs[*log].total(*seat),
                correction: corrected[*log].corrections[*seat],
            })
            .collect();
        players.push(row(name, &here));
        let published = Mean::of(&per_hand(&here, |seat| seat.total));
        let mended = Mean::of(&per_hand(&here, |seat| seat.total + seat.correction));
        missettled.push(missettled::player(name, published, mended));
    }
    Ok(Overview {
        tables: logs.iter().map(|log| table(log)).collect(),
        players,
        missettled: MisSettled {
            rule: missettled::RULE,
            hands: corrected.iter().map(|one| one.hands).sum(),
            overpaid_hands: corrected.iter().map(|one| one.evidence.len()).sum(),
            overpaid_chips: corrected.iter().flat_map(Corrected::overpaid).sum(),
            returned_chips: corrected.iter().flat_map(Corrected::returned).sum(),
            several_winners: corrected.iter().map(|one| one.several_winners).sum(),
            players: missettled,
            evidence: corrected.into_iter().flat_map(|one| one.evidence).collect(),
        },
        remarks: remarks(&logs),
    })
}

/// A player, and where: pairs of a log's and a seat's place.
struct Sitting<'a> {
    name: &'a str,
    seats: Vec<(usize, usize)>,
}

/// Who sat where, in seat order of the first log. If two at one table have the same name, their order distinguishes them.
fn sittings<'a>(logs: &[&'a StatsLog]) -> Vec<Sitting<'a>> {
    let mut sittings: Vec<Sitting<'a>> = Vec::new();
    for (log, read) in logs.iter().enumerate() {
        for (seat, player) in read.last().players.iter().enumerate() {
            let free = sittings.iter_mut().find(|sitting| {
                sitting.name == player.name && sitting.seats.iter().all(|(other, _)| *other != log)
            });
            match free {
                Some(sitting) => sitting.seats.push((log, seat)),
                None => sittings.push(Sitting { name: &player.name, seats: vec![(log, seat)] }),
            }
        }
    }
    sittings
}

/// A player at one table.
struct Seat<'a> {
    counters: &'a Counters,
    total: Amount,
    correction: Amount,
}

/// An amount per hand at each table where there was a hand.
fn per_hand(seats: &[Seat<'_>], amount: impl Fn(&Seat<'_>) -> Amount) -> Vec<f64> {
    share(seats, |seat| amount(seat).to_f64())
}

/// A number divided by the hands of its table.
fn share(seats: &[Seat<'_>], number: impl Fn(&Seat<'_>) -> f64) -> Vec<f64> {
    let dealt = seats.iter().filter(|seat| seat.counters.hands > 0);
    dealt.map(|seat| number(seat) / f64::from(seat.counters.hands)).collect()
}

fn row(name: &str, seats: &[Seat<'_>]) -> PlayerRow {
    let numbers = |number: fn(&Counters) -> f64| -> Vec<f64> {
        seats.iter().map(|seat| number(seat.counters)).collect()
    };
    let per_table = per_hand(seats, |seat| seat.total);
    let winnings = Mean::of(&per_table);
    let trimmed = Trimmed::of(&per_table);
    let vpip = Mean::of(&share(seats, |seat| f64::from(seat.counters.vpip)));
    let folds = Mean::of(&share(seats, |seat| f64::from(seat.counters.folds)));
    let think = Mean::of(&numbers(|one| one.think_ms));
    let mean = |of: Option<Mean>| of.map(|mean| mean.mean);
    let deviation = |of: Option<Mean>| of.and_then(|mean| mean.sd);
    let sum = |count: fn(&Counters) -> u32| -> u64 {
        seats.iter().map(|seat| u64::from(count(seat.counters))).sum()
    };
    let wins = seats.iter().map(|seat| seat.counters.biggest_win);
    let losses = seats.iter().map(|seat| seat.counters.biggest_loss);
    PlayerRow {
        name: name.to_owned(),
        tables: seats.len(),
        hands: sum(|one| one.hands),
        winnings_per_hand_mean: mean(winnings),
        winnings_per_hand_sd: deviation(winnings),
        winnings_per_hand_sd_population: winnings.map(|mean| mean.sd_population),
        winnings_per_hand_interval: winnings.and_then(|mean| mean.interval),
        t: winnings.and_then(|mean| mean.t),
        trimmed_mean: trimmed.map(|trimmed| trimmed.mean),
        trimmed_sd_population: trimmed.map(|trimmed| trimmed.sd_population),
        vpip_mean: mean(vpip),
        vpip_sd: deviation(vpip),
        fold_mean: mean(folds),
        fold_sd: deviation(folds),
        avg_think_ms_mean: mean(think),
        avg_think_ms_sd: deviation(think),
        folds: sum(|one| one.folds),
        vpip_count: sum(|one| one.vpip),
        biggest_win_mean: mean(Mean::of(&numbers(|one| one.biggest_win.to_f64()))),
        biggest_loss_mean: mean(Mean::of(&numbers(|one| one.biggest_loss.to_f64()))),
        biggest_win: wins.max().unwrap_or_default(),
        biggest_loss: losses.min().unwrap_or_default(),
    }
}

fn table(log: &StatsLog) -> TableRow {
    let last = log.last();
    let accepted = log.accepted.len();
    let players = last.players.iter().enumerate().map(|(seat, player)| {
        let total = log.total(seat);
        TablePlayer {
            name: player.name.clone(),
            model: player.model.clone(),
            total,
            hands: player.hands,
            folds: player.folds,
            vpip_count: player.vpip,
            avg_think_ms: player.think_ms,
            winnings_per_hand: (player.hands > 0).then(|| total.to_f64() / f64::from(player.hands)),
            biggest_win: player.biggest_win,
            biggest_loss: player.biggest_loss,
        }
    });
    TableRow {
        table: log.table,
        file: log.file.clone(),
        lines: log.lines,
        accepted,
        hands: last.hand,
        missing: last.hand.saturating_sub(saturated(accepted)),
        sum: (0..last.players.len()).map(|seat| log.total(seat)).sum(),
        players: players.collect(),
    }
}

/// What a log's busted hands show.
struct Corrected {
    hands: usize,
    several_winners: usize,
    corrections: Vec<Amount>,
    evidence: Vec<missettled::Evidence>,
}

impl Corrected {
    fn of(log: &StatsLog) -> Self {
        let mut corrected = Corrected {
            hands: 0,
            several_winners: 0,
            corrections: vec![Amount::ZERO; log.last().players.len()],
            evidence: Vec::new(),
        };
        for busted in missettled::busted(log) {
            match busted {
                Busted::Shared => corrected.several_winners += 1,
                Busted::Won(hand) => {
                    corrected.hands += 1;
                    let mended = corrected.corrections.iter_mut().zip(hand.corrections());
                    mended.for_each(|(sum, correction)| *sum += correction);
                    if hand.overpaid() > Amount::ZERO {
                        corrected.evidence.push(hand.evidence(log));
                    }
                }
            }
        }
        corrected
    }

    fn overpaid(&self) -> impl Iterator<Item = Amount> {
        self.evidence.iter().map(|hand| hand.overpaid)
    }

    fn returned(&self) -> impl Iterator<Item = Amount> {
        self.evidence.iter().map(|hand| hand.returned)
    }
}

fn remarks(logs: &[&StatsLog]) -> Vec<String> {
    let mut remarks = vec![
        "Showdowns have no line of their own; totals are right, but a line's winnings are not those of one hand, and a showdown \
         at the very end of a table is lost."
            .to_owned(),
        "VPIP is counted as the app does: only in hands that reached a flop or an all-in before it, and not for players who \
         had folded by then."
            .to_owned(),
    ];
    for log in logs {
        if log.games_begun > 0 {
            remarks.push(format!(
                "{}: the game began anew {} times; hand numbers fall back there, and the aggregator's rule drops what follows \
                 until they have caught up.",
                log.file, log.games_begun
            ));
        }
    }
    remarks
}
