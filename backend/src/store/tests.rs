use std::path::Path;

use serde_json::json;
use turnwise_shared::effect::{Failure, FailureClass, Reply};
use turnwise_shared::episode::CallId;
use turnwise_shared::hash::Digest;
use turnwise_shared::prompt::Said;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::budgets::{Caps, Spent};
use turnwise_shared::wire::{CallAnswer, CallKey, RunId, RunState, Timing};

use super::*;
use crate::egress::now;
use crate::secret::Secret;

#[path = "../../tests/common/database.rs"]
mod database;
mod driven;

/// On PostgreSQL where the tests have one, else in the folder.
fn place(folder: &Path) -> Place {
    match database::address(folder) {
        Some(address) => Place::server(Secret::new(address)).expect("an address"),
        None => Place::File(folder.join("turnwise.db")),
    }
}

async fn store(folder: &Path) -> Store {
    Store::open(&place(folder)).await.expect("it opens")
}

async fn with_run(store: &Store) -> RunId {
    let spec = json!({
        "benchmark": "b", "protocol": 1, "profile": "strict", "settings": {}, "subset": {}, "budget": { "calls": 5 },
        "tasks": { "name": "samples", "digest": "0".repeat(64) },
        "pack": { "name": "p", "digest": "0".repeat(64) },
        "seats": {}, "seed": 1, "repeats": 1,
    });
    let run = RunId::new([7; 16]);
    let new = NewRun {
        run: run.clone(),
        token: Digest::of("token"),
        title: "title".into(),
        spec: serde_json::from_value(spec).expect("a spec"),
        opened: 5,
        episodes: 2,
        regrades: None,
        branch_of: None,
        visibility: Default::default(),
    };
    store.add_run(&new).await.expect("it is kept");
    run
}

fn key(run: &RunId) -> CallKey {
    CallKey {
        run: run.clone(),
        episode: episode(),
        call: CallId(1),
        digest: Digest::of("request"),
    }
}

fn episode() -> EpisodeKey {
    EpisodeKey::play(&"1".into(), 1)
}

fn head(lines: u64, of: &str) -> Head {
    Head {
        lines,
        chain: Digest::of(of),
    }
}

fn answer(reply: Reply) -> CallAnswer {
    CallAnswer {
        reply,
        timing: Timing {
            started: 9,
            took: 3,
            attempts: 1,
            ..Timing::default()
        },
    }
}

/// Whether a transcript of a run that nobody has ever driven goes on like that.
async fn kept(store: &Store, run: &RunId, episode: &EpisodeKey, change: &Change<'_>) -> bool {
    let changed = store.change(run, episode, change, None).await;
    changed.expect("no error") == Changed::Kept
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = store(folder.path()).await;
    let run = with_run(&first).await;
    first
        .set_state(&run, RunState::Cancelled)
        .await
        .expect("it is kept");
    first.close().await;
    let again = store(folder.path()).await;
    let found = again
        .run(&run)
        .await
        .expect("it reads")
        .expect("it is there");
    assert_eq!((found.title.as_str(), found.opened), ("title", 5));
    assert_eq!(found.state, RunState::Cancelled);
    assert_eq!((found.finished, found.accuracy), (0, None));
    let head = again.run_head(&run).await.expect("it reads");
    assert_eq!(head.expect("it is there").token, Digest::of("token"));
    assert_eq!(again.runs(6, 10).await.expect("it reads").len(), 1);
    assert!(again.runs(5, 10).await.expect("it reads").is_empty());
    let nobody = again.run(&RunId::new([8; 16])).await.expect("it reads");
    assert!(nobody.is_none());
}

#[tokio::test]
async fn a_transcript_goes_on_only_from_where_it_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = store(folder.path()).await;
    let run = with_run(&store).await;
    let episode = episode();
    assert_eq!(
        store.transcript(&run, &episode).await.expect("it reads"),
        None
    );
    let first = Change {
        before: None,
        from: 0,
        cut: None,
        added: "a\nb\n",
        after: head(2, "b"),
        bytes: 4,
        ending: None,
        now: 1,
    };
    assert!(kept(&store, &run, &episode, &first).await);
    assert!(!kept(&store, &run, &episode, &first).await, "twice");
    let second = Change {
        before: Some(head(2, "b")),
        from: 2,
        added: "c\n",
        after: head(3, "c"),
        bytes: 6,
        ending: Some("incomplete"),
        ..first
    };
    assert!(kept(&store, &run, &episode, &second).await);
    assert!(!kept(&store, &run, &episode, &second).await, "stale");
    let read = store.transcript(&run, &episode).await.expect("it reads");
    assert_eq!(read, Some(("a\nb\nc\n".into(), head(3, "c"))));
    assert_eq!(store.bytes(&run).await.expect("it reads"), 6);
    let heads = store.heads(&run).await.expect("it reads");
    assert_eq!(heads[0].ending.as_deref(), Some("incomplete"));
    assert_eq!(
        store
            .run(&run)
            .await
            .expect("it reads")
            .expect("there")
            .finished,
        1
    );
}

