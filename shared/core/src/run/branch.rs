//! Going on from a turn of another player's episode: a run of its own with one episode, whose first lines are those of the
//! episode that it branches from. Who sits where may differ from then on; everything else is as it was.
//!
//! A branch never counts on a board: its first turns were not its player's, and the player who goes on may have read the rest.

use super::{Ingredients, Run, Stage};
use crate::benchmark::Benchmark;
use crate::effect::{CallId, Effect};
use crate::key::{EpisodeKey, PartKey};
use crate::note::Note;
use crate::replay::{Drift, Replay};
use crate::seat::Seat;
use crate::spec::{BadSpec, Spec};
use crate::transcript::{BranchOf, Event, Origin, SaltKey, Transcript, Writer};

/// Where an episode can be cut, so that a turn is decided anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many lines come before the reply that the turn reads, the header counted.
    pub lines: u64,
    pub seat: Seat,
}

/// An episode that cannot be taken over.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadBranch {
    /// It was brought from another system, so it cannot be played again.
    #[error("the episode was brought from another system and cannot be played again")]
    Imported,
    /// Lines that would be needed are withheld.
    #[error("lines of the episode are withheld")]
    Withheld,
    /// It is a grading, or another episode than the one that is named.
    #[error("the episode is not the one that the branch names")]
    OtherPlay,
    /// It was played under a spec that differs in more than who sits where, or over another task.
    #[error(
        "the episode was played over another task, or under a spec that differs in more than its players"
    )]
    OtherSpec,
    /// It has no such turn, or the turn begins at another line.
    #[error("the episode has no turn {0} that begins there")]
    NoTurn(u32),
    /// It does not replay.
    #[error("the episode does not replay: {0}")]
    Drift(#[from] Drift),
}

/// Where a turn of an episode begins. `None` if it has no such turn.
pub fn cut(play: &Transcript, turn: u32) -> Option<Cut> {
    let noted = play.notes().find_map(|note| match note {
        Note::Turn(noted) if noted.index == turn => Some(noted),
        _ => None,
    })?;
    let lines = told(play, noted.call)?;
    Some(Cut { lines: u64::try_from(lines).ok()?, seat: noted.seat.clone() })
}

/// At which line a call was answered, counted from 0.
fn told(play: &Transcript, wanted: CallId) -> Option<usize> {
    play.events
        .iter()
        .position(|event| matches!(event, Some(Event::Told { call, .. }) if *call == wanted))
}

/// Whether an episode under one spec can be gone on with under another: the same seats, and what the benchmark makes of the one with
/// the other's players in them ([`Facts::take_over`](crate::benchmark::Facts::take_over)).
pub fn goes_on_from(benchmark: &dyn Benchmark, parent: &Spec, branch: &Spec) -> bool {
    let made = benchmark.take_over(parent, branch.seats.clone());
    parent.seats.keys().eq(branch.seats.keys()) && made.is_ok_and(|made| made == *branch)
}

/// Checks that an episode can be branched as `of` says, under `spec`.
///
/// # Errors
/// Why it cannot.
pub fn check(
    benchmark: &dyn Benchmark,
    play: &Transcript,
    of: &BranchOf,
    spec: &Spec,
) -> Result<(), BadBranch> {
    let header = &play.header;
    if header.origin == Origin::Imported {
        return Err(BadBranch::Imported);
    }
    if of.episode.part() != PartKey::Play
        || EpisodeKey::play(&header.task.id, header.repeat) != of.episode
    {
        return Err(BadBranch::OtherPlay);
    }
    if !goes_on_from(benchmark, &header.spec, spec) {
        return Err(BadBranch::OtherSpec);
    }
    let lines = usize::try_from(of.lines).unwrap_or(usize::MAX);
    if play.events.iter().take(lines).any(Option::is_none) {
        return Err(BadBranch::Withheld);
    }
    match cut(play, of.turn) {
        Some(cut) if cut.lines == of.lines => Ok(()),
        _ => Err(BadBranch::NoTurn(of.turn)),
    }
}

