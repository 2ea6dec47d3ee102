//! The nouns of the contract, which nearly every file of a benchmark needs: `use turnwise_core::prelude::*;`.

pub use crate::benchmark::{Asked, BadTasks, Benchmark, Facts};
pub use crate::effect::{CallId, Effect, Failure, FailureClass, Reply};
pub use crate::episode::{Episode, Outbox, Outcome, Step};
pub use crate::hash::Digest;
pub use crate::metrics::options::MeasureOptions;
pub use crate::metrics::report::Report;
pub use crate::metrics::summary::{Measured, Summary};
pub use crate::note::{Fault, Note, Observation, Reading, Tone, Turn, TurnKind};
pub use crate::prompt::{Ask, Expect, Message, Pack, Role, Said, ThreadId, Variable};
pub use crate::scene::{Block, Scene};
pub use crate::seat::{Player, Sampling, Seat, Viewer};
pub use crate::spec::{BadSpec, Budget, Profile, Spec};
pub use crate::task::{Task, TaskId, TaskSet};
pub use crate::transcript::{TaskRef, Transcript};
