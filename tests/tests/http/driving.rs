//! The server's own driver is killed with its server, and goes on.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use turnwise_shared::wire::RunState;
use turnwise_shared::wire::driving::{Driving, Holder};
use turnwise_tests::asking::Asking;
use turnwise_tests::played::spec;
use turnwise_tests::run_files::replies_of_models;
use turnwise_tests::server::{self, Server, needed_program, printed};
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

const TASKS: u32 = 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_the_server_drives_survives_its_server() {
    let Some(program) = needed_program() else { return };
    let upstream = Upstream::start(Script {
        seed: 3,
        latency: Duration::from_millis(120),
        faults: Faults::Share(0.02, Fault::PASSING),
        key: None,
    })
    .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = upstream.base_url();
    let variables = [("TURNWISE_PROVIDER_UP_BASE_URL", url.as_str())];
    let data = folder.path().join("data");
    let mut server = Server::start(&program, &data, &variables);
    let opened = Asking::new(&server).open(&spec("up", TASKS), TASKS).await;
    let path = format!("/api/runs/{}/drive", opened.run);
    let wish = json!({ "in_flight": 4 });
    let begun: Driving =
        Asking::new(&server).ask(Method::POST, &path, Some(&opened.token), &wish).await.json();
    assert_eq!(begun.state, RunState::Running);
    assert_eq!(begun.lease.map(|lease| lease.holder), Some(Holder::Server));

    for times in 1..=2 {
        let before = upstream.counts().calls;
        upstream.until(|counts| counts.calls >= before + 14).await;
        // At least one call has no answer yet when the server is killed.
        upstream.hold_some().await;
        server.restart();
        upstream.go_on();
        println!("killed {times}: {:?}", upstream.counts().calls);
    }
    let asking = Asking::new(&server);
    let run = opened.run.as_str();
    assert_eq!(asking.closed(run).await.finished, TASKS);
    let driving: Driving = asking.json(&path).await;
    assert_eq!((driving.trouble, driving.calls.unanswered), (None, 0));
    let lost = driving.calls.lost;
    assert!((1..=8).contains(&lost), "four at a time, twice: {lost}");

    let recorded = folder.path().join("recorded");
    let texts = asking.fetch(run, &recorded).await;
    assert_eq!(texts.len(), 2 * TASKS as usize);
    let told: u64 = texts.values().map(|text| replies_of_models(text)).sum();
    let paid = upstream.counts().answered();
    assert!(
        (told..=told + lost).contains(&paid),
        "{paid} answers were paid for {told} replies and {lost} lost ones"
    );
    let recorded = recorded.to_string_lossy().into_owned();
    let output = server::run(&program, &["replay", &recorded]);
    assert!(output.status.success(), "{}", printed(&output));
}
