//! Games with people at live tables. Everything that reaches a person before the end is looked through: no seed, no
//! length of a match, no move that is not open yet.

use turnwise_shared::wire::budgets::Scope;

use crate::common::table::spec;
use crate::common::*;

pub async fn open(service: &Service, wanted: &Value) -> LiveOpened {
    service.post("/api/live", None, wanted).await.json()
}

pub async fn listening() -> Listening {
    Listening::at(NOWHERE, "").await
}

const PAIR: [(&str, &str); 2] = [("1", "person"), ("2", "bot:always-c")];

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

/// Plays a match against an opponent who always cooperates. Returns what was seen of it at each question, and its length.
async fn cooperates(listening: &Listening) -> (Vec<Value>, usize) {
    let spec = spec(example(MATCH), &PAIR, match_settings());
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
    let (run, _, plays) = checked(&listening.service, &opened, example(MATCH)).await;
    assert!(!script.received.contains(&run.spec.seed.to_string()));
    assert!(!script.received.contains(run.spec.tasks.digest.to_string().as_str()));
    assert_eq!(plays.len(), 1);
    let rounds = seen.len();
    (seen, rounds)
}

#[tokio::test]
async fn a_match_looks_the_same_however_long_it_will_be() {
    let listening = listening().await;
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
    let listening = listening().await;
    let seats = [("1", "person"), ("2", "person")];
    let spec = spec(example(MATCH), &seats, match_settings());
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
    let (_, table, _) = checked(&listening.service, &opened, example(MATCH)).await;
    assert_eq!(table.people.len(), 2);
    assert!(rounds > 0);
}

/// A person at a table with a model.
const BESIDE_A_MODEL: [(&str, &str); 2] = [("1", "person"), ("2", "model:up/m")];

/// A service at whose tables models cooperate.
async fn beside_a_model() -> Service {
    service(vec![Canned::text("COOPERATE"); 200]).await
}

#[tokio::test]
async fn a_model_at_the_table_is_asked_through_the_one_door() {
    let service = beside_a_model().await;
    let spec = spec(example(MATCH), &BESIDE_A_MODEL, match_settings());
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
    checked(&service, &opened, example(MATCH)).await;
    assert_eq!(service.upstream().seen().len(), rounds, "the model is asked once a round");
    let timings: Vec<Value> = service.of_run(&opened.run, "/timing").await.json();
    assert_eq!(timings.len(), 2 * rounds, "both are timed");
}

#[tokio::test]
async fn a_table_spends_no_more_than_its_opener_allowed() {
    let service = beside_a_model().await;
    let mut settings = match_settings();
    settings["delta"] = json!(1);
    let mut wanted = wanted(&spec(example(MATCH), &BESIDE_A_MODEL, settings), "rated", 60, 0);
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
    assert_eq!(service.upstream().seen().len(), 2);
    let budget = service.app.call_limits().budget(&opened.run).await;
    let budget = budget.expect("it is kept");
    assert_eq!(budget.budgets[0].of, Scope::Run);
    assert_eq!(budget.budgets[0].spent.calls, 2);
    // A cap in money needs a bound of what a call may cost.
    wanted["caps"] = json!({ "money": 1_000_000 });
    let refused = service.post("/api/live", None, &wanted).await.error(422);
    assert!(refused.message.starts_with("The run has a budget, but"));
}

#[tokio::test]
async fn nobody_learns_from_one_match_how_long_another_is() {
    let listening = listening().await;
    let refused = async |seats: &[(&str, &str)], change: Value| {
        let mut settings = match_settings();
        for (name, value) in change.as_object().expect("an object") {
            settings[name] = value.clone();
        }
        let wanted = wanted(&spec(example(MATCH), seats, settings), "rated", 60, 0);
        let came = listening.service.post("/api/live", None, &wanted).await;
        match came.status.is_success() {
            true => None,
            false => Some(came.error(422).message),
        }
    };
    let swap = refused(&PAIR, json!({ "swap": true })).await;
    assert!(swap.is_some_and(|why| why.contains("settings.swap")));
    let three = [PAIR[0], PAIR[1], ("3", "bot:tft")];
    let shared = refused(&three, json!({})).await;
    assert!(shared.is_some_and(|why| why.contains("settings.lengths")));
    let sweep = refused(&PAIR, json!({ "delta": [0.5, 0.9] })).await;
    assert!(sweep.is_some_and(|why| why.contains("settings.lengths")));
    assert_eq!(refused(&three, json!({ "lengths": "reference" })).await, None);
    assert_eq!(refused(&PAIR, json!({ "repeats": 3 })).await, None);
}
