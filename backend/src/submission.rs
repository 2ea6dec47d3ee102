//! Bringing a run to another server: its transcripts go there in pieces over the same routes that a page uses, and what broke off
//! goes on from what the server has. Then the server is asked to publish it, and says what it found.
//!
//! Receipts do not travel: they are the word of the server that made the calls, and name its run. So a run that was made
//! elsewhere can be replayed and computed anew, and is self-reported unless everything in it can be recomputed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::header::{LOCATION, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, redirect};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::publishing::{Admission, Refusal};
use turnwise_shared::wire::{
    ApiError, EpisodeHead, Epoch, OpenRun, Opened, PieceHead, PieceStored, RunId, RunInfo,
    RunState, SetState,
};

use crate::private_file;
use crate::run_folder::{self, FolderError};
use crate::secret::Secret;

/// What is remembered in the folder of a run that was brought somewhere, so that it goes on there.
pub const FILE: &str = "submission.json";

/// The most bytes of one request: what a server takes, less room for heads.
const PIECE: usize = 900_000;

/// The most bytes of an answer: the heads of a large run.
const LARGEST: usize = 64_000_000;

/// How long an answer may take; a large run is checked for minutes.
const PATIENCE: Duration = Duration::from_secs(1800);

/// How long one request is sent again while the server asks for fewer.
const HELD_UP: Duration = Duration::from_secs(600);

/// A server on the network.
#[derive(Debug, Clone)]
pub struct Server {
    base: Url,
    client: Client,
    access: Option<Secret>,
}

/// A run could not be brought there.
#[derive(Debug, thiserror::Error)]
pub enum CannotSubmit {
    /// The address is none.
    #[error("{0:?} is no address of a server; write one like http://127.0.0.1:8080")]
    Address(String),
    /// The server cannot be reached, or says what nobody understands.
    #[error("the server at {server} cannot be asked: {error}")]
    Network {
        /// Its address.
        server: String,
        /// Why.
        error: reqwest::Error,
    },
    /// The server sends whoever asks it to another address.
    #[error(
        "the server at {server} redirects to {to}. Keys are not sent to another address than the one that was named: if you \
         trust the new one, name it with --to (or --from)"
    )]
    Moved {
        /// Its address.
        server: String,
        /// Where it says it is.
        to: String,
    },
    /// The server refuses it.
    #[error("{}{}", .0.message, .0.mend.as_deref().map(|mend| format!(" {mend}")).unwrap_or_default())]
    Refused(ApiError),
    /// The run was checked and is not what it says.
    #[error("{}{}", .0.error.message, .0.error.mend.as_deref().map(|mend| format!(" {mend}")).unwrap_or_default())]
    Wrong(Box<Refusal>),
    /// A file cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file cannot be read or written.
    #[error("{file}: {error}")]
    File {
        /// Which.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// The folder holds no run.
    #[error("{0} holds no run: it has no run.json")]
    NoRun(String),
    /// A line is too long for any request.
    #[error("{0} has a line that is longer than a request may be")]
    LongLine(EpisodeKey),
}

/// Where a run comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The folder of a run.
    Folder(PathBuf),
    /// A run of another server.
    Run {
        /// Where.
        server: Server,
        /// Which.
        run: RunId,
    },
}

/// What is remembered of a run that was brought somewhere.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Remembered {
    server: String,
    run: RunId,
    token: String,
}

