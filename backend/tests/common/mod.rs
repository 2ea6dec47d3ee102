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
    load(folder, &environment(folder, &[("UP_KEY", MARKED_KEY)]))
}

/// The configuration of a folder and these variables.
pub fn load(folder: &Path, environment: &Environment) -> Config {
    let given = Given { addr: None, data: Some(folder.to_path_buf()) };
    Config::load(given, environment).expect("the configuration is sound")
}

/// What this file of configuration says, in a folder and without further variables.
pub fn configured(folder: &Path, file: &str) -> Config {
    std::fs::write(folder.join("turnwise.toml"), file).expect("the folder can be written");
    load(folder, &environment(folder, &[]))
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
pub use program::{Folder, expect, folder, is_sound, refused, transcripts, turnwise};
pub use serde_json::{Value, json};
pub use sharing::{of_bots, play_of, played, show};
pub use socket::{Listening, asking};
pub use std::collections::BTreeMap;
pub use std::path::Path;
pub use std::process::Command;
pub use std::sync::Arc;
pub use std::time::Duration;
pub use table::{Script, Seated, checked, wanted};
pub use turnwise_backend::config::Config;
pub use turnwise_shared::benchmark::default_spec;
pub use turnwise_shared::examples::{GAME, MATCH, QUESTIONS, WORLDS, example};
pub use turnwise_shared::prelude::*;
pub use turnwise_shared::registry;
pub use turnwise_shared::run::{Action, Ingredients};
pub use turnwise_shared::scheduler::Limits;
pub use turnwise_shared::testing::cases;
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

    /// The same, whose message has these words.
    #[track_caller]
    pub fn error_with(&self, status: u16, words: &str) -> ApiError {
        let error = self.error(status);
        assert!(error.message.contains(words), "{words}: {error:?}");
        error
    }
}

/// An address where nothing listens.
pub const NOWHERE: &str = "http://127.0.0.1:9/v1";

/// The service without a network.
#[derive(Clone)]
pub struct Service {
    pub app: App,
    router: Router,
    /// Its folder, if that was made for it: it goes with it.
    folder: Option<Arc<Folder>>,
    upstream: Option<Upstream>,
}

impl Service {
    /// Opens the service of a configuration.
    pub async fn start(config: Config) -> Self {
        let app = App::open(config).await.expect("it opens");
        Service { router: build_app(app.clone()), app, folder: None, upstream: None }
    }

    /// The service of [`config`] in a folder of its own.
    pub async fn at(base_url: &str, more: &str) -> Self {
        Service::of("openai", base_url, more).await
    }

    /// The same for any wire format.
    pub async fn of(format: &str, base_url: &str, more: &str) -> Self {
        Service::in_a_folder(|folder| config_of(format, folder, base_url, more)).await
    }

    /// A service in a folder of its own.
    pub async fn in_a_folder(config: impl FnOnce(&Path) -> Config) -> Self {
        let folder = folder();
        let service = Service::start(config(folder.path())).await;
        Service { folder: Some(Arc::new(folder)), ..service }
    }

    /// Another one over the folder and the provider of this one, whose configuration had no further lines.
    pub async fn again(&self) -> Self {
        Service::start(config(self.folder(), &self.upstream().base_url(), "")).await
    }

    /// The folder that was made for it.
    pub fn folder(&self) -> &Path {
        self.folder.as_ref().expect("a folder was made for it").path()
    }

    /// The provider that was started for it.
    pub fn upstream(&self) -> &Upstream {
        self.upstream.as_ref().expect("a provider was started for it")
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
        self.get_as(path, None).await
    }

    /// The same by a client with a token.
    pub async fn get_as(&self, path: &str, token: Option<&str>) -> HttpReply {
        self.ask("GET", path, token, "text/plain", Body::empty()).await
    }

    /// What is read of a run below its address without a token.
    pub async fn of_run(&self, run: &RunId, rest: &str) -> HttpReply {
        self.get(&format!("/api/runs/{run}{rest}")).await
    }

