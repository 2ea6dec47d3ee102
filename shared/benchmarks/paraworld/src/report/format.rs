//! What format costs: the part of the loss on episodes in which the player said something that is neither call nor answer.

use serde_json::Value;

use super::{Run, score};
use crate::metrics::Status;
use turnwise_core::metrics::format::{self, FormatLoss};
use turnwise_core::prelude::*;

impl Run<'_> {
    /// Over the episodes with a verdict. An episode ended by its format where wrong formats one after the other ended it.
    fn format_loss(&self) -> Option<FormatLoss> {
        let rows: Vec<format::LossRow> = self
            .played
            .plays
            .iter()
            .filter_map(|one| {
                let ribbon = one.summary.ribbon.iter();
                let mut of_player = ribbon.filter(|cell| cell.seat.as_str() == Seat::PLAYER);
                let fault = one.numbers.format_fault;
                Some(format::LossRow {
                    score: score(&one.numbers.episode, self.spec.profile)?,
                    fault: fault.unwrap_or_else(|| of_player.any(|cell| cell.fault.is_some())),
                    ended: one.numbers.episode.status == Status::FormatFailure,
                })
            })
            .collect();
        FormatLoss::of(&rows)
    }

    pub(super) fn format_record(&self) -> Value {
        format::record(self.format_loss().as_ref())
    }
}
