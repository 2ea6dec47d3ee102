//! What no client may do with a socket, and what it says when it ends.

use super::*;

#[tokio::test]
async fn a_call_that_does_not_belong_here_fails_and_the_others_go_on() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    let other = trial.server.service.open_run(&trial.spec, 3).await;
    page.call(1, &other, search("x"), Stream::Whole).await;
    let (id, body) = page.about_a_call().await;
    let FrameBody::Failed { failure, .. } = body else { panic!("{body:?}") };
    assert_eq!((id, failure.class), (1, FailureClass::Rejected));
    page.call(2, &trial.run, search("x"), Stream::Whole).await;
    assert_eq!(page.about_a_call().await.0, 2);
}

#[tokio::test]
async fn a_run_that_is_over_takes_no_call_over_a_socket_that_was_open_before() {
    for state in ["closed", "cancelled", "withdrawn"] {
        let trial = trial(vec![Canned::text("yes")]).await;
        let mut page = trial.server.page(&trial.run).await;
        let ask = |text: &str| question(&trial.spec, text);
        page.call(1, &trial.run, ask("old?"), Stream::Whole).await;
        assert_eq!(said(&page.about_a_call().await.1), Some("yes"));
        let path = format!("/api/runs/{}/state", trial.run.run);
        let token = Some(trial.run.token.as_str());
        let service = &trial.server.service;
        let came = service.post(&path, token, &json!({ "state": state })).await;
        assert_eq!(came.status, 200, "{state}");
        page.call(2, &trial.run, ask("new?"), Stream::Whole).await;
        let (id, body) = page.about_a_call().await;
        let FrameBody::Failed { failure, .. } = body else { panic!("{state}: {body:?}") };
        assert_eq!((id, failure.class), (2, FailureClass::Rejected), "{state}");
        assert_eq!(trial.upstream.seen().len(), 1, "{state}: nothing is paid");
    }
}

#[tokio::test]
async fn nothing_but_a_sound_hello_opens_a_conversation() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let hello = |run: &str, token: &str| {
        json!({ "v": 1, "id": 0, "kind": "hello", "run": run, "token": token }).to_string()
    };
    let run = trial.run.run.to_string();
    for (text, code) in [
        (hello(&run, "wrong"), 4401),
        (hello(&"0".repeat(32), &trial.run.token), 4401),
        (hello("../..", &trial.run.token), 4400),
        (json!({ "v": 1, "id": 0, "kind": "hello", "run": run }).to_string(), 4401),
        (json!({ "v": 1, "id": 0, "kind": "hello" }).to_string(), 4400),
        (
            json!({ "v": 2, "id": 0, "kind": "hello", "run": run, "token": trial.run.token })
                .to_string(),
            4400,
        ),
        (json!({ "v": 1, "id": 1, "kind": "ack" }).to_string(), 4400),
        ("hello".to_owned(), 4400),
    ] {
        let mut page = trial.server.connect(None).await.expect("it connects");
        page.say_text(&text).await;
        let (closed, reason) = page.closed().await;
        assert_eq!(closed, code, "{text}: {reason}");
        assert!(!reason.is_empty() && !reason.contains(&trial.run.token), "{reason}");
    }
}

#[tokio::test]
async fn frames_that_cannot_be_understood_end_the_conversation_and_nothing_else() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let call = json!({
        "v": 1, "id": 1, "kind": "call", "key": key(&trial.run, 1),
        "request": { "outgoing": "search", "engine": "local", "query": { "text": "x", "results": 5 } },
    });
    let mut extra = call.clone();
    extra["request"]["query"]["limit"] = json!(1);
    let mut zero = call.clone();
    zero["id"] = json!(0);
    let hello =
        json!({ "v": 1, "id": 0, "kind": "hello", "run": trial.run.run, "token": trial.run.token });
    let piece = json!({ "v": 1, "id": 1, "kind": "piece", "text": "x" });
    for text in [
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "{}".to_owned(),
        "\u{0}\u{1}".to_owned(),
        "[".repeat(100_000),
        format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100)),
        json!({ "v": 1, "id": 1, "kind": "shout" }).to_string(),
        json!({ "v": 1, "id": -1, "kind": "ack" }).to_string(),
        json!({ "v": 1, "id": 1e99, "kind": "ack" }).to_string(),
        extra.to_string(),
        zero.to_string(),
        hello.to_string(),
        piece.to_string(),
    ] {
        let mut page = trial.server.page(&trial.run).await;
        page.say_text(&text).await;
        let (code, reason) = page.closed().await;
        assert_eq!(code, 4400, "{text:.80}: {reason}");
        assert!(!reason.is_empty());
    }
    let mut page = trial.server.page(&trial.run).await;
    page.say_bytes(vec![1, 2, 3]).await;
    assert_eq!(page.closed().await.0, 4400);
    let mut page = trial.server.page(&trial.run).await;
    page.say_text(&"x".repeat(1_000_001)).await;
    assert_eq!(page.closed().await.0, 1009);
    let mut page = trial.server.page(&trial.run).await;
    page.say_text(&call.to_string()).await;
    assert_eq!(page.about_a_call().await.0, 1, "the server goes on");
}

