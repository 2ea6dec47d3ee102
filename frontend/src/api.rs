//! The one door to the server: HTTP and sockets, typed by `shared::wire`. No other file names gloo-net. Live tables are in
//! [`live`].

pub mod driving;
mod early;
pub mod live;
pub mod publishing;
pub mod sharing;
mod slices;

use std::collections::BTreeMap;

use futures::channel::mpsc;
use futures::stream::LocalBoxStream;
use futures::{SinkExt as _, StreamExt as _};
use gloo_net::http::{Request, RequestBuilder, Response};
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, WebSocketError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnwise_shared::board::View;
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::metrics::report::Report;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::seat::Seat;
use turnwise_shared::wire::boards::{Board, BoardHead};
use turnwise_shared::wire::budgets::{Budget, SetCaps};
use turnwise_shared::wire::driving::{DRIVEN_ELSEWHERE, OVERTAKEN};
use turnwise_shared::wire::thinking::Thought;
use turnwise_shared::wire::{
    About, ApiError, CallTiming, EpisodeHead, Epoch, Found, Frame, OpenRun, Opened, PieceHead,
    PieceStored, Probe, Probed, RunId, RunInfo, TaskSetInfo,
};

use crate::address;
use crate::clock;
use crate::keep;
use crate::owner;
use crate::strings;
use slices::Entries;

/// The code of the error that says that the server could not be reached at all; trying again later makes sense.
pub const UNREACHABLE: &str = "unreachable";

/// Milliseconds of reading an answer after which the browser has its turn.
const TURN: f64 = 10.0;

/// An error in the service's shape, made here.
pub fn error(code: &str, message: impl Into<String>) -> ApiError {
    ApiError {
        code: code.to_owned(),
        message: message.into(),
        mend: None,
    }
}

/// What the server offers.
///
/// # Errors
/// See [`ApiError`].
pub async fn about() -> Result<About, ApiError> {
    get("/api/about").await
}

/// Runs that the server has, newest first: so many, opened before a time in milliseconds since 1970 if one is given.
///
/// # Errors
/// See [`ApiError`].
pub async fn runs(before: Option<u64>, limit: u32) -> Result<Vec<RunInfo>, ApiError> {
    let before = before.map(|before| format!("&before={before}"));
    get(&format!(
        "/api/runs?limit={limit}{}",
        before.unwrap_or_default()
    ))
    .await
}

/// The leaderboards, and what papers printed.
///
/// # Errors
/// See [`ApiError`].
pub async fn boards() -> Result<Vec<BoardHead>, ApiError> {
    get("/api/boards").await
}

/// A leaderboard as a view shows it.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has no such board.
pub async fn board(id: &str, view: &View) -> Result<Board, ApiError> {
    let id = address::escape(id);
    let query = address::encode(&view.parts());
    get(&format!("/api/boards/{id}?{query}")).await
}

/// What services ask, under the names that endpoints and engines have at this server.
///
/// # Errors
/// See [`ApiError`].
pub async fn prices() -> Result<PriceBook, ApiError> {
    get("/api/prices").await
}

/// The head of a run.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has no such run.
pub async fn run(id: &RunId) -> Result<RunInfo, ApiError> {
    get(&format!("/api/runs/{id}")).await
}

/// The plays of a run in a few numbers each, recomputed by the server, by the play's key.
///
/// # Errors
/// See [`ApiError`].
pub async fn summaries(id: &RunId) -> Result<BTreeMap<EpisodeKey, Summary>, ApiError> {
    let answer = ask(&format!("/api/runs/{id}/summaries")).await?;
    let bytes = answer.binary().await.map_err(|_| unreadable())?;
    let mut entries = Entries::of(bytes).map_err(|_| unreadable())?;
    let mut summaries = BTreeMap::new();
    let mut since = clock::now();
    while let Some((play, summary)) = entries.entry().map_err(|_| unreadable())? {
        summaries.insert(play, summary);
        if clock::now() - since > TURN {
            clock::breathe().await;
            since = clock::now();
        }
    }
    Ok(summaries)
}

/// The numbers of a run, computed by the server.
///
/// # Errors
/// See [`ApiError`].
pub async fn report(id: &RunId) -> Result<Report, ApiError> {
    get(&format!("/api/runs/{id}/report")).await
}

