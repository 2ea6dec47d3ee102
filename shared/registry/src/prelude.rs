//! The nouns that nearly every file of server and web app needs: `use turnwise_shared::prelude::*;`.

pub use crate::registry::{self, BENCHMARKS};
pub use turnwise_core::benchmark::{Benchmark, TaskSource};
pub use turnwise_core::call::{CallTiming, ModelCall, Outgoing, Timing};
pub use turnwise_core::caps::{Caps, Spent};
pub use turnwise_core::day::Day;
pub use turnwise_core::effect::{CallId, Failure, FailureClass, Hit, Made, Query, Reply};
pub use turnwise_core::episode::Outcome;
pub use turnwise_core::evidence_tier::EvidenceTier;
pub use turnwise_core::hash::{Digest, hex};
pub use turnwise_core::key::{EpisodeKey, PartKey, RunId};
pub use turnwise_core::metrics::options::MeasureOptions;
pub use turnwise_core::metrics::prices::PriceBook;
pub use turnwise_core::metrics::report::{Column, Figure, Plot, Report, Unit};
pub use turnwise_core::metrics::summary::{Measured, Summary, summarise};
pub use turnwise_core::note::{Note, Observation, Tone, TurnKind};
pub use turnwise_core::picture::PictureRef;
pub use turnwise_core::prompt::{Ask, Departed, Expect, Pack, Role, Said, Stop, Usage, Variable};
pub use turnwise_core::run::{Progress, Question, Run, Ticket};
pub use turnwise_core::scene::{Block, CardTable, Cell, Scene};
pub use turnwise_core::seat::knob::Knob;
pub use turnwise_core::seat::{Effort, Lineup, Player, ReplyForm, Sampling, Seat, Sitting, Viewer};
pub use turnwise_core::spec::{BadSpec, Budget, Named, Profile, SearchSpec, Spec, WebSpec};
pub use turnwise_core::sweep;
pub use turnwise_core::task::{OPEN_FIELD, Task, TaskId, TaskSet, TaskSetOrigin};
pub use turnwise_core::transcript::{
    BranchOf, Event, Header, Origin, Part, Request, TaskRef, Transcript,
};
pub use turnwise_core::wire::boards::{Board, BoardHead, BoardId};
pub use turnwise_core::wire::budgets::{RunBudgets, SpendingBudget};
pub use turnwise_core::wire::driving::{Drive, Lease};
pub use turnwise_core::wire::live::{LiveInfo, LiveKind, LiveStage, SeatView};
pub use turnwise_core::wire::publishing::{Admission, Doubt, LogEntry};
pub use turnwise_core::wire::sharing::Visibility;
pub use turnwise_core::wire::{
    About, ApiError, CallAnswer, CallKey, EngineInfo, EpisodeHead, Filter, RunInfo, RunState,
    SetState, Stream,
};
