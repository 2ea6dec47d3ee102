//! Why a connection ends, as its close frame says it.

use turnwise_shared::wire::driving::OVERTAKEN;

use super::super::frames;
use crate::limits::Refused;

#[derive(Debug)]
pub(super) struct End {
    pub(super) code: u16,
    pub(super) reason: String,
}

impl End {
    pub(super) fn new(code: u16, reason: impl Into<String>) -> Self {
        End { code, reason: reason.into() }
    }

    pub(super) fn overtaken() -> Self {
        End::new(OVERTAKEN, "somebody else drives the run")
    }

    pub(super) fn refused(refused: Refused, most: usize) -> Self {
        let (code, reason) = frames::refusal(refused, most);
        End { code, reason }
    }

    pub(super) fn not_understood(reason: impl Into<String>) -> Self {
        End::new(4400, reason)
    }
}
