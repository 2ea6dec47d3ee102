//! The golden vectors of specification 5.e for whole tournaments and for the published trace.

use super::*;
use crate::game::{Payoffs, contest, letters, of_letters};
use crate::lengths;
use crate::seeds::{self, PairSeed, Twister};
use crate::strategy::Strategy;
use turnwise_core::testing::cases;

const BASELINE: [(&str, Strategy); 3] = [
    ("Grim Trigger-1", Strategy::Grim),
    ("Random-1", Strategy::Random(0.5)),
    ("TFT-1", Strategy::TitForTat),
];

/// The baseline tournament, by the bare engine.
fn baseline() -> Vec<Match> {
    let mut games = Vec::new();
    for [a, b] in [[0, 1], [0, 2], [1, 2]] {
        for repeat in 1..=5 {
            let pair = PairSeed {
                seed: 1234,
                names: [BASELINE[a].0, BASELINE[b].0],
                repeat,
                delta: 0.8,
                cap: 35,
            };
            for (direction, players) in [(0, [a, b]), (1, [b, a])] {
                let chance = players.map(|player| {
                    let name = BASELINE[player].0;
                    let mut twister = Twister::seeded(pair.of_player(direction, name));
                    move || twister.unit()
                });
                let played = contest(
                    players.map(|player| BASELINE[player].1),
                    lengths::reference(&pair),
                    &Payoffs::default(),
                    chance,
                );
                games.push(Match {
                    players,
                    actions: played.actions,
                    earned: played.totals,
                    repeat,
                    flagged: false,
                });
            }
        }
    }
    games
}

fn classes(count: usize) -> Vec<String> {
    vec!["any".to_owned(); count]
}

#[test]
fn the_baseline_tournament_to_the_last_digit() {
    let games = baseline();
    assert_eq!(games.len(), 30);
    let intervals = Intervals::ByMatch(seeds::intervals(1234, 0.8));
    let standings = standings(&games, &classes(3), intervals, Bootstrap::default());
    let [grim, random, tft] = &standings[..] else {
        panic!("three players");
    };
    let counts = |standing: &Standing| {
        let tally = standing.all;
        (
            (tally.total, tally.rounds, tally.cooperated),
            (tally.both_cooperated, tally.other_cooperated),
            (tally.retaliated, tally.after_defection),
            (tally.betrayed, tally.after_cooperation),
        )
    };
    assert_eq!(counts(grim), ((195, 130, 81), (72, 92), (32, 32), (17, 78)));
    assert_eq!(counts(tft), ((179, 132, 100), (75, 93), (32, 32), (0, 80)));
    assert_eq!(counts(random), ((110, 138, 61), (23, 57), (41, 68), (27, 50)));
    assert_eq!(grim.interval, Some((1.239_520_958_083_832_2, 1.759_689_922_480_620_2)));
    assert_eq!(tft.interval, Some((1.045_801_526_717_557_3, 1.65)));
    assert_eq!(random.interval, Some((0.532_163_742_690_058_5, 1.072_164_948_453_608_2)));
    assert_eq!(grim.all.score(), Some(1.5));
    assert_eq!(grim.all.unprovoked_defection(), Some(0.0));
    let pairs = pairs(&games);
    let against_random = pairs[2].tallies[1];
    assert_eq!(pairs[2].players, [1, 2]);
    assert_eq!((against_random.total, against_random.rounds), (55, 70));
}

#[test]
fn matches_of_the_baseline_tournament() {
    let games = baseline();
    let found = |players: [usize; 2], repeat: u32| {
        let game = games
            .iter()
            .find(|game| game.players == players && game.repeat == repeat)
            .expect("it was played");
        (letters(&game.actions[0]), letters(&game.actions[1]), game.earned)
    };
    let game = |first: &str, second: &str, earned| (first.to_owned(), second.to_owned(), earned);
    let expected = [
        ([0, 1], 1, game("CCCCDDDDDDD", "CCCDDDCDDDD", [8, 8])),
        ([1, 0], 1, game("CDDDDDDCCCD", "CCDDDDDDDDD", [2, 10])),
        ([0, 1], 3, game("CDDDDDDDDDDD", "DDCDCDCCDDDD", [11, -1])),
        ([1, 2], 3, game("CDCCDCCCDCDD", "CCDCCDCCCDCD", [17, 13])),
        ([2, 1], 4, game("CDCDCDD", "DCDCDDD", [3, 7])),
    ];
    for (players, repeat, expected) in expected {
        assert_eq!(found(players, repeat), expected, "{players:?} {repeat}");
    }
}

