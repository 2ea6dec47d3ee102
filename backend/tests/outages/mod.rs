//! A server whose database cannot be used for a while, as the real program sees it: what it pays for, what it says, and how it goes on.

mod gate;
mod machine;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::routing::post;
use reqwest::{Response, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use turnwise_backend::services::reach::builder;
use turnwise_shared::wire::driving::{Driving, RunState};

use crate::common::database;
use crate::common::serving::Serving;
use crate::common::*;

/// How long anything may take.
const SOON: Duration = Duration::from_secs(60);

/// Plays of the run, each of which asks the model once.
const PLAYS: u32 = 120;

/// Calls at once.
const IN_FLIGHT: usize = 4;

/// A service that counts what it is paid for.
#[derive(Clone)]
struct Paid {
    count: Arc<AtomicUsize>,
    /// Calls beyond this number are paid for, and get their answers later.
    answered: watch::Sender<usize>,
}

impl Default for Paid {
    fn default() -> Self {
        Paid { count: Arc::default(), answered: watch::Sender::new(usize::MAX) }
    }
}

impl Paid {
    async fn start(&self) -> String {
        let answer = async |State(paid): State<Paid>| {
            tokio::time::sleep(Duration::from_millis(80)).await;
            let before = paid.count.fetch_add(1, Ordering::Relaxed);
            let mut answered = paid.answered.subscribe();
            // This service lives as long as its test.
            let _ = answered.wait_for(|answered| before < *answered).await;
            let answer = acts("answer", json!({ "answer": "Kivvet", "confidence": "80" }));
            Json(completion(json!(answer)))
        };
        serve(post(answer).with_state(self.clone())).await
    }

    fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    async fn reaches(&self, count: usize) {
        until("calls", async || self.count() >= count).await;
    }

    /// Whether nothing is paid for any more, once what is on its way has come back.
    async fn assert_stopped(&self) {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let before = self.count();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(self.count(), before, "nothing more is paid for");
    }
}

async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < SOON, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

struct Server {
    serving: Serving,
    http: reqwest::Client,
}

impl Server {
    fn start(data: &Path, upstream: &str, database: Option<&str>) -> Self {
        Server {
            serving: Serving::start(data, upstream, database, ""),
            http: builder().build().expect("a client"),
        }
    }

    async fn get(&self, path: &str) -> Response {
        let asked = self.http.get(format!("{}{path}", self.serving.address)).send();
        asked.await.expect("it answers")
    }

    async fn post(&self, path: &str, token: &str, body: &Value) -> Response {
        let asked = self.http.post(format!("{}{path}", self.serving.address)).bearer_auth(token);
        asked.json(body).send().await.expect("it answers")
    }

    /// Opens a run and has the server drive it.
    async fn begin(&self, spec: &Spec, caps: Value) -> Opened {
        let wanted = json!({ "spec": spec, "title": "a trial", "episodes": PLAYS, "caps": caps });
        let opened = self.post("/api/runs", "none", &wanted).await;
        let opened: Opened = opened.json().await.expect("it is opened");
        let path = format!("/api/runs/{}/drive", opened.run);
        let wish = json!({ "in_flight": IN_FLIGHT, "pause_after": 3 });
        let begun = self.post(&path, &opened.token, &wish).await;
        assert_eq!(begun.status(), StatusCode::OK);
        opened
    }

    async fn driving(&self, run: &Opened) -> Driving {
        let came = self.get(&format!("/api/runs/{}/drive", run.run)).await;
        let text = came.text().await.expect("an answer");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    async fn ready(&self) -> StatusCode {
        self.get("/readyz").await.status()
    }

    /// Waits until it says that it cannot do its work; gives the reason.
    async fn out_of_work(&self) -> String {
        until("a reason", async || self.ready().await == StatusCode::SERVICE_UNAVAILABLE).await;
        refusal(self.get("/readyz").await).await
    }

    async fn closed(&self, run: &Opened) -> Driving {
        until("the end", async || {
            let state = self.driving(run).await.state;
            assert_ne!(state, RunState::Cancelled);
            state == RunState::Closed
        })
        .await;
        self.driving(run).await
    }
}

/// What a refusal for the database's sake says.
async fn refusal(came: Response) -> String {
    assert_eq!(came.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(came.headers().contains_key("retry-after"));
    let error: ApiError = came.json().await.expect("an error");
    assert_eq!(error.code, "outage");
    error.message
}

fn spec() -> Spec {
    let mut spec = trial_spec(3);
    spec.repeats = PLAYS / 3;
    spec
}

/// The most bytes of a file that the server may write.
#[cfg(target_os = "linux")]
fn let_write(server: &Server, most: u64) {
    let process = i32::try_from(server.serving.child.id()).expect("a process");
    let limit = (most, rlimit::INFINITY);
    rlimit::prlimit(process, rlimit::Resource::FSIZE, Some(limit), None).expect("it is limited");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_disk_takes_no_more_pays_for_nothing_says_so_and_goes_on_by_itself() {
    let folder = folder();
    let (paid, data) = (Paid::default(), folder.path().join("data"));
    let upstream = paid.start().await;
    let server = Server::start(&data, &upstream, None);
    assert_eq!(server.ready().await, StatusCode::OK);
    // Enough for every call as it is, and not for one that is paid twice.
    let run = server.begin(&spec(), json!({ "calls": PLAYS })).await;

    for (count, most) in [(10, 0), (30, 1024), (60, 100_000)] {
        paid.reaches(count).await;
        let_write(&server, most);
        let why = server.out_of_work().await;
        assert!(why.contains("the disk cannot be read or written"), "{why}");
        paid.assert_stopped().await;
        let driving = server.driving(&run).await;
        assert_eq!(driving.state, RunState::Paused);
        let trouble = driving.trouble.expect("it says why");
        assert_eq!((trouble.code.as_str(), trouble.message), ("outage", why));
        let wanted = json!({ "spec": spec(), "title": "another", "episodes": PLAYS });
        for (path, token, body) in [
            ("/api/runs".to_owned(), "none", &wanted),
            (format!("/api/runs/{}/caps", run.run), run.token.as_str(), &json!({ "caps": {} })),
        ] {
            refusal(server.post(&path, token, body).await).await;
        }
        // What can be read is read.
        assert_eq!(server.get(&format!("/api/runs/{}", run.run)).await.status(), StatusCode::OK);
        let_write(&server, rlimit::INFINITY);
        until("work", async || server.ready().await == StatusCode::OK).await;
    }
    let driving = server.closed(&run).await;
    assert_eq!(driving.calls.calls, u64::from(PLAYS));
    assert_eq!(paid.count(), PLAYS as usize, "nothing is paid for twice");

    // It is on the disk, too.
    drop(server);
    let server = Server::start(&data, &upstream, None);
    assert_eq!(server.driving(&run).await.state, RunState::Closed);
    let came = server.get(&format!("/api/runs/{}", run.run)).await;
    let info: RunInfo = came.json().await.expect("a run");
    assert_eq!(info.finished, PLAYS);
}

/// A way to PostgreSQL that can be cut.
struct Line {
    address: String,
    is_up: watch::Sender<bool>,
    taken: Arc<AtomicU64>,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Line {
    /// One to the database with this address.
    async fn to(database: &str) -> Self {
        let mut url = reqwest::Url::parse(database).expect("an address");
        let pairs: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        let port = url.port().or_else(|| pairs.get("port")?.parse().ok());
        let port = port.unwrap_or(5432);
        let host = pairs
            .get("host")
            .map_or_else(|| url.host_str().unwrap_or("127.0.0.1").to_owned(), Clone::clone);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let user = pairs.get("user").cloned();
        url.query_pairs_mut().clear().extend_pairs(
            pairs.iter().filter(|(name, _)| !["host", "port", "user"].contains(&name.as_str())),
        );
        url.set_host(Some("127.0.0.1")).expect("a host");
        url.set_port(Some(listener.local_addr().expect("an address").port())).expect("a port");
        if let Some(user) = user {
            url.set_username(&user).expect("a user");
        }
        let line = Line {
            address: url.to_string(),
            is_up: watch::Sender::new(true),
            taken: Arc::default(),
        };
        let (is_up, taken) = (line.is_up.subscribe(), Arc::clone(&line.taken));
        tokio::spawn(async move {
            while let Ok((mut here, _)) = listener.accept().await {
                let (mut is_up, host) = (is_up.clone(), host.clone());
                taken.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(async move {
                    if !*is_up.borrow() {
                        return;
                    }
                    let there: Box<dyn Stream> = match host.starts_with('/') {
                        true => Box::new(
                            tokio::net::UnixStream::connect(format!("{host}/.s.PGSQL.{port}"))
                                .await
                                .expect("it is there"),
                        ),
                        false => Box::new(
                            TcpStream::connect((host.as_str(), port)).await.expect("it is there"),
                        ),
                    };
                    let mut there = there;
                    tokio::select! {
                        _ = copy_bidirectional(&mut here, &mut there) => {}
                        _ = is_up.wait_for(|up| !up) => {}
                    }
                });
            }
        });
        line
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_is_waited_for() {
    let folder = folder();
    let Some(database) = database::postgres(folder.path()) else {
        return;
    };
    let line = Line::to(&database).await;
    let paid = Paid::default();
    let upstream = paid.start().await;
    let server = Server::start(folder.path(), &upstream, Some(&line.address));
    let run = server.begin(&spec(), json!({ "calls": PLAYS })).await;

    for (count, away) in [(10, 0), (25, 50), (40, 400), (60, 8_000), (80, 3_000)] {
        paid.reaches(count).await;
        line.is_up.send_replace(false);
        if away >= 3_000 {
            let why = server.out_of_work().await;
            assert!(why.contains("database"), "{why}");
            paid.assert_stopped().await;
            let wanted = json!({ "spec": spec(), "title": "another", "episodes": PLAYS });
            refusal(server.post("/api/runs", "none", &wanted).await).await;
        }
        tokio::time::sleep(Duration::from_millis(away)).await;
        line.is_up.send_replace(true);
        until("work", async || server.ready().await == StatusCode::OK).await;
        until("the run", async || {
            let came = server.get(&format!("/api/runs/{}/drive", run.run)).await;
            let driving = came.json::<Driving>().await;
            driving
                .is_ok_and(|driving| matches!(driving.state, RunState::Running | RunState::Closed))
        })
        .await;
    }
    let driving = server.closed(&run).await;
    assert_eq!(driving.calls.calls, u64::from(PLAYS));
    assert_eq!(paid.count(), PLAYS as usize, "nothing is paid for twice");
    assert!(line.taken.load(Ordering::Relaxed) > 5);
}
