//! How long people thought. It lies beside the transcripts (ARCHITECTURE.md, rule 1): the page that asked them reports it,
//! and it cannot be checked.

use serde::{Deserialize, Serialize};

use crate::effect::CallId;
use crate::key::EpisodeKey;

/// What of a person's time one call took, as `POST /api/runs/{run}/thinking` has it, a list at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thought {
    pub episode: EpisodeKey,
    pub call: CallId,
    /// Milliseconds since 1970 at which the question first came up.
    pub started: u64,
    /// Milliseconds for which it lay in front of the person.
    pub took: u64,
}
