//! The real router: guard, limits, errors, the web app, runs and their transcripts, task files.

mod common;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use common::upstream::{Canned, Upstream};
use common::{Service, acts, config, drive, planned, trial_spec};
use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise_backend::config::{Config, Environment, Given};
use turnwise_shared::effect::{FailureClass, Reply};
use turnwise_shared::wire::{
    About, Access, CallAnswer, CallTiming, EpisodeHead, OpenRun, Opened, Probe, Probed, RunInfo,
    RunState, SetState, TaskSetInfo,
};

/// A service over an upstream with these answers.
async fn service(answers: Vec<Canned>) -> (Service, Upstream, TempDir) {
    let upstream = Upstream::start(answers).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let service = Service::open(config(folder.path(), &upstream.base_url(), "")).await;
    (service, upstream, folder)
}

/// A service with these environment variables and nothing else.
async fn with(variables: &[(&str, &str)]) -> (Service, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let given = Given {
        addr: None,
        data: Some(folder.path().to_path_buf()),
    };
    let environment: Environment = variables.iter().copied().collect();
    let config = Config::load(given, &environment).expect("it is sound");
    (Service::open(config).await, folder)
}

fn answering() -> Vec<Canned> {
    let search = acts("search", json!({ "query": "beach sport with sticks" }));
    let answer = acts("answer", json!({ "answer": "Kivvet", "confidence": "80" }));
    [search, answer]
        .iter()
        .cycle()
        .take(20)
        .map(|text| Canned::text(text))
        .collect()
}

