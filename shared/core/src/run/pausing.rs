//! How a run rests, goes on and ends before its time; by itself it rests as [`guard`](super::guard) says.

use super::{Halt, Run, Stage};
use crate::effect::{CallId, Failure, FailureClass, Reply};

impl Run {
    /// Sends and starts nothing until [`Run::resume`].
    pub fn pause(&mut self) {
        self.scheduler.pause();
    }

    /// Goes on after a pause, for whatever reason it was paused. Calls that were held back are sent again.
    pub fn resume(&mut self) {
        self.guard.resumed();
        self.scheduler.resume();
    }

    /// From now on the run pauses by itself when a key is refused, or after this many failures in a row of the same model or
    /// search engine; 0 = on a refused key only. Without this it never does: for drivers that have no user to resume them.
    pub fn pause_on_failures(&mut self, in_a_row: u32) {
        self.guard.watch(in_a_row);
    }

    /// Why it has paused by itself, if it has.
    pub fn halt(&self) -> Option<&Halt> {
        self.guard.halt()
    }

    pub fn is_paused(&self) -> bool {
        self.scheduler.is_paused()
    }

    /// Ends the run: open calls fail as cancelled, so that what is under way ends incomplete and can be taken up again.
    pub fn cancel(&mut self) {
        self.scheduler.clear();
        self.resume();
        for slot in 0..self.slots.len() {
            let Stage::Running(running) = &self.slots[slot].stage else {
                continue;
            };
            let why = "the run was cancelled";
            let failures: Vec<_> = running
                .calls
                .keys()
                .map(|call| {
                    let was_sent = running.owed.contains(call) || self.scheduler.flies(slot, *call);
                    let failure = match was_sent {
                        true => Failure::new(FailureClass::Cancelled, why),
                        false => Failure::of_unsent_call(why),
                    };
                    (*call, failure)
                })
                .collect();
            for (call, failure) in failures {
                self.answer(slot, call, Reply::Failed(failure));
            }
        }
    }

    /// A failed call is not passed on: it waits as if it had not been sent, and the run is paused.
    pub(super) fn hold_back(&mut self, slot: usize, call: CallId, lane: &str, reply: &Reply) {
        if let Reply::Failed(failure) = reply {
            // A call that a budget holds back was never sent, and the reason for the pause is given.
            if failure.class != FailureClass::BudgetExhausted {
                *self.progress.failures.entry(failure.class).or_default() += 1;
            }
            if failure.may_be_charged()
                && let Stage::Running(running) = &mut self.slots[slot].stage
            {
                running.owed.insert(call);
            }
        }
        self.scheduler.pause();
        self.scheduler.answered(slot, call);
        self.scheduler.offer(slot, call, lane);
    }
}