#[tokio::test]
async fn what_is_cut_off_is_kept_as_a_branch() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = store(folder.path()).await;
    let run = with_run(&store).await;
    let episode = episode();
    let first = Change {
        before: None,
        from: 0,
        cut: None,
        added: "a\nb\nfailed\n",
        after: head(3, "failed"),
        bytes: 11,
        ending: Some("incomplete"),
        now: 1,
    };
    assert!(kept(&store, &run, &episode, &first).await);
    let other = Change {
        before: Some(head(3, "failed")),
        from: 2,
        cut: Some(("a\nb\n", "failed\n")),
        added: "c\n",
        after: head(3, "c"),
        bytes: 6,
        ending: None,
        now: 2,
    };
    assert!(kept(&store, &run, &episode, &other).await);
    let read = store.transcript(&run, &episode).await.expect("it reads");
    assert_eq!(read, Some(("a\nb\nc\n".into(), head(3, "c"))));
    let branch = sqlx::query_as::<_, (i64, String)>("SELECT line, text FROM branches")
        .fetch_one(&store.read)
        .await
        .expect("it reads");
    assert_eq!(branch, (2, "failed\n".to_owned()));
}

#[tokio::test]
async fn an_answered_call_is_never_sent_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = store(folder.path()).await;
    let run = with_run(&store).await;
    let (key, request) = (key(&run), Digest::of("sent"));
    let intend = async |now| store.intend(&key, &request, now).await.expect("it is kept");
    assert_eq!(intend(1).await, Intended::Ours);
    assert_eq!(
        intend(2).await,
        Intended::Ours,
        "nobody knows what came back"
    );
    let failed = answer(Reply::Failed(Failure::new(FailureClass::Timeout, "late")));
    store
        .answered(&key, &request, &failed)
        .await
        .expect("it is kept");
    assert_eq!(intend(3).await, Intended::Ours, "a failure is no reply");
    let said = answer(Reply::Said(Said::text("yes")));
    store
        .answered(&key, &request, &said)
        .await
        .expect("it is kept");
    let answered = answered(&key, &request, &said);
    assert_eq!(intend(4).await, answered);
    let other_request = store.intend(&key, &Digest::of("other"), 4).await;
    assert_eq!(
        other_request.expect("it reads"),
        answered,
        "with what was sent"
    );
    let other = answer(Reply::Said(Said::text("no")));
    store
        .answered(&key, &request, &other)
        .await
        .expect("no error");
    assert_eq!(intend(5).await, answered, "the first reply stands");
    let timings = store.timings(&run, None).await.expect("it reads");
    assert_eq!((timings[0].sent, timings[0].lost), (3, 1));
    assert_eq!((timings[0].timing.started, timings[0].timing.took), (9, 3));
    let of = async |episode| store.timings(&run, Some(episode)).await.expect("it reads");
    assert_eq!(of(&key.episode).await, timings);
    assert!(of(&key.episode.grading()).await.is_empty());
}

#[tokio::test]
async fn calls_that_come_at_once_are_all_kept_and_one_that_cannot_be_keeps_none_from_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = store(folder.path()).await;
    let run = with_run(&store).await;
    let stranger: RunId = "f".repeat(32).parse().expect("an id");
    let request = Digest::of("sent");
    let keys: Vec<CallKey> = (0..600)
        .map(|call| CallKey {
            run: if call == 300 {
                stranger.clone()
            } else {
                run.clone()
            },
            call: CallId(call),
            ..key(&run)
        })
        .collect();
    let sent = keys.iter().map(|key| store.intend(key, &request, 1));
    for (outcome, key) in futures::future::join_all(sent).await.into_iter().zip(&keys) {
        match outcome {
            Ok(before) => assert_eq!((before, &key.run), (Intended::Ours, &run)),
            Err(_) => assert_eq!(key.run, stranger, "only a run that is not there is refused"),
        }
    }
    let said = answer(Reply::Said(Said::text("yes")));
    let written = keys.iter().map(|key| store.answered(key, &request, &said));
    for (outcome, key) in futures::future::join_all(written).await.iter().zip(&keys) {
        assert_eq!(outcome.is_ok(), key.run == run, "{outcome:?}");
    }
    let timings = store.timings(&run, None).await.expect("it reads");
    assert_eq!(timings.len(), 599);
    assert!(timings.iter().all(|call| (call.sent, call.lost) == (1, 0)));
    // Calls that have their answer, and new ones among them.
    let mixed: Vec<CallKey> = (500..700)
        .map(|call| CallKey {
            call: CallId(call),
            ..key(&run)
        })
        .collect();
    let sent = mixed.iter().map(|key| store.intend(key, &request, 2));
    for (outcome, key) in futures::future::join_all(sent)
        .await
        .into_iter()
        .zip(&mixed)
    {
        let wanted = match key.call.0 {
            ..600 => answered(key, &request, &said),
            _ => Intended::Ours,
        };
        assert_eq!(outcome.expect("it is kept"), wanted);
    }
    let timings = store.timings(&run, None).await.expect("it reads");
    assert_eq!(timings.len(), 699);
    assert!(timings.iter().all(|call| (call.sent, call.lost) == (1, 0)));
}

