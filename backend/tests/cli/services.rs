//! What a service says to a run, and what the terminal, the run's folder and a probe tell of it.

use std::fmt::Write as _;

use crate::common::program::Said;
use crate::common::*;

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
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
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
    assert_eq!(timings[0]["timing"]["words"], "the moon is wrong for … at noon");
    for text in transcripts(&folder.path().join("run")).values() {
        assert!(!text.contains("moon") && !text.contains(KEY), "{text}");
    }
    let (_folder, told) = said(folder, "providers test up/m --data @data").await;
    assert!(expect(told, 1).err.contains("the moon is wrong for … at noon"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_pauses_says_what_to_mend_and_until_when() {
    let region = json!({ "error": { "message": "this country is not served", "code": "unsupported_country" } });
    let day = json!({ "error": { "message": "free-models-per-day limit", "code": 429 } });
    for (answer, says, never) in [
        (Canned::Json(403, Vec::new(), region), "not offered in the region", "key"),
        (
            Canned::Json(429, vec![("retry-after", "7200".into())], day),
            "asks to wait until ",
            "key",
        ),
        (refused(401, "who are you?"), "put a sound key", "wait until"),
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
        told.err.contains("the service filtered it. The service says: flagged"),
        "{}",
        told.err
    );
    let asked = upstream.seen().len();
    let (folder, told) = said(folder, "run --resume --out @run --data @data").await;
    expect(told, 0);
    assert_eq!(upstream.seen().len(), asked);
    let texts = transcripts(&folder.path().join("run"));
    assert!(texts.values().any(|text| text.contains("\"stop\":\"filtered\"")));
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

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_outgrew_its_window_is_scored_and_a_resumed_run_asks_nothing() {
    let too_long = || {
        let error = json!({ "error": { "message": "the request exceeds the available context size", "type": "server_error" } });
        Canned::Json(500, Vec::new(), error)
    };
    let search = Canned::text("{\"action\": \"ask\", \"params\": {\"question\": \"is it old?\"}}");
    let (folder, upstream) = endpoint(vec![search, too_long(), answers()], "").await;
    let (folder, told) = said(folder, &format!("run --benchmark {QUESTIONS} {RUN}")).await;
    let told = expect(told, 0);
    assert!(told.err.contains("2/2 played, 2 scored"), "{}", told.err);
    assert!(
        told.err.contains("1 call to model:up/m: the request is longer than the context window"),
        "{}",
        told.err
    );
    assert!(told.err.contains("exceeds the available context size"), "{}", told.err);
    assert!(told.out.contains("1 of 2 episodes ended because"), "{}", told.out);
    assert_eq!(upstream.seen().len(), 3, "one refused request");
    let (folder, told) = said(folder, "run --resume --out @run --data @data").await;
    expect(told, 0);
    assert_eq!(upstream.seen().len(), 3);
    let texts = transcripts(&folder.path().join("run"));
    assert!(texts.values().any(|text| text.contains("\"ending\":\"context\"")));
}

#[tokio::test(flavor = "multi_thread")]
async fn different_refusals_are_said_each_in_its_own_words() {
    let gone = |what: &str| refused(404, what);
    let answers =
        vec![gone("The deployment of odd-1 was removed."), gone("The tenant t-17 is unknown.")];
    let (folder, _upstream) = endpoint(answers, "").await;
    let words = format!("run --benchmark {QUESTIONS} --repeats 2 --pause-after 0 {RUN}");
    let (_folder, told) = said(folder, &words).await;
    let told = expect(told, 3);
    for (count, words) in [("1 call", "odd-1 was removed"), ("3 calls", "t-17 is unknown")] {
        let line = told.err.lines().find(|line| line.contains(words)).unwrap_or_default();
        assert!(line.starts_with(count), "{}", told.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_refusals_are_bounded_and_the_rest_counted() {
    let answers =
        (0..12).map(|number| refused(404, &format!("no such thing as {number}"))).collect();
    let (folder, _upstream) = endpoint(answers, "").await;
    let words = format!("run --benchmark {QUESTIONS} --repeats 6 --pause-after 0 {RUN}");
    let (_folder, told) = said(folder, &words).await;
    let told = expect(told, 3);
    assert_eq!(told.err.matches("no such thing as").count(), 6, "{}", told.err);
    assert!(told.err.contains("and 6 other calls, for other reasons"), "{}", told.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_stands_on_the_terminal() {
    let refusal = refused(400, "Thinking harder is for larger models");
    let (folder, upstream) = endpoint(vec![refusal, answers()], "").await;
    let words = format!("run --benchmark {QUESTIONS} --effort player=high {RUN}");
    let (_folder, told) = said(folder, &words).await;
    let told = expect(told, 0);
    assert!(told.err.contains("refused first, then sent otherwise and answered"), "{}", told.err);
    assert!(
        told.out.contains("player: effort was not sent as chosen in 2 of 2 calls."),
        "{}",
        told.out
    );
    assert_eq!(upstream.seen().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_of_the_environment_is_asked_for_addresses_outside() {
    let proxy = Upstream::start([Canned::text("ready")]).await;
    let through = proxy.base_url().trim_end_matches("/v1").to_owned();
    let near = Upstream::start([Canned::text("near")]).await;
    let folder = folder();
    let provider = |name: &str, address: &str, more: &str| {
        format!(
            "[[provider]]\nname = \"{name}\"\nformat = \"openai\"\nbase_url = \"{address}\"\nkey = \"{KEY}\"\nmodels = [\"m\"]\n{more}\n"
        )
    };
    let text = [
        "[limits]\nattempts = 1\nconnect_seconds = 5\n".to_owned(),
        provider("corp", "http://models.invalid/v1", ""),
        provider("straight", "http://models.invalid/v1", "proxy = \"none\""),
        provider("own", "http://models.invalid/v1", &format!("proxy = \"{through}\"")),
        provider("near", &near.base_url(), ""),
    ]
    .concat();
    std::fs::create_dir_all(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/turnwise.toml"), text).unwrap();
    let data = folder.path().join("data").display().to_string();
    let asked = move |provider: &str, variables: &[(&str, &str)]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_turnwise"));
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
            command.env_remove(name).env_remove(name.to_lowercase());
        }
        command.envs(variables.iter().copied());
        command.args(["providers", "test", &format!("{provider}/m"), "--data", &data]);
        let output = command.output().expect("the program was built");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let told = tokio::task::spawn_blocking(move || {
        let with = |name| [(name, through.as_str())];
        [
            asked("corp", &with("HTTP_PROXY")),
            asked("corp", &with("http_proxy")),
            asked("corp", &with("ALL_PROXY")),
            asked("own", &[]),
            asked("near", &with("HTTP_PROXY")),
            asked("straight", &with("HTTP_PROXY")),
            asked("corp", &[("HTTP_PROXY", through.as_str()), ("NO_PROXY", ".invalid")]),
            asked("corp", &[("HTTP_PROXY", "http://127.0.0.1:9")]),
        ]
    });
    let told = told.await.expect("no panic");
    for (is_ready, err) in &told[..5] {
        assert!(is_ready, "{err}");
    }
    for (told, words) in told[5..].iter().zip([
        "HTTP_PROXY is set, and not used: the configuration says proxy = \"none\"",
        "HTTP_PROXY is set, and not used: NO_PROXY names the address",
        "asked through the proxy of HTTP_PROXY",
    ]) {
        assert!(!told.0 && told.1.contains(words), "{told:?}");
    }
    assert_eq!((proxy.seen().len(), near.seen().len()), (4, 1));
    assert!(
        proxy.seen()[0].head.starts_with("POST http://models.invalid/v1/chat/completions"),
        "{}",
        proxy.seen()[0].head
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_no_prompt_asks_for_is_refused() {
    let folder = folder();
    let benchmark = turnwise_shared::registry::BENCHMARKS
        .iter()
        .find(|one| {
            one.reads_tasks()
                && !one.pack().templates.values().any(|text| text.to_lowercase().contains("json"))
        })
        .expect("one speaks no JSON");
    let words = format!(
        "run --benchmark {} --limit 1 --form player=json --seat player=model:scripted/trial --out @run --data @data",
        benchmark.name()
    );
    let (_folder, told) = said(folder, &words).await;
    let told = expect(told, 1);
    assert!(told.err.contains("no prompt of") && told.err.contains("leave it out"), "{}", told.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_closed_pauses_the_run_and_scores_nothing() {
    for (status, message) in [
        (403, "Your account has been blocked for repeated violations of our usage policies."),
        (403, "Your access was terminated due to violation of our policies."),
        (400, "This organization has been disabled."),
        (401, "API access has been revoked for your team: harmful content"),
    ] {
        let (folder, upstream) = endpoint(vec![refused(status, message)], "").await;
        let words = format!("run --benchmark {QUESTIONS} --pause-after 0 {RUN}");
        let (_folder, told) = said(folder, &words).await;
        let told = expect(told, 3);
        assert!(told.err.contains("0/2 played, 0 scored"), "{}", told.err);
        assert!(told.err.contains("has shut this account or its access"), "{}", told.err);
        assert!(told.err.contains("settle it with the service"), "{}", told.err);
        assert_eq!(upstream.seen().len(), 1, "{}", told.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_refused_ends_its_search_and_not_the_episode() {
    let refusal = Canned::Json(400, Vec::new(), json!({ "message": "This query is not allowed." }));
    let engine = Upstream::start([refusal]).await;
    let (folder, upstream) = endpoint(crate::common::searching(4), "").await;
    let path = folder.path().join("data/turnwise.toml");
    let mut text = std::fs::read_to_string(&path).unwrap();
    let address = engine.base_url();
    write!(text, "[[search]]\nname = \"web\"\nformat = \"serper\"\nbase_url = \"{address}\"\nkey = \"{KEY}\"\n").unwrap();
    std::fs::write(&path, text).unwrap();
    let (folder, told) =
        said(folder, &format!("run --benchmark {QUESTIONS} --search web {RUN}")).await;
    let told = expect(told, 0);
    assert!(told.err.contains("2/2 played, 2 scored"), "{}", told.err);
    assert!(
        told.err.contains("2 calls to search:web: the search service refused this one query"),
        "{}",
        told.err
    );
    assert!(told.err.contains("This query is not allowed."), "{}", told.err);
    let asked = (engine.seen().len(), upstream.seen().len());
    assert_eq!(asked, (2, 4));
    let (_folder, told) = said(folder, "run --resume --out @run --data @data").await;
    expect(told, 0);
    assert_eq!((engine.seen().len(), upstream.seen().len()), asked);
}
