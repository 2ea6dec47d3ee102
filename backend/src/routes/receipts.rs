//! `/api/keys` and `/api/runs/{run}/receipts`: what everybody needs to check what this server has signed.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use turnwise_shared::receipt::tree;
use turnwise_shared::wire::RunId;
use turnwise_shared::wire::receipts::{
    KeyId, ProvenReceipt, PublishedKey, ReceiptsPage, SignedBatch, TreeHead,
};

use super::runs::find;
use crate::App;
use crate::error::{Answer, Problem};
use crate::extract::{Params, Place};
use crate::guard::bearer;

/// Receipts in one answer.
const PAGE: u32 = 500;

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
    Place(key): Place<String>,
    Params(From { from }): Params<From>,
) -> Answer<Json<Vec<SignedBatch>>> {
    Ok(Json(app.store().batches(&name(&key)?, from, LIST).await?))
}

/// `GET /api/keys/{key}/heads`
pub async fn heads(
    State(app): State<App>,
    Place(key): Place<String>,
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
    Place(run): Place<String>,
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

/// Receipts of a run with the batches in which they lie.
///
/// # Errors
/// If the store fails.
pub async fn page(app: &App, run: &RunId, after: Option<(KeyId, u64)>) -> Answer<ReceiptsPage> {
    app.receipts().flush().await;
    let kept = app.store().receipts(run, after, PAGE).await?;
    let next = match kept.last() {
        Some(last) if kept.len() as u64 == u64::from(PAGE) => {
            Some(format!("{}:{}", last.receipt.key, last.receipt.number))
        }
        _ => None,
    };
    let mut batches: BTreeMap<(KeyId, u64), (SignedBatch, Vec<Vec<_>>)> = BTreeMap::new();
    let mut receipts = Vec::with_capacity(kept.len());
    for kept in kept {
        let key = kept.receipt.key;
        let before = batches
            .range((key, 0)..=(key, kept.leaf))
            .next_back()
            .filter(|(_, (batch, _))| kept.leaf < batch.from + u64::from(batch.count))
            .map(|(name, _)| *name);
        let name = match before {
            Some(name) => name,
            None => {
                let found = app.store().batch_of(&key, kept.leaf).await?;
                let (batch, hashes) =
                    found.ok_or_else(|| Problem::internal("a receipt without a batch"))?;
                let name = (key, batch.from);
                batches.insert(name, (batch, tree::paths(&hashes)));
                name
            }
        };
        let path = usize::try_from(kept.leaf - name.1)
            .ok()
            .and_then(|index| batches.get(&name)?.1.get(index).cloned())
            .ok_or_else(|| Problem::internal("a receipt outside of its batch"))?;
        receipts.push(ProvenReceipt {
            receipt: kept.receipt,
            leaf: kept.leaf,
            path,
        });
    }
    Ok(ReceiptsPage {
        receipts,
        batches: batches.into_values().map(|(batch, _)| batch).collect(),
        next,
    })
}
