//! What somebody may open who has no access token: a branch of a play that they may read, as long as it costs the operator nothing.
//! Server and page decide it alike.

use std::fmt;

use crate::seat::{Player, Seat};
use crate::spec::Spec;
use crate::wire::EngineInfo;

/// The most bytes of all transcripts of such a branch.
pub const MOST_BYTES: u64 = 4_000_000;

/// The most calls of such a branch. None of them is paid: they are searches in an index of the server's own.
pub const MOST_CALLS: u64 = 500;

/// What of a branch the operator's access token is needed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Needs {
    /// A model sits in this seat.
    Model(Seat),
    /// This search engine is not an index of the server's own.
    Search(String),
    /// What is hidden in its tasks is asked of the server, and every answer tells a little of it.
    Sealed,
}

/// The first thing for which a branch needs the access token; `None` if anybody may open it.
pub fn needs_token(spec: &Spec, engines: &[EngineInfo], is_sealed: bool) -> Option<Needs> {
    if is_sealed {
        return Some(Needs::Sealed);
    }
    let model = spec
        .seats
        .iter()
        .find(|(_, sitting)| matches!(sitting.player, Player::Model { .. }));
    if let Some((seat, _)) = model {
        return Some(Needs::Model(seat.clone()));
    }
    let engine = &spec.search.as_ref()?.engine;
    let is_own = engines
        .iter()
        .any(|one| one.name == *engine && one.format == EngineInfo::LOCAL);
    (!is_own).then(|| Needs::Search(engine.clone()))
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Needs::Model(seat) => write!(f, "a model sits in the seat {seat}"),
            Needs::Search(engine) => {
                write!(f, "{engine} is not a search index of the server's own")
            }
            Needs::Sealed => f.write_str("the tasks are sealed"),
        }
    }
}
