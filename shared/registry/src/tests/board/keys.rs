//! Which runs stand on which board.

use super::*;
use crate::examples::{GAME, QUESTIONS, STUDIO, example};
use crate::prelude::*;

/// The title of a spec's board.
fn heading(spec: &Spec) -> String {
    let benchmark = of(spec);
    title(benchmark, benchmark.boards().expect("it has boards"), spec)
}

/// A minimum of asks binds in one mode only, and a round limit not where there is one round.
#[test]
fn settings_that_bind_nothing_divide_no_boards() {
    let of = |settings: serde_json::Value| {
        let mut spec = spec(QUESTIONS);
        spec.settings = settings;
        spec
    };
    let full = of(json!({ "mode": "full", "rounds": 10, "min_asks": 5 }));
    let board = |settings| board_of(&of(settings));
    for (one, other) in [
        (json!({ "mode": "full", "rounds": 10, "min_asks": 8 }), json!({ "mode": "full" })),
        (
            json!({ "mode": "answer_only", "rounds": 5, "min_asks": 5 }),
            json!({ "mode": "answer_only", "rounds": 10, "min_asks": 2 }),
        ),
    ] {
        assert_eq!(board(one.clone()), board(other), "{one}");
    }
    assert_eq!(board_of(&full), board(json!({ "mode": "full" })));
    let forced = |asks: u32| json!({ "mode": "forced_ask", "rounds": 10, "min_asks": asks });
    assert_ne!(board(forced(5)), board(forced(8)));
    assert_ne!(board_of(&full), board(json!({ "mode": "full", "rounds": [5, 10], "min_asks": 5 })));
    // What is what it is by default stays as it was written, so that no board of old is another one now.
    let binding = example(QUESTIONS).binding_settings(&full.settings);
    assert_eq!(binding, full.settings);
}

#[test]
fn keys_leave_out_who_is_evaluated_and_nothing_else() {
    let base = spec(QUESTIONS);
    let with = |change: fn(&mut Spec)| {
        let mut spec = base.clone();
        change(&mut spec);
        board_of(&spec)
    };
    let sit = |spec: &mut Spec, seat: &str, who: &str| {
        spec.seats.insert(Seat::new(seat), crate::testing::sitting(who));
    };
    let mut other = base.clone();
    sit(&mut other, Seat::PLAYER, "model:a/b");
    assert_eq!(board_of(&other), board_of(&base));
    sit(&mut other, Seat::GRADER, "model:a/b");
    assert_ne!(board_of(&other), board_of(&base));
    assert_eq!(with(|spec| spec.repeats = 3), board_of(&base));
    assert_eq!(with(|spec| spec.tasks.name = "another".to_owned()), board_of(&base));
    assert_eq!(with(|spec| spec.pack.name = "another".to_owned()), board_of(&base));
    assert_ne!(with(|spec| spec.tasks.digest = Digest::of("x")), board_of(&base));
    assert_ne!(with(|spec| spec.pack.digest = Digest::of("x")), board_of(&base));
    assert_ne!(with(|spec| spec.settings["rounds"] = json!(5)), board_of(&base));
    assert_ne!(with(|spec| spec.seed = 2), board_of(&base));
    assert_ne!(with(|spec| spec.profile = crate::spec::Profile::Reference), board_of(&base));
    assert_ne!(with(|spec| spec.protocol += 1), board_of(&base));
    assert_ne!(with(|spec| spec.budget.calls += 1), board_of(&base));

    let game = spec(GAME);
    let mut other = game.clone();
    sit(&mut other, "1", "model:a/b");
    other.seed = 99;
    other.tasks.digest = Digest::of("other hands");
    assert_eq!(board_of(&other), board_of(&game));
    sit(&mut other, "9", "model:a/b");
    assert_ne!(board_of(&other), board_of(&game), "another number of players");
    let mut other = game.clone();
    other.settings["hands"] = json!(7);
    assert_ne!(board_of(&other), board_of(&game));
}

#[test]
fn only_listed_packs_of_benchmarks_with_boards() {
    let mut one = spec(QUESTIONS);
    let own = listed_pack(of(&one), &one, &[]).expect("the benchmark's own");
    let mut worded = own.clone();
    worded.templates.insert("act".into(), "my own words".into());
    one.pack.digest = worded.digest();
    assert_eq!(listed_pack(of(&one), &one, &[]), None);
    let listed = [worded.clone()];
    assert_eq!(listed_pack(of(&one), &one, &listed), Some(worded));
    assert_eq!(listed_pack(of(&spec(STUDIO)), &spec(STUDIO), &listed), None);
    one.subset.first = Some(20);
    assert!(heading(&one).contains("only the first 20"), "{}", heading(&one));
    for benchmark in BENCHMARKS {
        let benchmark = benchmark.name();
        let spec = spec(benchmark);
        let has_boards = of(&spec).boards().is_some();
        assert_eq!(registry::has_boards(benchmark), has_boards, "{benchmark}");
        if !has_boards {
            continue;
        }
        assert!(!heading(&spec).is_empty());
        assert!(fixed(of(&spec), &spec).iter().all(|one| !one.value.is_empty()), "{benchmark}");
    }
}
