use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use reqwest::StatusCode;

use super::*;
use crate::run_folder;

/// A server on loopback, and its address.
async fn listening(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("loopback has a free port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_names_the_new_address() {
    let asked = Arc::new(AtomicU32::new(0));
    let count = |State(asked): State<Arc<AtomicU32>>| async move {
        asked.fetch_add(1, Ordering::Relaxed);
        "{}"
    };
    let other = Router::new().fallback(count).with_state(Arc::clone(&asked));
    let other = listening(other).await;
    let folder = tempfile::tempdir().expect("there is room");
    let benchmark = turnwise_shared::registry::BENCHMARKS[0];
    let run = serde_json::json!({
        "format": 1, "program": "0", "opened": 0, "answered_by": {}, "tasks": { "name": "samples" },
        "spec": turnwise_shared::benchmark::default_spec(benchmark),
    });
    let file = folder.path().join(run_folder::RUN_FILE);
    std::fs::write(file, run.to_string()).expect("there is room");
    for (status, location, told) in [
        (301, format!("{other}/api/runs"), other.clone()),
        (302, format!("{other}/elsewhere?a=b"), format!("{other}/elsewhere?a=b")),
        (303, format!("{other}/api/runs"), other.clone()),
        (307, other.replacen("http:", "", 1) + "/api/runs", other.clone()),
        (308, format!("{other}/api/runs"), other.clone()),
        (308, "http://[".to_owned(), "an address that it does not name".to_owned()),
    ] {
        let status = StatusCode::from_u16(status).expect("a status");
        let answer = move || {
            let location = location.clone();
            async move { (status, [("location", location)]) }
        };
        let address = listening(Router::new().fallback(answer)).await;
        let to = Server::at(&address, Some(Secret::new("access"))).expect("an address");
        let from = Source::Run { server: to.clone(), run: RunId::new([1; 16]) };
        let own = Source::Folder(folder.path().to_owned());
        let owner = Secret::new("owner");
        let mut problems = Vec::new();
        for source in [&own, &from] {
            let submitted = submit(source, &to, Some(&owner), |_| {}).await;
            problems.push(submitted.map(drop).expect_err("it is redirected"));
        }
        for problem in &problems {
            assert!(matches!(problem, CannotSubmit::Moved { .. }), "{problem}");
        }
        let said = problems[0].to_string();
        assert!(said.contains(&format!("{address} redirects to {told}.")), "{said}");
        assert!(said.contains("--to"), "{said}");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0, "somebody else was asked");
}

#[tokio::test]
async fn a_server_that_asks_for_fewer_requests_is_asked_again_with_the_same() {
    async fn answer(
        State(asked): State<Arc<AtomicU32>>,
        body: String,
    ) -> (StatusCode, [(&'static str, &'static str); 1], String) {
        match asked.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "0")], body),
            _ => (StatusCode::OK, [("x", "y")], format!("{body:?}")),
        }
    }
    let asked = Arc::new(AtomicU32::new(0));
    let app = Router::new().route("/", post(answer)).with_state(Arc::clone(&asked));
    let address = listening(app).await;
    let server = Server::at(&address, None).expect("an address");
    let request = server.client.post(server.url("/")).body("some lines");
    let told: String = server.read(request, None).await.expect("it answers");
    assert_eq!(told, "some lines");
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}
