//! The settings of a run of Mind-ParaWorld (specification 5.1).

use super::form::CARDS;
use super::reading::player::Calling;
use super::reading::syntax::Syntax;
use super::task::World;
use turnwise_core::prelude::*;

/// Names of seats beside [`Seat::PLAYER`].
pub mod seat {
    /// The search engine that is made of a world's facts.
    pub const ENGINE: &str = "engine";
    /// Compares an answer with the reference answer.
    pub const JUDGE: &str = "judge";
}

/// The most turns that a run may have. The paper has 32.
pub const MOST_TURNS: u32 = 200;

choices! {
    /// What the player is given (specification 5.1), in the order of the paper, then ours.
    #[derive(Default)]
    pub enum Setting {
        /// All facts, no tool, one turn: how well facts are put together.
        Oracle = "A" => "",
        /// The tool, and how queries are to be written.
        Guidance = "B-guidance" => "",
        /// The tool, and examples of good and bad queries.
        FewShot = "B-few-shot" => "",
        /// The tool and nothing else.
        #[default]
        Unguided = "C" => "",
        /// The tool, with a system prompt and a syntax of calls of one's own.
        Custom = "custom" => "",
        /// The question alone, no tool, one turn: what can be guessed (`strict` only; specification 11, number 33).
        Control = "control" => "",
    }
}

impl Setting {
    /// Whether the player can search.
    pub fn searches(self) -> bool {
        !matches!(self, Setting::Oracle | Setting::Control)
    }
}

choices! {
    /// Which of the authors' engines is played (specification 5.4, 5.6).
    pub enum Engines {
        /// The conversation is truncated, the player sees results without tags.
        Local = "local" => "for a local server",
        /// Nothing is truncated, the player sees results with the marks of the chat format.
        Api = "api" => "for a model service",
    }
}

settings! {
    Schema::new("What the player is given", &[]);
    /// Settings of a Mind-ParaWorld run.
    #[derive(Eq)]
    pub struct Settings {
        setting: Setting = Setting::Unguided
            => entry("What the player is given", "", Holds::Cards(CARDS)),
        /// A world's own limit goes before it. Settings without a tool have one turn whatever stands here.
        turns: u32 = 32 => entry(
            "Turns at most",
            "a world may bring a limit of its own",
            Holds::Number(1, MOST_TURNS as u64),
        ),
        /// How calls are written; another than the default only in `custom`.
        syntax: Syntax = Syntax::Default => entry(
            "How calls are written",
            "custom: as the model was trained to write them",
            Holds::Choice(Syntax::CHOICES),
        )
        .folded(),
        /// How many characters of the conversation the player is shown again at most; `None` = all.
        context: Option<u64> = Some(128_000) => entry(
            "Characters of the conversation shown again",
            "older turns are left out beyond this",
            Holds::Limit(1, 100_000_000, "no limit"),
        )
        .folded(),
        format_errors: Option<u32> = Some(3) => entry(
            "Format errors in a row that end an episode",
            "strict only",
            Holds::Limit(1, 1000, "never"),
        )
        .folded(),
        votes: u32 = 1 => entry(
            "Votes of the judge",
            "three under strict only",
            Holds::Counts(&[(1, "one"), (3, "three, the majority counts")]),
        )
        .folded(),
        /// `reference`: which of the authors' engines is played.
        engines: Engines = Engines::Local => entry(
            "Which of the authors' two engines",
            "reference: they cut the conversation in different ways",
            Holds::Choice(Engines::CHOICES),
        )
        .folded(),
        /// Whether several calls of one message all run, side by side. Under `reference` only in `custom`.
        parallel: bool = false => entry(
            "Several calls of one message run side by side",
            "under reference in custom only; otherwise only the one that counts in this reading",
            Holds::Flag,
        )
        .folded(),
        /// `custom`: the system prompt, where a world has none of its own; `None` = that of setting C.
        system: Option<String> = None => entry(
            "System prompt",
            "custom only; empty: that of setting C; a world's own goes before it",
            Holds::Lines,
        )
        .folded(),
    }
}

impl Settings {
    /// The settings of a spec.
    ///
    /// # Errors
    /// If they cannot be read, or no episode can go by them; the field is named.
    pub fn of(spec: &Spec) -> Result<Self, BadSpec> {
        let settings = Settings::read(spec)?;
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
        if self.votes == 3 && !strict {
            return bad("votes", "the reference code asks its judge once; use profile strict");
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
