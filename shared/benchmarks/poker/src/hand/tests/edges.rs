use super::*;

#[test]
fn heads_up_the_button_posts_the_small_blind_and_acts_first_only_before_the_flop() {
    let mut hand = deal(table(Profile::Strict, 1, &[1_000, 1_000]), "");
    assert_eq!(hand.to_act(), Some(1));
    assert_eq!(hand.standings()[1].bet, Chips::new(50));
    play(&mut hand, "P2 CALL");
    assert_eq!(hand.to_act(), Some(0), "the big blind keeps its option");
    play(&mut hand, "P1 CHECK");
    assert_eq!(hand.street(), Street::Flop);
    assert_eq!(hand.to_act(), Some(0));
}

#[test]
fn a_walk_pays_the_small_blind_and_returns_the_rest() {
    let mut hand = deal(table(Profile::Strict, 0, &[1_000; 3]), "");
    play(&mut hand, "P1 FOLD; P2 FOLD");
    assert_eq!(deltas(&hand), [0, -50, 50]);
    let record = hand.record();
    assert_eq!(record.returned.unwrap().chips, Chips::new(50));
    assert_eq!(record.pots[0].amount, Chips::new(100));
    assert!(!record.is_showdown() && record.board.is_empty() && record.run_out.is_none());
}

#[test]
fn short_blinds_are_all_in_and_who_covers_them_is_asked_nothing() {
    // The small blind already covers what the big blind could post.
    let hand = deal(table(Profile::Strict, 0, &[1_000, 40]), "");
    assert!(hand.is_over());
    assert_eq!(hand.record().run_out, Some(Street::Preflop));
    assert_eq!(hand.record().returned.unwrap().chips, Chips::new(10));
    // Here it does not: the bet to call is still a whole big blind, and the uncalled chips come back.
    let mut hand = deal(table(Profile::Strict, 0, &[1_000, 60]), "");
    assert_eq!(hand.to_act(), Some(0));
    let legal = hand.legal().unwrap();
    assert_eq!(legal.kinds(), [Kind::Fold, Kind::Call]);
    assert_eq!(legal.call, Some(Chips::new(50)));
    play(&mut hand, "P1 CALL");
    assert!(hand.is_over());
    assert_eq!(hand.record().returned.unwrap().chips, Chips::new(40));
    // A big blind who covers a small blind that is all-in is asked nothing.
    let hand = deal(table(Profile::Strict, 0, &[30, 1_000]), "");
    assert!(hand.is_over());
    assert_eq!(hand.record().returned.unwrap().chips, Chips::new(70));
}

#[test]
fn nobody_raises_whom_nobody_can_answer() {
    let mut hand = deal(table(Profile::Strict, 0, &[1_000, 300, 1_000]), "");
    play(&mut hand, "P1 FOLD; P2 ALL_IN");
    let legal = hand.legal().unwrap();
    assert_eq!(legal.kinds(), [Kind::Fold, Kind::Call]);
    let happened = play(&mut hand, "P3 ALL_IN");
    assert_eq!(happened[0].repairs, [Repair::AllInCalls]);
    assert_eq!(happened[0].put, Chips::new(200));
    assert_eq!(hand.record().returned, None);
}

#[test]
fn raises_are_lifted_to_the_minimum_and_to_all_in() {
    let mut hand = deal(table(Profile::Strict, 0, &[1_000, 1_000, 350]), "");
    let happened = play(&mut hand, "P1 RAISE 120");
    assert_eq!(happened[0].total, Chips::new(200));
    assert_eq!(happened[0].repairs, [Repair::RaiseLifted]);
    let happened = play(&mut hand, "P2 RAISE");
    assert_eq!(happened[0].total, Chips::new(300));
    assert_eq!(happened[0].raised, Chips::new(100));
    let legal = hand.legal().unwrap();
    assert_eq!((legal.raise, legal.all_in), (None, Some(Chips::new(350))));
    let happened = play(&mut hand, "P3 RAISE 100");
    assert_eq!(happened[0].repairs, [Repair::RaiseLifted, Repair::RaiseIsAllIn]);
    assert_eq!((happened[0].kind, happened[0].raised), (Kind::AllIn, Chips::new(50)));
    // P1 last acted at 200: 150 more is a full raise, so it may raise; P2 at 300 may not.
    assert_eq!(hand.legal().unwrap().raise.unwrap().min, Chips::new(450));
    play(&mut hand, "P1 CALL");
    assert_eq!(hand.legal().unwrap().kinds(), [Kind::Fold, Kind::Call]);
}

