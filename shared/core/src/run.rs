//! A whole run without clock, network or files: episodes, scheduler, bots, dice and recordings behind one `poll` and one `tell`.
//!
//! The driver receives what to send out ([`Action::Call`]), what to keep ([`Action::Lines`]) and what has ended
//! ([`Action::Ended`]), and passes on what came back. Everything that needs no outside (bots, dice, recordings) is answered here,
//! so that every driver answers it alike.

mod branch;
mod episodes;
pub mod estimate;
mod guard;
mod pausing;
mod permits;
mod person;
mod progress;
mod regrade;
pub(crate) mod shelf;
pub(crate) mod table;

pub use branch::{BadBranch, Cut, begins_with, check as check_branch, cut};
pub use guard::{FAILURES_IN_A_ROW, Halt};
pub use permits::limits;
pub use person::{Question, parts};
pub use progress::{Progress, Reason};
pub use regrade::{grades_alike, without_seats};
pub use shelf::again;
pub use table::draw;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use guard::{Guard, Verdict, is_about_content};
use shelf::Shelf;
use table::{Place, Table};

use crate::archive::Archives;
use crate::benchmark::Benchmark;
use crate::call::{Outgoing, Timing};
use crate::effect::{CallId, Effect, Reply, SEARCH};
use crate::episode::{Misuse, Outcome};
use crate::hash::Digest;
use crate::key::{EpisodeKey, PartKey};
use crate::metrics::summary::{SoFar, Summary};
use crate::prompt::{Ask, Pack};
use crate::recording::Recording;
use crate::replay::{Drift, Replay};
use crate::scheduler::{Decision, Limits, Scheduler};
use crate::seat::{ReplyForm, Sitting};
use crate::session::Session;
use crate::spec::{BadSpec, Spec};
use crate::task::{Task, TaskSet, TaskSetOrigin};
use crate::task_texts::TaskTexts;
use crate::transcript::{BranchOf, FORMAT, Header, Origin, Part, TaskRef, Transcript};

/// The name under which the recording that answers searches is loaded, if one does.
pub const SEARCH_TAPE: &str = "search";
pub const WEB_TAPE: &str = "web";

/// What a run is made of.
pub struct Ingredients {
    /// The benchmark that the spec names.
    pub benchmark: &'static dyn Benchmark,
    /// Everything that decides how it goes.
    pub spec: Spec,
    /// The whole set of tasks; the spec's subset is taken from it.
    pub tasks: TaskSet,
    /// The prompt pack that the spec names.
    pub pack: Pack,
    /// The recordings that sit in seats, by folder.
    pub recordings: BTreeMap<String, Recording>,
    pub limits: Limits,
}

impl Ingredients {
    /// A run with this many permits, divided as its benchmark has it, with the benchmark's own prompts and without recordings.
    pub fn new(
        benchmark: &'static dyn Benchmark,
        spec: Spec,
        tasks: TaskSet,
        permits: usize,
    ) -> Self {
        let limits = limits(benchmark, &spec, permits, &BTreeMap::new());
        let (pack, recordings) = (benchmark.pack(), BTreeMap::new());
        Ingredients { benchmark, spec, tasks, pack, recordings, limits }
    }
}

/// What the driver should do now.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Make this call and tell its answer.
    Call {
        ticket: Ticket,
        /// What is to be sent.
        request: Outgoing,
    },
    /// A person in a seat of this page is to answer.
    Person {
        ticket: Ticket,
        ask: Ask,
    },
    /// Keep these lines of an episode's transcript.
    Lines {
        episode: EpisodeKey,
        /// The number of the first of them, from 0.
        from: u64,
        /// The lines, each without its line break.
        lines: Vec<String>,
    },
    Ended {
        episode: EpisodeKey,
        outcome: Outcome,
        /// The episode in a few numbers; computed anew when its grading ends.
        summary: Box<Summary>,
    },
    /// A task cannot be played under this spec; it is left out and said.
    Unfit {
        episode: EpisodeKey,
        problem: BadSpec,
    },
    /// Nothing to do until a reply is passed on or the run is resumed.
    Wait,
    Over,
}

