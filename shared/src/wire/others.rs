//! How others did on the tasks of a run: `GET /api/live/{run}/others`, for people who have played.

use serde::{Deserialize, Serialize};

use crate::seat::{Player, Seat};
use crate::spec::{Profile, Spec};
use crate::task::TaskId;

/// How others did on one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OthersOnTask {
    /// The task, as the run names it.
    pub task: TaskId,
    /// Whoever played it elsewhere on this server, best first. Nobody's run is named.
    pub players: Vec<OtherPlayer>,
}

/// Somebody, over all plays of one task under one condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OtherPlayer {
    /// Who, in the words of the lineup.
    pub player: String,
    /// What the benchmark calls the condition: its mode or setting; absent where it has neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Which reading of the benchmark.
    pub profile: Profile,
    /// How many plays.
    pub plays: u32,
    /// The mean of their scores, 0 to 1.
    pub score: f64,
}

/// Everybody who played a task: one row for each player, condition and profile, the best first, then by name.
pub fn players<'a>(plays: impl IntoIterator<Item = (&'a Spec, f64)>) -> Vec<OtherPlayer> {
    let mut rows: Vec<OtherPlayer> = Vec::new();
    for (spec, score) in plays {
        // What a recording says again was said by somebody else.
        let Some(sitting) = spec.seats.get(&Seat::new(Seat::PLAYER)) else {
            continue;
        };
        if matches!(sitting.player, Player::Tape(_)) {
            continue;
        }
        let (player, condition) = (sitting.player.to_string(), condition(spec));
        let same = rows.iter_mut().find(|row| {
            row.player == player && row.condition == condition && row.profile == spec.profile
        });
        match same {
            Some(row) => {
                row.plays += 1;
                row.score += score;
            }
            None => rows.push(OtherPlayer {
                player,
                condition,
                profile: spec.profile,
                plays: 1,
                score,
            }),
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

fn condition(spec: &Spec) -> Option<String> {
    let named = |name: &str| spec.settings.get(name)?.as_str();
    let word = named("mode").or_else(|| named("setting"))?;
    Some(word.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use crate::spec::{Budget, Named};

    fn spec(player: &str, mode: &str) -> Spec {
        let benchmark = registry::find("interactcomp").expect("it is registered");
        let named = |name: &str| Named {
            name: name.to_owned(),
            digest: crate::hash::Digest::of(name),
        };
        let sitting = crate::seat::Sitting {
            player: player.parse().expect("a player"),
            sampling: Default::default(),
        };
        Spec {
            benchmark: benchmark.name().to_owned(),
            protocol: benchmark.protocol(),
            profile: Profile::Strict,
            settings: serde_json::json!({ "mode": mode }),
            tasks: named("tasks"),
            subset: Default::default(),
            pack: named("pack"),
            seats: [(Seat::new(Seat::PLAYER), sitting)].into(),
            search: None,
            budget: Budget::default(),
            seed: 1,
            repeats: 1,
        }
    }

    #[test]
    fn everybody_stands_once_with_the_mean_of_their_plays() {
        let full = spec("model:lab/m", "full");
        let asks = spec("model:lab/m", "ask_only");
        let bot = spec("bot:answer-only", "full");
        let tape = spec("tape:t", "full");
        let rows = players([
            (&full, 1.0),
            (&full, 0.0),
            (&bot, 0.0),
            (&asks, 1.0),
            (&tape, 1.0),
        ]);
        let said: Vec<_> = rows
            .iter()
            .map(|row| {
                let condition = row.condition.as_deref().unwrap_or("");
                (row.player.as_str(), condition, row.plays, row.score)
            })
            .collect();
        assert_eq!(
            said,
            [
                ("model:lab/m", "ask only", 1, 1.0),
                ("model:lab/m", "full", 2, 0.5),
                ("bot:answer-only", "full", 1, 0.0),
            ]
        );
    }
}
