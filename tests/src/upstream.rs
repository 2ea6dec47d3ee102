//! A service on loopback that speaks the chat completions wire format, plays the seats of a benchmark, takes its time, and
//! fails now and then. Everything follows from the seed and from what it is sent, so that a run repeats.
//!
//! What a reply says follows from the request alone, because several episodes may make the same one at the same time; how long
//! it takes and whether it fails follows from the request and the number of the attempt. Who plays what is in [`play`].

mod chance;
mod exchange;
mod play;

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use turnwise_shared::hash::Digest;

use chance::Chance;
use play::Link;

#[derive(Debug, Clone)]
pub struct Script {
    /// What all chance follows from.
    pub seed: u64,
    /// The mean of the time until a finished answer; it is log-normal with sigma 0.5. Zero: at once.
    pub latency: Duration,
    pub faults: Faults,
    /// The key that must be sent; `None` takes any and none.
    pub key: Option<String>,
}

impl Default for Script {
    fn default() -> Self {
        Script { seed: 1, latency: Duration::ZERO, faults: Faults::Never, key: None }
    }
}

/// What goes wrong, and how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Faults {
    Never,
    /// A share of all attempts, each with one of these faults. A request fails at most twice, so that a client that tries
    /// three times gets an answer.
    Share(f64, &'static [Fault]),
    /// Every attempt, in the same way.
    Always(Fault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// 429 with `Retry-After`.
    TooMany,
    /// 500.
    Broken,
    /// The connection is cut in the middle of the answer.
    Cut,
    /// A body that is no completion, with the status of success.
    Undecodable,
    /// A sound completion with an empty text. For the protocol this is an answer, and the model's own fault.
    Empty,
    /// 401, and the key is repeated in the words for it.
    KeyRefused,
    /// 400.
    Refused,
    /// No answer for a minute.
    Silent,
}

impl Fault {
    /// The faults of a service that works on the whole.
    pub const USUAL: &'static [Fault] =
        &[Fault::TooMany, Fault::Broken, Fault::Cut, Fault::Undecodable, Fault::Empty];

    /// The faults that another attempt mends without a trace in the transcript.
    pub const PASSING: &'static [Fault] =
        &[Fault::TooMany, Fault::Broken, Fault::Cut, Fault::Undecodable];

    pub const ALL: &'static [Fault] = &[
        Fault::TooMany,
        Fault::Broken,
        Fault::Cut,
        Fault::Undecodable,
        Fault::Empty,
        Fault::KeyRefused,
        Fault::Refused,
        Fault::Silent,
    ];
}

/// What the service has been asked so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    pub calls: u64,
    /// Requests that differ from each other.
    pub different: u64,
    /// Requests by the seat that was asked.
    pub parts: BTreeMap<&'static str, u64>,
    pub faults: BTreeMap<Fault, u64>,
    /// Requests that asked for a stream.
    pub streamed: u64,
    /// Requests that were answered at the same time, at most.
    pub at_once: u64,
    /// Requests whose caller had gone before the answer was whole.
    pub abandoned: u64,
    /// Requests whose answer was held back, see [`Upstream::hold`].
    pub held: u64,
    /// Requests with another key than [`Script::key`].
    pub wrong_key: u64,
    /// What all answers took together, as the script wants it, by the seat that was asked.
    pub took: BTreeMap<&'static str, Duration>,
    /// The longest chain of replies of a participant, each of which waited for the one before it.
    pub longest_chain: Duration,
    /// When the first request came.
    pub first: Option<Instant>,
    /// When the last answer was whole.
    pub last: Option<Instant>,
}

impl Counts {
    /// Requests that had an answer which is paid for: a text, and be it an empty one.
    pub fn answered(&self) -> u64 {
        let failed = self.faults.iter().filter(|(fault, _)| **fault != Fault::Empty);
        self.calls - failed.map(|(_, times)| times).sum::<u64>()
    }
}

/// The service; it ends when this is dropped.
pub struct Upstream {
    addr: SocketAddr,
    shared: Arc<Shared>,
    _stop: oneshot::Sender<()>,
}

/// What all requests share.
struct Shared {
    script: Script,
    book: Mutex<Book>,
    /// Whether answers are held back.
    holds: watch::Sender<bool>,
}

#[derive(Default)]
struct Book {
    counts: Counts,
    flying: u64,
    known: HashMap<Digest, Known>,
    chains: HashMap<Digest, Duration>,
}

/// What is remembered of one request.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    attempts: u32,
    failures: u32,
}