impl Server {
    /// A server by its address; with the operator's access token where it wants one.
    ///
    /// # Errors
    /// If that is no address.
    pub fn at(address: &str, access: Option<Secret>) -> Result<Self, CannotSubmit> {
        let bad = || CannotSubmit::Address(address.to_owned());
        let base = Url::parse(address).map_err(|_| bad())?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(bad());
        }
        let client = Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .timeout(PATIENCE)
            // Keys and tokens go to the server that was named and to no other.
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|_| bad())?;
        Ok(Server {
            base,
            client,
            access,
        })
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }

    async fn send(
        &self,
        request: RequestBuilder,
        token: Option<&str>,
    ) -> Result<(StatusCode, String), CannotSubmit> {
        let network = |error| CannotSubmit::Network {
            server: self.base.origin().ascii_serialization(),
            error,
        };
        let token = token.or(self.access.as_ref().map(Secret::open));
        let mut request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let mut held_up = Duration::ZERO;
        let mut answer = loop {
            let again = request.try_clone();
            let answer = request.send().await.map_err(network)?;
            match (again, wait(&answer)) {
                // A server that asks for fewer requests has done nothing with this one.
                (Some(again), Some(wait)) if held_up + wait <= HELD_UP => {
                    tokio::time::sleep(wait).await;
                    held_up += wait;
                    request = again;
                }
                _ => break answer,
            }
        };
        let status = answer.status();
        if status.is_redirection() {
            return Err(self.moved(&answer));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(network)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LARGEST {
                return Err(CannotSubmit::Refused(strange(status)));
            }
        }
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Where a server sends those who ask it: the new address of the whole server, if the answer names one.
    fn moved(&self, answer: &Response) -> CannotSubmit {
        let asked = answer.url();
        let named = answer.headers().get(LOCATION);
        let target = named
            .and_then(|location| location.to_str().ok())
            .and_then(|location| asked.join(location).ok());
        let to = match target {
            // Of the same page at another place the place is what matters.
            Some(target) if target.path() == asked.path() && target.has_host() => {
                target.origin().ascii_serialization()
            }
            Some(target) => target.to_string(),
            None => "an address that it does not name".to_owned(),
        };
        CannotSubmit::Moved {
            server: self.base.origin().ascii_serialization(),
            to,
        }
    }

    async fn read<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        token: Option<&str>,
    ) -> Result<T, CannotSubmit> {
        let (status, text) = self.send(request, token).await?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|_| CannotSubmit::Refused(strange(status)));
        }
        Err(CannotSubmit::Refused(
            serde_json::from_str(&text).unwrap_or_else(|_| strange(status)),
        ))
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, CannotSubmit> {
        self.read(self.client.get(self.url(path)), None).await
    }
}

/// How long a server wants to be left alone, if it asks for that: too many requests came, or it has no room for this one now.
fn wait(answer: &Response) -> Option<Duration> {
    let asks = [
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::SERVICE_UNAVAILABLE,
    ];
    if !asks.contains(&answer.status()) {
        return None;
    }
    let seconds = answer.headers().get(RETRY_AFTER)?.to_str().ok()?;
    seconds.parse().ok().map(Duration::from_secs)
}

fn strange(status: StatusCode) -> ApiError {
    ApiError {
        code: "unexpected".to_owned(),
        message: format!("The server answers with status {status}, and not as Turnwise does."),
        mend: None,
    }
}

/// What happened on the way, for whoever watches.
pub enum Step<'a> {
    /// The run was opened there, or is there from before.
    Opened(&'a RunId),
    /// So many of so many transcripts are there.
    Sent(usize, usize),
    /// The server checks it.
    Checking,
}

