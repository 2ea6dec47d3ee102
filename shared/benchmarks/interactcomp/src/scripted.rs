//! What scripted models reply, by seat. Nothing is known of a task but what the prompt shows.

use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

/// What is said in one of the three seats. Other benchmarks have seats of these names: they are asked first.
pub(super) fn reply(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    match prompt.seat {
        Seat::RESPONDER => Some(dice.pick(&["yes", "no", "i don't know"]).to_owned()),
        Seat::GRADER => Some(dice.pick(&["yes", "no", "no"]).to_owned()),
        Seat::PLAYER => {
            let offers = |action: &str| prompt.has(&format!("Action: {action}"));
            let mut actions = Vec::new();
            if !prompt.has("This is the last round") {
                for action in ["ask", "ask", "search", "search"] {
                    if offers(action) {
                        actions.push(action);
                    }
                }
            }
            if actions.is_empty() || round(prompt.last) > EXPLORED {
                actions.push("answer");
            }
            Some(act(dice.pick(&actions), prompt.last, dice))
        }
        _ => None,
    }
}

/// Rounds in which a player explores before it may answer, where it may explore.
const EXPLORED: u32 = 3;

/// The number in `Round 3/10`; 1 where there is none.
fn round(prompt: &str) -> u32 {
    let mut newest = prompt.lines().rev();
    newest
        .find_map(|line| line.trim().strip_prefix("Round ")?.split_once('/'))
        .and_then(|(round, _)| round.parse().ok())
        .unwrap_or(1)
}

fn act(action: &str, prompt: &str, dice: &mut Dice<'_>) -> String {
    let params = match action {
        "ask" => serde_json::json!({ "question": question(dice) }),
        "search" => serde_json::json!({ "query": words_of_the_question(prompt, dice) }),
        _ => {
            serde_json::json!({ "answer": "made up", "confidence": (dice.below(11) * 10).to_string() })
        }
    };
    let action = serde_json::json!({ "action": action, "params": params });
    format!("This is a scripted reply.\n```json\n{action}\n```")
}

/// Mostly one that has not been asked before, so that its answer is in no cache.
fn question(dice: &mut Dice<'_>) -> String {
    match dice.below(6) {
        0 => "Is it connected with water?".to_owned(),
        1 => "Does it involve more than one person?".to_owned(),
        _ => format!("Was it known before {}?", 1000 + dice.below(1000)),
    }
}

/// Some words in a row from the question as it stands in the prompt.
fn words_of_the_question(prompt: &str, dice: &mut Dice<'_>) -> String {
    let question = prompt
        .split("## Question\n")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    let words: Vec<_> = question.split_whitespace().collect();
    let start = dice.below(u32::try_from(words.len()).unwrap_or(1).max(1));
    let start = usize::try_from(start).unwrap_or(0);
    let end = words.len().min(start + 6);
    match words.get(start..end) {
        Some(some) if !some.is_empty() => some.join(" "),
        _ => "anything".to_owned(),
    }
}
