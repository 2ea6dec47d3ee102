//! The turns of an episode: how a protocol asks and notes, and how its transcript is read.

use serde_json::Value;

use crate::effect::Effect;
use crate::episode::{CallId, Outbox};
use crate::note::{Came, Note, Reading, Tone, Turn, TurnKind};
use crate::prompt::{Ask, ThreadId};
use crate::seat::Seat;
use crate::transcript::Transcript;

impl Outbox {
    /// Asks a seat.
    pub fn ask(&mut self, ask: Ask) -> CallId {
        self.request(Effect::Ask(ask))
    }

    /// Opens a conversation. The first has number 1.
    pub fn thread(&mut self) -> ThreadId {
        self.threads += 1;
        ThreadId(self.threads)
    }

    /// Whether a seat is asked now.
    pub fn is_asked(&self, seat: &str) -> bool {
        let mut open = self.open_calls();
        open.any(|(_, effect)| matches!(effect, Effect::Ask(ask) if ask.seat.as_str() == seat))
    }

    /// The call that was answered last, or failed.
    pub fn call(&self) -> CallId {
        CallId(self.told)
    }

    /// Takes another call for the one that was answered last: where a protocol waits for several replies and then reads each.
    pub fn reads(&mut self, call: CallId, seat: &Seat) {
        (self.told, self.seat) = (call.0, Some(seat.clone()));
    }

    /// How many turns were noted.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Notes the turn of the seat that was answered last, and says its number.
    ///
    /// # Panics
    /// If no seat was asked before.
    pub fn turn(
        &mut self,
        round: u32,
        kind: TurnKind,
        sentence: impl Into<String>,
        reading: Reading,
    ) -> u32 {
        let seat = self.seat.clone().expect("a turn is that of a seat which was asked");
        let call = self.call();
        self.turns += 1;
        let sentence = sentence.into();
        self.note(Turn { index: self.turns, round, seat, call, kind, sentence, reading });
        self.turns
    }

    /// Notes what came back for the last turn, of which the seat was shown the word.
    pub fn came(&mut self, tone: Tone, word: impl Into<String>) {
        self.note(Came::new(self.turns, tone, word));
    }

    /// Notes a flag of the last turn.
    pub fn flag(&mut self, name: &str, detail: Value) {
        self.note(Note::flag(name, Some(self.turns), detail));
    }

    /// Notes an event.
    pub fn event(&mut self, name: &str, detail: Value) {
        self.note(Note::event(name, detail));
    }
}

/// A turn of a transcript.
#[derive(Debug, Clone, Copy)]
pub struct Taken<'a> {
    pub turn: &'a Turn,
    /// What came back for it last; `None` where nothing did.
    pub came: Option<&'a Came>,
}

/// The turns of a transcript.
pub fn turns(play: &Transcript) -> Vec<Taken<'_>> {
    let mut turns: Vec<Taken<'_>> = Vec::new();
    for note in play.notes() {
        match note {
            Note::Turn(turn) => turns.push(Taken { turn, came: None }),
            Note::Came(came) => {
                let mut taken = turns.iter_mut().rev();
                if let Some(taken) = taken.find(|taken| taken.turn.index == came.turn) {
                    taken.came = Some(came);
                }
            }
            _ => {}
        }
    }
    turns
}
