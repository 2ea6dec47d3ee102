use crate::prelude::*;
use crate::run::Action;
use std::collections::BTreeMap;

use super::run::{open, spec};

/// Polls until nothing can be done; returns the calls that went out.
fn calls(run: &mut Run) -> Vec<Ticket> {
    let mut sent = Vec::new();
    loop {
        match run.poll() {
            Action::Call { ticket, .. } => sent.push(ticket),
            Action::Wait | Action::Over => return sent,
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
    run.tell(ticket, Reply::Said(Said::text(text))).expect("it fits");
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
    assert!(matches!(run.poll(), Action::Over));
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
        while let doing @ (Action::Ended { .. } | Action::Lines { .. }) = run.poll() {
            if let Action::Ended { summary, .. } = doing {
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
    assert!(matches!(run.poll(), Action::Over));
    assert!(run.progress().incomplete > 0);
}
