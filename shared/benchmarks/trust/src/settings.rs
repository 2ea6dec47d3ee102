//! The settings of a run of the Trust Game (specification 5.a).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game::{Action, Payoffs};
use super::lengths::MOST_ROUNDS;
use super::lineup::{self, Participant, Players};
use turnwise_core::spec::{BadSpec, Profile, Spec};

/// The most values of δ in one sweep.
const MOST_DELTAS: usize = 50;
/// The most matches of one run.
const MOST_MATCHES: u64 = 100_000;
/// The largest payoff, above or below zero.
const LARGEST_PAYOFF: i64 = 1_000_000;

/// What a run of the Trust Game can be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// A tournament of all pairs, or the reference code's single match.
    pub form: Form,
    /// Other names for players, by seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// For whom the matches are planned, by seat; absent = for whoever sits there. Only a branch has it: its matches are those
    /// of the run that it goes on from, whoever sits there now. Ids, lengths and labels follow from it; names and numbers
    /// are those of who sits there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub planned_for: Players,
    /// What a round pays.
    pub payoffs: Payoffs,
    /// The probability that a match goes on after a round; several make a sweep.
    pub delta: Deltas,
    /// The most rounds of a match. Players are not told.
    pub cap: u32,
    /// How many matches every pair plays, not counting changed sides.
    pub repeats: u32,
    /// Whether every match is played again with changed sides, equally long.
    pub swap: bool,
    /// How lengths are drawn; absent = `shared` under `strict`, `reference` under `reference`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Lengths>,
    /// What is played for somebody whose replies could not be read; the match is then flagged.
    pub fallback: Fallback,
    /// How many of the last rounds a player is shown.
    pub window: u32,
}

impl Default for Settings {
    /// The published configuration.
    fn default() -> Self {
        Settings {
            form: Form::Tournament,
            names: BTreeMap::new(),
            planned_for: Players::new(),
            payoffs: Payoffs::default(),
            delta: Deltas(vec![0.8]),
            cap: 35,
            repeats: 5,
            swap: true,
            lengths: None,
            fallback: Fallback::Cooperate,
            window: 20,
        }
    }
}

/// Which matches a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Every pair.
    Tournament,
    /// One match of two players with the reference code's seeds for single games (`reference` only).
    Single,
}

/// How the lengths of matches are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lengths {
    /// One list for all pairs: repeat r is equally long for everybody.
    Shared,
    /// Every pair has its own, from the seeds of the reference code.
    Reference,
}

/// What is played for somebody who does not say a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// Cooperation, as the reference code plays.
    Cooperate,
    /// Defection.
    Defect,
}

impl Fallback {
    /// The move.
    pub fn action(self) -> Action {
        match self {
            Fallback::Cooperate => Action::Cooperate,
            Fallback::Defect => Action::Defect,
        }
    }
}

