//! `/api/runs/{run}/lease` and `/api/runs/{run}/drive`: who drives a run.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{Driving, RunState, TakeLease, without_words};

use crate::App;
use crate::access::{again, anonymous, bearer, find, owned};
use crate::driving::{begin, lease};
use crate::error::Answer;
use crate::extract::PathParam;
use crate::limits;
use crate::store::RunHead;

/// `POST /api/runs/{run}/lease`
pub async fn take(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(wish): limits::Json<TakeLease>,
) -> Answer<Json<Lease>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    Ok(Json(lease::take(&app, run, wish).await?))
}

/// `GET /api/runs/{run}/drive`
pub async fn look(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<Driving>> {
    let token = bearer(&headers);
    let run = find(&app, &run, token).await?;
    let is_owner = run.is_owned_by(token);
    let mut told = driving(&app, run).await?;
    if !is_owner {
        // A service's own words may repeat what was asked, hidden fields included.
        let reasons = told.progress.iter_mut().flat_map(|it| &mut it.reasons);
        reasons.for_each(|reason| reason.words = None);
        told.trouble.iter_mut().for_each(without_words);
    }
    Ok(Json(told))
}

/// `POST /api/runs/{run}/drive`
pub async fn begin_here(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(wish): limits::Json<Drive>,
) -> Answer<Json<Driving>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    anonymous::not_theirs(&run, "the server does not drive it")?;
    begin(&app, run.clone(), wish).await?;
    let run = again(&app, &run.run).await?;
    Ok(Json(driving(&app, run).await?))
}

async fn driving(app: &App, run: RunHead) -> Answer<Driving> {
    // A run that this server drives waits by itself as long as the database cannot be used, and that state cannot be written
    // down.
    let waits = match app.drives().has(&run.run) {
        true => app.works().err(),
        false => None,
    };
    let (state, trouble) = match waits {
        Some(outage) => (RunState::Paused, Some(outage.error)),
        None => (run.state, app.store().trouble(&run.run).await?),
    };
    Ok(Driving {
        state,
        lease: run.lease,
        progress: app.drives().progress(&run.run),
        calls: app.store().call_count(&run.run).await?,
        trouble,
    })
}
