//! What the provider `scripted` lets benchmarks see of a request, and the dice with which they choose a reply.

use crate::call::ModelCall;
use crate::picture::PictureRef;
use crate::prompt::Role;

/// The texts of a request.
#[derive(Debug, Clone, Copy)]
pub struct Prompt<'a> {
    /// The seat that is asked.
    pub seat: &'a str,
    /// The first message.
    pub system: &'a str,
    pub last: &'a str,
    call: &'a ModelCall,
}

impl<'a> Prompt<'a> {
    /// The texts of a call.
    pub fn of(call: &'a ModelCall) -> Self {
        let text = |at: usize| call.messages.get(at).map_or("", |message| message.text.as_str());
        Prompt {
            seat: call.seat.as_str(),
            system: text(0),
            last: text(call.messages.len().saturating_sub(1)),
            call,
        }
    }

    /// All texts, oldest first.
    pub fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.call.messages.iter().map(|message| message.text.as_str())
    }

    /// The pictures of all messages, oldest first.
    pub fn pictures(&self) -> impl Iterator<Item = PictureRef> + use<'a> {
        self.call.messages.iter().flat_map(|message| message.pictures.iter().copied())
    }

    /// Whether one of its texts has these words.
    pub fn has(&self, words: &str) -> bool {
        self.texts().any(|text| text.contains(words))
    }

    /// How often the model has replied before.
    pub fn replies(&self) -> usize {
        let all = self.call.messages.iter();
        all.filter(|message| message.role == Role::Assistant).count()
    }
}

/// Numbers that follow from a seed and the request.
pub struct Dice<'a> {
    roll: &'a mut dyn FnMut(u32) -> u32,
}

impl<'a> Dice<'a> {
    /// Dice that are rolled by a function: a number from 0, below its argument, which is at least 1.
    pub fn new(roll: &'a mut dyn FnMut(u32) -> u32) -> Self {
        Dice { roll }
    }

    /// In `0..below`; 0 if `below` is 0.
    pub fn below(&mut self, below: u32) -> u32 {
        (self.roll)(below.max(1))
    }

    /// One of them; empty if there is none.
    pub fn pick<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        let at = self.below(u32::try_from(choices.len()).unwrap_or(1));
        usize::try_from(at).ok().and_then(|at| choices.get(at).copied()).unwrap_or_default()
    }
}
