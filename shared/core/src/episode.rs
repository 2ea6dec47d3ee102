//! The contract between an episode and its driver.
//!
//! An episode is plain data that is asked "what now?" ([`Episode::poll`]) and handed "here is what came back"
//! ([`Episode::resume`]). It owns no clock, no chance, no network. The contract in six sentences:
//!
//! 1. **Drain, then wait:** call `poll` until [`Step::Wait`] or [`Step::Done`]; only then is the episode consistent with
//!    the replies it was given.
//! 2. A `poll` that returns `Wait` changes nothing.
//! 3. `Wait` is returned only while a call is open; otherwise it is a deadlock, and [`Session`](crate::session::Session)
//!    ends the episode as broken.
//! 4. Several calls may be open; replies may come in any order, and the transcript keeps the order in which they were passed on.
//! 5. Each call is answered once, with a reply that fits, or with [`Reply::Failed`]; only where a conversation outgrew its context
//!    window the session may end the episode instead ([`Episode::outgrown`]).
//! 6. `Done` is final, and every episode reaches it: the spec carries a budget.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::effect::{CallId, Effect, Failure, Hit, Made, Reply};
use crate::note::Note;
use crate::prompt::{Expect, Said};
use crate::scene::Scene;
use crate::seat::{Seat, Viewer};

/// What an episode answers to "what now?".
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// This is wanted from the world; tell its answer with [`Episode::resume`].
    Request(CallId, Effect),
    /// This is worth writing down.
    Note(Note),
    /// Nothing to do until a reply is passed on.
    Wait,
    /// It is over, for good.
    Done(Outcome),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended, in the benchmark's own word, e.g. `answered`, `fallback`, `skipped`, `incomplete`.
    pub ending: String,
    /// What it ended with, e.g. prediction and confidence.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
}

impl Outcome {
    /// The ending of an episode that could not go on because the world failed. It can be resumed from its transcript.
    pub const INCOMPLETE: &'static str = "incomplete";
    /// The ending of an episode in which a player's conversation outgrew the context window of its model. It is scored by what it has.
    pub const CONTEXT: &'static str = "context";
    /// The ending of an episode that broke the contract: an error of ours.
    pub const BROKEN: &'static str = "broken";

    /// The outcome of an episode that cannot go on because a call failed.
    pub fn incomplete(failure: &Failure) -> Self {
        Outcome {
            ending: Self::INCOMPLETE.to_owned(),
            result: json!({ "failure": failure.class, "message": failure.message }),
        }
    }

    /// Whether the episode came to an end of its own.
    pub fn is_complete(&self) -> bool {
        self.ending != Self::INCOMPLETE && self.ending != Self::BROKEN
    }

    /// A text of the result; `None` where there is none of this name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.result.get(name).and_then(Value::as_str)
    }

    /// What a grading that ended so says of its episode, in the benchmark's own word; `None` where no grader gave a verdict: the
    /// episode is neither right nor wrong, and can be graded again.
    pub fn verdict(&self) -> Option<&str> {
        self.text("verdict")
    }
}

/// A call that a driver must not make. The episode is unchanged by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// No such call is open: it was never made, or it was answered already.
    #[error("call {0} is not open")]
    NotOpen(CallId),
    /// The reply is of another kind than the effect, or breaks its limits.
    #[error("call {call} asked for {effect}, and {reply} does not fit")]
    DoesNotFit { call: CallId, effect: &'static str, reply: &'static str },
    #[error("the episode is over")]
    Over,
}

/// One episode of one benchmark. See the module's head for the contract. It is plain data, so a driver may move it to
/// another thread.
///
/// A driver calls `poll`, `resume` and `scene`. A benchmark writes what becomes of each reply (`said`, and where it matters
/// `failed`, `found`, `drawn` and `made_by_tool`), and asks, notes and ends through its [`Outbox`].
pub trait Episode: Send {
    /// Where it puts what it asks and notes.
    fn outbox(&mut self) -> &mut Outbox;

    /// A seat was asked, and said something.
    fn said(&mut self, seat: &str, said: Said);

    /// A call failed for good. By default the episode is incomplete: it can be taken up again.
    fn failed(&mut self, failure: Failure) {
        self.outbox().fail(&failure);
    }

    /// The search engine found these.
    fn found(&mut self, _hits: Vec<Hit>) {}

    fn drawn(&mut self, _numbers: Vec<u32>) {}

    /// A tool made or fetched this.
    fn made_by_tool(&mut self, _made: Made) {}

    fn poll(&mut self) -> Step {
        self.outbox().next_step()
    }

