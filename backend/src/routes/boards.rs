//! `/api/boards`: leaderboards. Everybody may read them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use turnwise_shared::leaderboard::View;
use turnwise_shared::prelude::*;

use crate::App;
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};

/// `GET /api/boards`
pub async fn list(State(app): State<App>) -> Answer<Json<Vec<BoardHead>>> {
    let heads = app.boards().heads(app.store()).await?;
    Ok(Json(heads.as_ref().clone()))
}

/// `GET /api/boards/{id}?sort=…&format=…`: a portion of the view. With `format=json` or `format=csv` all rows that pass, as a
/// file.
pub async fn board(
    State(app): State<App>,
    PathParam(id): PathParam<String>,
    Params(parts): Params<Vec<(String, String)>>,
) -> Answer<Response> {
    let id: BoardId = id.parse().map_err(|_| Problem::not_found("such board"))?;
    let format = parts.iter().rev().find(|(key, _)| key == "format");
    let format = format.map(|(_, value)| value.clone());
    let view = parts
        .iter()
        .filter(|(key, _)| key != "format")
        .map(|(key, value)| (key.as_str(), value.as_str()));
    let view = View::of(view).map_err(|bad| Problem::bad_request(format!("{bad}.")))?;
    let board = app.boards().board(app.store(), &id).await?;
    let made = tokio::task::spawn_blocking(move || match format.as_deref() {
        None => Ok(Json(board.board(&view)).into_response()),
        Some("json") => Ok((file(&id, "json"), Json(board.all(&view))).into_response()),
        Some("csv") => Ok((file(&id, "csv"), board.csv(&view)).into_response()),
        Some(other) => Err(Problem::bad_request(format!("format={other}: write json or csv."))),
    });
    made.await.map_err(Problem::internal)?
}

/// `GET /api/packs/{digest}`: readers of a board may read what its runs were asked.
pub async fn pack(
    State(app): State<App>,
    PathParam(digest): PathParam<String>,
) -> Answer<Json<Pack>> {
    let none = || Problem::not_found("such prompt pack");
    let digest: Digest = digest.parse().map_err(|_| none())?;
    let own = registry::BENCHMARKS.iter().map(|benchmark| benchmark.pack());
    let listed = app.config().packs.iter().cloned();
    let found = own.chain(listed).find(|pack| pack.digest() == digest);
    found.map(Json).ok_or_else(none)
}

/// The heads of an answer that is kept as a file.
fn file(id: &BoardId, format: &str) -> [(HeaderName, String); 2] {
    let kind = match format {
        "csv" => "text/csv; charset=utf-8",
        _ => "application/json",
    };
    // Ids are plain letters and digits.
    let name = format!("attachment; filename=\"board-{id}.{format}\"");
    [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)]
}
