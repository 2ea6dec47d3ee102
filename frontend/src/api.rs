//! The one door to the server: HTTP and sockets, typed by `shared::wire`. Nothing outside names gloo-net. Live tables are in
//! [`live`].

mod body;
pub mod driving;
mod early;
pub mod live;
pub mod publishing;
mod request;
pub mod sharing;
mod slices;
mod socket;

use body::Body;
use gloo_net::http::Request;
use request::{ask, get, post, read, send, sound, unreadable, unsendable, with_token};
use slices::{Entries, Next};
use turnwise_shared::archive::Content;
use turnwise_shared::leaderboard::View;
use turnwise_shared::wire::budgets::SetCaps;
use turnwise_shared::wire::naming::EditRun;
use turnwise_shared::wire::sealed::OpenedTasks;
use turnwise_shared::wire::thinking::Thought;
use turnwise_shared::wire::{
    Found, ListModels, Listed, ModelList, OpenRun, Opened, PieceHead, PieceStored, Probe, Probed,
    TaskSetInfo,
};

use crate::prelude::*;
use crate::stint::Stint;
use crate::view::{listed, query};

pub(crate) use socket::{Arrival, connect};
pub use socket::{Attempts, Heard, SOCKET_BLOCKED, Socket, json, socket};

/// The code of the error that says that the server could not be reached at all; trying again later makes sense.
pub const UNREACHABLE: &str = "unreachable";

/// The code of the error that says that an answer broke off, or is not of the shape that this page knows. What was asked for may have been
/// done.
pub const UNREADABLE: &str = "unreadable";

/// Whether the same request may succeed later by itself.
pub fn passes(problem: &ApiError) -> bool {
    matches!(
        problem.code.as_str(),
        UNREACHABLE | "too_many_requests" | "busy" | "internal" | "unexpected"
    )
}

/// An error in the service's shape, made here.
pub fn error(code: &str, message: impl Into<String>) -> ApiError {
    ApiError { code: code.to_owned(), message: message.into(), mend: None }
}

/// What the server offers.
///
/// # Errors
/// See [`ApiError`].
pub async fn about() -> Result<About, ApiError> {
    get("/api/about").await
}

/// Runs that the server has, newest first: at most `limit`, after a place in the list if one is given.
///
/// # Errors
/// See [`ApiError`].
pub async fn runs(before: Option<&Listed>, limit: u32) -> Result<Vec<RunInfo>, ApiError> {
    runs_like(&Filter::default(), before, limit).await
}

/// The same of those that a filter takes.
///
/// # Errors
/// See [`ApiError`].
pub async fn runs_like(
    filter: &Filter,
    before: Option<&Listed>,
    limit: u32,
) -> Result<Vec<RunInfo>, ApiError> {
    let mut query = listed::pairs(filter);
    query.push(("limit".to_owned(), limit.to_string()));
    query.extend(before.map(|before| ("before".to_owned(), before.to_string())));
    get(&format!("/api/runs?{}", query::encode(&query))).await
}

