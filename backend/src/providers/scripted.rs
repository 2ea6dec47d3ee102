//! A provider that makes its answers up, in this process: for trials of a whole run without a key, and for tests.
//!
//! Answers, latencies and faults follow from the seed and the request's hash alone, so a run over it can be repeated. It
//! knows how the seats of the benchmarks reply, and nothing about any task. Whatever comes from it is labelled `scripted`.

use std::time::Duration;

use turnwise_shared::effect::FailureClass;
use turnwise_shared::hash::Digest;
use turnwise_shared::prompt::{Said, Stop, Usage};
use turnwise_shared::seat::Seat;
use turnwise_shared::wire::ModelCall;

use super::{Listener, Miss};
use crate::config::Script;

/// See the module's head.
pub struct Scripted {
    script: Script,
}

impl Scripted {
    /// A provider that behaves so.
    pub fn new(script: Script) -> Self {
        Scripted { script }
    }

    /// One attempt.
    pub async fn attempt(
        &self,
        call: &ModelCall,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<Said, Miss> {
        let mut chance = Chance::of(self.script.seed, call, 0);
        let mut luck = Chance::of(self.script.seed, call, attempt);
        tokio::time::sleep(self.latency(&mut luck)).await;
        if luck.fraction() < self.script.faults {
            return Err(fault(&mut luck));
        }
        let text = reply(call, &mut chance);
        if let Some(listener) = listener {
            listener(&text);
        }
        let words = |text: &str| u64::try_from(text.split_whitespace().count()).unwrap_or(u64::MAX);
        let usage = Usage {
            input: Some(
                call.messages
                    .iter()
                    .map(|message| words(&message.text))
                    .sum(),
            ),
            output: Some(words(&text)),
            ..Usage::default()
        };
        Ok(Said {
            text: Some(text),
            stop: Stop::End,
            usage,
            model: Some(format!("scripted/{}", call.model)),
            ..Said::default()
        })
    }

    /// Between nothing and some times the mean; exponential, as waits are.
    fn latency(&self, luck: &mut Chance) -> Duration {
        let times = -(1.0 - luck.fraction()).ln();
        self.script.latency.mul_f64(times.clamp(0.0, 8.0))
    }
}

fn fault(luck: &mut Chance) -> Miss {
    match luck.below(4) {
        0 => Miss::of_status(429),
        1 => Miss::of_status(500),
        2 => Miss::new(
            FailureClass::Connection,
            "the connection was cut (scripted)",
        ),
        _ => Miss::new(
            FailureClass::Undecodable,
            "the answer is no completion (scripted)",
        ),
    }
}

/// What is said: by seat, and for the player by what the prompt lets it do.
fn reply(call: &ModelCall, chance: &mut Chance) -> String {
    let prompt = || call.messages.iter().map(|message| message.text.as_str());
    match call.seat.as_str() {
        Seat::RESPONDER => chance.pick(&["yes", "no", "i don't know"]).to_owned(),
        Seat::GRADER => chance.pick(&["yes", "no", "no"]).to_owned(),
        Seat::PLAYER => {
            let offers =
                |action: &str| prompt().any(|text| text.contains(&format!("Action: {action}")));
            let is_last = prompt().any(|text| text.contains("This is the last round"));
            let mut actions = vec!["answer"];
            if !is_last {
                for action in ["ask", "ask", "search", "search"] {
                    if offers(action) {
                        actions.push(action);
                    }
                }
            }
            act(
                chance.pick(&actions),
                prompt().next_back().unwrap_or_default(),
                chance,
            )
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

/// Numbers that follow from a seed and a request.
struct Chance {
    from: Digest,
    drawn: u32,
}

impl Chance {
    fn of(seed: u64, call: &ModelCall, attempt: u32) -> Self {
        let request = Digest::of_value(call);
        Chance {
            from: Digest::of_parts([
                seed.to_le_bytes().as_slice(),
                request.bytes(),
                &attempt.to_le_bytes(),
            ]),
            drawn: 0,
        }
    }

    fn number(&mut self) -> u32 {
        self.drawn += 1;
        let digest = Digest::of_parts([self.from.bytes().as_slice(), &self.drawn.to_le_bytes()]);
        let bytes = digest.bytes();
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    /// In `0..1`.
    fn fraction(&mut self) -> f64 {
        f64::from(self.number()) / (f64::from(u32::MAX) + 1.0)
    }

    /// In `0..below`; `below` is at least 1.
    fn below(&mut self, below: u32) -> u32 {
        self.number() % below.max(1)
    }

    /// One of them; there is at least one.
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let at = self.below(u32::try_from(choices.len()).unwrap_or(1));
        usize::try_from(at)
            .ok()
            .and_then(|at| choices.get(at).copied())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::prompt::{Rendered, Role};
    use turnwise_shared::seat::Sampling;

    fn call(seat: &str, text: String) -> ModelCall {
        ModelCall {
            provider: "scripted".into(),
            model: "trial".into(),
            seat: seat.into(),
            messages: vec![Rendered::text(Role::User, text)],
            sampling: Sampling::default(),
        }
    }

    fn provider(faults: f64) -> Scripted {
        Scripted::new(Script {
            seed: 1,
            latency: Duration::ZERO,
            faults,
        })
    }

    #[tokio::test]
    async fn the_same_request_is_answered_alike() {
        let request = call("responder", "## Question\nIs it old?".into());
        let first = provider(0.0)
            .attempt(&request, 1, None)
            .await
            .expect("no faults");
        let again = provider(0.0)
            .attempt(&request, 3, None)
            .await
            .expect("no faults");
        assert_eq!(first, again);
        assert_eq!(first.model.as_deref(), Some("scripted/trial"));
    }

    #[tokio::test]
    async fn players_use_only_what_they_are_offered() {
        for number in 0..40 {
            let prompt = format!(
                "{number}\nAction: answer\nAction: search\n## Question\nWho built the mill?"
            );
            let said = provider(0.0)
                .attempt(&call("player", prompt), 1, None)
                .await
                .expect("no faults");
            let text = said.text.expect("a text");
            assert!(!text.contains("\"ask\""), "{text}");
            let last = format!("{number}\nAction: ask\nThis is the last round. ## Question\nWho?");
            let said = provider(0.0)
                .attempt(&call("player", last), 1, None)
                .await
                .expect("no faults");
            assert!(said.text.expect("a text").contains("\"action\":\"answer\""));
        }
    }

    #[tokio::test]
    async fn faults_come_as_often_as_asked_and_not_twice_for_the_same_reason() {
        let mut missed = 0;
        for number in 0..400 {
            let request = call("grader", number.to_string());
            if provider(0.25).attempt(&request, 1, None).await.is_err() {
                missed += 1;
            }
        }
        assert!((70..130).contains(&missed), "{missed} of 400");
    }
}
