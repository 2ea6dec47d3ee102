//! The default prompt pack, in our own wording, and how requests are made from a pack (specification 1.c).
//!
//! A strict episode uses the templates of its task's language; `reference` is English whatever the task is.

use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::prelude::*;

use crate::reading::{Kind, Token};
use crate::settings::{JUDGE, Mode, Settings};
use crate::tasks::field;

/// Names of the variables that bots read.
pub mod variable {
    pub const SETUP: &str = "setup";
    pub const ROUNDS: &str = "rounds";
    pub const DUE: &str = "due";
    /// Player: the turn that is due, from 1.
    pub const TURN: &str = "turn";
    /// Player: all answers so far, one token a line.
    pub const TOKENS: &str = "tokens";
    /// Judge: what is judged, `question` or `final`.
    pub const KIND: &str = "kind";
    pub const TEXT: &str = "text";
}

pub fn default_pack() -> Pack {
    #[rustfmt::skip]
    let templates = templates!["../prompts/":
        "player", "player_zh", "start", "start_zh", "direct", "direct_zh", "told",
        "format_error", "format_error_zh", "no_answer", "no_answer_zh", "forced_final", "forced_final_zh",
        "judge", "judge_zh", "judge_question", "judge_question_zh", "judge_final", "judge_final_zh",
        "reference_player", "reference_judge", "reference_question", "reference_final",
    ];
    Pack::of("turnwise-situation-puzzle-1", templates)
}

/// What a player is sent about its turn.
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
        let player =
            ["player", "start", "direct", "told", "format_error", "no_answer", "forced_final"];
        let needed = player.into_iter().chain(["judge", "judge_question", "judge_final"]);
        pack.check(needed.map(|name| prompts.template(name)))?;
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

    /// The authors' program has no prompt for direct mode: it runs without turns and forces the final.
    fn is_direct(&self) -> bool {
        self.settings.mode == Mode::Direct && self.profile == Profile::Strict
    }

    /// The conversation with the player, as it begins.
    pub fn player(&self, thread: ThreadId, setup: &str) -> Dialogue {
        let rounds = Variable::text(self.settings.turns().to_string());
        let system = || {
            let name = self.template("player");
            Message::template(Role::System, &name, [(variable::ROUNDS, rounds)])
        };
        let start = self.template(if self.is_direct() { "direct" } else { "start" });
        let start = Message::template(
            Role::User,
            &start,
            [
                (variable::SETUP, Variable::text(setup)),
                (variable::DUE, Variable::text("move")),
                (variable::TURN, Variable::text("1")),
                (variable::TOKENS, Variable::text("")),
            ],
        );
        let system = (!self.is_direct()).then(system);
        Dialogue::new(Seat::PLAYER, thread, system.into_iter().chain([start]))
    }

    /// Tells the player how its turn went; `turn` is its next.
    pub fn tell(&self, player: &mut Dialogue, told: Told, turn: u32, tokens: &str) {
        let name = match told {
            Told::Token(_) => "told",
            Told::FormatError => "format_error",
            Told::NoAnswer => "no_answer",
        };
        let variables = [
            ("token", Variable::text(told.word())),
            (variable::TURN, Variable::text(turn.to_string())),
            (variable::TOKENS, Variable::text(tokens)),
        ];
        player.tell(&self.template(name), variables);
    }

    /// The request for the player's next message, or for its forced final.
    pub fn ask_player(&self, player: &mut Dialogue, is_forced: bool) -> Ask {
        let form = |name: &str, tag: &str, hint: &str| {
            ActionForm::new(name, Written::Line { tag: tag.to_owned() }, &[(name, hint)])
        };
        let ending = form("final", "FINAL:", "who did what, how, and why it looks strange");
        if !is_forced {
            let question = form("question", "Q:", "one question that yes or no can answer");
            return player.ask(Expect::Actions(vec![question, ending]));
        }
        player.set(variable::DUE, &Variable::text("final"));
        if !self.is_direct() {
            player.tell(&self.template("forced_final"), []);
        }
        player.ask(Expect::Actions(vec![ending]))
    }

    /// The conversation with the judge, as it begins.
    pub fn judge(&self, thread: ThreadId) -> Dialogue {
        let variables = [
            (variable::SETUP, Variable::field(field::SETUP)),
            (field::SOLUTION, Variable::field(field::SOLUTION)),
            (field::NOTES, Variable::field(field::NOTES)),
        ];
        let system = Message::template(Role::System, &self.template("judge"), variables);
        Dialogue::new(JUDGE, thread, [system])
    }

    /// The request for the judge's token. The bank is for `bot:bank` alone; no template shows it.
    pub fn ask_judge(&self, judge: &mut Dialogue, kind: Kind, content: &str) -> Ask {
        let variables = [
            (variable::KIND, Variable::text(kind.name())),
            (variable::TEXT, Variable::text(content)),
            (field::BANK, Variable::field(field::BANK)),
        ];
        judge.tell(&self.template(&format!("judge_{}", kind.name())), variables);
        judge.ask(Expect::choice(kind.vocabulary()))
    }
}
