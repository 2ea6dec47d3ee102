//! Reading a whole run at once: words looked for in its transcripts, and how long its seats took.

use std::collections::BTreeMap;
use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::{Semaphore, SemaphorePermit};
use turnwise_shared::episode::CallId;
use turnwise_shared::finding::{Sought, hits};
use turnwise_shared::metrics::spending::SEARCH;
use turnwise_shared::metrics::times::{Collected, Times};
use turnwise_shared::prompt::ThreadId;
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::screen::natural::natural_key;
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::transcript::{Event, Request, event_of};
use turnwise_shared::wire::{Found, FoundIn, RunId};

use super::runs::{find, listed};
use crate::App;
use crate::error::{Answer, Problem};
use crate::extract::{Params, Place};
use crate::guard::{Client, bearer};
use crate::store::{Listing, Reader, RunHead};

/// Transcripts that are read at once.
const CHUNK: u32 = 64;

/// Plays of which one answer shows excerpts.
const SHOWN: usize = 50;

/// Excerpts of one play.
const EXCERPTS: usize = 3;

/// How many whole runs are read at once for whoever asks; others wait.
static READINGS: Semaphore = Semaphore::const_new(2);

/// The same for runs that go onto a board: what anybody may read must not hold them up.
static BOARDS: Semaphore = Semaphore::const_new(2);

/// What is looked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    q: String,
    /// Plays whose excerpts are known already.
    #[serde(default)]
    skip: usize,
}

/// `GET /api/runs/{run}/search?q=WORDS&skip=N`: every play in which the words occur, in the order in which people
/// count tasks, and excerpts of fifty of them from number `skip` on.
pub async fn search(
    State(app): State<App>,
    Place(run): Place<String>,
    Params(Wanted { q, skip }): Params<Wanted>,
    Client(client): Client,
    headers: HeaderMap,
) -> Answer<Json<Found>> {
    let run = find(&app, &run, bearer(&headers)).await?;
    let Some(sought) = Sought::read(&q) else {
        return Ok(Json(Found::default()));
    };
    let sources = sources(&run.run, run.regrades.as_ref());
    let mut bytes = 0;
    for (of, _) in &sources {
        bytes += app.store().size(of).await?;
    }
    app.rate().charge(client, bytes)?;
    let _permit = READINGS.acquire().await.map_err(Problem::internal)?;
    let mut plays: BTreeMap<EpisodeKey, FoundIn> = BTreeMap::new();
    let mut searched = 0;
    for (of, parts) in sources {
        let mut texts = app.store().texts(of, None, CHUNK).await?;
        while let Some((last, _)) = texts.last() {
            let after = last.clone();
            let sought = sought.clone();
            let is_long = texts.is_long();
            let looking = tokio::task::spawn_blocking(move || look(&sought, &texts, parts));
            let next = app.store().texts(of, Some(&after), CHUNK);
            let (looked, next) = match is_long {
                // Its room may be what the next one waits for.
                true => (looking.await, next.await),
                // The next ones are read meanwhile.
                false => tokio::join!(looking, next),
            };
            let (read, found) = looked.map_err(Problem::internal)?;
            texts = next?;
            searched += read;
            for one in found {
                match plays.get_mut(&one.episode) {
                    Some(play) => {
                        play.count += one.count;
                        let room = EXCERPTS.saturating_sub(play.hits.len());
                        play.hits.extend(one.hits.into_iter().take(room));
                    }
                    None => drop(plays.insert(one.episode.clone(), one)),
                }
            }
        }
    }
    let mut plays: Vec<FoundIn> = plays.into_values().collect();
    plays.sort_by_cached_key(|play| natural_key(&play.episode.to_string()));
    for (at, play) in plays.iter_mut().enumerate() {
        if at < skip || at >= skip.saturating_add(SHOWN) {
            play.hits.clear();
        }
    }
    Ok(Json(Found { plays, searched }))
}

/// Which transcripts of a run count.
type Parts = fn(&EpisodeKey) -> bool;

/// Whose transcripts belong to a run: its own, and where it grades another run's plays, those plays.
fn sources<'a>(run: &'a RunId, regrades: Option<&'a RunId>) -> Vec<(&'a RunId, Parts)> {
    let all: Parts = |_| true;
    let plays: Parts = |episode| episode.part() == PartKey::Play;
    let others = regrades.map(|other| (other, plays));
    others.into_iter().chain([(run, all)]).collect()
}

