//! What can be wrong with a run, and which check finds it.

use crate::key::EpisodeKey;
use crate::wire::publishing::Place;

/// What is wrong with a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.words())]
pub struct Wrong {
    pub check: Check,
    /// Where, if it is about a transcript.
    pub place: Option<Place>,
    pub why: String,
}

impl Wrong {
    /// Something that is wrong with the run as a whole.
    pub fn whole(check: Check, why: impl Into<String>) -> Self {
        Wrong { check, place: None, why: why.into() }
    }

    pub(super) fn at(
        check: Check,
        episode: &EpisodeKey,
        line: Option<u64>,
        why: impl Into<String>,
    ) -> Self {
        Wrong { check, place: Some(Place { episode: episode.clone(), line }), why: why.into() }
    }

    /// In one sentence, with the place.
    pub fn words(&self) -> String {
        match &self.place {
            None => {
                let mut signs = self.why.chars();
                let first: String = signs.next().into_iter().flat_map(char::to_uppercase).collect();
                format!("{first}{}.", signs.as_str())
            }
            Some(Place { episode, line: None }) => format!("{episode}: {}.", self.why),
            Some(Place { episode, line: Some(line) }) => {
                format!("{episode}, line {line}: {}.", self.why)
            }
        }
    }
}

crate::choices! {
    /// The checks, in the order in which they are made.
    pub enum Check {
        /// The benchmark is one that is played here, in this version.
        Protocol = "other_protocol",
        /// The run may stand on its board: its episodes are its player's and its owner's, stand there once, and no player was shown
        /// what is hidden in its tasks.
        Place = "no_place",
        /// Tasks and prompt pack are those that the spec names.
        Material = "other_material",
        Receipts = "bad_receipts",
        /// An episode is planned, and all that are planned are there and complete.
        Plan = "not_as_planned",
        /// A transcript can be read, and its chain holds.
        Chain = "broken_chain",
        /// No line is withheld from a checker that must see all.
        Withheld = "withheld",
        /// A transcript was recorded here, so that there is something to check it by.
        Imported = "imported",
        /// A transcript is of this run: under its spec, of its tasks.
        Header = "other_header",
        /// Played again, every line is the same.
        Drift = "drift",
        /// Bots, dice and searches say the same again.
        Recomputed = "not_recomputed",
        /// What was sent is what the episode asked.
        Sent = "other_request",
        /// What the transcript has is what came back.
        Answer = "other_answer",
    }
}

impl Check {
    /// Those that a run can only fail if it is not what it says; others say that it cannot be checked, or has no place.
    pub const CONTRADICTED: [Check; 7] = [
        Check::Receipts,
        Check::Chain,
        Check::Header,
        Check::Drift,
        Check::Recomputed,
        Check::Sent,
        Check::Answer,
    ];
}
