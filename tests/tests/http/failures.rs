//! Each way in which a service fails is distinguished.

use serde_json::json;
use turnwise_shared::prelude::*;
use turnwise_shared::run::Action;
use turnwise_shared::wire::Probed;
use turnwise_tests::asking::Asking;
use turnwise_tests::played::{call_of, planned, spec};
use turnwise_tests::server::{Server, needed_program};

use super::{Failing, provider, to_value};

/// What came of a call, in one line.
fn told(reply: &Reply, attempts: u32) -> String {
    match reply {
        Reply::Failed(failure) => {
            format!("{:?} after {attempts}: {}", failure.class, failure.message)
        }
        Reply::Said(said) => format!("said {:?} after {attempts}", said.text),
        other => format!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_in_which_a_service_fails_is_told_apart() {
    let Some(program) = needed_program() else { return };
    let failing = Failing::start("a-key-of-no-account").await;
    let server = Server::start(&program, failing.folder.path(), &failing.variables());
    let asking = Asking::new(&server);
    let (mut called, mut probed) = (String::new(), String::new());
    for (fault, _) in &failing.services {
        let spec = spec(&provider(*fault), 1);
        let opened = asking.open(&spec, 1).await;
        let mut run = planned(&spec);
        let (ticket, request) = loop {
            match run.poll() {
                Action::Call { ticket, request } => break (ticket, request),
                Action::Lines { .. } => {}
                other => panic!("a call comes first, not {other:?}"),
            }
        };
        let call = to_value(&call_of(&opened, &ticket, request));
        let answer: CallAnswer = asking.post("/api/call", &call).await.json();
        assert_eq!(answer.timing.failures.len() + 1, answer.timing.attempts as usize);
        called += &format!("{fault:?}: {}\n", told(&answer.reply, answer.timing.attempts));

        let probe = json!({ "probe": "model", "provider": provider(*fault), "model": "player" });
        let answer: Probed = asking.post("/api/probe", &probe).await.json();
        probed += &format!("{fault:?}: {}\n", told(&answer.reply, answer.timing.attempts));
    }
    insta::assert_snapshot!(called, @r#"
    TooMany: RateLimited after 3: the service asked for fewer calls (status 429, rate_limit_exceeded)
    Broken: Server after 3: the service failed (status 500, server_error)
    Cut: Connection after 3: the connection was cut before the end of the answer
    Undecodable: Undecodable after 3: the answer is no JSON
    Empty: said Some("") after 1
    KeyRefused: Unauthorised after 1: the service refused the key (status 401)
    Refused: Rejected after 1: the service refused the request (status 400, invalid_request_error)
    Silent: Timeout after 1: no answer after 1 s of silence (limits.idle_seconds); the service may charge for the call
    "#);
    // A probe is made once, and shows the service's own words without the key.
    insta::assert_snapshot!(probed, @r#"
    TooMany: RateLimited after 1: the service asked for fewer calls (status 429, rate_limit_exceeded); it says: slow down: …
    Broken: Server after 1: the service failed (status 500, server_error); it says: something broke: …
    Cut: Connection after 1: the connection was cut before the end of the answer
    Undecodable: Undecodable after 1: the answer is no JSON
    Empty: said Some("") after 1
    KeyRefused: Unauthorised after 1: the service refused the key (status 401); it says: incorrect API key provided: …
    Refused: Rejected after 1: the service refused the request (status 400, invalid_request_error); it says: this cannot be asked: …
    Silent: Timeout after 1: no answer after 1 s of silence (limits.idle_seconds); the service may charge for the call
    "#);
}