/// A call of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    pub episode: EpisodeKey,
    pub call: CallId,
    /// The hash of the request.
    pub digest: Digest,
}

/// One episode of a run, from planned to over.
struct Slot {
    key: EpisodeKey,
    task: usize,
    repeat: u32,
    stage: Stage,
    /// Lines handed to the driver so far.
    kept: u64,
}

enum Stage {
    Planned,
    Running(Box<Running>),
    Over,
}

struct Running {
    session: Session,
    /// Calls that wait for a permit or an answer.
    calls: BTreeMap<CallId, Effect>,
    /// Those of `calls` that were sent once already, as far as is known, and may have to be paid for.
    owed: BTreeSet<CallId>,
    /// Answers that need no outside, until the episode waits: in the order of the recording, then by call.
    answers: BTreeMap<(usize, CallId), Reply>,
    /// Absent until it is first read.
    so_far: Option<SoFar>,
}

pub struct Run {
    table: Table,
    tasks: Vec<Task>,
    /// How the set of these tasks is kept.
    origin: TaskSetOrigin,
    scheduler: Scheduler,
    guard: Guard,
    shelf: Shelf,
    slots: Vec<Slot>,
    index: BTreeMap<EpisodeKey, usize>,
    /// Transcripts of episodes whose grading is still to come or under way.
    plays: BTreeMap<usize, Transcript>,
    /// From where its only play branches, if it does.
    branch: Option<BranchOf>,
    /// The episode that ended last.
    last: Option<(EpisodeKey, Session)>,
    /// Episodes that should be polled.
    ready: VecDeque<usize>,
    /// What is to be done before anything else.
    doings: VecDeque<Action>,
    progress: Progress,
}

/// Checks that JSON alone is asked for only where prompts speak of it: services refuse it elsewhere, and no reply could be read.
fn check_forms(spec: &Spec, pack: &Pack) -> Result<(), BadSpec> {
    let asks_for_json = |sitting: &Sitting| sitting.sampling.form == ReplyForm::Json;
    let Some((seat, _)) = spec.seats.iter().find(|(_, sitting)| asks_for_json(sitting)) else {
        return Ok(());
    };
    match pack.templates.values().any(|text| text.to_lowercase().contains("json")) {
        true => Ok(()),
        false => Err(BadSpec::new(
            format!("seats.{seat}.sampling.form"),
            format!(
                "json: no prompt of {} asks for JSON, so it would not be sent; leave it out",
                spec.benchmark
            ),
        )),
    }
}

impl Run {
    /// Plans a run; nothing is opened yet.
    ///
    /// # Errors
    /// The first part of the spec that cannot be run, and how to mend it.
    pub fn new(ingredients: Ingredients) -> Result<Self, BadSpec> {
        let mut run = Run::without_episodes(ingredients)?;
        run.table.benchmark.check_own(&run.table.spec)?;
        check_forms(&run.table.spec, &run.table.pack)?;
        for repeat in 1..=run.table.spec.repeats {
            for task in 0..run.tasks.len() {
                let key = EpisodeKey::play(&run.tasks[task].id, repeat);
                let slot = run.add(key, task, repeat);
                run.scheduler.add(slot);
                run.progress.planned += 1;
            }
        }
        Ok(run)
    }

    /// The same run, with the archives that its spec names.
    #[must_use]
    pub fn reading(mut self, archives: Archives) -> Self {
        self.table.archives = archives;
        self
    }

    fn without_episodes(ingredients: Ingredients) -> Result<Self, BadSpec> {
        let Ingredients { benchmark, spec, tasks, pack, recordings, limits } = ingredients;
        let table = Table::set(benchmark, spec, pack, recordings)?.over(&tasks)?;
        Ok(Run {
            tasks: crate::sweep::tasks(benchmark, &table.spec, &tasks)?,
            origin: tasks.origin,
            table,
            scheduler: Scheduler::new(limits),
            guard: Guard::default(),
            shelf: Shelf::default(),
            slots: Vec::new(),
            index: BTreeMap::new(),
            plays: BTreeMap::new(),
            branch: None,
            last: None,
            ready: VecDeque::new(),
            doings: VecDeque::new(),
            progress: Progress::default(),
        })
    }

