//! The log: one line a request, without query, address of the caller, prompt or token.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{ParseError, Targets};

/// What is logged by default.
pub const DEFAULT: &str = "warn,turnwise_backend=info";

/// Libraries that print whole messages at their most talkative, tokens and prompts included.
const TOO_TALKATIVE: [&str; 2] = ["tungstenite", "tokio_tungstenite"];

/// The filter for what the operator wants to read (`TURNWISE_LOG`, else [`DEFAULT`]). Whatever is wanted, no library prints
/// messages.
///
/// # Errors
/// If it names neither levels nor modules with levels.
pub fn filter(wanted: Option<&str>) -> Result<Targets, ParseError> {
    let filter: Targets = wanted.unwrap_or(DEFAULT).parse()?;
    Ok(filter.with_targets(TOO_TALKATIVE.map(|library| (library, LevelFilter::INFO))))
}

/// Writes the line. A path is written as its route (`/api/runs/{run}`), because a client that knows a run's id may read it.
pub async fn requests(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "the web app".to_owned(), |path| path.as_str().to_owned());
    let started = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let took = started.elapsed().as_millis();
    if response.status().is_server_error() {
        tracing::warn!(%method, route, status, took, "answered");
    } else {
        tracing::debug!(%method, route, status, took, "answered");
    }
    response
}