/// Brings a run to a server and publishes it there. Without a new beginning it goes on where it broke off.
///
/// # Errors
/// [`CannotSubmit`]
pub async fn submit(
    source: &Source,
    to: &Server,
    owner: Option<&Secret>,
    mut watch: impl FnMut(Step<'_>),
) -> Result<Admission, CannotSubmit> {
    let run = match source.remembered(to)? {
        Some(run) => run,
        None => source.open(to, owner).await?,
    };
    watch(Step::Opened(&run.run));
    let there: Vec<EpisodeHead> = to.get(&format!("/api/runs/{}/episodes", run.run)).await?;
    let there: BTreeMap<EpisodeKey, u64> = there
        .into_iter()
        .map(|head| (head.episode, head.lines))
        .collect();
    let episodes = source.episodes().await?;
    for (at, episode) in episodes.iter().enumerate() {
        let text = source.text(episode).await?;
        let from = there.get(episode).copied().unwrap_or(0);
        send_lines(to, &run, episode, from, &text).await?;
        watch(Step::Sent(at + 1, episodes.len()));
    }
    watch(Step::Checking);
    let request = to
        .client
        .post(to.url(&format!("/api/runs/{}/publish", run.run)));
    let (status, text) = to.send(request, Some(&run.token)).await?;
    if status.is_success() {
        let admission =
            serde_json::from_str(&text).map_err(|_| CannotSubmit::Refused(strange(status)))?;
        close(to, &run).await?;
        return Ok(admission);
    }
    Err(match serde_json::from_str::<Refusal>(&text) {
        Ok(refusal) => CannotSubmit::Wrong(Box::new(refusal)),
        Err(_) => CannotSubmit::Refused(strange(status)),
    })
}

/// Says that nothing more comes: whoever reads the run sees that it is complete.
async fn close(to: &Server, run: &Remembered) -> Result<(), CannotSubmit> {
    let wanted = SetState {
        state: RunState::Closed,
        epoch: Epoch::default(),
    };
    let request = to
        .client
        .post(to.url(&format!("/api/runs/{}/state", run.run)))
        .json(&wanted);
    let _: RunInfo = to.read(request, Some(&run.token)).await?;
    Ok(())
}

async fn send_lines(
    to: &Server,
    run: &Remembered,
    episode: &EpisodeKey,
    from: u64,
    text: &str,
) -> Result<(), CannotSubmit> {
    let skip = usize::try_from(from).unwrap_or(usize::MAX);
    let mut lines = text.lines().skip(skip).peekable();
    let mut from = from;
    while lines.peek().is_some() {
        let (mut piece, mut count) = (String::new(), 0_u64);
        while let Some(line) = lines.next_if(|line| piece.len() + line.len() < PIECE) {
            piece.push_str(line);
            piece.push('\n');
            count += 1;
        }
        if count == 0 {
            return Err(CannotSubmit::LongLine(episode.clone()));
        }
        let head = PieceHead {
            episode: episode.clone(),
            from,
            lines: count,
        };
        let head = serde_json::to_string(&head).expect("a head is plain data");
        let request = to
            .client
            .post(to.url(&format!("/api/runs/{}/lines", run.run)))
            .header("content-type", "application/x-ndjson")
            .body(format!("{head}\n{piece}"));
        let stored: Vec<PieceStored> = to.read(request, Some(&run.token)).await?;
        if let Some(PieceStored::Refused { error }) = stored.into_iter().next() {
            return Err(CannotSubmit::Refused(error));
        }
        from += count;
    }
    Ok(())
}

impl Source {
    /// The run as it is there from before.
    fn remembered(&self, to: &Server) -> Result<Option<Remembered>, CannotSubmit> {
        let Source::Folder(folder) = self else {
            return Ok(None);
        };
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file(&path, error)),
        };
        let remembered: Option<Remembered> = serde_json::from_str(&text).ok();
        Ok(remembered.filter(|remembered| remembered.server == to.base.as_str()))
    }

    async fn open(&self, to: &Server, owner: Option<&Secret>) -> Result<Remembered, CannotSubmit> {
        let (spec, title) = self.spec().await?;
        let plays = self.episodes().await?;
        let plays = plays
            .iter()
            .filter(|episode| episode.part() == PartKey::Play)
            .count();
        let wanted = OpenRun {
            caps: Default::default(),
            spec,
            title,
            episodes: u32::try_from(plays).unwrap_or(u32::MAX),
            regrades: None,
            branch_of: None,
            parent_token: None,
            visibility: turnwise_shared::wire::sharing::Visibility::default(),
        };
        let mut request = to.client.post(to.url("/api/runs")).json(&wanted);
        if let Some(owner) = owner {
            request = request.header("turnwise-owner-key", owner.open());
        }
        let Opened { run, token } = to.read(request, None).await?;
        let remembered = Remembered {
            server: to.base.to_string(),
            run,
            token,
        };
        if let Source::Folder(folder) = self {
            remember(&folder.join(FILE), &remembered)?;
        }
        Ok(remembered)
    }

    async fn spec(&self) -> Result<(Spec, String), CannotSubmit> {
        match self {
            Source::Folder(folder) => {
                let run = run_folder::run_file(folder)?;
                let run = run.ok_or_else(|| CannotSubmit::NoRun(folder.display().to_string()))?;
                Ok((run.spec, run.title))
            }
            Source::Run { server, run } => {
                let info: RunInfo = server.get(&format!("/api/runs/{run}")).await?;
                Ok((info.spec, info.title))
            }
        }
    }

    /// Plays first.
    async fn episodes(&self) -> Result<Vec<EpisodeKey>, CannotSubmit> {
        let mut episodes: Vec<EpisodeKey> = match self {
            Source::Folder(folder) => run_folder::transcript_files(folder)?
                .iter()
                .filter_map(|path| path.file_stem()?.to_str()?.parse().ok())
                .collect(),
            Source::Run { server, run } => {
                let heads: Vec<EpisodeHead> =
                    server.get(&format!("/api/runs/{run}/episodes")).await?;
                heads.into_iter().map(|head| head.episode).collect()
            }
        };
        episodes.sort_by_key(|episode| episode.part() == PartKey::Grading);
        Ok(episodes)
    }

    async fn text(&self, episode: &EpisodeKey) -> Result<String, CannotSubmit> {
        match self {
            Source::Folder(folder) => {
                let path = folder.join(episode.file_name());
                std::fs::read_to_string(&path).map_err(|error| file(&path, error))
            }
            Source::Run { server, run } => {
                let path = format!("/api/runs/{run}/episodes/{episode}");
                let (status, text) = server
                    .send(server.client.get(server.url(&path)), None)
                    .await?;
                match status.is_success() {
                    true => Ok(text),
                    false => Err(CannotSubmit::Refused(
                        serde_json::from_str(&text).unwrap_or_else(|_| strange(status)),
                    )),
                }
            }
        }
    }
}