/// How many plays there are among these transcripts, and what was found in which. What a grader said belongs to the play, and
/// to none of its turns.
fn look(sought: &Sought, texts: &[(EpisodeKey, String)], parts: Parts) -> (u32, Vec<FoundIn>) {
    let mut read = 0;
    let mut found = Vec::new();
    for (episode, text) in texts.iter().filter(|(episode, _)| parts(episode)) {
        let is_play = episode.part() == PartKey::Play;
        read += u32::from(is_play);
        let (mut hits, count) = hits(sought, text, EXCERPTS);
        if count == 0 {
            continue;
        }
        if !is_play {
            for hit in &mut hits {
                hit.turn = None;
            }
        }
        found.push(FoundIn {
            episode: episode.its_play(),
            count,
            hits,
        });
    }
    (read, found)
}

/// `GET /api/runs/{run}/times`: how long the calls of each seat took, in milliseconds, as far as this server made them or the
/// page that drove the run said how long a person thought.
pub async fn times(
    State(app): State<App>,
    Place(run): Place<String>,
    Client(client): Client,
    headers: HeaderMap,
) -> Answer<Json<BTreeMap<Seat, Vec<u64>>>> {
    let head = find(&app, &run, bearer(&headers)).await?;
    Ok(Json(took_for(&app, &head, client).await?.calls))
}

/// How long the calls of each seat of a run took, in milliseconds, for a client, who pays for what is read.
///
/// # Errors
/// If the client asks for too much, or the store fails.
pub async fn took_for(app: &App, head: &RunHead, client: IpAddr) -> Answer<Times> {
    let turn = async {
        let bytes = app.store().size(&head.run).await?;
        app.rate().charge(client, bytes)?;
        READINGS.acquire().await.map_err(Problem::internal)
    };
    took_in(app, head, turn).await
}

/// The same for a run that goes onto a board.
///
/// # Errors
/// If the store fails.
pub async fn took(app: &App, head: &RunHead) -> Answer<Times> {
    let turn = async { BOARDS.acquire().await.map_err(Problem::internal) };
    took_in(app, head, turn).await
}

/// The same, once it is this reading's turn; of calls of which no time is known nothing is read.
async fn took_in(
    app: &App,
    head: &RunHead,
    turn: impl Future<Output = Answer<SemaphorePermit<'static>>>,
) -> Answer<Times> {
    let run = &head.run;
    let is_person = |seat: &Seat| {
        let sitting = head.spec.seats.get(seat);
        sitting.is_some_and(|sitting| sitting.player == Player::Person)
    };
    let mut took: BTreeMap<(EpisodeKey, CallId), u64> = BTreeMap::new();
    let thoughts = app.store().thoughts(run, None).await?.into_iter();
    let mut thought: BTreeMap<(EpisodeKey, CallId), u64> = thoughts
        .map(|call| ((call.episode, call.call), call.timing.took))
        .collect();
    for call in app.store().timings(run, None).await? {
        // Calls of which nothing came back yet took no known time.
        if call.timing.attempts > 0 {
            took.insert((call.episode, call.call), call.timing.took);
        }
    }
    let mut times = Collected::default();
    if took.is_empty() && thought.is_empty() {
        return Ok(Times::default());
    }
    let _permit = turn.await?;
    let mut after = None;
    while !(took.is_empty() && thought.is_empty()) {
        let texts = app.store().texts(run, after.as_ref(), CHUNK).await?;
        let Some((last, _)) = texts.last() else {
            break;
        };
        after = Some(last.clone());
        let seats = tokio::task::spawn_blocking(move || seats(&texts))
            .await
            .map_err(Problem::internal)?;
        for (call, (seat, thread)) in seats {
            let thought = thought.remove(&call).filter(|_| is_person(&seat));
            if let Some(took) = took.remove(&call).or(thought) {
                times.add(&seat, 0, call.0, thread, took);
            }
        }
    }
    Ok(times.times())
}

/// A seat, and the conversation in which it was asked, if it was one.
type AskedSeat = (Seat, Option<ThreadId>);

/// Which seat each call of these transcripts asked.
fn seats(texts: &[(EpisodeKey, String)]) -> Vec<((EpisodeKey, CallId), AskedSeat)> {
    let mut seats = Vec::new();
    for (episode, text) in texts {
        let lines = text
            .lines()
            .filter(|line| line.contains(r#""line":"asked""#));
        for event in lines.filter_map(|line| event_of(line).ok()) {
            let Event::Asked { call, request } = event else {
                continue;
            };
            let seat = match request {
                Request::Ask { seat, thread, .. } => (seat, Some(thread)),
                Request::Search(_) => (Seat::new(SEARCH), None),
                Request::Draw { .. } => continue,
            };
            seats.push(((episode.clone(), call), seat));
        }
    }
    seats
}

/// `GET /api/runs/{run}/regradings`: the runs that grade its plays again, oldest first; those that are unlisted for whoever has its
/// token.
pub async fn regradings(
    State(app): State<App>,
    Place(run): Place<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    let token = bearer(&headers);
    let run = find(&app, &run, token).await?.run;
    let reader = Reader::of(token);
    listed(&app, Listing::Regradings(run, reader), None, u32::MAX).await
}