    /// Here is what came back.
    ///
    /// # Errors
    /// [`Misuse`] if the call is not open or the reply does not fit; the episode is then unchanged.
    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        let effect = self.outbox().accept(call, &reply)?;
        match (effect, reply) {
            (Effect::Ask(ask), Reply::Said(said)) => self.said(ask.seat.as_str(), said),
            (_, Reply::Failed(failure)) => self.failed(failure),
            (_, Reply::Found { hits, .. }) => self.found(hits),
            (_, Reply::Drawn { numbers }) => self.drawn(numbers),
            (_, Reply::Made(made)) => self.made_by_tool(made),
            (_, Reply::Said(_)) => {
                unreachable!("only asks are answered so, and others were refused")
            }
        }
        Ok(())
    }

    /// What it has come to, where the conversation of a seat outgrew the context window of its model: the session then ends it as
    /// [`Outcome::CONTEXT`]. `None` where it goes on, or cannot be scored by what it has: it is then given the failure like any
    /// other. By default that is so for every seat but the player's.
    fn outgrown(&self, seat: &Seat) -> Option<Value> {
        (seat.as_str() == Seat::PLAYER).then_some(Value::Null)
    }

    /// What `viewer` may see now.
    fn scene(&self, viewer: &Viewer) -> Scene;
}

/// What every protocol needs to keep the contract: a queue of steps, call numbers, and which calls are open. How turns are noted
/// through it stands in [`kit::turns`](crate::kit::turns).
#[derive(Debug, Clone, Default)]
pub struct Outbox {
    steps: VecDeque<Step>,
    open: BTreeMap<CallId, Effect>,
    last: u32,
    done: Option<Outcome>,
    /// The call that was answered last.
    pub(crate) told: u32,
    /// The seat whose reply was passed on last.
    pub(crate) seat: Option<Seat>,
    pub(crate) turns: u32,
    pub(crate) threads: u32,
}

impl Outbox {
    /// Asks the world for something; the call stays open until [`Outbox::accept`].
    pub fn request(&mut self, effect: Effect) -> CallId {
        self.last += 1;
        let call = CallId(self.last);
        self.open.insert(call, effect.clone());
        self.steps.push_back(Step::Request(call, effect));
        call
    }

    pub fn note(&mut self, note: impl Into<Note>) {
        self.steps.push_back(Step::Note(note.into()));
    }

    /// Ends the episode once the notes that are queued have been polled. Calls that are still open, or were not polled yet, are
    /// dropped: their answers would not be used.
    pub fn finish(&mut self, ending: &str, result: Value) {
        self.open.clear();
        self.steps.retain(|step| !matches!(step, Step::Request(..)));
        self.done = Some(Outcome { ending: ending.to_owned(), result });
    }

    /// Ends the episode as incomplete, because a call failed.
    pub fn fail(&mut self, failure: &Failure) {
        self.finish(Outcome::INCOMPLETE, Outcome::incomplete(failure).result);
    }

    /// The next step; what `poll` returns.
    pub fn next_step(&mut self) -> Step {
        match (self.steps.pop_front(), &self.done) {
            (Some(step), _) => step,
            (None, Some(outcome)) => Step::Done(outcome.clone()),
            (None, None) => Step::Wait,
        }
    }

    /// Closes a call with its reply.
    ///
    /// # Errors
    /// [`Misuse`] if the call is not open, the reply does not fit, or the episode is over.
    pub fn accept(&mut self, call: CallId, reply: &Reply) -> Result<Effect, Misuse> {
        if self.done.is_some() {
            return Err(Misuse::Over);
        }
        let effect = self.open.get(&call).ok_or(Misuse::NotOpen(call))?;
        if !reply.fits(effect) {
            return Err(Misuse::DoesNotFit { call, effect: effect.name(), reply: reply.name() });
        }
        let effect = self.open.remove(&call).expect("the call was found a line above");
        self.told = call.0;
        if let Effect::Ask(ask) = &effect {
            self.seat = Some(ask.seat.clone());
        }
        Ok(effect)
    }

    /// The calls that wait for an answer.
    pub fn open_calls(&self) -> impl Iterator<Item = (CallId, &Effect)> {
        self.open.iter().map(|(call, effect)| (*call, effect))
    }

    /// What a viewer is asked for now, if anything: what `scene` says under `awaits`.
    pub fn awaits(&self, viewer: &Viewer) -> Option<Expect> {
        self.open_calls().find_map(|(_, effect)| match effect {
            Effect::Ask(ask) if *viewer == Viewer::Seat(ask.seat.clone()) => {
                Some(ask.expect.clone())
            }
            _ => None,
        })
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.done.as_ref()
    }
}
