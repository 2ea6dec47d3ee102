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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::default_spec;
    use crate::benchmarks::interactcomp::InteractComp;
    use crate::spec::SearchSpec;
    use crate::wire::Promise;

    fn engine(name: &str, format: &str) -> EngineInfo {
        EngineInfo {
            name: name.to_owned(),
            format: format.to_owned(),
            promise: Promise::Stable,
            documents: None,
            corpus: None,
        }
    }

    #[test]
    fn what_costs_nothing_needs_no_token() {
        let engines = [engine("local", "local"), engine("web", "brave")];
        let mut spec = default_spec(&InteractComp);
        assert_eq!(
            needs_token(&spec, &engines, false),
            None,
            "it searches nowhere"
        );
        spec.search = Some(SearchSpec {
            engine: "local".to_owned(),
            corpus: None,
            results: 5,
        });
        assert_eq!(needs_token(&spec, &engines, false), None);
        assert_eq!(needs_token(&spec, &engines, true), Some(Needs::Sealed));
        let before = spec.search.replace(SearchSpec {
            engine: "web".to_owned(),
            corpus: None,
            results: 5,
        });
        let web = Needs::Search("web".to_owned());
        assert_eq!(needs_token(&spec, &engines, false), Some(web));
        // An engine that is not there any more may have cost something.
        assert!(needs_token(&spec, &[], false).is_some());
        spec.search = before;
        let grader = Seat::new("grader");
        let sitting = spec.seats.get_mut(&grader).expect("a grader");
        sitting.player = "model:lab/m".parse().expect("a model");
        assert_eq!(
            needs_token(&spec, &engines, false),
            Some(Needs::Model(grader))
        );
    }
}
