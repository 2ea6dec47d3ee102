//! What a visitor without the access token may open, as long as it costs the operator nothing: a branch of an episode that they
//! may read, a run of a benchmark's samples, and a table at which they practise. Server and page decide it alike.

use std::fmt;

use crate::benchmark::Benchmark;
use crate::evidence_tier::Attendance;
use crate::seat::{Player, Seat};
use crate::spec::{Spec, WebSpec};
use crate::wire::EngineInfo;
use crate::wire::live::{LiveKind, OpenLive};

/// The most episodes of a run or table that a visitor opens.
pub const MOST_EPISODES: u64 = 100;

/// The most bytes of all transcripts of such a branch or run.
pub const MOST_BYTES: u64 = 4_000_000;

/// The most calls of such a branch or run. None of them is paid: they are searches in an index of the server's own.
pub const MOST_CALLS: u64 = 500;

/// The most calls that the spec of a visitor's table allows each episode. An episode can be a whole table of many hands, and built-in
/// players play what is left of it without a pause once every person is out; the largest table of the page needs 5,800.
pub const MOST_TABLE_CALLS: u32 = 6_000;

/// What of a branch, run or table the operator's access token is needed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Needs {
    /// A model sits in this seat.
    Model(Seat),
    /// This search engine is not an index of the server's own.
    Search(String),
    /// It reads pages of the live web.
    Web,
    /// What is hidden in its tasks is asked of the server, and every answer tells a little of it.
    Sealed,
    /// Its tasks are not the benchmark's samples.
    Tasks,
    /// It has more episodes than a visitor may have.
    Episodes,
    /// It has a budget of its own, or allows an episode more calls than a visitor's table may; the server gives visitors theirs.
    Budget,
    /// It is a table that counts, or at which people play as people.
    Rated,
}

/// The first thing for which a run of its own needs the access token; `None` if any visitor may open it.
pub fn run_needs_token(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    episodes: u64,
    engines: &[EngineInfo],
    is_sealed: bool,
) -> Option<Needs> {
    if benchmark.reads_tasks() && spec.tasks.digest != benchmark.samples().digest {
        return Some(Needs::Tasks);
    }
    if episodes > MOST_EPISODES {
        return Some(Needs::Episodes);
    }
    needs_token(spec, engines, is_sealed)
}

/// The first thing for which a table needs the access token; `None` if any visitor may open it.
pub fn table_needs_token(
    benchmark: &dyn Benchmark,
    wanted: &OpenLive,
    episodes: u64,
    engines: &[EngineInfo],
    is_sealed: bool,
) -> Option<Needs> {
    if wanted.kind != LiveKind::Practice || wanted.attendance != Attendance::Unattended {
        return Some(Needs::Rated);
    }
    if wanted.spec.budget.calls > MOST_TABLE_CALLS {
        return Some(Needs::Budget);
    }
    run_needs_token(benchmark, &wanted.spec, episodes, engines, is_sealed)
}

/// The first thing for which a branch needs the access token; `None` if any visitor may open it.
pub fn needs_token(spec: &Spec, engines: &[EngineInfo], is_sealed: bool) -> Option<Needs> {
    if is_sealed {
        return Some(Needs::Sealed);
    }
    let model =
        spec.seats.iter().find(|(_, sitting)| matches!(sitting.player, Player::Model { .. }));
    if let Some((seat, _)) = model {
        return Some(Needs::Model(seat.clone()));
    }
    if spec.web == Some(WebSpec::Live) {
        return Some(Needs::Web);
    }
    let search = spec.search.as_ref()?;
    let engine = &search.engine;
    let is_own = search.frozen_engine().is_some()
        || engines.iter().any(|one| one.name == *engine && one.format == EngineInfo::LOCAL);
    (!is_own).then(|| Needs::Search(engine.clone()))
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Needs::Model(seat) => write!(f, "a model sits in the seat {seat}"),
            Needs::Search(engine) => {
                write!(f, "{engine} is not a search index of the server's own")
            }
            Needs::Web => f.write_str("it reads pages of the live web"),
            Needs::Sealed => f.write_str("the tasks are sealed"),
            Needs::Tasks => f.write_str("the tasks are not the benchmark's samples"),
            Needs::Episodes => write!(f, "it has more than {MOST_EPISODES} episodes"),
            Needs::Budget => f.write_str("a visitor cannot choose this budget"),
            Needs::Rated => f.write_str("the table is not for practice"),
        }
    }
}
