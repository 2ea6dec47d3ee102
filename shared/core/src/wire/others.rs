//! How others did on the tasks of a run: `GET /api/live/{run}/others`, for people who have played.

use serde::{Deserialize, Serialize};

use crate::benchmark::Benchmark;
use crate::seat::{Player, Seat};
use crate::spec::{Profile, Spec};
use crate::task::TaskId;

/// How others did on one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OthersOnTask {
    /// The task, as the run names it.
    pub task: TaskId,
    /// Who played it elsewhere on this server, best first. Their runs are not named.
    pub players: Vec<OtherPlayer>,
}

/// A player, over all episodes of one task under one condition.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OtherPlayer {
    /// Who, in the words of the lineup.
    pub player: String,
    /// The condition, in the words of the benchmark's boards; absent where it has none.
    pub condition: Option<String>,
    /// Which reading of the benchmark.
    pub profile: Profile,
    pub plays: u32,
    /// The mean of their scores, 0 to 1.
    pub score: f64,
}

/// Everybody who played a task: one row for each player, condition and profile, the best first, then by name.
pub fn players<'a>(
    benchmark: &dyn Benchmark,
    plays: impl IntoIterator<Item = (&'a Spec, f64)>,
) -> Vec<OtherPlayer> {
    let mut rows: Vec<OtherPlayer> = Vec::new();
    for (spec, score) in plays {
        // What a recording repeats was said by another player.
        let Some(sitting) = spec.seats.get(&Seat::new(Seat::PLAYER)) else {
            continue;
        };
        if matches!(sitting.player, Player::Recording(_)) {
            continue;
        }
        let (player, condition) = (sitting.player.to_string(), condition(benchmark, spec));
        let same = rows.iter_mut().find(|row| {
            row.player == player && row.condition == condition && row.profile == spec.profile
        });
        match same {
            Some(row) => {
                row.plays += 1;
                row.score += score;
            }
            None => {
                rows.push(OtherPlayer { player, condition, profile: spec.profile, plays: 1, score })
            }
        }
    }
    for row in &mut rows {
        row.score /= f64::from(row.plays);
    }
    rows.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| one.player.cmp(&other.player))
            .then_with(|| one.condition.cmp(&other.condition))
    });
    rows
}

fn condition(benchmark: &dyn Benchmark, spec: &Spec) -> Option<String> {
    let words = (benchmark.boards()?.condition)(spec);
    (!words.is_empty()).then(|| words.join(", "))
}