/// Whether lines of a branch are those of the episode that it names, as far as it has them in common with it, the headers left aside.
/// Both are given from line `from` on, counted from 0; of the episode there must be as many.
pub fn begins_with(
    of: &BranchOf,
    from: u64,
    branch: &[Option<Event>],
    play: &[Option<Event>],
) -> bool {
    let shared = usize::try_from(of.lines.saturating_sub(from)).unwrap_or(usize::MAX);
    let shared = shared.min(branch.len());
    let header = usize::from(from == 0).min(shared);
    play.get(header..shared) == branch.get(header..shared)
}

impl Run {
    /// Plans a run with one episode, which goes on from another run's. [`Run::take_over`] gives it that episode's lines; one that
    /// was begun is [restored](Run::restore).
    ///
    /// # Errors
    /// If the spec cannot be run, or has no such episode.
    pub fn branching(ingredients: Ingredients, of: BranchOf) -> Result<Self, BadSpec> {
        let mut run = Run::without_episodes(ingredients)?;
        let found = (1..=run.table.spec.repeats).find_map(|repeat| {
            let is_it = |key: EpisodeKey| key == of.episode;
            let task =
                run.tasks.iter().position(|task| is_it(EpisodeKey::play(&task.id, repeat)))?;
            Some((task, repeat))
        });
        let (task, repeat) = found.ok_or_else(|| {
            BadSpec::new("subset", format!("the spec has no episode {} to branch from", of.episode))
        })?;
        let slot = run.add(of.episode.clone(), task, repeat);
        run.scheduler.add(slot);
        run.progress.planned = 1;
        run.branch = Some(of);
        Ok(run)
    }

    /// Goes on from the episode that the branch names: its lines up to the turn are replayed, and become the branch's own. To be
    /// called before the first [`Run::poll`].
    ///
    /// # Errors
    /// If the run is no branch, or the episode is not what it says.
    pub fn take_over(&mut self, parent: &Transcript) -> Result<(), BadBranch> {
        let of = self.branch.clone().ok_or(BadBranch::OtherPlay)?;
        check(self.table.benchmark, parent, &of, &self.table.spec)?;
        let slot = *self.index.get(&of.episode).ok_or(BadBranch::OtherPlay)?;
        let mut running = self.open(slot).map_err(|_| BadBranch::OtherSpec)?;
        let header = running.session.header().clone();
        if header.task.digest != parent.header.task.digest {
            return Err(BadBranch::OtherSpec);
        }
        let lines = usize::try_from(of.lines).unwrap_or(usize::MAX);
        let own = Some(Event::Opened(Box::new(header.clone())));
        let theirs = parent.events.iter().take(lines).skip(1).cloned();
        let prefix = Transcript {
            header: header.clone(),
            events: std::iter::once(own).chain(theirs).collect(),
            chain: parent.chain,
        };
        let mut behind = 0;
        Replay::new(&prefix).run_hearing(&mut running.session, |_, _, _| behind += 1)?;
        // The replay took the lines; with salts that follow from the header they are written alike again.
        let mut writer = Writer::new(SaltKey::open(&header));
        let events = running.session.events();
        let written = events.iter().map(|event| writer.line(event)).collect();
        let open: Vec<(CallId, Effect)> =
            running.session.open_calls().map(|(call, effect)| (call, effect.clone())).collect();
        self.scheduler.adopt(slot, behind);
        self.progress.under_way += 1;
        self.slots[slot].stage = Stage::Running(running);
        self.keep(slot, written);
        for (call, effect) in open {
            self.wanted(slot, call, effect);
        }
        self.drain(slot);
        Ok(())
    }

    /// From where its episode branches, if it does.
    pub fn branch_of(&self) -> Option<&BranchOf> {
        self.branch.as_ref()
    }
}
