//! Runs in the formats of other tools: lines, tables, logs of Inspect, pages that stand alone; and all transcripts in one file.
//!
//! Everything here is a function of transcripts and summaries. Files, clocks and choices are the caller's. Task text leaves
//! the program only as far as [`Texts`](crate::benchmark::given::Texts) says; the canary of an encrypted set goes with every copy.

pub mod bundle;
pub mod csv;
pub mod html;
pub mod inspect;
pub mod row;
mod time;
pub mod told;

use crate::benchmark::given::{Episode, Given};
use crate::seat::{Player, Seat};
use crate::spec::Spec;
use crate::sweep;

impl Given<'_> {
    /// A field of an episode's task, as it may be shown; `None` where the task is not at hand or has no such field.
    fn field(&self, episode: &Episode<'_>, name: &str) -> Option<String> {
        let task = sweep::task(self.benchmark, self.spec, self.tasks?, &episode.summary.task.id)?;
        let covered = self.covered(&task);
        covered.field(name).map(str::to_owned)
    }
}

/// The seat under evaluation, where the benchmark has one.
pub fn evaluated(spec: &Spec) -> Option<&Seat> {
    let found = spec.seats.keys().find(|seat| seat.as_str() == Seat::PLAYER);
    match spec.seats.len() {
        1 => spec.seats.keys().next(),
        _ => found,
    }
}

/// The provider of players that are no models.
const OURS: &str = "turnwise";

/// What a player is called where only models are expected: `PROVIDER/MODEL`, `turnwise/bot:NAME`, `turnwise/person`.
pub fn model_name(player: &Player) -> String {
    match player {
        Player::Model { provider, model } => format!("{provider}/{model}"),
        other => format!("{OURS}/{other}"),
    }
}
