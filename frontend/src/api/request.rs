//! How requests go out and answers come in: tokens, errors in the service's shape.

use gloo_net::http::{Request, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnwise_shared::key::RunId;
use turnwise_shared::wire::ApiError;

use super::{UNREACHABLE, UNREADABLE, early, error};
use crate::{keep, owner};

pub(super) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, ApiError> {
    read(ask(path).await?).await
}

/// Gets what an address has in the name of the run's owner, if this browser opened it.
pub(super) async fn get_as_owner<T: DeserializeOwned>(
    run: &RunId,
    path: &str,
) -> Result<T, ApiError> {
    match token_of(run).await {
        Some(token) => read(send(Request::get(path), Some(&token)).await?).await,
        None => get(path).await,
    }
}

/// Gets what an address has; of a run that was made private here, with the run's token. A run of this browser that the server does
/// not show to everybody (it may grade private plays again) is asked for once more, with its token.
pub(super) async fn ask(path: &str) -> Result<Response, ApiError> {
    let run = run_of(path);
    let own = match &run {
        Some(run) if keep::private_runs().contains(run) => token_of(run).await,
        Some(_) | None => None,
    };
    let is_own = own.is_some();
    let token = own.or_else(keep::access_token);
    let early = match &token {
        None => early::answer(path).await,
        Some(_) => None,
    };
    let answer = match early {
        Some(answer) => sound(Ok(answer)).await,
        None => send(Request::get(path), token.as_deref()).await,
    };
    match (answer, run) {
        (Err(problem), Some(run)) if problem.code == "not_found" && !is_own => {
            match token_of(&run).await {
                Some(token) => send(Request::get(path), Some(&token)).await,
                None => Err(problem),
            }
        }
        (answer, _) => answer,
    }
}

/// The run that an address belongs to; a live table has its run's id.
fn run_of(path: &str) -> Option<RunId> {
    let rest = path.strip_prefix("/api/runs/");
    let rest = rest.or_else(|| path.strip_prefix("/api/live/"))?;
    rest.split(['/', '?']).next()?.parse().ok()
}

/// The token of a run, if this browser opened it.
async fn token_of(run: &RunId) -> Option<String> {
    Some(keep::run(run).await.ok()??.token)
}

pub(super) async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
    token: Option<&str>,
) -> Result<T, ApiError> {
    let request = with_token(Request::post(path), token).json(body).map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

/// Opens a run or a table in the name of this browser's owner key.
pub(super) async fn open<T: DeserializeOwned>(
    path: &str,
    wanted: &impl Serialize,
) -> Result<T, ApiError> {
    let request = match owner::key() {
        Some(key) => Request::post(path).header("Turnwise-Owner-Key", &key),
        None => Request::post(path),
    };
    let request = with_token(request, None).json(wanted).map_err(|_| unsendable())?;
    read(sound(request.send().await).await?).await
}

pub(super) async fn send(
    request: RequestBuilder,
    token: Option<&str>,
) -> Result<Response, ApiError> {
    sound(with_token(request, token).send().await).await
}

/// A run's own token where a run is changed, else the operator's access token, if this browser was given one.
pub(super) fn with_token(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token.map(str::to_owned).or_else(keep::access_token) {
        Some(token) => request.header("Authorization", &format!("Bearer {token}")),
        None => request,
    }
}

pub(super) async fn sound(answer: Result<Response, gloo_net::Error>) -> Result<Response, ApiError> {
    let answer = answer.map_err(|_| ApiError {
        mend: Some("Check that the server runs, then try again.".to_owned()),
        ..error(UNREACHABLE, "The server cannot be reached.")
    })?;
    if answer.ok() {
        return Ok(answer);
    }
    let status = answer.status();
    Err(match answer.json::<ApiError>().await {
        // The server tells scripts where a token belongs; here a person has to type it.
        Ok(error) if status == 401 => ApiError {
            mend: Some("Type the operator's access token on the page “Connections”.".to_owned()),
            ..error
        },
        Ok(error) => error,
        Err(_) => error("unexpected", format!("The server answered with status {status}.")),
    })
}

pub(super) async fn read<T: DeserializeOwned>(answer: Response) -> Result<T, ApiError> {
    answer.json().await.map_err(|_| unreadable())
}

pub(super) fn unreadable() -> ApiError {
    ApiError {
        mend: Some("Load this page again: the server may be newer than the page.".to_owned()),
        ..error(UNREADABLE, "The server's answer could not be read.")
    }
}

pub(super) fn unsendable() -> ApiError {
    error("unsendable", "The request could not be built.")
}
