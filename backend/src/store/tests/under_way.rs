//! For how long calls that a budget pays were under way.

use turnwise_shared::prelude::*;

use super::*;
use crate::clock::now;

const CALL: Spent = Spent { money: 0, tokens: 0, calls: 1 };

fn limits() -> [Limit; 1] {
    [Limit {
        budget: "server 2026-01-01".into(),
        caps: Caps { seconds: Some(60), ..Caps::default() },
    }]
}

/// Lets `seconds` seconds pass.
async fn pass(store: &Store, seconds: i64) {
    let passed =
        sql!("UPDATE purses SET counted = counted - $1", seconds * 1000).run(&store.write).await;
    passed.expect("it is written");
}

async fn send(store: &Store, id: &str) -> Result<(), usize> {
    let sent = store.reserve(id, &limits(), CALL).await;
    sent.expect("it is written")
}

async fn comes_back(store: &Store, id: &str) {
    let settled = store.settle(id, &limits(), CALL, CALL).await;
    settled.expect("it is written");
}

/// How many whole seconds calls were under way.
async fn seconds(store: &Store) -> u64 {
    let drawn = store.drawn(&limits()[0].budget).await;
    drawn.expect("it reads").milliseconds / 1000
}

#[tokio::test]
async fn time_counts_once_while_calls_are_under_way_until_none_is_left() {
    let store = fresh().await;
    assert_eq!(send(&store, "a").await, Ok(()));
    pass(&store, 20).await;
    assert_eq!(send(&store, "b").await, Ok(()));
    pass(&store, 20).await;
    comes_back(&store, "a").await;
    pass(&store, 5).await;
    assert_eq!(seconds(&store).await, 45, "of what is on its way, too");
    comes_back(&store, "b").await;
    pass(&store, 500).await;
    assert_eq!(seconds(&store).await, 45, "nothing is under way");
    assert_eq!(send(&store, "c").await, Ok(()));
    pass(&store, 15).await;
    assert_eq!(send(&store, "d").await, Err(0), "60 seconds are over");
    store.stays_spent("c").await.expect("it is written");
    pass(&store, 500).await;
    assert_eq!(seconds(&store).await, 60, "a call that broke off is over");
    let drawn = store.drawn(&limits()[0].budget).await.expect("it reads");
    assert_eq!(drawn.spent.calls, 3);
}

#[tokio::test]
async fn calls_of_a_server_that_was_killed_count_until_it_is_gone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let killed = store(folder.path()).await;
    assert_eq!(send(&killed, "a").await, Ok(()));
    pass(&killed, 30).await;
    let gone = sql!("UPDATE servers SET ends = $1", now() - 10_000).run(&killed.write).await;
    gone.expect("it is written");
    drop(killed);
    let store = store(folder.path()).await;
    let counted = seconds(&store).await;
    assert!((19..=20).contains(&counted), "{counted}");
    assert_eq!(send(&store, "b").await, Ok(()));
    pass(&store, 5).await;
    comes_back(&store, "b").await;
    assert_eq!(seconds(&store).await, counted + 5);
}

/// Where there is a PostgreSQL; SQLite has one server at a time.
#[tokio::test]
async fn calls_of_two_servers_at_once_count_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([one, other]) = servers::two_servers(folder.path()).await else {
        return;
    };
    assert_eq!(send(&one, "a").await, Ok(()));
    assert_eq!(send(&other, "b").await, Ok(()));
    pass(&one, 20).await;
    comes_back(&one, "a").await;
    pass(&one, 20).await;
    comes_back(&other, "b").await;
    pass(&one, 20).await;
    assert_eq!(seconds(&one).await, 40);
    assert_eq!(send(&one, "c").await, Ok(()));
    pass(&one, 10).await;
    one.close().await;
    assert_eq!(seconds(&other).await, 50, "of a server that went, too");
    assert_eq!(send(&other, "d").await, Ok(()));
    pass(&other, 10).await;
    assert_eq!(send(&other, "e").await, Err(0));
}

#[tokio::test]
async fn a_call_that_has_not_come_back_is_under_way_as_long_as_its_server_is_there() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let seconds = async || store.under_way(&run).await.expect("it reads") / 1000;
    let (key, request) = (key(&run), Digest::of("sent"));
    let sent = store.intend(&key, &request, now() - 30_000).await;
    assert_eq!(sent.expect("it is kept"), Intended::Ours);
    assert_eq!(seconds().await, 30, "it has not come back");
    let ends = async |at: u64| {
        let gone = sql!("UPDATE servers SET ends = $1", at);
        gone.run(&store.write).await.expect("it is written");
    };
    ends(now() - 20_000).await;
    assert_eq!(seconds().await, 10, "its server is gone");
    let forgotten = sql!("DELETE FROM servers").run(&store.write).await;
    forgotten.expect("it is written");
    assert_eq!(seconds().await, 0, "nobody knows when that went");
    let said = answer(Reply::Said(Said::text("yes")));
    let kept = store.answered(&key, &request, &said, None).await;
    kept.expect("it is kept");
    let Timing { took, .. } = said.timing;
    let came = store.under_way(&run).await.expect("it reads");
    assert_eq!(came, took, "it came after all");
}
