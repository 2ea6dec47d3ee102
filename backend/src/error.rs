//! Errors of the service: one shape ([`ApiError`]), constructors named by meaning.

use std::fmt::Display;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use turnwise_shared::wire::ApiError;
use turnwise_shared::wire::driving::DRIVEN_ELSEWHERE;

use crate::store::{MayBeOutage, StoreError};

/// The code of what is refused because the database cannot be used.
const OUTAGE: &str = "outage";

/// Seconds after which it is worth trying again.
const OUTAGE_RETRY: u64 = 5;

/// An error as it goes out: a status, a word for programs, a sentence for people, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error.message)]
pub struct Problem {
    pub status: StatusCode,
    pub error: ApiError,
    /// After how many seconds it is worth trying again, where that is known.
    pub retry_after: Option<u64>,
}

pub type Answer<T> = Result<T, Problem>;

impl Problem {
    fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Problem {
            status,
            error: ApiError { code: code.to_owned(), message: message.into(), mend: None },
            retry_after: None,
        }
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.error.mend = Some(mend.into());
        self
    }

    /// There is no such thing here.
    pub fn not_found(what: impl Display) -> Self {
        Problem::new(StatusCode::NOT_FOUND, "not_found", format!("There is no {what} here."))
    }

    /// The request cannot be understood.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// The request is understood, and what it says cannot be.
    pub fn unfit(message: impl Into<String>) -> Self {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", message)
    }

    /// The request is too large.
    pub fn too_large(limit: impl Display) -> Self {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("The request is larger than {limit} bytes."),
        )
        .mend("Send it in pieces.")
    }

    /// The body is of another type than JSON.
    pub fn not_json() -> Self {
        Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            "The body must be sent as application/json.",
        )
    }

    /// A token is missing.
    pub fn token_missing(which: &str) -> Self {
        Problem::new(StatusCode::UNAUTHORIZED, "token_missing", format!("This needs {which}."))
            .mend("Send it as \"Authorization: Bearer TOKEN\".")
    }

    /// A token is missing for a reason that the caller can mend.
    pub fn token_needed(why: impl Display) -> Self {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "token_missing",
            format!("This needs the operator's access token: {why}."),
        )
        .mend("Send it as \"Authorization: Bearer TOKEN\"; in the app it is entered under Connections.")
    }

    /// A token is wrong.
    pub fn token_wrong(which: &str) -> Self {
        Problem::new(StatusCode::UNAUTHORIZED, "token_wrong", format!("This is not {which}."))
    }

    /// The request comes from a page of another site, or under a name that is not ours.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Problem::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// The run is played at a live table now.
    pub fn sealed() -> Self {
        Problem::new(StatusCode::FORBIDDEN, "sealed", "The run is sealed until its table is over.")
            .mend("Look again when it has ended.")
    }

    /// The run was taken back by its owner; nothing else is shown of it.
    pub fn withdrawn() -> Self {
        Problem::new(StatusCode::GONE, "withdrawn", "The run was withdrawn by its owner.")
    }

    /// Another driver drives the run.
    pub fn driven_elsewhere() -> Self {
        Problem::new(StatusCode::CONFLICT, DRIVEN_ELSEWHERE, "Somebody else drives this run.")
            .mend("Look on, or take the run over.")
    }

    /// What is stored says otherwise.
    pub fn conflict(message: impl Into<String>) -> Self {
        Problem::new(StatusCode::CONFLICT, "conflict", message)
    }

    pub fn too_many(retry_after: u64) -> Self {
        Problem {
            retry_after: Some(retry_after),
            ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "Too many requests.")
                .mend(format!("Try again in {retry_after} s."))
        }
    }

    /// The path exists, the method does not.
    pub fn method_not_allowed() -> Self {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address cannot be asked in this way.",
        )
    }

    /// There is no room for more.
    pub fn full(message: impl Into<String>) -> Self {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "full", message)
    }

    /// Many do the same at once; nothing was kept.
    pub fn busy(message: impl Into<String>) -> Self {
        Problem {
            retry_after: Some(1),
            ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
                .mend("Try again in a moment.")
        }
    }

    /// The database cannot be used now; nothing was kept.
    pub fn outage(why: impl Display) -> Self {
        Problem {
            retry_after: Some(OUTAGE_RETRY),
            ..Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                OUTAGE,
                format!("The server cannot store anything now: {why}."),
            )
            .mend("Nothing of this was kept. Try again once that is mended; the server goes on by itself.")
        }
    }

    /// An error of the server. Its cause goes to the log; the caller learns only that it happened.
    pub fn internal(error: impl Display) -> Self {
        tracing::error!(%error, "a request failed inside the server");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "The server failed at this. Its log says more.",
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, axum::Json(self.error)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"turnwise\""),
            );
        }
        response
    }
}

impl MayBeOutage for Problem {
    fn is_outage(&self) -> bool {
        self.error.code == OUTAGE
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contended => Problem::busy(
                "Other servers wrote into the public log at the same time; nothing of this was kept.",
            ),
            error => match error.outage() {
                Some(why) => Problem::outage(why),
                None => Problem::internal(error),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_collides_in_the_log_is_told_to_try_again() {
        let problem = Problem::from(StoreError::Contended);
        assert_eq!(problem.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!((problem.error.code.as_str(), problem.retry_after), ("busy", Some(1)));
        assert!(problem.error.message.contains("public log"), "{problem}");
    }
}
