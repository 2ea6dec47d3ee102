//! People at live tables, over HTTP and over the socket. Every byte that reaches them is kept.

use std::net::SocketAddr;
use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use turnwise_shared::prelude::*;
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::session::Session;
use turnwise_shared::transcript::{self, SaltKey};
use turnwise_shared::wire::live::{LiveOpened, SeatFrame, SeatHears, SeatSays};

use super::{HttpReply, Service, default_spec, sit};

/// The nonce of a person in these tests.
pub const NONCE: &str = "0123456789abcdef of a page";

/// A spec of a benchmark with this lineup; the seed is left to the table.
pub fn spec(benchmark: &dyn Benchmark, seats: &[(&str, &str)], settings: Value) -> Spec {
    let mut spec = Spec {
        settings,
        tasks: Named::from(&benchmark.samples()),
        seed: 0,
        ..default_spec(benchmark)
    };
    if benchmark.task_source() == TaskSource::Spec {
        spec.tasks.digest = Digest::of("they follow from the spec");
    }
    spec.seats.clear();
    for (seat, player) in seats {
        sit(&mut spec.seats, seat, player);
    }
    spec.budget = benchmark.default_budget(&spec);
    spec
}

/// What is sent to open a table.
pub fn wanted(spec: &Spec, kind: &str, decision: u32, bank: u32) -> Value {
    json!({
        "spec": spec, "title": "a trial", "kind": kind,
        "clock": { "decision_seconds": decision, "bank_seconds": bank },
    })
}

/// A player in a seat who asks over HTTP.
pub struct Script {
    service: Service,
    path: String,
    ticket: String,
    pub version: u64,
    /// Every body that came before the end, one after the other.
    pub received: String,
}

impl Script {
    pub fn new(service: &Service, opened: &LiveOpened, seat: &str) -> Self {
        Script {
            service: service.clone(),
            path: format!("/api/live/{}/seat", opened.run),
            ticket: opened.tickets[&seat.into()].clone(),
            version: 0,
            received: String::new(),
        }
    }

    pub async fn try_say(&self, says: &Value) -> HttpReply {
        self.service.post(&self.path, Some(&self.ticket), says).await
    }

    pub async fn say(&mut self, says: Value) -> SeatView {
        let came = self.try_say(&says).await;
        self.note(&came)
    }

    pub async fn sit(&mut self) -> SeatView {
        self.say(json!({ "kind": "sit", "name": "Ada", "nonce": NONCE })).await
    }

    pub async fn reply(&mut self, turn: u32, text: &str) -> SeatView {
        self.say(json!({ "kind": "reply", "turn": turn, "text": text })).await
    }

    pub async fn look(&mut self) -> SeatView {
        let came = self.get(&self.path.clone()).await;
        self.note(&came)
    }

    /// The next view after the one that is known.
    pub async fn next(&mut self) -> SeatView {
        let path = format!("{}?after={}", self.path, self.version);
        let came = self.get(&path).await;
        self.note(&came)
    }

    async fn get(&self, path: &str) -> HttpReply {
        self.service.get_as(path, Some(&self.ticket)).await
    }

    fn note(&mut self, came: &HttpReply) -> SeatView {
        let view: SeatView = came.json();
        if view.table.stage != LiveStage::Over {
            self.received.push_str(&came.text);
            self.received.push('\n');
        }
        self.version = view.version;
        view
    }
}

/// A player in a seat at the end of a socket.
pub struct Seated {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Every frame that came before the end, one after the other.
    pub received: String,
}

impl Seated {
    pub async fn connect(addr: SocketAddr, run: &str, ticket: &str) -> Self {
        Seated::hello(addr, run, ticket, true).await
    }

    /// The same by a page that was only opened.
    pub async fn open(addr: SocketAddr, run: &str, ticket: &str) -> Self {
        Seated::hello(addr, run, ticket, false).await
    }

    async fn hello(addr: SocketAddr, run: &str, ticket: &str, takes: bool) -> Self {
        let (stream, _) =
            connect_async(format!("ws://{addr}/api/live/{run}/socket")).await.expect("it connects");
        let mut seated = Seated { stream, received: String::new() };
        seated.say(SeatSays::Hello { ticket: ticket.into(), takes }).await;
        seated
    }

    pub async fn say(&mut self, says: SeatSays) {
        let frame = serde_json::to_string(&SeatFrame::new(says)).expect("JSON");
        self.say_text(&frame).await;
    }

