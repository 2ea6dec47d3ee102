//! What is said: by what the prompt asks for, and in InteractComp by seat. Nothing is known of a task but what the prompt shows.

use turnwise_shared::prompt::Role;
use turnwise_shared::seat::Seat;
use turnwise_shared::wire::ModelCall;

use super::{Chance, games, worlds};

/// The texts of a request.
pub(super) struct Prompt<'a> {
    /// What is asked for in general.
    pub(super) system: &'a str,
    /// What is asked last.
    pub(super) last: &'a str,
    call: &'a ModelCall,
}

impl<'a> Prompt<'a> {
    fn of(call: &'a ModelCall) -> Self {
        let text = |at: usize| {
            call.messages
                .get(at)
                .map_or("", |message| message.text.as_str())
        };
        Prompt {
            system: text(0),
            last: text(call.messages.len().saturating_sub(1)),
            call,
        }
    }

    /// All texts, oldest first.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.call
            .messages
            .iter()
            .map(|message| message.text.as_str())
    }

    /// Whether one of its texts has these words.
    pub(super) fn has(&self, words: &str) -> bool {
        self.texts().any(|text| text.contains(words))
    }

    /// How often the model has replied before.
    pub(super) fn replies(&self) -> usize {
        let all = self.call.messages.iter();
        all.filter(|message| message.role == Role::Assistant)
            .count()
    }
}

/// What is said.
pub(super) fn reply(call: &ModelCall, chance: &mut Chance) -> String {
    let prompt = Prompt::of(call);
    if let Some(text) = games::reply(&prompt, chance) {
        return text;
    }
    if let Some(text) = worlds::reply(&prompt, chance) {
        return text;
    }
    match call.seat.as_str() {
        Seat::RESPONDER => chance.pick(&["yes", "no", "i don't know"]).to_owned(),
        Seat::GRADER => chance.pick(&["yes", "no", "no"]).to_owned(),
        Seat::PLAYER => {
            let offers = |action: &str| prompt.has(&format!("Action: {action}"));
            let mut actions = vec!["answer"];
            if !prompt.has("This is the last round") {
                for action in ["ask", "ask", "search", "search"] {
                    if offers(action) {
                        actions.push(action);
                    }
                }
            }
            act(chance.pick(&actions), prompt.last, chance)
        }
        _ => "ready".to_owned(),
    }
}

fn act(action: &str, prompt: &str, chance: &mut Chance) -> String {
    let params = match action {
        "ask" => serde_json::json!({ "question": chance.pick(&[
            "Is it older than a hundred years?",
            "Is it connected with water?",
            "Is it known outside its own country?",
            "Does it involve more than one person?",
        ]) }),
        "search" => serde_json::json!({ "query": words_of_the_question(prompt, chance) }),
        _ => {
            serde_json::json!({ "answer": "made up", "confidence": (chance.below(11) * 10).to_string() })
        }
    };
    let action = serde_json::json!({ "action": action, "params": params });
    format!("This is a scripted reply.\n```json\n{action}\n```")
}

/// Some words in a row from the question as it stands in the prompt.
fn words_of_the_question(prompt: &str, chance: &mut Chance) -> String {
    let question = prompt
        .split("## Question\n")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    let words: Vec<_> = question.split_whitespace().collect();
    let start = chance.below(u32::try_from(words.len()).unwrap_or(1).max(1));
    let start = usize::try_from(start).unwrap_or(0);
    let end = words.len().min(start + 6);
    match words.get(start..end) {
        Some(some) if !some.is_empty() => some.join(" "),
        _ => "anything".to_owned(),
    }
}
