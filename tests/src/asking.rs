//! Asks a running server over HTTP, as a script would.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Client, Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use turnwise_backend::services::reach::builder;
use turnwise_shared::prelude::*;
use turnwise_shared::transcript;
use turnwise_shared::wire::Opened;

use crate::server::{At, Log, read};

/// How long one request may take.
const REQUEST_LIMIT: Duration = Duration::from_secs(60);

/// How long a run may take. Even the largest takes a part of it on two idle cores.
const RUN_LIMIT: Duration = Duration::from_secs(240);

/// Between two looks at a run that is waited for.
const LOOK: Duration = Duration::from_millis(200);

/// What came back for a request.
#[derive(Debug)]
pub struct HttpReply {
    pub status: StatusCode,
    /// Path, status, headers and body: all that a client could be shown.
    pub all: String,
    pub body: String,
}

impl HttpReply {
    /// The body of a success.
    ///
    /// # Panics
    /// If it is none, or no such JSON.
    pub fn json<T: DeserializeOwned>(&self) -> T {
        assert!(self.status.is_success(), "{}", self.all);
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.all))
    }
}

/// A client of a server.
pub struct Asking {
    home: String,
    log: Log,
    client: Client,
}

impl Asking {
    /// Asks this server.
    ///
    /// # Panics
    /// If this machine cannot make a client.
    pub fn new(server: &impl At) -> Self {
        let client = builder().no_proxy().timeout(REQUEST_LIMIT).build().expect("a client");
        Asking { home: server.url(""), log: server.shared_log(), client }
    }

    /// Sends a request. A body that is a JSON string is sent as plain text, null not at all, anything else as JSON.
    ///
    /// # Errors
    /// If no answer comes.
    pub async fn try_to_ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> Result<HttpReply, reqwest::Error> {
        let mut request = self.client.request(method, format!("{}{path}", self.home));
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
        Ok(HttpReply { status, all: format!("{path} {status} {headers:?}\n{body}"), body })
    }

    /// The same, of a server that must answer.
    ///
    /// # Panics
    /// If no answer comes.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> HttpReply {
        self.try_to_ask(method, path, token, body)
            .await
            .unwrap_or_else(|error| panic!("{path}: {error}\n{}", read(&self.log)))
    }

    /// `GET`
    pub async fn get(&self, path: &str) -> HttpReply {
        self.ask(Method::GET, path, None, &Value::Null).await
    }

    /// `POST` of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> HttpReply {
        self.ask(Method::POST, path, None, body).await
    }

    /// The JSON under an address.
    pub async fn json<T: DeserializeOwned>(&self, path: &str) -> T {
        self.get(path).await.json()
    }

    pub async fn open(&self, spec: &Spec, episodes: u32) -> Opened {
        let wanted = json!({ "spec": spec, "title": "a trial", "episodes": episodes });
        self.post("/api/runs", &wanted).await.json()
    }

    /// Stores lines of a transcript.
    ///
    /// # Panics
    /// If the server refuses them.
    pub async fn keep(&self, opened: &Opened, episode: &EpisodeKey, from: u64, lines: &[String]) {
        let path = format!("/api/runs/{}/episodes/{episode}?from={from}", opened.run);
        let body = Value::String(crate::file(lines));
        let came = self.ask(Method::PUT, &path, Some(&opened.token), &body).await;
        assert!(came.status.is_success(), "{}", came.all);
    }

    /// Waits until a run is there, and as it should be.
    ///
    /// # Panics
    /// After four minutes, with what the server printed.
    pub async fn wait(&self, run: &str, what: &str, is_so: impl Fn(&RunInfo) -> bool) -> RunInfo {
        let began = Instant::now();
        loop {
            let came = self.get(&format!("/api/runs/{run}")).await;
            let is_there = came.status != StatusCode::NOT_FOUND;
            let info = is_there.then(|| came.json::<RunInfo>());
            if let Some(info) = info.filter(|info| is_so(info)) {
                return info;
            }
            assert!(
                began.elapsed() < RUN_LIMIT,
                "{what}: not within {RUN_LIMIT:?}; {}\n{}",
                came.body,
                read(&self.log)
            );
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until a run is closed.
    ///
    /// # Panics
    /// After four minutes, with what the server printed.
    pub async fn closed(&self, run: &str) -> RunInfo {
        self.wait(run, "the end", |info| info.state == RunState::Closed).await
    }

    /// What is known of a run.
    pub async fn info(&self, run: &str) -> RunInfo {
        self.json(&format!("/api/runs/{run}")).await
    }

    /// The episodes of a run and their gradings.
    pub async fn episodes(&self, run: &str) -> Vec<EpisodeHead> {
        self.json(&format!("/api/runs/{run}/episodes")).await
    }

    /// The first episode of a run.
    pub async fn first_play(&self, run: &str) -> EpisodeKey {
        self.episodes(run).await[0].episode.its_play()
    }

    /// What was played in an episode.
    pub async fn played(&self, run: &str, episode: &EpisodeKey) -> Transcript {
        transcript::read(&self.transcript(run, episode).await).expect("a sound transcript")
    }

    /// The stored transcript of an episode.
    pub async fn transcript(&self, run: &str, episode: &EpisodeKey) -> String {
        let came = self.get(&format!("/api/runs/{run}/episodes/{episode}")).await;
        assert!(came.status.is_success(), "{}", came.all);
        came.body
    }

    /// The stored transcripts of a run by file name, and written into a folder as the command line writes them.
    ///
    /// # Panics
    /// If one cannot be had or written.
    pub async fn fetch(&self, run: &str, folder: &Path) -> BTreeMap<String, String> {
        std::fs::create_dir_all(folder).expect("a folder can be made");
        let heads: Vec<EpisodeHead> = self.json(&format!("/api/runs/{run}/episodes")).await;
        let mut texts = BTreeMap::new();
        for head in heads {
            let text = self.transcript(run, &head.episode).await;
            let name = head.episode.file_name();
            std::fs::write(folder.join(&name), &text).expect("a transcript can be written");
            texts.insert(name, text);
        }
        texts
    }
}