#[test]
fn a_run_out_begins_only_when_all_bets_are_matched() {
    let mut hand = deal(table(Profile::Strict, 0, &[500, 1_000, 1_000]), "");
    play(&mut hand, "P1 ALL_IN; P2 CALL");
    assert_eq!(hand.to_act(), Some(2));
    play(&mut hand, "P3 CALL; P2 CHECK; P3 RAISE 100; P2 FOLD");
    assert!(hand.is_over());
    assert_eq!(hand.record().run_out, Some(Street::Flop));
    assert_eq!(hand.record().board.len(), 5);
    assert_eq!(hand.record().returned.unwrap().chips, Chips::new(100));
}

#[test]
fn under_reference_a_fraction_of_a_pot_disappears() {
    let mut hand = deal(table(Profile::Reference, 0, &[1_000; 3]), "");
    play(&mut hand, "P1 FOLD; P2 CALL; P3 CHECK; P2 RAISE 100.5; P3 CALL");
    play(&mut hand, "P2 CHECK; P3 CHECK; P2 CHECK; P3 CHECK");
    let record = hand.record();
    let sum: i64 = record.deltas.iter().sum();
    assert_eq!(sum, -record.lost.units().cast_signed());
    assert!(record.lost < Unit::Millionth.chips(2));
}

#[test]
fn who_is_not_to_act_is_refused() {
    let mut hand = deal(table(Profile::Strict, 0, &[1_000; 3]), "");
    let out_of_turn = BadAct::OutOfTurn { place: 1, to_act: 0 };
    assert_eq!(hand.act(1, Action::CALL), Err(out_of_turn));
    play(&mut hand, "P1 FOLD; P2 FOLD");
    assert_eq!(hand.act(2, Action::CHECK), Err(BadAct::Over));
    assert_eq!((hand.to_act(), hand.legal()), (None, None));
}

#[test]
fn what_makes_no_hand_is_refused() {
    let deck = Deck::starting_with(&[]).unwrap();
    let refused = |setup: Setup| Hand::deal(setup, &deck).unwrap_err();
    assert_eq!(refused(table(Profile::Strict, 0, &[9])), BadSetup::Players(1));
    assert_eq!(refused(table(Profile::Strict, 0, &[9; 11])), BadSetup::Players(11));
    let button = BadSetup::Button { button: 2, places: 2 };
    assert_eq!(refused(table(Profile::Strict, 2, &[9; 2])), button);
    assert_eq!(refused(table(Profile::Strict, 0, &[9, 0])), BadSetup::NoChips("2".into()));
    assert_eq!(refused(table(Profile::Strict, 0, &[9, u64::MAX])), BadSetup::TooMuch);
    let mut setup = table(Profile::Strict, 0, &[9; 2]);
    setup.blinds.big = Chips::new(49);
    assert_eq!(refused(setup), BadSetup::Blinds);
}

#[test]
fn a_record_is_the_same_after_it_was_written_and_read() {
    let mut hand = deal(table(Profile::Strict, 0, &[500, 1_000, 1_000]), "");
    play(&mut hand, "P1 ALL_IN; P2 CALL; P3 CHECK");
    let text = serde_json::to_string(hand.record()).unwrap();
    assert_eq!(&serde_json::from_str::<HandRecord>(&text).unwrap(), hand.record());
    assert!(text.contains("\"units_per_chip\":1"), "{text}");
    assert!(text.contains("\"repairs\":[\"check_folds\"]"), "{text}");
}