/// Gives a run another name or other tags, in the name of the holder of this token.
///
/// # Errors
/// See [`ApiError`].
pub async fn edit_run(id: &RunId, token: &str, wanted: &EditRun) -> Result<RunInfo, ApiError> {
    let request = with_token(Request::patch(&format!("/api/runs/{id}")), Some(token))
        .json(wanted)
        .map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

/// The bytes of a picture that a run's transcripts or tasks name; while it is played at a table, of one that the seat of a ticket
/// is shown.
///
/// # Errors
/// See [`ApiError`]; `unreadable` if the bytes are not those of the picture.
pub async fn picture(
    run: &RunId,
    picture: &PictureRef,
    ticket: Option<&str>,
) -> Result<Vec<u8>, ApiError> {
    let path = format!("/api/runs/{run}/pictures/{}", picture.digest);
    let answer = match ticket {
        Some(ticket) => send(Request::get(&path), Some(ticket)).await?,
        None => ask(&path).await?,
    };
    let png = answer.binary().await.map_err(|_| unreadable())?;
    picture.check(&png).map_err(|_| unreadable())?;
    Ok(png)
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
    let id = query::escape(id);
    let query = query::encode(&view.parts());
    get(&format!("/api/boards/{id}?{query}")).await
}

/// What services ask, under the names that endpoints and engines have at this server.
///
/// # Errors
/// See [`ApiError`].
pub async fn prices() -> Result<PriceBook, ApiError> {
    get("/api/prices").await
}

/// An archive that the server has.
///
/// # Errors
/// See [`ApiError`]; `not_found` if it has none of that digest.
pub async fn archive(digest: &Digest) -> Result<Content, ApiError> {
    get(&format!("/api/archives/{digest}")).await
}

/// What of a sampling a model is never sent, as far as the server knows: names of parameters as replies say them.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has no such provider.
pub async fn left_out(provider: &str, model: &str) -> Result<Vec<String>, ApiError> {
    let query = [("provider", provider), ("model", model)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    get(&format!("/api/left-out?{}", query::encode(&query))).await
}

/// The head of a run.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has no such run.
pub async fn run(id: &RunId) -> Result<RunInfo, ApiError> {
    get(&format!("/api/runs/{id}")).await
}

/// The episodes of a run in a few numbers each, recomputed by the server, by the episode's key.
///
/// # Errors
/// See [`ApiError`].
pub async fn summaries(id: &RunId) -> Result<BTreeMap<EpisodeKey, Arc<Summary>>, ApiError> {
    let answer = ask(&format!("/api/runs/{id}/summaries")).await?;
    let mut body = Body::of(&answer).ok_or_else(unreadable)?;
    let mut entries = Entries::default();
    let mut summaries = BTreeMap::new();
    let mut stint = Stint::begin();
    loop {
        match entries.next().map_err(|_| unreadable())? {
            Next::Entry(play, summary) => {
                summaries.insert(play, Arc::new(summary));
                stint.breathe_if_over().await;
            }
            Next::NotHere => {
                let piece = body.piece().await.ok_or_else(unreadable)?;
                entries.feed(&piece);
            }
            Next::End => break,
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

/// The same with how long the seats took; the server reads every transcript for it.
///
/// # Errors
/// See [`ApiError`].
pub async fn report_with_times(id: &RunId) -> Result<Report, ApiError> {
    get(&format!("/api/runs/{id}/report?with=times")).await
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

/// An episode in a few numbers, as the server computed them; `None` before it has.
///
/// # Errors
/// See [`ApiError`].
pub async fn summary(id: &RunId, play: &EpisodeKey) -> Result<Option<Summary>, ApiError> {
    get(&format!("{}/summary", episode_path(id, play))).await
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
    let request = with_token(Request::post(&format!("/api/runs/{id}/thinking")), Some(token));
    let request = request.json(&thoughts).map_err(|_| unsendable())?;
    sound(request.send().await).await.map(drop)
}

/// Where words occur in the transcripts of a run; excerpts of some episodes from number `skip` on.
///
/// # Errors
/// See [`ApiError`].
pub async fn search(id: &RunId, words: &str, skip: usize) -> Result<Found, ApiError> {
    let query =
        query::encode(&[("q".to_owned(), words.to_owned()), ("skip".to_owned(), skip.to_string())]);
    get(&format!("/api/runs/{id}/search?{query}")).await
}

/// The runs that grade the episodes of a run again, oldest first; its owner also gets those that are unlisted.
///
/// # Errors
/// See [`ApiError`].
pub async fn regradings(id: &RunId) -> Result<Vec<RunInfo>, ApiError> {
    request::get_as_owner(id, &format!("/api/runs/{id}/regradings")).await
}

/// Opens a run.
///
/// # Errors
/// See [`ApiError`].
pub async fn open_run(wanted: &OpenRun) -> Result<Opened, ApiError> {
    request::open("/api/runs", wanted).await
}

/// The budgets that pay for a run, for the holder of its token.
///
/// # Errors
/// See [`ApiError`].
pub async fn budget(id: &RunId, token: &str) -> Result<RunBudgets, ApiError> {
    let path = format!("/api/runs/{id}/budget");
    let request = with_token(Request::get(&path), Some(token));
    read(sound(request.send().await).await?).await
}

/// Gives a run other caps.
///
/// # Errors
/// See [`ApiError`].
pub async fn set_caps(id: &RunId, token: &str, wanted: &SetCaps) -> Result<RunBudgets, ApiError> {
    post(&format!("/api/runs/{id}/caps"), wanted, Some(token)).await
}

/// Lines of one episode that should be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub episode: EpisodeKey,
    /// The number of the first line, from 0.
    pub from: u64,
    /// The lines, each with its line break.
    pub text: String,
}

impl Piece {
    /// Bytes of a request beside the lines of a piece, about.
    pub const HEAD: usize = 200;

    /// The bytes that it takes in a request, about.
    pub fn bytes(&self) -> usize {
        Piece::HEAD + self.text.len()
    }
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

/// Which models a service lists.
///
/// # Errors
/// See [`ApiError`]; that a service did not answer is no error but [`ModelList::Failed`].
pub async fn models(provider: &str) -> Result<ModelList, ApiError> {
    let provider = provider.to_owned();
    post("/api/models", &ListModels { provider }, None).await
}

/// A task set's file, as it lies on the server.
///
/// # Errors
/// See [`ApiError`].
pub async fn task_bytes(name: &str) -> Result<Vec<u8>, ApiError> {
    let answer = send(Request::get(&tasks_path(name)), None).await?;
    answer.binary().await.map_err(|_| unreadable())
}

/// A prompt pack whose runs get boards on this server.
///
/// # Errors
/// See [`ApiError`]; `not_found` if it is none.
pub async fn pack(digest: &Digest) -> Result<Pack, ApiError> {
    get(&format!("/api/packs/{digest}")).await
}

/// What was hidden in a sealed set of tasks.
///
/// # Errors
/// See [`ApiError`]; `forbidden` as long as the operator has not opened it.
pub async fn opened_tasks(name: &str) -> Result<OpenedTasks, ApiError> {
    get(&format!("{}/texts", tasks_path(name))).await
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
    let query = query::encode(&[("benchmark".to_owned(), benchmark.to_owned())]);
    let path = format!("{}?{query}", tasks_path(name));
    let request = with_token(Request::put(&path), None)
        .header("Content-Type", "application/octet-stream")
        .body(js_sys::Uint8Array::from(bytes))
        .map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

fn tasks_path(name: &str) -> String {
    format!("/api/tasks/{}", query::escape(name).replace('/', "%2F"))
}

fn episode_path(id: &RunId, episode: &EpisodeKey) -> String {
    format!("/api/runs/{id}/episodes/{episode}")
}
