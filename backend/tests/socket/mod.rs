//! The socket as a page uses it, and, in `rules`, as no page should.

mod memory;
mod rules;

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Error;
use turnwise_backend::outbound::Heard;
use turnwise_shared::wire::{Frame, FrameBody};

use crate::common::socket::{key, question, said, search};
use crate::common::upstream::delta;
use crate::common::*;

struct Trial {
    server: Listening,
    upstream: Upstream,
    spec: Spec,
    run: Opened,
    _folder: Folder,
}

async fn trial(answers: Vec<Canned>) -> Trial {
    trial_within(256_000_000, answers).await
}

/// The same with this many bytes for what clients make the server hold.
async fn trial_within(bytes: usize, answers: Vec<Canned>) -> Trial {
    let upstream = Upstream::start(answers).await;
    let folder = folder();
    let mut config = config(folder.path(), &upstream.base_url(), "");
    config.limits.client_bytes = bytes;
    let server = Listening::start(config).await;
    let spec = trial_spec(3);
    let run = server.service.open_run(&spec, 3).await;
    Trial { server, upstream, spec, run, _folder: folder }
}

#[tokio::test]
async fn a_call_is_answered_and_credit_comes_back() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    assert!(page.credit >= 64);
    page.call(7, &trial.run, question(&trial.spec, "old?"), Stream::Whole).await;
    let reply = page.next().await;
    assert_eq!((reply.v, reply.id, said(&reply.body)), (1, 7, Some("yes")));
    page.say(Frame::new(7, FrameBody::Ack)).await;
    assert_eq!(page.next().await.body, FrameBody::Credit { calls: 1 });
    page.call(8, &trial.run, search("sport with sticks"), Stream::Whole).await;
    let (id, body) = page.about_a_call().await;
    assert_eq!(id, 8);
    assert!(
        matches!(body, FrameBody::Reply { reply: Reply::Found { hits, .. }, .. } if hits.len() == 5)
    );
}

#[tokio::test]
async fn hundreds_of_calls_share_one_connection() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    for id in 1..=400 {
        let text = format!("question {id}");
        let request = if id % 2 == 0 { question(&trial.spec, &text) } else { search(&text) };
        page.call(id, &trial.run, request, Stream::Whole).await;
    }
    let mut answered = BTreeSet::new();
    while answered.len() < 400 {
        let (id, body) = page.about_a_call().await;
        assert!(matches!(body, FrameBody::Reply { .. }), "{body:?}");
        assert!(answered.insert(id), "{id} is answered once");
    }
    assert_eq!(trial.upstream.seen().len(), 200);
}