    /// Reads an address with these headers.
    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> HttpReply {
        let mut request = Request::get(path).header("host", "localhost:8080");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).expect("a sound request")).await
    }

    /// A page as a browser opens it.
    pub async fn page(&self, path: &str) -> HttpReply {
        self.get_with(path, &[("accept", "text/html")]).await
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
        self.open(&OpenRun { episodes, ..opening(spec) }).await.json()
    }

    /// Opens a run, or is refused.
    pub async fn open(&self, wanted: &impl serde::Serialize) -> HttpReply {
        self.post("/api/runs", None, wanted).await
    }

    /// Makes a call as a script does.
    pub async fn call(&self, request: &CallRequest) -> CallAnswer {
        self.post("/api/call", None, request).await.json()
    }
}

/// Lets a player sit in a seat, with no sampling of its own.
pub fn sit(seats: &mut Lineup, seat: &str, player: &str) {
    let player = player.parse().expect("a player");
    seats.insert(seat.into(), Sitting { player, sampling: Default::default() });
}

/// Puts another player into a seat; the sampling stays.
pub fn replace(seats: &mut Lineup, seat: &str, player: &str) {
    let sitting = seats.get_mut(&seat.into()).expect("it is taken");
    sitting.player = player.parse().expect("a player");
}

/// What is sent to open a run of one episode.
pub fn opening(spec: &Spec) -> OpenRun {
    OpenRun {
        tags: Vec::new(),
        caps: Default::default(),
        spec: spec.clone(),
        title: "a trial".into(),
        episodes: 1,
        regrades: None,
        branch_of: None,
        parent_token: None,
        visibility: Default::default(),
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
pub async fn service(answers: Vec<Canned>) -> Service {
    service_with(answers, "").await
}

/// The same with further lines of the configuration.
pub async fn service_with(answers: impl IntoIterator<Item = Canned>, more: &str) -> Service {
    let upstream = Upstream::start(answers).await;
    let service = Service::at(&upstream.base_url(), more).await;
    Service { upstream: Some(upstream), ..service }
}

/// A service with these environment variables and nothing else.
pub async fn with(variables: &[(&str, &str)]) -> Service {
    Service::in_a_folder(|folder| load(folder, &environment(folder, variables))).await
}

/// A run over the first sample tasks: the model `up/m` plays, bots do the rest.
pub fn trial_spec(tasks: u32) -> Spec {
    let mut spec = Spec {
        tasks: Named::from(&example(QUESTIONS).samples()),
        search: local(),
        budget: Budget { calls: 100, ..Budget::default() },
        ..default_spec(example(QUESTIONS))
    };
    spec.subset.first = Some(tasks);
    spec.seats.clear();
    for (seat, player) in
        [("player", "model:up/m"), ("responder", "bot:lexical"), ("grader", "bot:exact")]
    {
        sit(&mut spec.seats, seat, player);
    }
    spec.seats.get_mut(&"player".into()).expect("it sits").sampling.temperature = Some(0.6);
    spec
}

/// Five results of the index of the sample documents.
pub fn local() -> Option<SearchSpec> {
    Some(SearchSpec { engine: "local".into(), corpus: None, results: 5 })
}

/// A run as a browser plans it.
pub fn planned(spec: &Spec) -> Run {
    planned_over(spec, example(QUESTIONS).samples())
}

/// The same over other tasks.
pub fn planned_over(spec: &Spec, tasks: TaskSet) -> Run {
    Run::new(ingredients(spec, tasks)).expect("it can be planned")
}

/// What such a run is planned of: the prompts of the benchmark, and four calls at once.
pub fn ingredients(spec: &Spec, tasks: TaskSet) -> Ingredients {
    let benchmark = registry::find(&spec.benchmark).expect("it is registered");
    Ingredients {
        benchmark,
        spec: spec.clone(),
        tasks,
        pack: benchmark.pack(),
        recordings: Default::default(),
        limits: Limits::new(4),
    }
}

/// The same with another prompt pack, which the spec names.
pub fn planned_with(spec: &Spec, pack: Pack) -> Run {
    let usual = ingredients(spec, example(QUESTIONS).samples());
    Run::new(Ingredients { pack, ..usual }).expect("it can be planned")
}

/// A service whose web app is this page.
pub async fn with_page(html: &str) -> Service {
    Service::in_a_folder(|folder| {
        let web = folder.join("web");
        std::fs::create_dir(&web).expect("it is made");
        std::fs::write(web.join("index.html"), html).expect("it writes");
        load(folder, &environment(folder, &[("TURNWISE_WEB_DIR", &web.to_string_lossy())]))
    })
    .await
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
