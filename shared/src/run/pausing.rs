//! How a run rests, goes on and ends before its time; by itself it rests as [`guard`](super::guard) says.

use super::{Halt, Run, Stage};
use crate::effect::{Failure, FailureClass, Reply};
use crate::episode::CallId;

impl Run {
    /// Sends and starts nothing until [`Run::resume`].
    pub fn pause(&mut self) {
        self.scheduler.pause();
    }

    /// Goes on after a pause, whoever paused it. Calls that were held back are sent again.
    pub fn resume(&mut self) {
        self.guard.resumed();
        self.scheduler.resume();
    }

    /// From now on the run pauses by itself when a key is refused, or after so many failures in a row of the same model or
    /// search engine; 0 = on a refused key only. Without this it never does: for drivers that nobody could resume.
    pub fn pause_on_failures(&mut self, in_a_row: u32) {
        self.guard.watch(in_a_row);
    }

    /// Why it has paused by itself, if it has.
    pub fn halt(&self) -> Option<&Halt> {
        self.guard.halt()
    }

    /// Whether it is paused.
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

    /// A call that failed is not told: it waits as if it had not been sent, and the run rests.
    pub(super) fn hold_back(&mut self, slot: usize, call: CallId, lane: &str, reply: &Reply) {
        if let Reply::Failed(failure) = reply {
            // What a budget does not let out was asked of nobody, and why the run rests is said.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tests::{open, spec};
    use super::super::{Doing, Run, Ticket};
    use super::*;
    use crate::prompt::Said;

    /// Polls until nothing can be done; returns the calls that went out.
    fn calls(run: &mut Run) -> Vec<Ticket> {
        let mut sent = Vec::new();
        loop {
            match run.poll() {
                Doing::Call { ticket, .. } => sent.push(ticket),
                Doing::Wait | Doing::Over => return sent,
                _ => {}
            }
        }
    }

    fn over_a_model() -> Run {
        let seats = [("player", "model:up/m"), ("grader", "bot:exact")];
        open(spec(&seats, "answer_only"), BTreeMap::new())
    }

    fn fail(run: &mut Run, ticket: &Ticket, class: FailureClass) {
        let failure = Failure::new(class, "the service refused the key (status 401)");
        run.tell(ticket, Reply::Failed(failure)).expect("it fits");
    }

    fn answer(run: &mut Run, ticket: &Ticket) {
        let text = r#"{"action":"answer","params":{"answer":"a","confidence":"50"}}"#;
        run.tell(ticket, Reply::Said(Said::text(text)))
            .expect("it fits");
    }

    #[test]
    fn a_refused_key_costs_no_episode() {
        let mut run = over_a_model();
        run.pause_on_failures(10);
        let sent = calls(&mut run);
        assert!(sent.len() > 1, "several calls are in flight");
        for ticket in &sent {
            fail(&mut run, ticket, FailureClass::Unauthorised);
        }
        let halt = run.halt().expect("it has paused").clone();
        assert_eq!(halt.who, "model:up/m");
        assert!(halt.message.contains("status 401"));
        assert!(run.is_paused() && calls(&mut run).is_empty());
        let progress = run.progress();
        assert_eq!((progress.flying, progress.incomplete), (0, 0));
        run.resume();
        assert_eq!(run.halt(), None);
        let mut again = calls(&mut run);
        let mut first = sent.clone();
        first.sort();
        again.sort();
        assert_eq!(again, first, "the same calls are sent again");
        let mut open = again;
        while let Some(ticket) = open.pop() {
            answer(&mut run, &ticket);
            open.extend(calls(&mut run));
        }
        assert!(matches!(run.poll(), Doing::Over));
        let progress = run.progress();
        assert_eq!(progress.incomplete, 0);
        assert_eq!(progress.graded, progress.planned);
    }

    #[test]
    fn what_was_never_sent_is_not_said_to_cost_anything() {
        let ended = |failing: Option<FailureClass>| {
            let mut run = over_a_model();
            run.pause_on_failures(1);
            let sent = calls(&mut run);
            for ticket in &sent {
                if let Some(class) = failing {
                    fail(&mut run, ticket, class);
                }
            }
            run.cancel();
            let mut unsure = 0;
            while let doing @ (Doing::Ended { .. } | Doing::Lines { .. }) = run.poll() {
                if let Doing::Ended { summary, .. } = doing {
                    unsure += summary.usage.values().map(|seat| seat.unsure).sum::<u32>();
                }
            }
            (u32::try_from(sent.len()).expect("few"), unsure)
        };
        let (sent, unsure) = ended(None);
        assert_eq!(unsure, sent, "nobody knows how far they were");
        assert_eq!(ended(Some(FailureClass::BudgetExhausted)).1, 0);
        let (sent, unsure) = ended(Some(FailureClass::Timeout));
        assert_eq!(unsure, sent, "the service may have done its work");
    }

    #[test]
    fn failures_before_the_limit_are_told_and_those_after_it_wait() {
        let mut run = over_a_model();
        run.pause_on_failures(3);
        let mut open = calls(&mut run);
        for _ in 0..2 {
            fail(&mut run, &open.remove(0), FailureClass::Server);
        }
        assert_eq!(run.halt(), None);
        assert_eq!(run.progress().answered, 2);
        fail(&mut run, &open.remove(0), FailureClass::Server);
        assert_eq!(run.halt().map(|halt| halt.in_a_row), Some(3));
        assert_eq!(run.progress().answered, 2, "the third waits");
    }

    #[test]
    fn a_run_that_rests_by_itself_can_be_ended() {
        let mut run = over_a_model();
        run.pause_on_failures(1);
        let sent = calls(&mut run);
        fail(&mut run, &sent[0], FailureClass::Timeout);
        assert!(run.halt().is_some());
        run.cancel();
        assert!(calls(&mut run).is_empty());
        assert!(matches!(run.poll(), Doing::Over));
        assert!(run.progress().incomplete > 0);
    }
}
