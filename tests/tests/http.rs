//! Does the service behave? The real program over a real network, with a scripted service behind it.
//!
//! The router's own rules (guard, limits, errors, sockets, append-only transcripts) are tested beside it, in
//! `backend/tests`. Here is what only the whole program can show: each way in which a service fails is told apart at
//! every door, a killed server loses nothing that was answered, and a key leaves the program towards its service alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::interactcomp::InteractComp;
use turnwise_shared::effect::Reply;
use turnwise_shared::run::{Doing, EpisodeKey, Ingredients, Run, Ticket};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::spec::{Profile, SearchSpec, Spec};
use turnwise_shared::transcript::{self, Event};
use turnwise_shared::wire::{
    CallAnswer, CallKey, CallRequest, CallTiming, EpisodeHead, Opened, Outgoing, Probed, RunInfo,
};
use turnwise_tests::server::{Server, command, program, skipped, web_folder};
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

const NO_PROGRAM: &str = "TURNWISE_BIN names no program; `cargo xtask test` builds it";

/// What came back for a request.
struct Came {
    status: StatusCode,
    /// Status, headers and body, as they could be shown to somebody.
    all: String,
    body: String,
}

impl Came {
    fn json<T: serde::de::DeserializeOwned>(&self) -> T {
        assert!(self.status.is_success(), "{}", self.all);
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.all))
    }
}

/// Asks a server.
struct Asking<'a> {
    server: &'a Server,
    client: Client,
}

impl<'a> Asking<'a> {
    fn new(server: &'a Server) -> Self {
        let client = Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(60))
            .build()
            .expect("a client");
        Asking { server, client }
    }

    async fn ask(&self, method: Method, path: &str, token: Option<&str>, body: &Value) -> Came {
        self.try_to_ask(method, path, token, body)
            .await
            .expect("the server answers")
    }

    async fn try_to_ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> Result<Came, reqwest::Error> {
        let mut request = self.client.request(method, self.server.url(path));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request = match body {
            Value::Null => request,
            Value::String(text) => request.body(text.clone()),
            json => request.json(json),
        };
        let answer = request.send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = String::from_utf8_lossy(&answer.bytes().await?).into_owned();
        Ok(Came {
            status,
            all: format!("{path} {status} {headers:?}\n{body}"),
            body,
        })
    }

    async fn get(&self, path: &str) -> Came {
        self.ask(Method::GET, path, None, &Value::Null).await
    }

    async fn post(&self, path: &str, body: &Value) -> Came {
        self.ask(Method::POST, path, None, body).await
    }

    async fn open(&self, spec: &Spec, episodes: u32) -> Opened {
        let wanted = json!({ "spec": spec, "title": "a trial", "episodes": episodes });
        self.post("/api/runs", &wanted).await.json()
    }
}

fn to_value(plain: &impl serde::Serialize) -> Value {
    serde_json::to_value(plain).expect("plain data")
}

/// A run over the first samples, with models of this provider in all seats.
fn spec(provider: &str, tasks: u32) -> Spec {
    let mut spec = turnwise_tests::spec(
        &InteractComp,
        Profile::Strict,
        json!({ "mode": "full", "rounds": 6 }),
    );
    for (seat, sitting) in &mut spec.seats {
        sitting.player = format!("model:{provider}/{seat}")
            .parse()
            .expect("a player");
    }
    spec.search = Some(SearchSpec {
        engine: "local".into(),
        corpus: None,
        results: 5,
    });
    spec.subset.first = Some(tasks);
    spec
}

fn planned(spec: &Spec) -> Run {
    Run::new(Ingredients {
        spec: spec.clone(),
        tasks: InteractComp.samples(),
        pack: InteractComp.pack(),
        tapes: BTreeMap::new(),
        limits: Limits::new(8),
    })
    .expect("it can be planned")
}

fn call_of(opened: &Opened, ticket: &Ticket, request: Outgoing) -> CallRequest {
    CallRequest {
        key: CallKey {
            run: opened.run.clone(),
            episode: ticket.episode.clone(),
            call: ticket.call,
            digest: ticket.digest,
        },
        token: opened.token.clone(),
        request,
    }
}

