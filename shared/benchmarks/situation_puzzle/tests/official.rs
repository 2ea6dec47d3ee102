//! The authors' file of puzzles, where it is at hand: counts and lengths only, never a text.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the core reads no files; this test does, to hand them to it"
)]

use std::path::PathBuf;

use turnwise_core::benchmark::default_spec;
use turnwise_core::prelude::*;
use turnwise_core::testing::Case;
use turnwise_situation_puzzle::SituationPuzzle;
use turnwise_situation_puzzle::tasks::field;

/// The puzzles, or `None` after saying so.
fn official() -> Option<TaskSet> {
    let folder = match std::env::var_os("TURNWISE_DATA") {
        Some(folder) => folder.into(),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data")),
    };
    let Ok(file) = std::fs::read(folder.join("interactive_benchmarks/puzzles_en.json")) else {
        eprintln!("skipped: puzzles_en.json is not in the data folder (TURNWISE_DATA)");
        return None;
    };
    let set = SituationPuzzle.read_tasks("puzzles_en.json", &file);
    Some(set.expect("the authors' file can be read as it is"))
}

#[test]
fn the_file_is_that_of_the_specification() {
    let Some(set) = official() else { return };
    assert_eq!(set.tasks.len(), 46);
    let lengths = |name: &str| {
        let lengths = set
            .tasks
            .iter()
            .map(|task| task.field(name).expect("the field is there").chars().count());
        let lengths: Vec<usize> = lengths.collect();
        let mean = (lengths.iter().sum::<usize>() as f64 / 46.0).round();
        (lengths.iter().min().copied(), lengths.iter().max().copied(), mean)
    };
    assert_eq!(lengths(field::SETUP), (Some(25), Some(290), 127.0));
    assert_eq!(lengths(field::SOLUTION), (Some(59), Some(339), 206.0));
    assert_eq!(lengths(field::NOTES), (Some(0), Some(0), 0.0));
    assert!(set.tasks.iter().all(|task| task.labels["language"] == "en"));
}

#[test]
fn every_official_puzzle_is_played_to_its_end_offline() {
    let Some(set) = official() else { return };
    for (player, profile) in
        [("asks-by-rule", Profile::Strict), ("answer-only", Profile::Reference)]
    {
        let mut spec = default_spec(&SituationPuzzle);
        spec.profile = profile;
        let seat = spec.seats.get_mut(&Seat::new(Seat::PLAYER)).expect("there is a player");
        seat.player = Player::Bot(player.to_owned());
        for task in &set.tasks {
            let case = Case::new(&SituationPuzzle, &spec, task);
            let played = case.play_by(|call, effect| case.answer(call, effect));
            assert!(played.summary.complete && played.summary.score.is_some(), "{}", task.id);
        }
    }
}
