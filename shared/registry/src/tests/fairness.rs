use crate::examples::{QUESTIONS, example};
use crate::fairness::*;
use crate::prelude::*;
use crate::run::{draw, header};
use crate::spec::Subset;
use serde_json::json;
use std::collections::BTreeMap;

const SECRET: [u8; 32] = [7; 32];

fn nonces() -> BTreeMap<Seat, String> {
    BTreeMap::from([
        (Seat::new("1"), "sixteen bytes or more".to_owned()),
        (Seat::new("2"), "and another sixteen bytes".to_owned()),
    ])
}

fn proof() -> Proof {
    Proof {
        commitment: commitment(&SECRET),
        secret: crate::hash::hex(&SECRET).parse().expect("32 bytes"),
        nonces: nonces(),
    }
}

fn spec() -> Spec {
    let benchmark = example(QUESTIONS);
    let nothing = Named { name: "nothing".into(), digest: Digest::of("nothing") };
    Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile: Profile::Strict,
        settings: benchmark.default_settings(),
        tasks: nothing.clone(),
        subset: Subset::default(),
        pack: nothing,
        seats: BTreeMap::new(),
        search: None,
        web: None,
        budget: Budget::default(),
        seed: proof().seed(),
        repeats: 1,
    }
}

#[test]
fn a_proof_holds_for_the_run_that_was_made_from_it() {
    let published = commitment(&SECRET);
    assert_eq!(proof().check(&published, &nonces(), super::of(&spec()), &spec()), Ok(()));
    assert_eq!(proof().check(&published, &BTreeMap::new(), super::of(&spec()), &spec()), Ok(()));
    let json = serde_json::to_string(&proof()).expect("JSON");
    assert_eq!(serde_json::from_str::<Proof>(&json).ok(), Some(proof()));
}

#[test]
fn whatever_is_changed_is_found() {
    let published = commitment(&SECRET);
    let check =
        |proof: &Proof, spec: &Spec| proof.check(&published, &nonces(), super::of(spec), spec);
    let other = Digest::of("other");
    let changed = |change: &dyn Fn(&mut Proof)| {
        let mut proof = proof();
        change(&mut proof);
        check(&proof, &spec())
    };
    assert_eq!(changed(&|proof| proof.commitment = other), Err(Unfair::AnotherCommitment));
    assert_eq!(changed(&|proof| proof.secret = other), Err(Unfair::AnotherSecret));
    let seat = Seat::new("2");
    assert_eq!(
        changed(&|proof| {
            proof.nonces.insert(seat.clone(), "the server's".into());
        }),
        Err(Unfair::AnotherNonce(seat.clone()))
    );
    assert_eq!(
        changed(&|proof| {
            proof.nonces.insert("3".into(), "one more, of nobody".into());
        }),
        Err(Unfair::AnotherSeed)
    );
    let mut seeded = spec();
    seeded.seed ^= 1;
    assert_eq!(check(&proof(), &seeded), Err(Unfair::AnotherSeed));
}

#[test]
fn every_part_changes_the_seed() {
    let seed_of = proof().seed();
    let mut swapped = nonces();
    let first = swapped.remove(&Seat::new("1")).expect("it is there");
    swapped.insert("3".into(), first);
    assert_ne!(seed(&SECRET, &swapped), seed_of);
    assert_ne!(seed(&[8; 32], &nonces()), seed_of);
    assert_ne!(seed(&SECRET, &BTreeMap::new()), seed_of);
}

#[test]
fn numbers_that_do_not_follow_from_the_seed_are_found() {
    let spec = spec();
    let task = example(QUESTIONS).samples().tasks.remove(0);
    let call = CallId(1);
    let episode = |numbers: Vec<u32>| {
        let header = header(&spec, &task, 2, Part::Play);
        let events = [
            Event::Opened(Box::new(header.clone())),
            Event::Asked {
                call,
                request: Request::Draw { stream: "deck:1".into(), below: 52, take: 9 },
            },
            Event::Told { call, reply: Reply::Drawn { numbers } },
            Event::Closed(Outcome { ending: "over".into(), result: json!(null) }),
        ];
        Transcript { header, events: events.map(Some).to_vec(), chain: Digest::of("not looked at") }
    };
    let mut numbers = draw(&spec, 2, "deck:1", 52, 9);
    assert_eq!(check_draws(&spec, &episode(numbers.clone())), Ok(1));
    numbers.swap(0, 1);
    assert_eq!(check_draws(&spec, &episode(numbers.clone())), Err(Unfair::OtherNumbers(call)));
    let mut other = spec.clone();
    other.repeats = 3;
    assert_eq!(check_draws(&other, &episode(numbers)), Err(Unfair::AnotherSpec));
}
