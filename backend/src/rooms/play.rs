//! The run of a live table under way: calls go out by the same door as a page's, lines go to the store, and what people
//! are asked comes up to the host.

use std::collections::HashMap;

use tokio::task::{Id, JoinSet};
use turnwise_shared::prelude::*;
use turnwise_shared::run::Action;

use super::record::Record;
use crate::access::anonymous;
use crate::clock::now;
use crate::error::Problem;
use crate::outbound::Canceller;
use crate::store::RunHead;
use crate::{App, measures};

pub struct Play {
    app: App,
    run: Run,
    head: RunHead,
    calls: JoinSet<Reply>,
    flying: HashMap<Id, (Ticket, Canceller)>,
    record: Record,
    /// The episode under way, and which it is, from 1.
    current: Option<(EpisodeKey, u32)>,
    began: u32,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Going,
    /// Everything that is asked fails, so that what is under way ends.
    Ending,
}

/// What a host must hear of.
pub enum Event {
    Asked {
        ticket: Ticket,
        question: Box<Question>,
    },
    /// An episode has ended; [`Play::last_scene`] shows its end. The number is counted from 1.
    Ended {
        number: u32,
    },
    /// The transcripts are larger than those of a visitor's table may be.
    TooLarge {
        most: u64,
    },
    /// Nothing goes on before a player answers.
    Waits,
    /// Everything is over and kept.
    Over,
}

impl Play {
    /// An episode at its beginning.
    pub fn new(app: App, run: Run, head: RunHead) -> Self {
        Play {
            app,
            run,
            head,
            calls: JoinSet::new(),
            flying: HashMap::new(),
            record: Record::default(),
            current: None,
            began: 0,
            stage: Stage::Going,
        }
    }

