//! A killed server loses nothing that was answered.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Method;
use turnwise_shared::prelude::*;
use turnwise_shared::run::Action;
use turnwise_shared::transcript;
use turnwise_tests::asking::Asking;
use turnwise_tests::played::{call_of, drive, planned, spec};
use turnwise_tests::server::{Server, program, skipped};
use turnwise_tests::upstream::{Script, Upstream};

use super::{NO_PROGRAM, to_value};

/// A run whose page goes away with the server: what a page would do, less the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_nothing_that_was_answered() {
    let Some(program) = program() else {
        return skipped("a_killed_server_loses_nothing_that_was_answered", NO_PROGRAM);
    };
    let upstream =
        Upstream::start(Script { latency: Duration::from_millis(60), ..Script::default() }).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let variables = [("TURNWISE_PROVIDER_UP_BASE_URL", upstream.base_url())];
    let variables: Vec<_> = variables.iter().map(|(name, url)| (*name, url.as_str())).collect();
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
    let path = format!("/api/runs/{}", opened.run);
    let info: RunInfo = asking.get(&path).await.json();
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
    let heads: Vec<EpisodeHead> = asking.get(&format!("{path}/episodes")).await.json();
    let (plays, gradings): (Vec<_>, Vec<_>) =
        heads.iter().map(|head| &head.episode).partition(|key| **key == key.its_play());
    for key in plays.into_iter().chain(gradings) {
        let text = asking.get(&format!("{path}/episodes/{key}")).await.body;
        let stored = transcript::read(&text).expect("a sound transcript");
        run.restore(key, &stored).expect("it can be taken up");
    }
    drive(&asking, &opened, &mut run, &mut answered, u32::MAX).await;

    let info: RunInfo = asking.get(&path).await.json();
    assert_eq!(info.finished, 4);
    let timings: Vec<CallTiming> = asking.get(&format!("{path}/timing")).await.json();
    let twice: Vec<_> = timings.iter().filter(|timing| timing.sent > 1).collect();
    assert_eq!(twice.len(), 1, "{twice:?}");
    assert_eq!((&twice[0].episode, twice[0].call), (&lost.key.episode, lost.key.call));
    assert_eq!((twice[0].sent, twice[0].lost), (2, 1));
    let heads: Vec<EpisodeHead> = asking.get(&format!("{path}/episodes")).await.json();
    let mut replies = 0;
    for head in &heads {
        let text = asking.get(&format!("{path}/episodes/{}", head.episode)).await.body;
        let read = transcript::read(&text).expect("a sound transcript");
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
