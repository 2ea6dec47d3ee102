//! This page's lease of a run: named in every message, kept up to date with the run's state, and given up to the next driver.

use std::cell::Cell;

use leptos::prelude::Set as _;
use turnwise_shared::wire::driving::{DRIVEN_ELSEWHERE, trouble};

use super::{Live, leave};
use crate::keep::{KeptRun, Wish};
use crate::live::Driving;
use crate::people::People;
use crate::prelude::*;
use crate::{api, clock, keep};

/// The first wait before the end of the run is reported to the server again, in milliseconds.
const FIRST: u32 = 1000;
const LONGEST: u32 = 30_000;

/// What the server knows of this page.
#[derive(Default)]
pub struct Told {
    /// The state of the run that was last reported to the server; that it runs follows from the lease.
    state: Cell<Option<RunState>>,
    /// Whether a report is under way.
    telling: Cell<bool>,
    /// Whether another driver drives the run now.
    elsewhere: Cell<bool>,
}

impl Live {
    /// With what this page speaks: the run's token, and its lease.
    pub(super) fn lease(&self) -> (String, Epoch) {
        let kept = self.kept.borrow();
        (kept.token.clone(), kept.epoch)
    }

    /// Another driver drives the run now: the loop ends, and nothing more is sent.
    pub(super) fn give_way(&self) {
        if !self.told.elsewhere.replace(true) {
            self.look();
        }
    }

    /// Whether another driver drives the run now.
    pub(super) fn gives_way(&self) -> bool {
        self.told.elsewhere.get()
    }

    /// Tells the server that the run rests, or goes on, if it does not know.
    pub(super) fn tell_how_it_stands(self: &Rc<Self>) {
        let stands = match self.watch.get().state {
            Driving::Running | Driving::Reconnecting => RunState::Running,
            Driving::Paused => RunState::Paused,
            Driving::Cancelling | Driving::Storing | Driving::Done => return,
        };
        let known = self.told.state.get().unwrap_or(RunState::Running);
        if stands == known || self.told.telling.replace(true) {
            return;
        }
        let live = Rc::clone(self);
        spawn_local(async move {
            match live.tell_state(stands).await {
                Ok(_) => live.told.state.set(Some(stands)),
                Err(problem) if problem.code == DRIVEN_ELSEWHERE => live.give_way(),
                // It is reported again with the next tick.
                Err(_) => {}
            }
            live.told.telling.set(false);
        });
    }

    /// Tells the server how the run ended, until it has heard it.
    pub(super) async fn tell_the_end(&self, state: RunState) -> Option<RunInfo> {
        let mut wait = FIRST;
        loop {
            match self.tell_state(state).await {
                Ok(info) => {
                    if wait > FIRST {
                        self.view.problem.set(None);
                    }
                    return Some(info);
                }
                Err(problem) if problem.code == DRIVEN_ELSEWHERE => {
                    self.give_way();
                    return None;
                }
                Err(problem) if api::passes(&problem) => {
                    self.view.problem.set(Some(problem));
                }
                Err(problem) => {
                    self.view.problem.set(Some(problem));
                    return None;
                }
            }
            clock::sleep(wait).await;
            wait = (wait * 2).min(LONGEST);
        }
    }

    async fn tell_state(
        &self,
        state: RunState,
    ) -> Result<RunInfo, turnwise_shared::wire::ApiError> {
        let (token, epoch) = self.lease();
        let halt = self.run.borrow().halt().map(trouble);
        let wanted = SetState { state, epoch, trouble: halt.filter(|_| state == RunState::Paused) };
        api::driving::set_state(&self.id, &token, &wanted).await
    }

    /// Lets go of a run that another driver drives.
    pub(super) async fn step_aside(self: &Rc<Self>) {
        self.line.hang_up();
        self.keep_lines();
        // The page says who that is as soon as it does not show this driver any more.
        if let Ok(info) = api::run(&self.id).await {
            self.view.info.set(Some(info));
        }
        self.let_go(Wish::Rest).await;
    }

    /// The run is not driven here any more; what this browser wants of it is kept.
    pub(super) async fn let_go(self: &Rc<Self>, wish: Wish) {
        self.view.people.set(People::default());
        self.kept.borrow_mut().wish = wish;
        let kept = self.kept.borrow().clone();
        // Another tab of this browser may drive it by now, and what that one keeps is newer.
        let is_newer = |now: &KeptRun| now.epoch > kept.epoch;
        let followed = keep::run(&self.id).await;
        if !followed.is_ok_and(|now| now.as_ref().is_some_and(is_newer))
            && let Err(problem) = keep::put_run(&kept).await
        {
            self.view.problem.set(Some(problem));
        }
        leave(&self.id);
        // Others hold this for a moment yet, and a page that takes the run up again must not wait for them.
        drop(self.lock.take());
        self.view.control.set(None);
        self.view.progress.set(None);
        self.view.pace.set(None);
        self.view.owned.set(true);
    }
}
