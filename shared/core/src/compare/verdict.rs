//! What came of comparing two runs, in a sentence.

use super::shown::of_seat;
use super::{Comparison, Pair, Subject};
use crate::metrics::number::{Shown, count, counted, shown};
use crate::metrics::paired::ALPHA;
use crate::metrics::report::Unit;

impl Comparison {
    /// Which of two runs is better and by how much, or that they cannot be told apart yet and what would settle it. Where only the
    /// correction for several pairs keeps them together, it says so, because the interval alone says otherwise.
    pub(super) fn verdict(&self, subject: &Subject, pair: &Pair) -> String {
        let (one, other) = (&self.runs[pair.one], &self.runs[pair.other]);
        let paired = &pair.paired;
        let of = of_seat(self, subject);
        if pair.flips.is_empty() {
            let tasks = counted(paired.tasks, "task", "tasks");
            return format!("{one} and {other} ended all {tasks} alike{of}.");
        }
        if paired.difference == 0.0 {
            return format!(
                "Cannot be told apart{of}: {one} and {other} are equally good on average."
            );
        }
        // The better one is named first, so its difference is above 0.
        let is_turned = paired.difference < 0.0;
        let (better, worse) = if is_turned { (other, one) } else { (one, other) };
        let interval = paired.interval.map(|(low, high)| match is_turned {
            true => (-high, -low),
            false => (low, high),
        });
        let by = shown(Some(paired.difference.abs()), interval, self.of_differences());
        let unit = match self.of_differences() {
            Unit::Points if by.value == "+1" => "point",
            Unit::Points => "points",
            Unit::Number => self.number.label.as_str(),
            _ => by.unit,
        };
        let by_how_much = format!("{} {unit}", plain(&by.value));
        let bounds = bounds(&by, paired.p);
        if pair.apart {
            return format!("{better} is better than {worse} by {by_how_much} {bounds}{of}.");
        }
        if paired.p < ALPHA {
            let pairs = subject.pairs.len();
            return format!(
                "{better} is probably better than {worse} by {by_how_much} {bounds}{of}. But {pairs} pairs are compared at once; \
                 corrected for that (Holm), p is {}, and so they are not told apart.",
                shown(Some(pair.p_holm), None, Unit::Chance).value
            );
        }
        let settles = match pair.more_tasks {
            Some(0) => "; a few more tasks would settle it if they are like these".to_owned(),
            Some(1) => "; about 1 more task would settle it if it is like these".to_owned(),
            Some(more) => {
                format!("; about {} more tasks would settle it if they are like these", count(more))
            }
            None => String::new(),
        };
        format!(
            "Cannot be told apart yet{of}: {better} is ahead of {worse} by {by_how_much} {bounds}{settles}."
        )
    }
}

/// `(95 % interval 10 to 45, p = 0.002)`.
fn bounds(by: &Shown, p: f64) -> String {
    let p = match p < 0.001 {
        true => "p < 0.001".to_owned(),
        false => format!("p = {}", shown(Some(p), None, Unit::Chance).value),
    };
    match &by.range {
        Some(range) => format!("(95 % interval {}, {p})", plain(range)),
        None => format!("({p})"),
    }
}

/// A number or a range without its plus signs: how large a lead is, and from where to where it may be.
fn plain(number: &str) -> String {
    number.replace('+', "")
}
