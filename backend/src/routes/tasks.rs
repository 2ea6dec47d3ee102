//! `/api/tasks`: task files as they lie on the server.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turnwise_shared::wire::TaskSetInfo;
use turnwise_shared::wire::sealed::OpenedTasks;

use crate::App;
use crate::access::Operator;
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::limits;

/// `GET /api/tasks`
pub async fn list(State(app): State<App>) -> Answer<Json<Vec<TaskSetInfo>>> {
    Ok(Json(app.task_sets().await?))
}

/// `GET /api/tasks/{name}`: the bytes of the file; what is encrypted stays so, canary included. Of a sealed set
/// [`SealedTasks`](turnwise_shared::wire::sealed::SealedTasks).
pub async fn bytes(
    _: Operator,
    State(app): State<App>,
    PathParam(name): PathParam<String>,
) -> Answer<Response> {
    if let Some(sealed) = app.task_library().sealed(&name) {
        return Ok(Json(sealed).into_response());
    }
    let found = app.look_for_tasks().await?;
    let path = found
        .into_iter()
        .find(|found| found.info.name == name)
        .and_then(|found| found.path)
        .ok_or_else(|| Problem::not_found(format!("task file {name:?}")))?;
    let bytes = tokio::fs::read(path).await.map_err(Problem::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

/// `GET /api/tasks/{name}/texts`: the tasks of a sealed set with every field, for everyone once the operator has opened it, and
/// for no client before.
pub async fn texts(
    State(app): State<App>,
    PathParam(name): PathParam<String>,
) -> Answer<Json<OpenedTasks>> {
    let set = app.sealed().named(&name);
    let set = set.ok_or_else(|| Problem::not_found("such sealed set of tasks"))?;
    let opened = app.store().opened_tasks(&set.told.digest).await?;
    let (opened, reason) = opened
        .filter(|_| set.can_be_opened())
        .ok_or_else(|| Problem::forbidden("What is hidden in these tasks stays on the server."))?;
    Ok(Json(OpenedTasks { opened, reason, tasks: set.whole.tasks.clone() }))
}

/// Of which benchmark a file is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Of {
    benchmark: String,
}

/// `PUT /api/tasks/{name}?benchmark=NAME`
pub async fn put(
    _: Operator,
    State(app): State<App>,
    PathParam(name): PathParam<String>,
    Params(Of { benchmark }): Params<Of>,
    request: Request,
) -> Answer<Json<TaskSetInfo>> {
    let by_hand = "Put a larger file into the folder tasks of the server's data folder.";
    let bytes = limits::body(request).await.map_err(|problem| problem.mend(by_hand))?;
    let library = app.task_library();
    let stored = tokio::task::spawn_blocking(move || library.store(&benchmark, &name, &bytes))
        .await
        .map_err(Problem::internal)??;
    Ok(Json(stored))
}
