//! Several servers over one database of PostgreSQL's: the real program, twice, and a service that counts what it is asked.

mod budgets;
mod sockets;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::routing::post;
use tokio::task::JoinHandle;
use turnwise_backend::services::reach::builder;
use turnwise_shared::wire::receipts::ReceiptsPage;

use crate::common::database;
use crate::common::serving::Serving;
use crate::common::*;

/// Until a server that was killed counts as gone, and some more.
const GONE: Duration = Duration::from_secs(40);

/// What a call costs then, in millionths of a dollar: the service says 7 tokens read and 3 written.
const COST: u64 = 7 + 30;

/// A service that takes its time and counts every question.
#[derive(Clone, Default)]
struct Counter {
    asked: Arc<Mutex<BTreeMap<String, u32>>>,
    latency: Arc<AtomicU64>,
}

impl Counter {
    /// Starts it; gives its base address.
    async fn start(&self) -> String {
        serve(post(answer).with_state(self.clone())).await
    }

    /// Waits until this many different questions have come.
    async fn reached(&self, count: usize) {
        let began = Instant::now();
        while self.counts().len() < count {
            assert!(began.elapsed() < GONE, "{} came", self.counts().len());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn counts(&self) -> BTreeMap<String, u32> {
        self.asked.lock().expect("nobody panics here").clone()
    }
}

async fn answer(State(counter): State<Counter>, Json(request): Json<Value>) -> Json<Value> {
    // As it was when the question came: a test that sees it counted may change it.
    let latency = counter.latency.load(Ordering::Relaxed);
    let question = request["messages"][0]["content"].as_str();
    let question = question.expect("a text").to_owned();
    let number = {
        let mut asked = counter.asked.lock().expect("nobody panics here");
        let number = asked.entry(question.clone()).or_default();
        *number += 1;
        *number
    };
    tokio::time::sleep(Duration::from_millis(latency)).await;
    Json(completion(json!(format!("{question}, answered the time {number}"))))
}

struct Server {
    serving: Serving,
    client: Client,
}

impl Server {
    fn start(data: &Path, upstream: &str, database: &str) -> Self {
        let serving = Serving::start(data, upstream, Some(database), "in_flight = 1000");
        let client =
            Client { address: serving.address.clone(), http: builder().build().expect("a client") };
        Server { serving, client }
    }

    fn kill(&mut self) {
        self.serving.kill();
    }
}

#[derive(Clone)]
struct Client {
    address: String,
    http: reqwest::Client,
}

impl Client {
    async fn post(&self, path: &str, body: &impl serde::Serialize) -> reqwest::Result<Value> {
        let request = self.http.post(format!("{}{path}", self.address)).json(body);
        request.send().await?.error_for_status()?.json().await
    }

    /// Opens a run with one episode.
    async fn open(&self, wanted: &Value) -> Opened {
        let opened = self.post("/api/runs", wanted).await;
        serde_json::from_value(opened.expect("it is opened")).expect("a run")
    }

    /// Says something of a run in its owner's name.
    async fn say(&self, run: &Opened, what: &str, body: &Value) -> Value {
        let path = format!("{}/api/runs/{}/{what}", self.address, run.run);
        let request = self.http.post(path).bearer_auth(&run.token).json(body);
        let came = request.send().await.expect("it answers");
        assert!(came.status().is_success(), "{what}: {}", came.status());
        came.json().await.expect("JSON")
    }

    async fn call(&self, request: &CallRequest) -> reqwest::Result<CallAnswer> {
        let answer = self.post("/api/call", request).await?;
        Ok(serde_json::from_value(answer).expect("an answer"))
    }

    /// Reads something of a run in its owner's name.
    async fn read<T: serde::de::DeserializeOwned>(&self, run: &Opened, what: &str) -> T {
        let path = format!("{}/api/runs/{}/{what}", self.address, run.run);
        let came = self.http.get(path).bearer_auth(&run.token).send().await;
        came.expect("it answers").json().await.expect("JSON of this type")
    }

    async fn budget(&self, run: &Opened) -> RunBudgets {
        self.read(run, "budget").await
    }

    async fn timings(&self, run: &Opened) -> Vec<CallTiming> {
        self.read(run, "timing").await
    }

    /// How many receipts there are of each call of a run.
    async fn receipts(&self, run: &Opened) -> BTreeMap<CallId, usize> {
        let mut receipts = BTreeMap::new();
        let mut after = String::new();
        loop {
            let page: ReceiptsPage = self.read(run, &format!("receipts{after}")).await;
            for kept in &page.receipts {
                *receipts.entry(kept.receipt.call).or_default() += 1;
            }
            match page.next {
                Some(next) => after = format!("?after={next}"),
                None => return receipts,
            }
        }
    }

    /// Sends calls, all at once, without waiting for them.
    fn send(&self, requests: &[CallRequest]) -> Vec<JoinHandle<reqwest::Result<CallAnswer>>> {
        let send = |request: &CallRequest| {
            let (client, request) = (self.clone(), request.clone());
            tokio::spawn(async move { client.call(&request).await })
        };
        requests.iter().map(send).collect()
    }
}

fn question(number: u64) -> String {
    format!("question {number}")
}

/// The calls of a run with these numbers, each with a question of its own.
fn calls(run: &Opened, numbers: std::ops::Range<u64>) -> Vec<CallRequest> {
    calls_of(&trial_spec(1), run, numbers)
}

fn calls_of(spec: &Spec, run: &Opened, numbers: std::ops::Range<u64>) -> Vec<CallRequest> {
    numbers
        .map(|number| asking(run, number, crate::common::socket::question(spec, &question(number))))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_send_a_call_once_and_one_that_is_killed_takes_nothing_with_it() {
    let folder = folder();
    let Some(database) = database::postgres(folder.path()) else {
        return;
    };
    let counter = Counter::default();
    counter.latency.store(300, Ordering::Relaxed);
    let upstream = counter.start().await;
    let mut one = Server::start(&folder.path().join("one"), &upstream, &database);
    let other = Server::start(&folder.path().join("other"), &upstream, &database);
    let wanted = json!({ "spec": trial_spec(1), "title": "a trial", "episodes": 1 });
    let run = one.client.open(&wanted).await;

    // Both get every call at the same time.
    let requests = calls(&run, 0..200);
    let mut replies = BTreeMap::new();
    let both = one.client.send(&requests).into_iter().zip(other.client.send(&requests));
    for (request, (here, there)) in requests.iter().zip(both) {
        let (here, there) = (answered(here).await, answered(there).await);
        assert_eq!(here.reply, there.reply);
        assert_ne!(here.timing.from_ledger, there.timing.from_ledger, "one has sent it");
        replies.insert(request.key.call, here.reply);
    }
    assert_eq!(counter.counts().len(), 200);
    assert!(counter.counts().values().all(|count| *count == 1));

    // The server that has heard an answer signs it. A server that finds it in the ledger before that signature is there signs it
    // as well, which counts once (`shared/core/src/verify/receipts`); no other server signs.
    let mut receipts = one.client.receipts(&run).await;
    let began = Instant::now();
    while receipts.len() < 200 {
        assert!(began.elapsed() < GONE, "{} receipts", receipts.len());
        tokio::time::sleep(Duration::from_millis(20)).await;
        receipts = one.client.receipts(&run).await;
    }
    assert!(receipts.values().all(|count| (1..=2).contains(count)), "{receipts:?}");

    // One is killed while many calls are on their way: each server has half of them in its hands,
    // and waits for the other half.
    counter.latency.store(20_000, Ordering::Relaxed);
    let requests = calls(&run, 200..300);
    let (first, second) = requests.split_at(50);
    let mut here = one.client.send(first);
    counter.reached(250).await;
    counter.latency.store(1_000, Ordering::Relaxed);
    let mut there = other.client.send(second);
    counter.reached(300).await;
    here.extend(one.client.send(second));
    let mut waiting = other.client.send(first);
    waiting.append(&mut there);
    let there = waiting;
    one.kill();
    for (request, there) in requests.iter().zip(there) {
        let answer = tokio::time::timeout(GONE, answered(there)).await;
        let answer = answer.expect("what a killed server had in its hands is taken over");
        replies.insert(request.key.call, answer.reply);
    }
    // The killed server's own were on their way. Of the other half it may have heard something, and passed it on.
    for (number, here) in here.into_iter().enumerate() {
        if let Ok(answer) = here.await.expect("it was sent") {
            assert!(number >= first.len(), "{answer:?}");
            let known = &replies[&requests[number].key.call];
            assert_eq!(answer.reply, *known, "both told the same");
        }
    }

    // Whatever was paid twice is marked as lost once, and nothing else was.
    let counts = counter.counts();
    let timings = other.client.timings(&run).await;
    assert_eq!(timings.len(), 300);
    for timing in &timings {
        let asked = counts[&question(timing.call.0.into())];
        let lost = u32::from((200..250).contains(&timing.call.0));
        assert_eq!((timing.sent, timing.lost), (asked, lost), "{timing:?}");
        assert_eq!(asked, 1 + lost, "{timing:?}");
    }

    // What was answered stays answered.
    for request in calls(&run, 0..300) {
        let again = other.client.call(&request).await.expect("an answer");
        assert_eq!(Some(&again.reply), replies.get(&request.key.call));
        assert!(again.timing.from_ledger);
    }
    assert_eq!(counter.counts(), counts);
}

async fn answered(call: JoinHandle<reqwest::Result<CallAnswer>>) -> CallAnswer {
    let answer = call.await.expect("it was sent").expect("it is answered");
    assert!(matches!(answer.reply, Reply::Said(_)), "{answer:?}");
    answer
}

/// What was said; `None` if the budget had not enough left. Nothing else may happen to a call.
fn said(answer: CallAnswer) -> Option<Reply> {
    match answer.reply {
        Reply::Failed(failure) if failure.class == FailureClass::BudgetExhausted => None,
        reply @ Reply::Said(_) => Some(reply),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_over_two_servers_never_overspend_though_one_is_killed() {
    let folder = folder();
    let Some(database) = database::postgres(folder.path()) else {
        return;
    };
    let counter = Counter::default();
    counter.latency.store(3_000, Ordering::Relaxed);
    let upstream = counter.start().await;
    let mut one = Server::start(&folder.path().join("one"), &upstream, &database);
    let other = Server::start(&folder.path().join("other"), &upstream, &database);
    let mut spec = trial_spec(1);
    for sitting in spec.seats.values_mut() {
        sitting.sampling.max_tokens = Some(20);
    }
    // What a call can come to at most fits some sixty times; what calls do come to, not a thousand times once some are lost.
    let cap = 60_000;
    let wanted =
        json!({ "spec": spec, "title": "a trial", "episodes": 1, "caps": { "money": cap } });
    let run = one.client.open(&wanted).await;
    let asked = || counter.counts().values().map(|n| u64::from(*n)).sum::<u64>();

    // A thousand, half of them over each. Both have some in their hands before the rest comes, and one is killed: who is faster
    // must not decide how much is lost.
    let requests = calls_of(&spec, &run, 0..1000);
    let (first, second) = requests.split_at(500);
    let mut here = one.client.send(&first[..20]);
    counter.reached(20).await;
    let mut there = other.client.send(&second[..30]);
    counter.reached(50).await;
    here.extend(one.client.send(&first[20..]));
    there.extend(other.client.send(&second[30..]));
    one.kill();
    let mut replies = BTreeMap::new();
    for (request, call) in requests.iter().zip(here.into_iter().chain(there)) {
        // Of the killed server's calls no answer came but what it had refused.
        if let Ok(answer) = call.await.expect("it was sent")
            && let Some(reply) = said(answer)
        {
            replies.insert(request.key.call, reply);
        }
    }
    assert!(asked() * COST <= cap, "overspent at once");

    // The other one goes on with all of them until nothing more fits.
    counter.latency.store(5, Ordering::Relaxed);
    loop {
        let before = replies.len();
        for (request, call) in requests.iter().zip(other.client.send(&requests)) {
            let answer = call.await.expect("it was sent").expect("it answers");
            let Some(reply) = said(answer) else { continue };
            let known = replies.entry(request.key.call).or_insert(reply.clone());
            assert_eq!(*known, reply, "what was answered stays answered");
        }
        assert!(asked() * COST <= cap, "overspent");
        if replies.len() == before {
            break;
        }
    }
    // Nothing was sent twice but what was lost with the server, and that says so.
    let counts = counter.counts();
    for timing in other.client.timings(&run).await {
        let asked = counts.get(&question(timing.call.0.into())).copied();
        let is_answered = u32::from(replies.contains_key(&timing.call));
        let most = timing.lost + is_answered;
        assert!(asked.unwrap_or_default() <= most, "{asked:?}: {timing:?}");
    }
    let spent = other.client.budget(&run).await.budgets[0].spent.money;
    assert!((asked() * COST..=cap).contains(&spent), "{spent}");
    assert!(replies.len() > 100, "{} answered", replies.len());
}
