//! What must be true of every hand. A million of them go through the same checks in `cargo bench --bench poker`, which is
//! compiled with optimisation; here it is as many as a build without it can play in a few seconds.

use std::collections::BTreeSet;

use super::super::action::Street;
use super::*;

const HANDS: u32 = 50_000;

#[test]
fn strict_hands() {
    let seen = check(Profile::Strict);
    for sight in [
        "returned",
        "side pot",
        "odd chips",
        "run-out",
        "walk",
        "short blind",
        "repaired",
        "no action",
        "2 places",
        "10 places",
        "short all-in",
    ] {
        assert!(seen.contains(sight), "never seen: {sight}");
    }
    assert!(!seen.contains("lost"));
}

#[test]
fn reference_hands() {
    let seen = check(Profile::Reference);
    for sight in ["run-out", "repaired", "lost", "2 places", "10 places"] {
        assert!(seen.contains(sight), "never seen: {sight}");
    }
    assert!(!seen.contains("returned") && !seen.contains("side pot"));
}

/// Plays hands and checks each of them. What they showed comes back, so that a test can ask for it.
fn check(profile: Profile) -> BTreeSet<String> {
    let mut samples = Samples::new(profile, 10, 7);
    let mut seen = BTreeSet::new();
    for _ in 0..HANDS {
        let record = samples.play(|hand, chance| {
            for steps in 0.. {
                assert!(steps < 1_000, "{:?}", hand.record());
                let Some(legal) = hand.legal() else { break };
                assert!(legal.kinds().len() >= 2, "{:?}", hand.record());
                play_one(hand, legal, chance);
            }
        });
        assert_eq!(broken(&record), None, "{record:?}");
        look(&record, &mut seen);
    }
    seen
}

/// One action; if it was legal, it must be done as it was asked.
fn play_one(hand: &mut Hand, legal: Legal, chance: &mut Chance) {
    let place = hand.to_act().unwrap();
    if chance.below(12) == 0 {
        let action = anything(hand, chance);
        hand.act(place, action).unwrap();
        return;
    }
    let action = something_legal(hand, legal, chance);
    let happened = hand.act(place, action).unwrap();
    assert_eq!(happened.repairs, [], "{action:?} {legal:?}");
    match action.kind {
        Kind::Call => assert_eq!(Some(happened.put), legal.call),
        Kind::Raise => assert_eq!(Some(happened.total), action.amount),
        Kind::AllIn => assert!(happened.all_in && Some(happened.total) == legal.all_in),
        Kind::Fold | Kind::Check => assert!(happened.put.is_zero()),
    }
}

fn look(record: &HandRecord, seen: &mut BTreeSet<String>) {
    let mut see = |sight: &str, is_there: bool| {
        if is_there {
            seen.insert(sight.to_owned());
        }
    };
    let winners = |pot: &super::super::record::PotRecord| {
        pot.winners.iter().map(|share| share.chips).collect::<BTreeSet<_>>().len()
    };
    see("returned", record.returned.is_some());
    see("side pot", record.pots.len() > 1);
    see("odd chips", record.pots.iter().any(|pot| winners(pot) > 1));
    see("run-out", record.run_out == Some(Street::Preflop));
    see("no action", record.actions.is_empty());
    see("lost", !record.lost.is_zero());
    see("walk", !record.is_showdown() && record.paid(record.big_blind()) > Chips::ZERO);
    let big = record.places[record.big_blind()].blind;
    see("short blind", big < record.blinds.big);
    see("repaired", record.actions.iter().any(|a| !a.happened.repairs.is_empty()));
    let is_short = |raised: Chips| raised > Chips::ZERO && raised < record.blinds.big;
    see("short all-in", record.actions.iter().any(|a| is_short(a.happened.raised)));
    see(&format!("{} places", record.places.len()), true);
}
