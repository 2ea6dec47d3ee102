//! Runs that are played over HTTP as a script plays them, one call after the other.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_shared::run::{Action, Ingredients};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::wire::{CallRequest, Opened};

use crate::asking::Asking;

/// A run over the first samples, with models of this provider in all seats.
pub fn spec(provider: &str, tasks: u32) -> Spec {
    let mut spec =
        crate::spec(example(QUESTIONS), Profile::Strict, json!({ "mode": "full", "rounds": 6 }));
    for (seat, sitting) in &mut spec.seats {
        sitting.player = format!("model:{provider}/{seat}").parse().expect("a player");
    }
    spec.search = Some(SearchSpec { engine: "local".into(), corpus: None, results: 5 });
    spec.subset.first = Some(tasks);
    spec
}

/// A run as a browser plans it.
///
/// # Panics
/// If the spec cannot be planned.
pub fn planned(spec: &Spec) -> Run {
    planned_with(spec, 8)
}

/// The same with this many calls in flight.
///
/// # Panics
/// If the spec cannot be planned.
pub fn planned_with(spec: &Spec, in_flight: usize) -> Run {
    let benchmark = registry::find(&spec.benchmark).expect("it is registered");
    Run::new(Ingredients {
        benchmark,
        spec: spec.clone(),
        tasks: benchmark.samples(),
        pack: benchmark.pack(),
        recordings: BTreeMap::new(),
        limits: Limits::new(in_flight),
    })
    .expect("it can be planned")
}

/// Takes up what the server has of a run, plays before gradings.
///
/// # Panics
/// If it cannot be taken up.
pub async fn take_up(asking: &Asking, id: &str, run: &mut Run) {
    let heads = asking.episodes(id).await;
    let (plays, gradings): (Vec<_>, Vec<_>) =
        heads.iter().map(|head| &head.episode).partition(|key| **key == key.its_play());
    for key in plays.into_iter().chain(gradings) {
        let stored = asking.played(id, key).await;
        run.restore(key, &stored).expect("it can be taken up");
    }
}

/// A call as a script makes it.
pub fn call_of(opened: &Opened, ticket: &Ticket, request: Outgoing) -> CallRequest {
    CallRequest {
        key: CallKey::of(&opened.run, ticket),
        token: opened.token.clone(),
        epoch: Default::default(),
        request,
    }
}

/// What was answered to which call, with the call as it was sent.
pub type Answered = BTreeMap<(EpisodeKey, CallId), (Value, Reply)>;

/// Drives a run through `POST /api/call`, and stops after this many calls.
///
/// # Panics
/// If the server refuses anything.
pub async fn drive(
    asking: &Asking,
    opened: &Opened,
    run: &mut Run,
    answered: &mut Answered,
    calls: u32,
) {
    let mut made = 0;
    while made < calls {
        match run.poll() {
            Action::Call { ticket, request } => {
                let call =
                    serde_json::to_value(call_of(opened, &ticket, request)).expect("plain data");
                let answer: CallAnswer = asking.post("/api/call", &call).await.json();
                run.tell(&ticket, answer.reply.clone()).expect("the reply fits");
                answered.insert((ticket.episode, ticket.call), (call, answer.reply));
                made += 1;
            }
            Action::Lines { episode, from, lines } => {
                asking.keep(opened, &episode, from, &lines).await
            }
            Action::Ended { .. } => {}
            Action::Over => return,
            other => panic!("not expected here: {other:?}"),
        }
    }
}
