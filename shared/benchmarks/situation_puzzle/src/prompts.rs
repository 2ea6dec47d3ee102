//! The default prompt pack, in our own wording, and how requests are made from a pack (specification 1.c).
//!
//! A strict episode uses the templates of its task's language; `reference` is English whatever the task is.

use turnwise_shared::prompt::{Ask, Content, Expect, Message, Pack, Role, ThreadId, Variable};
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::{BadSpec, Profile};

use crate::reading::{Kind, Token};
use crate::settings::{JUDGE, Mode, Settings};
use crate::tasks::{Language, field};

/// Names of variables in requests.
pub mod variable {
    /// The public story (player).
    pub const SETUP: &str = "setup";
    /// How many turns there are (player).
    pub const ROUNDS: &str = "rounds";
    /// What is due: `move` or `final` (player).
    pub const DUE: &str = "due";
    /// The turn that is due, from 1 (player).
    pub const TURN: &str = "turn";
    /// All answers so far, one token a line (player).
    pub const TOKENS: &str = "tokens";
    /// What is judged: `question` or `final` (judge).
    pub const KIND: &str = "kind";
    /// The text that is judged (judge).
    pub const TEXT: &str = "text";
}

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../prompts/", $name, ".txt")))),*]
    };
}

/// The default pack. Files end with a line break; templates do not.
pub fn default_pack() -> Pack {
    let templates = templates![
        "player",
        "player_zh",
        "start",
        "start_zh",
        "direct",
        "direct_zh",
        "told",
        "format_error",
        "format_error_zh",
        "no_answer",
        "no_answer_zh",
        "forced_final",
        "forced_final_zh",
        "judge",
        "judge_zh",
        "judge_question",
        "judge_question_zh",
        "judge_final",
        "judge_final_zh",
        "reference_player",
        "reference_judge",
        "reference_question",
        "reference_final",
    ];
    Pack {
        name: "turnwise-situation-puzzle-1".to_owned(),
        templates: templates
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.trim_end().to_owned()))
            .collect(),
    }
}

/// What a player is told about its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The judge's token.
    Token(Token),
    /// The message was not a move.
    FormatError,
    /// The judge could not be read.
    NoAnswer,
}

impl Told {
    /// The word that the player sees.
    pub fn word(self) -> &'static str {
        match self {
            Told::Token(token) => token.name(),
            Told::FormatError => "FORMAT_ERROR",
            Told::NoAnswer => "NO_ANSWER",
        }
    }
}

/// One turn as both conversations remember it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What the player said, as it is shown to it again.
    pub said: String,
    /// What was judged; `None` if the message was not a move.
    pub judged: Option<(Kind, String)>,
    /// What the player was told.
    pub told: Told,
}

/// Which templates an episode uses.
#[derive(Debug, Clone, Copy)]
pub struct Prompts {
    profile: Profile,
    settings: Settings,
    language: Language,
}

impl Prompts {
    /// The templates of an episode.
    ///
    /// # Errors
    /// If the pack lacks one of them.
    pub fn new(
        pack: &Pack,
        profile: Profile,
        settings: Settings,
        language: Language,
    ) -> Result<Self, BadSpec> {
        let prompts = Prompts {
            profile,
            settings,
            language,
        };
        for name in [
            "player",
            "start",
            "direct",
            "told",
            "format_error",
            "no_answer",
            "forced_final",
        ]
        .into_iter()
        .chain(["judge", "judge_question", "judge_final"])
        {
            let name = prompts.template(name);
            pack.template(&name)
                .map_err(|bad| BadSpec::new("pack", bad.to_string()))?;
        }
        Ok(prompts)
    }

    /// The name of a template for this profile and language.
    fn template(&self, name: &str) -> String {
        match (self.profile, name) {
            (_, "told") => name.to_owned(),
            (Profile::Reference, "player" | "judge") => format!("reference_{name}"),
            (Profile::Reference, _) => match name.strip_prefix("judge_") {
                Some(kind) => format!("reference_{kind}"),
                None => name.to_owned(),
            },
            (Profile::Strict, _) => format!("{name}{}", self.language.suffix()),
        }
    }

