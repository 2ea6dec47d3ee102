//! Sharing: who may see a run, and the runs that branch from an episode.
//!
//! `POST /api/runs/{run}/visibility` (run token) takes a [`SetVisibility`] and answers with the run's head.
//! `GET /api/runs/{run}/episodes/{episode}/branches` gives [`Branch`]es, oldest first. Who may see a branch at first:
//! [`Visibility::of_branch`].

use serde::{Deserialize, Serialize};

use super::RunInfo;

crate::choices! {
    /// Who may see a run. The holder of its token always may.
    #[derive(Default)]
    pub enum Visibility {
        /// The holder of its token. For all others it is as if it were not there.
        Private = "private",
        /// Anyone who knows its address. It is listed nowhere but on the operator's own page.
        #[default]
        Unlisted = "unlisted",
        /// Everybody: it may also be listed, as a branch on the page of the episode that it branches from.
        Public = "public",
    }
}

impl Visibility {
    /// Who may see a run that goes on from an episode of a run with this visibility, if `wanted` is wished for it. It holds the
    /// lines from which it goes on, so that of a private play opens as private; its owner can show it to others later.
    pub fn of_branch(self, wanted: Visibility) -> Visibility {
        match self {
            Visibility::Private => Visibility::Private,
            Visibility::Unlisted | Visibility::Public => wanted,
        }
    }

    /// Whether it is the default.
    pub fn is_usual(&self) -> bool {
        *self == Visibility::default()
    }
}

/// `POST /api/runs/{run}/visibility`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetVisibility {
    /// Who may see it from now on.
    pub visibility: Visibility,
}

/// A run that goes on from a turn of an episode.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// The run; [`RunInfo::branch_of`] says from which turn.
    pub info: RunInfo,
    /// How its episode ended; absent while it is under way.
    pub ending: Option<String>,
    /// Its score, 0 to 1; absent while it is not graded, and where nothing is scored.
    pub score: Option<f64>,
    /// Its final answer, if the protocol has one.
    pub answer: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visibility_has_one_word_everywhere() {
        for visibility in Visibility::ALL {
            assert_eq!(Visibility::named(visibility.name()), Some(visibility));
            let json = serde_json::to_value(visibility).expect("JSON");
            assert_eq!(json, visibility.name());
        }
        assert_eq!(Visibility::named("PUBLIC"), None);
    }
}
