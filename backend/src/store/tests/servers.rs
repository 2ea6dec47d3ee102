//! Several servers over one database.

use turnwise_shared::prelude::*;

use super::*;
use crate::clock::now;

/// Two servers over one database; SQLite has one at a time.
pub(super) async fn two_servers(folder: &Path) -> Option<[Store; 2]> {
    let address = Secret::new(database::postgres(folder)?);
    let place = Database::server(address).expect("an address");
    let open = async || Store::open(&place).await.expect("it opens");
    Some([open().await, open().await])
}

#[tokio::test]
async fn what_another_server_has_on_its_way_may_come_back_until_that_server_is_gone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([one, other]) = two_servers(folder.path()).await else {
        return;
    };
    let limits =
        [Limit { budget: "run 1".into(), caps: Caps { money: Some(1000), ..Caps::default() } }];
    let money = |money| Spent { money, tokens: 5, calls: 1 };
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
    one.settle("a", &limits, money(400), money(100)).await.expect("it is written");
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
    let place = Database::File(folder.path().join("turnwise.db"));
    let server = Store::open(&place).await.expect("it opens");
    let limits = [Limit { budget: "run 1".into(), caps: Caps::default() }];
    let money = |money| Spent { money, ..Spent::default() };
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
    server.settle("a", &limits, money(400), money(100)).await.expect("it is written");
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
    let stale = other.answered(&key, &request, &failed, None).await.expect("no error");
    assert_eq!(stale, None, "whose call it is not writes no failure");
    assert_eq!(stands(&other).await, Elsewhere::Flying);
    one.answered(&key, &request, &failed, None).await.expect("it is kept");
    assert_eq!(stands(&other).await, Elsewhere::Answered(known(&key, &request, &failed)));

    assert_eq!(intend(&other).await, Intended::Ours, "after a failure");
    assert_eq!(intend(&one).await, Intended::Elsewhere);
    other.close().await;
    assert_eq!(stands(&one).await, Elsewhere::Left);
    assert_eq!(intend(&one).await, Intended::Ours);
    let said = answer(Reply::Said(Said::text("yes")));
    one.answered(&key, &request, &said, None).await.expect("it is kept");
    let timings = one.timings(&run, None).await.expect("it reads");
    assert_eq!((timings[0].sent, timings[0].lost), (3, 1));
}

#[tokio::test]
async fn a_server_whose_connections_are_all_busy_is_there_all_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([busy, other]) = two_servers(folder.path()).await else {
        return;
    };
    let ends = async || {
        let row = sqlx::query_as::<_, (i64,)>("SELECT ends FROM servers WHERE id = $1")
            .bind(busy.server.id())
            .fetch_one(&other.read)
            .await;
        row.expect("it reads").0
    };
    let mut held = Vec::new();
    while let Ok(Ok(one)) =
        tokio::time::timeout(std::time::Duration::from_millis(300), busy.write.pool().acquire())
            .await
    {
        held.push(one);
    }
    assert!(held.len() > 5, "{}", held.len());
    let before = ends().await;
    tokio::time::sleep(std::time::Duration::from_millis(4500)).await;
    assert!(ends().await > before, "it says that it is there");
}

#[tokio::test]
async fn a_table_is_ended_by_another_server_only_if_its_own_is_gone_and_then_by_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([host, other]) = two_servers(folder.path()).await else {
        return;
    };
    let run = RunId::new([3; 16]);
    let info = json!({
        "run": run, "title": "t", "benchmark": "b", "kind": "rated", "commitment": "0".repeat(64), "opened": 1,
        "clock": { "decision_seconds": 30, "bank_seconds": 10 }, "stage": "playing", "people": {}, "episodes": 1,
        "played": 0, "evidence": "",
    });
    let mut info: LiveInfo = serde_json::from_value(info).expect("a table");
    let secret = Digest::of("secret");
    host.add_live(&info, &secret).await.expect("it is kept");
    let takes = async |server: &Store, at: u64| {
        let taken = server.take_left_table(&run, at).await;
        taken.expect("it can be tried")
    };
    let hosts = async |server: &Store| server.hosts(&run).await.expect("it reads");
    assert!(!takes(&other, now()).await, "its server is there");
    assert!(hosts(&host).await);
    // Nothing was heard of it for too long.
    let late = now() + 60_000;
    assert!(takes(&other, late).await && hosts(&other).await);
    assert!(!hosts(&host).await, "it knows that it lost the table");
    let ends = async |server: &Store, title: &str, info: &mut LiveInfo| {
        info.title = title.into();
        server.end_live(info, 9).await.expect("it is tried");
        let kept = server.live(&run).await.expect("it reads");
        kept.expect("it is there").title
    };
    assert_eq!(ends(&other, "by the other", &mut info).await, "by the other");
    assert_eq!(ends(&host, "by its host", &mut info).await, "by the other");
    assert!(!takes(&host, late).await, "it is over");
}

#[tokio::test]
async fn a_sealed_task_is_answered_no_oftener_in_a_day_by_two_servers_than_by_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([one, other]) = two_servers(folder.path()).await else {
        return;
    };
    let task = Digest::of("task");
    let asks = async |server: &Store, id: &str| {
        let may = server.ask_over(id, &task, now() - 1000, 2).await;
        may.expect("it is written")
    };
    // The row under which they take turns.
    one.seal(&Digest::of("seal")).await.expect("it is kept");
    let at_once = ["a", "b", "c", "d", "e", "f"].map(async |id| {
        let server = if id < "d" { &one } else { &other };
        asks(server, id).await.then_some(id)
    });
    let let_in: Vec<&str> =
        futures::future::join_all(at_once).await.into_iter().flatten().collect();
    let [first, second] = let_in[..] else {
        panic!("{let_in:?}");
    };
    assert!(!asks(&one, "g").await && !asks(&other, "h").await);
    // What was answered counts; what broke off does not.
    let key = key(&with_run(&one).await);
    one.withhold(&key, &task, &[], now()).await.expect("it is kept");
    one.asked_over(first).await.expect("it is written");
    assert!(!asks(&other, "i").await);
    one.asked_over(second).await.expect("it is written");
    assert!(asks(&other, "j").await);
    // What a server had in its hands that is gone counts no longer.
    other.close().await;
    assert!(asks(&one, "k").await);
    assert!(!asks(&one, "l").await);
}
