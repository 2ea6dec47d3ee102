//! Why a run could not be brought to a server.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::Refusal;

use crate::run_folder::FolderError;

/// A run could not be brought there.
#[derive(Debug, thiserror::Error)]
pub enum CannotSubmit {
    #[error("{0:?} is no address of a server; write one like http://127.0.0.1:8080")]
    Address(String),
    /// The server cannot be reached, or its answer is not understood.
    #[error("the server at {server} cannot be asked{proxy}: {error}")]
    Network {
        server: String,
        /// What is to be known of proxies; empty where there is none.
        proxy: String,
        error: reqwest::Error,
    },
    /// The server redirects the request to another address.
    #[error(
        "the server at {server} redirects to {to}. Keys are not sent to another address than the one that was named: if you \
         know the new one, name it with --to (or --from)"
    )]
    Moved {
        server: String,
        /// Where it says it is.
        to: String,
    },
    /// Something before the server does not wait for the check.
    #[error(
        "a proxy before the server gave up (status {0}): it does not wait until the run is checked. The check may have gone on: submit \
         again with the same command to ask for its outcome, or let the proxy wait longer"
    )]
    GivenUp(reqwest::StatusCode),
    #[error("{}{}", .0.message, .0.mend.as_deref().map(|mend| format!(" {mend}")).unwrap_or_default())]
    Refused(ApiError),
    /// The run was checked and is not what it says.
    #[error("{}{}", .0.error.message, .0.error.mend.as_deref().map(|mend| format!(" {mend}")).unwrap_or_default())]
    Wrong(Box<Refusal>),
    /// A file cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file cannot be read or written.
    #[error("{file}: {error}")]
    File { file: String, error: std::io::Error },
    /// The folder holds no run.
    #[error("{0} holds no run: it has no run.json")]
    NoRun(String),
    /// A line is too long for any request.
    #[error("{0} has a line that is longer than a request may be")]
    LongLine(EpisodeKey),
}
