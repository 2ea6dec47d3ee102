//! Single hands.

use super::*;
use crate::action::{By, Street};

const SIX: [u64; 6] = [10_000; 6];
const NO_CARDS: &str = "";

/// V9: the big blind's call of nothing counts as coded, and a limp that everybody folds to does not.
#[test]
fn v9_vpip_as_coded_and_standard() {
    for profile in [Profile::Reference, Profile::Strict] {
        let preflop = [(3, CALL), (4, FOLD), (5, FOLD), (0, FOLD), (1, FOLD), (2, CALL)];
        let later = [(2, CHECK), (3, CHECK)].repeat(3);
        let hand = play(profile, &SIX, NO_CARDS, &[&preflop[..], &later].concat());
        let tallies = tallies(&hand);
        let coded: Vec<u32> = tallies.iter().map(|one| one.vpip_coded).collect();
        let standard: Vec<u32> = tallies.iter().map(|one| one.vpip).collect();
        // Under `strict` a call of nothing is a check, so that it counts nowhere.
        let big_blind = u32::from(profile == Profile::Reference);
        assert_eq!(coded, [0, 0, big_blind, 1, 0, 0], "{profile:?}");
        assert_eq!(standard, [0, 0, 0, 1, 0, 0], "{profile:?}");

        let limp = [(3, FOLD), (4, CALL), (5, FOLD), (0, FOLD), (1, FOLD), (2, FOLD)];
        let tallies = super::tallies(&play(profile, &SIX, NO_CARDS, &limp));
        assert_eq!(tallies[4].vpip_coded, 0);
        assert_eq!(tallies[4].vpip, 1);
    }
}

/// A limp that folds to a raise before the flop is not coded as voluntary.
#[test]
fn coded_vpip_wants_no_fold_before_the_flop() {
    let preflop = [(3, CALL), (0, to(300)), (1, CALL), (2, FOLD), (3, FOLD)];
    let later = [(1, CHECK), (0, CHECK)].repeat(3);
    let hand = play(Profile::Strict, &[10_000; 4], NO_CARDS, &[&preflop[..], &later].concat());
    let tallies = tallies(&hand);
    let coded: Vec<u32> = tallies.iter().map(|one| one.vpip_coded).collect();
    let standard: Vec<u32> = tallies.iter().map(|one| one.vpip).collect();
    assert_eq!(coded, [1, 1, 0, 0]);
    assert_eq!(standard, [1, 1, 0, 1]);
}

/// A run-out before the flop counts; under `reference` the last player is in it without having answered.
#[test]
fn coded_vpip_counts_run_outs() {
    let hand = play(
        Profile::Reference,
        &[10_000; 4],
        NO_CARDS,
        &[(3, CALL), (0, ALL_IN), (1, FOLD), (2, CALL)],
    );
    assert_eq!(hand.run_out, Some(Street::Preflop));
    let coded: Vec<u32> = tallies(&hand).iter().map(|one| one.vpip_coded).collect();
    assert_eq!(coded, [1, 0, 1, 1]);
}

/// Button raises, big blind raises again, button calls; big blind bets the flop and folds the turn to a bet.
#[test]
fn everything_in_one_hand() {
    let hand = play(
        Profile::Strict,
        &[10_000; 3],
        "AS KS 2D 7C QD QC",
        &[
            (0, to(300)),
            (1, FOLD),
            (2, to(900)),
            (0, CALL),
            (2, to(1000)),
            (0, CALL),
            (2, CHECK),
            (0, to(2000)),
            (2, FOLD),
        ],
    );
    let [button, small, big]: [Tally; 3] = tallies(&hand).try_into().unwrap();
    assert_eq!((button.hands, button.vpip, button.pfr, button.won), (1, 1, 1, 1));
    assert_eq!((button.three_bet_chances, button.three_bets), (0, 0));
    assert_eq!((button.decisions, button.folds, button.folded), (4, 0, 0));
    assert_eq!((button.bets_later, button.calls_later, button.folds_later), (1, 1, 0));
    assert_eq!(button.aggression_factor(), Some(1.0));
    assert_eq!(button.aggression_frequency(), Some(0.5));
    assert_eq!((button.saw_flop, button.showdowns), (1, 0));
    assert_eq!(button.positions["BTN"].won, 900 + 50 + 1000);
    let chart = Cell { hands: 1, vpip: 1, raised: 1, won: 1950 };
    assert_eq!(button.chart["AKs"], chart);

    assert_eq!((small.three_bet_chances, small.three_bets), (1, 0));
    assert_eq!((small.vpip, small.pfr, small.folded, small.saw_flop), (0, 0, 1, 0));
    assert_eq!(small.fold_rate(), Some(1.0));
    assert_eq!(small.positions["SB"].won, -50);
    assert_eq!(small.chart["72o"].hands, 1);

    assert_eq!((big.three_bet_chances, big.three_bets), (1, 1));
    assert_eq!((big.bets_later, big.calls_later, big.folds_later), (1, 0, 1));
    assert_eq!((big.aggression_factor(), big.aggression_frequency()), (None, Some(0.5)));
    assert_eq!((big.decisions, big.folds, big.folded, big.saw_flop), (4, 1, 1, 1));
    assert_eq!(big.positions["BB"].won, -1900);
    assert_eq!(big.chart["QQ"].raised, 1);

    let won = flows::won_from(&hand);
    assert_eq!(won[0], [0.0, 50.0, 1900.0]);
    assert_eq!(won[2], [-1900.0, 0.0, 0.0]);
    assert_eq!(flows::all_in_adjusted(&hand), None);
}

