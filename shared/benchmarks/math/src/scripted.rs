//! What scripted models reply, by what the prompt asks for.

use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

use crate::prompts::JUDGE;

/// What is said where the prompt is one of this benchmark.
pub(super) fn reply(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    let is_judge = prompt.system.contains("judge of a mathematical problem");
    match prompt.seat {
        Seat::GRADER if prompt.has("$$$$") => {
            let verdict = dice.pick(&["1", "0", "0"]);
            Some(format!("A scripted analysis.\n$$$$ {verdict}"))
        }
        JUDGE if prompt.system.contains("mathematical problem") => {
            Some(dice.pick(&["Yes", "No", "No", "Both", "Irrelevant"]).to_owned())
        }
        Seat::PLAYER if prompt.has("####") && !is_judge && !prompt.has("$$$$") => {
            let may_ask = prompt.has("QQQQ:") && !prompt.last.contains("No turns are left");
            Some(match may_ask && dice.below(4) > 0 {
                true => "QQQQ: Is the answer an even number?".to_owned(),
                false => format!("#### {}", dice.below(100)),
            })
        }
        _ => None,
    }
}
