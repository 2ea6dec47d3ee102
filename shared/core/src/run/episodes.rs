//! The episodes of a run, one at a time: opened, polled, answered, summarised. What a driver sees is in the parent.

use std::collections::{BTreeMap, BTreeSet};

use super::shelf;
use super::table::Place;
use super::{Action, Run, Running, Slot, Stage, Ticket, header, lane};
use crate::effect::{CallId, Effect, Reply};
use crate::episode::Outcome;
use crate::key::{EpisodeKey, PartKey};
use crate::metrics::summary::summarise_of;
use crate::prompt::Said;
use crate::session::{Next, Session};
use crate::spec::BadSpec;
use crate::task_texts::TaskTexts;
use crate::transcript::{Header, Part, SaltKey};

impl Run {
    pub(super) fn add(&mut self, key: EpisodeKey, task: usize, repeat: u32) -> usize {
        let slot = self.slots.len();
        self.index.insert(key.clone(), slot);
        self.slots.push(Slot { key, task, repeat, stage: Stage::Planned, kept: 0 });
        slot
    }

    /// Opens a slot's session, play or grading.
    pub(super) fn open(&self, slot: usize) -> Result<Box<Running>, BadSpec> {
        let Slot { key, task, repeat, .. } = &self.slots[slot];
        let task = &self.tasks[*task];
        let (part, episode) = match self.plays.get(&slot) {
            Some(play) if key.part() == PartKey::Grading => {
                let outcome = play.outcome().cloned().unwrap_or(Outcome {
                    ending: Outcome::INCOMPLETE.to_owned(),
                    result: serde_json::Value::Null,
                });
                let episode = self
                    .table
                    .benchmark
                    .grade(&self.table.spec, task, &self.table.pack, &outcome)?
                    .ok_or_else(|| BadSpec::new("seats.grader", "this episode needs no grading"))?;
                (Part::Grading { play: play.chain }, episode)
            }
            _ => (Part::Play, self.table.benchmark.open(&self.table.spec, task, &self.table.pack)?),
        };
        let branch = match part {
            Part::Play => self.branch.clone(),
            Part::Grading { .. } => None,
        };
        let header = Header { branch, ..header(&self.table.spec, task, *repeat, part) };
        let salts = SaltKey::open(&header);
        Ok(Box::new(Running {
            session: Session::open(header, episode, salts),
            calls: BTreeMap::new(),
            owed: BTreeSet::new(),
            answers: BTreeMap::new(),
            so_far: None,
        }))
    }

    pub(super) fn start(&mut self, slot: usize) {
        match self.open(slot) {
            Ok(running) => {
                self.slots[slot].stage = Stage::Running(running);
                self.progress.under_way += u32::from(self.slots[slot].key.part() == PartKey::Play);
                self.ready.push_back(slot);
            }
            Err(bad) => {
                // The spec was checked when the run was planned; a single task can still be unfit for it.
                self.scheduler.finished(slot);
                self.slots[slot].stage = Stage::Over;
                self.progress.played += 1;
                self.doings.push_back(Action::Unfit {
                    episode: self.slots[slot].key.clone(),
                    problem: bad,
                });
            }
        }
    }

    /// Polls an episode until it waits for a reply from outside or is over. What can be answered here is passed on only once the
    /// episode waits, as every driver does: so several open calls are written down alike, whichever driver answers them.
    pub(super) fn drain(&mut self, slot: usize) {
        loop {
            let Stage::Running(running) = &mut self.slots[slot].stage else {
                return;
            };
            let next = running.session.poll();
            let lines = running.session.take_lines();
            self.keep(slot, lines);
            match next {
                Next::Call(call, effect) => self.wanted(slot, call, effect),
                Next::Wait => match self.next_answer(slot) {
                    Some((call, reply)) => self.answer(slot, call, reply),
                    None => return,
                },
                Next::Closed(outcome) => {
                    self.over(slot, outcome);
                    return;
                }
            }
        }
    }

    /// The next answer that needed no outside.
    pub(super) fn next_answer(&mut self, slot: usize) -> Option<(CallId, Reply)> {
        let Stage::Running(running) = &mut self.slots[slot].stage else {
            return None;
        };
        let ((_, call), reply) = running.answers.pop_first()?;
        Some((call, reply))
    }

    pub(super) fn keep(&mut self, slot: usize, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        let slot = &mut self.slots[slot];
        let from = slot.kept;
        slot.kept += u64::try_from(lines.len()).unwrap_or(u64::MAX);
        self.doings.push_back(Action::Lines { episode: slot.key.clone(), from, lines });
    }

    /// An episode wants something: answered here if it can be, else offered to the scheduler.
    pub(super) fn wanted(&mut self, slot: usize, call: CallId, effect: Effect) {
        let answer = self.table.answer(&self.place(slot), call, &effect);
        let lane = lane(&effect);
        let shared = match &effect {
            Effect::Ask(ask) if answer.is_none() => self.table.shared_reply(&self.place(slot), ask),
            _ => None,
        };
        let for_person = match &effect {
            Effect::Ask(ask) if self.table.is_person(&ask.seat) => Some(ask.clone()),
            _ => None,
        };
        let Stage::Running(running) = &mut self.slots[slot].stage else {
            return;
        };
        running.calls.insert(call, effect);
        match (answer, for_person) {
            (Some(answer), _) => {
                let place = (answer.position, call);
                running.answers.insert(place, answer.reply);
            }
            (None, Some(ask)) => {
                if let Some(ticket) = self.ticket(slot, call) {
                    self.doings.push_back(Action::Person { ticket, ask });
                }
            }
            (None, None) => {
                let Some(key) = shared else {
                    self.scheduler.offer(slot, call, &lane);
                    return;
                };
                match self.shelf.ask((slot, call), key) {
                    shelf::Place::First => self.scheduler.offer(slot, call, &lane),
                    shelf::Place::Waits => {}
                    shelf::Place::Answered(said) => {
                        running.answers.insert((0, call), Reply::Said(*said));
                    }
                }
            }
        }
    }