    /// Pings `times` times and reads nothing; the server may have closed before the last.
    pub async fn pings(&mut self, times: usize) {
        for _ in 0..times {
            if self.stream.send(Message::Ping("x".into())).await.is_err() {
                return;
            }
        }
    }

    pub async fn say_text(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.expect("it is sent");
    }

    pub async fn sit(&mut self) {
        self.say(SeatSays::Sit { name: "Ada".into(), nonce: NONCE.into(), agrees_to: None }).await;
    }

    pub async fn reply(&mut self, turn: u32, text: &str) {
        let text = text.to_owned();
        self.say(SeatSays::Reply { turn, text }).await;
    }

    /// The next frame, or code and reason of the close.
    pub async fn next(&mut self) -> Result<SeatHears, (u16, String)> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(30), self.stream.next())
                .await
                .expect("something is heard in time");
            match message {
                Some(Ok(Message::Text(text))) => {
                    let hears: SeatHears = serde_json::from_str(&text).expect("a frame");
                    let is_over = matches!(&hears, SeatHears::View(view) if view.table.stage == LiveStage::Over);
                    if !is_over {
                        self.received.push_str(&text);
                        self.received.push('\n');
                    }
                    return Ok(hears);
                }
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Err((frame.code.into(), frame.reason.to_string()));
                }
                Some(Ok(_)) => {}
                other => panic!("the socket broke off: {other:?}"),
            }
        }
    }

    pub async fn view(&mut self) -> SeatView {
        match self.next().await {
            Ok(SeatHears::View(view)) => *view,
            other => panic!("no view: {other:?}"),
        }
    }

    /// The next view of which this is so.
    pub async fn until(&mut self, is_so: impl Fn(&SeatView) -> bool) -> SeatView {
        loop {
            let view = self.view().await;
            if is_so(&view) {
                return view;
            }
        }
    }

    /// Code and reason with which the server closes; views on the way are passed over.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Err(close) = self.next().await {
                return close;
            }
        }
    }

    pub async fn go(mut self) {
        self.stream.close(None).await.expect("it closes");
    }
}

/// A run that is over: its spec, what is known of its table, and its transcripts, each of which replays to its end and whose
/// chance follows from what was committed before.
pub async fn checked(
    service: &Service,
    opened: &LiveOpened,
    benchmark: &dyn Benchmark,
) -> (RunInfo, LiveInfo, Vec<(EpisodeKey, Transcript)>) {
    let run: RunInfo = service.of_run(&opened.run, "").await.json();
    let table: LiveInfo = service.get(&format!("/api/live/{}", opened.run)).await.json();
    let proof = table.proof.clone().expect("the secret is revealed");
    let mine = opened.tickets.keys().map(|seat| (seat.clone(), NONCE.to_owned())).collect();
    proof
        .check(&opened.commitment, &mine, benchmark, &run.spec)
        .expect("the seed was mixed fairly");
    let tasks = match benchmark.task_source() {
        TaskSource::File => benchmark.samples(),
        TaskSource::Spec => benchmark.plan(&run.spec).expect("it can be planned"),
    };
    let heads: Vec<EpisodeHead> = service.of_run(&opened.run, "/episodes").await.json();
    let mut transcripts = Vec::new();
    for head in heads {
        let path = format!("/api/runs/{}/episodes/{}", opened.run, head.episode);
        let text = service.get(&path).await.text;
        let read = transcript::read(&text).expect("a sound transcript");
        assert_eq!(read.chain, head.chain);
        assert!(head.ending.is_some(), "{} has an end", head.episode);
        turnwise_shared::fairness::check_draws(&run.spec, &read).expect("fair draws");
        if turnwise_backend::append_rules::is_play(&head.episode) {
            let task = tasks.task(&read.header.task.id).expect("one of the tasks");
            assert_eq!(task.digest, read.header.task.digest);
            let episode = benchmark.open(&run.spec, task, &benchmark.pack()).expect("it opens");
            let salts = SaltKey::open(&read.header);
            let mut session = Session::open(read.header.clone(), episode, salts);
            let extent = Replay::new(&read).run(&mut session);
            assert_eq!(extent, Ok(Extent::Whole), "{}", head.episode);
        }
        transcripts.push((head.episode, read));
    }
    (run, table, transcripts)
}