/// One scripted service for each way to fail, and a program that has them all as providers.
struct Failing {
    services: Vec<(Fault, Upstream)>,
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Failing {
    async fn start(key: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let limits = "[limits]\nbackoff_ms = 5\nidle_seconds = 1\n";
        std::fs::write(folder.path().join("turnwise.toml"), limits).expect("it writes");
        let mut failing = Failing {
            services: Vec::new(),
            folder,
            variables: Vec::new(),
        };
        for fault in Fault::ALL {
            let script = Script {
                faults: Faults::Always(*fault),
                key: Some(key.to_owned()),
                ..Script::default()
            };
            let upstream = Upstream::start(script).await;
            let name = format!("TURNWISE_PROVIDER_{}", format!("{fault:?}").to_uppercase());
            failing
                .variables
                .push((format!("{name}_BASE_URL"), upstream.base_url()));
            failing
                .variables
                .push((format!("{name}_API_KEY"), key.to_owned()));
            failing.services.push((*fault, upstream));
        }
        failing
    }

    fn variables(&self) -> Vec<(&str, &str)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }
}

fn provider(fault: Fault) -> String {
    format!("{fault:?}").to_lowercase()
}

/// What came of a call, in one line.
fn told(reply: &Reply, attempts: u32) -> String {
    match reply {
        Reply::Failed(failure) => {
            format!("{:?} after {attempts}: {}", failure.class, failure.message)
        }
        Reply::Said(said) => format!("said {:?} after {attempts}", said.text),
        other => format!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_in_which_a_service_fails_is_told_apart() {
    let Some(program) = program() else {
        return skipped(
            "each_way_in_which_a_service_fails_is_told_apart",
            NO_PROGRAM,
        );
    };
    let failing = Failing::start("a-key-of-no-account").await;
    let server = Server::start(&program, failing.folder.path(), &failing.variables());
    let asking = Asking::new(&server);
    let (mut called, mut probed) = (String::new(), String::new());
    for (fault, _) in &failing.services {
        let spec = spec(&provider(*fault), 1);
        let opened = asking.open(&spec, 1).await;
        let mut run = planned(&spec);
        let (ticket, request) = loop {
            match run.poll() {
                Doing::Call { ticket, request } => break (ticket, request),
                Doing::Lines { .. } => {}
                other => panic!("a call comes first, not {other:?}"),
            }
        };
        let call = to_value(&call_of(&opened, &ticket, request));
        let answer: CallAnswer = asking.post("/api/call", &call).await.json();
        assert_eq!(
            answer.timing.failures.len() + 1,
            answer.timing.attempts as usize
        );
        called += &format!(
            "{fault:?}: {}\n",
            told(&answer.reply, answer.timing.attempts)
        );

        let probe = json!({ "probe": "model", "provider": provider(*fault), "model": "player" });
        let answer: Probed = asking.post("/api/probe", &probe).await.json();
        probed += &format!(
            "{fault:?}: {}\n",
            told(&answer.reply, answer.timing.attempts)
        );
    }
    insta::assert_snapshot!(called, @r#"
    TooMany: RateLimited after 3: the service asked for fewer calls (status 429, rate_limit_exceeded)
    Broken: Server after 3: the service failed (status 500, server_error)
    Cut: Connection after 3: the connection was cut before the end of the answer
    Undecodable: Undecodable after 3: the answer is no completion
    Empty: said Some("") after 1
    KeyRefused: Unauthorised after 1: the service refused the key (status 401)
    Refused: Rejected after 1: the service refused the request (status 400, invalid_request_error)
    Silent: Timeout after 3: no answer in time
    "#);
    // A probe is made once, and shows the service's own words without the key.
    insta::assert_snapshot!(probed, @r#"
    TooMany: RateLimited after 1: the service asked for fewer calls (status 429, rate_limit_exceeded); it says: slow down: …
    Broken: Server after 1: the service failed (status 500, server_error); it says: something broke: …
    Cut: Connection after 1: the connection was cut before the end of the answer
    Undecodable: Undecodable after 1: the answer is no completion
    Empty: said Some("") after 1
    KeyRefused: Unauthorised after 1: the service refused the key (status 401)
    Refused: Rejected after 1: the service refused the request (status 400, invalid_request_error); it says: this cannot be asked: …
    Silent: Timeout after 1: no answer in time
    "#);
}

/// A run whose page goes away with the server: what a page would do, less the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_nothing_that_was_answered() {
    let Some(program) = program() else {
        return skipped(
            "a_killed_server_loses_nothing_that_was_answered",
            NO_PROGRAM,
        );
    };
    let upstream = Upstream::start(Script {
        latency: Duration::from_millis(60),
        ..Script::default()
    })
    .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let variables = [("TURNWISE_PROVIDER_UP_BASE_URL", upstream.base_url())];
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, url)| (*name, url.as_str()))
        .collect();
    let spec = spec("up", 4);

    let server = Server::start(&program, folder.path(), &variables);
    let asking = Asking::new(&server);
    let opened = asking.open(&spec, 4).await;
    let mut run = planned(&spec);
    let mut answered = BTreeMap::new();
    drive(&asking, &opened, &mut run, &mut answered, 25).await;
    // One more call is on its way when the server is killed.
    let before = upstream.counts().calls;
    let lost = loop {
        match run.poll() {
            Doing::Call { ticket, request } => break call_of(&opened, &ticket, request),
            Doing::Lines {
                episode,
                from,
                lines,
            } => keep(&asking, &opened, &episode, from, &lines).await,
            Doing::Ended { .. } => {}
            other => panic!("there is more to do than {other:?}"),
        }
    };
    let body = to_value(&lost);
    let nothing = async {
        while upstream.counts().calls == before {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        _ = asking.try_to_ask(Method::POST, "/api/call", None, &body) => panic!("it cannot be that fast"),
        () = nothing => {}
    }
    drop(server);

    let server = Server::start(&program, folder.path(), &variables);
    let asking = Asking::new(&server);
    let path = format!("/api/runs/{}", opened.run);
    let info: RunInfo = asking.get(&path).await.json();
    assert_eq!((info.title.as_str(), info.episodes), ("a trial", 4));
    let sent = upstream.counts().calls;
    for (call, reply) in answered.values() {
        let again: CallAnswer = asking.post("/api/call", call).await.json();
        assert_eq!(&again.reply, reply, "the ledger has the same reply");
        assert!(again.timing.from_ledger);
    }
    assert_eq!(upstream.counts().calls, sent, "nothing was paid for twice");

    // The run is taken up from what the server has.
    let mut run = planned(&spec);
    let heads: Vec<EpisodeHead> = asking.get(&format!("{path}/episodes")).await.json();
    let (plays, gradings): (Vec<_>, Vec<_>) = heads
        .iter()
        .map(|head| &head.episode)
        .partition(|key| **key == key.its_play());
    for key in plays.into_iter().chain(gradings) {
        let text = asking.get(&format!("{path}/episodes/{key}")).await.body;
        let stored = transcript::read(&text).expect("a sound transcript");
        run.restore(key, &stored).expect("it can be taken up");
    }
    drive(&asking, &opened, &mut run, &mut answered, u32::MAX).await;

    let info: RunInfo = asking.get(&path).await.json();
    assert_eq!(info.finished, 4);
    let timings: Vec<CallTiming> = asking.get(&format!("{path}/timing")).await.json();
    let twice: Vec<_> = timings.iter().filter(|timing| timing.sent > 1).collect();
    assert_eq!(twice.len(), 1, "{twice:?}");
    assert_eq!(
        (&twice[0].episode, twice[0].call),
        (&lost.key.episode, lost.key.call)
    );
    assert_eq!((twice[0].sent, twice[0].lost), (2, 1));
    let heads: Vec<EpisodeHead> = asking.get(&format!("{path}/episodes")).await.json();
    let mut replies = 0;
    for head in &heads {
        let text = asking
            .get(&format!("{path}/episodes/{}", head.episode))
            .await
            .body;
        let read = transcript::read(&text).expect("a sound transcript");
        for event in read.events.iter().flatten() {
            if let Event::Told { call, reply } = event {
                let (_, heard) = &answered[&(head.episode.clone(), *call)];
                assert_eq!(reply, heard, "{} call {call}", head.episode);
                replies += 1;
            }
        }
    }
    assert_eq!(replies, answered.len());
}

type Answered = BTreeMap<(EpisodeKey, turnwise_shared::episode::CallId), (Value, Reply)>;

/// Drives a run through `POST /api/call`, and stops after so many calls.
async fn drive(
    asking: &Asking<'_>,
    opened: &Opened,
    run: &mut Run,
    answered: &mut Answered,
    calls: u32,
) {
    let mut made = 0;
    while made < calls {
        match run.poll() {
            Doing::Call { ticket, request } => {
                let call = to_value(&call_of(opened, &ticket, request));
                let answer: CallAnswer = asking.post("/api/call", &call).await.json();
                run.tell(&ticket, answer.reply.clone())
                    .expect("the reply fits");
                answered.insert((ticket.episode, ticket.call), (call, answer.reply));
                made += 1;
            }
            Doing::Lines {
                episode,
                from,
                lines,
            } => keep(asking, opened, &episode, from, &lines).await,
            Doing::Ended { .. } => {}
            Doing::Over => return,
            other => panic!("not expected here: {other:?}"),
        }
    }
}

async fn keep(
    asking: &Asking<'_>,
    opened: &Opened,
    episode: &EpisodeKey,
    from: u64,
    lines: &[String],
) {
    let path = format!("/api/runs/{}/episodes/{episode}?from={from}", opened.run);
    let body = Value::String(turnwise_tests::file(lines));
    let came = asking
        .ask(Method::PUT, &path, Some(&opened.token), &body)
        .await;
    assert!(came.status.is_success(), "{}", came.all);
}

const MARK: &str = "marked-key-6f1ed002ab5595859014ebf0951522d9";

/// Panics if a text has the mark in it.
fn without_mark(what: &str, text: &str) {
    if let Some(at) = text.find(MARK) {
        let before = text[..at].chars().rev().take(200).collect::<Vec<_>>();
        let before: String = before.into_iter().rev().collect();
        panic!("{what} has the key in it, after: …{before}");
    }
}

/// All files below a folder, as text.
fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("it reads") {
        let path = entry.expect("it reads").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let bytes = std::fs::read(&path).expect("it reads");
            found.push((
                path.display().to_string(),
                String::from_utf8_lossy(&bytes).into_owned(),
            ));
        }
    }
}

fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_leaves_the_program_towards_its_service_alone() {
    let Some(program) = program() else {
        return skipped(
            "a_key_leaves_the_program_towards_its_service_alone",
            NO_PROGRAM,
        );
    };
    let failing = Failing::start(MARK).await;
    let mut variables = failing.variables();
    variables.push(("TURNWISE_LOG", "trace"));
    let server = Server::start(&program, failing.folder.path(), &variables);
    let asking = Asking::new(&server);
    let mut heard = String::new();
    for (fault, _) in &failing.services {
        let spec = spec(&provider(*fault), 2);
        let opened = asking.open(&spec, 2).await;
        let mut run = planned(&spec);
        let mut answered = BTreeMap::new();
        // A silent service costs a second an attempt.
        let calls = if *fault == Fault::Silent { 1 } else { 40 };
        drive(&asking, &opened, &mut run, &mut answered, calls).await;
        heard += &format!("{answered:?}\n");
        let probe = json!({ "probe": "model", "provider": provider(*fault), "model": "player" });
        heard += &asking.post("/api/probe", &probe).await.all;
        for path in [
            "",
            "/timing",
            "/summaries",
            "/report",
            "/episodes",
            "/episodes/1.r1.play",
        ] {
            heard += &asking
                .get(&format!("/api/runs/{}{path}", opened.run))
                .await
                .all;
        }
        let wrong = json!({ "key": MARK.len(), "request": { "outgoing": "model" } });
        heard += &asking.post("/api/call", &wrong).await.all;
    }
    for path in [
        "/",
        "/api/about",
        "/api/runs",
        "/api/tasks",
        "/api/nothing",
        "/run/1",
    ] {
        heard += &asking.get(path).await.all;
    }
    without_mark("a response", &heard);
    for (fault, upstream) in &failing.services {
        let counts = upstream.counts();
        assert_eq!(counts.wrong_key, 0, "{fault:?}");
        assert!(counts.calls > 1, "{fault:?} was provoked: {counts:?}");
    }

    // The same failures from the command line.
    for fault in [Fault::KeyRefused, Fault::Broken, Fault::Empty] {
        let seat = format!("player=model:{}/player", provider(fault));
        let out = failing
            .folder
            .path()
            .join(format!("out-{}", provider(fault)));
        let mut run = command(&program, &variables);
        run.args([
            "run",
            "--benchmark",
            "interactcomp",
            "--limit",
            "1",
            "--seat",
            &seat,
            "--out",
        ])
        .arg(&out)
        .env(
            "TURNWISE_CONFIG",
            failing.folder.path().join("turnwise.toml"),
        );
        let output = run.output().expect("the program starts");
        without_mark("the command line", &printed(&output));
        assert!(out.join("run.json").is_file(), "{}", printed(&output));
    }

    let log = server.log();
    assert!(log.contains("hyper"), "everything is logged");
    without_mark("the log", &log);
    drop(server);
    let mut found = Vec::new();
    files(failing.folder.path(), &mut found);
    match web_folder() {
        Some(folder) => files(&folder, &mut found),
        None => skipped(
            "the web app's files",
            "TURNWISE_WEB_DIR names no built web app",
        ),
    }
    assert!(found.iter().any(|(name, _)| name.ends_with(".jsonl")));
    for (name, text) in &found {
        without_mark(name, text);
    }
}

