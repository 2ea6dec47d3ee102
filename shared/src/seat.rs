//! Who sits where, and who may see what.
//!
//! An episode knows seats; it never knows who sits in them. That is the lineup's business, and the driver's.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A place in an episode from which something is said: `player`, `responder`, `grader`, `engine`, `1`…
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(String);

impl Seat {
    /// The seat under evaluation in benchmarks that have one such seat.
    pub const PLAYER: &'static str = "player";
    /// The simulated user that answers the player's questions.
    pub const RESPONDER: &'static str = "responder";
    /// The seat that compares an answer with the truth.
    pub const GRADER: &'static str = "grader";

    /// A seat by name.
    pub fn new(name: impl Into<String>) -> Self {
        Seat(name.into())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Seat {
    fn from(name: &str) -> Self {
        Seat::new(name)
    }
}

/// For whom a [`Scene`](crate::scene::Scene) is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Viewer {
    /// Somebody who sits in a seat, and sees what that seat has been told.
    Seat(Seat),
    /// Somebody who reads the run afterwards and may see everything but hidden task fields.
    Reader,
}

/// Who sits in a seat.
///
/// Written `bot:NAME`, `model:PROVIDER/MODEL`, `tape:FOLDER` or `person`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Player {
    /// A built-in rule of ours; no key, no network.
    Bot(String),
    /// A model behind an endpoint which the operator configured.
    Model {
        /// The operator's name of the endpoint.
        provider: String,
        /// The model's name on the wire.
        model: String,
    },
    /// A recorded run that answers again what was answered then.
    Tape(String),
    /// A person in a browser.
    Person,
}

/// A seat assignment that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names nobody: write bot:NAME, model:PROVIDER/MODEL, tape:FOLDER or person")]
pub struct BadPlayer(String);

impl FromStr for Player {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<Self, BadPlayer> {
        let bad = || BadPlayer(text.chars().take(200).collect());
        if text == "person" {
            return Ok(Player::Person);
        }
        match text.split_once(':') {
            Some(("bot", name)) if !name.is_empty() => Ok(Player::Bot(name.to_owned())),
            Some(("tape", folder)) if !folder.is_empty() => Ok(Player::Tape(folder.to_owned())),
            Some(("model", rest)) => match rest.split_once('/') {
                Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                    Ok(Player::Model {
                        provider: provider.to_owned(),
                        model: model.to_owned(),
                    })
                }
                _ => Err(bad()),
            },
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Bot(name) => write!(f, "bot:{name}"),
            Player::Model { provider, model } => write!(f, "model:{provider}/{model}"),
            Player::Tape(folder) => write!(f, "tape:{folder}"),
            Player::Person => f.write_str("person"),
        }
    }
}

impl From<Player> for String {
    fn from(player: Player) -> String {
        player.to_string()
    }
}

impl TryFrom<String> for Player {
    type Error = BadPlayer;

    fn try_from(text: String) -> Result<Self, BadPlayer> {
        text.parse()
    }
}

/// How a model is sampled; what is absent is not sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Temperature, 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The most tokens that one reply may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}

/// Who sits in one seat, and how it is sampled if it is a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sitting {
    /// Who.
    pub player: Player,
    /// How.
    #[serde(default)]
    pub sampling: Sampling,
}

/// Who sits in which seat of a run.
pub type Lineup = BTreeMap<Seat, Sitting>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_survive_their_text() {
        for text in [
            "bot:lexical",
            "model:openai/org/name:free",
            "tape:runs/a",
            "person",
        ] {
            assert_eq!(text.parse::<Player>().expect(text).to_string(), text);
        }
        for text in ["", "bot:", "model:gpt", "model:/x", "gpt-5", "robot:x"] {
            assert!(text.parse::<Player>().is_err(), "{text}");
        }
    }
}
