//! What the tests of the service share.

pub mod database;
pub mod long;
pub mod program;
pub mod serving;
pub mod sharing;
pub mod socket;
pub mod table;
pub mod upstream;

use turnwise_backend::config::{Environment, Given};

/// A key that must never turn up anywhere but at the service.
pub const MARKED_KEY: &str = "marked-key-5d41402abc4b2a76";

/// A configuration with a folder of its own, the provider `up` at `base_url`, and short waits.
pub fn config(folder: &std::path::Path, base_url: &str, more: &str) -> Config {
    config_of("openai", folder, base_url, more)
}

/// The same for any wire format.
pub fn config_of(format: &str, folder: &std::path::Path, base_url: &str, more: &str) -> Config {
    let text = format!(
        "[limits]\nbackoff_ms = 20\nlongest_wait_seconds = 2\n{more}\n\
         [[provider]]\nname = \"up\"\nbase_url = \"{base_url}\"\nkey_env = \"UP_KEY\"\nmodels = [\"m\"]\n\
         format = \"{format}\"\n"
    );
    std::fs::write(folder.join("turnwise.toml"), text).expect("the folder can be written");
    let given = Given { addr: None, data: Some(folder.to_path_buf()) };
    Config::load(given, &environment(folder, &[("UP_KEY", MARKED_KEY)]))
        .expect("the configuration is sound")
}

/// Lets another server begin over the same folder although the first still runs, as if that had been killed: the system lets go of what
/// a process had locked.
pub fn as_if_killed(folder: &std::path::Path) {
    // Over PostgreSQL nothing is locked.
    let _ = std::fs::remove_file(folder.join("serving.lock"));
}

/// These variables, and where the test's database is.
fn environment(folder: &std::path::Path, variables: &[(&str, &str)]) -> Environment {
    let variables = variables.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let database = database::address(folder).map(|address| ("DATABASE_URL".to_owned(), address));
    variables.chain(database).collect()
}

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use serde::de::DeserializeOwned;
use tower::ServiceExt as _;
use turnwise_backend::{App, build_app};

// Every test imports all of this module.
pub use program::{expect, folder, is_sound, json_of, refused, say, transcripts, turnwise};
pub use serde_json::{Value, json};
pub use sharing::{of_bots, play_of, played, show};
pub use socket::Listening;
pub use std::collections::BTreeMap;
pub use std::path::Path;
pub use std::process::Command;
pub use std::time::Duration;
pub use table::{Script, Seated, checked, wanted};
pub use tempfile::TempDir;
pub use turnwise_backend::config::Config;
pub use turnwise_shared::benchmark::default_spec;
pub use turnwise_shared::examples::{GAME, MATCH, QUESTIONS, WORLDS, example};
pub use turnwise_shared::prelude::*;
pub use turnwise_shared::run::{Action, Ingredients};
pub use turnwise_shared::scheduler::Limits;
pub use turnwise_shared::transcript::SaltKey;
pub use turnwise_shared::wire::live::LiveOpened;
pub use turnwise_shared::wire::{CallRequest, OpenRun, Opened};
pub use upstream::{Canned, Seen, Upstream, completion, serve};

