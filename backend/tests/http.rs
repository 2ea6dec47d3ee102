//! The real router: guard, limits, errors, probes, task files.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use turnwise_shared::wire::{Access, ListModels, Probe, Probed, TaskSetInfo};

use crate::common::*;

#[tokio::test]
async fn what_the_server_offers_is_told_without_keys_and_addresses() {
    let service = service(vec![]).await;
    let upstream = service.upstream();
    let came = service.get("/api/about").await;
    let about: About = came.json();
    let names: Vec<_> =
        about.providers.iter().map(|p| (p.name.as_str(), p.format.as_str())).collect();
    assert_eq!(names, [("scripted", "scripted"), ("up", "openai")]);
    assert_eq!(about.engines[0].name, "local");
    assert!(
        about.engines[0].documents.is_some_and(|count| count > 50)
            && about.engines[0].corpus.is_some()
    );
    assert_eq!((about.task_sets[0].name.as_str(), about.access), ("samples", Access::Open));
    assert!(!came.text.contains("127.0.0.1") && !came.text.contains(&upstream.base_url()));
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_guard_the_page() {
    let service = with(&[]).await;
    for path in ["/", "/api/about", "/api/nothing", "/run/1"] {
        let came = service.get(path).await;
        let header =
            |name: &str| came.headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let policy = header("content-security-policy");
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"));
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn other_sites_and_other_names_are_refused() {
    let service = with(&[]).await;
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
    ask("GET", "localhost:8080", "http://localhost:8080").await.json::<Value>();
    ask("POST", "localhost:8080", "http://evil.example").await.error(403);
    ask("GET", "localhost:8080", "null").await.error(403);
    ask("GET", "evil.example:8080", "http://evil.example:8080").await.error(403);
    let plain = Request::get("/api/about").body(Body::empty()).expect("a sound request");
    assert_eq!(service.send(plain).await.error(400).code, "bad_request");
}

#[tokio::test]
async fn bad_requests_get_an_error_in_the_one_shape() {
    let service = with(&[]).await;
    let run = "0".repeat(32);
    for (method, path, kind, body, status) in [
        ("GET", "/api/nothing".to_owned(), "text/plain", String::new(), 404),
        ("DELETE", "/api/about".to_owned(), "text/plain", String::new(), 405),
        ("POST", "/elsewhere".to_owned(), "text/plain", String::new(), 405),
        ("GET", format!("/api/runs/{run}"), "text/plain", String::new(), 404),
        ("GET", "/api/runs/..%2F..".to_owned(), "text/plain", String::new(), 404),
        ("GET", "/api/runs/%FF".to_owned(), "text/plain", String::new(), 400),
        ("GET", "/api/runs?limit=x".to_owned(), "text/plain", String::new(), 400),
        ("GET", "/api/runs?offset=1".to_owned(), "text/plain", String::new(), 400),
        ("GET", "/api/socket".to_owned(), "text/plain", String::new(), 400),
        ("GET", "/api/tasks/nothing.jsonl".to_owned(), "text/plain", String::new(), 404),
        ("POST", "/api/runs".to_owned(), "text/plain", "{}".to_owned(), 415),
        ("POST", "/api/runs".to_owned(), "application/json", "{".to_owned(), 400),
        ("POST", "/api/runs".to_owned(), "application/json", "[".repeat(70), 400),
        ("POST", "/api/runs".to_owned(), "application/json", " ".repeat(1_000_001), 413),
        ("POST", "/api/call".to_owned(), "application/json", "{}".to_owned(), 400),
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

/// A service with this configuration file.
async fn configured(file: &str) -> Service {
    Service::in_a_folder(|folder| crate::common::configured(folder, file)).await
}

#[tokio::test]
async fn requests_are_counted_and_guessing_is_slow() {
    let service = configured("[limits]\nrequests_per_second = 1\nrequest_burst = 5\n").await;
    for _ in 0..5 {
        service.get("/api/tasks").await.json::<Value>();
    }
    let mut came = service.get("/api/tasks").await;
    // On a slow machine seconds pass meanwhile, and each brings another request.
    for _ in 0..50 {
        if came.status != StatusCode::OK {
            break;
        }
        came = service.get("/api/tasks").await;
    }
    assert_eq!(came.error(429).code, "too_many_requests");
    let wait = came.headers["retry-after"].to_str().expect("text").parse::<u64>().expect("seconds");
    assert!((1..=2).contains(&wait));
}

#[tokio::test]
async fn visitors_who_come_through_a_proxy_have_limits_of_their_own() {
    // Requests without a connection, as these are, come from this address.
    let service = configured(
        "proxies = [\"0.0.0.0\"]\n[limits]\nrequests_per_second = 1\nrequest_burst = 3\n",
    )
    .await;
    let ask = async |told: &str| {
        service.get_with("/api/tasks", &[("x-forwarded-for", told)]).await.status
    };
    let mut last = StatusCode::OK;
    // On a slow machine seconds pass meanwhile, and each brings another request.
    for count in 0..50 {
        // Who asks may write whatever is wished before what the proxy adds.
        last = ask(&format!("192.0.2.{count}, 203.0.113.9")).await;
        if last != StatusCode::OK {
            break;
        }
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask("203.0.113.10").await, StatusCode::OK);
}

#[tokio::test]
async fn an_access_token_guards_what_costs_and_what_lists() {
    const TOKEN: &str = "0123456789abcdef-access";
    let service = with(&[("TURNWISE_ACCESS_TOKEN", TOKEN)]).await;
    let about: About = service.get("/api/about").await.json();
    assert_eq!(about.access, Access::Token);
    let wanted = OpenRun { title: String::new(), ..opening(&trial_spec(1)) };
    let probe = Probe::Search { engine: "local".into(), text: "sticks".into() };
    assert_eq!(service.open(&wanted).await.error(401).code, "token_missing");
    assert_eq!(service.post("/api/probe", None, &probe).await.error(401).code, "token_missing");
    let models = ListModels { provider: "up".into() };
    let refused = service.post("/api/models", None, &models).await;
    assert_eq!(refused.error(401).code, "token_missing");
    service.get("/api/runs").await.error(401);
    service.get("/api/tasks/x.jsonl").await.error(401);
    let wrong = service.post("/api/runs", Some("0123456789abcdef-accesS"), &wanted).await;
    assert_eq!(wrong.error(401).code, "token_wrong");
    assert!(wrong.headers.contains_key("www-authenticate"));
    let opened: Opened = service.post("/api/runs", Some(TOKEN), &wanted).await.json();
    let info: RunInfo = service.of_run(&opened.run, "").await.json();
    assert_eq!(info.episodes, 1);
}

#[tokio::test]
async fn probes_show_what_comes_back() {
    let service = service(vec![Canned::text("ready"), Canned::error(404)]).await;
    let probe =
        async |wanted: Probe| service.post("/api/probe", None, &wanted).await.json::<Probed>();
    let up = || Probe::Model { provider: "up".into(), model: "m".into() };
    let ready = probe(up()).await;
    assert!(matches!(&ready.reply, Reply::Said(said) if said.text.as_deref() == Some("ready")));
    let failed = probe(up()).await;
    let Reply::Failed(failure) = failed.reply else { panic!("{failed:?}") };
    assert_eq!((failure.class, failed.timing.attempts), (FailureClass::Rejected, 1));
    assert!(failure.message.contains("upstream says no"), "{failure:?}");
    let trial = probe(Probe::Model { provider: "scripted".into(), model: "trial".into() }).await;
    assert!(matches!(&trial.reply, Reply::Said(said) if said.text.as_deref() == Some("ready")));
    let found =
        probe(Probe::Search { engine: "local".into(), text: "sport with sticks".into() }).await;
    assert!(matches!(&found.reply, Reply::Found { hits, .. } if hits.len() == 5));
    let nobody = probe(Probe::Search { engine: "web".into(), text: "x".into() }).await;
    assert!(
        matches!(&nobody.reply, Reply::Failed(failure) if failure.class == FailureClass::Unavailable)
    );
}

#[tokio::test]
async fn task_files_come_back_as_they_were_given() {
    let service = with(&[]).await;
    let row = json!({ "id": 1, "domain": "Made up", "question": "Which?", "context": "Green.", "answer": "Green" });
    let file = format!("{row}\n");
    let kind = "application/octet-stream";
    let path = &format!("/api/tasks/my%20tasks.jsonl?benchmark={QUESTIONS}");
    let stored: TaskSetInfo = service.ask("PUT", path, None, kind, file.clone()).await.json();
    assert_eq!((stored.name.as_str(), stored.count), ("my_tasks.jsonl", 1));
    let listed: Vec<TaskSetInfo> = service.get("/api/tasks").await.json();
    assert!(listed.contains(&stored));
    let back = service.get("/api/tasks/my_tasks.jsonl").await;
    assert_eq!((back.status, back.text), (StatusCode::OK, file));
    let bad = service.ask("PUT", path, None, kind, "{\"id\": 1}\n").await.error(422);
    assert!(bad.message.contains('1'), "the row is named: {bad:?}");
    let large = " ".repeat(1_000_001);
    service.ask("PUT", path, None, kind, large).await.error(413);
}
