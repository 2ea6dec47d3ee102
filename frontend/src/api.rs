//! The one door to the server: HTTP and the socket, typed by `shared::wire`. No other file names gloo-net.

use gloo_net::http::{Request, Response};
use serde::de::DeserializeOwned;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::{About, ApiError, RunId, RunInfo};

/// An error in the service's shape, made here.
pub fn error(code: &str, message: impl Into<String>) -> ApiError {
    ApiError {
        code: code.to_owned(),
        message: message.into(),
        mend: None,
    }
}

/// What the server offers.
///
/// # Errors
/// See [`ApiError`].
pub async fn about() -> Result<About, ApiError> {
    get("/api/about").await
}

/// The head of a run.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has no such run.
pub async fn run(id: &RunId) -> Result<RunInfo, ApiError> {
    get(&format!("/api/runs/{id}")).await
}

/// A transcript as the server has it.
///
/// # Errors
/// See [`ApiError`]; `not_found` if the server has none of it.
pub async fn transcript(id: &RunId, episode: &EpisodeKey) -> Result<String, ApiError> {
    let path = format!("/api/runs/{id}/episodes/{episode}");
    let answer = sound(Request::get(&path).send().await).await?;
    answer.text().await.map_err(|_| unreadable())
}

/// A task set's file, as it lies on the server.
///
/// # Errors
/// See [`ApiError`].
pub async fn task_bytes(name: &str) -> Result<Vec<u8>, ApiError> {
    let path = format!("/api/tasks/{name}");
    let answer = sound(Request::get(&path).send().await).await?;
    answer.binary().await.map_err(|_| unreadable())
}

async fn get<T: DeserializeOwned>(path: &str) -> Result<T, ApiError> {
    let answer = sound(Request::get(path).send().await).await?;
    answer.json().await.map_err(|_| unreadable())
}

async fn sound(answer: Result<Response, gloo_net::Error>) -> Result<Response, ApiError> {
    let answer = answer.map_err(|_| error("unreachable", "The server cannot be reached."))?;
    if answer.ok() {
        return Ok(answer);
    }
    let status = answer.status();
    Err(match answer.json::<ApiError>().await {
        Ok(error) => error,
        Err(_) => error(
            "unexpected",
            format!("The server answered with status {status}."),
        ),
    })
}

fn unreadable() -> ApiError {
    error("unreadable", "The server's answer could not be read.")
}
