//! `/api/runs/{run}/episodes`: transcripts as text, kept line by line.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use futures::stream::try_unfold;
use serde::Deserialize;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::{Epoch, PieceHead, PieceStored, Stored};

use super::ranges;
use crate::App;
use crate::access::{Client, bearer, find, may_change, owned};
use crate::append_rules::{is_play, lines};
use crate::driving::lease;
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::store::{Store, StoreError};
use crate::{limits, measures};

/// `GET /api/runs/{run}/episodes`
pub async fn list(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<Vec<EpisodeHead>>> {
    let run = find(&app, &run, bearer(&headers)).await?;
    Ok(Json(measures::heads(&app, &run).await?))
}

/// `GET /api/runs/{run}/episodes/{episode}`; with `Range` a part of it. It is read while it is sent, and breaks off if the transcript
/// is taken up anew meanwhile.
pub async fn text(
    State(app): State<App>,
    PathParam((run, episode)): PathParam<(String, String)>,
    Client(client): Client,
    method: Method,
    headers: HeaderMap,
) -> Answer<Response> {
    let run = find(&app, &run, bearer(&headers)).await?;
    let episode = name(&episode)?;
    let of = match is_play(&episode) {
        true => run.plays(),
        false => &run.run,
    };
    let extent = app.store().extent(of, &episode).await?;
    let extent = extent.ok_or_else(|| Problem::not_found("such transcript"))?;
    let about = ranges::About {
        kind: "application/x-ndjson; charset=utf-8",
        tag: &extent.head.chain.to_string(),
        bytes: extent.bytes,
    };
    let mut sent = 0;
    let answer = ranges::answer(&method, &headers, &about, |part| {
        sent = part.end - part.start;
        body(app.store().clone(), of.clone(), episode, extent.cuts, part)
    });
    // Nothing was read yet.
    app.rate().charge(client, sent)?;
    Ok(answer)
}

/// Bytes of a transcript that are read as they are sent, part by part.
fn body(store: Store, run: RunId, episode: EpisodeKey, cuts: u64, part: Range<u64>) -> Body {
    let of = Arc::new((store, run, episode));
    let parts = try_unfold(part, move |left| {
        let of = Arc::clone(&of);
        async move {
            if left.is_empty() {
                return Ok(None);
            }
            let (store, run, episode) = &*of;
            let some = store.some_bytes(run, episode, cuts, left.clone()).await?;
            let some = some.ok_or(StoreError::Changing)?;
            let next = left.start + some.len() as u64..left.end;
            Ok::<_, StoreError>(Some((some, next)))
        }
    });
    Body::from_stream(parts)
}

/// From which line, and in the name of which lease.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    #[serde(default)]
    from: u64,
    #[serde(default)]
    epoch: Epoch,
}

/// In the name of which lease.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    #[serde(default)]
    epoch: Epoch,
}

/// `PUT /api/runs/{run}/episodes/{episode}?from=LINE&epoch=N`
pub async fn put(
    State(app): State<App>,
    PathParam((run, episode)): PathParam<(String, String)>,
    Params(From { from, epoch }): Params<From>,
    headers: HeaderMap,
    request: Request,
) -> Answer<Json<Stored>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let hold = lease::named(&run, epoch)?;
    let episode = name(&episode)?;
    // A client may take as long as it likes to send the body: only what is asked after it holds for it.
    let body = limits::body(request).await?;
    may_change(&app, &run.run).await?;
    let kept = lines::store(&app, &run, &episode, from, utf8(&body)?, hold).await?;
    if kept.has_ended {
        measures::refresh(&app, &run, &episode).await?;
    }
    Ok(Json(kept.stored))
}

/// `POST /api/runs/{run}/lines?epoch=N`
pub async fn put_many(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Params(Named { epoch }): Params<Named>,
    headers: HeaderMap,
    request: Request,
) -> Answer<Json<Vec<PieceStored>>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let hold = lease::named(&run, epoch)?;
    let body = limits::body(request).await?;
    may_change(&app, &run.run).await?;
    let mut answers = Vec::new();
    // An episode and its grading often end in the same request, and are measured together.
    let mut ended = BTreeSet::new();
    for (head, lines) in pieces(utf8(&body)?)? {
        answers.push(match lines::store(&app, &run, &head.episode, head.from, lines, hold).await {
            Ok(kept) => {
                if kept.has_ended {
                    ended.insert(head.episode.its_play());
                }
                PieceStored::Stored(kept.stored)
            }
            Err(problem) => PieceStored::Refused { error: problem.error },
        });
    }
    for play in ended {
        measures::refresh(&app, &run, &play).await?;
    }
    Ok(Json(answers))
}

/// The pieces of a request with their lines. It is read as a whole before anything of it is stored: what ends in the middle of
/// an error would be stored and never measured.
fn pieces(mut rest: &str) -> Answer<Vec<(PieceHead, &str)>> {
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (head, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let head: PieceHead = limits::read_json(head.as_bytes())?;
        let end = after
            .split_inclusive('\n')
            .take(usize::try_from(head.lines).unwrap_or(usize::MAX))
            .map(str::len)
            .sum();
        let (lines, next) = after.split_at(end);
        pieces.push((head, lines));
        rest = next;
    }
    Ok(pieces)
}

fn utf8(body: &[u8]) -> Answer<&str> {
    std::str::from_utf8(body).map_err(|_| Problem::bad_request("The lines are not UTF-8."))
}

/// The episode that an address names.
///
/// # Errors
/// If that is no name of one.
pub(super) fn name(episode: &str) -> Answer<EpisodeKey> {
    episode.parse().map_err(|_| Problem::not_found(format!("episode {episode:?}")))
}
