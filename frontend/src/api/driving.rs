//! Who drives a run, asked of the server and reported to it.

use turnwise_shared::wire::driving::{Driving, TakeLease};

use super::request::{get, post};
use crate::prelude::*;

/// Says how a run stands now; with a lease as its driver, without one as its owner.
///
/// # Errors
/// See [`ApiError`]; `driven_elsewhere` if the lease is not the newest.
pub async fn set_state(id: &RunId, token: &str, wanted: &SetState) -> Result<RunInfo, ApiError> {
    post(&format!("/api/runs/{id}/state"), wanted, Some(token)).await
}

/// Takes the lease of a run.
///
/// # Errors
/// See [`ApiError`]; `driven_elsewhere` if another driver has it that may not be followed.
pub async fn take_lease(id: &RunId, token: &str, wish: &TakeLease) -> Result<Lease, ApiError> {
    post(&format!("/api/runs/{id}/lease"), wish, Some(token)).await
}

/// Who drives a run, how far that is, and how many of its calls were lost.
///
/// # Errors
/// See [`ApiError`].
pub async fn driving(id: &RunId) -> Result<Driving, ApiError> {
    get(&format!("/api/runs/{id}/drive")).await
}

/// The server is to drive a run from now on.
///
/// # Errors
/// See [`ApiError`]; the current driver goes on then.
pub async fn drive(id: &RunId, token: &str, wish: &Drive) -> Result<Driving, ApiError> {
    post(&format!("/api/runs/{id}/drive"), wish, Some(token)).await
}