/// One or several values of δ; written as a number or as a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "OneOrMany", into = "OneOrMany")]
pub struct Deltas(pub Vec<f64>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

impl From<OneOrMany> for Deltas {
    fn from(written: OneOrMany) -> Self {
        match written {
            OneOrMany::One(delta) => Deltas(vec![delta]),
            OneOrMany::Many(deltas) => Deltas(deltas),
        }
    }
}

impl From<Deltas> for OneOrMany {
    fn from(Deltas(deltas): Deltas) -> Self {
        match deltas.as_slice() {
            [delta] => OneOrMany::One(*delta),
            _ => OneOrMany::Many(deltas),
        }
    }
}

impl Settings {
    /// The settings of a spec, and those who sit there.
    ///
    /// # Errors
    /// If they cannot be read, or no match can go by them; the field is named.
    pub fn of(spec: &Spec) -> Result<(Self, Vec<Participant>), BadSpec> {
        let settings: Settings = serde_json::from_value(spec.settings.clone())
            .map_err(|error| BadSpec::new("settings", error.to_string()))?;
        let planned = settings.planned(spec)?;
        settings.check(spec, planned.len())?;
        let players = match settings.planned_for.is_empty() {
            true => planned,
            false => lineup::taken_over(&planned, &lineup::players(spec))?,
        };
        Ok((settings, players))
    }

    /// Those for whom the matches are planned.
    ///
    /// # Errors
    /// As of [`Settings::of`].
    pub fn planned(&self, spec: &Spec) -> Result<Vec<Participant>, BadSpec> {
        match self.planned_for.is_empty() {
            true => lineup::participants(&lineup::players(spec), &self.names),
            false => lineup::participants(&self.planned_for, &self.names),
        }
    }

    /// How lengths are drawn in this profile.
    pub fn lengths(&self, profile: Profile) -> Lengths {
        self.lengths.unwrap_or(match profile {
            Profile::Strict => Lengths::Shared,
            Profile::Reference => Lengths::Reference,
        })
    }

    /// How many matches so many players play.
    pub fn matches(&self, players: usize) -> u64 {
        let players = players as u64;
        let pairs = players * players.saturating_sub(1) / 2;
        let directions = if self.swap { 2 } else { 1 };
        match self.form {
            Form::Single => 1,
            Form::Tournament => {
                pairs * u64::from(self.repeats) * directions * self.delta.0.len() as u64
            }
        }
    }

    fn check(&self, spec: &Spec, players: usize) -> Result<(), BadSpec> {
        let bad =
            |field: &str, problem: String| Err(BadSpec::new(format!("settings.{field}"), problem));
        let Deltas(deltas) = &self.delta;
        if deltas.is_empty() || deltas.len() > MOST_DELTAS {
            let count = deltas.len();
            return bad(
                "delta",
                format!("a run has 1 to {MOST_DELTAS} values, and here are {count}"),
            );
        }
        for (position, delta) in deltas.iter().enumerate() {
            if !(0.0..=1.0).contains(delta) {
                return bad("delta", format!("{delta} is no probability; choose 0 to 1"));
            }
            if deltas[..position].contains(delta) {
                return bad("delta", format!("{delta} stands there twice"));
            }
        }
        for (field, value, most) in [
            ("cap", self.cap, MOST_ROUNDS),
            ("repeats", self.repeats, 1000),
            ("window", self.window, MOST_ROUNDS),
        ] {
            if !(1..=most).contains(&value) {
                return bad(field, format!("{value} is not possible; choose 1 to {most}"));
            }
        }
        let Payoffs { cc, cd, dc, dd } = self.payoffs;
        if let Some(payoff) = [cc, cd, dc, dd]
            .into_iter()
            .find(|payoff| payoff.unsigned_abs() > LARGEST_PAYOFF.unsigned_abs())
        {
            return bad(
                "payoffs",
                format!(
                    "{payoff} is too far from zero; choose -{LARGEST_PAYOFF} to {LARGEST_PAYOFF}"
                ),
            );
        }
        if spec.repeats != 1 {
            return Err(BadSpec::new(
                "repeats",
                "matches are repeated by settings.repeats, which also draws their lengths; leave repeats at 1",
            ));
        }
        let matches = self.matches(players);
        if matches > MOST_MATCHES {
            return bad(
                "repeats",
                format!("{matches} matches are too many for one run; the most are {MOST_MATCHES}"),
            );
        }
        if spec.profile == Profile::Reference && self.fallback != Fallback::Cooperate {
            return bad(
                "fallback",
                "the reference code cooperates for somebody who says no move; use profile strict"
                    .into(),
            );
        }
        match (self.form, spec.profile) {
            (Form::Tournament, _) => Ok(()),
            (Form::Single, Profile::Strict) => bad(
                "form",
                "a single match is a form of the reference code; use profile reference, or a tournament of one repeat without swap".into(),
            ),
            (Form::Single, Profile::Reference) if players != 2 || deltas.len() != 1 => {
                bad("form", "a single match has two players and one delta".into())
            }
            (Form::Single, Profile::Reference) => Ok(()),
        }
    }
}
