//! Something that is being loaded.

use turnwise_shared::wire::ApiError;

/// Something that is being loaded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Loaded<T> {
    Loading,
    Ready(T),
    Failed(ApiError),
}

impl<T> Loaded<T> {
    pub fn ready(&self) -> Option<&T> {
        match self {
            Loaded::Ready(value) => Some(value),
            Loaded::Loading | Loaded::Failed(_) => None,
        }
    }

    pub fn problem(&self) -> Option<ApiError> {
        match self {
            Loaded::Failed(problem) => Some(problem.clone()),
            Loaded::Loading | Loaded::Ready(_) => None,
        }
    }
}
