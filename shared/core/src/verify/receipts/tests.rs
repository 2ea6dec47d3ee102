//! Receipts of a few calls.

use super::*;
use crate::effect::FailureClass;
use crate::key::RunId;
use crate::wire::publishing::FindingAbout;
use crate::wire::receipts::{Endpoint, KeyId};

fn episode() -> EpisodeKey {
    EpisodeKey::play(&"1".into(), 1)
}

/// What a server says under its key: so much was sent, and this came back.
fn receipt(signer: u8, call: u32, sent: &str, reply: &str) -> Receipt {
    Receipt {
        key: KeyId::of(&[signer; 32]),
        run: RunId::new([1; 16]),
        number: 1,
        previous: Digest::of("before"),
        episode: episode(),
        call: CallId(call),
        asked: Digest::of("asked"),
        sent: Digest::of(sent),
        came: CallEnd::Answer,
        reply: Digest::of(reply),
        endpoint: Endpoint {
            name: "house".to_owned(),
            format: "openai".to_owned(),
            host: Host::BuiltIn,
        },
        model: None,
        time: 1,
    }
}

fn stands<'a>(episode: &'a EpisodeKey, call: u32, reply: &str) -> Stands<'a> {
    Stands {
        episode,
        call: CallId(call),
        asked: Digest::of("asked"),
        sent: Some(Digest::of("sent")),
        reply: Digest::of(reply),
    }
}

/// What is found once everything was heard that stands in the transcripts.
fn found(receipts: &Receipts, calls: &[u32]) -> Vec<(FindingAbout, u64)> {
    let calls = calls.iter().map(|call| (episode(), CallId(*call)));
    let mut tally = Tally::default();
    receipts.left(&calls.collect(), &mut tally);
    let findings = tally.findings.iter();
    findings.map(|one| (one.about, one.count)).collect()
}

#[test]
fn an_answer_that_two_servers_signed_counts_once() {
    let mut receipts = Receipts::of(vec![
        receipt(1, 1, "sent", "yes"),
        receipt(2, 1, "sent", "yes"),
        receipt(1, 2, "sent", "nobody heard it"),
        receipt(2, 2, "sent", "nobody heard it"),
    ]);
    assert_eq!(receipts.back(&stands(&episode(), 1, "yes")), Backing::Backed);
    assert_eq!(found(&receipts, &[1]), [(FindingAbout::Unused, 1)]);
}

#[test]
fn another_answer_and_another_request_count() {
    let mut receipts = Receipts::of(vec![
        receipt(1, 1, "sent with a hint", "yes"),
        receipt(1, 1, "sent", "yes"),
        receipt(1, 1, "sent", "no"),
    ]);
    let (key, reply) = (episode(), "yes");
    assert_eq!(receipts.back(&stands(&key, 1, reply)), Backing::Backed);
    assert_eq!(found(&receipts, &[1]), [(FindingAbout::Rerolled, 2)]);
    assert_eq!(receipts.back(&stands(&key, 1, "perhaps")), Backing::OtherAnswer);
    assert_eq!(receipts.back(&stands(&key, 2, reply)), Backing::None);
    let mut hinted = Receipts::of(vec![receipt(1, 1, "sent with a hint", "yes")]);
    assert_eq!(hinted.back(&stands(&key, 1, reply)), Backing::OtherRequest);
}

#[test]
fn calls_that_were_cancelled_count_and_those_that_failed_otherwise_do_not() {
    let failed = |failure: Failure, time| Receipt {
        came: CallEnd::Failure,
        reply: Digest::of_value(&Reply::Failed(failure)),
        time,
        ..receipt(1, 1, "sent", "nothing")
    };
    let mut receipts = Receipts::of(vec![
        failed(Failure::of_cancelled_call(), 1),
        failed(Failure::of_cancelled_call(), 2),
        Receipt { key: KeyId::of(&[2; 32]), ..failed(Failure::of_cancelled_call(), 2) },
        failed(Failure::new(FailureClass::Timeout, "it took too long"), 3),
        receipt(1, 1, "sent", "yes"),
    ]);
    assert_eq!(receipts.back(&stands(&episode(), 1, "yes")), Backing::Backed);
    assert_eq!(found(&receipts, &[1]), [(FindingAbout::Cancelled, 2)]);
}
