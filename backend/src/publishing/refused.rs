//! Why a run is refused, and what helps.

use turnwise_shared::prelude::*;
use turnwise_shared::verify::{Check, Wrong};
use turnwise_shared::wire::publishing::Refusal;

use crate::error::Problem;
use crate::store::Copied;

/// Why a branch stands on no board, and what does.
pub(super) const BRANCH: &str =
    "it goes on from another run's episode: its first turns were not its player's";
pub(super) const GRADED_BRANCH: &str = "it grades an episode again that goes on from another run's episode, and such an episode stands on no board, whoever grades it";
pub(super) const BRANCH_MEND: &str = "It can be read, checked and compared as it is. For a row on a board, play the tasks from their beginning in a run of their own.";

/// Why a visitor's run stands on no board, and what does.
pub(super) const VISITORS: &str = "it was opened without this server's access token";
pub(super) const VISITORS_MEND: &str = "With the token, run it again and publish that run.";

/// Why plays without a grader stand on no board, and what helps: a row without a number says nothing.
pub(super) const UNGRADED: &str = "nobody sits in the seat that grades its episodes";
pub(super) const UNGRADED_MEND: &str =
    "Grade the episodes again with somebody in that seat, and publish that.";

/// Why the episodes of another owner stand on no board under one's own grading, and what does.
pub(super) const OTHER_OWNER: &str =
    "it grades the episodes of a run again that was opened under another owner key, or under none";
pub(super) const OTHER_OWNER_MEND: &str =
    "Whoever opened that run can grade it again and publish that, with the same owner key.";

/// A run was not admitted.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It is not what it says.
    #[error("{0}")]
    Wrong(Refusal),
    /// Something else is in the way.
    #[error("{0}")]
    Problem(Problem),
}

impl<E: Into<Problem>> From<E> for Refused {
    fn from(error: E) -> Self {
        Refused::Problem(error.into())
    }
}

impl From<Wrong> for Refused {
    fn from(wrong: Wrong) -> Self {
        Refused::Wrong(refusal(wrong))
    }
}

fn refusal(wrong: Wrong) -> Refusal {
    Refusal {
        error: ApiError {
            code: wrong.check.name().to_owned(),
            message: wrong.words(),
            mend: mend(wrong.check).map(str::to_owned),
        },
        place: wrong.place,
    }
}

fn mend(check: Check) -> Option<&'static str> {
    match check {
        Check::Protocol => Some("Play it again with the server's version of the program."),
        Check::Plan => Some("Take the run up again, so that it comes to its end."),
        Check::Material => Some(
            "Only runs over the tasks and the prompt packs of this server can be checked by it.",
        ),
        Check::Imported => {
            Some("Play it here; what was played elsewhere can be read and compared.")
        }
        _ => None,
    }
}

pub(super) fn removed(said: &LogEntry) -> Refused {
    let why = format!("The operator has taken this run off its board: {}", said.reason);
    Problem::conflict(why).into()
}

pub(super) fn twice() -> Refused {
    let why = "another run with the same episodes stands on the same board";
    Wrong::whole(Check::Place, why).into()
}

pub(super) fn copied(copied: &Copied) -> Refused {
    let why = match copied {
        Copied::Plays(plays, of) => format!(
            "{plays} of its episodes are, to the letter, those of the run {of}, which stands on the same board; an episode counts once"
        ),
        Copied::Players(of) => format!(
            "the same built-in players play the same from the same seed in the run {of}, which stands on the same board"
        ),
    };
    Wrong::whole(Check::Place, &why).into()
}

pub(super) fn went_on() -> Refused {
    Problem::conflict("The run went on while it was checked.").mend("Publish it again.").into()
}

pub(super) fn no_place(why: &str, mend: &str) -> Refused {
    let mut refusal = refusal(Wrong::whole(Check::Place, why));
    refusal.error.mend = Some(mend.to_owned());
    Refused::Wrong(refusal)
}
