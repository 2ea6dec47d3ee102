//! Samples for tests, here and in the web app.

use std::sync::Arc;

use turnwise_shared::prelude::*;
use turnwise_shared::scene::{PlaceState, TablePlace};

use crate::snapshot::Snapshot;
use crate::survey::Survey;

/// A snapshot of these episodes.
pub fn snapshot(summaries: Vec<Summary>) -> Snapshot {
    let summaries = summaries
        .into_iter()
        .map(|summary| (EpisodeKey::play(&summary.task.id, summary.repeat), Arc::new(summary)))
        .collect();
    Snapshot::of(&summaries)
}

/// What a survey of all episodes finds out, in one go.
pub fn surveyed<S: Survey>(mut survey: S, all: &Arc<Snapshot>) -> S::Found {
    for place in 0..all.len() {
        survey.look(all, place);
    }
    survey.found(all)
}

/// A table of the given number of places, the second of which is to act against a bet of 300.
pub fn table(places: u32) -> CardTable {
    let place = |number: u32| TablePlace {
        place: number,
        seat: Some(number.to_string().as_str().into()),
        position: "UTG".into(),
        stack: 9_700,
        bet: if number == 1 { 300 } else { 100 },
        cards: vec![Some("Th".into()), None],
        state: PlaceState::Live,
        to_act: number == 2,
        own: false,
        delta: None,
        last: None,
        holds: None,
    };
    CardTable {
        hand: 1,
        hands: 1,
        street: "flop".into(),
        board: vec!["2c".into(), "Jd".into(), "As".into()],
        pots: vec![400],
        big_blind: 100,
        units_per_chip: 1,
        places: (1..=places).map(place).collect(),
        log: Vec::new(),
    }
}

/// A question to a seat with these parts of its prompt.
pub fn question(seat: &str, expect: Expect, parts: &[(&str, &str)]) -> Question {
    Question {
        seat: Seat::new(seat),
        expect,
        messages: Vec::new(),
        parts: parts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
        scene: Scene::default(),
    }
}