/// What the server has of a run's transcripts.
///
/// # Errors
/// See [`ApiError`].
pub async fn episodes(id: &RunId) -> Result<Vec<EpisodeHead>, ApiError> {
    get(&format!("/api/runs/{id}/episodes")).await
}

/// A transcript as the server has it.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has none of it.
pub async fn transcript(id: &RunId, episode: &EpisodeKey) -> Result<String, ApiError> {
    let answer = ask(&episode_path(id, episode)).await?;
    answer.text().await.map_err(|_| unreadable())
}

/// What the calls of an episode took, as far as the server made them.
///
/// # Errors
/// See [`ApiError`].
pub async fn timing(id: &RunId, episode: &EpisodeKey) -> Result<Vec<CallTiming>, ApiError> {
    get(&format!("/api/runs/{id}/timing?episode={episode}")).await
}

/// What the calls of a whole run took.
///
/// # Errors
/// See [`ApiError`].
pub async fn timings(id: &RunId) -> Result<Vec<CallTiming>, ApiError> {
    get(&format!("/api/runs/{id}/timing")).await
}

/// How long the calls of each seat took, in milliseconds, as far as the server made them.
///
/// # Errors
/// See [`ApiError`].
pub async fn times(id: &RunId) -> Result<BTreeMap<Seat, Vec<f64>>, ApiError> {
    get(&format!("/api/runs/{id}/times")).await
}

/// Tells how long people thought.
///
/// # Errors
/// See [`ApiError`].
pub async fn thought(id: &RunId, token: &str, thoughts: &[Thought]) -> Result<(), ApiError> {
    let request = with_token(
        Request::post(&format!("/api/runs/{id}/thinking")),
        Some(token),
    );
    let request = request.json(&thoughts).map_err(|_| unsendable())?;
    sound(request.send().await).await.map(drop)
}

/// Where words occur in the transcripts of a run; excerpts of some plays from number `skip` on.
///
/// # Errors
/// See [`ApiError`].
pub async fn search(id: &RunId, words: &str, skip: usize) -> Result<Found, ApiError> {
    let query = address::encode(&[
        ("q".to_owned(), words.to_owned()),
        ("skip".to_owned(), skip.to_string()),
    ]);
    get(&format!("/api/runs/{id}/search?{query}")).await
}

/// The runs that grade the plays of a run again, oldest first.
///
/// # Errors
/// See [`ApiError`].
pub async fn regradings(id: &RunId) -> Result<Vec<RunInfo>, ApiError> {
    get(&format!("/api/runs/{id}/regradings")).await
}

/// Opens a run.
///
/// # Errors
/// See [`ApiError`].
pub async fn open_run(wanted: &OpenRun) -> Result<Opened, ApiError> {
    let request = match owner::key() {
        Some(key) => Request::post("/api/runs").header("Turnwise-Owner-Key", &key),
        None => Request::post("/api/runs"),
    };
    let request = with_token(request, None)
        .json(wanted)
        .map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

/// From what a run is paid, for whoever has its token.
///
/// # Errors
/// See [`ApiError`].
pub async fn budget(id: &RunId, token: &str) -> Result<Budget, ApiError> {
    let path = format!("/api/runs/{id}/budget");
    let request = with_token(Request::get(&path), Some(token));
    read(sound(request.send().await).await?).await
}

/// Gives a run other caps.
///
/// # Errors
/// See [`ApiError`].
pub async fn set_caps(id: &RunId, token: &str, wanted: &SetCaps) -> Result<Budget, ApiError> {
    post(&format!("/api/runs/{id}/caps"), wanted, Some(token)).await
}

/// Lines of one episode that should be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Which episode.
    pub episode: EpisodeKey,
    /// The number of the first line, from 0.
    pub from: u64,
    /// The lines, each with its line break.
    pub text: String,
}