#[tokio::test]
async fn a_cancel_hangs_up_and_the_call_can_be_made_again() {
    let silence = Canned::Silence(Duration::from_secs(60));
    let trial = trial(vec![silence, Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, question(&trial.spec, "old?"), Stream::Whole).await;
    until(|| !trial.upstream.seen().is_empty()).await;
    page.say(Frame::new(1, FrameBody::Cancel)).await;
    let (id, body) = page.about_a_call().await;
    let FrameBody::Failed { failure, .. } = body else { panic!("{body:?}") };
    assert_eq!((id, failure.class), (1, FailureClass::Cancelled));
    // The same call under another number of this connection.
    let body = FrameBody::Call {
        key: key(&trial.run, 1),
        request: question(&trial.spec, "old?"),
        stream: Stream::Whole,
    };
    page.say(Frame::new(2, body)).await;
    let (id, body) = page.about_a_call().await;
    assert_eq!((id, said(&body)), (2, Some("yes")));
    page.say(Frame::new(99, FrameBody::Cancel)).await;
    page.call(3, &trial.run, search("x"), Stream::Whole).await;
    assert_eq!(page.about_a_call().await.0, 3, "a cancel that comes too late does no harm");
}

#[tokio::test]
async fn whoever_has_heard_a_piece_cannot_ask_for_another_answer() {
    let go_on = Arc::new(Notify::new());
    let events =
        vec![delta(Some("it is "), None), delta(Some("old"), None), delta(None, Some("stop"))];
    let held = Canned::Held(events, Arc::clone(&go_on));
    let trial = trial(vec![held, Canned::text("it is new")]).await;
    let app = &trial.server.service.app;
    let run = app.store().run_head(&trial.run.run).await;
    let run = run.expect("it reads").expect("it is open");
    let call = |stream| {
        let request = question(&trial.spec, "old?");
        let waiting = app.calls().make(&run, key(&trial.run, 1), request, stream, None);
        waiting.expect("it belongs to the run")
    };
    let mut first = call(Stream::Pieces);
    assert!(matches!(first.hear(Stream::Pieces).await, Heard::Piece(_)));
    first.canceller().cancel();
    let mut second = call(Stream::Whole);
    go_on.notify_one();
    for waiting in [&mut first, &mut second] {
        let answer = waiting.answer().await;
        let Reply::Said(said) = &answer.reply else {
            panic!("{answer:?}");
        };
        assert_eq!(said.text.as_deref(), Some("it is old"));
    }
    assert_eq!(trial.upstream.seen().len(), 1);
}

#[tokio::test]
async fn a_call_that_goes_down_is_down_before_the_same_is_sent_again() {
    let silence = Canned::Silence(Duration::from_secs(60));
    let trial = trial(vec![silence, Canned::text("yes")]).await;
    let calls = trial.server.service.app.calls();
    // A page that went away without a word wants nothing any more.
    let mut gone = trial.server.page(&trial.run).await;
    gone.call(1, &trial.run, question(&trial.spec, "old?"), Stream::Whole).await;
    until(|| trial.upstream.seen().len() == 1).await;
    drop(gone);
    until(|| calls.listeners() == 0).await;
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, question(&trial.spec, "old?"), Stream::Whole).await;
    page.say(Frame::new(1, FrameBody::Cancel)).await;
    let body = FrameBody::Call {
        key: key(&trial.run, 1),
        request: question(&trial.spec, "old?"),
        stream: Stream::Whole,
    };
    page.say(Frame::new(2, body)).await;
    let mut answered = Vec::new();
    while answered.len() < 2 {
        answered.push(page.about_a_call().await);
    }
    answered.sort_by_key(|(id, _)| *id);
    assert!(
        matches!(&answered[0].1, FrameBody::Failed { failure, .. } if failure.class == FailureClass::Cancelled),
        "{answered:?}"
    );
    assert_eq!(said(&answered[1].1), Some("yes"));
    assert_eq!(trial.upstream.seen().len(), 2);
    let timings = trial.server.service.app.store().timings(&trial.run.run, None);
    let timings = timings.await.expect("they are read");
    assert_eq!((timings[0].sent, timings[0].lost), (2, 0));
}

