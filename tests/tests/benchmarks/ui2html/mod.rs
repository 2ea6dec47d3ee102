//! Browsers and servers that are killed while pages are rendered: every episode ends, and nothing that was answered is made again.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use turnwise_backend::rendering::find;
use turnwise_shared::prelude::*;
use turnwise_shared::run::Action;
use turnwise_tests::asking::Asking;
use turnwise_tests::played::{call_of, planned_with, take_up};
use turnwise_tests::server::{Server, program, skipped};

/// Episodes of the run, unless [`EPISODES`] names another number.
const USUAL: u32 = 12;
/// Set to play more of them.
const EPISODES: &str = "TURNWISE_KILLED_EPISODES";
/// A browser is killed in each render of that number.
const EVERY: u32 = 10;
/// While a page is rendered.
const SOON: Duration = Duration::from_millis(60);

/// A player that writes another page in every reply, so that none is remembered.
async fn player() -> String {
    static REPLIES: AtomicU32 = AtomicU32::new(0);
    let reply = async || {
        let number = REPLIES.fetch_add(1, Ordering::Relaxed);
        let page = format!("<!doctype html><html><body><h1>{number}</h1></body></html>");
        let text = format!(
            "```html\n{page}\n```\nQUESTION: Compared with the target, should I move everything 80 px right?"
        );
        Json(
            json!({ "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }] }),
        )
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = format!("http://{}", listener.local_addr().expect("it has one"));
    let app = Router::new().route("/chat/completions", post(reply));
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

fn spec(episodes: u32) -> Spec {
    let benchmark = registry::find("ui2html").expect("it is registered");
    let settings = benchmark
        .settings(Profile::Strict, [("rounds".to_owned(), json!(1))].into_iter().collect());
    let mut spec = turnwise_tests::spec(benchmark, Profile::Strict, settings);
    spec.search = None;
    spec.seats.get_mut(&"player".into()).expect("a player").player =
        "model:up/m".parse().expect("a model");
    spec.subset.first = Some(4);
    spec.repeats = episodes / 4;
    spec
}

/// Kills the browsers of a server.
fn kill_browsers(server: u32) -> bool {
    let browsers = Command::new("pkill").args(["-9", "--parent", &server.to_string()]).status();
    browsers.is_ok_and(|killed| killed.success())
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_browsers_and_servers_cost_no_episode_and_no_second_render() {
    let (Some(program), Ok(browser)) = (program(), find()) else {
        return skipped("the program or a browser is missing");
    };
    let episodes = std::env::var(EPISODES).ok().and_then(|number| number.parse().ok());
    let episodes = episodes.unwrap_or(USUAL);
    let (folder, up) = (tempfile::tempdir().expect("a temporary folder"), player().await);
    let browser = browser.display().to_string();
    let variables =
        [("TURNWISE_PROVIDER_UP_BASE_URL", up.as_str()), ("TURNWISE_CHROMIUM", browser.as_str())];
    let mut server = Server::start(&program, folder.path(), &variables);
    let spec = spec(episodes);
    let opened = Asking::new(&server).open(&spec, episodes).await;
    let path = format!("/api/runs/{}", opened.run);
    let (mut renders, mut kills, mut dead) = (0, 0, 0);
    let mut answered: Vec<(Value, CallAnswer)> = Vec::new();
    'server: loop {
        let asking = Asking::new(&server);
        // As a page does that is opened again.
        let mut run = planned_with(&spec, 1);
        take_up(&asking, opened.run.as_str(), &mut run).await;
        loop {
            match run.poll() {
                Action::Call { ticket, request } => {
                    let is_render = matches!(request, Outgoing::Use(_));
                    renders += u32::from(is_render);
                    let call =
                        serde_json::to_value(call_of(&opened, &ticket, request)).expect("JSON");
                    let dies = is_render && renders > (dead + 1) * episodes * 2 / 3 && dead < 2;
                    if dies {
                        let asked =
                            asking.try_to_ask(reqwest::Method::POST, "/api/call", None, &call);
                        assert!(
                            tokio::time::timeout(SOON, asked).await.is_err(),
                            "it was rendered"
                        );
                        server.restart();
                        dead += 1;
                        continue 'server;
                    }
                    let killer = (is_render && renders % EVERY == 0).then(|| {
                        let process = server.process();
                        tokio::spawn(async move {
                            tokio::time::sleep(SOON).await;
                            kill_browsers(process)
                        })
                    });
                    let answer: CallAnswer = asking.post("/api/call", &call).await.json();
                    if let Some(killer) = killer {
                        kills += u32::from(killer.await.expect("it ends"));
                    }
                    run.tell(&ticket, answer.reply.clone()).expect("the reply fits");
                    answered.push((call, answer));
                }
                Action::Lines { episode, from, lines } => {
                    asking.keep(&opened, &episode, from, &lines).await
                }
                Action::Ended { summary, .. } => assert!(summary.complete, "{summary:?}"),
                Action::Over => break 'server,
                other => panic!("not expected here: {other:?}"),
            }
        }
    }
    assert!(kills > 0 && dead == 2, "{kills} browsers and {dead} servers were killed");
    let asking = Asking::new(&server);
    let info = asking.info(opened.run.as_str()).await;
    assert_eq!(info.finished, episodes);
    let timings: Vec<CallTiming> = asking.json(&format!("{path}/timing")).await;
    let again: Vec<_> = timings.iter().filter(|timing| timing.sent > 1).collect();
    assert!(again.iter().all(|timing| timing.lost > 0) && again.len() <= 2, "{again:?}");
    for (call, answer) in answered.iter().rev().take(20) {
        let known: CallAnswer = asking.post("/api/call", call).await.json();
        assert!(known.timing.from_ledger && known.reply == answer.reply);
    }
}
