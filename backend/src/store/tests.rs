use std::path::Path;

use serde_json::json;
use turnwise_shared::benchmark::default_spec;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::Listed;

use super::statement::sql;
use super::*;
use crate::database::Database;
use crate::secret::Secret;

mod budgets;
mod calls;
#[path = "../../tests/common/database.rs"]
mod database;
mod driven;
mod lists;
#[path = "../../tests/common/long.rs"]
pub mod long;
mod outages;
mod parts;
mod servers;
mod transcripts;
mod under_way;
mod withdrawn;

/// On PostgreSQL where the tests have one, else in the folder.
fn place(folder: &Path) -> Database {
    match database::address(folder) {
        Some(address) => Database::server(Secret::new(address)).expect("an address"),
        None => Database::File(folder.join("turnwise.db")),
    }
}

async fn store(folder: &Path) -> Store {
    Store::open(&place(folder)).await.expect("it opens")
}

/// A store in a folder of its own, which goes with it.
struct Fresh {
    store: Store,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Fresh {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

async fn fresh() -> Fresh {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Fresh { store: store(folder.path()).await, _folder: folder }
}

async fn with_run(store: &Store) -> RunId {
    with_run_of(store, RunId::new([7; 16])).await
}

async fn with_run_of(store: &Store, run: RunId) -> RunId {
    let spec = json!({
        "benchmark": "b", "protocol": 1, "profile": "strict", "settings": {}, "subset": {}, "budget": { "calls": 5 },
        "tasks": { "name": "samples", "digest": "0".repeat(64) },
        "pack": { "name": "p", "digest": "0".repeat(64) },
        "seats": {}, "seed": 1, "repeats": 1,
    });
    keep_run(store, run.clone(), serde_json::from_value(spec).expect("a spec")).await;
    run
}

/// A run that is there.
pub(crate) async fn opened(store: &Store) -> RunId {
    with_run(store).await
}

/// Keeps a run under this spec.
pub(crate) async fn keep_run(store: &Store, run: RunId, spec: Spec) {
    let new = NewRun {
        tags: Vec::new(),
        run,
        token: Digest::of("token"),
        title: "title".into(),
        spec,
        opened: 5,
        episodes: 2,
        regrades: None,
        branch_of: None,
        visibility: Default::default(),
        is_visitors: false,
    };
    store.add_run(&new).await.expect("it is kept");
}

impl Store {
    /// Makes everything of a transcript unreadable but the parts in which these bytes lie. A read of more than these fails.
    pub(crate) async fn spoil_all_but(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
        bytes: std::ops::Range<u64>,
    ) -> u64 {
        sql!(
            "UPDATE parts SET text = NULL, recipe = 'spoilt' WHERE run = $1 AND episode = $2 \
             AND (at + bytes <= $3 OR at >= $4)",
            run,
            episode,
            bytes.start,
            bytes.end
        )
        .changed(&self.write)
        .await
        .expect("it writes")
    }
}

fn key(run: &RunId) -> CallKey {
    CallKey { run: run.clone(), episode: episode(), call: CallId(1), digest: Digest::of("request") }
}

fn episode() -> EpisodeKey {
    EpisodeKey::play(&"1".into(), 1)
}

fn head(lines: u64, of: &str) -> Head {
    Head { lines, chain: Digest::of(of) }
}

fn answer(reply: Reply) -> CallAnswer {
    CallAnswer { reply, timing: Timing { started: 9, took: 3, attempts: 1, ..Timing::default() } }
}

fn known(key: &CallKey, request: &Digest, answer: &CallAnswer) -> Box<Answered> {
    Box::new(Answered { key: key.clone(), sent: *request, answer: answer.clone(), endpoint: None })
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = store(folder.path()).await;
    let run = with_run(&first).await;
    first.set_state(&run, RunState::Cancelled).await.expect("it is kept");
    first.close().await;
    let again = store(folder.path()).await;
    let found = again.run(&run).await.expect("it reads").expect("it is there");
    assert_eq!((found.title.as_str(), found.opened), ("title", 5));
    assert_eq!(found.state, RunState::Cancelled);
    assert_eq!((found.finished, found.accuracy), (0, None));
    let head = again.run_head(&run).await.expect("it reads");
    assert_eq!(head.expect("it is there").token, Digest::of("token"));
    let before = async |opened| {
        let place = Listed { opened, run: None };
        let portion = again.portion(&Listing::All, Some(&place), 10).await;
        portion.expect("it reads")
    };
    assert_eq!(before(6).await.len(), 1);
    assert!(before(5).await.is_empty());
    let nobody = again.run(&RunId::new([8; 16])).await.expect("it reads");
    assert!(nobody.is_none());
}

#[tokio::test]
async fn a_run_of_which_nothing_is_graded_says_so_unless_it_is_a_game() {
    let store = fresh().await;
    for (number, benchmark) in (1..).zip(BENCHMARKS.iter()) {
        let run = RunId::new([number; 16]);
        keep_run(&store, run.clone(), default_spec(*benchmark)).await;
        let info = store.run(&run).await.expect("it reads").expect("it is there");
        let over = RunInfo { finished: 8, ..info };
        let words = over.known().map(|known| known.words());
        let wanted = benchmark.participants().is_none().then(|| "0 of 8 graded".to_owned());
        assert_eq!(words, wanted, "{}", benchmark.name());
        let swept = RunInfo { graded: Some(8), ..over };
        assert_eq!(swept.known(), None, "it has a number at each value");
    }
}

#[tokio::test]
async fn what_was_held_back_is_no_call_that_was_sent() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let (key, sent) = (key(&run), Digest::of("what is sent"));
    let held = CallAnswer {
        reply: Reply::Failed(Failure::new(FailureClass::BudgetExhausted, "too little")),
        timing: Timing::default(),
    };
    for _ in 0..3 {
        let intended = store.intend(&key, &sent, 1).await;
        assert_eq!(intended.expect("it is written"), Intended::Ours);
        let kept = store.answered(&key, &sent, &held, None).await;
        assert_eq!(kept.expect("it is written"), None);
    }
    let count = async || store.call_count(&run).await.expect("it reads");
    assert_eq!((count().await.sent, count().await.lost), (0, 0));
    store.intend(&key, &sent, 2).await.expect("it is written");
    let said = answer(Reply::Said(Said::text("yes")));
    let kept = store.answered(&key, &sent, &said, None).await;
    assert_eq!(kept.expect("it is written"), None);
    assert_eq!((count().await.sent, count().await.lost), (1, 0));
}
