//! Games with people at live tables. Everything that reaches a person before the end is looked through: no other seat's
//! cards, no deck, no seed, no length of a match, no move that is not open yet.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnwise_shared::benchmarks::poker::{self, Poker};
use turnwise_shared::benchmarks::trust::Trust;
use turnwise_shared::effect::Reply;
use turnwise_shared::prompt::Expect;
use turnwise_shared::transcript::{Event, Transcript};
use turnwise_shared::wire::budgets::Scope;
use turnwise_shared::wire::live::{LiveEnding, LiveOpened, LiveStage, SeatView};

use crate::common::socket::Listening;
use crate::common::table::{Script, Seated, checked, spec, wanted};
use crate::common::{Service, config};

async fn open(service: &Service, wanted: &Value) -> LiveOpened {
    service.post("/api/live", None, wanted).await.json()
}

async fn listening() -> (Listening, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config(folder.path(), "http://127.0.0.1:9", "");
    (Listening::start(config).await, folder)
}

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

/// The cards of the only hand of a play that a seat may see: its own two, and what lies open.
fn may_see(play: &Transcript, seat: &str) -> BTreeSet<String> {
    let hand = poker::hands(play).pop().expect("one hand was played");
    let own = hand
        .places
        .iter()
        .find(|place| place.seat.as_str() == seat)
        .expect("it sits there");
    hand.board
        .iter()
        .chain(&own.hole)
        .map(|card| card.short())
        .collect()
}

