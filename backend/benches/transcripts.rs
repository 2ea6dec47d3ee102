//! What a byte of a long transcript costs, and what it costs to go on with one: both should cost as much as of a short one. Requests to
//! the router itself, without a network, over SQLite's file in a temporary folder.

mod common;
#[path = "../tests/common/long.rs"]
#[allow(dead_code, reason = "tests use all of it")]
mod long;

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use long::LongPlay;
use serde_json::json;
use tower::ServiceExt as _;
use turnwise_backend::build_app;
use turnwise_shared::benchmark::default_spec;
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::{OpenRun, Opened};

/// The sizes of the two transcripts, in megabytes.
const SHORT: usize = 1;
const LONG: usize = 99;
const REQUESTS: usize = 20;
/// Bytes of one reply in the transcripts.
const REPLY: usize = 8_000;
/// The most bytes of lines in one request.
const PIECE: usize = 900_000;
/// The number of lines that are sent last, and measured.
const LAST: usize = 10;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = common::open(folder.path()).await;
    let service = Service(build_app(app.clone()));
    let mut spec = default_spec(example(QUESTIONS));
    spec.search = serde_json::from_value(json!({ "engine": "local", "results": 5 })).ok();
    let run = service.open(&spec).await;
    let mut puts = Vec::new();
    let mut plays = Vec::new();
    for megabytes in [SHORT, LONG] {
        let mut play =
            Play { long: LongPlay::new(&spec, &megabytes.to_string(), REPLY), lines: 0, bytes: 0 };
        service.fill(&run, &mut play, megabytes * 1_000_000).await;
        puts.push(service.last_pieces(&run, &mut play).await);
        plays.push(play);
    }
    say("last lines of a transcript under way", &puts);
    let mut under_way = Vec::new();
    for play in &plays {
        under_way.push(service.one_byte(&run, play).await);
    }
    say("one byte of a transcript under way", &under_way);
    let mut over = Vec::new();
    for play in &mut plays {
        service.end(&run, play).await;
        over.push(service.one_byte(&run, play).await);
    }
    say("one byte of a transcript that is over", &over);
    app.close().await;
}

/// The middle time over the long transcript, and how many times that over the short one it is.
fn say(name: &str, times: &[Duration]) {
    let [short, long] = times else {
        unreachable!("there are two transcripts");
    };
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    println!(
        "{name}, {LONG} MB  {:.2} ms  {ratio:.2}  {SHORT} MB ({:.2} ms)",
        long.as_secs_f64() * 1e3,
        short.as_secs_f64() * 1e3,
    );
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// An episode, and how much of it was uploaded.
struct Play {
    long: LongPlay,
    lines: usize,
    bytes: usize,
}

struct Service(Router);

impl Service {
    async fn send(&self, request: Request<Body>) -> (StatusCode, Vec<u8>) {
        let answer = self.0.clone().oneshot(request).await.expect("an answer");
        let status = answer.status();
        let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await;
        (status, bytes.expect("a body").to_vec())
    }

    async fn open(&self, spec: &Spec) -> Opened {
        let wanted = OpenRun {
            tags: Vec::new(),
            caps: Default::default(),
            spec: spec.clone(),
            title: "long transcripts".into(),
            episodes: 2,
            regrades: None,
            branch_of: None,
            parent_token: None,
            visibility: Default::default(),
        };
        let request = Request::post("/api/runs")
            .header("host", "127.0.0.1")
            .header(header::CONTENT_TYPE, "application/json")
            .body(serde_json::to_string(&wanted).expect("JSON").into())
            .expect("a sound request");
        let (status, body) = self.send(request).await;
        let said = String::from_utf8_lossy(&body);
        assert!(status.is_success(), "{said}");
        serde_json::from_str(&said).expect("what was opened")
    }

    async fn put(&self, run: &Opened, play: &mut Play, lines: &[String]) -> Duration {
        let path =
            format!("/api/runs/{}/episodes/{}?from={}", run.run, play.long.episode, play.lines);
        let body = lines.concat();
        play.lines += lines.len();
        play.bytes += body.len();
        let request = Request::put(path)
            .header("host", "127.0.0.1")
            .header(header::AUTHORIZATION, format!("Bearer {}", run.token))
            .body(body.into())
            .expect("a sound request");
        let started = Instant::now();
        let (status, body) = self.send(request).await;
        assert!(status.is_success(), "{}", String::from_utf8_lossy(&body));
        started.elapsed()
    }

    /// Uploads lines until the episode has `bytes` bytes.
    async fn fill(&self, run: &Opened, play: &mut Play, bytes: usize) {
        while play.bytes < bytes {
            let most = PIECE.min(bytes - play.bytes);
            let mut lines = vec![play.long.line()];
            while lines.iter().map(String::len).sum::<usize>() < most {
                lines.push(play.long.line());
            }
            self.put(run, play, &lines).await;
        }
    }

    async fn last_pieces(&self, run: &Opened, play: &mut Play) -> Duration {
        let mut times = Vec::new();
        for _ in 0..REQUESTS {
            let lines = play.long.lines(LAST);
            times.push(self.put(run, play, &lines).await);
        }
        middle(times)
    }

    async fn end(&self, run: &Opened, play: &mut Play) {
        let line = play.long.end();
        self.put(run, play, &[line]).await;
    }

    /// How long it takes to be sent one byte, wherever it lies.
    async fn one_byte(&self, run: &Opened, play: &Play) -> Duration {
        let mut times = Vec::new();
        for number in 0..REQUESTS {
            let at = play.bytes / REQUESTS * number;
            let path = format!("/api/runs/{}/episodes/{}", run.run, play.long.episode);
            let request = Request::get(path)
                .header("host", "127.0.0.1")
                .header(header::RANGE, format!("bytes={at}-{at}"))
                .body(Body::empty())
                .expect("a sound request");
            let started = Instant::now();
            let (status, body) = self.send(request).await;
            assert_eq!((status, body.len()), (StatusCode::PARTIAL_CONTENT, 1));
            times.push(started.elapsed());
        }
        middle(times)
    }
}
