use super::*;

const BOTH: [Profile; 2] = [Profile::Strict, Profile::Reference];
const V2_CARDS: &str = "AS KS 2D 7C AD KD AC KH 3C 8D QS JS 2C 4H 9D JH 3D 5S 4D 10C";
const V4_HOLES: &str = "2S 7D KS KD 3S 8C AS AD QS QD 4S 9C";
const V4_RUN_OUT: &str = "2C 5H 5D 9H 3D JC 4D 10C 6H 6D";

#[test]
fn v1_first_observation() {
    for profile in BOTH {
        let hand = deal(six(profile), V2_CARDS);
        assert_eq!(hand.to_act(), Some(3));
        assert_eq!(in_chips(&hand, hand.pot()), "150");
        assert_eq!(in_chips(&hand, hand.to_call(3)), "100");
        assert_eq!(in_chips(&hand, hand.smallest_raise()), "100");
        assert_eq!(hand.live().count(), 6);
        assert_eq!(in_chips(&hand, hand.standings()[1].bet), "50");
        assert_eq!(in_chips(&hand, hand.standings()[2].bet), "100");
        assert_eq!(hand.record().small_blind(), 1);
        assert_eq!(hand.record().big_blind(), 2);
    }
}

#[test]
fn v2_showdown_tie() {
    for (profile, expected, lost) in [
        (Profile::Reference, [16, -50, 16, 16, 0, 0], 2),
        (Profile::Strict, [16, -50, 17, 17, 0, 0], 0),
    ] {
        let mut hand = deal(six(profile), V2_CARDS);
        play(&mut hand, "P4 CALL; P5 FOLD; P6 FOLD; P1 CALL; P2 FOLD; P3 CHECK");
        for street in [Street::Flop, Street::Turn, Street::River] {
            assert_eq!(hand.street(), street);
            play(&mut hand, "P3 CHECK; P4 CHECK; P1 CHECK");
        }
        assert_eq!(deltas(&hand), expected);
        let record = hand.record();
        assert_eq!(record.lost, hand.unit().chips(lost));
        assert_eq!(record.board, cards("4H 9D JH 5S 10C").unwrap());
        assert_eq!(record.burnt, cards("2C 3D 4D").unwrap());
        assert_eq!(record.shown, [0, 2, 3]);
        assert_eq!(record.run_out, None);
        assert_eq!(record.pots.len(), 1);
        assert_eq!(record.pots[0].amount, hand.unit().chips(350));
    }
}

#[test]
fn v3_shove_with_no_call_needed() {
    // P3 holds the best hand.
    let cards = "2S 7D 3S 8C AS AD KS KD QS QD 4S 9C 2C 5H 5D 9H 3D JC 4D 10C 6H 6D";
    let shove = "P4 ALL_IN 10000; P5 FOLD; P6 FOLD; P1 FOLD; P2 FOLD";
    let mut hand = deal(six(Profile::Reference), cards);
    play(&mut hand, shove);
    assert_eq!(deltas(&hand), [0, -50, 10_050, -10_000, 0, 0]);
    assert_eq!(hand.record().run_out, Some(Street::Preflop));
    assert_eq!(hand.record().stacks[3], Chips::ZERO);

    let mut hand = deal(six(Profile::Strict), cards);
    play(&mut hand, shove);
    assert_eq!(hand.to_act(), Some(2));
    let mut folded = hand.clone();
    play(&mut folded, "P3 FOLD");
    assert_eq!(deltas(&folded), [0, -50, -100, 150, 0, 0]);
    assert_eq!(folded.record().returned.unwrap().chips, Chips::new(9_900));
    play(&mut hand, "P3 CALL");
    assert_eq!(deltas(&hand), [0, -50, 10_050, -10_000, 0, 0]);
}

const HAND_1: &str =
    "P4 RAISE 4000; P5 CALL; P6 FOLD; P1 FOLD; P2 FOLD; P3 FOLD; P4 CHECK; P5 RAISE 1000; P4 FOLD";

/// The second hand of V4 and V5: the button is with P2, and stacks are as the first hand leaves them.
fn second_hand(profile: Profile) -> Hand {
    let mut first = deal(six(profile), V2_CARDS);
    play(&mut first, HAND_1);
    assert_eq!(deltas(&first), [0, -50, -100, -4000, 4150, 0]);
    let stacks: Vec<u64> =
        first.record().stacks.iter().map(|stack| stack.units() / first.unit().per_chip()).collect();
    assert_eq!(stacks, [10_000, 9_950, 9_900, 6_000, 14_150, 10_000]);
    deal(table(profile, 1, &stacks), &format!("{V4_HOLES} {V4_RUN_OUT}"))
}

