//! A provider that makes its answers up, in this process: for trials of a whole run without a key, and for tests.
//!
//! Answers, latencies and faults follow from the seed and the request's hash alone, so a run over it can be repeated. Each
//! benchmark says how its seats reply; nothing is known about any task. Whatever comes from it is labelled `scripted`.

use std::time::Duration;

use turnwise_shared::benchmark::{Dice, Prompt};
use turnwise_shared::prelude::*;

use super::Listener;
use crate::config::Script;
use crate::services::ProviderError;

pub struct Scripted {
    script: Script,
}

impl Scripted {
    /// A provider that behaves so.
    pub fn new(script: Script) -> Self {
        Scripted { script }
    }

    pub async fn attempt(
        &self,
        call: &ModelCall,
        attempt: u32,
        listener: Listener<'_>,
    ) -> Result<Said, ProviderError> {
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
            input: Some(call.messages.iter().map(|message| words(&message.text)).sum()),
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

/// What the benchmarks say to it: those that know their requests by the words before the first one, which goes by the seat.
fn reply(call: &ModelCall, chance: &mut Chance) -> String {
    let prompt = Prompt::of(call);
    let mut roll = |below: u32| chance.below(below);
    let mut dice = Dice::new(&mut roll);
    let mut known = BENCHMARKS.iter().rev();
    known
        .find_map(|benchmark| benchmark.scripted(&prompt, &mut dice))
        .unwrap_or_else(|| "ready".to_owned())
}

fn fault(luck: &mut Chance) -> ProviderError {
    match luck.below(4) {
        0 => ProviderError::of_status(429),
        1 => ProviderError::of_status(500),
        2 => ProviderError::new(FailureClass::Connection, "the connection was cut (scripted)"),
        _ => {
            ProviderError::new(FailureClass::Undecodable, "the answer is no completion (scripted)")
        }
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
}

#[cfg(test)]
mod tests;