fn answered(key: &CallKey, request: &Digest, answer: &CallAnswer) -> Intended {
    Intended::Answered(known(key, request, answer))
}

fn known(key: &CallKey, request: &Digest, answer: &CallAnswer) -> Box<Answered> {
    Box::new(Answered {
        key: key.clone(),
        sent: *request,
        answer: answer.clone(),
    })
}

/// Two servers over one database; SQLite has one at a time.
async fn two_servers(folder: &Path) -> Option<[Store; 2]> {
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
        .answered(&key, &request, &failed)
        .await
        .expect("no error");
    assert_eq!(stale, None, "whose call it is not writes no failure");
    assert_eq!(stands(&other).await, Elsewhere::Flying);
    one.answered(&key, &request, &failed)
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
    one.answered(&key, &request, &said)
        .await
        .expect("it is kept");
    let timings = one.timings(&run, None).await.expect("it reads");
    assert_eq!((timings[0].sent, timings[0].lost), (3, 1));
}

#[tokio::test]
async fn a_long_text_that_many_episodes_have_is_stored_once_and_all_come_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = store(folder.path()).await;
    let run = with_run(&store).await;
    let page = "a page that was found ".repeat(5_000);
    let text = |number: usize| format!("{{\"n\":{number},\"page\":\"{page}\"}}\n{{}}\n");
    let mut keys = Vec::new();
    for number in 0..6 {
        let episode = EpisodeKey::play(&format!("{number}").as_str().into(), 1);
        let text = text(number);
        let change = Change {
            before: None,
            from: 0,
            cut: None,
            added: &text,
            after: head(2, "end"),
            bytes: u64::try_from(text.len()).expect("it is small"),
            ending: Some("incomplete"),
            now: 1,
        };
        let changed = store.change(&run, &episode, &change, None).await;
        assert_eq!(changed.expect("it is kept"), Changed::Kept);
        keys.push(episode);
    }
    for (number, episode) in keys.iter().enumerate() {
        let read = store.transcript(&run, episode).await.expect("it reads");
        assert!(read == Some((text(number), head(2, "end"))));
    }
    let first = store.texts(&run, None, 4).await.expect("it reads");
    assert_eq!(first.len(), 4);
    let rest = store.texts(&run, Some(&first[3].0), 4).await;
    let all: Vec<_> = first.into_iter().chain(rest.expect("it reads")).collect();
    assert!(all.into_iter().map(|(_, text)| text).eq((0..6).map(text)));
    let raw: usize = (0..6).map(|number| text(number).len()).sum();
    let bytes = store.bytes(&run).await.expect("it reads");
    assert_eq!(usize::try_from(bytes), Ok(raw));
    let (blobs, kept, pieces) = sqlx::query_as::<_, (i64, i64, i64)>(
        "SELECT COUNT(*), CAST(SUM(LENGTH(body)) AS BIGINT), (SELECT COUNT(*) FROM pieces) FROM blobs",
    )
    .fetch_one(&store.read)
    .await
    .expect("it reads");
    assert_eq!((blobs, pieces), (7, 0), "the page and six frames");
    assert!(
        usize::try_from(kept).is_ok_and(|kept| kept < raw / 100),
        "{kept} of {raw}"
    );

    // It is taken up at its second line: everything comes back, and the rest is a branch.
    let whole = text(0);
    let change = Change {
        before: Some(head(2, "end")),
        from: 1,
        cut: Some(whole.split_at(whole.len() - 3)),
        added: "{\"other\":1}\n",
        after: head(2, "other"),
        bytes: 1,
        ending: None,
        now: 2,
    };
    let changed = store.change(&run, &keys[0], &change, None).await;
    assert_eq!(changed.expect("it is kept"), Changed::Kept);
    let (read, _) = store
        .transcript(&run, &keys[0])
        .await
        .expect("it reads")
        .expect("it is there");
    assert!(read == whole.replace("{}\n", "{\"other\":1}\n"));
}
