//! Which runs a request may read and change.

use turnwise_shared::key::{RunId, demo};

use crate::App;
use crate::error::{Answer, Problem};
use crate::store::{Reader, Reading, RunHead};

/// The run that an address names, for the reader with this token, if any. Everything that is shown of a run passes here: a private
/// run is refused as one that does not exist, and a withdrawn one as withdrawn.
///
/// # Errors
/// If the server has none of that id for this reader, or it is sealed or withdrawn.
pub async fn find(app: &App, run: &str, token: Option<&str>) -> Answer<RunHead> {
    let none = || {
        Problem::not_found("such run").mend(
            "The address may be mistyped, the run may be private, or it lies on another server.",
        )
    };
    let id: RunId = run.parse().map_err(|_| none())?;
    let reader = Reader::of(token);
    let head = app.store().run_head_for(&id, &reader).await?;
    open_to_readers(head.ok_or_else(none)?)
}

/// The current state of the same run, for a reader who was let in before.
///
/// # Errors
/// If it is gone, sealed or withdrawn.
pub async fn again(app: &App, run: &RunId) -> Answer<RunHead> {
    let head = app.store().run_head(run).await?;
    open_to_readers(head.ok_or_else(|| Problem::not_found("such run"))?)
}

fn open_to_readers(run: RunHead) -> Answer<RunHead> {
    match run.reading {
        Reading::Free => Ok(run),
        Reading::Sealed => Err(Problem::sealed()),
        Reading::Withdrawn => Err(Problem::withdrawn()),
    }
}

/// The run that an address names, if the caller has its token.
///
/// # Errors
/// If the server has none of that id, or the token is missing or of another run.
pub async fn owned(app: &App, run: &str, token: Option<&str>) -> Answer<RunHead> {
    const WHICH: &str = "the run's own token";
    let run = find(app, run, token).await?;
    let token = token.ok_or_else(|| Problem::token_missing(WHICH))?;
    if run.is_owned_by(Some(token)) { Ok(run) } else { Err(Problem::token_wrong(WHICH)) }
}

/// The same; the demo, whose token no client has, is changed by a caller with the operator's access.
///
/// # Errors
/// As [`owned`].
pub async fn owned_or_demo(
    app: &App,
    run: &str,
    token: Option<&str>,
    is_operator: bool,
) -> Answer<RunHead> {
    match is_operator && run == demo().as_str() {
        true => find(app, run, None).await,
        false => owned(app, run, token).await,
    }
}

/// Whether what was played in a run may still change: not while it stands on a board, and never if people played it at a table.
///
/// # Errors
/// If it does, or the store fails.
pub async fn may_change(app: &App, run: &RunId) -> Answer<()> {
    match app.store().is_settled(run).await? {
        false => Ok(()),
        true => Err(Problem::conflict(
            "The run stands on a board or was played at a table, so nothing of it changes any more.",
        )
        .mend("Take it off its board first; what people played at a table stays as it is.")),
    }
}
