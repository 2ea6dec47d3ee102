//! The one door out: every call of every run passes [`Calls::make`], whichever route it came by.
//!
//! A call is idempotent by its key. One with a stored reply gets that reply; one that is in the air is joined, not sent
//! twice, also if it is another server over the same database that sends it; else the intent is written down, the call is
//! made, and what came back is written down before any caller hears of it. As long as the database cannot be used, nothing goes out,
//! and what came back waits here until it can be written. A call without any waiting caller goes on, because it is paid for; only a
//! cancel ends it, and that only as long as no piece of its answer was passed on: a caller that has looked at an answer cannot ask
//! for another one. One that has no permit yet costs nothing, and is forgotten.

use std::sync::{Arc, Mutex};

use turnwise_shared::effect::Tool;
use turnwise_shared::prelude::*;

use super::cache;
use super::call_limits::CallLimits;
use super::egress::{self, Egress};
use super::flight::{Flight, Flights, Landing, Sent, Waiting, answered, lock};
use super::permits::Permits;
use super::pipeline::Pipeline;
use crate::error::Problem;
use crate::long_texts::Replies;
use crate::receipts::Receipts;
use crate::sealed::Sealed;
use crate::store::{RunHead, Store};
use crate::task_library::TaskLibrary;

/// The calls in the air.
pub struct Calls {
    call_limits: Arc<CallLimits>,
    store: Store,
    egress: Arc<Egress>,
    sealed: Arc<Sealed>,
    receipts: Receipts,
    flights: Flights,
    replies: Replies,
    library: Arc<TaskLibrary>,
}

impl Calls {
    /// The door, over a ledger and what goes out.
    pub fn new(
        store: Store,
        egress: Arc<Egress>,
        sealed: Arc<Sealed>,
        receipts: Receipts,
        call_limits: Arc<CallLimits>,
        replies: Replies,
        library: Arc<TaskLibrary>,
    ) -> Self {
        let flights = Arc::default();
        Calls { call_limits, replies, store, egress, sealed, receipts, flights, library }
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
        let flight = Arc::new(Flight::new(stream, self.replies.room()));
        let waiting = Waiting::on(&flight);
        flights.insert(key.clone(), Arc::clone(&flight));
        drop(flights);
        let landing = Landing {
            key: key.clone(),
            flight: Arc::clone(&flight),
            flights: Arc::clone(&self.flights),
        };
        let receipt = self.receipts.of(&run.spec, &key, &request);
        let shows = match &request {
            Outgoing::Model(call) => call.messages.iter().any(|one| !one.pictures.is_empty()),
            Outgoing::Sealed { .. } => true,
            Outgoing::Search { .. } | Outgoing::Use(_) => false,
        };
        let pipeline = Pipeline {
            task_pictures: shows.then(|| (Arc::clone(&self.library), run.spec.clone())),
            cached: cache::key(&self.egress, &run.spec, &request),
            attempts: egress::attempts(&run.spec),
            sent: Sent { digest: Digest::of_value(&request), endpoint: receipt.endpoint().clone() },
            store: self.store.clone(),
            egress: Arc::clone(&self.egress),
            call_limits: Arc::clone(&self.call_limits),
            receipt,
            key,
            request,
            stream,
            sealed,
            permits,
            landing,
            unsettled: Mutex::default(),
        };
        tokio::spawn(async move {
            // Wait for the cancelled call to finish, so its outcome is in the ledger. This also holds for a call without any caller: a
            // caller that makes the same once more waits for this one alone.
            if let Some(mut before) = before {
                answered(&mut before).await;
            }
            pipeline.run().await;
        });
        Ok(waiting)
    }
}

/// Whether a call belongs to a run: the run is open, and its spec has that model in that seat, that
/// search engine, or a benchmark that uses that tool.
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
            Some(_) | None => {
                Err(Problem::unfit("The run's configuration has no such search engine."))
            }
        },
        Outgoing::Use(Tool::Page(_)) if run.spec.web != Some(WebSpec::Live) => {
            Err(Problem::unfit("The run's configuration does not read the live web."))
        }
        Outgoing::Use(tool) => {
            let benchmark = registry::find(&run.spec.benchmark);
            let samples = benchmark.map(|benchmark| (benchmark, benchmark.samples()));
            let checked =
                samples.map_err(|bad| bad.to_string()).and_then(|(benchmark, samples)| {
                    let any = samples.tasks.first().ok_or("the benchmark has no tasks")?;
                    benchmark.check_tool(&run.spec, any, tool)
                });
            checked.map_err(|why| Problem::unfit(format!("The call cannot be made: {why}.")))
        }
    }
}

fn sits(spec: &Spec, call: &ModelCall) -> Result<(), Problem> {
    match spec.seats.get(&call.seat) {
        Some(Sitting { player: Player::Model { provider, model }, sampling })
            if *provider == call.provider && *model == call.model && *sampling == call.sampling =>
        {
            Ok(())
        }
        _ => Err(Problem::unfit(format!(
            "The run's configuration has no such model in the seat {:?}, or samples it otherwise.",
            call.seat.as_str()
        ))),
    }
}
