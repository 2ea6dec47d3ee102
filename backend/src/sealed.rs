//! Sealed tasks on the server: the only place where their hidden fields are, and where requests over them are answered.
//!
//! A page names a call and nothing more. What is asked in it is found out here: the stored transcript is replayed with the
//! tasks as they are handed out, and the call must be open at its end. So nothing can be asked that the protocol does not
//! ask at that point, and the driver of the run is bound to the lines that the server has. Only what the benchmark tells
//! the player anyway leaves this module ([`turnwise_shared::sealed`]).

mod asked;
mod sets;

use std::sync::Arc;
use std::time::Duration;

use turnwise_shared::benchmark::{Asked, Chance, check_sealed};
use turnwise_shared::prelude::*;
use turnwise_shared::sealed::{Inquired, Seal, Verdict, may_see};

pub use sets::{CannotSeal, SealedSet, Sets};

use crate::clock::now;
use crate::random;
use crate::store::{RunHead, Store, StoreError};
use asked::{Stored, asked};

/// Until something that could not be written is written again.
const AGAIN: Duration = Duration::from_secs(1);

/// Milliseconds over which answers are counted.
const DAY: u64 = 24 * 60 * 60 * 1000;

/// What sends a request out, and waits for what comes back.
pub trait Sender: Sync {
    /// Sends a call to a model. Budgets count it as if `counted` were sent, whatever is said.
    fn send(
        &self,
        request: &Outgoing,
        counted: Outgoing,
    ) -> impl Future<Output = CallAnswer> + Send;
}

/// Answers requests over sealed tasks.
pub struct Sealed {
    store: Store,
    sets: Arc<Sets>,
    seal: Seal,
    /// The most answers over one task in a day.
    most: u64,
}

/// One request that is being answered; it counts towards the limit until this is dropped.
struct Answering {
    store: Store,
    id: String,
}

impl Drop for Answering {
    fn drop(&mut self) {
        // Without a runtime the process is at its end, and what its server had in its hands counts no longer.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (store, id) = (self.store.clone(), std::mem::take(&mut self.id));
            runtime.spawn(no_longer(store, id));
        }
    }
}

/// A request that counts for ever would take its task from others, so this is tried until it is written or the server stops.
async fn no_longer(store: Store, id: String) {
    while let Err(error) = store.asked_over(&id).await {
        if store.is_closed() {
            return;
        }
        tracing::warn!(%error, "that a request over a sealed task is over cannot be written; it counts towards the task's limit");
        tokio::time::sleep(AGAIN).await;
    }
}

/// Why a request over a sealed task is not answered. No hidden text is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Refused(String);

impl Refused {
    fn new(why: impl Into<String>) -> Self {
        Refused(why.into())
    }
}

impl Sealed {
    /// Over these sets, whose secret it has to have.
    pub fn new(store: Store, sets: Arc<Sets>, seal: Seal, most: u64) -> Self {
        Sealed { store, sets, seal, most }
    }

    /// The sealed set of that name.
    pub fn named(&self, name: &str) -> Option<Arc<SealedSet>> {
        self.sets.named(name)
    }

    /// Whether a run is played over sealed tasks.
    pub fn has(&self, spec: &Spec) -> bool {
        self.sets.of(spec).is_some()
    }