/// Stores transcript lines of several episodes in the name of a lease; for each piece, in their order, what became of it.
///
/// # Errors
/// See [`ApiError`]; nothing is known about any of them then.
pub async fn store(
    id: &RunId,
    token: &str,
    epoch: Epoch,
    pieces: &[Piece],
) -> Result<Vec<PieceStored>, ApiError> {
    let mut body = String::new();
    for piece in pieces {
        let head = PieceHead {
            episode: piece.episode.clone(),
            from: piece.from,
            lines: piece.text.lines().count() as u64,
        };
        body.push_str(&json(&head));
        body.push('\n');
        body.push_str(&piece.text);
    }
    let path = format!("/api/runs/{id}/lines?epoch={epoch}");
    let request = with_token(Request::post(&path), Some(token))
        .header("Content-Type", "application/x-ndjson")
        .body(body)
        .map_err(|_| unsendable())?;
    let stored: Vec<PieceStored> = read(sound(request.send().await).await?).await?;
    // A piece that is not answered would wait for ever.
    match stored.len() == pieces.len() {
        true => Ok(stored),
        false => Err(unreadable()),
    }
}

/// Tries a provider or a search engine with one small call.
///
/// # Errors
/// See [`ApiError`]; a provider's failure is no error but a [`Probed`] whose reply failed.
pub async fn probe(wanted: &Probe) -> Result<Probed, ApiError> {
    post("/api/probe", wanted, None).await
}

/// A task set's file, as it lies on the server.
///
/// # Errors
/// See [`ApiError`].
pub async fn task_bytes(name: &str) -> Result<Vec<u8>, ApiError> {
    let answer = send(Request::get(&tasks_path(name)), None).await?;
    answer.binary().await.map_err(|_| unreadable())
}

/// Stores a task set's file on the server as it is; an encrypted one stays encrypted.
///
/// # Errors
/// See [`ApiError`].
pub async fn store_tasks(
    benchmark: &str,
    name: &str,
    bytes: &[u8],
) -> Result<TaskSetInfo, ApiError> {
    let query = address::encode(&[("benchmark".to_owned(), benchmark.to_owned())]);
    let path = format!("{}?{query}", tasks_path(name));
    let request = with_token(Request::put(&path), None)
        .header("Content-Type", "application/octet-stream")
        .body(js_sys::Uint8Array::from(bytes))
        .map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

fn tasks_path(name: &str) -> String {
    format!("/api/tasks/{}", address::escape(name).replace('/', "%2F"))
}

fn episode_path(id: &RunId, episode: &EpisodeKey) -> String {
    format!("/api/runs/{id}/episodes/{episode}")
}

async fn get<T: DeserializeOwned>(path: &str) -> Result<T, ApiError> {
    read(ask(path).await?).await
}

/// Gets what an address has; of a run that was made private here, with the run's token.
async fn ask(path: &str) -> Result<Response, ApiError> {
    let token = own_token(path).await.or_else(keep::access_token);
    if token.is_none()
        && let Some(answer) = early::answer(path).await
    {
        return sound(Ok(answer)).await;
    }
    send(Request::get(path), token.as_deref()).await
}

/// The token of the run that an address belongs to, if it was made private in this browser.
async fn own_token(path: &str) -> Option<String> {
    let run = path.strip_prefix("/api/runs/")?.split(['/', '?']).next()?;
    let run = run.parse().ok()?;
    if !keep::private_runs().contains(&run) {
        return None;
    }
    Some(keep::run(&run).await.ok()??.token)
}

async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
    token: Option<&str>,
) -> Result<T, ApiError> {
    let request = with_token(Request::post(path), token)
        .json(body)
        .map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

async fn send(request: RequestBuilder, token: Option<&str>) -> Result<Response, ApiError> {
    sound(with_token(request, token).send().await).await
}

/// A run's own token where a run is changed, else the operator's access token, if this browser was given one.
fn with_token(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token.map(str::to_owned).or_else(keep::access_token) {
        Some(token) => request.header("Authorization", &format!("Bearer {token}")),
        None => request,
    }
}

async fn sound(answer: Result<Response, gloo_net::Error>) -> Result<Response, ApiError> {
    let answer = answer.map_err(|_| ApiError {
        mend: Some("Check that the server runs, then try again.".to_owned()),
        ..error(UNREACHABLE, "The server cannot be reached.")
    })?;
    if answer.ok() {
        return Ok(answer);
    }
    let status = answer.status();
    Err(match answer.json::<ApiError>().await {
        // The server tells scripts where a token belongs; here a person has to type it.
        Ok(error) if status == 401 => ApiError {
            mend: Some(strings::TYPE_TOKEN.to_owned()),
            ..error
        },
        Ok(error) => error,
        Err(_) => error(
            "unexpected",
            format!("The server answered with status {status}."),
        ),
    })
}

async fn read<T: DeserializeOwned>(answer: Response) -> Result<T, ApiError> {
    answer.json().await.map_err(|_| unreadable())
}

fn unreadable() -> ApiError {
    ApiError {
        mend: Some("Load this page again: the server may be newer than the page.".to_owned()),
        ..error("unreadable", "The server's answer could not be read.")
    }
}

fn unsendable() -> ApiError {
    error("unsendable", "The request could not be built.")
}

/// An open socket, or one that is being opened.
pub struct Socket {
    /// Messages that are put in here go out: frames as [`json`], each on a line of its own. Dropping it closes the connection.
    pub outgoing: mpsc::UnboundedSender<String>,
    /// What comes in; it ends when the connection does.
    pub incoming: LocalBoxStream<'static, Heard>,
}

/// What came in over the socket.
pub enum Heard {
    /// The frames of a message.
    Frames(Vec<Frame>),
    /// The server ended the connection for good, and why: trying the same again cannot succeed.
    Refused(ApiError),
}

/// The codes with which the server refuses a page; others (it stops, the network is gone, nothing was said for long) pass.
const REFUSALS: [u16; 4] = [1009, 4400, 4401, 4429];

/// Opens the socket.
///
/// # Errors
/// If the browser cannot even try. A server that does not answer ends [`Socket::incoming`].
pub fn socket() -> Result<Socket, ApiError> {
    let (outgoing, arrivals) = connect("/api/socket", |message| message)?;
    let incoming = arrivals
        .filter_map(async |arrival| match arrival {
            // Frames of a newer server that cannot be read are passed over.
            Arrival::Text(text) => Some(Heard::Frames(
                text.lines()
                    .filter_map(|line| serde_json::from_str(line).ok())
                    .collect(),
            )),
            Arrival::Closed { code, reason } if code == OVERTAKEN => {
                Some(Heard::Refused(error(DRIVEN_ELSEWHERE, reason)))
            }
            Arrival::Closed { code, reason } if REFUSALS.contains(&code) => {
                let why = format!("The server ended the connection: {reason}.");
                Some(Heard::Refused(error("socket_refused", why)))
            }
            Arrival::Closed { .. } => None,
        })
        .boxed_local();
    Ok(Socket { outgoing, incoming })
}

/// What comes in over a WebSocket.
pub(crate) enum Arrival {
    /// A text frame.
    Text(String),
    /// The connection was ended, with the code and the reason of whoever ended it; the last that comes in.
    Closed {
        /// The code.
        code: u16,
        /// The reason, in words.
        reason: String,
    },
}

/// What goes out over a WebSocket, as JSON on one line.
pub fn json(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).expect("frames are plain data")
}

