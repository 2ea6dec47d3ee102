//! Several servers over one database.

use turnwise_shared::effect::{Failure, FailureClass};
use turnwise_shared::prompt::Said;
use turnwise_shared::wire::budgets::{Caps, Spent};

use super::*;
use crate::egress::now;

/// Two servers over one database; SQLite has one at a time.
pub(super) async fn two_servers(folder: &Path) -> Option<[Store; 2]> {
    let address = Secret::new(database::postgres(folder)?);
    let place = Place::server(address).expect("an address");
    let open = async || Store::open(&place).await.expect("it opens");
    Some([open().await, open().await])
}

#[tokio::test]
async fn what_another_server_has_on_its_way_may_come_back_until_that_server_is_gone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([one, other]) = two_servers(folder.path()).await else {
        return;
    };
    let limits = [Limit {
        purse: "run 1".into(),
        caps: Caps {
            money: Some(1000),
            ..Caps::default()
        },
    }];
    let money = |money| Spent {
        money,
        tokens: 5,
        calls: 1,
    };
    let settled = async || {
        let drawn = other.drawn("run 1").await.expect("it reads");
        drawn.settled().money
    };
    let taken = async |server: &Store, id: &str| {
        let taken = server.reserve(id, &limits, money(400)).await;
        taken.expect("it is written")
    };
    assert_eq!(taken(&one, "a").await, Ok(()));
    assert_eq!(taken(&one, "b").await, Ok(()));
    assert_eq!(taken(&other, "c").await, Err(0));
    assert_eq!(settled().await, 0, "all of it is on its way");
    one.settle("a", &limits, money(400), money(100))
        .await
        .expect("it is written");
    assert_eq!(settled().await, 100);
    assert_eq!(taken(&other, "c").await, Ok(()));
    other.stays_spent("c").await.expect("it is written");
    assert_eq!(settled().await, 500, "nobody puts that right any more");
    one.close().await;
    assert_eq!(settled().await, 900, "what a server took with it is spent");
}

#[tokio::test]
async fn a_file_has_one_server_and_a_command_beside_it_takes_nothing_away() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = Place::File(folder.path().join("turnwise.db"));
    let server = Store::open(&place).await.expect("it opens");
    let limits = [Limit {
        purse: "run 1".into(),
        caps: Caps::default(),
    }];
    let money = |money| Spent {
        money,
        ..Spent::default()
    };
    let taken = server.reserve("a", &limits, money(400)).await;
    assert_eq!(taken.expect("it is written"), Ok(()));

    let second = Store::open(&place).await.expect_err("there is one");
    let said = second.to_string();
    assert!(said.contains("another server runs"), "{said}");
    assert!(said.contains(&std::process::id().to_string()), "{said}");
    assert!(said.contains("DATABASE_URL"), "{said}");

    let settled = async |store: &Store| {
        let drawn = store.drawn("run 1").await.expect("it reads");
        drawn.settled().money
    };
    let command = Store::beside(&place).await.expect("it opens");
    assert_eq!(settled(&command).await, 0, "it is still on its way");
    command.close().await;
    assert_eq!(settled(&server).await, 0);
    server
        .settle("a", &limits, money(400), money(100))
        .await
        .expect("it is written");
    assert_eq!(settled(&server).await, 100);

    server.close().await;
    let next = Store::open(&place).await.expect("nobody is there any more");
    next.close().await;
}

#[tokio::test]
async fn a_call_that_another_server_sends_is_waited_for_until_that_server_is_gone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([one, other]) = two_servers(folder.path()).await else {
        return;
    };
    let run = with_run(&one).await;
    let (key, request) = (key(&run), Digest::of("sent"));
    let intend = async |server: &Store| {
        let intended = server.intend(&key, &request, now()).await;
        intended.expect("it is kept")
    };
    let stands = async |server: &Store| {
        let stands = server.elsewhere(&key, now()).await;
        stands.expect("it reads")
    };
    assert_eq!(intend(&one).await, Intended::Ours);
    assert_eq!(intend(&other).await, Intended::Elsewhere);
    assert_eq!(stands(&other).await, Elsewhere::Flying);

    let failed = answer(Reply::Failed(Failure::new(FailureClass::Timeout, "late")));
    let stale = other
        .answered(&key, &request, &failed, None)
        .await
        .expect("no error");
    assert_eq!(stale, None, "whose call it is not writes no failure");
    assert_eq!(stands(&other).await, Elsewhere::Flying);
    one.answered(&key, &request, &failed, None)
        .await
        .expect("it is kept");
    assert_eq!(
        stands(&other).await,
        Elsewhere::Answered(known(&key, &request, &failed))
    );

    assert_eq!(intend(&other).await, Intended::Ours, "after a failure");
    assert_eq!(intend(&one).await, Intended::Elsewhere);
    other.close().await;
    assert_eq!(stands(&one).await, Elsewhere::Left);
    assert_eq!(intend(&one).await, Intended::Ours);
    let said = answer(Reply::Said(Said::text("yes")));
    one.answered(&key, &request, &said, None)
        .await
        .expect("it is kept");
    let timings = one.timings(&run, None).await.expect("it reads");
    assert_eq!((timings[0].sent, timings[0].lost), (3, 1));
}
