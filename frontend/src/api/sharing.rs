//! Who may see a run, and the runs that go on from its episodes.

use turnwise_shared::wire::sharing::{Branch, SetVisibility};

use super::episode_path;
use super::request::{get, post};
use crate::prelude::*;

/// Says who may see a run from now on.
///
/// # Errors
/// See [`ApiError`].
pub async fn set_visibility(
    id: &RunId,
    token: &str,
    visibility: Visibility,
) -> Result<RunInfo, ApiError> {
    let wanted = SetVisibility { visibility };
    let path = format!("/api/runs/{id}/visibility");
    post(&path, &wanted, Some(token)).await
}

/// The public runs that go on from an episode, oldest first.
///
/// # Errors
/// See [`ApiError`].
pub async fn branches(id: &RunId, play: &EpisodeKey) -> Result<Vec<Branch>, ApiError> {
    get(&format!("{}/branches", episode_path(id, play))).await
}
