//! The turns of an episode: how a protocol asks and notes, and how its transcript is read.

use serde_json::Value;

use crate::effect::{CallId, Effect};
use crate::episode::Outbox;
use crate::note::{Note, Observation, Reading, Tone, Turn, TurnKind};
use crate::prompt::{Ask, ThreadId};
use crate::seat::Seat;
use crate::transcript::Transcript;

impl Outbox {
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
        self.note(Observation::new(self.turns, tone, word));
    }

    /// Notes a flag of the last turn.
    pub fn flag(&mut self, name: &str, detail: Value) {
        self.note(Note::flag(name, Some(self.turns), detail));
    }

    pub fn event(&mut self, name: &str, detail: Value) {
        self.note(Note::event(name, detail));
    }
}

/// A turn of a transcript.
#[derive(Debug, Clone, Copy)]
pub struct Taken<'a> {
    pub turn: &'a Turn,
    /// What came back for it last; `None` where nothing did.
    pub came: Option<&'a Observation>,
}

/// The turns of a transcript.
pub fn turns(play: &Transcript) -> Vec<Taken<'_>> {
    let mut turns: Vec<Taken<'_>> = Vec::new();
    for note in play.notes() {
        match note {
            Note::Turn(turn) => turns.push(Taken { turn, came: None }),
            Note::Observation(came) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::{Failure, FailureClass, Reply};
    use crate::episode::{Episode, Misuse, Outcome, Step};
    use crate::prompt::{Expect, Said};
    use crate::scene::Scene;
    use crate::seat::Viewer;

    /// Asks two seats, and notes what each says once both have said something.
    struct Both(Outbox, Vec<(CallId, Seat)>);

    impl Episode for Both {
        fn outbox(&mut self) -> &mut Outbox {
            &mut self.0
        }

        fn said(&mut self, seat: &str, said: Said) {
            self.1.push((self.0.call(), Seat::new(seat)));
            if self.1.len() == 2 {
                self.1.sort();
                for (call, seat) in &self.1 {
                    self.0.reads(*call, seat);
                    self.0.turn(1, TurnKind::Move, "moves", Reading::default());
                }
                self.0.came(Tone::Positive, said.words());
                self.0.finish("over", Value::Null);
            }
        }

        fn scene(&self, _: &Viewer) -> Scene {
            Scene::default()
        }
    }

    fn both() -> Both {
        let mut out = Outbox::default();
        for seat in ["1", "2"] {
            let thread = out.thread();
            out.ask(Ask::new(seat, thread, Vec::new(), Expect::Text));
        }
        Both(out, Vec::new())
    }

    #[test]
    fn turns_are_numbered_and_read_the_reply_of_their_seat() {
        let mut both = both();
        let said = |text| Reply::Said(Said::text(text));
        assert!(both.0.is_asked("2"));
        both.resume(CallId(2), said("first")).expect("it is open");
        assert!(!both.0.is_asked("2") && both.0.is_asked("1"));
        assert_eq!(both.resume(CallId(2), said("again")), Err(Misuse::NotOpen(CallId(2))));
        both.resume(CallId(1), said("second")).expect("it is open");
        let mut notes = Vec::new();
        let outcome = loop {
            match both.poll() {
                Step::Note(note) => notes.push(note),
                Step::Done(outcome) => break outcome,
                Step::Request(..) => {}
                Step::Wait => panic!("nothing is open"),
            }
        };
        assert_eq!(outcome.ending, "over");
        let [Note::Turn(first), Note::Turn(second), Note::Observation(came)] = notes.as_slice()
        else {
            panic!("two turns and what came of the last, not {notes:?}");
        };
        let of = |turn: &Turn| (turn.index, turn.call.0, turn.seat.to_string());
        assert_eq!(of(first), (1, 1, "1".to_owned()));
        assert_eq!(of(second), (2, 2, "2".to_owned()));
        assert_eq!((came.turn, came.word.as_str(), came.shown.as_str()), (2, "second", "second"));
    }

    #[test]
    fn a_failed_call_ends_an_episode_that_says_nothing_else() {
        let mut both = both();
        let failure = Failure::new(FailureClass::Server, "HTTP 500");
        both.resume(CallId(1), Reply::Failed(failure.clone())).expect("it is open");
        assert_eq!(both.0.outcome(), Some(&Outcome::incomplete(&failure)));
        assert_eq!(both.poll(), Step::Done(Outcome::incomplete(&failure)), "no request is left");
        assert_eq!(both.resume(CallId(2), Reply::Failed(failure)), Err(Misuse::Over));
    }
}
