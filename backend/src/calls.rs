//! The one door out: every call of every run passes [`Calls::make`], whichever route it came by.
//!
//! A call is idempotent by its key. One with a stored reply gets that reply; one that is in the air is joined, not sent
//! twice, also if it is another server over the same database that sends it; else the intent is written down, the call is
//! made, and what came back is written down before anybody hears of it. As long as the database cannot be used, nothing goes out, and
//! what came back waits here until it can be written.
//! A call that nobody waits for any more goes on, because it is paid for; only a cancel ends it, and that only as long as no
//! piece of its answer was told: whoever has looked at an answer cannot ask for another one. One that has no permit yet costs
//! nothing, and is forgotten.

mod elsewhere;
mod flight;

use std::pin::pin;
use std::sync::Arc;

use turnwise_shared::effect::FailureClass;
use turnwise_shared::hash::Digest;
use turnwise_shared::seat::{Player, Sitting};
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::receipts::Endpoint;
use turnwise_shared::wire::{CallAnswer, CallKey, ModelCall, Outgoing, Stream};

use crate::egress::{self, Egress, now};
use crate::error::Problem;
use crate::governor::Governor;
use crate::governor::permits::Permits;
use crate::governor::purse::Paid;
use crate::providers::Listener;
use crate::receipts::Receipts;
use crate::sealed::Sealed;
use crate::standing;
use crate::store::{RunHead, Store};
use flight::{Flight, Flights, Landing, answered, cancelled, failed, lock};

pub use flight::{Canceller, Heard, Waiting};

/// The calls in the air.
pub struct Calls {
    governor: Arc<Governor>,
    store: Store,
    egress: Arc<Egress>,
    sealed: Arc<Sealed>,
    receipts: Receipts,
    flights: Flights,
}

impl Calls {
    /// The door, over a ledger and what goes out.
    pub fn new(
        store: Store,
        egress: Arc<Egress>,
        sealed: Arc<Sealed>,
        receipts: Receipts,
        governor: Arc<Governor>,
    ) -> Self {
        Calls {
            governor,
            store,
            egress,
            sealed,
            receipts,
            flights: Arc::default(),
        }
    }

    /// How many calls are in the air.
    pub fn flying(&self) -> usize {
        lock(&self.flights).len()
    }

    /// How many callers wait for calls in the air.
    pub fn listeners(&self) -> usize {
        let flights = lock(&self.flights);
        flights.values().map(|flight| flight.listeners()).sum()
    }

    /// Makes a call of a run, or joins the same one; first it waits for a permit, if the run has a number of them. The caller
    /// has shown the run's token.
    ///
    /// # Errors
    /// If the call does not belong to the run, or the run takes none now.
    pub fn make(
        &self,
        run: &RunHead,
        key: CallKey,
        request: Outgoing,
        stream: Stream,
        permits: Option<Arc<Permits>>,
    ) -> Result<Waiting, Problem> {
        allowed(run, &key, &request)?;
        if self.sealed.is_forged(&run.spec, &request) {
            return Err(Problem::unfit(
                "The tasks are sealed, and what this seat is asked is worded by the server alone.",
            ));
        }
        let sealed = matches!(request, Outgoing::Sealed { .. })
            .then(|| (Arc::clone(&self.sealed), run.clone()));
        let mut flights = lock(&self.flights);
        let before = match flights.get(&key) {
            Some(flight) if flight.join() => return Ok(Waiting::on(flight)),
            before => before.map(|flight| flight.ending()),
        };
        let flight = Arc::new(Flight::new(stream));
        let waiting = Waiting::on(&flight);
        flights.insert(key.clone(), Arc::clone(&flight));
        drop(flights);
        let landing = Landing {
            key: key.clone(),
            flight: Arc::clone(&flight),
            flights: Arc::clone(&self.flights),
        };
        let (store, egress) = (self.store.clone(), Arc::clone(&self.egress));
        let governor = Arc::clone(&self.governor);
        let receipt = self.receipts.of(&run.spec, &key, &request);
        let standing = standing::key(&self.egress, &run.spec, &request);
        let attempts = egress::attempts(&run.spec);
        tokio::spawn(async move {
            // What goes down has to be down: how it ended is in the ledger then. Also for a call that nobody wants any more: who makes
            // the same once more waits for this one alone.
            if let Some(mut before) = before {
                answered(&mut before).await;
            }
            let permit = async {
                match permits {
                    Some(permits) => Some(permits.take(request.lane()).await),
                    None => None,
                }
            };
            let mut permit = pin!(permit);
            let _permit = loop {
                tokio::select! {
                    biased;
                    // What was called off while it waited is not sent.
                    () = flight.called_off() => return landing.with(cancelled(now())),
                    permit = &mut permit => break permit,
                    // It has cost nothing yet, so it need not outlive those who want it.
                    () = flight.deserted() => if landing.given_up() {
                        return;
                    },
                }
            };
            // As long as the database cannot be used, the call waits as it waits for its permit.
            let payable = async {
                store.until_payable().await?;
                store
                    .insist(|| async { governor.account(&key.run).await })
                    .await
            };
            let mut payable = pin!(payable);
            let account = loop {
                tokio::select! {
                    biased;
                    () = flight.called_off() => return landing.with(cancelled(now())),
                    account = &mut payable => break account,
                    () = flight.deserted() => if landing.given_up() {
                        return;
                    },
                }
            };
            let account = match account {
                Ok(account) => account,
                Err(error) => {
                    tracing::error!(%error, "budgets cannot be read, so a call was not sent");
                    let why = "the server's budgets cannot be read";
                    return landing.with(failed(now(), FailureClass::Server, why));
                }
            };
            let by = Way {
                store: &store,
                standing: standing.as_ref(),
                paid: Paid {
                    egress: &egress,
                    account: &account,
                    attempts,
                },
                sealed: sealed.as_ref(),
            };
            let sent = Sent {
                digest: Digest::of_value(&request),
                endpoint: receipt.endpoint().clone(),
            };
            let Landed { answer, sent } =
                fly(&store, by, &key, &request, &sent, stream, &flight).await;
            let count = || async {
                let prices = egress.prices();
                governor.came_back(&key.run, &account, prices).await
            };
            if let Err(error) = store.insist(count).await {
                tracing::error!(%error, "what a call came to cannot be counted in a budget that was set meanwhile");
            }
            for change in egress.pace_changes() {
                if let Err(error) = store.pace_changed(&change).await {
                    tracing::error!(%error, "how a service was held back cannot be written");
                }
            }
            if let Some(Sent { digest, endpoint }) = sent {
                receipt.write(&digest, endpoint, &answer);
            }
            landing.with(answer);
        });
        Ok(waiting)
    }
}

