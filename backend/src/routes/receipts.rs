//! `/api/keys` and `/api/runs/{run}/receipts`: what everybody needs to check what this server has signed.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use turnwise_shared::wire::receipts::{KeyId, PublishedKey, ReceiptsPage, SignedBatch, TreeHead};

use crate::App;
use crate::access::{bearer, find};
use crate::error::{Answer, Problem};
use crate::extract::{Params, PathParam};
use crate::receipts::page;

/// Batches or heads in one answer.
const LIST: u32 = 1000;

/// `GET /api/keys`
pub async fn keys(State(app): State<App>) -> Answer<Json<Vec<PublishedKey>>> {
    Ok(Json(app.store().keys().await?))
}

/// From where a list goes on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    #[serde(default)]
    from: u64,
}

/// `GET /api/keys/{key}/batches?from=LEAF`
pub async fn batches(
    State(app): State<App>,
    PathParam(key): PathParam<String>,
    Params(From { from }): Params<From>,
) -> Answer<Json<Vec<SignedBatch>>> {
    Ok(Json(app.store().batches(&name(&key)?, from, LIST).await?))
}

/// `GET /api/keys/{key}/heads`
pub async fn heads(
    State(app): State<App>,
    PathParam(key): PathParam<String>,
) -> Answer<Json<Vec<TreeHead>>> {
    Ok(Json(app.store().tree_heads(&name(&key)?, LIST).await?))
}

fn name(key: &str) -> Answer<KeyId> {
    key.parse().map_err(|_| Problem::not_found("such key"))
}

/// After which receipt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    after: Option<String>,
}

/// `GET /api/runs/{run}/receipts?after=CURSOR`
pub async fn of_run(
    State(app): State<App>,
    PathParam(run): PathParam<String>,
    Params(After { after }): Params<After>,
    headers: HeaderMap,
) -> Answer<Json<ReceiptsPage>> {
    let run = find(&app, &run, bearer(&headers)).await?.run;
    let after = after.map(|after| cursor(&after)).transpose()?;
    Ok(Json(page(&app, &run, after).await?))
}

fn cursor(text: &str) -> Answer<(KeyId, u64)> {
    let read = || {
        let (key, number) = text.split_once(':')?;
        Some((key.parse().ok()?, number.parse().ok()?))
    };
    read().ok_or_else(|| Problem::bad_request("after: this is no place in a list of receipts."))
}
