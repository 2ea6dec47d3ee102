//! Synthetic logs: hands that our own `reference` engine played, written in the schema of specification 4.g.

use serde_json::{Value, json};

use super::replay::{Replay, replay};
use super::write::game_log;
use super::*;
use crate::action::Action;
use crate::card::{Deck, cards};
use crate::chips::{Chips, Unit};
use crate::hand::{Hand, Setup};
use crate::imported::Amount;
use crate::record::{Blinds, HandRecord};
use turnwise_core::dice;
use turnwise_core::spec::Profile;

fn chips(whole: u64) -> Chips {
    Unit::Millionth.chips(whole)
}

/// Deals hand `number` to six players with these stacks; if somebody has nothing, all stacks are 10,000.
fn deal(number: u32, stacks: &[Chips], deck: &Deck) -> Hand {
    let is_reset = stacks.iter().any(Chips::is_zero);
    let seated = stacks.iter().enumerate().map(|(place, stack)| {
        let stack = if is_reset { chips(10_000) } else { *stack };
        ((place + 1).to_string().as_str().into(), stack)
    });
    let setup = Setup {
        hand: number,
        profile: Profile::Reference,
        button: (number as usize - 1) % stacks.len(),
        blinds: Blinds {
            small: chips(50),
            big: chips(100),
        },
        seated: seated.collect(),
    };
    Hand::deal(setup, deck).unwrap()
}

/// Hands in which everybody does something at random, also silly things.
fn random_hands(seed: u64, count: u32) -> Vec<HandRecord> {
    let mut stacks = vec![chips(10_000); 6];
    let mut hands = Vec::new();
    for number in 1..=count {
        let deck = Deck::new(&dice::draw(seed, &format!("deck:{number}"), 52, 52)).unwrap();
        let mut hand = deal(number, &stacks, &deck);
        let choices = dice::draw(seed, &format!("choices:{number}"), 10_000, 400);
        let mut choices = choices.into_iter();
        while let Some(place) = hand.to_act() {
            let choice = choices.next().unwrap_or(0);
            let action = match choice % 20 {
                0..9 => Action::FOLD,
                9..14 => Action::CALL,
                14..16 => Action::CHECK,
                16..19 => Action::raise_to(Chips::new(u64::from(choice) * 333_333)),
                _ => Action::ALL_IN,
            };
            hand.act(place, action).unwrap();
        }
        stacks.clone_from(&hand.record().stacks);
        hands.push(hand.record().clone());
    }
    hands
}

fn read(text: &str) -> GameLog {
    GameLog::read("game-log-3.ndjson", text).unwrap()
}

#[test]
fn what_our_engine_played_is_read_and_replayed_alike() {
    let hands = random_hands(11, 400);
    let log = read(&game_log(3, &hands));
    assert_eq!(log.hands.len(), hands.len());
    assert_eq!((log.strays, log.unknown.len()), (0, 0));
    let mut seen = std::collections::BTreeMap::<Ending, usize>::new();
    for (index, (logged, hand)) in log.hands.iter().zip(&hands).enumerate() {
        assert_eq!((logged.table, logged.game, logged.hand), (3, 1, hand.hand));
        assert_eq!(logged.button(), hand.button);
        assert_eq!(logged.board(), hand.board);
        assert_eq!(logged.actions().count(), hand.actions.len());
        *seen.entry(logged.ending()).or_default() += 1;
        let is_last = index + 1 == hands.len();
        match logged.deltas() {
            Some(deltas) => {
                let engine = hand.deltas.iter().map(|delta| Amount::millionths(*delta));
                assert!(deltas.into_iter().eq(engine), "hand {}", hand.hand);
                assert_eq!(replay(logged), Replay::Ok, "hand {}", hand.hand);
            }
            None => {
                assert!(is_last && hand.is_showdown());
                assert_eq!(replay(logged), Replay::NotSettled);
            }
        }
    }
    // Both kinds of ending are really tried, and resets, too.
    assert!(
        seen[&Ending::FoldWin] > 50 && seen[&Ending::Showdown] > 50,
        "{seen:?}"
    );
    assert!(log.stack_resets > 10, "{}", log.stack_resets);
}

