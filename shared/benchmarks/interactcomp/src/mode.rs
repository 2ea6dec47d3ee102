//! What a player may do in a run: the six modes of the specification (section 3.2) and one of our own.

use serde_json::Value;
use turnwise_core::prelude::*;

use super::reading::ActionName::{self, Answer, Ask, Search};

choices! {
    /// What the player may do and what it is shown. Names are the reference code's own where it has the mode.
    pub enum Mode {
        /// Answer at once, in one round.
        AnswerOnly = "answer_only" => "",
        SearchOnly = "search_only" => "",
        /// Ask the user, or answer. The paper does not have it.
        AskOnly = "ask_only" => "",
        Full = "full" => "",
        /// Everything, and the hidden context stands before the question.
        FullWithContext = "full_with_context" => "",
        /// Everything, but answers are refused before a minimum of asks.
        ForcedAsk = "forced_ask" => "",
        /// Answer at once with the hidden context before the question: a variant of ours, in no reference code.
        AnswerOnlyWithContext = "answer_only_with_context" => "",
    }
}

impl Mode {
    pub fn of(settings: &Value) -> Option<Self> {
        settings["mode"].as_str()?.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_stand_in_the_order_of_the_specification() {
        let listed = Mode::ALL.iter().map(|mode| {
            mode.actions().iter().map(|action| action.name()).collect::<Vec<_>>().join(", ")
        });
        assert_eq!(
            listed.collect::<Vec<_>>(),
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
