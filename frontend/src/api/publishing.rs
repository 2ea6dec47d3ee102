//! Publishing, receipts and the public log.

use gloo_net::http::Request;
use turnwise_shared::wire::publishing::Reason;
use turnwise_shared::wire::receipts::{PublishedKey, ReceiptsPage};

use super::request::{get, post, read, sound, with_token};
use crate::clock;
use crate::prelude::*;

/// The status that says that a check goes on.
const ACCEPTED: u16 = 202;

/// Milliseconds after which it is asked after again.
const ASK_AGAIN: u32 = 1000;

/// The keys with which the server signs or has signed.
///
/// # Errors
/// See [`ApiError`].
pub async fn keys() -> Result<Vec<PublishedKey>, ApiError> {
    get("/api/keys").await
}

/// Receipts of a run: the first page, or the one after a cursor.
///
/// # Errors
/// See [`ApiError`].
pub async fn receipts(id: &RunId, after: Option<&str>) -> Result<ReceiptsPage, ApiError> {
    match after {
        None => get(&format!("/api/runs/{id}/receipts")).await,
        Some(after) => get(&format!("/api/runs/{id}/receipts?after={after}")).await,
    }
}

/// How a run stands on its board; `None` if it stands on none.
///
/// # Errors
/// See [`ApiError`]
pub async fn entry(id: &RunId) -> Result<Option<Admission>, ApiError> {
    get(&format!("/api/runs/{id}/entry")).await
}

/// Has the server check a run; nothing is published by it.
///
/// # Errors
/// See [`ApiError`]; why the run would be refused.
pub async fn check(id: &RunId, token: &str) -> Result<Admission, ApiError> {
    bare(&format!("/api/runs/{id}/check"), token).await
}

/// Publishes a run.
///
/// # Errors
/// See [`ApiError`]; why it is refused.
pub async fn publish(id: &RunId, token: &str) -> Result<Admission, ApiError> {
    bare(&format!("/api/runs/{id}/publish"), token).await
}

/// Takes a run off its board.
///
/// # Errors
/// See [`ApiError`].
pub async fn withdraw(id: &RunId, token: &str, reason: &Reason) -> Result<LogEntry, ApiError> {
    post(&format!("/api/runs/{id}/withdraw"), reason, Some(token)).await
}

/// Entries of the public log after a number, the oldest first; none after the last.
///
/// # Errors
/// See [`ApiError`].
pub async fn log(after: u64) -> Result<Vec<LogEntry>, ApiError> {
    get(&format!("/api/log?after={after}")).await
}

async fn bare<T: serde::de::DeserializeOwned>(path: &str, token: &str) -> Result<T, ApiError> {
    loop {
        let asked = with_token(Request::post(path), Some(token)).header("prefer", "respond-async");
        let answer = sound(asked.send().await).await?;
        // Proxies do not wait as long as the check of a large run takes.
        if answer.status() != ACCEPTED {
            return read(answer).await;
        }
        clock::sleep(ASK_AGAIN).await;
    }
}
