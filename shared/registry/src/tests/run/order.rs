//! In which order a run of models comes to its end.

use crate::dice;
use crate::prelude::*;
use crate::run::{Action, Ingredients};
use crate::scheduler::Limits;
use std::collections::VecDeque;

use super::{ingredients_of, spec};

const MODELS: &[(&str, &str)] = &[
    ("player", "model:lab/player"),
    ("responder", "model:lab/responder"),
    ("grader", "model:lab/grader"),
];

/// Players ask two times of three, so that plays are short and long.
fn said(request: &Outgoing, call: u64) -> Reply {
    let Outgoing::Model(request) = request else {
        panic!("only models sit here");
    };
    let asks = dice::draw(1, &format!("call:{call}"), 3, 1)[0] > 0;
    let action = match request.seat.as_str() {
        Seat::PLAYER if asks => r#"{"action":"ask","params":{"question":"Is it old?"}}"#,
        Seat::PLAYER => r#"{"action":"answer","params":{"answer":"a mill","confidence":"50"}}"#,
        _ => "no",
    };
    Reply::Said(Said { text: Some(action.to_owned()), stop: Stop::End, ..Said::default() })
}

/// Drives a run whose calls come back in the order in which they were sent; returns, for every graded episode, how many calls had
/// been answered then, and how many were answered at all.
fn graded_after(mut run: Run) -> (Vec<u64>, u64) {
    let mut flying = VecDeque::new();
    let (mut answered, mut graded) = (0, Vec::new());
    loop {
        match run.poll() {
            Action::Call { ticket, request } => flying.push_back((ticket, request)),
            Action::Ended { episode, .. } if episode.part() == PartKey::Grading => {
                graded.push(answered);
            }
            Action::Wait => {
                let (ticket, request) = flying.pop_front().expect("a call is under way");
                answered += 1;
                run.tell(&ticket, said(&request, answered)).expect("the reply fits");
            }
            Action::Over => return (graded, answered),
            _ => {}
        }
    }
}

#[test]
fn gradings_come_while_others_play() {
    let spec = crate::spec::Spec {
        repeats: 8,
        settings: serde_json::json!({ "mode": "ask_only", "rounds": 10 }),
        ..spec(MODELS, "ask_only")
    };
    for permits in [4, 16, 48] {
        let run =
            Run::new(Ingredients { limits: Limits::new(permits), ..ingredients_of(spec.clone()) });
        let (graded, calls) = graded_after(run.expect("it fits"));
        let by = |share: u64| graded.iter().filter(|at| **at <= calls / share).count();
        assert!(
            by(2) * 3 >= graded.len(),
            "{permits} permits: {} of {} at half of {calls} calls",
            by(2),
            graded.len()
        );
        assert!(by(4) > 0, "{permits} permits: none at a quarter");
    }
}
