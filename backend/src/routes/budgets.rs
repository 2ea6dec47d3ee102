//! `/api/runs/{run}/budget` and `/caps`: what a run may spend, and what it has spent.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::SetCaps;

use crate::App;
use crate::access::{anonymous, bearer, owned};
use crate::error::{Answer, Problem};
use crate::extract::PathParam;
use crate::limits;

/// `GET /api/runs/{run}/budget`
pub async fn budget(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<RunBudgets>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let budget = app.call_limits().budget(&run.run).await?;
    Ok(Json(budget))
}

/// `POST /api/runs/{run}/caps`
pub async fn set_caps(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(SetCaps { caps }): limits::Json<SetCaps>,
) -> Answer<Json<RunBudgets>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    anonymous::not_theirs(&run, "its budget stays as it is")?;
    app.call_limits()
        .with_caps(&run.run, &caps)
        .await?
        .check(&run.spec.seats, run.spec.search.as_ref(), app.egress().prices())
        .map_err(Problem::from)?;
    let prices = app.egress().prices();
    app.call_limits().change_caps(&run.run, &caps, prices).await?;
    Ok(Json(app.call_limits().budget(&run.run).await?))
}
