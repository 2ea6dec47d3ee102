//! Keys, tokens and task text stay where they belong: not in a response, an error, a log line or the database.

#[allow(dead_code, unused_imports, reason = "it uses a part of what the other tests share")]
mod common;

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use common::socket::{Listening, question};
use common::upstream::{Canned, Upstream};
use common::{MARKED_KEY, acts, config, drive, folder, load, planned, trial_spec};
use serde_json::json;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use turnwise_backend::config::Environment;
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::wire::{Opened, Probe, Stream};

/// Everything that is logged, at every level, by every library.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("no panic")).into_owned()
    }
}

fn assert_without(text: &str, what: &str, secrets: &[&str]) {
    for secret in secrets {
        if let Some(at) = text.find(secret) {
            let around: String = text[at.saturating_sub(200)..].chars().take(300).collect();
            panic!("{what} has {secret:?}: …{around}…");
        }
    }
}

fn files(folder: &Path, all: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).expect("it reads") {
        let path = entry.expect("it reads").path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_none_or(|ending| ending != "toml") {
            all.extend(std::fs::read(path).expect("it reads"));
        }
    }
}

// One test in this program, because the log is one for the whole process.
#[tokio::test]
async fn nothing_secret_leaves_its_place() {
    const ACCESS: &str = "marked-access-token-7d793037a0760186";
    let log = Log::default();
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish()
        .with(turnwise_backend::log::filter(Some("trace")).expect("a level"))
        .init();

    let echo = json!({ "error": {
        "message": format!("bad key {MARKED_KEY}"), "code": MARKED_KEY, "type": MARKED_KEY, "param": MARKED_KEY,
    } });
    let search = acts("search", json!({ "query": "sport with sticks" }));
    let answer = acts("answer", json!({ "answer": "Kivvet", "confidence": "80" }));
    let faults = [
        Canned::Json(500, vec![], echo.clone()),
        Canned::Json(401, vec![], echo.clone()),
        Canned::Json(200, vec![], echo.clone()),
        Canned::Json(400, vec![], echo),
        Canned::Raw(format!(
            "HTTP/1.1 302 X\r\nlocation: http://x/{MARKED_KEY}\r\ncontent-length: 0\r\n\r\n"
        )),
        Canned::Raw(format!("HTTP/1.1 200 X\r\ncontent-length: 9999\r\n\r\n{MARKED_KEY}")),
    ];
    // Once for each wire format.
    let mut answers = [faults.clone(), faults.clone(), faults].concat();
    answers.extend((0..30).flat_map(|_| [Canned::text(&search), Canned::text(&answer)]));
    let upstream = Upstream::start(answers).await;
    let folder = folder();
    // The file of `config`, read once more with an access token in the environment.
    config(folder.path(), &upstream.base_url(), "");
    let file = folder.at("turnwise.toml");
    let mut text = std::fs::read_to_string(&file).expect("it reads");
    for format in ["anthropic", "gemini"] {
        let address = upstream.base_url();
        text.push_str(&format!(
            "[[provider]]\nname = \"{format}\"\nbase_url = \"{address}\"\nkey_env = \"UP_KEY\"\n"
        ));
    }
    std::fs::write(&file, text).expect("it can be written");
    let environment =
        Environment::from_iter([("UP_KEY", MARKED_KEY), ("TURNWISE_ACCESS_TOKEN", ACCESS)]);
    let config = load(folder.path(), &environment);
    tracing::info!(?config, ?environment, "printed on purpose");
    let server = Listening::start(config).await;
    let service = &server.service;

    let mut heard = String::new();
    for provider in ["up", "anthropic", "gemini"] {
        let probe = Probe::Model { provider: provider.into(), model: "m".into() };
        for _ in 0..6 {
            heard.push_str(&service.post("/api/probe", Some(ACCESS), &probe).await.text);
        }
    }
    assert_eq!(upstream.seen().len(), 18);
    for token in [None, Some("wrong"), Some(ACCESS)] {
        for (method, path) in [
            ("GET", "/api/about"),
            ("GET", "/api/runs"),
            ("GET", "/api/tasks"),
            ("GET", "/api/nothing"),
            ("POST", "/api/runs"),
            ("POST", "/api/call"),
            ("PUT", &format!("/api/tasks/a.jsonl?benchmark={QUESTIONS}")),
            ("GET", "/"),
        ] {
            let came = service.ask(method, path, token, "application/json", "{\"spec\":").await;
            heard.push_str(&format!("{came:?}\n"));
        }
    }
    let spec = trial_spec(2);
    let wanted = json!({ "spec": spec, "title": "marked", "episodes": 2 });
    let came = service.post("/api/runs", Some(ACCESS), &wanted).await;
    let opened: Opened = came.json();
    drive(service, &opened, &mut planned(&spec)).await;
    for path in ["", "/timing", "/summaries", "/report", "/episodes", "/episodes/1.r1.play"] {
        heard.push_str(&service.get(&format!("/api/runs/{}{path}", opened.run)).await.text);
    }
    let mut page = server.page(&opened).await;
    page.call(900, &opened, question(&spec, "marked-prompt-text"), Stream::Pieces).await;
    heard.push_str(&format!("{:?}", page.about_a_call().await));
    page.say_text("{\"v\":1,\"id\":1,\"kind\":\"call\",\"marked-frame\":1").await;
    heard.push_str(&format!("{:?}", page.closed().await));

    let address = upstream.base_url();
    let host = address.trim_start_matches("http://").trim_end_matches("/v1");
    assert_without(&heard, "a response", &[MARKED_KEY, ACCESS, host, &opened.token]);

    let log = log.text();
    assert!(log.contains("printed on purpose") && log.contains("hyper"), "the log was listened to");
    let mut hidden = vec![MARKED_KEY, ACCESS, &opened.token, "marked-prompt-text", "marked-frame"];
    let samples = example(QUESTIONS).samples();
    for task in &samples.tasks[..2] {
        hidden.extend(task.fields.values().map(String::as_str).filter(|text| text.len() > 12));
    }
    assert_without(&log, "the log", &hidden);

    service.app.close().await;
    let mut stored = Vec::new();
    files(folder.path(), &mut stored);
    let stored = String::from_utf8_lossy(&stored);
    assert!(stored.contains("Kivvet"), "the database was looked at");
    assert_without(&stored, "the data folder", &[MARKED_KEY, ACCESS, &opened.token]);
}