/// What a call goes out by.
#[derive(Clone, Copy)]
struct Way<'a> {
    store: &'a Store,
    /// The key of its reply, if that stands for all runs.
    standing: Option<&'a standing::Key>,
    paid: Paid<'a>,
    /// For calls over sealed tasks, with the run.
    sealed: Option<&'a (Arc<Sealed>, RunHead)>,
}

impl Way<'_> {
    async fn send(self, key: &CallKey, request: &Outgoing, listener: Listener<'_>) -> CallAnswer {
        match (request, self.sealed) {
            // Nobody hears it as it is said.
            (Outgoing::Sealed { seat }, Some((sealed, run))) => {
                let sender = standing::Worded {
                    paid: self.paid,
                    store: self.store,
                    spec: &run.spec,
                };
                sealed.answer(run, key, seat, &sender).await
            }
            _ => {
                let Paid {
                    egress,
                    account,
                    attempts,
                } = self.paid;
                let sent = egress.send(request, listener, account, attempts);
                standing::answer(self.store, self.standing, sent).await
            }
        }
    }
}

/// How a call ended.
struct Landed {
    answer: CallAnswer,
    /// What its receipt says was sent; `None` if another server heard the answer, and signs it.
    sent: Option<Sent>,
}

/// What was sent, and where it went.
#[derive(Clone)]
struct Sent {
    digest: Digest,
    endpoint: Endpoint,
}

/// Looks the call up, writes the intent, sends it, writes down what came back.
async fn fly(
    store: &Store,
    by: Way<'_>,
    key: &CallKey,
    request: &Outgoing,
    sent: &Sent,
    stream: Stream,
    flight: &Flight,
) -> Landed {
    let started = now();
    if let Err(landed) = elsewhere::claim(store, key, sent, flight).await {
        return landed;
    }
    let listener = |piece: &str| flight.tell(piece);
    let wanted = match stream {
        Stream::Whole => None,
        Stream::Pieces => Some(&listener as &(dyn Fn(&str) + Send + Sync)),
    };
    let answer = tokio::select! {
        answer = by.send(key, request, wanted) => answer,
        () = flight.given_up() => cancelled(started),
    };
    let Sent { digest, endpoint } = sent;
    // What was paid for is kept here until it is stored, and nothing else is paid for until then.
    let keep = || async { store.answered(key, digest, &answer, Some(endpoint)).await };
    match store.insist_on_paid(keep).await {
        // A server that was thought to be gone was faster; its reply stands.
        Ok(Some(first)) => elsewhere::of_ledger(first, sent, started),
        Ok(None) => Landed::sent(answer, sent),
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written into the ledger");
            let why = "the answer came, but the server's ledger cannot keep it";
            Landed::sent(failed(started, FailureClass::Server, why), sent)
        }
    }
}

impl Landed {
    fn sent(answer: CallAnswer, sent: &Sent) -> Self {
        Landed {
            answer,
            sent: Some(sent.clone()),
        }
    }
}

/// Whether a call belongs to a run: the run is open, and its spec has that model in that seat, or that search engine.
fn allowed(run: &RunHead, key: &CallKey, request: &Outgoing) -> Result<(), Problem> {
    if key.run != run.run {
        return Err(Problem::bad_request("The call is of another run."));
    }
    if run.state.is_over() {
        let why = format!("The run is {}.", run.state.name());
        return Err(Problem::conflict(why).mend("Open it again first."));
    }
    match request {
        Outgoing::Model(call) => sits(&run.spec, call),
        // Whether it is asked there at all, the stored transcript tells.
        Outgoing::Sealed { .. } => Ok(()),
        Outgoing::Search { engine, .. } => match &run.spec.search {
            Some(search) if search.engine == *engine => Ok(()),
            Some(_) | None => Err(Problem::unfit(
                "The run's configuration has no such search engine.",
            )),
        },
    }
}

fn sits(spec: &Spec, call: &ModelCall) -> Result<(), Problem> {
    match spec.seats.get(&call.seat) {
        Some(Sitting {
            player: Player::Model { provider, model },
            sampling,
        }) if *provider == call.provider && *model == call.model && *sampling == call.sampling => {
            Ok(())
        }
        _ => Err(Problem::unfit(format!(
            "The run's configuration has no such model in the seat {:?}, or samples it otherwise.",
            call.seat.as_str()
        ))),
    }
}