#[test]
fn a_walk_is_no_hand_to_enter() {
    let hand = play(Profile::Strict, &[10_000; 3], NO_CARDS, &[(0, FOLD), (1, FOLD)]);
    let tallies = tallies(&hand);
    assert_eq!((tallies[2].hands, tallies[2].walks, tallies[2].decisions), (1, 1, 0));
    assert_eq!(tallies[2].vpip_rate(), None);
    assert_eq!(tallies[1].vpip_rate(), Some(0.0));
    assert_eq!(tallies[2].won, 1);
}

/// A fourth bet is no third one, and who raised first does not answer a raise of his own.
#[test]
fn the_first_raise_is_what_a_three_bet_answers() {
    let hand = play(
        Profile::Strict,
        &[10_000; 4],
        NO_CARDS,
        &[(3, to(300)), (0, to(900)), (1, to(2000)), (2, FOLD), (3, FOLD), (0, FOLD)],
    );
    let counts: Vec<_> =
        tallies(&hand).iter().map(|one| (one.three_bet_chances, one.three_bets, one.pfr)).collect();
    assert_eq!(counts, [(1, 1, 1), (0, 0, 1), (0, 0, 0), (0, 0, 1)]);
}

/// Three are all-in for 1,000, 3,000 and 5,000; the short stack wins the main pot, the middle one the side pot.
#[test]
fn shares_of_pots_come_from_who_put_them_in() {
    let hand = play(
        Profile::Strict,
        &[1000, 3000, 5000],
        "AS AC KS KC QS QC 2C 2H 7D 9C 3C 3S 4C JD",
        &[(0, ALL_IN), (1, ALL_IN), (2, ALL_IN)],
    );
    assert_eq!(hand.deltas, [2000, 1000, -3000]);
    let won = flows::won_from(&hand);
    assert_eq!(won[0], [0.0, 1000.0, 1000.0]);
    assert_eq!(won[1], [-1000.0, 0.0, 2000.0]);
    assert_eq!(won[2], [-1000.0, -2000.0, 0.0]);
    let tallies = tallies(&hand);
    let shown: Vec<_> =
        tallies.iter().map(|one| (one.saw_flop, one.showdowns, one.won_showdowns)).collect();
    assert_eq!(shown, [(1, 1, 1), (1, 1, 1), (1, 1, 0)]);
    // Aces against kings and queens win two thirds of the main pot; the uncalled chips are not at stake.
    let adjusted = flows::all_in_adjusted(&hand).unwrap();
    assert!((adjusted.iter().sum::<f64>()).abs() < 1e-6, "{adjusted:?}");
    assert!((850.0..1150.0).contains(&adjusted[0]), "{adjusted:?}");
}

/// All-in on the turn with nine outs of 44 cards for a pot of 2,000.
#[test]
fn an_all_in_counts_by_what_it_was_worth() {
    let hand = play(
        Profile::Strict,
        &[1000, 1000],
        "AS AC KH QH 2D 2H 7H 9S 3D 4C 5D 3C",
        &[(0, CALL), (1, CHECK), (1, CHECK), (0, CHECK), (1, ALL_IN), (0, CALL)],
    );
    assert_eq!((hand.run_out, &hand.deltas[..]), (Some(Street::Turn), &[1000, -1000][..]));
    let adjusted = flows::all_in_adjusted(&hand).unwrap();
    assert!((adjusted[1] - (2000.0 * 9.0 / 44.0 - 1000.0)).abs() < 1e-9);
    assert!((adjusted[0] + adjusted[1]).abs() < 1e-9);
}

#[test]
fn repairs_rules_and_needless_folds_are_counted() {
    let mut hand = play(
        Profile::Strict,
        &[10_000; 3],
        NO_CARDS,
        &[(0, to(150)), (1, CALL), (2, CALL), (1, FOLD), (2, CHECK), (0, to(200)), (2, FOLD)],
    );
    hand.actions[5].by = By::Default;
    let tallies = tallies(&hand);
    assert_eq!((tallies[0].repaired, tallies[0].auto), (1, 1));
    assert_eq!((tallies[1].needless_folds, tallies[1].folds), (1, 1));
    assert_eq!((tallies[2].needless_folds, tallies[2].repaired), (0, 0));
}
