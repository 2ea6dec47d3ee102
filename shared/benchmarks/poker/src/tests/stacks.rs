//! Stacks as large as the settings let through.

use serde_json::json;

use super::at_table::AtTable;
use crate::Poker;
use crate::policy::Policy;
use turnwise_core::benchmark::default_spec;
use turnwise_core::prelude::*;

fn spec(profile: Profile, policy: Policy, participants: u32, hands: u32, stack: u64) -> Spec {
    let mut spec = Spec {
        profile,
        settings: json!({ "tables": 1, "hands": hands, "policy": policy, "stack": stack }),
        ..default_spec(&Poker)
    };
    let sitting = spec.seats[&Seat::new("5")].clone();
    spec.seats =
        (1..=participants).map(|seat| (Seat::new(seat.to_string()), sitting.clone())).collect();
    spec
}

/// The largest stack that is accepted.
fn largest(spec: impl Fn(u64) -> Spec) -> u64 {
    let (mut fits, mut does_not) = (100, u64::MAX);
    while does_not - fits > 1 {
        let middle = fits + (does_not - fits) / 2;
        match <dyn Benchmark>::check_spec(&Poker, &spec(middle)) {
            Ok(()) => fits = middle,
            Err(error) => {
                assert_eq!(error.field, "settings.stack");
                does_not = middle;
            }
        }
    }
    fits
}

/// Everybody goes all-in in every hand, so that stacks grow as fast as they can.
#[test]
fn the_largest_stacks_that_are_accepted_can_be_played() {
    for profile in [Profile::Strict, Profile::Reference] {
        for policy in Policy::ALL {
            for (participants, hands) in [(3, 5), (10, 5), (3, 40)] {
                let spec = |stack| spec(profile, policy, participants, hands, stack);
                if <dyn Benchmark>::check_spec(&Poker, &spec(100)).is_err() {
                    assert_eq!((profile, policy), (Profile::Reference, Policy::Freezeout));
                    continue;
                }
                let stack = largest(spec);
                let mut table = AtTable::of(spec(stack));
                while let Some((call, _)) = table.next() {
                    let all_in = Said::text(r#"{"action": "ALL_IN", "amount": 0}"#);
                    table.session.tell(call, Reply::Said(all_in)).unwrap();
                }
                let outcome = table.session.outcome().unwrap();
                assert!(outcome.is_complete(), "{profile:?} {policy} {stack}");
                // What each player put in was right to the last unit.
                let record = table.records().remove(0);
                let opening: u64 = record.places.iter().map(|place| place.opening.units()).sum();
                assert_eq!(opening, stack * record.unit.per_chip() * u64::from(participants));
            }
        }
    }
}

/// A billion chips are a stack for every policy and lineup, as long as there are few hands.
#[test]
fn a_billion_chips_are_a_stack() {
    for profile in [Profile::Strict, Profile::Reference] {
        let one = |hands| spec(profile, Policy::ResetAllOnBust, 3, hands, 1_000_000_000);
        assert_eq!(<dyn Benchmark>::check_spec(&Poker, &one(2)), Ok(()));
        let many = <dyn Benchmark>::check_spec(&Poker, &one(1_000));
        match profile {
            Profile::Strict => assert_eq!(many, Ok(())),
            Profile::Reference => assert!(many.unwrap_err().problem.contains("33333333")),
        }
    }
}
