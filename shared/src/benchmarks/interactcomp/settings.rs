//! The settings of a run of InteractComp (specification 3.1).

use serde::{Deserialize, Serialize};

use super::mode::Mode;
use super::reading::ActionName;
use crate::seat::Seat;
use crate::spec::{BadSpec, Profile, Spec};

/// The most rounds that a run may have. Memory in the reference code loses its oldest entry beyond 100.
pub const MOST_ROUNDS: u32 = 100;

/// What a run of InteractComp can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the player may do.
    pub mode: Mode,
    /// The round limit K: K - 1 rounds with any action and one in which only an answer counts. Modes that only answer
    /// have one round whatever stands here.
    #[serde(default = "ten")]
    pub rounds: u32,
    /// The least number of asks M before an answer is accepted; binds in `forced_ask` only.
    #[serde(default = "five")]
    pub min_asks: u32,
}

fn ten() -> u32 {
    10
}

fn five() -> u32 {
    5
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::Full,
            rounds: ten(),
            min_asks: five(),
        }
    }
}

impl Settings {
    /// The settings of a spec.
    ///
    /// # Errors
    /// If they cannot be read, or no episode can go by them; the field is named.
    pub fn of(spec: &Spec) -> Result<Self, BadSpec> {
        let settings: Settings = serde_json::from_value(spec.settings.clone())
            .map_err(|error| BadSpec::new("settings", error.to_string()))?;
        settings.check(spec.profile)?;
        Ok(settings)
    }

    /// The rounds that are really played.
    pub fn limit(&self) -> u32 {
        if self.mode.has_one_round() {
            1
        } else {
            self.rounds
        }
    }

    fn check(&self, profile: Profile) -> Result<(), BadSpec> {
        if !(1..=MOST_ROUNDS).contains(&self.rounds) {
            return Err(BadSpec::new(
                "settings.rounds",
                format!(
                    "{} rounds are not possible; choose 1 to {MOST_ROUNDS}",
                    self.rounds
                ),
            ));
        }
        if self.mode == Mode::ForcedAsk && self.rounds < self.min_asks.saturating_add(1) {
            return Err(BadSpec::new(
                "settings.min_asks",
                format!(
                    "{} asks and an answer do not fit into {} rounds; give at least {} rounds or ask for fewer",
                    self.min_asks,
                    self.rounds,
                    self.min_asks.saturating_add(1)
                ),
            ));
        }
        if self.mode == Mode::AnswerOnlyWithContext && profile == Profile::Reference {
            return Err(BadSpec::new(
                "settings.mode",
                "answer_only_with_context is a variant of ours that the reference code does not have; use profile strict",
            ));
        }
        Ok(())
    }
}

/// Checks what a spec says about seats and search against what its mode needs.
///
/// # Errors
/// The first seat that is missing, with the way to fill it.
pub fn check_seats(spec: &Spec, settings: &Settings) -> Result<(), BadSpec> {
    let actions = settings.mode.actions();
    let mut needed = vec![(Seat::PLAYER, "bot:asks-by-rule")];
    if actions.contains(&ActionName::Ask) {
        needed.push((Seat::RESPONDER, "bot:lexical"));
    }
    for (seat, example) in needed {
        if !spec.seats.contains_key(&Seat::new(seat)) {
            return Err(BadSpec::new(
                format!("seats.{seat}"),
                format!(
                    "nobody sits there, and the mode {} needs somebody; e.g. {example}",
                    settings.mode
                ),
            ));
        }
    }
    if actions.contains(&ActionName::Search)
        && spec.search.is_none()
        && spec.profile == Profile::Strict
    {
        return Err(BadSpec::new(
            "search",
            format!(
                "the mode {} searches, and no engine is chosen; e.g. local",
                settings.mode
            ),
        ));
    }
    Ok(())
}
