//! `/api/runs/{run}/pictures/{digest}`: the bytes of pictures that a run names.

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use turnwise_shared::prelude::*;

use crate::App;
use crate::access::{Client, bearer, find, owned};
use crate::error::{Answer, Problem};
use crate::extract::PathParam;
use crate::limits;
use crate::store::RunHead;

/// `GET /api/runs/{run}/pictures/{digest}`
pub async fn picture(
    State(app): State<App>,
    PathParam((run, digest)): PathParam<(String, String)>,
    Client(client): Client,
    headers: HeaderMap,
) -> Answer<Response> {
    let (token, digest) = (bearer(&headers), name(&digest)?);
    let png = match seated(&app, &run, token, &digest).await? {
        Some(png) => Some(png),
        None => shown(&app, &find(&app, &run, token).await?, &digest).await?,
    };
    let png = png.ok_or_else(|| Problem::not_found("such picture"))?;
    app.rate().charge(client, png.len() as u64)?;
    Ok(([(CONTENT_TYPE, PictureRef::MEDIA)], png).into_response())
}

/// `PUT /api/runs/{run}/pictures/{digest}`: what was rendered elsewhere. It is shown to no client as long as no transcript shows
/// it.
pub async fn keep(
    State(app): State<App>,
    PathParam((run, digest)): PathParam<(String, String)>,
    headers: HeaderMap,
    request: Request,
) -> Answer<StatusCode> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let digest = name(&digest)?;
    if run.is_visitors {
        return Err(Problem::unfit("Runs of visitors take no pictures from elsewhere."));
    }
    let png = limits::body_up_to(request, PictureRef::MOST_BYTES).await?;
    let unfit = |why: &dyn std::fmt::Display| Problem::unfit(format!("The picture: {why}."));
    match PictureRef::of(&png) {
        Ok(picture) if picture.digest == digest => {}
        Ok(picture) => return Err(unfit(&format!("its digest is {}", picture.digest))),
        Err(bad) => return Err(unfit(&bad)),
    }
    app.store().keep_picture(&png).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The bytes of a picture that a seat of a room is shown now; needs the ticket of the seat.
async fn seated(
    app: &App,
    run: &str,
    ticket: Option<&str>,
    digest: &Digest,
) -> Answer<Option<Vec<u8>>> {
    let Ok(run) = run.parse::<RunId>() else { return Ok(None) };
    let table = app.rooms().find(&run);
    match table.and_then(|table| Some((table.seat(ticket).ok()?, table))) {
        Some((seat, table)) if table.shows(&seat, digest) => {}
        _ => return Ok(None),
    }
    // The pictures of its tasks may not have been sent to any model yet.
    if let Some(run) = app.store().run_head(&run).await? {
        app.task_library().keep_pictures(&run.spec, app.store()).await?;
    }
    Ok(app.store().picture(digest).await?)
}

fn name(digest: &str) -> Answer<Digest> {
    digest.parse().map_err(|_| Problem::not_found("such picture"))
}

/// The bytes of a picture that a run's transcripts show, or that stands in a field of its tasks which readers may see.
async fn shown(app: &App, run: &RunHead, digest: &Digest) -> Answer<Option<Vec<u8>>> {
    let store = app.store();
    if store.shows_picture(&run.run, digest).await?
        || store.shows_picture(run.plays(), digest).await?
    {
        return Ok(store.picture(digest).await?);
    }
    let Ok(benchmark) = registry::find(&run.spec.benchmark) else { return Ok(None) };
    let Ok(tasks) = app.tasks(benchmark, &run.spec.tasks).await else { return Ok(None) };
    let mut fields = tasks.tasks.iter().flat_map(|task| task.fields.values());
    let is_shown = fields
        .any(|text| text.parse::<PictureRef>().is_ok_and(|picture| picture.digest == *digest));
    // What is encrypted leaves this server as it lies there.
    if !is_shown || matches!(tasks.origin, TaskSetOrigin::Encrypted { .. }) {
        return Ok(None);
    }
    match tasks.pictures.get(digest) {
        Some(png) => Ok(Some(png.to_vec())),
        None => Ok(store.picture(digest).await?),
    }
}
