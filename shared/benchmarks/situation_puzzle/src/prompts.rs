//! The default prompt pack, in our own wording, and how requests are made from a pack (specification 1.c).
//!
//! A strict episode uses the templates of its task's language; `reference` is English whatever the task is.

use turnwise_core::prompt::{
    ActionForm, Ask, Content, Expect, Message, Pack, Parameter, Role, ThreadId, Variable, Written,
};
use turnwise_core::seat::Seat;
use turnwise_core::spec::{BadSpec, Profile};

use crate::reading::{Kind, Token};
use crate::settings::{JUDGE, Mode, Settings};
use crate::tasks::field;

/// Names of the variables that bots read.
pub mod variable {
    /// The public story.
    pub const SETUP: &str = "setup";
    /// Player: how many turns there are.
    pub const ROUNDS: &str = "rounds";
    /// Player: `move` or `final`.
    pub const DUE: &str = "due";
    /// Player: the turn that is due, from 1.
    pub const TURN: &str = "turn";
    /// Player: all answers so far, one token a line.
    pub const TOKENS: &str = "tokens";
    /// Judge: what is judged, `question` or `final`.
    pub const KIND: &str = "kind";
    /// Judge: its text.
    pub const TEXT: &str = "text";
}

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../prompts/", $name, ".txt")))),*]
    };
}

/// The default pack. Files end with a line break; templates do not.
pub fn default_pack() -> Pack {
    #[rustfmt::skip]
    let templates = templates![
        "player", "player_zh", "start", "start_zh", "direct", "direct_zh", "told",
        "format_error", "format_error_zh", "no_answer", "no_answer_zh", "forced_final", "forced_final_zh",
        "judge", "judge_zh", "judge_question", "judge_question_zh", "judge_final", "judge_final_zh",
        "reference_player", "reference_judge", "reference_question", "reference_final",
    ];
    let stored = |(name, text): (&str, &str)| (name.to_owned(), text.trim_end().to_owned());
    Pack {
        name: "turnwise-situation-puzzle-1".to_owned(),
        templates: templates.into_iter().map(stored).collect(),
    }
}

/// What a player is told about its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    Token(Token),
    /// The message was neither a question nor a final answer.
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
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What the player said, as it is shown to it again.
    pub said: String,
    /// What was judged; `None` after a format error.
    pub judged: Option<(Kind, String)>,
    pub told: Told,
}

/// Makes the requests of an episode.
#[derive(Debug, Clone, Copy)]
pub struct Prompts {
    profile: Profile,
    settings: Settings,
    /// The ending of template names in the task's language.
    suffix: &'static str,
}

impl Prompts {
    /// # Errors
    /// If the pack lacks a template of the episode.
    pub fn new(
        pack: &Pack,
        profile: Profile,
        settings: Settings,
        suffix: &'static str,
    ) -> Result<Self, BadSpec> {
        let prompts = Prompts { profile, settings, suffix };
        for template in
            ["player", "start", "direct", "told", "format_error", "no_answer", "forced_final"]
                .into_iter()
                .chain(["judge", "judge_question", "judge_final"])
        {
            pack.template(&prompts.template(template))
                .map_err(|bad| BadSpec::new("pack", bad.to_string()))?;
        }
        Ok(prompts)
    }

    /// The name of a template for this profile and language.
    fn template(&self, name: &str) -> String {
        match (self.profile, name) {
            (_, "told") => name.to_owned(),
            (Profile::Reference, "player" | "judge") => format!("reference_{name}"),
            (Profile::Reference, _) => name.replace("judge_", "reference_"),
            (Profile::Strict, _) => format!("{name}{}", self.suffix),
        }
    }

    fn message<const N: usize>(
        &self,
        role: Role,
        name: &str,
        variables: [(&str, Variable); N],
    ) -> Message {
        Message::template(role, &self.template(name), variables)
    }

    /// The request for the player's next message, or for its forced final.
    pub fn ask_player(&self, setup: &str, history: &[Exchange], is_forced: bool) -> Ask {
        // The authors' program has no prompt for direct mode: it runs without turns and forces the final.
        let is_direct = self.settings.mode == Mode::Direct && self.profile == Profile::Strict;
        let mut messages = Vec::new();
        if !is_direct {
            let rounds = Variable::Text(self.settings.turns().to_string());
            messages.push(self.message(Role::System, "player", [(variable::ROUNDS, rounds)]));
        }
        messages.push(self.message(
            Role::User,
            if is_direct { "direct" } else { "start" },
            [
                (variable::SETUP, Variable::text(setup)),
                (variable::DUE, Variable::text(if is_forced { "final" } else { "move" })),
                (variable::TURN, Variable::text("1")),
                (variable::TOKENS, Variable::text("")),
            ],
        ));
        let mut tokens = String::new();
        for (turn, exchange) in (2_u32..).zip(history) {
            messages.push(spoken(&exchange.said));
            let word = exchange.told.word();
            tokens.push_str(word);
            tokens.push('\n');
            let name = match exchange.told {
                Told::Token(_) => "told",
                Told::FormatError => "format_error",
                Told::NoAnswer => "no_answer",
            };
            messages.push(self.message(
                Role::User,
                name,
                [
                    ("token", Variable::text(word)),
                    (variable::TURN, Variable::Text(turn.to_string())),
                    (variable::TOKENS, Variable::text(&tokens)),
                ],
            ));
        }
        if is_forced && !is_direct {
            messages.push(self.message(Role::User, "forced_final", []));
        }
        let mut forms =
            vec![form("final", "FINAL:", "who did what, how, and why it looks strange")];
        if !is_forced {
            forms.insert(0, form("question", "Q:", "one question that yes or no can answer"));
        }
        Ask {
            seat: Seat::new(Seat::PLAYER),
            thread: ThreadId(1),
            messages,
            expect: Expect::Actions(forms),
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
        let mut messages = vec![self.message(
            Role::System,
            "judge",
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
        let words = kind.vocabulary().iter();
        Ask {
            seat: Seat::new(JUDGE),
            thread,
            messages,
            expect: Expect::Choice(words.map(Token::to_string).collect()),
        }
    }

    /// The bank is for `bot:bank` alone; no template shows it.
    fn judged(&self, kind: Kind, content: &str) -> Message {
        self.message(
            Role::User,
            &format!("judge_{}", kind.name()),
            [
                (variable::KIND, Variable::text(kind.name())),
                (variable::TEXT, Variable::text(content)),
                (field::BANK, Variable::field(field::BANK)),
            ],
        )
    }
}

/// What a person fills in; it is written as a model must write it.
fn form(name: &str, tag: &str, hint: &str) -> ActionForm {
    ActionForm {
        name: name.to_owned(),
        parameters: vec![Parameter { name: name.to_owned(), hint: hint.to_owned() }],
        written: Written::Line { tag: tag.to_owned() },
    }
}

fn spoken(text: &str) -> Message {
    Message { role: Role::Assistant, content: Content::Text(text.to_owned()) }
}