#[tokio::test]
async fn what_the_server_offers_is_told_without_keys_and_addresses() {
    let (service, upstream, _folder) = service(vec![]).await;
    let came = service.get("/api/about").await;
    let about: About = came.json();
    let names: Vec<_> = about
        .providers
        .iter()
        .map(|p| (p.name.as_str(), p.format.as_str()))
        .collect();
    assert_eq!(names, [("scripted", "scripted"), ("up", "openai")]);
    assert_eq!(about.engines[0].name, "local");
    assert!(
        about.engines[0].documents.is_some_and(|count| count > 50)
            && about.engines[0].corpus.is_some()
    );
    assert_eq!(
        (about.task_sets[0].name.as_str(), about.access),
        ("samples", Access::Open)
    );
    assert!(!came.text.contains("127.0.0.1") && !came.text.contains(&upstream.base_url()));
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_guard_the_page() {
    let (service, _folder) = with(&[]).await;
    for path in ["/", "/api/about", "/api/nothing", "/run/1"] {
        let came = service.get(path).await;
        let header = |name: &str| {
            came.headers
                .get(name)
                .and_then(|v| v.to_str().ok())
                .unwrap_or_default()
        };
        let policy = header("content-security-policy");
        assert!(
            policy.contains("script-src 'self' 'wasm-unsafe-eval'"),
            "{path}: {policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"));
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn other_sites_and_other_names_are_refused() {
    let (service, _folder) = with(&[]).await;
    let ask = async |method: &str, host: &str, origin: &str| {
        let request = Request::builder()
            .method(method)
            .uri("/api/runs")
            .header("host", host)
            .header("origin", origin)
            .header("content-type", "application/json")
            .body(Body::from("{}"))
            .expect("a sound request");
        service.send(request).await
    };
    ask("GET", "localhost:8080", "http://localhost:8080")
        .await
        .json::<Value>();
    ask("POST", "localhost:8080", "http://evil.example")
        .await
        .error(403);
    ask("GET", "localhost:8080", "null").await.error(403);
    ask("GET", "evil.example:8080", "http://evil.example:8080")
        .await
        .error(403);
    let plain = Request::get("/api/about")
        .body(Body::empty())
        .expect("a sound request");
    assert_eq!(service.send(plain).await.error(400).code, "bad_request");
}

#[tokio::test]
async fn bad_requests_get_an_error_in_the_one_shape() {
    let (service, _folder) = with(&[]).await;
    let run = "0".repeat(32);
    for (method, path, kind, body, status) in [
        (
            "GET",
            "/api/nothing".to_owned(),
            "text/plain",
            String::new(),
            404,
        ),
        (
            "DELETE",
            "/api/about".to_owned(),
            "text/plain",
            String::new(),
            405,
        ),
        (
            "POST",
            "/elsewhere".to_owned(),
            "text/plain",
            String::new(),
            405,
        ),
        (
            "GET",
            format!("/api/runs/{run}"),
            "text/plain",
            String::new(),
            404,
        ),
        (
            "GET",
            "/api/runs/..%2F..".to_owned(),
            "text/plain",
            String::new(),
            404,
        ),
        (
            "GET",
            "/api/runs/%FF".to_owned(),
            "text/plain",
            String::new(),
            400,
        ),
        (
            "GET",
            "/api/runs?limit=x".to_owned(),
            "text/plain",
            String::new(),
            400,
        ),
        (
            "GET",
            "/api/runs?offset=1".to_owned(),
            "text/plain",
            String::new(),
            400,
        ),
        (
            "GET",
            "/api/socket".to_owned(),
            "text/plain",
            String::new(),
            400,
        ),
        (
            "GET",
            "/api/tasks/nothing.jsonl".to_owned(),
            "text/plain",
            String::new(),
            404,
        ),
        (
            "POST",
            "/api/runs".to_owned(),
            "text/plain",
            "{}".to_owned(),
            415,
        ),
        (
            "POST",
            "/api/runs".to_owned(),
            "application/json",
            "{".to_owned(),
            400,
        ),
        (
            "POST",
            "/api/runs".to_owned(),
            "application/json",
            "[".repeat(70),
            400,
        ),
        (
            "POST",
            "/api/runs".to_owned(),
            "application/json",
            " ".repeat(1_000_001),
            413,
        ),
        (
            "POST",
            "/api/call".to_owned(),
            "application/json",
            "{}".to_owned(),
            400,
        ),
        (
            "POST",
            "/api/probe".to_owned(),
            "application/json",
            r#"{"probe":"page"}"#.to_owned(),
            400,
        ),
    ] {
        let came = service.ask(method, &path, None, kind, body).await;
        let error = came.error(status);
        assert!(
            !error.code.is_empty() && error.message.ends_with('.'),
            "{method} {path}: {error:?}"
        );
    }
}

#[tokio::test]
async fn requests_are_counted_and_guessing_is_slow() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "[limits]\nrequests_per_second = 1\nrequest_burst = 5\n";
    std::fs::write(folder.path().join("turnwise.toml"), text).expect("it writes");
    let given = Given {
        addr: None,
        data: Some(folder.path().to_path_buf()),
    };
    let config = Config::load(given, &Environment::default()).expect("it is sound");
    let service = Service::open(config).await;
    for _ in 0..5 {
        service.get("/api/tasks").await.json::<Value>();
    }
    let came = service.get("/api/tasks").await;
    assert_eq!(came.error(429).code, "too_many_requests");
    let wait = came.headers["retry-after"]
        .to_str()
        .expect("text")
        .parse::<u64>()
        .expect("seconds");
    assert!((1..=2).contains(&wait));
}

#[tokio::test]
async fn an_access_token_guards_what_costs_and_what_lists() {
    const TOKEN: &str = "0123456789abcdef-access";
    let (service, _folder) = with(&[("TURNWISE_ACCESS_TOKEN", TOKEN)]).await;
    let about: About = service.get("/api/about").await.json();
    assert_eq!(about.access, Access::Token);
    let wanted = OpenRun {
        spec: trial_spec(1),
        title: String::new(),
        episodes: 1,
    };
    let probe = Probe::Search {
        engine: "local".into(),
        text: "sticks".into(),
    };
    assert_eq!(
        service
            .post("/api/runs", None, &wanted)
            .await
            .error(401)
            .code,
        "token_missing"
    );
    assert_eq!(
        service
            .post("/api/probe", None, &probe)
            .await
            .error(401)
            .code,
        "token_missing"
    );
    service.get("/api/runs").await.error(401);
    service.get("/api/tasks/x.jsonl").await.error(401);
    let wrong = service
        .post("/api/runs", Some("0123456789abcdef-accesS"), &wanted)
        .await;
    assert_eq!(wrong.error(401).code, "token_wrong");
    assert!(wrong.headers.contains_key("www-authenticate"));
    let opened: Opened = service.post("/api/runs", Some(TOKEN), &wanted).await.json();
    let info: RunInfo = service
        .get(&format!("/api/runs/{}", opened.run))
        .await
        .json();
    assert_eq!(info.episodes, 1);
}

#[tokio::test]
async fn the_web_app_is_handed_out_with_its_hashes_and_its_small_copies() {
    let web = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(web.path().join("fonts")).expect("it is made");
    for (name, text) in [
        ("index.html", "<html>page</html>"),
        ("app-0123456789abcdef.wasm", "wasm"),
        ("app-0123456789abcdef.wasm.br", "small"),
        ("robots.txt", "User-agent: *"),
        ("fonts/a.woff2", "font"),
    ] {
        std::fs::write(web.path().join(name), text).expect("it writes");
    }
    let folder = web.path().to_string_lossy().into_owned();
    let (service, _data) = with(&[("TURNWISE_WEB_DIR", &folder)]).await;
    let get = async |path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::get(path).header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        service
            .send(request.body(Body::empty()).expect("a sound request"))
            .await
    };
    let page = get("/", &[]).await;
    assert_eq!(
        (page.status, page.text.as_str()),
        (StatusCode::OK, "<html>page</html>")
    );
    assert_eq!(page.headers["cache-control"], "no-cache");
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let wasm = get(
        "/app-0123456789abcdef.wasm",
        &[("accept-encoding", "gzip, br")],
    )
    .await;
    assert_eq!(wasm.text, "small");
    assert_eq!(wasm.headers["content-encoding"], "br");
    assert_eq!(wasm.headers["content-type"], "application/wasm");
    assert!(
        wasm.headers["cache-control"]
            .to_str()
            .expect("text")
            .contains("immutable")
    );
    let plain = get("/app-0123456789abcdef.wasm", &[]).await;
    assert_eq!(
        (plain.text.as_str(), plain.headers.get("content-encoding")),
        ("wasm", None)
    );
    let tag = page.headers["etag"].to_str().expect("text").to_owned();
    let again = get("/", &[("if-none-match", &tag)]).await;
    assert_eq!(
        (again.status, again.text.as_str()),
        (StatusCode::NOT_MODIFIED, "")
    );
    assert_eq!(
        get("/fonts/a.woff2", &[]).await.headers["content-type"],
        "font/woff2"
    );
    let deep = get("/run/7/7.r1.play", &[("accept", "text/html,*/*")]).await;
    assert_eq!(
        (deep.status, deep.text.as_str()),
        (StatusCode::OK, "<html>page</html>")
    );
    assert_eq!(deep.headers["x-robots-tag"], "noindex, nofollow");
    for path in [
        "/nothing.js",
        "/app-0123456789abcdef.wasm.br",
        "/../Cargo.toml",
        "/%2e%2e/x",
        "/.env",
    ] {
        get(path, &[]).await.error(404);
    }
}

