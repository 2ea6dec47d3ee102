//! What stands behind the headline: parts by asks and by length, and what format costs.

use super::run::{Played, breakdown_of};
use crate::protocol::ending;
use turnwise_core::metrics::format::{self, FormatLoss};
use turnwise_core::metrics::report::Breakdown;
use turnwise_core::seat::Seat;

/// From which number on a bin begins, and what it is called.
type Bins = &'static [(u32, &'static str)];

const ASKS: Bins =
    &[(0, "0"), (1, "1"), (2, "2"), (3, "3 to 4"), (5, "5 to 9"), (10, "10 and more")];

const TURNS: Bins = &[
    (0, "1 to 2"),
    (3, "3 to 4"),
    (5, "5 to 6"),
    (7, "7 to 9"),
    (10, "10 to 14"),
    (15, "15 and more"),
];

/// Accuracy by how often the user was asked.
pub(super) fn by_asks(rows: &[Played<'_>]) -> Breakdown {
    in_bins("asks", rows, ASKS, |row| row.numbers.asks)
}

/// Accuracy by how many turns an episode had, invalid replies included.
pub(super) fn by_length(rows: &[Played<'_>]) -> Breakdown {
    in_bins("length", rows, TURNS, |row| {
        u32::try_from(row.summary.ribbon.len()).unwrap_or(u32::MAX)
    })
}

fn in_bins(
    by: &str,
    rows: &[Played<'_>],
    bins: Bins,
    of: impl Fn(&Played<'_>) -> u32,
) -> Breakdown {
    let place = |row: &Played<'_>| {
        let number = of(row);
        bins.iter().rposition(|(from, _)| *from <= number)
    };
    let parts = bins.iter().enumerate().map(|(at, (_, name))| {
        let scored = rows.iter().filter(|row| row.correct.is_some());
        let part: Vec<&Played<'_>> = scored.filter(|row| place(row) == Some(at)).collect();
        ((*name).to_owned(), part)
    });
    breakdown_of(by, parts.filter(|(_, part)| !part.is_empty()))
}

/// Which part of the loss may be due to format. An episode ended by it where a reply that could not be read was the fourth that did
/// not count, or the last of all: both are counted only where the player's last reply had such a fault.
pub(super) fn format_loss(rows: &[Played<'_>]) -> Option<FormatLoss> {
    let rows: Vec<format::Row> = rows
        .iter()
        .filter_map(|row| {
            let ending = row.summary.ending.as_deref();
            let by_rule = [ending::SKIPPED, ending::FALLBACK, ending::ERROR];
            Some(format::Row {
                score: row.summary.score?,
                fault: faults(row).any(is_of_format),
                ended: faults(row).last().is_some_and(is_of_format)
                    && ending.is_some_and(|ending| by_rule.contains(&ending)),
            })
        })
        .collect();
    FormatLoss::of(&rows)
}

/// What was wrong with each of the player's replies.
fn faults<'a>(row: &'a Played<'_>) -> impl Iterator<Item = Option<&'a str>> {
    let cells = row.summary.ribbon.iter();
    cells.filter(|cell| cell.seat.as_str() == Seat::PLAYER).map(|cell| cell.fault.as_deref())
}

fn is_of_format(fault: Option<&str>) -> bool {
    fault.is_some_and(format::is_of_form)
}
