//! The nouns of the contract, which nearly every file of a benchmark needs: `use turnwise_core::prelude::*;`.

pub use crate::benchmark::schema::{Holds, Schema, entry};
pub use crate::benchmark::{Asked, BadTasks, Benchmark, BotInfo, Dice, Facts, SeatInfo};
pub use crate::effect::{CallId, Effect, Failure, FailureClass, Reply};
pub use crate::episode::{Episode, Outbox, Outcome, Step};
pub use crate::hash::Digest;
pub use crate::json::{Dialect, Json, Object};
pub use crate::kit::rows::{BadRow, Fields};
pub use crate::metrics::metric::{Better, HEADLINE, Metric, Section, metric};
pub use crate::metrics::options::MeasureOptions;
pub use crate::metrics::proportion::Share;
pub use crate::metrics::report::{
    Column, Curve, Figure, Plot, Point, Report, Table, TableRow, Unit,
};
pub use crate::metrics::summary::{Measured, Summary};
pub use crate::note::{Fault, Note, Observation, Reading, Tone, Turn, TurnKind};
pub use crate::prompt::{
    ActionForm, Ask, Expect, Message, Pack, Role, Said, ThreadId, Variable, Written,
};
pub use crate::scene::{Block, Scene};
pub use crate::seat::{Player, Sampling, Seat, Viewer};
pub use crate::spec::{BadSpec, Budget, Profile, Spec};
pub use crate::task::{Task, TaskId, TaskSet, TaskSetOrigin};
pub use crate::transcript::{Event, TaskRef, Transcript};
pub use crate::{choices, saturated, settings, templates};
