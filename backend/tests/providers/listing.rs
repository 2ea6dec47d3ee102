//! The list of a service's models: what services answer, and what no client may see of it.

use turnwise_shared::effect::FailureClass;
use turnwise_shared::wire::{ListModels, ListedModel, ModelList};

use crate::common::*;

/// What a service is asked and answers when its models are listed.
async fn listed(format: &str, answer: Canned, limits: &str) -> (ModelList, String) {
    let upstream = Upstream::start([answer]).await;
    let service = Service::of(format, &upstream.base_url(), limits).await;
    let wanted = ListModels { provider: "up".to_owned() };
    let came = service.post("/api/models", None, &wanted).await;
    for secret in [MARKED_KEY, "127.0.0.1", "http://"] {
        assert!(!came.text.contains(secret), "{secret} is in {}", came.text);
    }
    let seen = upstream.seen();
    assert_eq!(seen.len(), 1, "it is asked once");
    (came.json(), seen[0].head.clone())
}

fn names(list: &ModelList) -> Vec<&str> {
    match list {
        ModelList::Listed { models, .. } => models.iter().map(|one| one.name.as_str()).collect(),
        other => panic!("no list: {other:?}"),
    }
}

fn class(list: &ModelList) -> FailureClass {
    match list {
        ModelList::Failed(failure) => failure.class,
        other => panic!("it did not fail: {other:?}"),
    }
}

#[tokio::test]
async fn every_format_is_asked_for_its_list_with_its_key() {
    let data = json!({ "data": [{ "id": "b" }, { "id": "a" }] });
    let google = json!({ "models": [{ "name": "models/b" }, { "name": "models/a" }] });
    for (format, body, path, header) in [
        ("openai", data.clone(), "GET /v1/models HTTP", "authorization: Bearer "),
        ("anthropic", data, "GET /v1/models?limit=1000 HTTP", "x-api-key: "),
        ("gemini", google, "GET /v1/models?pageSize=1000 HTTP", "x-goog-api-key: "),
    ] {
        let (list, head) = listed(format, Canned::ok(body), "").await;
        assert_eq!(names(&list), ["a", "b"]);
        assert!(head.starts_with(path), "{head}");
        let key = format!("{header}{MARKED_KEY}");
        assert!(head.contains(&key), "{format} gets its key in its header");
    }
}

#[tokio::test]
async fn a_list_is_cut_and_names_stay_text() {
    // More than a megabyte.
    let about = "x".repeat(1200);
    let mut many: Vec<_> =
        (0..999).map(|at| json!({ "id": format!("m-{at:03}"), "description": about })).collect();
    many.push(json!({ "id": "<script>alert(1)</script>" }));
    many.push(json!({ "id": format!("key-{MARKED_KEY}") }));
    let (list, _) = listed("openai", Canned::ok(json!({ "data": many.clone() })), "").await;
    let ModelList::Listed { models, all } = &list else { panic!("no list: {list:?}") };
    assert_eq!((models.len(), *all), (ModelList::MOST, 1000));
    let script = ListedModel { name: "<script>alert(1)</script>".to_owned(), priced: false };
    assert_eq!(models[0], script, "it is text, and the page shows it as such");
    // An operator who allows a megabyte gets no more.
    let limits = "response_megabytes = 1";
    let (list, _) = listed("openai", Canned::ok(json!({ "data": many })), limits).await;
    assert_eq!(class(&list), FailureClass::Undecodable);
}

#[tokio::test]
async fn a_service_without_a_list_is_no_failure_and_junk_is_one() {
    let (list, _) = listed("openai", Canned::error(404), "").await;
    assert_eq!(list, ModelList::None);
    for (answer, wanted) in [
        (Canned::error(401), FailureClass::Unauthorised),
        (Canned::error(500), FailureClass::Server),
        (Canned::ok(json!({ "data": "none" })), FailureClass::Undecodable),
        (
            Canned::body(200, "content-type: text/html\r\n", b"<html><script>alert(1)</script>"),
            FailureClass::Undecodable,
        ),
        (
            Canned::body(200, "content-encoding: gzip\r\n", b"\x1f\x8b\x08\x00junk"),
            FailureClass::Undecodable,
        ),
        (
            Canned::json(400, json!({ "error": { "message": format!("bad key {MARKED_KEY}") } })),
            FailureClass::Rejected,
        ),
    ] {
        let (list, _) = listed("openai", answer.clone(), "").await;
        assert_eq!(class(&list), wanted, "{answer:?}");
    }
    // A redirect leads nowhere.
    let elsewhere =
        "HTTP/1.1 302 X\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n";
    let (list, _) = listed("openai", Canned::Raw(elsewhere.to_owned()), "").await;
    assert_eq!(class(&list), FailureClass::Rejected);
}

#[tokio::test]
async fn prices_are_told_and_nobody_else_is_asked() {
    let service = Service::at(NOWHERE, "").await;
    let ask = async |provider: &str| {
        let provider = provider.to_owned();
        service.post("/api/models", None, &ListModels { provider }).await
    };
    let list: ModelList = ask("scripted").await.json();
    let ModelList::Listed { models, .. } = list else { panic!("no list: {list:?}") };
    assert!(!models.is_empty() && models.iter().all(|one| one.priced), "it is free: {models:?}");
    ask("nobody").await.error(404);
    assert_eq!(class(&ask("up").await.json()), FailureClass::Connection);
}
