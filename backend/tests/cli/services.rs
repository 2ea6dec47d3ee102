//! What a service says to a run, and what the terminal, the run's folder and a probe tell of it.

use crate::common::program::Said;
use crate::common::*;

const KEY: &str = "marked-key-0123456789";

/// A folder whose `data` names one endpoint, `up`.
struct Endpoint {
    folder: Arc<Folder>,
    upstream: Upstream,
}

const RUN: &str = "--limit 2 --concurrency 1 --seat player=model:up/m --out @run";

/// What is configured of an endpoint or engine at an address; `more` says what it speaks and has.
fn at(table: &str, name: &str, address: &str, more: &str) -> String {
    format!("[[{table}]]\nname = \"{name}\"\nbase_url = \"{address}\"\nkey = \"{KEY}\"\n{more}\n")
}

const MODEL: &str = "format = \"openai\"\nmodels = [\"m\"]";

impl Endpoint {
    /// An endpoint that gives these answers.
    async fn with(answers: Vec<Canned>) -> Self {
        let upstream = Upstream::start(answers).await;
        let folder = Arc::new(folder());
        let up = at("provider", "up", &upstream.base_url(), MODEL);
        folder.write("data/turnwise.toml", format!("[limits]\nbackoff_ms = 20\n{up}"));
        Endpoint { folder, upstream }
    }

    async fn run(&self, words: &str, status: i32) -> Said {
        let (folder, words) = (Arc::clone(&self.folder), format!("{words} --data @data"));
        let work = tokio::task::spawn_blocking(move || folder.run(&words, status));
        work.await.expect("it ends so")
    }

    /// Plays two tasks with these further flags.
    async fn play(&self, flags: &str, status: i32) -> Said {
        self.run(&format!("run --benchmark {QUESTIONS} {flags} {RUN}"), status).await
    }

    async fn resume(&self) {
        self.run("run --resume --out @run", 0).await;
    }

    /// How many requests have come.
    fn requests(&self) -> usize {
        self.upstream.seen().len()
    }
}

fn answers() -> Canned {
    let text = json!({ "action": "answer", "params": { "answer": "a", "confidence": "40" } });
    Canned::ok(completion(json!(text.to_string())))
}

fn refused(status: u16, message: &str) -> Canned {
    let error = json!({ "error": { "message": message, "type": "invalid_request_error" } });
    Canned::json(status, error)
}

