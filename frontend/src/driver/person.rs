//! A person in a seat of this page is asked, and the reply goes back into the run.

use leptos::prelude::{Update as _, WithUntracked as _};
use turnwise_shared::wire::thinking::Thought;

use super::{Live, is_driver};
use crate::people::{Held, Languages, Waiting};
use crate::prelude::*;
use crate::{api, clock};

/// Milliseconds for which an answer can be taken back while other questions wait.
const HELD: u32 = 5000;

/// The same where the next question of the task is asked only once the answer has gone out.
const HELD_IN_TASK: u32 = 2000;

impl Live {
    /// A person in a seat of this page is asked.
    pub(super) fn ask_person(&self, ticket: Ticket, ask: &Ask) {
        let shown = self.run.borrow().question(&ticket, ask);
        match shown {
            Ok(question) => {
                let run = self.run.borrow();
                let waiting =
                    Waiting { language: run.language_of(&ticket.episode), ticket, question };
                let now = clock::now();
                self.view.people.update(|people| {
                    if people.languages.is_empty() && waiting.language.is_some() {
                        people.languages = Languages::here(run.languages());
                    }
                    people.ask(waiting, now);
                });
            }
            Err(bad) => {
                let failure = Failure::new(FailureClass::Unavailable, bad.to_string());
                self.tell(&ticket, Reply::Failed(failure));
            }
        }
    }

    /// Takes in what a person answered, once; it goes where a model's reply goes.
    pub(super) fn person_said(self: &Rc<Self>, ticket: &Ticket, text: String) {
        let mut out = Vec::new();
        self.view.people.update(|people| out = people.answer(ticket, text, clock::now()));
        for held in out {
            self.let_out(held);
        }
        let (live, ticket) = (Rc::clone(self), ticket.clone());
        let held = match self.view.people.with_untracked(|people| people.shown().is_some()) {
            true => HELD,
            false => HELD_IN_TASK,
        };
        spawn_local(async move {
            clock::sleep(held).await;
            if is_driver(&live) {
                let mut out = None;
                live.view.people.update(|people| out = people.release(&ticket));
                if let Some(held) = out {
                    live.let_out(held);
                }
            }
        });
    }

    fn let_out(self: &Rc<Self>, held: Held) {
        let ticket = &held.waiting.ticket;
        // Milliseconds of a person's time are far below 2^53, and not negative.
        let took = held.took as u64;
        self.thoughts.borrow_mut().push(Thought {
            episode: ticket.episode.clone(),
            call: ticket.call,
            started: clock::today().saturating_sub(took),
            took,
        });
        self.tell(ticket, Reply::Said(Said::text(held.text)));
        self.look();
        spawn_local(Rc::clone(self).send_thoughts());
    }

    /// Tells the server how long people thought. What cannot be reported now is reported with the next answer, or never: the run
    /// is whole without it.
    pub(super) async fn send_thoughts(self: Rc<Self>) {
        let thoughts = self.thoughts.take();
        if thoughts.is_empty() {
            return;
        }
        let token = self.kept.borrow().token.clone();
        if api::thought(&self.id, &token, &thoughts).await.is_err() {
            let mut waiting = self.thoughts.borrow_mut();
            let newer = std::mem::replace(&mut *waiting, thoughts);
            waiting.extend(newer);
        }
    }

    /// An episode is over; what it asked is not asked any more.
    pub(super) fn forget_questions(&self, episode: &EpisodeKey) {
        if self.view.people.with_untracked(|people| people.knows(episode)) {
            let now = clock::now();
            self.view.people.update(|people| people.forget(episode, now));
        }
    }
}
