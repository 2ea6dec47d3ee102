//! What a service says to a run, and what the terminal, the run's folder and a probe tell of it.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise_shared::examples::QUESTIONS;

use crate::common::program::{Said, expect, folder, say, transcripts};
use crate::common::upstream::{Canned, Upstream, completion};

const KEY: &str = "marked-key-0123456789";

/// A data folder with one endpoint, `up`, that gives these answers, in `@data`.
async fn endpoint(answers: Vec<Canned>, limits: &str) -> (TempDir, Upstream) {
    let upstream = Upstream::start(answers).await;
    let folder = folder();
    let mut text = String::new();
    write!(
        text,
        "[limits]\nbackoff_ms = 20\n{limits}\n[[provider]]\nname = \"up\"\nformat = \"openai\"\nbase_url = \"{}\"\n\
         key = \"{KEY}\"\nmodels = [\"m\"]\n",
        upstream.base_url()
    )
    .unwrap();
    std::fs::create_dir_all(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/turnwise.toml"), text).unwrap();
    (folder, upstream)
}

const RUN: &str = "--limit 2 --concurrency 1 --seat player=model:up/m --out @run --data @data";

async fn said(folder: TempDir, words: &str) -> (TempDir, Said) {
    let words = words.to_owned();
    let work = tokio::task::spawn_blocking(move || {
        let said = say(&folder, &words);
        (folder, said)
    });
    work.await.expect("no panic")
}

fn answers() -> Canned {
    let text = json!({ "action": "answer", "params": { "answer": "a", "confidence": "40" } });
    Canned::Json(200, Vec::new(), completion(json!(text.to_string())))
}

fn refused(status: u16, message: &str) -> Canned {
    let error = json!({ "error": { "message": message, "type": "invalid_request_error" } });
    Canned::Json(status, Vec::new(), error)
}

fn timings(folder: &TempDir) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path().join("run/timing.ndjson")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn why_calls_failed_stands_on_the_terminal_and_beside_the_transcript() {
    let message = format!("the moon is wrong for {KEY} at noon");
    let (folder, _upstream) = endpoint(vec![refused(400, &message)], "").await;
    let (folder, told) = said(folder, &format!("run --benchmark {QUESTIONS} {RUN}")).await;
    let told = expect(told, 3);
    let line = "2 calls to model:up/m: the service refused the request (status 400, invalid_request_error). \
                The service says: the moon is wrong for … at noon";
    assert!(told.err.contains(line), "{}", told.err);
    assert!(!told.err.contains(KEY) && !told.out.contains(KEY));
    let timings = timings(&folder);
    assert_eq!(
        timings[0]["timing"]["words"],
        "the moon is wrong for … at noon"
    );
    for text in transcripts(&folder.path().join("run")).values() {
        assert!(!text.contains("moon") && !text.contains(KEY), "{text}");
    }
    let (_folder, told) = said(folder, "providers test up/m --data @data").await;
    assert!(
        expect(told, 1)
            .err
            .contains("the moon is wrong for … at noon")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_pauses_says_what_to_mend_and_until_when() {
    let region = json!({ "error": { "message": "this country is not served", "code": "unsupported_country" } });
    let day = json!({ "error": { "message": "free-models-per-day limit", "code": 429 } });
    for (answer, says, never) in [
        (
            Canned::Json(403, Vec::new(), region),
            "not offered in the region",
            "key",
        ),
        (
            Canned::Json(429, vec![("retry-after", "7200".into())], day),
            "asks to wait until ",
            "key",
        ),
        (
            refused(401, "who are you?"),
            "put a sound key",
            "wait until",
        ),
    ] {
        let (folder, upstream) = endpoint(vec![answer], "").await;
        let (_folder, told) = said(folder, &format!("run --benchmark {QUESTIONS} {RUN}")).await;
        let told = expect(told, 3);
        assert!(told.err.contains(says), "{}", told.err);
        assert!(!told.err.contains(never), "{}", told.err);
        assert_eq!(upstream.seen().len(), 1, "{}", told.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filtered_prompt_is_scored_and_a_resumed_run_does_not_ask_it_again() {
    let flagged = json!({ "error": { "code": 403, "message": "flagged", "metadata": { "reasons": ["harm"] } } });
    let (folder, upstream) =
        endpoint(vec![Canned::Json(403, Vec::new(), flagged), answers()], "").await;
    let (folder, told) = said(folder, &format!("run --benchmark {QUESTIONS} {RUN}")).await;
    let told = expect(told, 0);
    assert!(told.err.contains("2/2 played, 2 scored"), "{}", told.err);
    assert!(
        told.err
            .contains("the service filtered it. The service says: flagged"),
        "{}",
        told.err
    );
    let asked = upstream.seen().len();
    let (folder, told) = said(folder, "run --resume --out @run --data @data").await;
    expect(told, 0);
    assert_eq!(upstream.seen().len(), asked);
    let texts = transcripts(&folder.path().join("run"));
    assert!(
        texts
            .values()
            .any(|text| text.contains("\"stop\":\"filtered\""))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_asks_as_a_run_asks() {
    let (folder, upstream) = endpoint(vec![Canned::text("ready")], "").await;
    let (_folder, told) = said(folder, "providers test up/m --top-p 0.9 --data @data").await;
    expect(told, 0);
    let body = &upstream.seen()[0].body;
    assert_eq!(body["messages"][0]["role"], "system");
    assert!(body["temperature"].is_number());
    assert_eq!(body["top_p"], 0.9);
}
