//! `GET /api/live/{run}/others`: how others did on the tasks that people have played at a table.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use std::collections::BTreeMap;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::others::{OthersOnTask, players};

use crate::access::{bearer, find};
use crate::error::{Answer, Problem};
use crate::extract::PathParam;
use crate::{App, measures, rooms};

/// The most tasks of one answer; a table has seldom more than ten.
const TASKS: usize = 50;

pub async fn others(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    headers: HeaderMap,
) -> Answer<Json<Vec<OthersOnTask>>> {
    let run = find(&app, &run, bearer(&headers)).await?;
    // Only of tables: a reader of an ordinary run has its tasks and can compare it.
    rooms::info(&app, &run.run).await?;
    let tasks: BTreeMap<TaskId, Digest> = measures::summaries(&app, &run)
        .await?
        .into_values()
        .map(|summary| (summary.task.id, summary.task.digest))
        .collect();
    let benchmark = registry::find(&run.spec.benchmark).map_err(Problem::internal)?;
    let mut all = Vec::new();
    for (task, digest) in tasks.into_iter().take(TASKS) {
        let plays = app.store().plays_of_task(benchmark.name(), &digest, &run.run).await?;
        let scored = plays.iter().filter_map(|(spec, summary)| Some((spec, summary.score?)));
        all.push(OthersOnTask { task, players: players(benchmark, scored) });
    }
    Ok(Json(all))
}
