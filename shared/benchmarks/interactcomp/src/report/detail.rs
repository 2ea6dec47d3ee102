//! What stands behind the headline: parts by asks and by length, and what format costs.

use super::run::breakdown;
use super::{Play, Scored};
use crate::protocol::ending;
use turnwise_core::metrics::format::{self, FormatLoss};
use turnwise_core::metrics::report::Breakdown;
use turnwise_core::prelude::*;

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
pub(super) fn by_asks(scored: &Scored<'_>) -> Breakdown {
    in_bins("asks", scored, ASKS, |play| play.numbers.asks)
}

/// Accuracy by how many turns an episode had, invalid replies included.
pub(super) fn by_length(scored: &Scored<'_>) -> Breakdown {
    in_bins("length", scored, TURNS, |play| saturated(play.summary.ribbon.len()))
}

fn in_bins(by: &str, scored: &Scored<'_>, bins: Bins, of: impl Fn(&Play<'_>) -> u32) -> Breakdown {
    let parts = scored.parts(|play| {
        let number = of(play);
        play.right().and(bins.iter().rposition(|(from, _)| *from <= number))
    });
    breakdown(by, parts.into_iter().map(|(at, part)| (bins[at].1, part)))
}

/// Which part of the loss may be due to format. An episode ended by it where a reply that could not be read was the fourth that did
/// not count, or the last of all: both are counted only where the player's last reply had such a fault.
pub(super) fn format_loss(scored: &Scored<'_>) -> Option<FormatLoss> {
    let rows: Vec<format::LossRow> = scored
        .plays
        .iter()
        .filter_map(|play| {
            let by_rule = [ending::SKIPPED, ending::FALLBACK, ending::ERROR];
            Some(format::LossRow {
                score: play.summary.score?,
                fault: faults(play).any(is_of_format),
                ended: faults(play).last().is_some_and(is_of_format)
                    && by_rule.contains(&play.ending()),
            })
        })
        .collect();
    FormatLoss::of(&rows)
}

/// What was wrong with each of the player's replies.
fn faults<'a>(play: &Play<'a>) -> impl Iterator<Item = Option<&'a str>> {
    let cells = play.summary.ribbon.iter();
    cells.filter(|cell| cell.seat.as_str() == Seat::PLAYER).map(|cell| cell.fault.as_deref())
}

fn is_of_format(fault: Option<&str>) -> bool {
    fault.is_some_and(format::is_of_form)
}