    /// The request for the player's next message, or for its forced final.
    pub fn ask_player(&self, setup: &str, history: &[Exchange], is_forced: bool) -> Ask {
        let text = |text: &str| Variable::text(text);
        let due = |is_last: bool| {
            text(if is_last && is_forced {
                "final"
            } else {
                "move"
            })
        };
        let rounds = self.settings.turns().to_string();
        // The authors' program has no prompt for direct mode: it runs without turns and forces the final.
        let is_direct = self.settings.mode == Mode::Direct && self.profile == Profile::Strict;
        let mut messages = Vec::new();
        if !is_direct {
            let name = self.template("player");
            messages.push(Message::template(
                Role::System,
                &name,
                [(variable::ROUNDS, text(&rounds))],
            ));
        }
        messages.push(Message::template(
            Role::User,
            &self.template(if is_direct { "direct" } else { "start" }),
            [
                (variable::SETUP, text(setup)),
                (variable::DUE, due(history.is_empty())),
                (variable::TURN, text("1")),
                (variable::TOKENS, text("")),
            ],
        ));
        let mut tokens = String::new();
        for (turn, exchange) in (2_u32..).zip(history) {
            messages.push(spoken(&exchange.said));
            tokens.push_str(exchange.told.word());
            tokens.push('\n');
            let name = match exchange.told {
                Told::Token(_) => "told",
                Told::FormatError => "format_error",
                Told::NoAnswer => "no_answer",
            };
            messages.push(Message::template(
                Role::User,
                &self.template(name),
                [
                    ("token", text(exchange.told.word())),
                    (variable::TURN, Variable::Text(turn.to_string())),
                    (variable::TOKENS, text(&tokens)),
                ],
            ));
        }
        if is_forced && !is_direct {
            let name = self.template("forced_final");
            messages.push(Message::template(
                Role::User,
                &name,
                [(variable::DUE, due(true))],
            ));
        }
        Ask {
            seat: Seat::new(Seat::PLAYER),
            thread: ThreadId(1),
            messages,
            expect: Expect::Text,
        }
    }

    /// The request for the judge's token. `history` is what it remembers.
    pub fn ask_judge(
        &self,
        thread: ThreadId,
        history: &[Exchange],
        kind: Kind,
        content: &str,
    ) -> Ask {
        let mut messages = vec![Message::template(
            Role::System,
            &self.template("judge"),
            [
                (variable::SETUP, Variable::field(field::SETUP)),
                (field::SOLUTION, Variable::field(field::SOLUTION)),
                (field::NOTES, Variable::field(field::NOTES)),
            ],
        )];
        for exchange in history {
            if let (Some((kind, content)), Told::Token(token)) = (&exchange.judged, exchange.told) {
                messages.push(self.judged(*kind, content));
                messages.push(spoken(token.name()));
            }
        }
        messages.push(self.judged(kind, content));
        let words = kind
            .vocabulary()
            .iter()
            .map(|token| token.name().to_owned());
        Ask {
            seat: Seat::new(JUDGE),
            thread,
            messages,
            expect: Expect::Choice(words.collect()),
        }
    }

    /// The bank is for `bot:bank` alone; no template shows it.
    fn judged(&self, kind: Kind, content: &str) -> Message {
        Message::template(
            Role::User,
            &self.template(&format!("judge_{}", kind.name())),
            [
                (variable::KIND, Variable::text(kind.name())),
                (variable::TEXT, Variable::text(content)),
                (field::BANK, Variable::field(field::BANK)),
            ],
        )
    }
}

fn spoken(text: &str) -> Message {
    Message {
        role: Role::Assistant,
        content: Content::Text(text.to_owned()),
    }
}
