//! A person at a table of the real program: what was played outlives a killed server, and nothing stays sealed.

use reqwest::Method;
use serde_json::{Value, json};
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::{LiveEnding, LiveOpened};
use turnwise_tests::asking::Asking;
use turnwise_tests::server::{Server, needed_program};

use super::to_value;

const NONCE: &str = "sixteen bytes by chance";

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_a_killed_server_is_over_and_what_was_played_is_kept() {
    let Some(program) = needed_program() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Server::start(&program, folder.path(), &[]);
    let mut spec = turnwise_tests::spec(
        example(QUESTIONS),
        Profile::Strict,
        json!({ "mode": "full", "rounds": 6 }),
    );
    spec.seed = 0;
    spec.subset.first = Some(2);
    for (seat, player) in
        [("player", "person"), ("responder", "bot:lexical"), ("grader", "bot:exact")]
    {
        let sitting = json!({ "player": player });
        let sitting = serde_json::from_value(sitting).expect("somebody");
        spec.seats.insert(seat.into(), sitting);
    }
    let wanted = json!({
        "spec": spec, "kind": "rated", "clock": { "decision_seconds": 60, "bank_seconds": 60 },
    });

    let asking = Asking::new(&server);
    let opened: LiveOpened = asking.post("/api/live", &to_value(&wanted)).await.json();
    let seat = format!("/api/live/{}/seat", opened.run);
    let run = format!("/api/runs/{}", opened.run);
    let ticket = &opened.tickets[&"player".into()];
    let say = async |says: Value| -> SeatView {
        let came = asking.ask(Method::POST, &seat, Some(ticket), &says).await;
        came.json()
    };
    say(json!({ "kind": "sit", "name": "Ada", "nonce": NONCE })).await;
    let act = json!({ "action": "ask", "params": { "question": "is it old?" } }).to_string();
    let view = say(json!({ "kind": "reply", "turn": 1, "text": act })).await;
    assert_eq!(view.table.stage, LiveStage::Playing);
    assert_eq!(view.ask.map(|ask| ask.turn), Some(2));
    assert_eq!(asking.get(&run).await.status, 403);

    server.restart();
    let asking = Asking::new(&server);
    let table: LiveInfo = asking.json(&format!("/api/live/{}", opened.run)).await;
    let ending = table.end.map(|end| end.ending);
    assert_eq!((table.stage, ending), (LiveStage::Over, Some(LiveEnding::Interrupted)));
    let info: RunInfo = asking.json(&run).await;
    assert_eq!((info.state, info.finished), (RunState::Cancelled, 0));
    let benchmark = registry::find(&info.spec.benchmark).expect("it is registered");
    let named = [("player".into(), NONCE.to_owned())].into_iter().collect();
    table
        .proof
        .expect("the secret is revealed")
        .check(&opened.commitment, &named, benchmark, &info.spec)
        .expect("the seed was mixed fairly");
    let heads = asking.episodes(opened.run.as_str()).await;
    let read = asking.played(opened.run.as_str(), &heads[0].episode).await;
    let said = read.events.iter().flatten().any(|event| {
        matches!(event, Event::Told { reply, .. } if to_value(reply)["text"].as_str() == Some(&act))
    });
    assert!(said, "what the person said is kept");
}
