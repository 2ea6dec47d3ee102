//! Plays of InteractComp that were recorded under one profile and are read under the other.

use crate::mode::Mode;
use crate::tests::{Given, World, answer, ask, play, spec, task};
use turnwise_core::prelude::*;
use turnwise_core::reread::*;
use turnwise_core::transcript::Origin;

fn reread_of(spec: &Spec, replies: &[&str]) -> Reread {
    let player = replies.iter().map(|text| Given::Text(text)).collect();
    let played = play(spec, World { player, ..World::default() });
    let benchmark: &dyn Benchmark = &crate::InteractComp;
    let recorded = Recorded { play: &played.transcript, grading: None };
    reread(benchmark, recorded, &task(), &benchmark.pack(), spec.profile.other())
        .expect("it can be read again")
}

fn strict() -> Spec {
    spec(Profile::Strict, Mode::AskOnly, 4, 1)
}

/// Without a grader in the seats nothing is graded, and a clean play is the same under both.
#[test]
fn a_clean_play_is_read_alike() {
    let reread = reread_of(&strict(), &[&ask("Is it old?"), &answer("A", "80")]);
    assert_eq!(reread.difference, None);
    assert_eq!(reread.fate, Fate::Same);
    assert_eq!(reread.summary.ending.as_deref(), Some("answered"));
}

/// The last object counts under `strict`; from first to last brace is no JSON under `reference`, so the episode parts where the
/// reference would have said so and asked again.
#[test]
fn what_only_one_parser_reads_parts_the_play() {
    let two = format!("{} and so {}", ask("Is it new?"), ask("Is it old?"));
    let reread = reread_of(&strict(), &[&two, &answer("A", "80")]);
    assert_eq!(reread.fate, Fate::Parted);
    let difference = reread.difference.expect("the first turn differs");
    assert_eq!(difference.turn, Some(1));
    assert_eq!(reread.summary.score, None);
    assert!(!reread.summary.complete);
}

#[test]
fn bounds_take_what_is_not_known_as_wrong_and_as_right() {
    let known = |fate, score| {
        let mut reread = reread_of(&strict(), &[&answer("A", "80")]);
        reread.fate = fate;
        reread.summary.score = score;
        reread
    };
    let mut tally = Tally::default();
    tally.add(Some(1.0), &known(Fate::Same, Some(1.0)));
    tally.add(Some(0.0), &known(Fate::Otherwise, Some(1.0)));
    tally.add(Some(0.0), &known(Fate::Same, Some(0.0)));
    tally.add(Some(1.0), &known(Fate::Parted, None));
    assert_eq!((tally.n, tally.same, tally.otherwise, tally.parted), (4, 2, 1, 1));
    assert_eq!((tally.recorded(), tally.bounds()), (Some(0.5), Some((0.5, 0.75))));
    assert_eq!(tally.changed, 1);
    let mut game = Tally::default();
    game.add(None, &known(Fate::Same, None));
    assert_eq!((game.recorded(), game.bounds()), (None, None));
}

#[test]
fn what_cannot_be_read_again_says_why() {
    let played = play(
        &strict(),
        World { player: vec![Given::Text(&answer("A", "80"))], ..World::default() },
    );
    let benchmark: &dyn Benchmark = &crate::InteractComp;
    let try_it = |edit: &dyn Fn(&mut Transcript)| {
        let mut transcript = played.transcript.clone();
        edit(&mut transcript);
        let recorded = Recorded { play: &transcript, grading: None };
        let pack = benchmark.pack();
        reread(benchmark, recorded, &task(), &pack, Profile::Reference).unwrap_err()
    };
    assert_eq!(try_it(&|one| one.header.origin = Origin::Imported), NotReread::Imported);
    assert_eq!(try_it(&|one| one.events[1] = None), NotReread::Withheld);
    assert_eq!(try_it(&|one| drop(one.events.pop())), NotReread::Incomplete);
}