    /// Checks that a run over sealed tasks shows no reader what is hidden. Others pass.
    ///
    /// # Errors
    /// The first part of the spec that would show it, and how to mend it.
    pub fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        match self.sets.of(spec) {
            Some(set) => check_sealed(set.benchmark, spec).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Whether a call is one of a seat that only this module answers for, but was worded elsewhere.
    pub fn is_forged(&self, spec: &Spec, request: &Outgoing) -> bool {
        let Outgoing::Model(ModelCall { seat, .. }) = request else {
            return false;
        };
        let set = self.sets.of(spec);
        set.is_some_and(|set| may_see(set.sealing, seat))
    }

    /// Answers a call of a seat that may see hidden fields. The reply holds none of them, whatever the seat says.
    pub async fn answer(
        &self,
        run: &RunHead,
        key: &CallKey,
        seat: &Seat,
        sender: &impl Sender,
    ) -> CallAnswer {
        let mut timing = Timing { started: now(), ..Timing::default() };
        let reply = match self.told(run, key, seat, sender, &mut timing).await {
            Ok(reply) => reply,
            Err(Refused(why)) => Reply::Failed(Failure::new(FailureClass::Rejected, why)),
        };
        timing.took = now().saturating_sub(timing.started);
        // A player that was asked without a request, as a built-in one, was asked once.
        timing.attempts = timing.attempts.max(1);
        CallAnswer { reply, timing }
    }

    /// A request over a task, counted in. First it counts itself in, then it asks: what is answered meanwhile is counted twice rather
    /// than not at all.
    async fn counted_in(&self, task: &Digest) -> Result<Answering, Refused> {
        let counted_in = || async {
            let answering =
                Answering { store: self.store.clone(), id: hex(&random::bytes::<16>()) };
            let since = now().saturating_sub(DAY);
            let may = self.store.ask_over(&answering.id, task, since, self.most);
            Ok::<_, StoreError>(may.await?.then_some(answering))
        };
        match self.store.insist(counted_in).await.map_err(broken)? {
            Some(answering) => Ok(answering),
            None => Err(Refused::new(format!(
                "this server answers at most {} requests over one sealed task in a day",
                self.most
            ))),
        }
    }

    async fn told(
        &self,
        run: &RunHead,
        key: &CallKey,
        seat: &Seat,
        sender: &impl Sender,
        timing: &mut Timing,
    ) -> Result<Reply, Refused> {
        let set = self
            .sets
            .of(&run.spec)
            .ok_or_else(|| Refused::new("the tasks of this run are not sealed on this server"))?;
        let ask = self.ask(run, key, seat, &set).await?;
        let task = sweep::task(set.benchmark, &run.spec, &set.whole, &ask.task)
            .ok_or_else(|| Refused::new("the set has no such task"))?;
        // A reply to this very call that did not reach the ledger is given again: the model is not asked anew, and the reply that
        // was committed to is the one that is kept.
        let withheld = || async { self.store.withheld(key).await };
        let known = self.store.insist(withheld).await.map_err(broken)?;
        let _answering = match known {
            Some(_) => None,
            None => Some(self.counted_in(&task.digest).await?),
        };
        let inquiry = set.sealing.inquire(&run.spec, &task, ask.ask);
        let mut inquiry = inquiry.map_err(|bad| Refused::new(bad.to_string()))?;
        let chance = Chance { seed: run.spec.seed, repeat: ask.repeat, call: key.call };
        let is_known = known.is_some();
        let mut known = known.unwrap_or_default().into_iter();
        let mut said = Vec::new();
        let mut next = inquiry.begin();
        let Verdict(verdict) = loop {
            match next {
                Inquired::Told(verdict) => break verdict,
                Inquired::Failed(failure) => return Ok(Reply::Failed(nothing_of(failure))),
                Inquired::Ask(wanted) => {
                    let reply = match (known.next(), player(&run.spec, seat)?) {
                        (Some(known), _) => Reply::Said(known),
                        // Nothing was said to what it asked last.
                        (None, _) if is_known => Reply::Failed(nothing_kept()),
                        (None, Player::Bot(name)) => {
                            let asked = Asked::new(&wanted, &task, chance);
                            let bot = set.benchmark.bot(name, &asked);
                            Reply::Said(bot.ok_or_else(|| Refused::new("there is no such bot"))?)
                        }
                        _ => {
                            let request = self.worded(run, &set, &wanted, &task)?;
                            let counted = self.worded(run, &set, &wanted, &set.cover)?;
                            let answer = sender.send(&request, counted).await;
                            took(timing, answer.timing);
                            answer.reply
                        }
                    };
                    if let Reply::Said(text) = &reply {
                        said.push(text.clone());
                    }
                    next = inquiry.hear(reply);
                }
            }
        };
        let withhold = || async { self.store.withhold(key, &task.digest, &said, now()).await };
        self.store.insist_on_paid(withhold).await.map_err(broken)?;
        let place = format!("{}/{}/{}/{}", key.run, key.episode, key.call, key.digest);
        Ok(Reply::Said(Said {
            text: Some(verdict),
            // What a service calls its model is its own text, too.
            model: match player(&run.spec, seat)? {
                Player::Model { model, .. } => Some(model.clone()),
                _ => None,
            },
            withheld: Some(Box::new(self.seal.withheld(&place, &said))),
            ..Said::default()
        }))
    }

    /// What the protocol asks in a call, by the transcript that the server has.
    async fn ask(
        &self,
        run: &RunHead,
        key: &CallKey,
        seat: &Seat,
        set: &Arc<SealedSet>,
    ) -> Result<asked::Found, Refused> {
        let none =
            "the server has no line of this episode yet; it needs all lines before this call";
        let text = |run, episode| async move {
            let read = || async { self.store.transcript(run, episode).await };
            let stored = self.store.insist(read).await;
            Ok::<_, Refused>(stored.map_err(broken)?.map(|(text, _)| text))
        };
        let play = match key.episode.part() {
            PartKey::Play => None,
            PartKey::Grading => Some(key.episode.its_play()),
        };
        let mut bytes = 0;
        for (run, episode) in [(&run.run, Some(&key.episode)), (run.plays(), play.as_ref())] {
            if let Some(episode) = episode {
                let extent = || async { self.store.extent(run, episode).await };
                let extent = self.store.insist(extent).await.map_err(broken)?;
                bytes += extent.map_or(0, |extent| extent.bytes);
            }
        }
        let room = self.store.room_for(bytes).await.map_err(broken)?;
        let own = text(&run.run, &key.episode).await?;
        let stored = Stored {
            text: own.ok_or_else(|| Refused::new(none))?,
            play: match &play {
                None => None,
                Some(play) => text(run.plays(), play).await?,
            },
            spec: run.spec.clone(),
            key: key.clone(),
            seat: seat.clone(),
        };
        let set = Arc::clone(set);
        let replay = move || {
            let found = asked(&set, &stored);
            drop(room);
            found
        };
        tokio::task::spawn_blocking(replay).await.map_err(broken)?
    }

    /// A request in words, with the fields of this task.
    fn worded(
        &self,
        run: &RunHead,
        set: &SealedSet,
        ask: &Ask,
        task: &Task,
    ) -> Result<Outgoing, Refused> {
        let sitting = run.spec.seats.get(&ask.seat);
        let Some((Player::Model { provider, model }, sampling)) =
            sitting.map(|sitting| (&sitting.player, &sitting.sampling))
        else {
            return Err(Refused::new("no model sits there"));
        };
        let messages = set.benchmark.pack().render(ask, task);
        Ok(Outgoing::Model(ModelCall {
            provider: provider.clone(),
            model: model.clone(),
            seat: ask.seat.clone(),
            messages: messages.map_err(|bad| Refused::new(bad.to_string()))?,
            sampling: sampling.clone(),
        }))
    }
}

fn player<'a>(spec: &'a Spec, seat: &Seat) -> Result<&'a Player, Refused> {
    let sitting = spec.seats.get(seat);
    sitting
        .map(|sitting| &sitting.player)
        .ok_or_else(|| Refused::new(format!("nobody sits in the seat {seat}")))
}

/// What stands for a request to which nothing was said when the call was made first.
fn nothing_kept() -> Failure {
    Failure::new(FailureClass::Server, "nothing was said")
}

/// A failure without the words of the service that failed: it may repeat what it was asked.
fn nothing_of(failure: Failure) -> Failure {
    let class = failure.class.name().replace('_', " ");
    Failure::new(failure.class, format!("the seat's call over a sealed task failed: {class}"))
}

fn took(timing: &mut Timing, call: Timing) {
    // What stood already was not sent.
    if !call.from_ledger {
        timing.attempts = timing.attempts.saturating_add(call.attempts);
    }
    timing.failures.extend(call.failures.into_iter().map(nothing_of));
}

fn broken(error: impl std::fmt::Display) -> Refused {
    tracing::error!(%error, "a request over a sealed task was not answered");
    Refused::new("the server failed at this call")
}