#[test]
fn v4_second_hand() {
    let shoves = "P5 ALL_IN 14150; P6 FOLD; P1 FOLD; P2 ALL_IN 9950; P3 FOLD";
    let mut hand = second_hand(Profile::Reference);
    play(&mut hand, shoves);
    assert_eq!(deltas(&hand), [0, -9_950, -50, 24_150, -14_150, 0]);
    let record = hand.record();
    assert_eq!(record.pots[0].amount, hand.unit().chips(24_250));
    assert_eq!(record.stacks[3], hand.unit().chips(30_150));
    assert_eq!(record.burnt, cards("2C 5D 3D 4D 6H").unwrap());
    assert_eq!(record.board, cards("5H 9H JC 10C 6D").unwrap());

    let mut hand = second_hand(Profile::Strict);
    play(&mut hand, shoves);
    assert_eq!(hand.to_act(), Some(3));
    let happened = play(&mut hand, "P4 CALL");
    assert!(happened[0].all_in && happened[0].kind == Kind::Call);
    let record = hand.record();
    let returned = record.returned.unwrap();
    assert_eq!((returned.place, returned.chips), (4, Chips::new(4_200)));
    let pots: Vec<_> =
        record.pots.iter().map(|pot| (pot.amount.units(), pot.eligible.as_slice())).collect();
    assert_eq!(pots, [(18_050, &[1, 3, 4][..]), (7_900, &[1, 4])]);
    // Aces take the main pot, kings the side pot.
    assert_eq!(deltas(&hand), [0, -2_050, -50, 12_050, -9_950, 0]);
    assert_eq!(record.burnt.len(), 3);
}

#[test]
fn v5_incomplete_all_in() {
    let actions = "P5 RAISE 5900; P6 FOLD; P1 CALL; P2 FOLD; P3 FOLD; P4 ALL_IN 6000";
    let mut hand = second_hand(Profile::Reference);
    play(&mut hand, actions);
    let happened = play(&mut hand, "P5 RAISE 100");
    assert_eq!(in_chips(&hand, happened[0].total), "11800");
    assert_eq!(happened[0].kind, Kind::Raise);
    assert_eq!(happened[0].repairs, [Repair::RaiseLifted]);
    play(&mut hand, "P1 FOLD");
    assert_eq!(deltas(&hand), [-5_900, 0, -50, 17_750, -11_800, 0]);
    assert_eq!(hand.record().pots[0].amount, hand.unit().chips(23_750));

    let mut hand = second_hand(Profile::Strict);
    play(&mut hand, actions);
    for place in [4, 0] {
        assert_eq!(hand.to_act(), Some(place));
        let legal = hand.legal().unwrap();
        assert_eq!(legal.kinds(), [Kind::Fold, Kind::Call]);
        assert_eq!(legal.call, Some(Chips::new(100)));
        let script = format!("P{} RAISE 11800", place + 1);
        let happened = play(&mut hand, &script);
        assert_eq!(happened[0].repairs, [Repair::RaiseCalls]);
        assert_eq!((happened[0].kind, happened[0].put), (Kind::Call, Chips::new(100)));
    }
}

#[test]
fn v6_unannounced_bet() {
    let mut hand = deal(six(Profile::Reference), V2_CARDS);
    play(&mut hand, "P4 CALL; P5 FOLD; P6 FOLD; P1 CALL; P2 FOLD; P3 CHECK");
    let happened = play(&mut hand, "P3 CHECK 250; P4 RAISE 300");
    assert_eq!(happened[0].kind, Kind::Check);
    assert_eq!(happened[0].repairs, [Repair::CheckBets]);
    assert_eq!(in_chips(&hand, happened[0].put), "250");
    assert_eq!(in_chips(&hand, happened[1].total), "500");
    assert_eq!(happened[1].repairs, [Repair::RaiseLifted]);
}