#[tokio::test(flavor = "multi_thread")]
async fn why_calls_failed_stands_on_the_terminal_and_beside_the_transcript() {
    let message = format!("the moon is wrong for {KEY} at noon");
    let endpoint = Endpoint::with(vec![refused(400, &message)]).await;
    let told = endpoint.play("", 3).await;
    let line = "2 calls to model:up/m: the service refused the request (status 400, invalid_request_error). \
                The service says: the moon is wrong for … at noon";
    told.err_has(line);
    assert!(!told.err.contains(KEY) && !told.out.contains(KEY));
    let timings = endpoint.folder.lines("run/timing.ndjson");
    assert_eq!(timings[0]["timing"]["words"], "the moon is wrong for … at noon");
    for text in endpoint.folder.transcripts("run").values() {
        assert!(!text.contains("moon") && !text.contains(KEY), "{text}");
    }
    endpoint.run("providers test up/m", 1).await.err_has("the moon is wrong for … at noon");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_pauses_says_what_to_mend_and_until_when() {
    let region = json!({ "error": { "message": "this country is not served", "code": "unsupported_country" } });
    let day = json!({ "error": { "message": "free-models-per-day limit", "code": 429 } });
    for (answer, says, never) in [
        (Canned::json(403, region), "not offered in the region", "key"),
        (
            Canned::Json(429, vec![("retry-after", "7200".into())], day),
            "asks to wait until ",
            "key",
        ),
        (refused(401, "who are you?"), "put a sound key", "wait until"),
    ] {
        let endpoint = Endpoint::with(vec![answer]).await;
        let told = endpoint.play("", 3).await;
        told.err_has(says);
        assert!(!told.err.contains(never), "{}", told.err);
        assert_eq!(endpoint.requests(), 1, "{}", told.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filtered_prompt_is_scored_and_a_resumed_run_does_not_ask_it_again() {
    let flagged = json!({ "error": { "code": 403, "message": "flagged", "metadata": { "reasons": ["harm"] } } });
    let endpoint = Endpoint::with(vec![Canned::json(403, flagged), answers()]).await;
    let told = endpoint.play("", 0).await;
    told.err_has("2/2 played, 2 scored");
    told.err_has("the service filtered it. The service says: flagged");
    let asked = endpoint.requests();
    endpoint.resume().await;
    assert_eq!(endpoint.requests(), asked);
    let texts = endpoint.folder.transcripts("run");
    assert!(texts.values().any(|text| text.contains("\"stop\":\"filtered\"")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_asks_as_a_run_asks() {
    let endpoint = Endpoint::with(vec![Canned::text("ready")]).await;
    endpoint.run("providers test up/m --top-p 0.9", 0).await;
    let body = &endpoint.upstream.seen()[0].body;
    assert_eq!(body["messages"][0]["role"], "system");
    assert!(body["temperature"].is_number());
    assert_eq!(body["top_p"], 0.9);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_outgrew_its_window_is_scored_and_a_resumed_run_asks_nothing() {
    let too_long = || {
        let error = json!({ "error": { "message": "the request exceeds the available context size", "type": "server_error" } });
        Canned::json(500, error)
    };
    let search = Canned::text("{\"action\": \"ask\", \"params\": {\"question\": \"is it old?\"}}");
    let endpoint = Endpoint::with(vec![search, too_long(), answers()]).await;
    let told = endpoint.play("", 0).await;
    told.err_has("2/2 played, 2 scored");
    told.err_has("1 call to model:up/m: the request is longer than the context window");
    told.err_has("exceeds the available context size");
    told.out_has("1 of 2 episodes ended because");
    assert_eq!(endpoint.requests(), 3, "one refused request");
    endpoint.resume().await;
    assert_eq!(endpoint.requests(), 3);
    let texts = endpoint.folder.transcripts("run");
    assert!(texts.values().any(|text| text.contains("\"ending\":\"context\"")));
}

#[tokio::test(flavor = "multi_thread")]
async fn different_refusals_are_said_each_in_its_own_words() {
    let gone = |what: &str| refused(404, what);
    let answers =
        vec![gone("The deployment of odd-1 was removed."), gone("The tenant t-17 is unknown.")];
    let endpoint = Endpoint::with(answers).await;
    let told = endpoint.play("--repeats 2 --pause-after 0", 3).await;
    for (count, words) in [("1 call", "odd-1 was removed"), ("3 calls", "t-17 is unknown")] {
        let line = told.err.lines().find(|line| line.contains(words)).unwrap_or_default();
        assert!(line.starts_with(count), "{}", told.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_refusals_are_bounded_and_the_rest_counted() {
    let answers =
        (0..12).map(|number| refused(404, &format!("no such thing as {number}"))).collect();
    let endpoint = Endpoint::with(answers).await;
    let told = endpoint.play("--repeats 6 --pause-after 0", 3).await;
    assert_eq!(told.err.matches("no such thing as").count(), 6, "{}", told.err);
    told.err_has("and 6 other calls, for other reasons");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_stands_on_the_terminal() {
    let refusal = refused(400, "Thinking harder is for larger models");
    let endpoint = Endpoint::with(vec![refusal, answers()]).await;
    let told = endpoint.play("--effort player=high", 0).await;
    told.err_has("refused first, then sent otherwise and answered");
    told.out_has("player: effort was not sent as chosen in 2 of 2 calls.");
    assert_eq!(endpoint.requests(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_of_the_environment_is_asked_for_addresses_outside() {
    let proxy = Upstream::start([Canned::text("ready")]).await;
    let through = proxy.base_url().trim_end_matches("/v1").to_owned();
    let near = Upstream::start([Canned::text("near")]).await;
    let folder = folder();
    let provider = |name: &str, address: &str, more: &str| {
        at("provider", name, address, &format!("{MODEL}\n{more}"))
    };
    let text = [
        "[limits]\nattempts = 1\nconnect_seconds = 5\n".to_owned(),
        provider("corp", "http://models.invalid/v1", ""),
        provider("straight", "http://models.invalid/v1", "proxy = \"none\""),
        provider("own", "http://models.invalid/v1", &format!("proxy = \"{through}\"")),
        provider("near", &near.base_url(), ""),
    ];
    folder.write("data/turnwise.toml", text.concat());
    let data = folder.at("data").display().to_string();
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

#[test]
fn a_form_that_no_prompt_asks_for_is_refused() {
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
    let told = folder().run(&words, 1);
    told.err_has("no prompt of");
    told.err_has("leave it out");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_closed_pauses_the_run_and_scores_nothing() {
    for (status, message) in [
        (403, "Your account has been blocked for repeated violations of our usage policies."),
        (403, "Your access was terminated due to violation of our policies."),
        (400, "This organization has been disabled."),
        (401, "API access has been revoked for your team: harmful content"),
    ] {
        let endpoint = Endpoint::with(vec![refused(status, message)]).await;
        let told = endpoint.play("--pause-after 0", 3).await;
        told.err_has("0/2 played, 0 scored");
        told.err_has("has shut this account or its access");
        told.err_has("settle it with the service");
        assert_eq!(endpoint.requests(), 1, "{}", told.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_refused_ends_its_search_and_not_the_episode() {
    let refusal = Canned::json(400, json!({ "message": "This query is not allowed." }));
    let engine = Upstream::start([refusal]).await;
    let endpoint = Endpoint::with(crate::common::searching(4)).await;
    let mut text = endpoint.folder.read("data/turnwise.toml");
    text.push_str(&at("search", "web", &engine.base_url(), "format = \"serper\""));
    endpoint.folder.write("data/turnwise.toml", text);
    let told = endpoint.play("--search web", 0).await;
    told.err_has("2/2 played, 2 scored");
    told.err_has("2 calls to search:web: the search service refused this one query");
    told.err_has("This query is not allowed.");
    let asked = (engine.seen().len(), endpoint.requests());
    assert_eq!(asked, (2, 4));
    endpoint.resume().await;
    assert_eq!((engine.seen().len(), endpoint.requests()), asked);
}
