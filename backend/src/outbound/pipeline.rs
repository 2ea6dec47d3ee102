//! What happens to a call between the moment that a caller wants its answer and the moment that the caller hears it.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard};

use turnwise_shared::benchmark::Attempts;
use turnwise_shared::prelude::*;

use super::budget::{Account, Unsettled};
use super::cache::{self, Worded};
use super::call_limits::CallLimits;
use super::egress::{Egress, Paid};
use super::elsewhere;
use super::flight::{Landed, Landing, Sent, cancelled, failed, lock};
use super::permits::{Permit, Permits};
use crate::clock::now;
use crate::long_texts::{REPLY, beside};
use crate::providers::Listener;
use crate::receipts::Pending;
use crate::sealed::Sealed;
use crate::store::{RunHead, Store, StoreError};
use crate::task_library::TaskLibrary;

/// One call, and what its steps need.
pub(super) struct Pipeline {
    pub store: Store,
    pub egress: Arc<Egress>,
    pub call_limits: Arc<CallLimits>,
    pub key: CallKey,
    pub request: Outgoing,
    pub stream: Stream,
    /// What limits the calls of its run at once, if anything does.
    pub permits: Option<Arc<Permits>>,
    /// The key of its reply, if that is cached for all runs.
    pub cached: Option<cache::Key>,
    /// For calls over sealed tasks, with the run.
    pub sealed: Option<(Arc<Sealed>, RunHead)>,
    /// Of calls that may show pictures of tasks: where those come from.
    pub task_pictures: Option<(Arc<TaskLibrary>, Spec)>,
    /// How often it is sent at most, unless the operator has set a number.
    pub attempts: Attempts,
    /// What is sent, and where it goes.
    pub sent: Sent,
    pub receipt: Pending,
    pub landing: Landing,
    /// What its reply came to, until that is stored: what is paid for is not to be lost while budgets are put right.
    pub unsettled: Mutex<Option<Unsettled>>,
}

impl Pipeline {
    /// The steps of a call, in order. Those of every attempt are in [`Egress::send`]: throttle, reserve, attempt, settle.
    pub async fn run(self) {
        // Held until the answer is delivered.
        let Some(_permit) = self.permit().await else {
            return;
        };
        let Some(account) = self.account().await else {
            return;
        };
        let started = now();
        let Landed { answer, sent } = match self.intend().await {
            // Known from the ledger, or not to be sent.
            Err(landed) => landed,
            Ok(()) => {
                let room = Arc::clone(self.landing.flight.room());
                let answer = tokio::select! {
                    answer = REPLY.scope(room, self.cache_or_attempts(&account)) => answer,
                    () = self.landing.flight.given_up() => cancelled(started),
                };
                let landed = self.record(answer, started).await;
                let unsettled = self.unsettled().take();
                if let Some(unsettled) = unsettled {
                    account.settle(unsettled).await;
                }
                landed
            }
        };
        self.count(&account).await;
        self.note_paces().await;
        if let Some(Sent { digest, endpoint }) = sent {
            let write = || self.receipt.write(&digest, endpoint, &answer);
            beside(answer.reply.bytes(), write).await;
        }
        self.landing.with(answer);
    }

    /// Waits for a permit, if the run has a number of them.
    async fn permit(&self) -> Option<Option<Permit>> {
        let permit = async {
            match &self.permits {
                Some(permits) => Some(permits.take(self.request.lane()).await),
                None => None,
            }
        };
        self.while_wanted(permit).await
    }

    /// What pays for it. As long as the database cannot be used, the call waits as it waits for its permit.
    async fn account(&self) -> Option<Account> {
        let payable = async {
            self.store.until_payable().await?;
            self.store.insist(|| async { self.call_limits.account(&self.key.run).await }).await
        };
        match self.while_wanted(payable).await? {
            Ok(account) => Some(account),
            Err(error) => {
                tracing::error!(%error, "budgets cannot be read, so a call was not sent");
                let why = "the server's budgets cannot be read";
                let failed = failed(now(), FailureClass::Server, why);
                self.landing.with(failed);
                None
            }
        }
    }

