//! Several people at one table: everybody is told who the others are, who is away and who has left, and how it goes on then.

mod common;

use common::socket::Listening;
use common::table::{NONCE, Seated, checked, spec, wanted};
use common::{Service, config};
use serde_json::{Value, json};
use turnwise_shared::benchmarks::trust::Trust;
use turnwise_shared::benchmarks::trust::protocol::ending::FLAGGED;
use turnwise_shared::prompt::Expect;
use turnwise_shared::wire::live::{LiveEnding, LiveOpened, LiveStage, SeatSays, SeatView, Sitter};

const NAMES: [(&str, &str); 2] = [("1", "Ann"), ("2", "Bob")];

async fn listening() -> (Listening, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config(folder.path(), "http://127.0.0.1:9", "");
    (Listening::start(config).await, folder)
}

/// A match of two people in which nobody is hurried.
async fn open(service: &Service) -> LiveOpened {
    let seats = [("1", "person"), ("2", "person")];
    let settings = json!({ "delta": 0.8, "cap": 35, "repeats": 1, "swap": false });
    let wanted: Value = wanted(&spec(&Trust, &seats, settings), "rated", 0, 0);
    service.post("/api/live", None, &wanted).await.json()
}

async fn come(listening: &Listening, opened: &LiveOpened, seat: &str) -> Seated {
    let (run, ticket) = (opened.run.to_string(), &opened.tickets[&seat.into()]);
    Seated::connect(listening.addr, &run, ticket).await
}

async fn sit(seated: &mut Seated, name: &str) {
    seated
        .say(SeatSays::Sit {
            name: name.into(),
            nonce: NONCE.into(),
            agrees_to: None,
        })
        .await;
}

/// What somebody is told of the second seat.
fn bob(view: &SeatView) -> &Sitter {
    &view.table.people[&"2".into()]
}

#[tokio::test]
async fn whoever_is_away_or_has_left_is_told_to_the_others() {
    let (listening, _folder) = listening().await;
    let opened = open(&listening.service).await;
    let mut ann = come(&listening, &opened, "1").await;
    let mut other = come(&listening, &opened, "2").await;
    for (seated, (_, name)) in [&mut ann, &mut other].into_iter().zip(NAMES) {
        sit(seated, name).await;
    }
    let both = ann.until(|view| view.ask.is_some()).await;
    for (seat, name) in NAMES {
        let sitter = &both.table.people[&seat.into()];
        assert_eq!(sitter.name.as_deref(), Some(name));
        assert!(sitter.connected && !sitter.left, "{sitter:?}");
    }

    other.go().await;
    let alone = ann.until(|view| !bob(view).connected).await;
    assert!(!bob(&alone).left, "whoever closes the page may come back");
    let mut other = come(&listening, &opened, "2").await;
    ann.until(|view| bob(view).connected).await;

    other.say(SeatSays::Leave).await;
    let mut view = ann.until(|view| bob(view).left).await;
    assert_eq!(bob(&view).name.as_deref(), Some("Bob"));
    let leaver = other.until(|view| bob(view).left).await;
    assert_eq!(leaver.ask, None, "whoever has left is asked nothing");

    // The match goes on by its rule for those who do not reply.
    while view.table.stage != LiveStage::Over {
        if let Some(ask) = &view.ask {
            let Expect::Choice(words) = &ask.expect else {
                panic!("a choice is expected: {ask:?}");
            };
            ann.reply(ask.turn, &words[0]).await;
        }
        view = ann.view().await;
    }
    let (_, table, plays) = checked(&listening.service, &opened, &Trust).await;
    assert_eq!(table.end.map(|end| end.ending), Some(LiveEnding::Played));
    assert!(table.people[&"2".into()].left);
    let outcome = plays[0].1.outcome().expect("it came to an end");
    assert_eq!(outcome.ending, FLAGGED, "{outcome:?}");
}
