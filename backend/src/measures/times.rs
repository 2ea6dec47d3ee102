//! How long the calls of each seat of a run took, read from its transcripts and from the ledger.

use std::collections::BTreeMap;
use std::net::IpAddr;

use tokio::sync::{Semaphore, SemaphorePermit};
use turnwise_shared::effect::SEARCH;
use turnwise_shared::metrics::times::{Collected, Times};
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::ThreadId;
use turnwise_shared::transcript::event_of;

use crate::App;
use crate::error::{Answer, Problem};
use crate::store::RunHead;

/// Transcripts that are read at once.
const CHUNK: u32 = 64;

/// How many whole runs are read at once for clients; others wait.
pub static READINGS: Semaphore = Semaphore::const_new(2);

/// The same for runs that go onto a board: what any visitor may read must not hold them up.
static BOARDS: Semaphore = Semaphore::const_new(2);

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
    let mut thought: BTreeMap<(EpisodeKey, CallId), u64> =
        thoughts.map(|call| ((call.episode, call.call), call.timing.took)).collect();
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
        let seats =
            tokio::task::spawn_blocking(move || seats(&texts)).await.map_err(Problem::internal)?;
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
        let lines = text.lines().filter(|line| line.contains(r#""line":"asked""#));
        for event in lines.filter_map(|line| event_of(line).ok()) {
            let Event::Asked { call, request } = event else {
                continue;
            };
            let seat = match request {
                Request::Ask { seat, thread, .. } => (seat, Some(thread)),
                Request::Search(_) => (Seat::new(SEARCH), None),
                Request::Use(used) => (Seat::new(used.name()), None),
                Request::Draw { .. } => continue,
            };
            seats.push(((episode.clone(), call), seat));
        }
    }
    seats
}
