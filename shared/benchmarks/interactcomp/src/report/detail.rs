//! What stands behind the headline: parts by asks and by length, how plays end, what format costs, calibration by other bins.

use super::calibration::Calibration;
use super::run::{Accuracy, Played, breakdown_of, share};
use crate::interaction::Interaction;
use crate::protocol::{TOO_EARLY, ending};
use turnwise_core::metrics::format::{self, FormatLoss};
use turnwise_core::metrics::report::{Breakdown, Figure, Group, Unit};
use turnwise_core::seat::Seat;

/// The faults of a reading that are no matter of form: the reply was understood, and the rules do not allow what it wants, or not
/// yet.
const UNDERSTOOD: [&str; 2] = ["not_allowed", TOO_EARLY];

/// From which number on a bin begins, and what it is called.
type Bins = &'static [(u32, &'static str)];

const ASKS: Bins = &[
    (0, "0"),
    (1, "1"),
    (2, "2"),
    (3, "3 to 4"),
    (5, "5 to 9"),
    (10, "10 and more"),
];

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

/// Accuracy by how many turns a play had, invalid replies included.
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

/// Which part of the loss may be due to format. A play ended by it where a reply that could not be read was the fourth that did
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
    cells
        .filter(|cell| cell.seat.as_str() == Seat::PLAYER)
        .map(|cell| cell.fault.as_deref())
}

fn is_of_format(fault: Option<&str>) -> bool {
    fault.is_some_and(|fault| !UNDERSTOOD.contains(&fault))
}

/// What the groups are made of.
pub(super) struct Sources<'a> {
    pub(super) rows: &'a [Played<'a>],
    pub(super) accuracy: &'a Accuracy,
    pub(super) calibration: &'a Calibration,
    pub(super) interaction: Option<&'a Interaction>,
    pub(super) loss: Option<&'a FormatLoss>,
}

fn figure(label: &str, value: Option<f64>, unit: Unit, about: &str) -> Figure {
    Figure {
        label: label.to_owned(),
        value,
        interval: None,
        unit,
        about: about.to_owned(),
    }
}

fn fraction(label: &str, value: Option<f64>, about: &str) -> Figure {
    figure(label, value, Unit::Fraction, about)
}

impl Sources<'_> {
    /// Every number in detail, by what it is about.
    pub(super) fn groups(&self) -> Vec<Group> {
        let group = |title: &str, figures: Vec<Figure>| Group {
            title: title.to_owned(),
            figures,
        };
        vec![
            group("Accuracy", self.accuracy()),
            group("Endings and replies", self.endings()),
            group(format::TITLE, format::figures(self.loss)),
            group("Interaction", self.interaction()),
            group("Calibration", self.calibration()),
        ]
    }

    fn accuracy(&self) -> Vec<Figure> {
        let plays = self.rows.len();
        let bounds = self.accuracy.bounds;
        vec![
            fraction(
                "deviation over repeats",
                self.accuracy.deviation,
                "Sample standard deviation of the accuracies of the repeats; not defined for one repeat.",
            ),
            figure(
                "plays",
                Some(plays as f64),
                Unit::Count,
                "Tasks times repeats that have ended.",
            ),
            figure(
                "scored plays",
                Some(self.accuracy.scored as f64),
                Unit::Count,
                "Plays with a verdict, and those that are wrong without one.",
            ),
            fraction(
                "at least",
                bounds.map(|(low, _)| low),
                "Accuracy if every play without a score were wrong.",
            ),
            fraction(
                "at most",
                bounds.map(|(_, high)| high),
                "Accuracy if every play without a score were right.",
            ),
        ]
    }

    fn endings(&self) -> Vec<Figure> {
        let n = self.rows.len() as u64;
        let ended = |wanted: &str| {
            let count = self
                .rows
                .iter()
                .filter(|row| row.outcome() == wanted)
                .count() as u64;
            (n > 0).then(|| share(count, n))
        };
        let sum = |of: fn(&Played<'_>) -> u32| -> u64 {
            self.rows.iter().map(|row| u64::from(of(row))).sum()
        };
        let invalid = sum(|row| row.numbers.invalid);
        let replies = invalid
            + sum(|row| row.numbers.answers)
            + sum(|row| row.numbers.searches)
            + sum(|row| row.numbers.asks);
        vec![
            fraction(
                "invalid replies",
                (replies > 0).then(|| share(invalid, replies)),
                "Replies of the player that were no valid action, by all its replies.",
            ),
            fraction(
                "skipped",
                ended(ending::SKIPPED),
                "Plays that the fourth invalid reply of a round ended.",
            ),
            fraction(
                "fallback",
                ended(ending::FALLBACK),
                "Plays whose last round brought no answer.",
            ),
            fraction(
                "error",
                ended(ending::ERROR),
                "Plays whose third attempt failed (reference only).",
            ),
            fraction(
                "incomplete",
                ended(turnwise_core::episode::Outcome::INCOMPLETE),
                "Plays that the world failed; they have no score and can be taken up again.",
            ),
            fraction(
                "grader failed",
                ended(crate::grading::GRADER_FAILED),
                "Plays whose grader could not be read; they have no score and can be graded again.",
            ),
        ]
    }

    fn interaction(&self) -> Vec<Figure> {
        let of = |number: fn(&Interaction) -> Option<f64>| self.interaction.and_then(number);
        vec![
            figure(
                "Round",
                of(|found| Some(found.round)),
                Unit::Count,
                "Mean rounds a play, the answer included; invalid replies use none.",
            ),
            fraction(
                "IR",
                of(|found| found.ir_micro),
                "Asks of all plays by all their rounds.",
            ),
            fraction(
                "IR, mean of plays",
                of(|found| found.ir_macro),
                "The mean over plays of their asks by their rounds.",
            ),
            figure(
                "IRound",
                of(|found| Some(found.iround)),
                Unit::Count,
                "Mean asks a play.",
            ),
        ]
    }

    fn calibration(&self) -> Vec<Figure> {
        let found = self.calibration;
        let odd: u32 = found.flags.values().sum();
        vec![
            fraction(
                "error, bins [20, 40)",
                found.left_closed,
                "Five bins of equal width, each with its lower end; the headline's.",
            ),
            fraction(
                "error, bins (20, 40]",
                found.right_closed,
                "The same, each bin with its upper end.",
            ),
            fraction(
                "error, bins of equal count",
                found.equal_count,
                "Five bins with as many plays each.",
            ),
            figure(
                "plays in it",
                Some(found.n as f64),
                Unit::Count,
                "Scored plays with a stated confidence; under reference all, a missing one as 0.",
            ),
            figure(
                "odd confidences",
                Some(f64::from(odd)),
                Unit::Count,
                "Confidences that were missing, unreadable, outside of 0 to 100, or written as a fraction.",
            ),
        ]
    }
}