    /// The benchmark that is played.
    pub fn benchmark(&self) -> &'static dyn Benchmark {
        self.table.benchmark
    }

    /// The spec as transcripts carry it: a recording stands there as the player it speaks for.
    pub fn spec(&self) -> &Spec {
        &self.table.spec
    }

    /// The tasks that are played.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    pub fn progress(&self) -> Progress {
        Progress {
            flying: u32::try_from(self.scheduler.flying()).unwrap_or(u32::MAX),
            ..self.progress.clone()
        }
    }

    pub fn session(&self, episode: &EpisodeKey) -> Option<&Session> {
        match &self.slots[*self.index.get(episode)?].stage {
            Stage::Running(running) => Some(&running.session),
            Stage::Planned | Stage::Over => None,
        }
    }

    /// A running episode in a few numbers, as far as it has come.
    pub fn so_far(&mut self, episode: &EpisodeKey) -> Option<Arc<Summary>> {
        let spec = self.table.spec_digest;
        let slot = &mut self.slots[*self.index.get(episode)?];
        let asked =
            || TaskTexts::of(self.table.benchmark, &self.tasks[slot.task], &self.origin).asked;
        match &mut slot.stage {
            Stage::Running(running) => {
                let header = running.session.header();
                let so_far =
                    running.so_far.get_or_insert_with(|| SoFar::new(spec, header, asked()));
                Some(so_far.follow(&running.session))
            }
            Stage::Planned | Stage::Over => None,
        }
    }

    /// Whether an episode is one of this run.
    pub fn has(&self, episode: &EpisodeKey) -> bool {
        self.index.contains_key(episode)
    }

    /// The episode that ended last: when [`Action::Ended`] is returned, the one that it names.
    pub fn ended_last(&self) -> Option<(&EpisodeKey, &Session)> {
        let (episode, session) = self.last.as_ref()?;
        Some((episode, session))
    }

    /// Takes up an episode where its transcript ends. An incomplete one goes back to before the call that failed. To be
    /// called before the first [`Run::poll`], plays before their gradings.
    ///
    /// Returns how many lines of the stored transcript stay; the driver drops the others. Of a grading whose play has not ended, because
    /// the last lines of the episode were lost, none do: it begins anew once the episode has ended again.
    ///
    /// # Errors
    /// [`Drift`] if the transcript is not one of this run or does not replay.
    pub fn restore(&mut self, episode: &EpisodeKey, stored: &Transcript) -> Result<u64, Drift> {
        let strange = |why: String| Drift { line: 1, why };
        let slot = match (self.index.get(episode), episode.part()) {
            (Some(slot), _) => *slot,
            (None, PartKey::Grading) if self.goes_on(&episode.its_play()) => return Ok(0),
            (None, PartKey::Grading) => {
                return Err(strange(format!("{episode} is of no episode of this run")));
            }
            (None, PartKey::Play) => {
                return Err(strange(format!("{episode} is not an episode of this run")));
            }
        };
        let cut = crate::replay::rewound(stored);
        let mut running = self
            .open(slot)
            .map_err(|bad| strange(format!("the episode cannot be opened: {bad}")))?;
        let mut replay = Replay::new(&cut);
        let (table, shelf) = (&self.table, &mut self.shelf);
        let slotted = &self.slots[slot];
        let place =
            Place { key: &slotted.key, task: &self.tasks[slotted.task], repeat: slotted.repeat };
        let mut behind = 0;
        replay.run_hearing(&mut running.session, |_, effect, reply| {
            behind += 1;
            if let (Effect::Ask(ask), Reply::Said(said)) = (effect, reply)
                && let Some(key) = table.shared_reply(&place, ask)
            {
                shelf.learn(key, said);
            }
        })?;
        let kept = u64::try_from(cut.events.len()).unwrap_or(u64::MAX);
        let beyond = replay.beyond();
        self.slots[slot].kept = kept;
        self.scheduler.adopt(slot, behind);
        self.progress.under_way += u32::from(episode.part() == PartKey::Play);
        let open: Vec<_> =
            running.session.open_calls().map(|(call, effect)| (call, effect.clone())).collect();
        running.owed = open.iter().map(|(call, _)| *call).collect();
        self.slots[slot].stage = Stage::Running(running);
        self.keep(slot, beyond);
        for (call, effect) in open {
            self.wanted(slot, call, effect);
        }
        self.drain(slot);
        Ok(kept)
    }

    /// Whether an episode of this run has not ended.
    fn goes_on(&self, episode: &EpisodeKey) -> bool {
        let slot = self.index.get(episode);
        slot.is_some_and(|slot| !matches!(self.slots[*slot].stage, Stage::Over))
    }

    /// What should the driver do now?
    pub fn poll(&mut self) -> Action {
        loop {
            if let Some(doing) = self.doings.pop_front() {
                return doing;
            }
            if let Some(slot) = self.ready.pop_front() {
                self.drain(slot);
                continue;
            }
            match self.scheduler.decide() {
                Decision::Start(slot) => self.start(slot),
                Decision::Send(slot, call) => {
                    if let Some(doing) = self.send(slot, call) {
                        return doing;
                    }
                }
                Decision::Idle
                    if self.scheduler.under_way() == 0 && self.scheduler.unstarted() == 0 =>
                {
                    return Action::Over;
                }
                Decision::Idle => return Action::Wait,
            }
        }
    }

    /// Here is what came back for a call. If the run pauses because of it ([`Run::halt`]), the call waits to be sent again.
    ///
    /// # Errors
    /// [`Misuse`] if the call is not open or the reply does not fit; nothing changes then.
    pub fn tell(&mut self, ticket: &Ticket, reply: Reply) -> Result<(), Misuse> {
        self.tell_with(ticket, reply, &Timing::default())
    }

    /// The same with what the call took, of which only the service's own words are read: they are shown and stand in no
    /// transcript.
    ///
    /// # Errors
    /// As [`Run::tell`].
    pub fn tell_with(
        &mut self,
        ticket: &Ticket,
        reply: Reply,
        timing: &Timing,
    ) -> Result<(), Misuse> {
        let not_open = Misuse::NotOpen(ticket.call);
        let slot = *self.index.get(&ticket.episode).ok_or(not_open.clone())?;
        let Stage::Running(running) = &self.slots[slot].stage else {
            return Err(not_open);
        };
        let effect = running.calls.get(&ticket.call).ok_or(not_open)?;
        if !reply.fits(effect) {
            return Err(Misuse::DoesNotFit {
                call: ticket.call,
                effect: effect.name(),
                reply: reply.name(),
            });
        }
        let (who, lane) = (self.table.who_answers(effect), lane(effect));
        let is_about_content = is_about_content(effect, &reply);
        self.progress.hear(&who, &reply, timing);
        if !is_about_content && self.guard.hear(&who, &reply, timing) == Verdict::HoldBack {
            self.hold_back(slot, ticket.call, &lane, &reply);
            return Ok(());
        }
        self.progress.answered += 1;
        self.answer(slot, ticket.call, reply);
        Ok(())
    }
}

/// The lane of the scheduler in which a call waits.
fn lane(effect: &Effect) -> String {
    match effect {
        Effect::Ask(ask) => ask.seat.as_str().to_owned(),
        Effect::Search(_) | Effect::Draw { .. } => SEARCH.to_owned(),
        Effect::Use(tool) => tool.name().to_owned(),
    }
}

/// The first line of an episode.
pub fn header(spec: &Spec, task: &Task, repeat: u32, part: Part) -> Header {
    Header {
        format: FORMAT,
        spec: spec.clone(),
        task: TaskRef { id: task.id.clone(), digest: task.digest, labels: task.labels.clone() },
        repeat,
        part,
        origin: Origin::Recorded,
        branch: None,
    }
}