impl Upstream {
    /// Starts the service on a port of its own.
    pub async fn start(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let addr = listener.local_addr().expect("it is bound");
        let shared =
            Arc::new(Shared { script, book: Mutex::default(), holds: watch::Sender::new(false) });
        let router = Router::new()
            .route("/v1/chat/completions", post(completions))
            .route("/v1/models", get(models))
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let server = axum::serve(listener, router).into_future();
            tokio::select! {
                _ = server => {}
                _ = stopped => {}
            }
        });
        Upstream { addr, shared, _stop: stop }
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What goes into a provider's `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    /// What it has been asked so far.
    pub fn counts(&self) -> Counts {
        self.shared.book().counts.clone()
    }

    /// Sends nothing, no failure either, to clients that ask from now on, until [`Upstream::go_on`]. Requests are counted all the
    /// same, and what came before is answered.
    pub fn hold(&self) {
        self.shared.holds.send_replace(true);
    }

    /// The same, and waits until a client waits for an answer.
    ///
    /// # Panics
    /// If no client asks anything for a minute.
    pub async fn hold_some(&self) {
        let before = self.counts().held;
        self.hold();
        self.until(|counts| counts.held > before).await;
    }

    /// Answers again, also what came meanwhile.
    pub fn go_on(&self) {
        self.shared.holds.send_replace(false);
    }

    /// Waits until it has been asked enough.
    ///
    /// # Panics
    /// After a minute, with what it was asked.
    pub async fn until(&self, is_enough: impl Fn(&Counts) -> bool) {
        let began = Instant::now();
        while !is_enough(&self.counts()) {
            assert!(began.elapsed().as_secs() < 60, "{:?}", self.counts());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Shared {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().expect("nobody panics while holding the book")
    }

    /// Enters a request in the book and decides its fate.
    fn enter(&self, scene: &play::Request, streamed: bool) -> Fate {
        let (request, seat) = (&scene.digest(), scene.seat());
        let mut book = self.book();
        book.flying += 1;
        book.counts.calls += 1;
        book.counts.streamed += u64::from(streamed);
        book.counts.at_once = book.counts.at_once.max(book.flying);
        *book.counts.parts.entry(seat).or_default() += 1;
        let different = book.known.len() as u64 + u64::from(!book.known.contains_key(request));
        book.counts.different = different;
        let known = book.known.entry(*request).or_default();
        known.attempts += 1;
        let attempt = Chance::new([
            self.script.seed.to_le_bytes().as_slice(),
            request.bytes(),
            &known.attempts.to_le_bytes(),
        ]);
        // Several episodes may make the same request at the same time: the failures of all of them count together, so that none
        // of them meets too many.
        let fault = self.script.faults.strike(&attempt, known.failures);
        known.failures += u32::from(fault.is_some_and(|fault| fault != Fault::Empty));
        let reply =
            Chance::new([self.script.seed.to_le_bytes().as_slice(), request.bytes(), b"reply"]);
        if let Some(fault) = fault {
            *book.counts.faults.entry(fault).or_default() += 1;
        }
        let latency = attempt.latency(self.script.latency);
        *book.counts.took.entry(seat).or_default() += latency;
        if let Some(link) = scene.link() {
            book.chain(link, latency);
        }
        book.counts.first.get_or_insert_with(Instant::now);
        Fate { fault, latency, reply }
    }
}

impl Book {
    fn chain(&mut self, link: Link, latency: Duration) {
        let chain = self.chains.entry(link.chain).or_default();
        if link.begins {
            *chain = Duration::ZERO;
        }
        *chain += latency;
        self.counts.longest_chain = self.counts.longest_chain.max(*chain);
    }
}

/// What becomes of one request.
struct Fate {
    fault: Option<Fault>,
    latency: Duration,
    /// From which the reply is made up.
    reply: Chance,
}

impl Faults {
    fn strike(self, chance: &Chance, failures: u32) -> Option<Fault> {
        match self {
            Faults::Never => None,
            Faults::Always(fault) => Some(fault),
            Faults::Share(share, kinds) => (failures < 2 && chance.happens("fault", share))
                .then(|| chance.one("kind of fault", kinds)),
        }
    }
}

/// Counts a request out again, and notices when its caller went away before the end.
struct Flight {
    shared: Arc<Shared>,
    whole: bool,
}

impl Flight {
    fn landed(mut self) {
        self.whole = true;
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut book = self.shared.book();
        book.flying -= 1;
        book.counts.abandoned += u64::from(!self.whole);
        book.counts.last = Some(Instant::now());
    }
}

/// The service's list of models.
async fn models() -> Json<Value> {
    Json(
        json!({ "object": "list", "data": [{ "id": "player" }, { "id": "<img src=x onerror=alert(1)>" }] }),
    )
}

async fn completions(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    axum::Json(body): axum::Json<Value>,
) -> Response {
    let key = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default()
        .to_owned();
    if shared.script.key.as_ref().is_some_and(|right| *right != key) {
        shared.book().counts.wrong_key += 1;
        return exchange::failed(Fault::KeyRefused, &key);
    }
    let Some(scene) = play::Request::read(&body) else {
        return exchange::not_understood();
    };
    let streamed = body["stream"] == true;
    let fate = shared.enter(&scene, streamed);
    let flight = Flight { shared: Arc::clone(&shared), whole: false };
    if *shared.holds.borrow() {
        shared.book().counts.held += 1;
        // The shared is there as long as this request.
        let _ = shared.holds.subscribe().wait_for(|holds| !holds).await;
    }
    exchange::answer(&scene, fate, &key, streamed, &body, flight).await
}