/// What came back for a request.
#[derive(Debug)]
pub struct HttpReply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl HttpReply {
    /// The body of a success.
    pub fn json<T: DeserializeOwned>(&self) -> T {
        assert!(self.status.is_success(), "{self:?}");
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of a failure with this status.
    pub fn error(&self, status: u16) -> ApiError {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The service without a network.
#[derive(Clone)]
pub struct Service {
    pub app: App,
    router: Router,
}

impl Service {
    /// Opens the service of a configuration.
    pub async fn open(config: Config) -> Self {
        let app = App::open(config).await.expect("it opens");
        Service { router: build_app(app.clone()), app }
    }

    /// Sends a request as it is, `Host` included.
    pub async fn send(&self, request: Request<Body>) -> HttpReply {
        self.send_for_bytes(request).await.0
    }

    /// The same, with the body as it came.
    pub async fn send_for_bytes(&self, request: Request<Body>) -> (HttpReply, Vec<u8>) {
        let response = self.router.clone().oneshot(request).await.expect("it answers");
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
        let came = HttpReply {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        };
        (came, bytes.to_vec())
    }

    /// Sends a request with a body of a kind, and perhaps a token.
    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        kind: &str,
        body: impl Into<Body>,
    ) -> HttpReply {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost:8080")
            .header("content-type", kind);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.send(request.body(body.into()).expect("a sound request")).await
    }

    pub async fn get(&self, path: &str) -> HttpReply {
        self.ask("GET", path, None, "text/plain", Body::empty()).await
    }

    pub async fn post(
        &self,
        path: &str,
        token: Option<&str>,
        body: &impl serde::Serialize,
    ) -> HttpReply {
        let body = serde_json::to_string(body).expect("JSON");
        self.ask("POST", path, token, "application/json", body).await
    }

    /// Stores lines of a transcript.
    pub async fn put(
        &self,
        run: &Opened,
        episode: &EpisodeKey,
        from: u64,
        lines: &str,
    ) -> HttpReply {
        let path = format!("/api/runs/{}/episodes/{episode}?from={from}", run.run);
        let token = Some(run.token.as_str());
        self.ask("PUT", &path, token, "application/x-ndjson", lines.to_owned()).await
    }

    /// Stores lines of a transcript as an episode gives them.
    pub async fn put_lines(
        &self,
        run: &Opened,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> HttpReply {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.put(run, episode, from, &text).await
    }

    /// Asks for a run's place on its board.
    pub async fn publish(&self, run: &RunId, token: Option<&str>) -> HttpReply {
        let path = format!("/api/runs/{run}/publish");
        self.ask("POST", &path, token, "text/plain", Body::empty()).await
    }

    pub async fn open_run(&self, spec: &Spec, episodes: u32) -> Opened {
        let wanted = OpenRun {
            tags: Vec::new(),
            caps: Default::default(),
            spec: spec.clone(),
            title: "a trial".into(),
            episodes,
            regrades: None,
            branch_of: None,
            parent_token: None,
            visibility: Default::default(),
        };
        self.post("/api/runs", None, &wanted).await.json()
    }

    /// Makes a call as a script does.
    pub async fn call(&self, request: &CallRequest) -> CallAnswer {
        self.post("/api/call", None, request).await.json()
    }
}

/// The answers, `count` in all, of a player who searches once in every episode and then answers.
pub fn searching(count: usize) -> Vec<Canned> {
    let search = acts("search", json!({ "query": "beach sport with sticks" }));
    let answer = acts("answer", json!({ "answer": "Kivvet", "confidence": "80" }));
    let turns = [search, answer];
    let texts = turns.iter().cycle().take(count);
    texts.map(|text| Canned::text(text)).collect()
}

/// A call as a script makes it.
pub fn call_of(opened: &Opened, ticket: &Ticket, request: Outgoing) -> CallRequest {
    CallRequest {
        key: CallKey::of(&opened.run, ticket),
        token: opened.token.clone(),
        epoch: Default::default(),
        request,
    }
}

/// A service over an upstream with these answers.
pub async fn service(answers: Vec<Canned>) -> (Service, Upstream, TempDir) {
    let upstream = Upstream::start(answers).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let service = Service::open(config(folder.path(), &upstream.base_url(), "")).await;
    (service, upstream, folder)
}

/// A service with these environment variables and nothing else.
pub async fn with(variables: &[(&str, &str)]) -> (Service, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let given = Given { addr: None, data: Some(folder.path().to_path_buf()) };
    let config = Config::load(given, &environment(folder.path(), variables)).expect("it is sound");
    (Service::open(config).await, folder)
}

/// A run over the first sample tasks: the model `up/m` plays, bots do the rest.
pub fn trial_spec(tasks: u32) -> Spec {
    let samples = example(QUESTIONS).samples();
    let pack = example(QUESTIONS).pack();
    serde_json::from_value(json!({
        "benchmark": example(QUESTIONS).name(), "protocol": example(QUESTIONS).protocol(), "profile": "strict",
        "settings": example(QUESTIONS).default_settings(),
        "tasks": { "name": samples.name, "digest": samples.digest },
        "subset": { "first": tasks },
        "pack": { "name": pack.name, "digest": pack.digest() },
        "seats": {
            "player": { "player": "model:up/m", "sampling": { "temperature": 0.6 } },
            "responder": { "player": "bot:lexical" },
            "grader": { "player": "bot:exact" },
        },
        "search": { "engine": "local", "results": 5 },
        "budget": { "calls": 100 }, "seed": 1, "repeats": 1,
    }))
    .expect("a spec")
}

/// A run as a browser plans it.
pub fn planned(spec: &Spec) -> Run {
    planned_with(spec, example(QUESTIONS).pack())
}

/// The same with another prompt pack, which the spec names.
pub fn planned_with(spec: &Spec, pack: Pack) -> Run {
    Run::new(Ingredients {
        benchmark: example(QUESTIONS),
        spec: spec.clone(),
        tasks: example(QUESTIONS).samples(),
        pack,
        recordings: Default::default(),
        limits: Limits::new(4),
    })
    .expect("it can be planned")
}

/// What was kept while a run was driven.
#[derive(Debug, Default)]
pub struct Driven {
    pub calls: Vec<(CallRequest, CallAnswer)>,
    pub summaries: Vec<(EpisodeKey, Summary)>,
    pub asked: Vec<Ticket>,
}

/// Drives a run through the service as a script does, one call after the other, and stores every line. People say yes.
pub async fn drive(service: &Service, opened: &Opened, run: &mut Run) -> Driven {
    let mut driven = Driven::default();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                let request = call_of(opened, &ticket, request);
                let answer = service.call(&request).await;
                run.tell(&ticket, answer.reply.clone()).expect("the reply fits");
                driven.calls.push((request, answer));
            }
            Action::Person { ticket, .. } => {
                run.tell(&ticket, Reply::Said(Said::text("yes"))).expect("the reply fits");
                driven.asked.push(ticket);
            }
            Action::Lines { episode, from, lines } => {
                let came = service.put_lines(opened, &episode, from, &lines).await;
                let stored: Value = came.json();
                assert_eq!(stored["lines"], json!(from + lines.len() as u64));
            }
            Action::Ended { episode, summary, .. } => {
                driven.summaries.push((episode.its_play(), *summary));
            }
            Action::Over => return driven,
            other => panic!("not expected here: {other:?}"),
        }
    }
}

/// A player's answer as an action in JSON.
pub fn acts(action: &str, params: Value) -> String {
    format!("```json\n{}\n```", json!({ "action": action, "params": params }))
}

/// Summaries as transcripts alone give them: on which days calls were made only the server knows, and it must say so of every
/// seat that has called a model.
pub fn without_days(mut summaries: Value) -> Value {
    let plays = summaries.as_object_mut().expect("summaries by play");
    for seat in plays
        .values_mut()
        .filter_map(|summary| summary["usage"].as_object_mut())
        .flat_map(|usage| usage.values_mut())
    {
        let seat = seat.as_object_mut().expect("what a seat used");
        let days = seat.remove("days");
        assert!(days.is_some() || seat["model_calls"] == 0, "{seat:?}");
    }
    summaries
}
