//! Extractors whose refusals have the shape of every other error.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{Answer, Problem};

/// What stands after the `?` of an address.
#[derive(Debug)]
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Answer<Self> {
        Query::try_from_uri(&parts.uri)
            .map(|Query(params)| Params(params))
            .map_err(|bad| Problem::bad_request(format!("{}.", bad.body_text())))
    }
}

/// The named parts of an address's path.
#[derive(Debug)]
pub struct PathParam<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParam<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        Path::from_request_parts(parts, state)
            .await
            .map(|Path(place)| PathParam(place))
            .map_err(|bad| Problem::bad_request(format!("{}.", bad.body_text())))
    }
}
