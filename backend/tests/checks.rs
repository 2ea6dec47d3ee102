//! A check that takes longer than a request: a client that prefers it learns at once that it goes on, and asks again.

use axum::body::Body;
use axum::http::Request;
use turnwise_shared::wire::publishing::Checking;

use crate::common::*;

async fn asked(service: &Service, path: &str, token: Option<&str>, prefer: &str) -> HttpReply {
    let mut request = Request::post(path).header("host", "127.0.0.1");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.header("prefer", prefer).body(Body::empty());
    service.send(request.expect("a request")).await
}

#[tokio::test]
async fn a_check_is_asked_after_until_it_has_an_answer() {
    let service = with(&[]).await;
    let (opened, _) = played(&service, &of_bots(2)).await;
    for what in ["check", "publish", "publish"] {
        let path = format!("/api/runs/{}/{what}", opened.run);
        let mut times = 0;
        let came = loop {
            let came = asked(&service, &path, Some(&opened.token), "wait=1, Respond-Async").await;
            times += 1;
            assert!(times < 1000, "{}", came.text);
            if came.status != 202 {
                break came;
            }
            assert!(came.json::<Checking>().checking);
            assert_eq!(came.headers["retry-after"], "1");
        };
        let plain = asked(&service, &path, Some(&opened.token), "handling=strict").await;
        assert_eq!(came.status, plain.status, "{what}: {} {}", came.text, plain.text);
    }
    let path = format!("/api/runs/{}/publish", opened.run);
    let stranger = asked(&service, &path, None, "respond-async").await;
    assert!(stranger.status.is_client_error(), "{}", stranger.text);
}

#[tokio::test]
async fn a_slow_check_goes_on_behind_its_answer_and_is_told_once() {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;
    use turnwise_backend::error::Problem;
    use turnwise_backend::publishing::underway::{Underway, Wanted};

    let underway = Underway::default();
    let begun = Arc::new(AtomicU32::new(0));
    let run = "0123456789abcdef0123456789abcdef".parse().unwrap_or_else(|_| panic!("a run's id"));
    let ask = || {
        let begun = Arc::clone(&begun);
        underway.outcome(&run, Wanted::Publish, move || async move {
            begun.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(900)).await;
            Err(Problem::unfit("no").into())
        })
    };
    let mut waited = 0;
    let told = loop {
        match ask().await {
            Some(outcome) => break outcome,
            None => waited += 1,
        }
    };
    assert!(told.is_err());
    assert!((1..=5).contains(&waited), "{waited}");
    assert_eq!(begun.load(Ordering::Relaxed), 1, "it is checked once");
}