/// What is put in at one end goes out; what comes in comes out at the other.
type Connection<T> = (mpsc::UnboundedSender<T>, LocalBoxStream<'static, Arrival>);

/// Opens a WebSocket of this server; `write` makes a message of what is put in.
pub(crate) fn connect<T: 'static>(
    path: &str,
    write: impl Fn(T) -> String + 'static,
) -> Result<Connection<T>, ApiError> {
    let location = web_sys::window()
        .map(|window| window.location())
        .ok_or_else(|| error(UNREACHABLE, "This page has no address."))?;
    let scheme = match location.protocol().as_deref() {
        Ok("https:") => "wss",
        _ => "ws",
    };
    let host = location.host().unwrap_or_default();
    let socket = WebSocket::open(&format!("{scheme}://{host}{path}"))
        .map_err(|problem| error(UNREACHABLE, problem.to_string()))?;
    let (mut sink, stream) = socket.split();
    let (outgoing, mut frames) = mpsc::unbounded::<T>();
    leptos::task::spawn_local(async move {
        while let Some(frame) = frames.next().await {
            if sink.send(Message::Text(write(frame))).await.is_err() {
                // The connection is gone; the other half ends too and says so.
                break;
            }
        }
    });
    // Other errors are followed by the end.
    let incoming = stream
        .filter_map(async |message| match message {
            Ok(Message::Text(text)) => Some(Arrival::Text(text)),
            Err(WebSocketError::ConnectionClose(end)) => Some(Arrival::Closed {
                code: end.code,
                reason: end.reason,
            }),
            Ok(Message::Bytes(_)) | Err(_) => None,
        })
        .boxed_local();
    Ok((outgoing, incoming))
}
