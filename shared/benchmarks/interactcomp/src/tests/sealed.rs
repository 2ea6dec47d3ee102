//! What seats are sent for tasks whose hidden fields stay on the server.

use turnwise_core::benchmark::{Benchmark as _, check_sealed, default_spec};
use turnwise_core::prelude::*;
use turnwise_core::sealed::{Inquired, Seal, Verdict, handed_out, named};

use super::*;
use crate::prompts::{ask_grader, ask_responder};
use crate::{InteractComp, responder, verdict};

/// The samples as the server keeps them and as it hands them out.
fn sealed() -> (TaskSet, TaskSet) {
    let whole = Seal::new([7; 32]).keep(InteractComp.samples());
    let told = handed_out(InteractComp::FACTS.sealing.expect("it can be sealed"), &whole);
    (whole, told)
}

fn spec_over(told: &TaskSet) -> Spec {
    let mut spec = default_spec(&InteractComp);
    spec.tasks = Named { name: told.name.clone(), digest: told.digest };
    spec.settings["mode"] = "ask_only".into();
    spec
}

#[test]
fn what_is_told_reads_as_what_was_said_and_holds_nothing_of_it() {
    let said = [
        "Yes. The context says that MARKED is green.",
        "no, MARKED is blue",
        "i don't know; nothing about MARKED",
        "MARKED is what it says",
        "",
    ];
    let (whole, told) = sealed();
    for profile in [Profile::Strict, Profile::Reference] {
        let mut spec = spec_over(&told);
        spec.profile = profile;
        let sealing = check_sealed(&InteractComp, &spec).unwrap();
        for text in said.map(Some).into_iter().chain([None]) {
            for ask in
                [ask_responder(ThreadId(1), "Is it green?"), ask_grader(ThreadId(1), "Green")]
            {
                let seat = ask.seat.clone();
                let mut inquiry = sealing.inquire(&spec, &whole.tasks[0], ask).unwrap();
                assert!(matches!(inquiry.begin(), Inquired::Ask(_)));
                let reply = Reply::Said(Said { text: text.map(str::to_owned), ..Said::default() });
                let Inquired::Told(Verdict(word)) = inquiry.hear(reply) else {
                    panic!("it was answered");
                };
                assert!(["yes", "no", "i don't know", ""].contains(&word.as_str()));
                let word = Some(word.as_str());
                match seat.as_str() {
                    Seat::RESPONDER => {
                        assert_eq!(responder::read(text, profile), responder::read(word, profile));
                    }
                    _ => assert_eq!(verdict::read(text, profile), verdict::read(word, profile)),
                }
            }
        }
    }
}

#[test]
fn requests_are_shown_with_the_names_of_what_is_sealed() {
    let (_, told) = sealed();
    let ask = ask_responder(ThreadId(1), "Is it green?");
    let (task, pack) = (&told.tasks[0], (InteractComp::FACTS.pack)());
    assert!(pack.render(&ask, task).is_err());
    let shown = pack.render(&ask, &named(task, &ask)).unwrap();
    assert!(shown[0].text.contains("[context: sealed]"));
    assert!(!format!("{:?}", Seal::new([7; 32])).contains('7'));
}
