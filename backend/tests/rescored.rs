//! Rows that an older program computed otherwise: they get the numbers of this one, the public log says so with both, and a row
//! whose numbers stay what they were is not logged.

use turnwise_backend::publishing;
use turnwise_backend::store::{KeptEntry, Logging};
use turnwise_shared::wire::publishing::Change;

use crate::common::*;

/// A bot's run that was published.
async fn published(service: &Service, seed: u64) -> Admission {
    let mut spec = of_bots(2);
    spec.seed = seed;
    let opened = service.open_run(&spec, 2).await;
    drive(service, &opened, &mut planned(&spec)).await;
    let came = service.publish(&opened.run, Some(&opened.token)).await;
    came.json()
}

/// The rows that another program computed.
async fn of_others(service: &Service) -> Vec<KeptEntry> {
    let store = service.app.store();
    let rows = store.entries_of_others(publishing::maker(), None, 10).await;
    rows.expect("the store can be read")
}

async fn log(service: &Service) -> Vec<LogEntry> {
    service.get("/api/log").await.json()
}

#[tokio::test]
async fn numbers_of_an_older_program_are_computed_anew_and_the_log_says_so() {
    let service = with(&[]).await;
    let changed = published(&service, 1).await;
    let same = published(&service, 2).await;
    assert!(of_others(&service).await.is_empty(), "this program made them");
    let store = service.app.store();
    let truth = changed.entry.numbers.clone();
    let kept = async |run| {
        let found = store.entry(run).await.expect("the store can be read");
        found.expect("it stands there")
    };

    // An older program had another accuracy for one of them, and the same numbers for the other.
    let mut older = kept(&changed.entry.run).await;
    older.maker = "an older program".to_owned();
    older.entry.numbers.measures[0].value = Some(0.25);
    let logging = Logging::new(Change::Rescored, "as an older program would have it", 1);
    store.place(&older, None, &logging).await.expect("the store takes it");
    store.set_maker(&same.entry.run, "an older program").await.expect("the store takes it");
    let before = log(&service).await.len();
    let rows = of_others(&service).await;
    assert_eq!(rows.len(), 2);
    for row in &rows {
        let logged = publishing::rescore(&service.app, row).await;
        let logged = logged.expect("it can be measured still");
        let is_changed = row.entry.run == changed.entry.run;
        assert_eq!(logged.map(|entry| entry.change), is_changed.then_some(Change::Rescored));
    }

    let now = kept(&changed.entry.run).await;
    assert_eq!(now.entry.numbers, truth);
    assert_eq!(now.maker, publishing::maker());
    let entries = log(&service).await;
    assert_eq!(entries.len(), before + 1);
    let last = entries.last().expect("there is one");
    assert_eq!((last.subject.run(), last.change), (Some(&changed.entry.run), Change::Rescored));
    let value = truth.headline().and_then(|one| one.value).expect("a number");
    let told = format!("0.25 before, {value} now");
    assert!(last.reason.contains(&told), "{}", last.reason);
    let board = format!("/api/boards/{}", changed.entry.board);
    let board: Board = service.get(&board).await.json();
    let rows = board.head.rows.get(&EvidenceTier::Baseline);
    assert_eq!(rows, Some(&1), "it has not lost its row");
    assert!(of_others(&service).await.is_empty(), "nothing is left to do");
}

#[tokio::test]
async fn the_same_program_in_another_file_computes_nothing_anew() {
    let service = with(&[]).await;
    published(&service, 1).await;
    service.app.close().await;
    let mut rescore = std::process::Command::new(env!("CARGO_BIN_EXE_turnwise"));
    rescore.args(["rescore", "--data"]).arg(service.folder());
    if let Some(address) = crate::common::database::address(service.folder()) {
        rescore.env("DATABASE_URL", address);
    }
    let said = rescore.output().expect("the program starts");
    let said = [said.stdout, said.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(said[0].contains("0 rows computed anew"), "{said:?}");
}