/// With the token in it the file is for its user alone.
fn remember(path: &Path, remembered: &Remembered) -> Result<(), CannotSubmit> {
    use std::io::Write as _;
    // One that was left by a submission to another server.
    let _ = std::fs::remove_file(path);
    private_file::create(path)
        .and_then(|mut to| to.write_all(&run_folder::pretty(remembered)))
        .map_err(|error| file(path, error))
}

fn file(path: &Path, error: std::io::Error) -> CannotSubmit {
    CannotSubmit::File {
        file: path.display().to_string(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::extract::State;
    use axum::routing::post;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

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
            (
                302,
                format!("{other}/elsewhere?a=b"),
                format!("{other}/elsewhere?a=b"),
            ),
            (303, format!("{other}/api/runs"), other.clone()),
            (
                307,
                other.replacen("http:", "", 1) + "/api/runs",
                other.clone(),
            ),
            (308, format!("{other}/api/runs"), other.clone()),
            (
                308,
                "http://[".to_owned(),
                "an address that it does not name".to_owned(),
            ),
        ] {
            let status = StatusCode::from_u16(status).expect("a status");
            let answer = move || {
                let location = location.clone();
                async move { (status, [("location", location)]) }
            };
            let address = listening(Router::new().fallback(answer)).await;
            let to = Server::at(&address, Some(Secret::new("access"))).expect("an address");
            let from = Source::Run {
                server: to.clone(),
                run: RunId::new([1; 16]),
            };
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
            assert!(
                said.contains(&format!("{address} redirects to {told}.")),
                "{said}"
            );
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
        let app = Router::new()
            .route("/", post(answer))
            .with_state(Arc::clone(&asked));
        let address = listening(app).await;
        let server = Server::at(&address, None).expect("an address");
        let request = server.client.post(server.url("/")).body("some lines");
        let told: String = server.read(request, None).await.expect("it answers");
        assert_eq!(told, "some lines");
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}