    /// Waits for a step that costs nothing: a call that is cancelled meanwhile is not sent, and one for which no caller waits any more
    /// is forgotten.
    async fn while_wanted<T>(&self, step: impl Future<Output = T>) -> Option<T> {
        let flight = &self.landing.flight;
        let mut step = pin!(step);
        loop {
            tokio::select! {
                biased;
                () = flight.called_off() => {
                    self.landing.with(cancelled(now()));
                    return None;
                }
                done = &mut step => return Some(done),
                () = flight.deserted() => if self.landing.given_up() {
                    return None;
                },
            }
        }
    }

    /// Writes into the ledger that it is about to be sent.
    async fn intend(&self) -> Result<(), Landed> {
        elsewhere::claim(&self.store, &self.key, &self.sent, &self.landing.flight).await
    }

    /// The cached reply, else what the attempts came to.
    async fn cache_or_attempts(&self, account: &Account) -> CallAnswer {
        if let Some((library, spec)) = &self.task_pictures
            && let Err(problem) = library.keep_pictures(spec, &self.store).await
        {
            // A call that shows none of them can be made all the same.
            tracing::debug!(?problem.error, "the pictures of a run's tasks are not at hand");
        }
        let paid = Paid { egress: &self.egress, account, attempts: self.attempts };
        if let (Outgoing::Sealed { seat }, Some((sealed, run))) = (&self.request, &self.sealed) {
            // No caller hears it piece by piece.
            let sender = Worded { paid, store: &self.store, spec: &run.spec };
            return sealed.answer(run, &self.key, seat, &sender).await;
        }
        let flight = &self.landing.flight;
        let listener = |piece: &str| flight.tell(piece);
        let listener: Listener<'_> = match self.stream {
            Stream::Whole => None,
            Stream::Pieces => Some(&listener),
        };
        let sent = async {
            let sent = self.egress.send_unsettled(&self.request, listener, account, self.attempts);
            let (answer, unsettled) = sent.await;
            *self.unsettled() = unsettled;
            answer
        };
        cache::answer(&self.store, self.cached.as_ref(), sent).await
    }

    fn unsettled(&self) -> MutexGuard<'_, Option<Unsettled>> {
        lock(&self.unsettled)
    }

    /// Writes the answer into the ledger. What was paid for is kept here until it is stored, and nothing else is paid for until then.
    async fn record(&self, answer: CallAnswer, started: u64) -> Landed {
        let Sent { digest, endpoint } = &self.sent;
        let keep = || async {
            let answered = self.store.answered(&self.key, digest, &answer, Some(endpoint));
            answered.await
        };
        match self.store.insist_on_paid(keep).await {
            // A server that was thought to be gone was faster; its reply stands.
            Ok(Some(first)) => elsewhere::of_ledger(first, &self.sent, started),
            Ok(None) => Landed::sent(answer, &self.sent),
            Err(error) => {
                tracing::error!(%error, "an answer cannot be written into the ledger");
                let why = "the answer came, but the server's ledger cannot keep it";
                Landed::sent(failed(started, FailureClass::Server, why), &self.sent)
            }
        }
    }

    /// Counts it in a budget that was set while it was on its way.
    async fn count(&self, account: &Account) {
        let prices = self.egress.prices();
        let count = || async { self.call_limits.came_back(&self.key.run, account, prices).await };
        if let Err(error) = self.store.insist(count).await {
            tracing::error!(%error, "what a call came to cannot be counted in a budget that was set meanwhile");
        }
    }

    /// Stores how services were held back since the last call.
    async fn note_paces(&self) {
        for change in self.egress.pace_changes() {
            let stored: Result<(), StoreError> = self.store.pace_changed(&change).await;
            if let Err(error) = stored {
                tracing::error!(%error, "how a service was held back cannot be written");
            }
        }
    }
}
