//! What scripted models reply, by what the prompt asks for.

use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

use crate::settings::JUDGE;

/// What is said where the prompt is one of this benchmark.
pub(super) fn reply(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    let begins = [
        "You judge a situation puzzle",
        "You are the judge of a situation puzzle",
        "你是一个情境谜题的裁判",
    ];
    let is_judge = begins.iter().any(|words| prompt.system.starts_with(words));
    match prompt.seat {
        JUDGE if is_judge => {
            // `reference` tells all words in the first message, and finals by their tag; `strict` tells the words that fit in the last.
            let is_final = prompt.last.starts_with("FINAL:") || prompt.last.contains("INCORRECT");
            let words: &[&str] = match is_final {
                true => &["CORRECT", "INCORRECT", "INCORRECT"],
                false => &["YES", "NO", "NO", "BOTH", "IRRELEVANT"],
            };
            Some(dice.pick(words).to_owned())
        }
        Seat::PLAYER if prompt.has("FINAL:") && !is_judge => {
            let may_ask = prompt.has("Q:") && !prompt.last.contains("FINAL:");
            Some(
                match (may_ask || prompt.replies() == 0 && prompt.has("Q:")) && dice.below(4) > 0 {
                    true => "Q: Is anybody in the story in danger?".to_owned(),
                    false => "FINAL: It was a play, and everybody in it was an actor.".to_owned(),
                },
            )
        }
        _ => None,
    }
}