#[test]
fn everything_is_counted_once() {
    let hands = random_hands(5, 60);
    let text = game_log(3, &hands);
    let log = read(&text);
    // Each line stands there twice, but for the notice in words before a run-out.
    let run_outs = hands.iter().filter(|hand| hand.run_out.is_some()).count();
    assert_eq!(log.lines, text.lines().count());
    assert_eq!(2 * log.repeats, log.lines - run_outs);
    let Summary {
        counts,
        players,
        hands: rows,
        remarks,
    } = summary(&[log]);
    let showdowns = hands.iter().filter(|hand| hand.is_showdown()).count();
    assert_eq!((counts.files, counts.hands), (1, 60));
    assert_eq!(
        (counts.showdowns, counts.fold_wins),
        (showdowns, 60 - showdowns)
    );
    assert_eq!(counts.unfinished + counts.replay_differs, 0);
    let actions: usize = hands.iter().map(|hand| hand.actions.len()).sum();
    assert_eq!(counts.actions.values().sum::<usize>(), actions);
    assert_eq!((rows.len(), remarks.len(), players.len()), (60, 0, 6));
    for (place, player) in players.iter().enumerate() {
        let folds = hands.iter().filter(|hand| hand.fold_of(place).is_some());
        assert_eq!(player.actions["FOLD"], folds.count());
        assert_eq!((player.id as usize, player.hands), (place + 1, 60));
    }
    let record = serde_json::to_value(&rows[0]).unwrap();
    assert_eq!(record["replay"], json!({ "verdict": "ok" }));
    assert_eq!(record["actions"][0]["stage"], json!("preflop"));
}

/// V4 of specification 4.e: the hand in which the big blind wins a bet that he never answered.
fn v4() -> Vec<HandRecord> {
    let deck = |text: &str| Deck::starting_with(&cards(text).unwrap()).unwrap();
    let first = deck("AS KS 2D 7C AD KD AC KH 3C 8D QS JS 2C 4H 9D JH 3D 5S 4D 10C");
    let mut hand = deal(1, &[chips(10_000); 6], &first);
    let raise = |to| Action::raise_to(chips(to));
    let fold = Action::FOLD;
    let acts = [
        (3, raise(4000)),
        (4, Action::CALL),
        (5, fold),
        (0, fold),
        (1, fold),
        (2, fold),
        (3, Action::CHECK),
        (4, raise(1000)),
        (3, fold),
    ];
    for (place, action) in acts {
        hand.act(place, action).unwrap();
    }
    let second = deck("2S 7D KS KD 3S 8C AS AD QS QD 4S 9C 2C 5H 5D 9H 3D JC 4D 10C 6H 6D");
    let stacks = hand.record().stacks.clone();
    let mut next = deal(2, &stacks, &second);
    for (place, action) in [
        (4, Action::ALL_IN),
        (5, fold),
        (0, fold),
        (1, Action::ALL_IN),
        (2, fold),
    ] {
        next.act(place, action).unwrap();
    }
    // A third hand, so that the log tells who won the second.
    let deck = Deck::new(&(0..52).collect::<Vec<_>>()).unwrap();
    let mut third = deal(3, &next.record().stacks, &deck);
    while let Some(place) = third.to_act() {
        third.act(place, Action::FOLD).unwrap();
    }
    vec![
        hand.record().clone(),
        next.record().clone(),
        third.record().clone(),
    ]
}

#[test]
fn v4_is_told_by_the_log() {
    let log = read(&game_log(3, &v4()));
    let second = &log.hands[1];
    assert_eq!(second.ending(), Ending::Showdown);
    assert_eq!(second.deltas().unwrap()[3], Amount::chips(24_150));
    let verdicts: Vec<Replay> = log.hands.iter().map(replay).collect();
    assert_eq!(verdicts, [Replay::Ok, Replay::Ok, Replay::Ok]);
    assert_eq!(log.stack_resets, 1);
}

/// Changes every line of a type in the same way, and says what the replay of a hand then finds.
fn differs(of: &str, hand: usize, change: impl Fn(&mut Value)) -> String {
    let text: String = game_log(3, &v4())
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            if line["type"] == of && line["data"]["hand"] == json!(hand + 1) {
                change(&mut line["data"]);
            }
            format!("{line}\n")
        })
        .collect();
    match replay(&read(&text).hands[hand]) {
        Replay::Differs(difference) => difference.to_string(),
        other => panic!("{of}: {other:?}"),
    }
}

#[test]
fn the_first_difference_is_named() {
    let of = differs("action", 0, |data| {
        if data["action"]["type"] == "CALL" {
            data["pot"] = json!(8151);
        }
    });
    assert_eq!(of, "line 5, pot: the log says 8151, the engine 8150");
    let of = differs("action", 0, |data| {
        if data["playerId"] == 6 {
            data["playerId"] = json!(1);
        }
    });
    assert_eq!(of, "line 7, actor: the log says 1, the engine 6");
    let of = differs("stage_transition", 0, |data| data["stage"] = json!("TURN"));
    assert!(of.starts_with("line 15, street:"), "{of}");
    let of = differs("stage_transition", 0, |data| {
        data["community"].as_array_mut().unwrap().pop();
    });
    assert_eq!(of, "line 15, open cards: the log says 2, the engine 3");
    let of = differs("all_in_showdown", 1, |data| data["pot"] = json!(24_249));
    assert!(
        of.ends_with("pot: the log says 24249, the engine 24250"),
        "{of}"
    );
    let of = differs("fold_win", 0, |data| {
        data["players"][4]["chips"] = json!(14_151)
    });
    assert!(
        of.contains("winnings of player 5: the log says 4151, the engine 4150"),
        "{of}"
    );
    let of = differs("hand_start", 0, |data| {
        data["players"][1]["currentBet"] = json!(60)
    });
    assert!(of.contains("blind of player 2: the log says 60"), "{of}");
}

