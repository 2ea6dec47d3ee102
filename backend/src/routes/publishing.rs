//! Publishing, and the public log.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turnwise_shared::wire::RunId;
use turnwise_shared::wire::publishing::{Admission, Change, LOG_PAGE, LogEntry, Owner, Reason};

use super::runs::{find, owned};
use crate::App;
use crate::error::{Answer, Problem};
use crate::extract::{Params, Place};
use crate::guard::bearer;
use crate::limits;
use crate::publishing::{self, Refused, told};

/// The header in which a page names its owner key when it opens a run. The key is a secret; its digest is told with what it
/// publishes.
const OWNER_KEY: &str = "turnwise-owner-key";

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

/// Whose key a page has named, if it has.
pub fn owner(headers: &HeaderMap) -> Option<Owner> {
    let key = headers.get(OWNER_KEY)?.to_str().ok()?;
    (!key.is_empty()).then(|| Owner::of_key(key))
}

/// Whether what was played in a run may still change: not while it stands on a board, and never if people played it at a table.
///
/// # Errors
/// If it does, or the store fails.
pub async fn may_change(app: &App, run: &RunId) -> Answer<()> {
    match app.store().is_settled(run).await? {
        false => Ok(()),
        true => Err(Problem::conflict(
            "The run stands on a board or was played at a table, so nothing of it changes any more.",
        )
        .mend("Take it off its board first; what people played at a table stays as it is.")),
    }
}

/// `POST /api/runs/{run}/check`
pub async fn check(
    State(app): State<App>,
    Place(run): Place<String>,
    headers: HeaderMap,
) -> Result<Json<Admission>, Refused> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    let kept = publishing::check(&app, &run).await?;
    Ok(Json(told(kept, 0)))
}

/// `POST /api/runs/{run}/publish`
pub async fn publish(
    State(app): State<App>,
    Place(run): Place<String>,
    headers: HeaderMap,
) -> Result<Json<Admission>, Refused> {
    let run = owned(&app, &run, bearer(&headers)).await?;
    Ok(Json(publishing::publish(&app, &run).await?))
}

/// `POST /api/runs/{run}/withdraw`
pub async fn withdraw(
    State(app): State<App>,
    Place(run): Place<String>,
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
    left.map(Json)
        .ok_or_else(|| Problem::not_found("row of this run on a board"))
}

/// `GET /api/runs/{run}/entry`: nothing for a run that is on no board, which most are; that is no error.
pub async fn entry(
    State(app): State<App>,
    Place(run): Place<String>,
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
