//! What benchmarks draw themselves on pages that are made of their declarations otherwise. A benchmark that is not named here works
//! completely.
//!
//! Only parts of the app that are loaded later may name anything here ([`crate::later`]).

mod infodeepseek;
mod paraworld;
mod poker;
mod trust;
mod ui2html;
mod worlds;

use crate::address::Config;
use crate::at_table::ends::{End, Over};
use crate::components::felt::Shares;
use crate::components::loaded::Loaded;
use crate::components::picture::Album;
use crate::components::play::forms::Begins;
use crate::live_seat::LiveSeat;
use crate::prelude::*;
use crate::view::asked::Word;
use crate::view::timeline::Timeline;

/// What a benchmark draws itself; everything that is absent is made of what it declares.
pub trait Screen: Sync {
    /// What **New run** shows below the choice of a task set.
    fn tasks(&self, _draft: TaskChoice) -> Option<AnyView> {
        None
    }

    /// Buttons in the head of a run's page.
    fn run_tools(
        &self,
        _id: RunId,
        _spec: Spec,
        _snapshot: RwSignal<Arc<Snapshot>>,
    ) -> Option<AnyView> {
        None
    }

    /// The page of a seat at a live table.
    fn table(&self, _seat: LiveSeat) -> Option<AnyView> {
        None
    }

    /// What came of a live table.
    fn end(&self, _over: &Over<'_>) -> Option<End> {
        None
    }

    /// What a person answers a question with.
    fn answer_form(&self, _question: &Question) -> Option<OwnForm> {
        None
    }

    /// With what the forms of a question begin.
    fn begins(&self, _question: &Question) -> Begins {
        Begins::default()
    }

    /// A part of a request as it is shown to a person.
    fn part(&self, _name: &str, _text: &str) -> Option<AnyView> {
        None
    }

    /// The names of a request's pictures, in their order.
    fn pictures(&self) -> &'static [&'static str] {
        &[]
    }

    /// What stands above the turns of an episode on its page.
    fn stage(&self, _episode: &Staged) -> Option<AnyView> {
        None
    }

    /// Turns that a reader of a game jumps to.
    fn jump(&self) -> Option<Jump> {
        None
    }

    /// How much of the pot each hand wins on average, all cards known.
    fn shares(&self, _table: &CardTable) -> Option<Shares> {
        None
    }
}

/// Which tasks are chosen for a new run.
#[derive(Clone, Copy)]
pub struct TaskChoice {
    pub config: RwSignal<Config>,
    /// The chosen task set, as far as it is at hand.
    pub tasks: RwSignal<Loaded<Arc<TaskSet>>>,
    /// How far a set is that is built in this page.
    pub making: RwSignal<Making>,
}

/// How far a set of tasks is that is built in this page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Making {
    pub done: u32,
    /// Tasks in all; 0 if none are made.
    pub of: u32,
}

/// An episode as a benchmark may draw it.
#[derive(Clone)]
pub struct Staged {
    pub timeline: Arc<Timeline>,
    pub graded: Option<Arc<Timeline>>,
    /// With its hidden fields, where it is at hand.
    pub task: Option<Task>,
    /// `None` for an episode that came in a link or a file.
    pub album: Option<Album>,
    /// The turn at which the reader is.
    pub now: Signal<Option<u32>>,
    /// Wishes to be at another.
    pub go: Callback<Option<u32>>,
    /// Whether hidden text is shown.
    pub revealed: Signal<bool>,
}

/// Turns that a reader of a game jumps to.
#[derive(Clone, Copy)]
pub struct Jump {
    pub name: &'static str,
    /// Whether the cell at a place of a ribbon is one.
    pub finds: fn(&[Cell], usize) -> bool,
}

/// What a person answers a question with, where a benchmark says it.
pub enum OwnForm {
    /// One of a few words.
    Words(Vec<Word>),
    Controls {
        /// Parts of the request that stand among the controls.
        lists: &'static [&'static str],
        /// Draws them: whether the question is still open, and what takes the answer.
        draw: Box<dyn FnOnce(Signal<bool>, Callback<String>) -> AnyView>,
    },
}

const SCREENS: &[(&str, &dyn Screen)] = &[
    ("infodeepseek", &infodeepseek::Search),
    ("paraworld", &paraworld::World),
    ("worlds", &worlds::Studio),
    ("poker", &poker::Cards),
    ("trust", &trust::Match),
    ("ui2html", &ui2html::Pages),
];

/// What a benchmark draws itself.
pub fn screen(benchmark: &str) -> Option<&'static dyn Screen> {
    let found = SCREENS.iter().find(|(name, _)| *name == benchmark);
    found.map(|(_, screen)| *screen)
}

/// How much of the pot each hand of a table wins on average, by the benchmark that knows its cards.
pub fn shares(table: &CardTable) -> Option<Shares> {
    SCREENS.iter().find_map(|(_, screen)| screen.shares(table))
}
