//! Which tasks a spec means, and what is refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::Poker;
use crate::tasks::Sitting;
use turnwise_core::benchmark::default_spec;
use turnwise_core::key::EpisodeKey;
use turnwise_core::prelude::*;
use turnwise_core::run::draw;

fn spec(settings: Value) -> Spec {
    Spec { settings, ..default_spec(&Poker) }
}

#[test]
fn hands_are_episodes_where_they_are_independent() {
    let tasks = Poker.plan(&spec(json!({ "tables": 3, "hands": 4 }))).unwrap();
    assert_eq!(tasks.tasks.len(), 12);
    let sitting = Sitting::of(&tasks.tasks[5]).unwrap();
    assert_eq!((sitting.table, sitting.first, sitting.last), (2, 2, 2));
    assert_eq!(sitting.order.len(), 6);
    for task in &tasks.tasks {
        // The id is its own file's name.
        assert_eq!(EpisodeKey::play(&task.id, 1).as_str(), format!("{}.r1.play", task.id));
    }
    for settings in [
        json!({ "tables": 3, "hands": 4, "policy": "freezeout" }),
        json!({ "tables": 3, "hands": 4, "memory": "table" }),
    ] {
        let tasks = Poker.plan(&spec(settings)).unwrap();
        assert_eq!(tasks.tasks.len(), 3);
        assert_eq!(Sitting::of(&tasks.tasks[2]).unwrap().hands(), 4);
    }
    let reference =
        Spec { profile: Profile::Reference, ..spec(json!({ "tables": 2, "hands": 9 })) };
    assert_eq!(Poker.plan(&reference).unwrap().tasks.len(), 2, "its stacks go on");
}

#[test]
fn every_deck_meets_every_participant_in_every_place() {
    let spec = spec(json!({ "tables": 2, "hands": 3, "duplicate": true, "permute_seats": true }));
    let tasks = Poker.plan(&spec).unwrap();
    assert_eq!(tasks.tasks.len(), 2 * 3 * 6);
    for deck in tasks.tasks.chunks(6) {
        let sittings: Vec<_> = deck.iter().map(|task| Sitting::of(task).unwrap()).collect();
        let decks: BTreeSet<_> = sittings
            .iter()
            .map(|sitting| draw(&spec, 1, &sitting.deck_stream(sitting.first), 52, 52))
            .collect();
        assert_eq!(decks.len(), 1, "rotations share a deck");
        let sets: BTreeSet<_> = deck.iter().map(|task| &task.labels["deck"]).collect();
        assert_eq!(sets.len(), 1);
        for place in 0..6 {
            let seats: BTreeSet<_> = sittings.iter().map(|sitting| &sitting.order[place]).collect();
            assert_eq!(seats.len(), 6, "everybody sits once in place {place}");
        }
    }
    let decks: BTreeSet<_> = tasks
        .tasks
        .iter()
        .map(|task| Sitting::of(task).unwrap())
        .map(|sitting| draw(&spec, 1, &sitting.deck_stream(sitting.first), 52, 52))
        .collect();
    assert_eq!(decks.len(), 6, "other decks are other cards");
}

#[test]
fn what_cannot_be_played_is_said_with_its_field() {
    let field = |spec: &Spec| <dyn Benchmark>::check_spec(&Poker, spec).unwrap_err().field;
    for (settings, wrong) in [
        (json!({ "tables": 0 }), "settings.tables"),
        (json!({ "hands": 0 }), "settings.hands"),
        (json!({ "tables": 100_000, "hands": 100_000 }), "settings.hands"),
        (json!({ "small_blind": 200 }), "settings.small_blind"),
        (json!({ "small_blind": 0 }), "settings.small_blind"),
        (json!({ "stack": 99 }), "settings.stack"),
        (json!({ "stack": u64::MAX }), "settings.stack"),
        (json!({ "duplicate": true, "policy": "freezeout" }), "settings.duplicate"),
        (json!({ "duplicate": true, "memory": "table" }), "settings.duplicate"),
        (json!({ "policy": "never" }), "settings.policy"),
        (json!({ "seats": 6 }), "settings"),
    ] {
        assert_eq!(field(&spec(settings.clone())), wrong, "{settings}");
    }
    let mut one = spec(json!({}));
    one.seats.retain(|seat, _| seat.as_str() == "1");
    assert_eq!(field(&one), "seats");
    let mut gap = spec(json!({}));
    gap.seats.remove(&Seat::new("3"));
    assert_eq!(field(&gap), "seats.3");
    let mut person = spec(json!({ "duplicate": true }));
    person.seats.get_mut(&Seat::new("2")).unwrap().player = Player::Person;
    assert_eq!(field(&person), "seats.2");
    person.settings = json!({});
    assert_eq!(<dyn Benchmark>::check_spec(&Poker, &person), Ok(()));
    let mut two = spec(json!({}));
    two.seats.retain(|seat, _| ["1", "2"].contains(&seat.as_str()));
    assert_eq!(<dyn Benchmark>::check_spec(&Poker, &two), Ok(()));
    two.profile = Profile::Reference;
    assert_eq!(field(&two), "seats");
}