/// The start of the next hand says how a showdown was paid.
#[test]
fn a_wrong_payment_is_found() {
    let text = game_log(3, &v4());
    let said = "\"totalWinnings\":20150";
    assert!(text.contains(said));
    let text = text.replace(said, "\"totalWinnings\":20149");
    match replay(&read(&text).hands[1]) {
        Replay::Differs(difference) => {
            assert_eq!(difference.what, "winnings of player 4");
            assert_eq!(
                (difference.log, difference.engine),
                ("24149".into(), "24150".into())
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_log_that_breaks_off_is_unfinished() {
    let text = game_log(3, &v4());
    let part: String = text
        .lines()
        .take(11)
        .map(|line| format!("{line}\n"))
        .collect();
    let log = read(&part);
    assert_eq!(
        (log.hands.len(), replay(&log.hands[0])),
        (1, Replay::Unfinished)
    );
    // Without its start a hand is left out, and that is said.
    let rest: String = text
        .lines()
        .skip(11)
        .map(|line| format!("{line}\n"))
        .collect();
    let summary = summary(&[read(&rest)]);
    assert_eq!(summary.counts.hands, 2);
    assert!(summary.remarks[0].contains("whose start is not in the file"));
}

#[test]
fn the_model_client_has_a_log_of_its_own() {
    let line = |name: &str, id: u32, more: Value| {
        let mut data = json!({ "source": "made up", "model": "made-up/model", "playerId": id });
        data.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        format!(
            "{}\n",
            json!({ "type": name, "data": data, "timestamp": 1 })
        )
    };
    let bad = |text: &str, attempt: u32| json!({ "stage": "FLOP", "hand": 4, "attempt": attempt, "text": text });
    // V8: a fence, then lower case, then a fold is put in.
    let text = line("invalid_format", 5, bad("```json\n{}\n```", 1))
        + &line("invalid_format", 5, bad("call", 2))
        + &line("error", 5, json!({ "reason": "two invalid replies" }))
        + &line("invalid_format", 4, bad("{\"action\":\"BET\"}", 1));
    let Summary {
        counts,
        players,
        hands,
        ..
    } = summary(&[read(&text)]);
    assert_eq!(
        (counts.invalid_format, counts.errors, hands.len()),
        (3, 1, 0)
    );
    let of: Vec<_> = players
        .iter()
        .map(|player| {
            (
                player.id,
                player.client.invalid_format,
                player.client.fenced,
                player.client.errors,
            )
        })
        .collect();
    assert_eq!(of, [(4, 1, 0, 0), (5, 2, 1, 1)]);
    assert_eq!(players[1].client.reasons["two invalid replies"], 1);
}

#[test]
fn errors_name_line_and_field() {
    let good = game_log(3, &v4());
    let cases = [
        (
            good.replacen("\"type\":\"RAISE\"", "\"type\":\"raise\"", 1),
            "data.action.type: FOLD, CHECK",
        ),
        (
            good.replacen("\"isFolded\":false", "\"isFolded\":0", 1),
            "data.players[0].isFolded: true or false",
        ),
        (
            good.replacen("\"4H\"", "\"44\"", 1),
            "community[0]: \"44\" is no card",
        ),
        (
            good.replacen("\"4H\"", "\"9D\"", 1),
            "data.community: 9D is there twice",
        ),
        (
            good.replacen("\"stage\":\"PREFLOP\"", "\"stage\":\"DEAL\"", 1),
            "data.stage: PREFLOP, FLOP",
        ),
        (
            good.replacen("\"playerId\":4", "\"playerId\":9", 1),
            "data.playerId: nobody in this hand has the id 9",
        ),
        (
            good.replacen("\"hand\":1", "\"hand\":-1", 1),
            "data.hand: a whole number from 0",
        ),
        ("{}\n".to_owned(), "x, line 1, field type: it is missing"),
        (String::new(), "x: it has no lines"),
    ];
    for (text, error) in cases {
        assert_ne!(text, good);
        let found = GameLog::read("x", &text).unwrap_err().to_string();
        assert!(found.contains(error), "{found} for {error}");
    }
    let other = good.replacen("hand_start", "something_new", 2);
    let summary = summary(&[read(&other)]);
    assert!(
        summary
            .remarks
            .iter()
            .any(|remark| remark.contains("something_new"))
    );
}
