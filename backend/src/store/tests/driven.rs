//! For how long a run was driven.

use std::time::{Duration, Instant};

use turnwise_shared::caps::Spent;
use turnwise_shared::wire::driving::Holder;

use super::*;
use crate::clock::now;

/// Lets `milliseconds` pass for the driver of the run.
async fn pass(store: &Store, run: &RunId, milliseconds: i64) {
    let sql = "UPDATE leases SET ends = ends - $2, since = CASE WHEN since > 0 THEN since - $2 ELSE since END WHERE run = $1";
    let passed = sql!(sql, run, milliseconds).run(&store.write).await;
    passed.expect("it is written");
}

/// A run was driven for `seconds` seconds, give or take the time that the test itself has taken: the store reads the clock.
async fn driven_for(store: &Store, run: &RunId, seconds: u64, began: Instant) {
    let caps = store.caps(run).await.expect("it reads");
    let driven = Duration::from_millis(caps.expect("it is there").driven);
    let off = driven.abs_diff(Duration::from_secs(seconds));
    // The clock of the store counts whole milliseconds.
    let slack = began.elapsed() + Duration::from_millis(1);
    assert!(off <= slack, "driven for {driven:?} and not for {seconds} s");
}

#[tokio::test]
async fn time_counts_while_a_run_is_driven_and_not_while_it_rests() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let began = Instant::now();
    let driven = async |seconds| driven_for(&store, &run, seconds, began).await;
    // The run has no driver.
    driven(0).await;
    let head = async || {
        let head = store.run_head(&run).await.expect("it reads");
        head.expect("it is there")
    };
    let take = async || {
        let taking = Taking { holder: Holder::Page, until: now() + 60_000, drive: None };
        let taken = store.take_lease(&head().await, &taking).await;
        taken.expect("it is written").expect("nobody else does").epoch
    };
    let renew = async |epoch| {
        let until = now() + 60_000;
        let renewed = store.renew_lease(&run, Hold { epoch, until }).await;
        assert!(renewed.expect("it is written"));
    };
    let turn = async |to, lease| {
        let moved = store.move_run(&head().await, to, lease, None).await;
        assert!(moved.expect("it is written"));
    };
    let epoch = take().await;
    pass(&store, &run, 20_000).await;
    // What is not written yet counts.
    driven(20).await;
    renew(epoch).await;
    pass(&store, &run, 10_000).await;
    turn(RunState::Paused, ThenLease::Lives(now() + 60_000)).await;
    driven(30).await;
    // A pause, in which the page is still there.
    pass(&store, &run, 50_000).await;
    renew(epoch).await;
    pass(&store, &run, 50_000).await;
    driven(30).await;
    turn(RunState::Running, ThenLease::Lives(now() + 60_000)).await;
    pass(&store, &run, 5_000).await;
    // The page goes, and comes back.
    let gone = store.shorten_lease(&run, epoch, now() + 15_000).await;
    gone.expect("it is written");
    pass(&store, &run, 9_000).await;
    renew(epoch).await;
    pass(&store, &run, 5_000).await;
    driven(40).await;
    // A driver that is never heard of again drives it no longer than the lease lives.
    pass(&store, &run, 1_000_000).await;
    driven(30 + 5 + 60).await;
    store.set_refused(&run, Spent::default()).await.expect("it is written");
    let refused = async || {
        let caps = store.caps(&run).await.expect("it reads");
        caps.expect("it is there").refused
    };
    assert_eq!(refused().await, Some(Spent::default()));
    take().await;
    driven(30 + 5 + 60).await;
    assert_eq!(refused().await, None, "whoever takes it up tries again");
    pass(&store, &run, 5_000).await;
    turn(RunState::Cancelled, ThenLease::Revoked).await;
    pass(&store, &run, 5_000).await;
    driven(100).await;
}

#[tokio::test]
async fn a_lease_that_was_taken_while_the_clock_was_ahead_has_run_out() {
    const YEAR: u64 = 365 * 86_400_000;
    let store = fresh().await;
    let run = with_run(&store).await;
    let head = store.run_head(&run).await.expect("it reads");
    let taking =
        Taking { holder: Holder::Server, until: now() + YEAR, drive: Some(Default::default()) };
    let taken = store.take_lease(&head.expect("it is there"), &taking).await;
    taken.expect("it is written").expect("nobody else does");
    let head = store.run_head(&run).await.expect("it reads").expect("it is there");
    assert_eq!(head.state, RunState::Idle);
    let left = store.left_by_servers(now()).await.expect("it reads");
    assert_eq!(left.len(), 1, "a server goes on with it");

    // A server that was there while its clock was ahead, and is gone.
    let call = key(&run);
    let intended = store.intend(&call, &Digest::of("sent"), now()).await;
    assert!(matches!(intended, Ok(Intended::Ours)));
    for (gone, expected) in [(now() + 5_000, "flying"), (now() + YEAR, "left")] {
        sql!(
            "INSERT INTO servers (id, ends) VALUES ('gone', $1) ON CONFLICT (id) DO UPDATE SET ends = $1",
            gone
        )
        .run(&store.write)
        .await
            .expect("it is written");
        sql!("UPDATE ledger SET owner = 'gone'").run(&store.write).await.expect("it is written");
        let found = match store.elsewhere(&call, now()).await.expect("it reads") {
            Elsewhere::Flying => "flying",
            Elsewhere::Left => "left",
            Elsewhere::Answered(_) => "answered",
        };
        assert_eq!(found, expected);
    }
    let intended = store.intend(&call, &Digest::of("sent"), now()).await;
    assert!(matches!(intended, Ok(Intended::Ours)));
}
