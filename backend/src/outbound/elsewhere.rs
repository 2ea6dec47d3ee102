//! A call that another server over the same database may be sending: it is sent once, and everybody hears what came back.

use std::time::Duration;

use turnwise_shared::prelude::*;

use super::flight::{Flight, Landed, Sent, cancelled, failed};
use crate::clock::now;
use crate::receipts;
use crate::store::{Answered, Elsewhere, Intended, Store, StoreError};

/// Until the ledger is looked at again: at first, and at most.
const FIRST: Duration = Duration::from_millis(25);
const LONGEST: Duration = Duration::from_millis(500);

/// Makes a call this server's to send, or waits for the server that sends it. A server that is gone leaves its call to others;
/// what it sent counts as lost.
///
/// # Errors
/// How it ended, if the call must not be sent: it is known already, another server heard it, the call was cancelled, or the
/// ledger failed.
pub(super) async fn claim(
    store: &Store,
    key: &CallKey,
    sent: &Sent,
    flight: &Flight,
) -> Result<(), Landed> {
    let started = now();
    let unsent = |answer: CallAnswer| Landed::sent(answer, sent);
    let broken = |error: StoreError| {
        tracing::error!(%error, "the ledger cannot be written, so a call was not sent");
        let why = "the server's ledger cannot be written";
        unsent(failed(started, FailureClass::Server, why))
    };
    let mut wait = FIRST;
    loop {
        let intended = store.insist(|| async {
            store.until_payable().await?;
            store.intend(key, &sent.digest, now()).await
        });
        let intended = tokio::select! {
            biased;
            () = flight.called_off() => return Err(unsent(cancelled(started))),
            intended = intended => intended.map_err(broken)?,
        };
        match intended {
            Intended::Ours => return Ok(()),
            Intended::Answered(known) => return Err(of_ledger(*known, sent, started)),
            Intended::Elsewhere => {}
        }
        loop {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = flight.called_off() => return Err(unsent(cancelled(started))),
            }
            wait = (wait * 2).min(LONGEST);
            let looked = store.insist(|| async { store.elsewhere(key, now()).await });
            match looked.await.map_err(broken)? {
                Elsewhere::Flying => {}
                Elsewhere::Answered(known) => {
                    let landed = of_ledger(*known, sent, started);
                    // The server that heard it signs for it.
                    return Err(Landed { sent: None, ..landed });
                }
                Elsewhere::Left => break,
            }
        }
    }
}

/// What the ledger has of a call, for a caller that wants `sent` sent. Its receipt says what was sent then, so no caller is given
/// the answer to something else. (A caller that joins a call in the air hears its answer; its receipt, too, says what was sent.)
pub(super) fn of_ledger(known: Answered, sent: &Sent, started: u64) -> Landed {
    if known.sent != sent.digest {
        let why = "this call was answered when something else was sent in it";
        let refused = failed(started, FailureClass::Rejected, why);
        return Landed::sent(refused, sent);
    }
    let mut answer = known.answer;
    answer.timing.from_ledger = true;
    Landed {
        answer,
        sent: Some(Sent {
            digest: known.sent,
            endpoint: known.endpoint.unwrap_or_else(receipts::nobody_knows),
        }),
    }
}