#[test]
fn v7_check_against_a_bet() {
    let mut hand = deal(table(Profile::Reference, 0, &[20_000, 10_000, 10_000]), "");
    play(&mut hand, "P1 CALL; P2 CALL; P3 CHECK");
    play(&mut hand, "P2 RAISE 350.5");
    let happened = play(&mut hand, "P3 CHECK");
    assert_eq!(happened[0].kind, Kind::Call);
    assert_eq!(in_chips(&hand, happened[0].put), "350.5");
    assert_eq!(happened[0].repairs, [Repair::CheckCalls]);

    for profile in BOTH {
        let mut hand = deal(table(profile, 0, &[20_000, 10_000, 10_100]), "");
        play(&mut hand, "P1 CALL; P2 CALL; P3 CHECK; P2 RAISE 601");
        let happened = play(&mut hand, "P3 CHECK");
        assert_eq!(happened[0].kind, Kind::Fold);
        assert_eq!(happened[0].repairs, [Repair::CheckFolds]);
    }
}

/// At exactly a twentieth the check folds.
#[test]
fn a_twentieth_of_the_stack_is_not_less_than_a_twentieth() {
    for (bet, kind) in [("499", Kind::Call), ("500", Kind::Fold)] {
        let mut hand = deal(table(Profile::Reference, 0, &[20_000, 10_000, 10_100]), "");
        play(&mut hand, "P1 CALL; P2 CALL; P3 CHECK");
        let happened = play(&mut hand, &format!("P2 RAISE {bet}; P3 CHECK"));
        assert_eq!(happened[1].kind, kind, "{bet}");
    }
}

/// What VPIP is counted from (V9; the counting itself is a matter of the statistics).
#[test]
fn v9_a_call_of_nothing() {
    for (profile, kind) in [(Profile::Reference, Kind::Call), (Profile::Strict, Kind::Check)] {
        let mut hand = deal(six(profile), V2_CARDS);
        let happened = play(&mut hand, "P4 CALL; P5 FOLD; P6 FOLD; P1 FOLD; P2 FOLD; P3 CALL");
        let last = happened.last().unwrap();
        assert_eq!((last.kind, last.put), (kind, Chips::ZERO));
        assert_eq!(hand.street(), Street::Flop);
    }
}

#[test]
fn v10_published_trace() {
    for profile in BOTH {
        let mut hand = deal(six(profile), "AS KS 2D 7S AD KD AC KH 3C 8D QS JS 2C QD 4H 7C 3D 6D");
        play(&mut hand, "P4 FOLD; P5 RAISE 300; P6 FOLD; P1 FOLD; P2 CALL; P3 CALL");
        assert_eq!(in_chips(&hand, hand.pot()), "900");
        assert_eq!(hand.board(), cards("QD 4H 7C").unwrap());
        play(&mut hand, "P2 CHECK; P3 CHECK; P5 CHECK");
        play(&mut hand, "P2 RAISE 450; P3 FOLD; P5 FOLD");
        assert_eq!(deltas(&hand), [0, 600, -300, 0, -300, 0]);
        assert_eq!(hand.record().board.len(), 4);
    }
}

#[test]
fn several_short_all_ins_re_open_together() {
    let stacks = [10_000, 10_000, 10_000, 10_000, 400, 500];
    let mut hand = deal(table(Profile::Strict, 0, &stacks), "");
    play(&mut hand, "P4 RAISE 300; P5 ALL_IN; P6 ALL_IN; P1 CALL; P2 FOLD; P3 FOLD");
    assert_eq!(hand.to_act(), Some(3));
    assert_eq!(hand.legal().unwrap().raise.unwrap().min, Chips::new(700));

    let mut hand = deal(table(Profile::Strict, 0, &stacks), "");
    play(&mut hand, "P4 RAISE 300; P5 ALL_IN; P6 FOLD; P1 CALL; P2 FOLD; P3 FOLD");
    assert_eq!(hand.to_act(), Some(3));
    assert_eq!(hand.legal().unwrap().kinds(), [Kind::Fold, Kind::Call]);
    let happened = play(&mut hand, "P4 ALL_IN");
    assert_eq!(happened[0].repairs, [Repair::AllInCalls]);
    assert_eq!(happened[0].put, Chips::new(100));
}

/// The same actions under `reference`: a single short all-in re-opens.
#[test]
fn under_reference_a_short_all_in_re_opens() {
    let stacks = [10_000, 10_000, 10_000, 10_000, 400, 500];
    let mut hand = deal(table(Profile::Reference, 0, &stacks), "");
    play(&mut hand, "P4 RAISE 300; P5 ALL_IN; P6 FOLD; P1 CALL; P2 FOLD; P3 FOLD");
    let legal = hand.legal().unwrap();
    assert_eq!(in_chips(&hand, legal.raise.unwrap().min), "600");
    assert!(legal.all_in.is_some());
}
