//! How much of what a player lost may be due to the form of its replies, and not to what it knew.
//!
//! Over the scored episodes the *loss* is 1 minus the mean score. An episode has a *format fault* if at least one reply of the player
//! could not be read as an action: what it wanted is not known. The loss of such episodes, by the whole loss, is the **share
//! of the loss that is due to format**, at most: had every one of these episodes been right, accuracy would be
//! [`FormatLoss::accuracy_at_most`]. It is an upper bound, because a player that mends its reply in the next turn can still be
//! wrong for other reasons; the share of episodes that *ended* because of it ([`FormatLoss::share_ended`]) is the lower end.

use serde_json::{Value, json};

/// Whether a fault is one of form: the reply could not be read as an action. The others were understood, and the rules do not
/// allow what they want, or not yet.
pub fn is_of_form(fault: &str) -> bool {
    !matches!(fault, "not_allowed" | "too_early")
}

/// What an episode means for the loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossRow {
    /// Its score, 0 to 1.
    pub score: f64,
    /// Whether a reply of the player could not be read as an action.
    pub fault: bool,
    /// Whether the episode ended because of that.
    pub ended: bool,
}

/// The loss of a run, in parts. All numbers are fractions of the scored episodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FormatLoss {
    pub n: usize,
    /// 1 minus the mean score.
    pub loss: f64,
    /// The part of the loss that falls on episodes with a format fault.
    pub loss_with_fault: f64,
    /// The part of the loss that falls on episodes that ended because of one.
    pub loss_ended: f64,
    /// Episodes with a format fault.
    pub with_fault: f64,
    /// Episodes that ended because of one.
    pub ended: f64,
}

impl FormatLoss {
    /// Of some scored episodes; `None` if there are none. An episode that ended because of its format has a fault, whatever its row
    /// says.
    pub fn of(rows: &[LossRow]) -> Option<Self> {
        if rows.is_empty() {
            return None;
        }
        let n = rows.len() as f64;
        let lost = |which: &dyn Fn(&LossRow) -> bool| {
            let lost = rows.iter().filter(|row| which(row));
            // An empty sum is a negative zero.
            lost.map(|row| 1.0 - row.score).sum::<f64>().abs() / n
        };
        let share = |which: &dyn Fn(&LossRow) -> bool| {
            rows.iter().filter(|row| which(row)).count() as f64 / n
        };
        let has_fault = |row: &LossRow| row.fault || row.ended;
        Some(FormatLoss {
            n: rows.len(),
            loss: lost(&|_| true),
            loss_with_fault: lost(&has_fault),
            loss_ended: lost(&|row| row.ended),
            with_fault: share(&has_fault),
            ended: share(&|row| row.ended),
        })
    }

    /// The share of the loss that is due to format, at most; `None` if nothing was lost.
    pub fn share(&self) -> Option<f64> {
        (self.loss > 0.0).then(|| self.loss_with_fault / self.loss)
    }

    /// The share of the loss on episodes that ended because of their format; `None` if nothing was lost.
    pub fn share_ended(&self) -> Option<f64> {
        (self.loss > 0.0).then(|| self.loss_ended / self.loss)
    }

    /// What accuracy would be if every episode with a format fault were right.
    pub fn accuracy_at_most(&self) -> f64 {
        1.0 - self.loss + self.loss_with_fault
    }
}

/// The title of the section of these numbers, as they stand in [`record`] under `format`.
pub const TITLE: &str = "What format costs";

/// The numbers for programs; `null` where no episode has a score.
pub fn record(loss: Option<&FormatLoss>) -> Value {
    loss.map_or(Value::Null, |loss| {
        json!({
            "n": loss.n,
            "loss": loss.loss,
            "loss_with_fault": loss.loss_with_fault,
            "loss_ended": loss.loss_ended,
            "share_of_loss": loss.share(),
            "share_of_loss_ended": loss.share_ended(),
            "episodes_with_fault": loss.with_fault,
            "episodes_ended": loss.ended,
            "accuracy_if_right": loss.accuracy_at_most(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(score: f64, fault: bool, ended: bool) -> LossRow {
        LossRow { score, fault, ended }
    }

    /// Eight episodes: 3 right, one of them after a fault; 5 wrong, of which 2 have faults and 1 ended by them.
    #[test]
    fn the_loss_is_parted_as_by_hand() {
        let rows = [
            row(1.0, false, false),
            row(1.0, false, false),
            row(1.0, true, false),
            row(0.0, true, false),
            row(0.0, true, true),
            row(0.0, false, false),
            row(0.0, false, false),
            row(0.0, false, false),
        ];
        let loss = FormatLoss::of(&rows).expect("there are episodes");
        assert_eq!((loss.n, loss.loss), (8, 0.625));
        assert_eq!((loss.loss_with_fault, loss.loss_ended), (0.25, 0.125));
        assert_eq!((loss.with_fault, loss.ended), (0.375, 0.125));
        assert_eq!((loss.share(), loss.share_ended()), (Some(0.4), Some(0.2)));
        assert_eq!(loss.accuracy_at_most(), 0.625);
    }

    #[test]
    fn what_ended_by_its_format_has_a_fault() {
        let loss = FormatLoss::of(&[row(0.5, false, true), row(0.5, false, false)])
            .expect("there are episodes");
        assert_eq!((loss.loss, loss.loss_with_fault), (0.5, 0.25));
        assert_eq!(loss.with_fault, 0.5);
    }

    #[test]
    fn without_plays_or_loss_there_is_no_share() {
        assert_eq!(FormatLoss::of(&[]), None);
        let all_right = FormatLoss::of(&[row(1.0, true, false)]).expect("there is an episode");
        assert_eq!((all_right.share(), all_right.share_ended()), (None, None));
        assert_eq!(all_right.accuracy_at_most(), 1.0);
    }
}
