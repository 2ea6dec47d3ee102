//! Who sits where, and who may see what.
//!
//! An episode knows seats; it never knows who sits in them. That is the lineup's business, and the driver's.

pub mod knob;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A place in an episode from which something is said: `player`, `responder`, `grader`, `engine`, `1`…
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(String);

shown_as_held!(Seat);

impl Seat {
    /// The seat under evaluation in benchmarks that have one such seat.
    pub const PLAYER: &'static str = "player";
    /// The simulated user that answers the player's questions.
    pub const RESPONDER: &'static str = "responder";
    /// The seat that compares an answer with the truth.
    pub const GRADER: &'static str = "grader";

    pub fn new(name: impl Into<String>) -> Self {
        Seat(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
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
    /// The player in a seat, who sees what that seat has been sent.
    Seat(Seat),
    /// A reader of the run, who comes afterwards and may see everything but hidden task fields.
    Reader,
}

impl Viewer {
    /// The seat in which the viewer sits; `None` for a reader.
    pub fn seat(&self) -> Option<&str> {
        match self {
            Viewer::Seat(seat) => Some(seat.as_str()),
            Viewer::Reader => None,
        }
    }
}

/// Who sits in a seat.
///
/// Written `bot:NAME`, `model:PROVIDER/MODEL`, `tape:FOLDER` or `person`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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
    Recording(String),
    /// A person in a browser.
    Person,
}

as_text!(Player);

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
            Some(("tape", folder)) if !folder.is_empty() => {
                Ok(Player::Recording(folder.to_owned()))
            }
            Some(("model", rest)) => match rest.split_once('/') {
                Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                    Ok(Player::Model { provider: provider.to_owned(), model: model.to_owned() })
                }
                _ => Err(bad()),
            },
            _ => Err(bad()),
        }
    }
}

impl Player {
    /// Its name in a word, as it stands at a table.
    pub fn short_name(&self) -> String {
        match self {
            Player::Bot(name) => name.clone(),
            Player::Model { model, .. } => model.rsplit('/').next().unwrap_or(model).to_owned(),
            Player::Recording(name) => {
                format!("recording {}", name.chars().take(8).collect::<String>())
            }
            Player::Person => "person".to_owned(),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Bot(name) => write!(f, "bot:{name}"),
            Player::Model { provider, model } => write!(f, "model:{provider}/{model}"),
            Player::Recording(folder) => write!(f, "tape:{folder}"),
            Player::Person => f.write_str("person"),
        }
    }
}

/// How a model is sampled; what is absent is not sent.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Temperature, 0 to 2.
    pub temperature: Option<f64>,
    /// Nucleus sampling, 0 to 1.
    pub top_p: Option<f64>,
    /// The most tokens that one reply may have.
    pub max_tokens: Option<u32>,
    /// Texts at which a reply ends; they are not part of it. Services take few of them: OpenAI 4, Gemini 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// From which a service draws, as far as it keeps to it; at most [`LARGEST_SEED`].
    pub seed: Option<u32>,
    /// How hard a model that reasons is to think.
    pub effort: Option<Effort>,
    /// The most tokens of reasoning, where a service counts them apart; 0 turns reasoning off where that can be.
    pub thinking_tokens: Option<u32>,
    /// In which form the reply is wanted.
    #[serde(default, skip_serializing_if = "ReplyForm::is_text")]
    pub form: ReplyForm,
}

impl Sampling {
    /// A temperature, and the rest as the service has it.
    pub fn at(temperature: f64) -> Sampling {
        Sampling { temperature: Some(temperature), ..Sampling::default() }
    }

    /// Whether models of this name are of a family that may refuse temperature and top-p, so that no benchmark sends them any of
    /// its own: `o3` and `gpt-5`, dated or sized (`o3-mini`), with or without a service's path before it (`openai/o3`).
    pub fn is_refused_by(model: &str) -> bool {
        let name = model.rsplit('/').next().unwrap_or(model);
        ["o3", "gpt-5"].into_iter().any(|family| {
            let rest = name.strip_prefix(family);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', '@', ':']))
        })
    }
}

/// The largest seed that every service takes: Gemini's is a signed number of 32 bits.
pub const LARGEST_SEED: u32 = i32::MAX as u32;

crate::choices! {
    /// How hard a model that reasons is to think, in the services' own words. No service has all of them.
    pub enum Effort {
        /// Not at all (OpenAI).
        None = "none",
        /// As little as can be (OpenAI, Gemini).
        Minimal = "minimal",
        Low = "low",
        Medium = "medium",
        High = "high",
        Xhigh = "xhigh",
        /// As much as can be (OpenAI, Anthropic).
        Max = "max",
    }
}

crate::choices! {
    /// In which form a reply is wanted.
    #[derive(Default)]
    pub enum ReplyForm {
        #[default]
        Text = "text",
        /// One JSON value and nothing else, where the service can promise that.
        Json = "json",
    }
}

impl ReplyForm {
    fn is_text(&self) -> bool {
        *self == ReplyForm::Text
    }
}

/// Who sits in one seat, and how it is sampled if it is a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sitting {
    pub player: Player,
    #[serde(default)]
    pub sampling: Sampling,
}

/// Who sits in which seat of a run.
pub type Lineup = BTreeMap<Seat, Sitting>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_chosen_leaves_the_hash_of_a_spec_alone() {
        let plain = serde_json::to_string(&Sampling::default()).expect("JSON");
        assert_eq!(plain, "{}");
        let read: Sampling = serde_json::from_str(r#"{"temperature":0.5}"#).expect("an old one");
        assert!(read.stop.is_empty() && read.form == ReplyForm::Text);
        for effort in Effort::ALL {
            assert_eq!(effort.name().parse(), Ok(effort));
            assert_eq!(serde_json::to_value(effort).expect("JSON"), effort.name());
        }
    }

    #[test]
    fn players_survive_their_text() {
        for text in ["bot:lexical", "model:openai/org/name:free", "tape:runs/a", "person"] {
            assert_eq!(text.parse::<Player>().expect(text).to_string(), text);
        }
        for text in ["", "bot:", "model:gpt", "model:/x", "gpt-5", "robot:x"] {
            assert!(text.parse::<Player>().is_err(), "{text}");
        }
    }
}