    /// Goes on until a person is needed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn advance(&mut self) -> Result<Event, Problem> {
        loop {
            match self.run.poll() {
                Action::Call { ticket, request } => {
                    if matches!(request, Outgoing::Sealed { .. }) {
                        // What is asked there follows from the stored transcript.
                        self.write().await?;
                    }
                    self.send(ticket, request);
                }
                Action::Person { ticket, ask } if self.stage == Stage::Going => {
                    match self.run.question(&ticket, &ask) {
                        Ok(question) => {
                            self.intend(&ticket).await?;
                            return Ok(Event::Asked { ticket, question: Box::new(question) });
                        }
                        Err(bad) => {
                            let failure = Failure::new(FailureClass::Unavailable, bad.to_string());
                            self.tell(&ticket, Reply::Failed(failure));
                        }
                    }
                }
                Action::Person { ticket, .. } => self.tell(&ticket, cancelled()),
                Action::Lines { episode, from, lines } => {
                    if from == 0 && episode.part() == PartKey::Play {
                        self.began += 1;
                        self.current = Some((episode.clone(), self.began));
                    }
                    self.record.add(&episode, from, lines);
                    if self.record.is_full() {
                        self.write().await?;
                    }
                    let most = anonymous::largest(&self.head, u64::MAX);
                    if self.stage == Stage::Going && self.record.bytes() > most {
                        return Ok(Event::TooLarge { most });
                    }
                }
                Action::Ended { episode, outcome, .. } => {
                    self.record.ended(&episode, &outcome.ending);
                    self.write().await?;
                    measures::refresh(&self.app, &self.head, &episode).await?;
                    if episode.part() == PartKey::Play
                        && let Some((_, number)) = self.current
                    {
                        return Ok(Event::Ended { number });
                    }
                }
                Action::Unfit { episode, problem } => {
                    tracing::warn!(%episode, %problem, "an episode of a live table is left out");
                }
                Action::Wait => {
                    self.write().await?;
                    return Ok(Event::Waits);
                }
                Action::Over => {
                    self.write().await?;
                    return Ok(Event::Over);
                }
            }
        }
    }

    /// The next answer from outside; never, if none is awaited.
    pub async fn answered(&mut self) -> (Ticket, Reply) {
        loop {
            let came = match self.calls.join_next_with_id().await {
                Some(Ok((id, reply))) => (id, reply),
                Some(Err(error)) => {
                    let why = "the server failed at this call";
                    let failure = Failure::new(FailureClass::Server, why);
                    (error.id(), Reply::Failed(failure))
                }
                None => std::future::pending().await,
            };
            if let Some((ticket, _)) = self.flying.remove(&came.0) {
                return (ticket, came.1);
            }
        }
    }

    /// Tells an answer. One to a call that is not open any more is dropped.
    pub fn tell(&mut self, ticket: &Ticket, reply: Reply) {
        if let Err(misuse) = self.run.tell(ticket, reply) {
            let failure = Failure::new(FailureClass::Undecodable, misuse.to_string());
            // If the call is not open any more, no episode waits for the reply.
            let _ = self.run.tell(ticket, Reply::Failed(failure));
        }
    }

    /// Tells what a person said or did not say, and keeps beside the transcript how long it took.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn tell_of_person(
        &mut self,
        ticket: &Ticket,
        reply: Reply,
        took: std::time::Duration,
    ) -> Result<(), Problem> {
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let answer = CallAnswer {
            reply: reply.clone(),
            timing: Timing {
                started: now().saturating_sub(took),
                took,
                attempts: 1,
                ..Timing::default()
            },
        };
        let (store, key) = (self.app.store(), self.key(ticket));
        store.answered(&key, &key.digest, &answer, None).await?;
        self.tell(ticket, reply);
        Ok(())
    }

    /// Ends what is under way: everything that was asked fails as cancelled. To be driven on until [`Event::Over`].
    pub fn cancel(&mut self) {
        self.stage = Stage::Ending;
        for (_, canceller) in self.flying.values_mut() {
            canceller.cancel();
        }
        self.run.cancel();
    }

    /// Which play is under way, from 1.
    pub fn number(&self) -> Option<u32> {
        self.current.as_ref().map(|(_, number)| *number)
    }

    /// How many episodes are over.
    pub fn played(&self) -> u32 {
        self.run.progress().played
    }

    /// How many episodes ended incomplete.
    pub fn incomplete(&self) -> u32 {
        self.run.progress().incomplete
    }

    /// What a viewer sees of the episode under way; nothing if it is over.
    pub fn scene(&self, viewer: &Viewer) -> Scene {
        let session = self.current.as_ref().and_then(|(episode, _)| self.run.session(episode));
        session.map_or_else(Scene::default, |session| session.scene(viewer))
    }

    /// What a viewer sees of the episode that ended last. Asked for when [`Event::Ended`] came.
    pub fn last_scene(&self, viewer: &Viewer) -> Scene {
        self.run.ended_last().map_or_else(Scene::default, |(_, session)| session.scene(viewer))
    }

    fn key(&self, ticket: &Ticket) -> CallKey {
        CallKey::of(&self.head.run, ticket)
    }

    /// A person's call has a row in the ledger as a model's has.
    async fn intend(&mut self, ticket: &Ticket) -> Result<(), Problem> {
        let key = self.key(ticket);
        let store = self.app.store();
        let intend = || async { store.intend(&key, &ticket.digest, now()).await };
        store.insist(intend).await?;
        Ok(())
    }

    fn send(&mut self, ticket: Ticket, request: Outgoing) {
        if self.stage == Stage::Ending {
            return self.tell(&ticket, cancelled());
        }
        let key = self.key(&ticket);
        match self.app.calls().make(&self.head, key, request, Stream::Whole, None) {
            Ok(mut waiting) => {
                let canceller = waiting.canceller();
                let handle = self.calls.spawn(async move { waiting.answer().await.reply });
                self.flying.insert(handle.id(), (ticket, canceller));
            }
            Err(problem) => {
                let failure = Failure::new(FailureClass::Rejected, problem.error.message);
                self.tell(&ticket, Reply::Failed(failure));
            }
        }
    }

    async fn write(&mut self) -> Result<(), Problem> {
        self.record.write(self.app.store(), &self.head.run).await
    }
}

fn cancelled() -> Reply {
    Reply::Failed(Failure::new(FailureClass::Cancelled, "the table was ended"))
}
