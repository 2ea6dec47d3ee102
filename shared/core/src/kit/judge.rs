//! Judges and graders: seats that are asked for a verdict, and asked again while their reply cannot be read.
//!
//! A [`Judge`] follows the calls, in an episode or in a grading; what a verdict is, a word or five integers, the benchmark's reader
//! decides, which for words is [`parse::verdict`](crate::parse::verdict). Several seats or votes are several verdicts of one `Judge`;
//! [`majority`] counts them.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::json;

use crate::call::ModelCall;
use crate::effect::CallId;
use crate::episode::Outbox;
use crate::hash::Digest;
use crate::note::{Fault, Reading, Tone, TurnKind};
use crate::prompt::Ask;
use crate::scene::{Block, Scene};
use crate::seat::Viewer;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// For the same verdict, from 1.
    pub attempt: u32,
    /// Of all requests of one [`Judge`], from 1.
    pub number: u32,
}

/// Verdicts that are asked for, one call open for each. `K` is what a verdict is about; the request is made from it.
#[derive(Debug, Clone)]
pub struct Judge<K> {
    attempts: u32,
    number: u32,
    request: fn(&K, Asked) -> Ask,
    open: BTreeMap<CallId, (K, u32)>,
}

impl<K> Judge<K> {
    /// Asks for a verdict `attempts` times at most.
    pub fn new(attempts: u32, request: fn(&K, Asked) -> Ask) -> Self {
        Judge { attempts, number: 0, request, open: BTreeMap::new() }
    }

    pub fn ask(&mut self, about: K, out: &mut Outbox) {
        self.send(about, 1, out);
    }

    fn send(&mut self, about: K, attempt: u32, out: &mut Outbox) {
        self.number += 1;
        let ask = (self.request)(&about, Asked { attempt, number: self.number });
        self.open.insert(out.ask(ask), (about, attempt));
    }

    /// How many requests were made.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// What the call is about that was answered last.
    pub fn about(&self, out: &Outbox) -> Option<&K> {
        self.open.get(&out.call()).map(|(about, _)| about)
    }

    /// Whether a call is open.
    pub fn is_asked(&self) -> bool {
        !self.open.is_empty()
    }

    /// The seat said what was read as `verdict`. `None`: it could not be read, and is asked for again. A second `None`: no attempt
    /// could be read.
    pub fn said<V>(&mut self, verdict: Option<V>, out: &mut Outbox) -> Option<(K, Option<V>)> {
        let (about, attempt) = self.open.remove(&out.call())?;
        if verdict.is_none() && attempt < self.attempts {
            self.send(about, attempt + 1, out);
            return None;
        }
        Some((about, verdict))
    }

    /// The call failed, and is not made again.
    pub fn give_up(&mut self, out: &Outbox) -> Option<K> {
        self.open.remove(&out.call()).map(|(about, _)| about)
    }
}

/// The verdict of more than half of `count` votes, of which some may have none.
pub fn majority<V: PartialEq>(votes: impl IntoIterator<Item = V>, count: usize) -> Option<V> {
    let votes: Vec<V> = votes.into_iter().collect();
    let wins = |one: &V| votes.iter().filter(|other| *other == one).count() * 2 > count;
    let at = votes.iter().position(wins)?;
    votes.into_iter().nth(at)
}

/// How a reply was read that says one of a few words; `fault` where it says none of them.
pub fn heard(text: Option<&str>, word: Option<&str>, fault: impl FnOnce() -> Fault) -> Reading {
    let differs = word.filter(|word| text.is_some_and(|text| text != *word));
    Reading {
        repaired: differs.map(|word| format!("read as “{word}”")).into_iter().collect(),
        fault: word.is_none().then(fault),
        ..Reading::applied(json!(word))
    }
}

/// Notes what a judge said as a turn of its own, as gradings do.
pub fn turn(seat: &str, round: u32, word: &str, reading: Reading, out: &mut Outbox) {
    let kind = reading.fault.as_ref().map_or(TurnKind::Answer, |_| TurnKind::Invalid);
    out.turn(round, kind, format!("the {seat} says {word}"), reading);
}

/// How a verdict is drawn: whether an answer is right, `None` where no grader gave a verdict.
pub fn tone(right: Option<bool>) -> Tone {
    match right {
        Some(true) => Tone::Positive,
        Some(false) => Tone::Negative,
        None => Tone::Failed,
    }
}

/// The scene of a grading: the answer, for the seat that judges it and for readers.
pub fn scene(out: &Outbox, viewer: &Viewer, seat: &str, heading: &str, answer: &str) -> Scene {
    let sees = viewer.seat().is_none_or(|viewer| viewer == seat);
    Scene {
        blocks: sees.then(|| Block::text(heading, answer)).into_iter().collect(),
        awaits: out.awaits(viewer),
        ..Scene::default()
    }
}

/// The key of a reply that stands for all runs: whom it was asked of, and everything that was sent. `counts` says what of a message
/// counts, `None` of one whose reply stands for nothing else.
pub fn cache_key(call: &ModelCall, counts: impl Fn(&str) -> Option<String>) -> Option<Digest> {
    let messages = call.messages.iter().map(|message| {
        let text = counts(&message.text)?;
        Some(json!([message.role, text, message.pictures]))
    });
    let messages: Vec<_> = messages.collect::<Option<_>>()?;
    Some(Digest::of_value(&json!({
        "seat": call.seat,
        "provider": call.provider,
        "model": call.model,
        "sampling": call.sampling,
        "messages": messages,
    })))
}
