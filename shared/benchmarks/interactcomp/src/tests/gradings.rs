//! What becomes of a grading whose grader fails, or says what cannot be read (specification 3.8, E19; 6.1, G2).

use super::answered;
use crate::grading::{GRADED, GRADER_FAILED, Grading};
use turnwise_core::episode::Episode as _;
use turnwise_core::prelude::*;
use turnwise_core::spec::Profile::{self, Reference, Strict};

/// How a grading ends whose grader replies so, the last reply for ever; and how many times it is asked.
fn graded(profile: Profile, replies: &[Reply]) -> (Outcome, usize) {
    let mut grading = Grading::open(profile, &answered("Foo"));
    let mut asked = 0;
    loop {
        match grading.poll() {
            Step::Request(call, _) => {
                let reply = replies.get(asked).or(replies.last());
                asked += 1;
                let reply = reply.expect("there is one").clone();
                grading.resume(call, reply).expect("it fits");
            }
            Step::Done(outcome) => return (outcome, asked),
            Step::Note(_) => {}
            Step::Wait => panic!("nothing is open that was not answered"),
        }
    }
}

fn failed(class: FailureClass) -> Reply {
    Reply::Failed(Failure::new(class, "HTTP 500"))
}

fn says(text: &str) -> Reply {
    Reply::Said(Said::text(text))
}

/// E19 and E19c: the reference code takes an exception for a wrong answer.
#[test]
fn a_grader_that_fails_says_no_in_the_reference_code() {
    for class in [FailureClass::Server, FailureClass::Timeout] {
        let (outcome, asked) = graded(Reference, &[failed(class)]);
        assert_eq!(
            (outcome.ending.as_str(), outcome.verdict(), asked),
            (GRADED, Some("no"), 1),
            "{class:?}"
        );
    }
    let (outcome, asked) = graded(Reference, &[says("maybe")]);
    assert_eq!((outcome.verdict(), asked), (Some("no"), 1));
}

/// A cancelled grading call yields no verdict, in either profile.
#[test]
fn a_grader_that_is_stopped_says_nothing() {
    for profile in [Reference, Strict] {
        let (outcome, asked) = graded(profile, &[Reply::Failed(Failure::of_cancelled_call())]);
        assert_eq!(
            (outcome.ending.as_str(), outcome.verdict(), asked),
            (Outcome::INCOMPLETE, None, 1),
            "{profile:?}"
        );
    }
}

#[test]
fn a_strict_grading_has_a_verdict_only_where_one_was_heard() {
    let (outcome, asked) = graded(Strict, &[failed(FailureClass::Server)]);
    assert_eq!((outcome.ending.as_str(), asked), (Outcome::INCOMPLETE, 1));
    let (outcome, asked) = graded(Strict, &[says("maybe")]);
    assert_eq!((outcome.ending.as_str(), outcome.verdict(), asked), (GRADER_FAILED, None, 3));
    let (outcome, asked) = graded(Strict, &[says("maybe"), says("Yes.")]);
    assert_eq!((outcome.verdict(), asked), (Some("yes"), 2));
}
