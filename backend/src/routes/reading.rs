//! Reading a whole run at once: words looked for in its transcripts, and how long its seats took.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use turnwise_shared::finding::{Sought, hits};
use turnwise_shared::prelude::*;
use turnwise_shared::screen::natural::natural_key;
use turnwise_shared::wire::{Found, FoundIn};

use super::runs::listed;
use crate::App;
use crate::access::{Client, bearer, find};
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::measures::times::{READINGS, took_for};
use crate::store::{Listing, Reader};

/// Transcripts that are read at once.
const CHUNK: u32 = 64;

/// Plays of which one answer shows excerpts.
const SHOWN: usize = 50;

const EXCERPTS: usize = 3;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    q: String,
    /// Plays whose excerpts are known already.
    #[serde(default)]
    skip: usize,
}

/// `GET /api/runs/{run}/search?q=WORDS&skip=N`: every episode in which the words occur, in the order in which people
/// count tasks, and excerpts of fifty of them from number `skip` on.
pub async fn search(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
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

/// Whose transcripts belong to a run: its own, and where it grades another run's plays, those episodes.
fn sources<'a>(run: &'a RunId, regrades: Option<&'a RunId>) -> Vec<(&'a RunId, Parts)> {
    let all: Parts = |_| true;
    let plays: Parts = |episode| episode.part() == PartKey::Play;
    let others = regrades.map(|other| (other, plays));
    others.into_iter().chain([(run, all)]).collect()
}

/// How many episodes there are among these transcripts, and what was found in which. What a grader said belongs to the episode, and
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
        found.push(FoundIn { episode: episode.its_play(), count, hits });
    }
    (read, found)
}

/// `GET /api/runs/{run}/times`: how long the calls of each seat took, in milliseconds, as far as this server made them or the
/// page that drove the run said how long a person thought.
pub async fn times(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Client(client): Client,
    headers: HeaderMap,
) -> Answer<Json<BTreeMap<Seat, Vec<u64>>>> {
    let head = find(&app, &run, bearer(&headers)).await?;
    Ok(Json(took_for(&app, &head, client).await?.calls))
}

/// `GET /api/runs/{run}/regradings`: the runs that grade its plays again, oldest first; those that are unlisted for a client that
/// has its token.
pub async fn regradings(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    let token = bearer(&headers);
    let run = find(&app, &run, token).await?.run;
    let reader = Reader::of(token);
    let list = Listing::Regradings(run, reader);
    listed(&app, list, None, u32::MAX, Filter::default()).await
}
