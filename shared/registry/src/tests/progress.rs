use std::collections::BTreeMap;

use super::run::{open, spec};
use crate::prelude::*;
use crate::run::Action;

/// How many episodes are over in all, and how many of them have no verdict, where every grader says this.
fn graded_by(words: &str) -> (u32, u32) {
    let seats = [("player", "bot:asks-by-rule"), ("grader", "model:up/m")];
    let mut run = open(spec(&seats, "answer_only"), BTreeMap::new());
    loop {
        match run.poll() {
            Action::Call { ticket, .. } => {
                let reply = Reply::Said(Said::text(words));
                run.tell(&ticket, reply).expect("it fits");
            }
            Action::Over => break,
            _ => {}
        }
    }
    let progress = run.progress();
    assert_eq!(progress.graded, progress.planned);
    (progress.graded, progress.unheard)
}

#[test]
fn a_grader_that_cannot_be_heard_gives_no_score() {
    let (all, unheard) = graded_by("maybe");
    assert_eq!(unheard, all);
    assert_eq!(graded_by("no"), (all, 0));
}
