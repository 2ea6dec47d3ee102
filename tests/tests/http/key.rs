//! A key leaves the program towards its service alone.

use std::collections::BTreeMap;
use std::path::Path;
use turnwise_shared::examples::QUESTIONS;

use serde_json::json;
use turnwise_tests::asking::Asking;
use turnwise_tests::played::{drive, planned, spec};
use turnwise_tests::server::{Server, command, needed_program, printed, skipped, web_folder};
use turnwise_tests::upstream::Fault;

use super::{Failing, provider};

const MARK: &str = "marked-key-6f1ed002ab5595859014ebf0951522d9";

/// Panics if a text has the mark in it.
fn without_mark(what: &str, text: &str) {
    if let Some(at) = text.find(MARK) {
        let before = text[..at].chars().rev().take(200).collect::<Vec<_>>();
        let before: String = before.into_iter().rev().collect();
        panic!("{what} has the key in it, after: …{before}");
    }
}

/// All files below a folder, as text.
fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("it reads") {
        let path = entry.expect("it reads").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let bytes = std::fs::read(&path).expect("it reads");
            found.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_leaves_the_program_towards_its_service_alone() {
    let Some(program) = needed_program() else { return };
    let failing = Failing::start(MARK).await;
    let mut variables = failing.variables();
    variables.push(("TURNWISE_LOG", "trace"));
    let server = Server::start(&program, failing.folder.path(), &variables);
    let asking = Asking::new(&server);
    let mut heard = String::new();
    for (fault, _) in &failing.services {
        let spec = spec(&provider(*fault), 2);
        let opened = asking.open(&spec, 2).await;
        let mut run = planned(&spec);
        let mut answered = BTreeMap::new();
        // A silent service costs a second an attempt.
        let calls = if *fault == Fault::Silent { 1 } else { 40 };
        drive(&asking, &opened, &mut run, &mut answered, calls).await;
        heard += &format!("{answered:?}\n");
        let probe = json!({ "probe": "model", "provider": provider(*fault), "model": "player" });
        heard += &asking.post("/api/probe", &probe).await.all;
        for path in ["", "/timing", "/summaries", "/report", "/episodes", "/episodes/1.r1.play"] {
            heard += &asking.get(&format!("/api/runs/{}{path}", opened.run)).await.all;
        }
        let wrong = json!({ "key": MARK.len(), "request": { "outgoing": "model" } });
        heard += &asking.post("/api/call", &wrong).await.all;
    }
    for path in ["/", "/api/about", "/api/runs", "/api/tasks", "/api/nothing", "/run/1"] {
        heard += &asking.get(path).await.all;
    }
    without_mark("a response", &heard);
    for (fault, upstream) in &failing.services {
        let counts = upstream.counts();
        assert_eq!(counts.wrong_key, 0, "{fault:?}");
        assert!(counts.calls > 1, "{fault:?} was provoked: {counts:?}");
    }

    // The same failures from the command line.
    for fault in [Fault::KeyRefused, Fault::Broken, Fault::Empty] {
        let seat = format!("player=model:{}/player", provider(fault));
        let out = failing.folder.path().join(format!("out-{}", provider(fault)));
        let mut run = command(&program, &variables);
        run.args(["run", "--benchmark", QUESTIONS, "--limit", "1", "--seat", &seat, "--out"])
            .arg(&out)
            .env("TURNWISE_CONFIG", failing.folder.path().join("turnwise.toml"));
        let output = run.output().expect("the program starts");
        without_mark("the command line", &printed(&output));
        assert!(out.join("run.json").is_file(), "{}", printed(&output));
    }

    let log = server.log();
    assert!(log.contains("hyper"), "everything is logged");
    without_mark("the log", &log);
    drop(server);
    let mut found = Vec::new();
    files(failing.folder.path(), &mut found);
    match web_folder() {
        Some(folder) => files(&folder, &mut found),
        None => skipped("the web app's files: TURNWISE_WEB_DIR names no built web app"),
    }
    assert!(found.iter().any(|(name, _)| name.ends_with(".jsonl")));
    for (name, text) in &found {
        without_mark(name, text);
    }
}
