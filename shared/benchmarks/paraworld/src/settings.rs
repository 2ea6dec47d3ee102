//! The settings of a run of Mind-ParaWorld (specification 5.1).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::reading::player::Calling;
use super::reading::syntax::Syntax;
use super::task::World;
use turnwise_core::seat::{Player, Seat};
use turnwise_core::spec::{BadSpec, Profile, Spec};

/// Names of seats beside [`Seat::PLAYER`].
pub mod seat {
    /// The search engine that is made of a world's facts.
    pub const ENGINE: &str = "engine";
    /// Compares an answer with the reference answer.
    pub const JUDGE: &str = "judge";
}

/// The most turns that a run may have. The paper has 32.
pub const MOST_TURNS: u32 = 200;

/// What the player is given (specification 5.1).
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Setting {
    /// All facts, no tool, one turn: how well facts are put together.
    #[serde(rename = "A")]
    Oracle,
    /// The tool, and how queries are to be written.
    #[serde(rename = "B-guidance")]
    Guidance,
    /// The tool, and examples of good and bad queries.
    #[serde(rename = "B-few-shot")]
    FewShot,
    /// The tool and nothing else.
    #[default]
    #[serde(rename = "C")]
    Unguided,
    /// The tool, with a system prompt and a syntax of calls of one's own.
    #[serde(rename = "custom")]
    Custom,
    /// The question alone, no tool, one turn: what can be guessed (`strict` only; specification 11, number 33).
    #[serde(rename = "control")]
    Control,
}

impl Setting {
    /// All of them, in the order of the paper, then ours.
    pub const ALL: [Setting; 6] = [
        Setting::Oracle,
        Setting::Guidance,
        Setting::FewShot,
        Setting::Unguided,
        Setting::Custom,
        Setting::Control,
    ];

    /// Its name in settings, on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Setting::Oracle => "A",
            Setting::Guidance => "B-guidance",
            Setting::FewShot => "B-few-shot",
            Setting::Unguided => "C",
            Setting::Custom => "custom",
            Setting::Control => "control",
        }
    }

    /// Whether the player can search.
    pub fn searches(self) -> bool {
        !matches!(self, Setting::Oracle | Setting::Control)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let same = |setting: &Setting| setting.name().eq_ignore_ascii_case(text);
        Setting::ALL.into_iter().find(same).ok_or_else(|| {
            let names = Setting::ALL.map(Setting::name);
            format!("write one of {}", names.join(", "))
        })
    }
}

/// Which of the authors' engines is played: the one for a local server or the one for services (specification 5.4, 5.6).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engines {
    /// For a local server: the conversation is truncated, the player sees results without tags.
    #[default]
    Local,
    /// For services: nothing is truncated, the player sees results with the marks of the chat format.
    Api,
}

/// What a run of Mind-ParaWorld can be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What the player is given.
    pub setting: Setting,
    /// The most turns; a world's own limit goes before it. Settings without a tool have one turn whatever stands here.
    pub turns: u32,
    /// How calls are written; another than the default only in `custom`.
    pub syntax: Syntax,
    /// Whether several calls of one message all run, side by side. Under `reference` only in `custom`.
    pub parallel: bool,
    /// How many characters of the conversation the player is shown again at most; `None` = all.
    pub context: Option<u64>,
    /// `strict`: so many format errors in a row end the episode; `None` = never.
    pub format_errors: Option<u32>,
    /// How many votes the judge has: 1, or 3 under `strict`.
    pub votes: u32,
    /// `custom`: the system prompt, where a world has none of its own; `None` = that of setting C.
    pub system: Option<String>,
    /// `reference`: which of the authors' engines is played.
    pub engines: Engines,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            setting: Setting::default(),
            turns: 32,
            syntax: Syntax::default(),
            parallel: false,
            context: Some(128_000),
            format_errors: Some(3),
            votes: 1,
            system: None,
            engines: Engines::default(),
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

    /// The turns that a world is played with.
    pub fn limit(&self, world: &World) -> u32 {
        if self.setting.searches() { world.max_turns.unwrap_or(self.turns) } else { 1 }
    }

    /// How many calls of one message run.
    pub fn calling(&self) -> Calling {
        if self.parallel { Calling::Parallel } else { Calling::Sequential }
    }

    fn check(&self, profile: Profile) -> Result<(), BadSpec> {
        let bad =
            |field: &str, problem: &str| Err(BadSpec::new(format!("settings.{field}"), problem));
        let strict = profile == Profile::Strict;
        let custom = self.setting == Setting::Custom;
        if !(1..=MOST_TURNS).contains(&self.turns) {
            let problem =
                format!("{} turns are not possible; choose 1 to {MOST_TURNS}", self.turns);
            return bad("turns", &problem);
        }
        if self.setting == Setting::Control && !strict {
            return bad(
                "setting",
                "control is a run of ours that the reference code does not have; use profile strict",
            );
        }
        if self.syntax != Syntax::Default && !custom {
            return bad("syntax", "another syntax of calls is for the setting custom");
        }
        if self.parallel && !strict && !custom {
            return bad(
                "parallel",
                "the reference code runs calls side by side only in the setting custom",
            );
        }
        if self.context == Some(0) {
            return bad("context", "nothing could be said; give characters, or null for no limit");
        }
        if self.format_errors == Some(0) {
            return bad("format_errors", "give 1 or more, or null for never");
        }
        match self.votes {
            1 => {}
            3 if strict => {}
            3 => {
                return bad("votes", "the reference code asks its judge once; use profile strict");
            }
            _ => return bad("votes", "the judge votes once or three times"),
        }
        if self.system.is_some() && !custom {
            return bad("system", "a system prompt of one's own is for the setting custom");
        }
        if self.engines == Engines::Api && strict {
            return bad("engines", "strict has one engine; api is for profile reference");
        }
        Ok(())
    }
    /// Checks that the player can write calls in this syntax.
    ///
    /// # Errors
    /// If it cannot, with the way to mend it.
    pub fn check_player(&self, spec: &Spec) -> Result<(), BadSpec> {
        let sitting = spec.seats.get(&Seat::new(Seat::PLAYER));
        let writes_default = sitting
            .is_some_and(|sitting| matches!(sitting.player, Player::Bot(_) | Player::Person));
        if self.syntax != Syntax::Default && writes_default {
            return Err(BadSpec::new(
                "seats.player",
                "bots and people write calls in the default syntax; leave settings.syntax out",
            ));
        }
        Ok(())
    }
}
