//! A call that another server over the same database may be sending: it is sent once, and everybody hears what came back.

use std::time::Duration;

use turnwise_shared::effect::FailureClass;
use turnwise_shared::hash::Digest;
use turnwise_shared::wire::{CallAnswer, CallKey};

use super::{Flight, cancelled, failed};
use crate::egress::now;
use crate::store::{Elsewhere, Intended, Store, StoreError};

/// Until the ledger is looked at again: at first, and at most.
const FIRST: Duration = Duration::from_millis(25);
const LONGEST: Duration = Duration::from_millis(500);

/// Makes a call this server's to send, or waits for whoever sends it. A server that is gone leaves its call to others; what it
/// sent counts as lost.
///
/// # Errors
/// The answer, if the call must not be sent: it is known already, another server heard it, the call was cancelled, or the ledger
/// failed.
pub(super) async fn claim(
    store: &Store,
    key: &CallKey,
    digest: &Digest,
    flight: &Flight,
) -> Result<(), CallAnswer> {
    let started = now();
    let broken = |error: StoreError| {
        tracing::error!(%error, "the ledger cannot be written, so a call was not sent");
        let why = "the server's ledger cannot be written";
        failed(started, FailureClass::Server, why)
    };
    let mut wait = FIRST;
    loop {
        match store.intend(key, digest, now()).await.map_err(broken)? {
            Intended::Ours => return Ok(()),
            Intended::Answered(answer) => return Err(of_ledger(*answer)),
            Intended::Elsewhere => {}
        }
        loop {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = flight.cancelled.notified() => return Err(cancelled(started)),
            }
            wait = (wait * 2).min(LONGEST);
            match store.elsewhere(key, now()).await.map_err(broken)? {
                Elsewhere::Flying => {}
                Elsewhere::Answered(answer) => return Err(of_ledger(*answer)),
                Elsewhere::Left => break,
            }
        }
    }
}

fn of_ledger(mut answer: CallAnswer) -> CallAnswer {
    answer.timing.from_ledger = true;
    answer
}
