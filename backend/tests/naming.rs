//! Names and tags of runs over HTTP: who may give them, which are taken, how runs are found by them.

use axum::body::Body;

use crate::common::*;

async fn edit(service: &Service, run: &str, token: Option<&str>, body: &Value) -> HttpReply {
    let path = format!("/api/runs/{run}");
    let body = Body::from(body.to_string());
    service.ask("PATCH", &path, token, "application/json", body).await
}

async fn listed(service: &Service, query: &str) -> Vec<String> {
    let runs: Vec<RunInfo> = service.get(&format!("/api/runs?{query}")).await.json();
    runs.into_iter().map(|run| run.title).collect()
}

#[tokio::test]
async fn whoever_has_the_runs_token_names_it_and_nobody_else() {
    let service = service(Vec::<Canned>::new()).await;
    let spec = of_bots(1);
    let wanted = OpenRun {
        title: "  ".to_owned(),
        tags: vec![" one ".to_owned(), String::new(), "one".to_owned()],
        ..opening(&spec)
    };
    let opened: turnwise_shared::wire::Opened = service.open(&wanted).await.json();
    let run = opened.run.as_str();
    let info: RunInfo = service.get(&format!("/api/runs/{run}")).await.json();
    assert!(info.title.starts_with("asks-by-rule"), "{}", info.title);
    assert_eq!(info.tags, ["one"]);
    let first = info.title;

    for token in [None, Some("wrong")] {
        let refused = edit(&service, run, token, &json!({ "title": "x" })).await;
        refused.error(401);
    }
    let token = Some(opened.token.as_str());
    for (body, words) in [
        (json!({ "title": "x".repeat(401) }), "at most 400"),
        (json!({ "title": "a\u{202e}b" }), "U+202E"),
        (json!({ "title": "a\nb" }), "U+000A"),
        (json!({ "tags": ["a,b"] }), "commas"),
        (json!({ "tags": ["x".repeat(61)] }), "at most 60"),
        (json!({ "tags": (0..21).map(|it| it.to_string()).collect::<Vec<_>>() }), "at most 20"),
        (json!({ "names": "x" }), "names"),
        (json!({ "tags": "x" }), "expected a sequence"),
    ] {
        let refused = edit(&service, run, token, &body).await;
        assert!(refused.status.is_client_error(), "{body}: {refused:?}");
        assert!(refused.text.contains(words), "{body}: {refused:?}");
    }
    // What is not named stays.
    let info: RunInfo =
        edit(&service, run, token, &json!({ "title": " <i>名前</i> " })).await.json();
    assert_eq!((info.title.as_str(), &info.tags), ("<i>名前</i>", &vec!["one".to_owned()]));
    assert_eq!(info.spec, spec);
    let info: RunInfo = edit(&service, run, token, &json!({ "tags": [] })).await.json();
    assert_eq!((info.title.as_str(), info.tags.len()), ("<i>名前</i>", 0));
    // An empty name gives the first one back.
    let info: RunInfo = edit(&service, run, token, &json!({ "title": "" })).await.json();
    assert_eq!(info.title, first);
    // A private run is not there for others; a withdrawn one for no client.
    show(&service, &opened, Visibility::Private, &opened.token).await;
    edit(&service, run, Some("wrong"), &json!({ "title": "x" })).await.error(404);
    let withdrawn =
        SetState { state: RunState::Withdrawn, epoch: Default::default(), trouble: None };
    service.post(&format!("/api/runs/{run}/state"), token, &withdrawn).await;
    edit(&service, run, token, &json!({ "title": "x" })).await.error(410);
}

#[tokio::test]
async fn runs_are_found_by_words_benchmark_player_state_and_tag() {
    let service = service(Vec::<Canned>::new()).await;
    let spec = of_bots(1);
    for number in 0..7 {
        let opened = service.open_run(&spec, 1).await;
        let body = json!({ "title": format!("Run {number}"), "tags": [if number % 2 == 0 { "even" } else { "odd" }] });
        let named = edit(&service, opened.run.as_str(), Some(&opened.token), &body).await;
        assert!(named.status.is_success(), "{named:?}");
    }
    assert_eq!(listed(&service, "q=RUN%203").await, ["Run 3"]);
    assert_eq!(listed(&service, "tag=odd").await.len(), 3);
    assert_eq!(listed(&service, "tag=odd&limit=2").await.len(), 2);
    assert_eq!(listed(&service, "q=even%206").await, ["Run 6"]);
    assert_eq!(listed(&service, "model=asks-BY").await.len(), 7);
    assert_eq!(listed(&service, "model=nobody").await.len(), 0);
    let benchmark = &spec.benchmark;
    assert_eq!(listed(&service, &format!("benchmark={benchmark}&state=open")).await.len(), 7);
    assert_eq!(listed(&service, "state=closed").await.len(), 0);
    assert_eq!(listed(&service, "benchmark=other").await.len(), 0);
    service.get("/api/runs?state=nonsense").await.error(400);
    // Page by page all come once.
    let mut seen = Vec::new();
    let mut before = String::new();
    loop {
        let path = format!("/api/runs?tag=even&limit=3{before}");
        let some: Vec<RunInfo> = service.get(&path).await.json();
        let Some(last) = some.last() else { break };
        before = format!("&before={}.{}", last.opened, last.run);
        seen.extend(some.iter().map(|run| run.title.clone()));
    }
    seen.sort();
    assert_eq!(seen, ["Run 0", "Run 2", "Run 4", "Run 6"]);
}

#[tokio::test]
async fn the_demo_is_the_operators_and_comes_once() {
    let service = service(Vec::<Canned>::new()).await;
    let app = &service.app;
    turnwise_backend::demo::show(app).await.expect("it is played");
    let demo = turnwise_shared::key::demo();
    let path = format!("/api/runs/{demo}");
    let has_demo = async || -> bool { service.get("/api/about").await.json::<About>().demo };
    assert!(has_demo().await);
    for _ in 0..600 {
        let info: RunInfo = service.get(&path).await.json();
        if info.state == RunState::Closed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let info: RunInfo = service.get(&path).await.json();
    assert_eq!((info.state, info.finished), (RunState::Closed, info.episodes));
    let named: RunInfo =
        edit(&service, demo.as_str(), None, &json!({ "title": "Ours" })).await.json();
    assert_eq!(named.title, "Ours");
    // No client has its token, so none publishes it.
    let published = service.post(&format!("{path}/publish"), None, &json!({})).await;
    assert!(published.status.is_client_error(), "{published:?}");
    let withdrawn =
        SetState { state: RunState::Withdrawn, epoch: Default::default(), trouble: None };
    let gone = service.post(&format!("{path}/state"), None, &withdrawn).await;
    assert!(gone.status == 410 || gone.status.is_success(), "{gone:?}");
    service.get(&path).await.error(410);
    assert!(!has_demo().await);
    turnwise_backend::demo::show(app).await.expect("nothing happens");
    service.get(&path).await.error(410);
}
