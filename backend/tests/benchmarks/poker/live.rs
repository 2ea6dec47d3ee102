//! Hands with people at live tables. Everything that reaches a person before the end is looked through: no other seat's
//! cards, no deck, no seed.

use std::collections::BTreeSet;

use turnwise_shared::benchmarks::poker::{self, Poker};
use turnwise_shared::wire::live::LiveEnding;

use crate::common::table::spec;
use crate::common::*;
use crate::live_games::{listening, open};

/// Checks or calls, as a model would say it.
fn stays_in(view: &SeatView) -> (u32, String) {
    let ask = view.ask.as_ref().expect("it is asked");
    let Expect::Move(moves) = &ask.expect else {
        panic!("a move is expected: {ask:?}");
    };
    let wanted = ["CHECK", "CALL", "ALL_IN"];
    let chosen = wanted
        .iter()
        .find_map(|name| moves.iter().find(|one| one.name == *name))
        .unwrap_or(&moves[0]);
    let amount = chosen.amount.map_or(0, |(least, _)| least);
    let text = json!({ "action": chosen.name, "amount": amount }).to_string();
    (ask.turn, text)
}

/// Everything in a text that is written like a card, as `Th`.
fn cards_in(value: &Value) -> BTreeSet<String> {
    let text = value.to_string();
    assert!(!text.contains(['♠', '♥', '♦', '♣']), "{text}");
    text.split(|sign: char| !sign.is_alphanumeric())
        .filter_map(|word| {
            let word = word.replacen("10", "T", 1);
            let mut signs = word.chars();
            let (rank, suit) = (signs.next()?, signs.next()?);
            let is_card = signs.next().is_none()
                && "23456789TJQKA".contains(rank)
                && "cdhsCDHS".contains(suit);
            is_card.then(|| format!("{rank}{}", suit.to_ascii_lowercase()))
        })
        .collect()
}

/// The cards of the only hand of an episode that a seat may see: its own two, and what lies open.
fn may_see(play: &Transcript, seat: &str) -> BTreeSet<String> {
    let hand = poker::hands(play).pop().expect("one hand was played");
    let own = hand.places.iter().find(|place| place.seat.as_str() == seat).expect("it sits there");
    hand.board.iter().chain(&own.hole).map(|card| card.short()).collect()
}

#[tokio::test]
async fn a_person_plays_hands_of_poker_and_sees_its_own_cards_and_the_board_alone() {
    let listening = listening().await;
    let seats = [
        ("1", "person"),
        ("2", "bot:calling-station"),
        ("3", "bot:tight-aggressive"),
        ("4", "bot:equity"),
    ];
    let spec = spec(&Poker, &seats, json!({ "tables": 1, "hands": 3 }));
    let opened = open(&listening.service, &wanted(&spec, "rated", 60, 60)).await;
    let ticket = &opened.tickets[&"1".into()];
    let mut page = Seated::connect(listening.addr, opened.run.as_str(), ticket).await;
    page.sit().await;
    let mut done = 0;
    let end = loop {
        // A view with the old question may still be under way.
        let is_next = |view: &SeatView| view.ask.as_ref().is_some_and(|ask| ask.turn > done);
        let view = page.until(|view| is_next(view) || view.table.stage == LiveStage::Over).await;
        if view.table.stage == LiveStage::Over {
            break view;
        }
        let (turn, text) = stays_in(&view);
        page.reply(turn, &text).await;
        done = turn;
    };
    let how = end.table.end.expect("it has ended");
    assert_eq!(how.ending, LiveEnding::Played, "{}", how.why);

    let (run, table, plays) = checked(&listening.service, &opened, &Poker).await;
    assert_eq!(plays.len(), 3, "every hand is an episode");
    let hand_of = |number: &Value| {
        let hand = number.as_u64().expect("a number").to_string();
        let (_, play) = plays
            .iter()
            .find(|(key, _)| key.as_str() == format!("t1-h{hand}.r1.play"))
            .expect("it was played");
        may_see(play, "1")
    };
    let (mut own_seen, mut frames) = (0, 0);
    for frame in page.received.lines() {
        let mut frame: Value = serde_json::from_str(frame).expect("JSON");
        frames += 1;
        let parts = frame.as_object_mut().expect("an object");
        let last = parts.remove("last").unwrap_or_default();
        if !last.is_null() {
            assert_eq!(last.get("reveal"), None, "nothing is revealed in a rated game");
            let seen = cards_in(&last);
            assert!(seen.is_subset(&hand_of(&last["episode"])), "{last}");
        }
        let now = [parts.remove("scene"), parts.remove("ask")];
        for part in now.into_iter().flatten() {
            let seen = cards_in(&part);
            if !seen.is_empty() {
                let known = hand_of(&frame["episode"]);
                assert!(seen.is_subset(&known), "{seen:?} and {known:?}: {part}");
                own_seen += 1;
            }
        }
        assert_eq!(cards_in(&frame), BTreeSet::new(), "{frame}");
    }
    assert!(own_seen >= 3 && frames > 5, "the person saw {own_seen} of {frames}");

    let secret = table.proof.expect("it is revealed").secret.to_string();
    assert!(!page.received.contains(&run.spec.seed.to_string()));
    assert!(!page.received.contains(&secret));
    for (_, play) in &plays {
        let mut decks = 0;
        for event in play.events.iter().flatten() {
            if let Event::Told { reply: Reply::Drawn { numbers }, .. } = event {
                let first: Vec<_> = numbers.iter().take(4).map(u32::to_string).collect();
                assert!(!page.received.contains(&first.join(",")));
                decks += 1;
            }
        }
        assert_eq!(decks, 1, "one deck a hand, checked against the seed");
    }
}

