//! The settings of a run of the Trust Game (specification 5.a).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game::{Action, Payoffs};
use super::lengths::MOST_ROUNDS;
use super::lineup::{self, Participant, Players};
use turnwise_core::prelude::*;

/// The most matches of one run.
const MOST_MATCHES: u64 = 100_000;
/// The largest payoff, above or below zero.
const LARGEST_PAYOFF: i64 = 1_000_000;

settings! {
    Schema::new("Matches", &[]);
    /// Settings of a Trust Game run. The defaults are the published configuration.
    pub struct Settings {
        /// How many matches every pair plays, not counting changed sides.
        repeats: u32 = 5 => entry("Matches of each pair", "", Holds::Number(1, 1000)),
        /// The probability that a match goes on after a round; several make a sweep.
        delta: Deltas = Deltas(vec![0.8]) => entry(
            "Chance that a match goes on (δ)",
            "0 to 1; separate values with commas to compare several",
            Holds::Shares,
        ),
        /// The most rounds of a match.
        cap: u32 = 35
            => entry("Rounds at most", "players are not told", Holds::Number(1, MOST_ROUNDS as u64)),
        window: u32 = 20 => entry(
            "Rounds that a player is shown",
            "the latest so many",
            Holds::Number(1, MOST_ROUNDS as u64),
        ),
        payoffs: Payoffs = Payoffs::default() => entry(
            "What a round pays",
            "",
            Holds::Numbers(&[
                ("cc", "both cooperate"),
                ("cd", "cooperates alone"),
                ("dc", "defects alone"),
                ("dd", "both defect"),
            ]),
        ),
        form: Form = Form::Tournament
            => entry("Which matches", "", Holds::Choice(Form::CHOICES)).flagged("match-form"),
        /// How lengths are drawn; absent = `shared` under `strict`, `reference` under `reference`.
        #[serde(skip_serializing_if = "Option::is_none")]
        lengths: Option<Lengths> = None => entry(
            "How lengths are drawn",
            "",
            Holds::Choice(
                const { &[("", "as usual in this profile"), Lengths::CHOICES[0], Lengths::CHOICES[1]] },
            ),
        ),
        /// What is played for a player whose replies could not be read; the match is then flagged.
        fallback: Fallback = Fallback::Cooperate => entry(
            "Played for whoever says no move",
            "the match is flagged",
            Holds::Choice(Fallback::CHOICES),
        ),
        swap: bool = true
            => entry("Every match again with changed sides", "equally long", Holds::Flag),
        /// Other names for players, by seat.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        names: BTreeMap<String, String> = BTreeMap::new(),
        /// The players for whom the matches are planned, by seat; absent = the current players. Only a branch has it: its matches
        /// are those of the run that it goes on from, whatever players it has now. Ids, lengths and labels follow from it; names
        /// and numbers are those of the current players.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        planned_for: Players = Players::new(),
    }
}

choices! {
    /// Which matches a run has.
    pub enum Form {
        Tournament = "tournament" => "every pair",
        /// Two players with the reference code's seeds for single games (`reference` only).
        Single = "single" => "one match (reference only)",
    }
}

choices! {
    /// How the lengths of matches are drawn.
    pub enum Lengths {
        /// Repeat r is equally long for everybody.
        Shared = "shared" => "one list for all pairs",
        /// From the seeds of the reference code.
        Reference = "reference" => "each pair its own, as the authors' code",
    }
}

choices! {
    /// What is played for a player who does not say a move.
    pub enum Fallback {
        /// As the reference code plays.
        Cooperate = "cooperate" => "cooperation",
        Defect = "defect" => "defection",
    }
}

impl Fallback {
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
        let settings = Settings::read(spec)?;
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

    /// How many matches this many players play.
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
            (Form::Single, Profile::Reference) if players != 2 || self.delta.0.len() != 1 => {
                bad("form", "a single match has two players and one delta".into())
            }
            (Form::Single, Profile::Reference) => Ok(()),
        }
    }
}