    /// Tells others what an answer, or the want of one, means for them.
    fn free(&mut self, slot: usize, call: CallId, said: Option<&Said>) {
        let freed = self.shelf.answered((slot, call), said);
        for ((slot, call), said) in freed.answered {
            self.answer(slot, call, Reply::Said(said));
        }
        if let Some((slot, call)) = freed.sent
            && let Stage::Running(running) = &self.slots[slot].stage
            && let Some(effect) = running.calls.get(&call)
        {
            let lane = lane(effect);
            self.scheduler.offer(slot, call, &lane);
        }
    }

    pub(super) fn answer(&mut self, slot: usize, call: CallId, reply: Reply) {
        self.scheduler.answered(slot, call);
        let said = match &reply {
            Reply::Said(said) => Some(said),
            _ => None,
        };
        self.free(slot, call, said);
        match &reply {
            Reply::Said(said) => {
                let tokens = said.usage.tokens();
                self.progress.tokens = self.progress.tokens.saturating_add(tokens)
            }
            Reply::Failed(failure) => {
                *self.progress.failures.entry(failure.class).or_default() += 1
            }
            Reply::Found { .. } | Reply::Drawn { .. } | Reply::Made(_) => {}
        }
        let Stage::Running(running) = &mut self.slots[slot].stage else {
            return;
        };
        running.calls.remove(&call);
        running.answers.retain(|(_, waiting), _| *waiting != call);
        if let Err(misuse) = running.session.tell(call, reply) {
            // Every reply that comes here was checked against its call, so the session cannot refuse it.
            unreachable!("a checked reply was refused: {misuse}");
        }
        self.ready.push_back(slot);
    }

    pub(super) fn place(&self, slot: usize) -> Place<'_> {
        let Slot { key, task, repeat, .. } = &self.slots[slot];
        Place { key, task: &self.tasks[*task], repeat: *repeat }
    }

    /// The ticket of an open call.
    pub(super) fn ticket(&self, slot: usize, call: CallId) -> Option<Ticket> {
        let Stage::Running(running) = &self.slots[slot].stage else {
            return None;
        };
        Some(Ticket {
            episode: self.slots[slot].key.clone(),
            call,
            digest: running.session.request_digest(call)?,
        })
    }

    pub(super) fn send(&mut self, slot: usize, call: CallId) -> Option<Action> {
        let Stage::Running(running) = &self.slots[slot].stage else {
            self.scheduler.answered(slot, call);
            return None;
        };
        let effect = running.calls.get(&call)?;
        let ticket = self.ticket(slot, call)?;
        match self.table.outgoing(&self.tasks[self.slots[slot].task], effect) {
            Ok(request) => {
                self.progress.sent += 1;
                Some(Action::Call { ticket, request })
            }
            Err(failure) => {
                self.answer(slot, call, Reply::Failed(failure));
                None
            }
        }
    }

    /// An episode is over: it is summarised, and an episode that needs a grading gets one.
    pub(super) fn over(&mut self, slot: usize, outcome: Outcome) {
        let behind = self.scheduler.finished(slot);
        for (slot, call) in self.shelf.of(slot) {
            self.free(slot, call, None);
        }
        let stage = std::mem::replace(&mut self.slots[slot].stage, Stage::Over);
        let Stage::Running(running) = stage else {
            return;
        };
        let transcript = running.session.transcript();
        let (key, task, repeat) = {
            let slot = &self.slots[slot];
            (slot.key.clone(), slot.task, slot.repeat)
        };
        self.last = Some((key.clone(), running.session));
        let (play, grading) = match key.part() {
            PartKey::Play => {
                self.progress.under_way = self.progress.under_way.saturating_sub(1);
                self.progress.played += 1;
                self.progress.incomplete += u32::from(!outcome.is_complete());
                if self.needs_grading(task, &outcome) {
                    let grading = self.add(key.grading(), task, repeat);
                    self.plays.insert(grading, transcript.clone());
                    self.scheduler.adopt(grading, behind);
                    self.start(grading);
                } else {
                    self.progress.graded += u32::from(outcome.is_complete());
                }
                (transcript, None)
            }
            PartKey::Grading => {
                let is_complete = outcome.is_complete();
                self.progress.graded += u32::from(is_complete);
                self.progress.unheard += u32::from(is_complete && outcome.verdict().is_none());
                self.progress.incomplete += u32::from(!is_complete);
                match self.plays.remove(&slot) {
                    Some(play) => (play, Some(transcript)),
                    None => return,
                }
            }
        };
        let benchmark = self.table.benchmark;
        let texts = TaskTexts::of(benchmark, &self.tasks[task], &self.origin);
        let measured = benchmark.measure(&play, grading.as_ref());
        let mut summary = summarise_of(self.table.spec_digest, &play, grading.as_ref(), measured);
        summary.add_texts(texts);
        self.doings.push_back(Action::Ended { episode: key, outcome, summary: Box::new(summary) });
    }

    pub(super) fn needs_grading(&self, task: usize, outcome: &Outcome) -> bool {
        outcome.is_complete()
            && matches!(
                self.table.benchmark.grade(
                    &self.table.spec,
                    &self.tasks[task],
                    &self.table.pack,
                    outcome
                ),
                Ok(Some(_))
            )
    }
}
