//! What a player may do in a run: the six modes of the specification (section 3.2) and one of our own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::reading::ActionName::{self, Answer, Ask, Search};

/// What the player may do, and what it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Answer at once, in one round.
    AnswerOnly,
    /// Search, or answer.
    SearchOnly,
    /// Ask the user, or answer. The paper does not have it.
    AskOnly,
    /// Everything.
    Full,
    /// Everything, and the hidden context stands before the question.
    FullWithContext,
    /// Everything, but answers are refused before a minimum of asks.
    ForcedAsk,
    /// Answer at once with the hidden context before the question: a variant of ours, in no reference code.
    AnswerOnlyWithContext,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 7] = [
        Mode::AnswerOnly,
        Mode::SearchOnly,
        Mode::AskOnly,
        Mode::Full,
        Mode::FullWithContext,
        Mode::ForcedAsk,
        Mode::AnswerOnlyWithContext,
    ];

    /// Its name on the command line, in addresses and in files; the reference code's own where it has the mode.
    pub fn name(self) -> &'static str {
        match self {
            Mode::AnswerOnly => "answer_only",
            Mode::SearchOnly => "search_only",
            Mode::AskOnly => "ask_only",
            Mode::Full => "full",
            Mode::FullWithContext => "full_with_context",
            Mode::ForcedAsk => "forced_ask",
            Mode::AnswerOnlyWithContext => "answer_only_with_context",
        }
    }

    /// The allowed actions in the order of the reference code, in which prompts, feedback and counts list them.
    pub fn actions(self) -> &'static [ActionName] {
        match self {
            Mode::AnswerOnly | Mode::AnswerOnlyWithContext => &[Answer],
            Mode::SearchOnly => &[Search, Answer],
            Mode::AskOnly => &[Ask, Answer],
            Mode::Full | Mode::FullWithContext | Mode::ForcedAsk => &[Answer, Search, Ask],
        }
    }

    /// Whether the only action is to answer; then there is one round, whatever the limit says.
    pub fn has_one_round(self) -> bool {
        self.actions() == [Answer]
    }

    /// Whether the player is shown the hidden context.
    pub fn shows_context(self) -> bool {
        matches!(self, Mode::FullWithContext | Mode::AnswerOnlyWithContext)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no mode. The reference code would run `full`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a mode; write one of {all}", all = Mode::ALL.map(Mode::name).join(", "))]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;

    /// Case and blanks around the name do not matter.
    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        let wanted = text.trim().to_lowercase();
        Mode::ALL
            .into_iter()
            .find(|mode| mode.name() == wanted)
            .ok_or_else(|| UnknownMode(text.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for mode in Mode::ALL {
            assert_eq!(mode.name().parse(), Ok(mode));
            assert_eq!(serde_json::to_value(mode).expect("a name is JSON"), mode.name());
        }
        assert_eq!(" Full\n".parse(), Ok(Mode::Full));
    }

    #[test]
    fn an_unknown_mode_is_refused() {
        let error = "fulll".parse::<Mode>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"fulll\" is not a mode; write one of answer_only, search_only, ask_only, full, full_with_context, \
             forced_ask, answer_only_with_context"
        );
    }

    #[test]
    fn actions_stand_in_the_order_of_the_specification() {
        let listed = Mode::ALL.map(|mode| {
            mode.actions().iter().map(|action| action.name()).collect::<Vec<_>>().join(", ")
        });
        assert_eq!(
            listed,
            [
                "answer",
                "search, answer",
                "ask, answer",
                "answer, search, ask",
                "answer, search, ask",
                "answer, search, ask",
                "answer"
            ]
        );
        assert!(Mode::AnswerOnly.has_one_round() && !Mode::SearchOnly.has_one_round());
    }
}
