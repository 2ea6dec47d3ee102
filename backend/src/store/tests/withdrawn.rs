use std::collections::BTreeMap;

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Entry, Numbers};

use super::*;
use crate::store::log::Logging;
use crate::store::publishing::Placed;

/// Puts a run without a transcript on a board.
async fn publish(store: &Store, run: &RunId) {
    let kept = KeptEntry {
        entry: Entry {
            run: run.clone(),
            board: Digest::of("a board"),
            benchmark: "b".into(),
            title: "title".into(),
            players: BTreeMap::new(),
            tier: EvidenceTier::SelfReported,
            owner: None,
            opened: 5,
            published: 6,
            numbers: Numbers::default(),
        },
        evidence: BTreeMap::new(),
        findings: Vec::new(),
        transcripts: store.transcripts(run, None).await.expect("it reads"),
        maker: "a test".into(),
        left: None,
    };
    let logging = Logging::new(Change::Admitted, "a test", 6);
    let placed = store.place(&kept, None, &logging).await;
    assert!(matches!(placed.expect("it is written"), Placed::Logged(_)));
}

#[tokio::test]
async fn a_run_is_withdrawn_and_leaves_its_board_and_the_log_says_so_or_nothing_of_it_happens() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store(folder.path()).await;
    let run = with_run(&store).await;
    publish(&store, &run).await;
    let stands = async || {
        let entry = store.entry(&run).await.expect("it reads");
        entry.expect("it is kept").left.is_none()
    };
    let head = async || {
        let head = store.run_head(&run).await.expect("it reads");
        head.expect("it is there")
    };
    let rename = async |from: &str, to: &str| {
        let sql = format!("ALTER TABLE {from} RENAME TO {to}");
        let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&store.write);
        done.await.expect("a table of that name is there");
    };
    let withdraw = async || {
        let (head, lease) = (head().await, ThenLease::Revoked);
        let state = RunState::Withdrawn;
        store.move_run(&head, state, lease, None).await
    };

    // A server that dies before the log has its entry leaves what one leaves that cannot write it.
    rename("log", "log_elsewhere").await;
    withdraw().await.expect_err("there is no log");
    rename("log_elsewhere", "log").await;
    assert_ne!(head().await.left, RunState::Withdrawn);
    assert!(stands().await);

    assert!(withdraw().await.expect("it is written"));
    assert_eq!(head().await.left, RunState::Withdrawn);
    assert!(!stands().await);
    let last = store.last_said(&run).await.expect("it reads");
    let last = last.expect("the log says something of it");
    assert_eq!(
        (last.change, last.reason.as_str()),
        (Change::Withdrawn, "the run was withdrawn by its owner")
    );
}
