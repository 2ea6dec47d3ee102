//! Why an attempt at a service brought no answer, the same for models and for search engines.

use std::time::Duration;

use serde_json::{Value, json};
use turnwise_shared::prelude::*;

/// One attempt that brought no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderError {
    /// Why, as it may be shown and stored: no key, no address, no text of the service's.
    pub failure: Failure,
    /// How long the service asks to wait before the next attempt.
    pub retry_after: Option<Duration>,
    /// The service's own words; The client takes key and address out. They may repeat a prompt, so they are shown and stand in no
    /// transcript.
    pub words: Option<String>,
    /// Whether another attempt can help.
    pub again: Again,
    /// The status and the error, where the service reported one.
    pub(crate) told: Option<Box<(u16, Value)>>,
}

/// Whether another attempt can help.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Again {
    /// As the class of the failure has it.
    #[default]
    ByClass,
    /// No: the same call would meet the same limit of ours, and may be paid again.
    Never,
    /// Once the model is loaded, which takes no attempt.
    OnceLoaded,
    /// Once this machine can open a connection again ([`can_open_files`]), which is nothing that the service has to do with.
    OnceFilesOpen,
}

/// Whether this program may open another file or connection. Who cannot be reached because it may not has not failed.
pub fn can_open_files() -> bool {
    !cfg!(unix) || std::fs::File::open("/dev/null").is_ok()
}

impl ProviderError {
    /// A miss of a class, in a sentence.
    pub fn new(class: FailureClass, message: impl Into<String>) -> Self {
        Failure::new(class, message).into()
    }

    /// What a failed exchange was. The error's own words name the address, so they are not used.
    pub fn of_exchange(error: &reqwest::Error) -> ProviderError {
        if error.is_connect() && !can_open_files() {
            let what =
                "this program may open no more files (ulimit -n), so no connection can be made";
            ProviderError {
                again: Again::OnceFilesOpen,
                ..ProviderError::new(FailureClass::Server, what)
            }
        } else if error.is_connect() {
            let what = match error.is_timeout() {
                true => "the service cannot be reached in time (limits.connect_seconds)",
                false => "the service cannot be reached",
            };
            ProviderError::new(FailureClass::Connection, what)
        } else if error.is_timeout() {
            ProviderError::too_late()
        } else {
            ProviderError::new(
                FailureClass::Connection,
                "the connection was cut before the end of the answer",
            )
        }
    }

    /// Nothing came back in time.
    pub fn too_late() -> ProviderError {
        ProviderError::new(FailureClass::Timeout, "no answer in time")
    }

    /// The service answered with a status that is not success.
    pub(crate) fn of_status(status: u16) -> Self {
        let (class, what) = match status {
            401 | 403 => (FailureClass::Unauthorised, "refused the key"),
            402 => (FailureClass::Quota, "wants to be paid first"),
            429 => (FailureClass::RateLimited, "asked for fewer calls"),
            407 => (
                FailureClass::Blocked,
                "cannot be asked: the proxy before it wants a name and a password",
            ),
            408 | 409 | 425 => (FailureClass::Server, "could not answer now"),
            500.. => (FailureClass::Server, "failed"),
            300..=399 => {
                (FailureClass::Rejected, "answered with a redirect, which is not followed")
            }
            _ => (FailureClass::Rejected, "refused the request"),
        };
        let mut miss = ProviderError::new(class, format!("the service {what} (status {status})"));
        miss.failure.detail = json!({ "status": status });
        miss
    }
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        ProviderError { failure, retry_after: None, words: None, again: Again::ByClass, told: None }
    }
}