#[tokio::test]
async fn without_a_web_app_the_page_says_how_to_build_it() {
    let nowhere = tempfile::tempdir().expect("a temporary folder");
    let folder = nowhere.path().to_string_lossy().into_owned();
    let (service, _data) = with(&[("TURNWISE_WEB_DIR", &folder)]).await;
    let request = Request::get("/")
        .header("host", "localhost")
        .header("accept", "text/html");
    let came = service
        .send(request.body(Body::empty()).expect("a sound request"))
        .await;
    assert_eq!(came.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(came.text.contains("cargo xtask"), "{}", came.text);
}

#[tokio::test]
async fn a_run_is_played_through_the_service_and_survives_a_restart() {
    let (service, upstream, folder) = service(answering()).await;
    let spec = trial_spec(3);
    let opened = service.open_run(&spec, 3).await;
    let driven = drive(&service, &opened, &mut planned(&spec)).await;
    assert!(driven.calls.len() >= 9, "three plays with searches");
    let sent = upstream.seen().len();
    let path = |rest: &str| format!("/api/runs/{}{rest}", opened.run);

    let heads: Vec<EpisodeHead> = service.get(&path("/episodes")).await.json();
    assert_eq!(heads.len(), 6, "three plays and their gradings");
    assert!(heads.iter().all(|head| head.ending.is_some()));
    let text = service
        .get(&path(&format!("/episodes/{}", heads[0].episode)))
        .await
        .text;
    let read = turnwise_shared::transcript::read(&text).expect("a sound transcript");
    assert_eq!(
        (read.chain, read.events.len() as u64),
        (heads[0].chain, heads[0].lines)
    );

    let summaries = service.get(&path("/summaries")).await;
    let mut expected = std::collections::BTreeMap::new();
    for (play, summary) in &driven.summaries {
        expected.insert(play.clone(), summary.clone());
    }
    assert_eq!(
        serde_json::from_str::<Value>(&summaries.text).ok(),
        serde_json::to_value(&expected).ok()
    );
    let info: RunInfo = service.get(&path("")).await.json();
    assert_eq!(
        (info.finished, info.episodes, info.title.as_str()),
        (3, 3, "a trial")
    );
    let right = expected
        .values()
        .filter(|summary| summary.score == Some(1.0))
        .count();
    assert_eq!(info.accuracy, Some(right as f64 / 3.0));
    let report: Value = service.get(&path("/report")).await.json();
    assert_eq!(report["record"]["n"], json!(3));
    let timings: Vec<CallTiming> = service.get(&path("/timing")).await.json();
    assert_eq!(timings.len(), driven.calls.len());
    assert!(
        timings
            .iter()
            .all(|timing| (timing.sent, timing.lost) == (1, 0) && timing.timing.attempts == 1)
    );

    service.app.close().await;
    let config = config(folder.path(), &upstream.base_url(), "");
    let again = Service::open(config).await;
    let same: Value = again.get(&path("/summaries")).await.json();
    assert_eq!(Some(same), serde_json::from_str(&summaries.text).ok());
    let (request, answer) = &driven.calls[0];
    let repeated = again.call(&opened, request).await;
    assert_eq!(
        (&repeated.reply, repeated.timing.from_ledger),
        (&answer.reply, true)
    );
    assert_eq!(upstream.seen().len(), sent, "nothing is paid for twice");
    let runs: Vec<RunInfo> = again.get("/api/runs").await.json();
    assert_eq!(runs.len(), 1);
}

#[tokio::test]
async fn an_incomplete_episode_is_taken_up_where_it_failed() {
    let mut answers = vec![Canned::error(400)];
    answers.extend(answering());
    let (service, _upstream, _folder) = service(answers).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let first = drive(&service, &opened, &mut planned(&spec)).await;
    let (play, summary) = &first.summaries[0];
    assert_eq!(summary.ending.as_deref(), Some("incomplete"));
    let path = format!("/api/runs/{}/episodes/{play}", opened.run);
    let stored =
        turnwise_shared::transcript::read(&service.get(&path).await.text).expect("it is sound");

    let mut again = planned(&spec);
    let kept = again.restore(play, &stored).expect("it can be taken up");
    assert!(kept < stored.events.len() as u64);
    let second = drive(&service, &opened, &mut again).await;
    let whole =
        turnwise_shared::transcript::read(&service.get(&path).await.text).expect("it is sound");
    assert!(whole.outcome().is_some_and(|outcome| outcome.is_complete()));
    assert!(
        !second.calls[0].1.timing.from_ledger,
        "a failure is no stored reply"
    );
    let timings: Vec<CallTiming> = service
        .get(&format!("/api/runs/{}/timing", opened.run))
        .await
        .json();
    assert_eq!((timings[0].sent, timings[0].lost), (2, 0));
}

#[tokio::test]
async fn lines_need_the_runs_own_token_and_go_on_from_what_is_stored() {
    let (service, _upstream, _folder) = service(answering()).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let driven = drive(&service, &opened, &mut planned(&spec)).await;
    let play = &driven.summaries[0].0;
    let path = format!("/api/runs/{}/episodes/{play}", opened.run);
    let text = service.get(&path).await.text;
    let lines = text.lines().count() as u64;

    let other = service.open_run(&spec, 1).await;
    let stranger = Opened {
        run: opened.run.clone(),
        token: other.token.clone(),
    };
    assert_eq!(
        service
            .put(&stranger, play, lines, "{}\n")
            .await
            .error(401)
            .code,
        "token_wrong"
    );
    let kind = "application/x-ndjson";
    let without = service
        .ask("PUT", &format!("{path}?from=0"), None, kind, "{}\n")
        .await;
    assert_eq!(without.error(401).code, "token_missing");
    let state = SetState {
        state: RunState::Closed,
    };
    let path_of_state = format!("/api/runs/{}/state", opened.run);
    service
        .post(&path_of_state, Some(&other.token), &state)
        .await
        .error(401);

    assert_eq!(
        service.put(&opened, play, 0, &text).await.json::<Value>(),
        json!({ "lines": lines })
    );
    let gap = service
        .put(&opened, play, lines + 1, "{}\n")
        .await
        .error(409);
    assert!(
        gap.message.contains(&format!("has {lines} lines")),
        "{gap:?}"
    );
    let after = text.lines().last().expect("a line");
    service.put(&opened, play, lines, after).await.error(422);
    let changed = text.replace("strict", "STRICT");
    service.put(&other, play, 0, &changed).await.error(422);
    let mut seeded = trial_spec(1);
    seeded.seed = 9;
    let elsewhere = service.open_run(&seeded, 1).await;
    service.put(&elsewhere, play, 0, &text).await.error(422);
    service
        .put(&other, &play.grading(), 0, &text)
        .await
        .error(422);
    let deep = format!("{{\"a\":{}{}}}\n", "[".repeat(80), "]".repeat(80));
    service.put(&other, play, 0, &deep).await.error(400);
    assert_eq!(
        service.get(&path).await.text,
        text,
        "nothing of this left a trace"
    );

    let closed: RunInfo = service
        .post(&path_of_state, Some(&opened.token), &state)
        .await
        .json();
    assert_eq!(closed.state, RunState::Closed);
    let call = service.post("/api/call", None, &driven.calls[0].0).await;
    assert_eq!(call.error(409).code, "conflict");
}

#[tokio::test]
async fn calls_belong_to_their_run() {
    let (service, upstream, _folder) = service(answering()).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let driven = drive(&service, &opened, &mut planned(&spec)).await;
    let sent = upstream.seen().len();
    let (request, _) = &driven.calls[0];
    let mut wrong = request.clone();
    wrong.token = "x".into();
    service.post("/api/call", None, &wrong).await.error(401);
    for change in [
        json!({ "provider": "scripted" }),
        json!({ "model": "dearer" }),
        json!({ "seat": "responder" }),
        json!({ "sampling": { "temperature": 2.0 } }),
    ] {
        let mut other = serde_json::to_value(request).expect("JSON");
        for (name, value) in change.as_object().expect("an object") {
            other["request"][name] = value.clone();
        }
        other["key"]["call"] = json!(99);
        assert_eq!(
            service
                .post("/api/call", None, &other)
                .await
                .error(422)
                .code,
            "unfit",
            "{change}"
        );
    }
    let mut unknown = serde_json::to_value(request).expect("JSON");
    unknown["request"]["tools"] = json!(["rm"]);
    let error = service.post("/api/call", None, &unknown).await.error(400);
    assert!(error.message.contains("request.tools"), "{error:?}");
    let mut elsewhere = serde_json::to_value(request).expect("JSON");
    elsewhere["key"]["run"] = json!("f".repeat(32));
    service.post("/api/call", None, &elsewhere).await.error(404);
    assert_eq!(upstream.seen().len(), sent);
}

#[tokio::test]
async fn a_run_that_cannot_be_played_is_not_opened() {
    let (service, _folder) = with(&[]).await;
    let open = async |change: Value| {
        let mut wanted = json!({ "spec": trial_spec(1), "title": "", "episodes": 1 });
        for (name, value) in change.as_object().expect("an object") {
            wanted["spec"][name] = value.clone();
        }
        service.post("/api/runs", None, &wanted).await
    };
    let unknown = open(json!({ "benchmark": "chess" })).await.error(422);
    assert!(unknown.message.contains("interactcomp"), "{unknown:?}");
    let rounds = open(json!({ "settings": { "mode": "full", "rounds": 0 } }))
        .await
        .error(422);
    assert!(rounds.message.contains("rounds"), "{rounds:?}");
    open(json!({ "seed": -1 })).await.error(400);
    let extra = open(json!({ "sede": 1 })).await.error(400);
    assert!(extra.message.contains("spec.sede"), "{extra:?}");
    assert!(
        service
            .get("/api/runs")
            .await
            .json::<Vec<RunInfo>>()
            .is_empty()
    );
}

#[tokio::test]
async fn probes_show_what_comes_back() {
    let (service, _upstream, _folder) =
        service(vec![Canned::text("ready"), Canned::error(404)]).await;
    let probe = async |wanted: Probe| {
        service
            .post("/api/probe", None, &wanted)
            .await
            .json::<Probed>()
    };
    let up = || Probe::Model {
        provider: "up".into(),
        model: "m".into(),
    };
    let ready = probe(up()).await;
    assert!(matches!(&ready.reply, Reply::Said(said) if said.text.as_deref() == Some("ready")));
    let failed = probe(up()).await;
    let Reply::Failed(failure) = failed.reply else {
        panic!("{failed:?}")
    };
    assert_eq!(
        (failure.class, failed.timing.attempts),
        (FailureClass::Rejected, 1)
    );
    assert!(failure.message.contains("upstream says no"), "{failure:?}");
    let trial = probe(Probe::Model {
        provider: "scripted".into(),
        model: "trial".into(),
    })
    .await;
    assert!(matches!(&trial.reply, Reply::Said(said) if said.text.as_deref() == Some("ready")));
    let found = probe(Probe::Search {
        engine: "local".into(),
        text: "sport with sticks".into(),
    })
    .await;
    assert!(matches!(&found.reply, Reply::Found { hits } if hits.len() == 5));
    let nobody = probe(Probe::Search {
        engine: "web".into(),
        text: "x".into(),
    })
    .await;
    assert!(
        matches!(&nobody.reply, Reply::Failed(failure) if failure.class == FailureClass::Unavailable)
    );
}

#[tokio::test]
async fn task_files_come_back_as_they_were_given() {
    let (service, _folder) = with(&[]).await;
    let row = json!({ "id": 1, "domain": "Made up", "question": "Which?", "context": "Green.", "answer": "Green" });
    let file = format!("{row}\n");
    let kind = "application/octet-stream";
    let path = "/api/tasks/my%20tasks.jsonl?benchmark=interactcomp";
    let stored: TaskSetInfo = service
        .ask("PUT", path, None, kind, file.clone())
        .await
        .json();
    assert_eq!((stored.name.as_str(), stored.count), ("my_tasks.jsonl", 1));
    let listed: Vec<TaskSetInfo> = service.get("/api/tasks").await.json();
    assert!(listed.contains(&stored));
    let back = service.get("/api/tasks/my_tasks.jsonl").await;
    assert_eq!((back.status, back.text), (StatusCode::OK, file));
    let bad = service
        .ask("PUT", path, None, kind, "{\"id\": 1}\n")
        .await
        .error(422);
    assert!(bad.message.contains('1'), "the row is named: {bad:?}");
    let large = " ".repeat(1_000_001);
    service.ask("PUT", path, None, kind, large).await.error(413);
}

#[tokio::test]
async fn two_equal_calls_at_once_are_one_call() {
    let (service, upstream, _folder) = service(answering()).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let driven = drive(&service, &opened, &mut planned(&spec)).await;
    let before = upstream.seen().len();
    let mut request = driven.calls[0].0.clone();
    request.key.call.0 = 77;
    let answers: Vec<CallAnswer> =
        futures::future::join_all((0..8).map(|_| service.call(&opened, &request))).await;
    assert_eq!(upstream.seen().len(), before + 1);
    assert!(
        answers
            .iter()
            .all(|answer| answer.reply == answers[0].reply)
    );
}