#[tokio::test]
async fn a_call_that_is_called_off_while_it_waits_lets_nobody_pass_before_it() {
    let silence = Canned::Silence(Duration::from_secs(60));
    let trial = trial(vec![silence, Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    let call = |id| {
        let body = FrameBody::Call {
            key: key(&trial.run, 1),
            request: question(&trial.spec, "old?"),
            stream: Stream::Whole,
        };
        Frame::new(id, body)
    };
    page.say(call(1)).await;
    until(|| trial.upstream.seen().len() == 1).await;
    let cancel = |id| Frame::new(id, FrameBody::Cancel);
    let frames = [cancel(1), call(2), cancel(2), call(3)];
    let frames = frames.map(|frame| serde_json::to_string(&frame).expect("JSON"));
    page.say_text(&frames.join("\n")).await;
    let mut answered = Vec::new();
    while answered.len() < 3 {
        answered.push(page.about_a_call().await);
    }
    answered.sort_by_key(|(id, _)| *id);
    for (_, body) in &answered[..2] {
        assert!(
            matches!(body, FrameBody::Failed { failure, .. } if failure.class == FailureClass::Cancelled),
            "{answered:?}"
        );
    }
    assert_eq!(said(&answered[2].1), Some("yes"));
    let store = trial.server.service.app.store();
    let timings = store.timings(&trial.run.run, None).await;
    let timings = timings.expect("they are read");
    assert_eq!((timings[0].sent, timings[0].lost), (2, 0));
}

#[tokio::test]
async fn what_was_answered_while_the_page_was_away_is_not_paid_for_twice() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, question(&trial.spec, "old?"), Stream::Whole).await;
    // Only what has gone out outlives the page.
    until(|| !trial.upstream.seen().is_empty()).await;
    drop(page);
    let calls = trial.server.service.app.calls();
    until(|| calls.flying() == 0).await;
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, question(&trial.spec, "old?"), Stream::Whole).await;
    let (_, body) = page.about_a_call().await;
    let FrameBody::Reply { timing, .. } = &body else { panic!("{body:?}") };
    assert!(timing.from_ledger);
    assert_eq!((said(&body), trial.upstream.seen().len()), (Some("yes"), 1));
}

#[tokio::test]
async fn text_comes_in_pieces_where_it_is_wanted() {
    let mut events: Vec<_> = (0..40).map(|n| delta(Some(&format!("{n} ")), None)).collect();
    events.push(delta(None, Some("stop")));
    let whole: String = (0..40).map(|n| format!("{n} ")).collect();
    let trial = trial(vec![Canned::Events(events)]).await;
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, question(&trial.spec, "count"), Stream::Pieces).await;
    let mut heard = String::new();
    loop {
        match page.about_a_call().await.1 {
            FrameBody::Piece { text } => heard.push_str(&text),
            reply => {
                assert_eq!(said(&reply), Some(whole.as_str()));
                break;
            }
        }
    }
    assert!(whole.starts_with(&heard), "pieces are a part of the text in its order: {heard}");
    assert_eq!(trial.upstream.seen()[0].body["stream"], json!(true));
}

#[tokio::test]
async fn calls_beyond_the_permits_wait_and_go_with_the_page() {
    let silence = || Canned::Silence(Duration::from_secs(60));
    let trial = trial(vec![silence(), Canned::text("yes"), silence()]).await;
    let app = &trial.server.service.app;
    let seen = || trial.upstream.seen().len();
    let mut page = trial.server.page(&trial.run).await;
    let permits = |calls| Frame::new(0, FrameBody::Permits { calls });
    page.say(permits(1)).await;
    for id in 1..=4 {
        let request = question(&trial.spec, &format!("question {id}"));
        page.call(id, &trial.run, request, Stream::Whole).await;
    }
    until(|| app.calls().flying() == 4 && seen() == 1).await;
    page.say(Frame::new(3, FrameBody::Cancel)).await;
    let (id, body) = page.about_a_call().await;
    assert!(
        matches!((id, &body), (3, FrameBody::Failed { failure, .. }) if failure.class == FailureClass::Cancelled),
        "{id} {body:?}"
    );
    assert_eq!(seen(), 1, "what waited was never sent");
    page.say(permits(2)).await;
    let (id, body) = page.about_a_call().await;
    assert_eq!((id, said(&body)), (2, Some("yes")));
    until(|| seen() == 3).await;
    page.say(permits(0)).await;
    let request = question(&trial.spec, "question 5");
    page.call(5, &trial.run, request, Stream::Whole).await;
    until(|| app.calls().flying() == 3).await;
    drop(page);
    until(|| app.calls().flying() == 2).await;
    assert_eq!(seen(), 3, "only what had gone out outlives the page");
}

async fn until(holds: impl Fn() -> bool) {
    for _ in 0..3000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not come to hold");
}
