//! Publishing, and the public log.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Checking, LOG_PAGE, Reason};

use crate::App;
use crate::access::{bearer, find, owned};
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::limits;
use crate::publishing::underway::Wanted;
use crate::publishing::{self, Refused, told};

/// The longest reason, in bytes.
const LONGEST_REASON: usize = 1000;

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Refused::Wrong(refusal) => {
                (StatusCode::UNPROCESSABLE_ENTITY, Json(refusal)).into_response()
            }
            Refused::Problem(problem) => problem.into_response(),
        }
    }
}

/// `POST /api/runs/{run}/check`
pub async fn check(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let task = app.clone();
    answered(&app, &headers, Wanted::Check, run.run.clone(), async move {
        Ok(told(publishing::check(&task, &run).await?, 0))
    })
    .await
}

/// The outcome of a check; if it takes longer than a moment and the client prefers that, the notice that it goes on (RFC 7240).
async fn answered(
    app: &App,
    headers: &HeaderMap,
    wanted: Wanted,
    run: RunId,
    task: impl Future<Output = Result<Admission, Refused>> + Send + 'static,
) -> Result<Response, Refused> {
    let prefers = headers.get_all("prefer").iter();
    let is_patient = !prefers
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.to_ascii_lowercase().contains("respond-async"));
    if is_patient {
        return Ok(Json(task.await?).into_response());
    }
    match app.underway().outcome(&run, wanted, || task).await {
        Some(outcome) => Ok(Json(outcome?).into_response()),
        None => {
            let head = [("retry-after", "1"), ("preference-applied", "respond-async")];
            Ok((StatusCode::ACCEPTED, head, Json(Checking { checking: true })).into_response())
        }
    }
}

/// `POST /api/runs/{run}/publish`
pub async fn publish(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let task = app.clone();
    answered(&app, &headers, Wanted::Publish, run.run.clone(), async move {
        publishing::publish(&task, &run).await
    })
    .await
}

/// `POST /api/runs/{run}/withdraw`
pub async fn withdraw(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
    limits::Json(Reason { reason }): limits::Json<Reason>,
) -> Answer<Json<LogEntry>> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    limits::line("reason", reason.trim(), LONGEST_REASON)?;
    let reason = match reason.trim() {
        "" => "withdrawn by its owner".to_owned(),
        reason => reason.to_owned(),
    };
    let left = publishing::leave(&app, &run.run, Change::Withdrawn, reason).await?;
    left.map(Json).ok_or_else(|| Problem::not_found("row of this run on a board"))
}

/// `GET /api/runs/{run}/entry`: nothing for a run that is on no board, which most are; that is no error.
pub async fn entry(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<Option<Admission>>> {
    let run = find(&app, &run, bearer(&headers)).await?.run;
    let kept = app.store().entry(&run).await?;
    let Some(kept) = kept.filter(|kept| kept.left.is_none()) else {
        return Ok(Json(None));
    };
    let said = app.store().last_said(&run).await?;
    let number = said.map_or(0, |said| said.number);
    Ok(Json(Some(told(kept, number))))
}

/// After which entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    #[serde(default)]
    after: u64,
}

/// `GET /api/log?after=NUMBER`
pub async fn log(
    State(app): State<App>,
    Params(After { after }): Params<After>,
) -> Answer<Json<Vec<LogEntry>>> {
    Ok(Json(app.store().log(after, LOG_PAGE).await?))
}