#[tokio::test]
async fn somebody_who_does_not_come_back_checks_or_folds() {
    let listening = listening().await;
    let seats = [("1", "person"), ("2", "bot:calling-station")];
    let spec = spec(&Poker, &seats, json!({ "tables": 1, "hands": 1 }));
    let opened = open(&listening.service, &wanted(&spec, "rated", 1, 0)).await;
    let mut script = Script::new(&listening.service, &opened, "1");
    let mut view = script.sit().await;
    while view.table.stage != LiveStage::Over {
        view = script.next().await;
    }
    let (_, table, plays) = checked(&listening.service, &opened, &Poker).await;
    assert_eq!(table.end.map(|end| end.ending), Some(LiveEnding::Played));
    let hand = poker::hands(&plays[0].1).pop().expect("one hand");
    let person =
        hand.places.iter().position(|place| place.seat.as_str() == "1").expect("it sits there");
    let acted: Vec<_> = hand.actions.iter().filter(|one| one.place == person).collect();
    assert!(!acted.is_empty());
    assert!(acted.iter().all(|one| !one.by.is_player()), "{acted:?}");
}

#[tokio::test]
async fn in_practice_a_hand_is_shown_once_it_is_over() {
    let listening = listening().await;
    let seats = [("1", "person"), ("2", "bot:calling-station")];
    let spec = spec(&Poker, &seats, json!({ "tables": 1, "hands": 2 }));
    let opened = open(&listening.service, &wanted(&spec, "practice", 60, 0)).await;
    let mut script = Script::new(&listening.service, &opened, "1");
    let mut view = script.sit().await;
    let mut revealed = Vec::new();
    while view.table.stage != LiveStage::Over {
        if let Some(last) = &view.last {
            let is_over = Some(last.episode) < view.episode || view.ask.is_none();
            assert!(is_over, "the hand before, not the present one");
            revealed.push(serde_json::to_value(&last.reveal).expect("JSON"));
        }
        view = match view.ask {
            None => script.next().await,
            Some(_) => {
                let (turn, text) = stays_in(&view);
                script.reply(turn, &text).await
            }
        };
    }
    let (_, _, plays) = checked(&listening.service, &opened, &Poker).await;
    let hand = poker::hands(&plays[0].1).pop().expect("one hand");
    let all: Vec<_> = hand.places.iter().flat_map(|place| place.hole).collect();
    assert_eq!(all.len(), 4);
    let first = revealed.first().expect("the first hand was shown");
    let shown = cards_in(first);
    assert!(all.iter().all(|card| shown.contains(&card.short())), "{shown:?}");
}