/// What the program says when it refuses to start.
fn refusal(program: &Path, folder: &Path, addr: &str, variables: &[(&str, &str)]) -> String {
    let mut serve = command(program, variables);
    serve
        .args(["serve", "--addr", addr, "--data"])
        .arg(folder)
        .stdin(Stdio::null());
    let output = serve.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    printed(&output)
}

#[test]
fn a_server_that_should_not_start_does_not() {
    let Some(program) = program() else {
        return skipped("a_server_that_should_not_start_does_not", NO_PROGRAM);
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = refusal(&program, folder.path(), "0.0.0.0:0", &[]);
    insta::assert_snapshot!(said, @"
    error: the configuration has 1 mistake:
      - 0.0.0.0:0 can be reached from other machines: set TURNWISE_ACCESS_TOKEN to a long random text (for example from `openssl rand -hex 24`), or listen on 127.0.0.1:8080
    ");
    let mistakes = [
        ("TURNWISE_ACCESS_TOKEN", "short"),
        ("OPENAI_API_KEY", "marked key"),
        ("TURNWISE_PROVIDER_MINE_API_KEY", "marked-key"),
        ("TURNWISE_PROVIDER_MINE_COLOUR", "blue"),
    ];
    let said = refusal(&program, folder.path(), "127.0.0.1:0", &mistakes);
    assert!(!said.contains("marked"), "{said}");
    insta::assert_snapshot!(said, @r#"
    error: the configuration has 4 mistakes:
      - TURNWISE_ACCESS_TOKEN: a token has at least 16 signs, all of them plain letters, digits or punctuation
      - TURNWISE_PROVIDER_MINE_COLOUR: the name ends in none of _BASE_URL, _API_KEY, _MODELS, _FORMAT, _IN_FLIGHT
      - provider "mine", base_url: it is missing
      - provider "openai", key: it has blanks or signs that no key has
    "#);
}
