//! Calls and what came back, as one server has them.

use turnwise_shared::prelude::*;

use super::*;

fn answered(key: &CallKey, request: &Digest, answer: &CallAnswer) -> Intended {
    Intended::Answered(known(key, request, answer))
}

#[tokio::test]
async fn an_answered_call_is_never_sent_again() {
    let store = fresh().await;
    let run = with_run(&store).await;
    let (key, request) = (key(&run), Digest::of("sent"));
    let intend = async |now| store.intend(&key, &request, now).await.expect("it is kept");
    assert_eq!(intend(1).await, Intended::Ours);
    assert_eq!(intend(2).await, Intended::Ours, "nobody knows what came back");
    let failed = answer(Reply::Failed(Failure::new(FailureClass::Timeout, "late")));
    store.answered(&key, &request, &failed, None).await.expect("it is kept");
    assert_eq!(intend(3).await, Intended::Ours, "a failure is no reply");
    let said = answer(Reply::Said(Said::text("yes")));
    store.answered(&key, &request, &said, None).await.expect("it is kept");
    let answered = answered(&key, &request, &said);
    assert_eq!(intend(4).await, answered);
    let other_request = store.intend(&key, &Digest::of("other"), 4).await;
    assert_eq!(other_request.expect("it reads"), answered, "with what was sent");
    let other = answer(Reply::Said(Said::text("no")));
    store.answered(&key, &request, &other, None).await.expect("no error");
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
    let store = fresh().await;
    let run = with_run(&store).await;
    let stranger: RunId = "f".repeat(32).parse().expect("an id");
    let request = Digest::of("sent");
    let keys: Vec<CallKey> = (0..600)
        .map(|call| CallKey {
            run: if call == 300 { stranger.clone() } else { run.clone() },
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
    let written = keys.iter().map(|key| store.answered(key, &request, &said, None));
    for (outcome, key) in futures::future::join_all(written).await.iter().zip(&keys) {
        assert_eq!(outcome.is_ok(), key.run == run, "{outcome:?}");
    }
    let timings = store.timings(&run, None).await.expect("it reads");
    assert_eq!(timings.len(), 599);
    assert!(timings.iter().all(|call| (call.sent, call.lost) == (1, 0)));
    // Calls that have their answer, and new ones among them.
    let mixed: Vec<CallKey> =
        (500..700).map(|call| CallKey { call: CallId(call), ..key(&run) }).collect();
    let sent = mixed.iter().map(|key| store.intend(key, &request, 2));
    for (outcome, key) in futures::future::join_all(sent).await.into_iter().zip(&mixed) {
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
