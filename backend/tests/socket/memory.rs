//! Bytes that many pages together make the server hold.

use super::*;

/// A few replies of this size fill what the system buffers for a client that does not read.
const LARGE: usize = 400_000;

fn charged(trial: &Trial) -> usize {
    trial.server.service.app.bytes().charged()
}

#[tokio::test]
async fn before_hello_a_message_has_four_kilobytes() {
    let trial = trial(Vec::new()).await;
    for bytes in [5_000, 60_000, 900_000] {
        let text = "x".repeat(bytes);
        // One that is finished, one that never is, and one in several parts.
        for kind in ["whole", "unfinished", "parts"] {
            let mut page = trial.server.connect(None).await.expect("it connects");
            match kind {
                "whole" => page.say_text(&text).await,
                "unfinished" => page.say_unfinished(&text).await,
                _ => {
                    for _ in 0..5 {
                        page.say_unfinished(&text[..1000]).await;
                    }
                }
            }
            match page.next_or_close().await {
                Err(Some((code, reason))) => {
                    assert_eq!(code, 1009, "{kind} {bytes}: {reason}");
                    assert!(reason.contains("4096"), "{reason}");
                }
                // Where much was not read, the connection may break before the page hears why.
                Err(None) => assert!(bytes > 16_384, "{kind} {bytes}"),
                Ok(frame) => panic!("{kind} {bytes}: {frame:?}"),
            }
        }
    }
    assert_eq!(charged(&trial), 0);
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, search("x"), Stream::Whole).await;
    assert_eq!(page.about_a_call().await.0, 1, "a hello fits");
}

#[tokio::test]
async fn unfinished_messages_share_a_budget() {
    let trial = trial_within(1_000_000, Vec::new()).await;
    let text = "x".repeat(600_000);
    let mut first = trial.server.page(&trial.run).await;
    first.say_unfinished(&text).await;
    until(|| charged(&trial) > 500_000).await;
    let mut second = trial.server.page(&trial.run).await;
    second.say_unfinished(&text).await;
    let (code, reason) = second.closed().await;
    assert_eq!(code, 1013, "{reason}");
    // Over HTTP it is the same budget, and small requests get through.
    let service = &trial.server.service;
    let path = format!("/api/runs/{}/state", trial.run.run);
    let token = Some(trial.run.token.as_str());
    let long = json!({ "state": "open", "padding": text });
    let problem = service.post(&path, token, &long).await.error(503);
    assert_eq!(problem.code, "busy", "{problem:?}");
    let short = json!({ "state": "open" });
    assert_eq!(service.post(&path, token, &short).await.status, 200);
    let mut small = trial.server.page(&trial.run).await;
    small.call(1, &trial.run, search("x"), Stream::Whole).await;
    assert_eq!(small.about_a_call().await.0, 1);
    drop(first);
    until(|| charged(&trial) == 0).await;
    // A message of whitespace cannot be understood; but it is read.
    let mut third = trial.server.page(&trial.run).await;
    third.say_text(&text).await;
    assert_eq!(third.closed().await.0, 4400);
}

#[tokio::test]
async fn requests_of_open_calls_count_until_they_end() {
    let silence = Canned::Silence(Duration::from_secs(60));
    let trial = trial_within(1_500_000, vec![silence]).await;
    let mut page = trial.server.page(&trial.run).await;
    let text = "x".repeat(600_000);
    for id in 1..=2 {
        let request = question(&trial.spec, &format!("{id}{text}"));
        page.call(id, &trial.run, request, Stream::Whole).await;
    }
    until(|| charged(&trial) > 1_100_000).await;
    let mut other = trial.server.page(&trial.run).await;
    let request = question(&trial.spec, &format!("3{text}"));
    other.call(3, &trial.run, request, Stream::Whole).await;
    assert_eq!(other.closed().await.0, 1013);
    page.say(Frame::new(1, FrameBody::Cancel)).await;
    assert_eq!(page.about_a_call().await.0, 1);
    until(|| charged(&trial) < 600_000).await;
}

/// As many replies as there is room for are on their way at once, also to a page that reads and to scripts; all arrive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replies_on_their_way_share_their_room_and_all_arrive() {
    const CALLS: u64 = 60;
    let trial = trial_within(2_000_000, vec![Canned::text(&"y".repeat(LARGE))]).await;
    let mut page = trial.server.page(&trial.run).await;
    for id in 1..=CALLS {
        let request = question(&trial.spec, &format!("question {id}"));
        page.call(id, &trial.run, request, Stream::Whole).await;
    }
    let service = trial.server.service.clone();
    let script = async {
        for id in CALLS + 1..=CALLS + 5 {
            let call = asking(&trial.run, id, question(&trial.spec, &format!("question {id}")));
            let answer = service.call(&call).await;
            assert!(matches!(&answer.reply, Reply::Said(said) if said.bytes() == LARGE));
        }
    };
    let reading = async {
        let mut answered = BTreeSet::new();
        while answered.len() < usize::try_from(CALLS).expect("a few") {
            let (id, body) = page.about_a_call().await;
            assert_eq!(said(&body).map(str::len), Some(LARGE), "{id}");
            assert!(answered.insert(id), "{id} is answered once");
        }
    };
    tokio::join!(script, reading);
    until(|| charged(&trial) == 0).await;
}

#[tokio::test]
async fn replies_for_a_page_that_does_not_read_wait_in_the_ledger() {
    const CALLS: u64 = 30;
    let trial = trial(vec![Canned::text(&"y".repeat(LARGE))]).await;
    let app = &trial.server.service.app;
    let mut pages = Vec::new();
    for at in 0..2 {
        let mut page = trial.server.page(&trial.run).await;
        for id in at * CALLS + 1..=(at + 1) * CALLS {
            let request = question(&trial.spec, &format!("question {id}"));
            page.call(id, &trial.run, request, Stream::Whole).await;
        }
        pages.push(page);
    }
    let all = usize::try_from(2 * CALLS).expect("a few");
    until(|| trial.upstream.seen().len() == all && app.calls().flying() == 0).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    // Each has one large frame in the air at most.
    assert!(charged(&trial) <= 2 * (LARGE + 10_000), "{}", charged(&trial));
    for mut page in pages {
        let mut answered = BTreeSet::new();
        while answered.len() < usize::try_from(CALLS).expect("a few") {
            let (id, body) = page.about_a_call().await;
            assert_eq!(said(&body).map(str::len), Some(LARGE), "{id}");
            assert!(answered.insert(id), "{id} is answered once");
        }
    }
    assert_eq!(trial.upstream.seen().len(), all, "nothing is paid twice");
    until(|| charged(&trial) == 0).await;
}
