//! A killed server loses nothing that was answered.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Method;
use turnwise_shared::prelude::*;
use turnwise_shared::run::Action;
use turnwise_tests::asking::Asking;
use turnwise_tests::played::{call_of, drive, planned, spec, take_up};
use turnwise_tests::server::{Server, needed_program};
use turnwise_tests::upstream::{Script, Upstream};

use super::to_value;

/// A run whose page goes away with the server: what a page would do, less the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_nothing_that_was_answered() {
    let Some(program) = needed_program() else { return };
    let upstream =
        Upstream::start(Script { latency: Duration::from_millis(60), ..Script::default() }).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = upstream.base_url();
    let variables = [("TURNWISE_PROVIDER_UP_BASE_URL", url.as_str())];
    let spec = spec("up", 4);

    let server = Server::start(&program, folder.path(), &variables);
    let asking = Asking::new(&server);
    let opened = asking.open(&spec, 4).await;
    let mut run = planned(&spec);
    let mut answered = BTreeMap::new();
    drive(&asking, &opened, &mut run, &mut answered, 25).await;
    // One more call is on its way when the server is killed; its answer is not.
    upstream.hold();
    let before = upstream.counts().calls;
    let lost = loop {
        match run.poll() {
            Action::Call { ticket, request } => break call_of(&opened, &ticket, request),
            Action::Lines { episode, from, lines } => {
                asking.keep(&opened, &episode, from, &lines).await
            }
            Action::Ended { .. } => {}
            other => panic!("there is more to do than {other:?}"),
        }
    };
    let body = to_value(&lost);
    tokio::select! {
        _ = asking.try_to_ask(Method::POST, "/api/call", None, &body) => panic!("nobody has answered it"),
        () = upstream.until(|counts| counts.calls > before) => {}
    }
    drop(server);
    upstream.go_on();

    let server = Server::start(&program, folder.path(), &variables);
    let asking = Asking::new(&server);
    let id = opened.run.as_str();
    let info = asking.info(id).await;
    assert_eq!((info.title.as_str(), info.episodes), ("a trial", 4));
    let sent = upstream.counts().calls;
    for (call, reply) in answered.values() {
        let again: CallAnswer = asking.post("/api/call", call).await.json();
        assert_eq!(&again.reply, reply, "the ledger has the same reply");
        assert!(again.timing.from_ledger);
    }
    assert_eq!(upstream.counts().calls, sent, "nothing was paid for twice");

    // The run is taken up from what the server has.
    let mut run = planned(&spec);
    take_up(&asking, id, &mut run).await;
    drive(&asking, &opened, &mut run, &mut answered, u32::MAX).await;

    let info = asking.info(id).await;
    assert_eq!(info.finished, 4);
    let timings: Vec<CallTiming> = asking.json(&format!("/api/runs/{id}/timing")).await;
    let twice: Vec<_> = timings.iter().filter(|timing| timing.sent > 1).collect();
    assert_eq!(twice.len(), 1, "{twice:?}");
    assert_eq!((&twice[0].episode, twice[0].call), (&lost.key.episode, lost.key.call));
    assert_eq!((twice[0].sent, twice[0].lost), (2, 1));
    let heads = asking.episodes(id).await;
    let mut replies = 0;
    for head in &heads {
        let read = asking.played(id, &head.episode).await;
        for event in read.events.iter().flatten() {
            if let Event::Told { call, reply } = event {
                let (_, heard) = &answered[&(head.episode.clone(), *call)];
                assert_eq!(reply, heard, "{} call {call}", head.episode);
                replies += 1;
            }
        }
    }
    assert_eq!(replies, answered.len());
}
