//! What must be true of every hand. A million of them go through the same checks in `cargo bench --bench poker`, which is
//! compiled with optimisation; here it is as many as a build without it can play in a few seconds.

use std::collections::BTreeSet;

use turnwise_shared::benchmarks::poker::action::Street;
use turnwise_shared::benchmarks::poker::record::PotRecord;
use turnwise_shared::benchmarks::poker::stats::{Numbers, Tally, flows};

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
    let winners = |pot: &PotRecord| {
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

/// Whatever is played: winnings come from another player, and all-ins are worth no more than there is.
#[test]
fn flows_and_adjusted_winnings_add_up() {
    for profile in [Profile::Strict, Profile::Reference] {
        let mut samples = Samples::new(profile, 6, 3);
        let (mut run_outs, mut hands) = (0, Vec::new());
        for _ in 0..300 {
            let hand = samples.play(at_random);
            let won = flows::won_from(&hand);
            let scale = hand.places.iter().map(|one| one.opening.units()).sum::<u64>() as f64;
            for (place, row) in won.iter().enumerate() {
                for (other, flow) in row.iter().enumerate() {
                    assert!((flow + won[other][place]).abs() <= 1e-9 * scale);
                }
                if hand.lost.is_zero() {
                    let sum: f64 = row.iter().sum();
                    let delta = hand.deltas[place] as f64;
                    assert!((sum - delta).abs() <= 1e-9 * scale, "{hand:?}");
                }
            }
            // Samples of whole boards are slow without optimisation; a few are enough.
            let is_early = hand.run_out == Some(Street::Preflop);
            if (!is_early || run_outs < 10)
                && let Some(adjusted) = flows::all_in_adjusted(&hand)
            {
                run_outs += 1;
                assert!(adjusted.iter().sum::<f64>().abs() <= 1e-9 * scale);
                for (place, adjusted) in adjusted.iter().enumerate() {
                    if hand.fold_of(place).is_some() {
                        assert_eq!(*adjusted, hand.deltas[place] as f64);
                    }
                }
            }
            if !is_early {
                hands.push(hand);
            }
        }
        assert!(run_outs > 5, "{run_outs}");
        // Counted together or one by one, it is the same.
        let mut sum = Tally::default();
        for hand in &hands {
            let numbers = Numbers::of_hands(std::slice::from_ref(hand));
            let place = numbers.seats.iter().position(|seat| seat.as_str() == "1");
            if let Some(place) = place {
                sum += &numbers.tallies[place];
            }
        }
        let together = Numbers::of_hands(&hands);
        let place = together.seats.iter().position(|seat| seat.as_str() == "1").unwrap();
        assert_eq!(together.tallies[place], sum);
        let text = serde_json::to_string(&together).unwrap();
        assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), together);
    }
}