#[test]
fn the_published_trace() {
    // Actions of the first and the second place, where Gemini (0) and DeepSeek (1) sat, and the payoffs.
    let trace = cases::<(&str, &str, [usize; 2], [i64; 2])>(include_str!("tests/trace.jsonl"));
    let mut repeat = 0;
    let games: Vec<Match> = trace
        .into_iter()
        .map(|(first, second, players, earned)| {
            let actions = [first, second].map(|text| of_letters(text).expect("letters"));
            let mut played = crate::game::Played::default();
            for (first, second) in actions[0].iter().zip(&actions[1]) {
                played.round(&Payoffs::default(), [*first, *second]);
            }
            assert_eq!(played.totals, earned);
            repeat += 1;
            Match { players, actions, earned, repeat: u32::div_ceil(repeat, 2), flagged: false }
        })
        .collect();
    let standings = standings(&games, &classes(2), Intervals::ByRepeat(1), Bootstrap::default());
    let [gemini, deepseek] = [&standings[0].all, &standings[1].all];
    for tally in [gemini, deepseek] {
        assert_eq!((tally.total, tally.rounds, tally.cooperated), (70, 66, 35));
        assert_eq!((tally.both_cooperated, tally.other_cooperated), (29, 35));
    }
    assert_eq!((gemini.betrayed, gemini.after_cooperation), (4, 29));
    assert_eq!((deepseek.betrayed, deepseek.after_cooperation), (3, 30));
    assert_eq!((gemini.retaliated, gemini.after_defection), (27, 27));
    assert_eq!((deepseek.retaliated, deepseek.after_defection), (23, 26));
    assert_eq!(format!("{:.6}", gemini.score().expect("rounds")), "1.060606");
    assert_eq!(standings[0].by_class["any"], standings[0].all);
}

#[test]
fn the_single_match() {
    let names = ["TFT-1", "Random-1"];
    let mut length = Twister::seeded(seeds::single_game(1234, names, 0.9));
    let rounds = lengths::geometric(0.9, 25, || length.unit());
    assert_eq!(rounds, 4);
    let chance = [0, 1].map(|index: usize| {
        let seed = seeds::single_player(1234, index as u32, names[index]);
        let mut twister = Twister::seeded(seed);
        move || twister.unit()
    });
    let played =
        contest([Strategy::TitForTat, Strategy::Random(0.6)], rounds, &Payoffs::default(), chance);
    assert_eq!(played.totals, [8, 8]);
    assert_eq!(letters(&played.actions[1]), "CCCC");
}

#[test]
fn what_has_no_denominator_is_undefined() {
    let one_round = Match {
        players: [0, 1],
        actions: [of_letters("C").expect("letters"), of_letters("D").expect("letters")],
        earned: [-1, 3],
        repeat: 1,
        flagged: true,
    };
    let games = [one_round];
    let all = standings(&games, &classes(3), Intervals::ByRepeat(1), Bootstrap::default());
    assert_eq!(all[0].all.reciprocity(), None);
    assert_eq!(all[0].all.betrayal(), None);
    assert_eq!(all[0].all.retaliation(), None);
    assert_eq!(all[1].all.unprovoked_defection(), Some(1.0));
    assert_eq!(all[0].all.score(), Some(-1.0));
    assert_eq!(all[0].clean.score(), None);
    assert_eq!(all[0].interval, None, "one match varies with nothing");
    let by_match = Intervals::ByMatch(1);
    let as_coded = standings(&games, &classes(3), by_match, Bootstrap::default());
    assert_eq!(as_coded[0].interval, Some((-1.0, -1.0)));
    assert_eq!(all[2], Standing::default());
}

/// The two directions of a repeat are one sample, so an interval over pair-repeats is about as wide as over half as many
/// matches.
#[test]
fn directions_are_resampled_together() {
    let game = |repeat: u32, players: [usize; 2], text: &str| Match {
        players,
        actions: [of_letters(text).expect("letters"), of_letters("CC").expect("letters")],
        earned: [if text == "CC" { 4 } else { 6 }, if text == "CC" { 4 } else { -2 }],
        repeat,
        flagged: false,
    };
    // Within a repeat both directions are alike for player 0; over repeats they differ.
    let games: Vec<Match> = (1..=40)
        .flat_map(|repeat| {
            let text = if repeat % 2 == 0 { "CC" } else { "DD" };
            let mut swapped = game(repeat, [1, 0], text);
            swapped.actions.swap(0, 1);
            swapped.earned.swap(0, 1);
            [game(repeat, [0, 1], text), swapped]
        })
        .collect();
    let width = |intervals| {
        let all = standings(&games, &classes(2), intervals, Bootstrap::default());
        let (low, high) = all[0].interval.expect("there are matches");
        high - low
    };
    let (together, apart) = (width(Intervals::ByRepeat(7)), width(Intervals::ByMatch(7)));
    assert!((1.25..1.6).contains(&(together / apart)), "{together} {apart}");
}
