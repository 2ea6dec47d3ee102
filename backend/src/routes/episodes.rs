//! `/api/runs/{run}/episodes`: transcripts as text, kept line by line.

use std::collections::BTreeSet;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::{EpisodeHead, PieceHead, PieceStored, Stored};

use super::runs::{find, owned};
use crate::App;
use crate::error::{Answer, Problem};
use crate::extract::{Params, Place};
use crate::guard::bearer;
use crate::keeping::{Going, Step, is_play, step};
use crate::store::{Change, Head, RunHead};
use crate::{egress, limits, measures};

/// The most bytes of all transcripts of a run (`decisions.md` 10).
const LARGEST_RUN: u64 = 512_000_000;

/// How often a change is decided anew because another one came between.
const TRIES: u32 = 5;

/// `GET /api/runs/{run}/episodes`
pub async fn list(
    State(app): State<App>,
    Place(run): Place<String>,
) -> Answer<Json<Vec<EpisodeHead>>> {
    let run = find(&app, &run).await?;
    Ok(Json(measures::heads(&app, &run).await?))
}

/// `GET /api/runs/{run}/episodes/{episode}`
pub async fn text(
    State(app): State<App>,
    Place((run, episode)): Place<(String, String)>,
) -> Answer<Response> {
    let run = find(&app, &run).await?;
    let episode = name(&episode)?;
    let of = match is_play(&episode) {
        true => run.plays(),
        false => &run.run,
    };
    let (text, _) = app
        .store()
        .transcript(of, &episode)
        .await?
        .ok_or_else(|| Problem::not_found("such transcript"))?;
    let kind = "application/x-ndjson; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// From which line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    #[serde(default)]
    from: u64,
}

/// `PUT /api/runs/{run}/episodes/{episode}?from=LINE`
pub async fn put(
    State(app): State<App>,
    Place((run, episode)): Place<(String, String)>,
    Params(From { from }): Params<From>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Json<Stored>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let episode = name(&episode)?;
    let body = limits::body(body).await?;
    let (stored, has_ended) = store(&app, &run, &episode, from, utf8(&body)?).await?;
    if has_ended {
        measures::refresh(&app, &run, &episode).await?;
    }
    Ok(Json(stored))
}

/// `POST /api/runs/{run}/lines`
pub async fn put_many(
    State(app): State<App>,
    Place(run): Place<String>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Json<Vec<PieceStored>>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let body = limits::body(body).await?;
    let mut rest = utf8(&body)?;
    let mut answers = Vec::new();
    // A play and its grading often end in the same request, and are measured together.
    let mut ended = BTreeSet::new();
    while !rest.is_empty() {
        let (head, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let head: PieceHead = limits::read_json(head.as_bytes())?;
        let end = after
            .split_inclusive('\n')
            .take(usize::try_from(head.lines).unwrap_or(usize::MAX))
            .map(str::len)
            .sum();
        let (lines, next) = after.split_at(end);
        answers.push(
            match store(&app, &run, &head.episode, head.from, lines).await {
                Ok((stored, has_ended)) => {
                    if has_ended {
                        ended.insert(head.episode.its_play());
                    }
                    PieceStored::Stored(stored)
                }
                Err(problem) => PieceStored::Refused {
                    error: problem.error,
                },
            },
        );
        rest = next;
    }
    for play in ended {
        measures::refresh(&app, &run, &play).await?;
    }
    Ok(Json(answers))
}

fn utf8(body: &[u8]) -> Answer<&str> {
    std::str::from_utf8(body).map_err(|_| Problem::bad_request("The lines are not UTF-8."))
}

/// Stores lines of an episode. The flag says whether it ended with them, and its measures are to be refreshed.
async fn store(
    app: &App,
    run: &RunHead,
    episode: &EpisodeKey,
    from: u64,
    lines: &str,
) -> Answer<(Stored, bool)> {
    if let Some(line) = lines.lines().position(too_deep) {
        return Err(Problem::bad_request(format!(
            "Line {} of the request is nested too deep.",
            line + 1
        )));
    }
    for _ in 0..TRIES {
        if let Some(kept) = keep(app, run, episode, from, lines).await? {
            return Ok(kept);
        }
    }
    Err(Problem::conflict("Somebody else writes this transcript."))
}

/// One try; `None` if another request was faster. The flag says whether the episode ended with these lines.
async fn keep(
    app: &App,
    run: &RunHead,
    episode: &EpisodeKey,
    from: u64,
    lines: &str,
) -> Answer<Option<(Stored, bool)>> {
    let stored = app.store().transcript(&run.run, episode).await?;
    let (text, head) = match &stored {
        Some((text, head)) => (text.as_str(), Some(*head)),
        None => ("", None),
    };
    if run.regrades.is_some() && is_play(episode) {
        return Err(Problem::unfit(
            "This run grades the plays of another one and has none of its own.",
        ));
    }
    let going = match step(text, from, lines, &run.spec, episode)? {
        Step::Nothing => {
            let lines = head.map_or(0, |head| head.lines);
            return Ok(Some((Stored { lines }, false)));
        }
        Step::Goes(going) => *going,
    };
    let Going {
        from,
        cut,
        added,
        transcript,
    } = going;
    let bytes = u64::try_from(cut + added.len()).unwrap_or(u64::MAX);
    if app.store().bytes(&run.run).await?.saturating_add(bytes) > LARGEST_RUN {
        return Err(Problem::too_large(LARGEST_RUN));
    }
    let lines = u64::try_from(transcript.events.len()).unwrap_or(u64::MAX);
    let ending = transcript.outcome().map(|outcome| outcome.ending.as_str());
    let change = Change {
        before: head,
        from,
        cut: (cut < text.len()).then(|| text.split_at(cut)),
        added: &added,
        after: Head {
            lines,
            chain: transcript.chain,
        },
        bytes,
        ending,
        now: egress::now(),
    };
    let done = app.store().change(&run.run, episode, &change).await?;
    Ok(done.then_some((Stored { lines }, ending.is_some())))
}

fn too_deep(line: &str) -> bool {
    limits::depth(line.as_bytes()) > turnwise_shared::wire::MAX_JSON_DEPTH
}

fn name(episode: &str) -> Answer<EpisodeKey> {
    episode
        .parse()
        .map_err(|_| Problem::not_found(format!("episode {episode:?}")))
}
