//! Opening a run that goes on from a turn of another run's play, and taking it up again.

use turnwise_shared::run::FAILURES_IN_A_ROW;

use super::{Kin, NotStarted, ingredients, open};
use crate::prelude::*;
use crate::{api, keep, library, live};

/// Calls in flight at once; one episode needs few.
const IN_FLIGHT: u32 = 8;

/// An episode that a player goes on with.
pub struct Branching {
    pub of: BranchOf,
    pub parent: Transcript,
    /// Its spec with others in its seats; a recording stands here as itself.
    pub spec: Spec,
    /// A name for people; may be empty.
    pub title: String,
    /// The whole set of tasks.
    pub tasks: TaskSet,
    pub pack: Pack,
    /// Who may see the branch.
    pub visibility: Visibility,
}

/// Opens a run that goes on from an episode, and drives it in this page.
///
/// # Errors
/// [`NotStarted`]; nothing was opened then, unless this browser keeps nothing.
pub async fn branch(branching: Branching) -> Result<RunId, NotStarted> {
    let Branching { of, parent, spec, title, tasks, pack, visibility } = branching;
    let recordings = library::recordings(&spec).await.map_err(NotStarted::Server)?;
    let parent_token = keep::run(&of.run).await.ok().flatten();
    let benchmark = library::benchmark(&spec.benchmark).map_err(NotStarted::Server)?;
    let ingredients = ingredients(benchmark, spec.clone(), tasks, pack, recordings, IN_FLIGHT);
    let mut run = Run::branching(ingredients, of.clone()).map_err(NotStarted::Spec)?;
    run = run.reading(library::archives(&spec).await.map_err(NotStarted::Server)?);
    run.take_over(&parent)
        .map_err(|bad| NotStarted::Server(api::error("bad_branch", bad.to_string())))?;
    let kin = Kin {
        branch_of: Some(of),
        parent_token: parent_token.map(|kept| kept.token),
        visibility,
        ..Kin::default()
    };
    open(run, spec, title, (IN_FLIGHT, FAILURES_IN_A_ROW), kin).await
}

/// Gives a branch the lines of its parent, if it was taken up before any of its own were kept.
///
/// # Errors
/// If the parent is not to be had any more, or does not fit.
pub(super) async fn begin(run: &mut Run) -> Result<(), ApiError> {
    let Some(of) = run.branch_of().cloned() else {
        return Ok(());
    };
    let is_begun = run.session(&of.episode).is_some() || run.ended_last().is_some();
    if is_begun {
        return Ok(());
    }
    let text = live::transcript(&of.run, &of.episode).await?;
    let parent = transcript::read(&text)
        .map_err(|bad| api::error("unreadable_play", format!("{}: {bad}", of.episode)))?;
    run.take_over(&parent).map_err(|bad| api::error("bad_branch", bad.to_string()))
}