#[tokio::test]
async fn frames_may_share_a_message_and_credit_comes_back_in_lots() {
    let trial = trial(Vec::new()).await;
    let mut page = trial.server.page(&trial.run).await;
    let calls: Vec<String> = (1..=300)
        .map(|id| {
            let body = FrameBody::Call {
                key: crate::common::socket::key(&trial.run, id),
                request: search("sport with sticks"),
                stream: Stream::Whole,
            };
            serde_json::to_string(&Frame::new(id, body)).expect("JSON")
        })
        .collect();
    page.say_text(&calls.join("\n")).await;
    let (mut answered, mut returned, mut lots) = (0, 0, 0);
    while returned < 300 {
        match page.next().await.body {
            FrameBody::Reply { .. } => answered += 1,
            FrameBody::Credit { calls } => {
                returned += calls;
                lots += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((answered, returned), (300, 300));
    assert!(lots < 100, "{lots}");
    let broken = format!("{}\n{{", calls[0].replacen("\"id\":1", "\"id\":301", 1));
    page.say_text(&broken).await;
    assert_eq!(page.closed().await.0, 4400);
}

#[tokio::test]
async fn no_call_goes_beyond_its_credit() {
    let silence = Canned::Silence(Duration::from_secs(60));
    let trial = trial(vec![silence]).await;
    let mut page = trial.server.page(&trial.run).await;
    let credit = u64::from(page.credit);
    for id in 1..=credit + 1 {
        page.call(id, &trial.run, question(&trial.spec, &id.to_string()), Stream::Whole).await;
    }
    assert_eq!(page.closed().await.0, 4429);
}

#[tokio::test]
async fn whoever_pings_without_end_is_let_go() {
    let trial = trial(Vec::new()).await;
    let mut page = trial.server.connect(None).await.expect("it connects");
    page.pings(500).await;
    assert_eq!(page.closed().await.0, 1008, "before hello");
    let mut page = trial.server.page(&trial.run).await;
    page.pings(100).await;
    page.call(1, &trial.run, search("x"), Stream::Whole).await;
    assert_eq!(page.about_a_call().await.0, 1, "some may come");
    page.pings(500).await;
    assert_eq!(page.closed().await.0, 1008, "after hello");
}

#[tokio::test]
async fn whoever_reads_nothing_is_let_go() {
    let trial = trial(Vec::new()).await;
    let other = trial.server.service.open_run(&trial.spec, 3).await;
    let mut page = trial.server.page(&trial.run).await;
    let refused: Vec<String> = (1..=1000)
        .map(|id| {
            let body = FrameBody::Call {
                key: key(&other, id),
                request: search("x"),
                stream: Stream::Whole,
            };
            serde_json::to_string(&Frame::new(id, body)).expect("JSON")
        })
        .collect();
    let refused = refused.join("\n");
    // Until the answers fill what the system keeps of them, and the server reads no further.
    while tokio::time::timeout(Duration::from_secs(3), page.say_text(&refused)).await.is_ok() {}
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
    let close = loop {
        if let Err(close) = page.next_or_close().await {
            break close;
        }
    };
    assert_eq!(close, None, "it breaks: nobody would read why");
    let mut page = trial.server.page(&trial.run).await;
    page.call(1, &trial.run, search("x"), Stream::Whole).await;
    assert_eq!(page.about_a_call().await.0, 1, "the server goes on");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_connect() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let ours = format!("http://{}", trial.server.addr);
    assert!(trial.server.connect(Some(&ours)).await.is_ok());
    for origin in ["http://evil.example", "http://localhost:1", "null"] {
        match trial.server.connect(Some(origin)).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 403, "{origin}"),
            Ok(_) => panic!("{origin} was let in"),
            Err(other) => panic!("{origin}: {other}"),
        }
    }
}

#[tokio::test]
async fn a_server_that_stops_says_so() {
    let trial = trial(vec![Canned::text("yes")]).await;
    let mut page = trial.server.page(&trial.run).await;
    trial.server.service.app.stop();
    assert_eq!(page.closed().await.0, 1001);
    tokio::time::timeout(Duration::from_secs(5), trial.server.service.app.close())
        .await
        .expect("nothing is in the air");
}