#[tokio::test]
async fn a_person_plays_hands_of_poker_and_sees_its_own_cards_and_the_board_alone() {
    let (listening, _folder) = listening().await;
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
        let view = page
            .until(|view| is_next(view) || view.table.stage == LiveStage::Over)
            .await;
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
            assert_eq!(
                last.get("reveal"),
                None,
                "nothing is revealed in a rated game"
            );
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
    assert!(
        own_seen >= 3 && frames > 5,
        "the person saw {own_seen} of {frames}"
    );

    let secret = table.proof.expect("it is revealed").secret.to_string();
    assert!(!page.received.contains(&run.spec.seed.to_string()));
    assert!(!page.received.contains(&secret));
    for (_, play) in &plays {
        let mut decks = 0;
        for event in play.events.iter().flatten() {
            if let Event::Told {
                reply: Reply::Drawn { numbers },
                ..
            } = event
            {
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
    let (listening, _folder) = listening().await;
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
    let person = hand
        .places
        .iter()
        .position(|place| place.seat.as_str() == "1")
        .expect("it sits there");
    let acted: Vec<_> = hand
        .actions
        .iter()
        .filter(|one| one.place == person)
        .collect();
    assert!(!acted.is_empty());
    assert!(acted.iter().all(|one| !one.by.is_player()), "{acted:?}");
}

const MATCH: [(&str, &str); 2] = [("1", "person"), ("2", "bot:always-c")];

fn match_settings() -> Value {
    json!({ "delta": 0.8, "cap": 35, "repeats": 1, "swap": false })
}

/// What a view says of the match, and of nothing else.
fn of_the_match(view: &SeatView) -> Value {
    let ask = view.ask.as_ref();
    json!({
        "scene": view.scene, "turn": ask.map(|ask| ask.turn), "last": view.last,
        "expect": ask.map(|ask| &ask.expect), "messages": ask.map(|ask| &ask.messages),
    })
}

fn word(view: &SeatView, which: usize) -> (u32, String) {
    let ask = view.ask.as_ref().expect("it is asked");
    match &ask.expect {
        Expect::Choice(words) => (ask.turn, words[which].clone()),
        other => panic!("a choice is expected: {other:?}"),
    }
}

/// Plays a match against somebody who always cooperates. Returns what was seen of it at each question, and its length.
async fn cooperates(listening: &Listening) -> (Vec<Value>, usize) {
    let spec = spec(&Trust, &MATCH, match_settings());
    let opened = open(&listening.service, &wanted(&spec, "rated", 60, 60)).await;
    let mut script = Script::new(&listening.service, &opened, "1");
    let mut view = script.sit().await;
    let mut seen = Vec::new();
    while view.table.stage != LiveStage::Over {
        if view.ask.is_none() {
            view = script.next().await;
            continue;
        }
        seen.push(of_the_match(&view));
        let (turn, text) = word(&view, 0);
        view = script.reply(turn, &text).await;
    }
    let (run, _, plays) = checked(&listening.service, &opened, &Trust).await;
    assert!(!script.received.contains(&run.spec.seed.to_string()));
    assert!(
        !script
            .received
            .contains(run.spec.tasks.digest.to_string().as_str())
    );
    assert_eq!(plays.len(), 1);
    let rounds = seen.len();
    (seen, rounds)
}

#[tokio::test]
async fn a_match_looks_the_same_however_long_it_will_be() {
    let (listening, _folder) = listening().await;
    let (first, length) = cooperates(&listening).await;
    for _ in 0..40 {
        let (second, other) = cooperates(&listening).await;
        let both = length.min(other);
        assert_eq!(first[..both], second[..both]);
        if length != other {
            return;
        }
    }
    panic!("forty matches of the same length");
}

#[tokio::test]
async fn a_move_is_not_seen_before_the_other_has_moved() {
    let (listening, _folder) = listening().await;
    let seats = [("1", "person"), ("2", "person")];
    let spec = spec(&Trust, &seats, match_settings());
    let opened = open(&listening.service, &wanted(&spec, "rated", 60, 60)).await;
    let mut ada = Script::new(&listening.service, &opened, "1");
    let mut bob = Script::new(&listening.service, &opened, "2");
    assert_eq!(ada.sit().await.table.stage, LiveStage::Lobby);
    bob.sit().await;
    let mut rounds = 0;
    loop {
        let mut mine = ada.look().await;
        while mine.ask.is_none() && mine.table.stage != LiveStage::Over {
            mine = ada.next().await;
        }
        if mine.table.stage == LiveStage::Over {
            break;
        }
        let before = bob.look().await;
        let (turn, text) = word(&mine, rounds % 2);
        let moved = ada.reply(turn, &text).await;
        assert_eq!(moved.ask, None, "the other has yet to move");
        let after = bob.look().await;
        assert_eq!(after.version, before.version, "nothing is to be seen");
        assert_eq!(of_the_match(&after), of_the_match(&before));
        let (turn, text) = word(&after, 1);
        bob.reply(turn, &text).await;
        rounds += 1;
    }
    let (_, table, _) = checked(&listening.service, &opened, &Trust).await;
    assert_eq!(table.people.len(), 2);
    assert!(rounds > 0);
}

#[tokio::test]
async fn in_practice_a_hand_is_shown_once_it_is_over() {
    let (listening, _folder) = listening().await;
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
    assert!(
        all.iter().all(|card| shown.contains(&card.short())),
        "{shown:?}"
    );
}

/// A person at a table with a model.
const BESIDE_A_MODEL: [(&str, &str); 2] = [("1", "person"), ("2", "model:up/m")];

/// A service at whose tables models cooperate.
async fn beside_a_model() -> (
    Service,
    crate::common::upstream::Upstream,
    tempfile::TempDir,
) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answers = vec![crate::common::upstream::Canned::text("COOPERATE"); 200];
    let upstream = crate::common::upstream::Upstream::start(answers).await;
    let config = config(folder.path(), &upstream.base_url(), "");
    (Service::open(config).await, upstream, folder)
}

#[tokio::test]
async fn a_model_at_the_table_is_asked_through_the_one_door() {
    let (service, upstream, _folder) = beside_a_model().await;
    let spec = spec(&Trust, &BESIDE_A_MODEL, match_settings());
    let opened = open(&service, &wanted(&spec, "rated", 60, 0)).await;
    let mut script = Script::new(&service, &opened, "1");
    let mut view = script.sit().await;
    let mut rounds = 0;
    while view.table.stage != LiveStage::Over {
        view = match view.ask {
            None => script.next().await,
            Some(_) => {
                rounds += 1;
                let (turn, text) = word(&view, 1);
                script.reply(turn, &text).await
            }
        };
    }
    checked(&service, &opened, &Trust).await;
    assert_eq!(
        upstream.seen().len(),
        rounds,
        "the model is asked once a round"
    );
    let path = format!("/api/runs/{}/timing", opened.run);
    let timings: Vec<Value> = service.get(&path).await.json();
    assert_eq!(timings.len(), 2 * rounds, "both are timed");
}

#[tokio::test]
async fn a_table_spends_no_more_than_its_opener_allowed() {
    let (service, upstream, _folder) = beside_a_model().await;
    let mut settings = match_settings();
    settings["delta"] = json!(1);
    let mut wanted = wanted(&spec(&Trust, &BESIDE_A_MODEL, settings), "rated", 60, 0);
    wanted["caps"] = json!({ "calls": 2 });
    let opened = open(&service, &wanted).await;
    let mut script = Script::new(&service, &opened, "1");
    let mut view = script.sit().await;
    while view.table.stage != LiveStage::Over {
        view = match view.ask {
            None => script.next().await,
            Some(_) => {
                let (turn, text) = word(&view, 1);
                script.reply(turn, &text).await
            }
        };
    }
    assert_eq!(upstream.seen().len(), 2);
    let budget = service.app.call_limits().budget(&opened.run).await;
    let budget = budget.expect("it is kept");
    assert_eq!(budget.purses[0].of, Scope::Run);
    assert_eq!(budget.purses[0].spent.calls, 2);
    // A cap in money needs a bound of what a call may cost.
    wanted["caps"] = json!({ "money": 1_000_000 });
    let refused = service.post("/api/live", None, &wanted).await.error(422);
    assert!(refused.message.starts_with("The run has a budget, but"));
}

#[tokio::test]
async fn nobody_learns_from_one_match_how_long_another_is() {
    let (listening, _folder) = listening().await;
    let refused = async |seats: &[(&str, &str)], change: Value| {
        let mut settings = match_settings();
        for (name, value) in change.as_object().expect("an object") {
            settings[name] = value.clone();
        }
        let wanted = wanted(&spec(&Trust, seats, settings), "rated", 60, 0);
        let came = listening.service.post("/api/live", None, &wanted).await;
        match came.status.is_success() {
            true => None,
            false => Some(came.error(422).message),
        }
    };
    let swap = refused(&MATCH, json!({ "swap": true })).await;
    assert!(swap.is_some_and(|why| why.contains("settings.swap")));
    let three = [MATCH[0], MATCH[1], ("3", "bot:tft")];
    let shared = refused(&three, json!({})).await;
    assert!(shared.is_some_and(|why| why.contains("settings.lengths")));
    let sweep = refused(&MATCH, json!({ "delta": [0.5, 0.9] })).await;
    assert!(sweep.is_some_and(|why| why.contains("settings.lengths")));
    assert_eq!(
        refused(&three, json!({ "lengths": "reference" })).await,
        None
    );
    assert_eq!(refused(&MATCH, json!({ "repeats": 3 })).await, None);
}
