//! Replies that stand for all runs ([`Benchmark::standing_reply`](turnwise_shared::benchmark::Benchmark::standing_reply)): the
//! same request to the same model is answered once, kept in the database, and given to whoever makes it again.
//!
//! What is given again stands in the transcript like any other reply, so a replay needs nothing of this. Its tokens were
//! counted, and paid for, where it was said first.

use std::future::Future;

use turnwise_shared::effect::Reply;
use turnwise_shared::hash::Digest;
use turnwise_shared::prompt::{Said, Stop};
use turnwise_shared::registry;
use turnwise_shared::run::again;
use turnwise_shared::seat::{Lineup, Player};
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::{CallAnswer, ModelCall, Outgoing, Timing};

use crate::egress::{Egress, now};
use crate::governor::purse::Paid;
use crate::sealed::Sender;
use crate::store::Store;

/// The key of a call's reply, if that stands for all runs. Where the call goes is a part of it: an endpoint's name does not say who
/// answers there, and may be another's tomorrow.
pub fn key(egress: &Egress, spec: &Spec, request: &Outgoing) -> Option<Digest> {
    let Outgoing::Model(call) = request else {
        return None;
    };
    let address = egress.address(&call.provider)?;
    Some(joined([stands(spec, call)?, address]))
}

/// The benchmark's key of a call, if its reply stands for all runs.
fn stands(spec: &Spec, call: &ModelCall) -> Option<Digest> {
    let benchmark = registry::find(&spec.benchmark).ok()?;
    benchmark.standing_reply(spec, call)
}

fn joined<const N: usize>(digests: [Digest; N]) -> Digest {
    Digest::of_parts(digests.iter().map(|digest| digest.bytes().as_slice()))
}

/// Whether replies of some model among these seats stand for all runs, so that a database is needed.
pub fn is_needed(spec: &Spec, seats: &Lineup) -> bool {
    seats.iter().any(|(seat, sitting)| {
        let Player::Model { provider, model } = &sitting.player else {
            return false;
        };
        let call = ModelCall {
            provider: provider.clone(),
            model: model.clone(),
            seat: seat.clone(),
            messages: Vec::new(),
            sampling: sitting.sampling.clone(),
        };
        stands(spec, &call).is_some()
    })
}

/// The answer to a call whose reply has a key: the one that stands, else what comes back once it is `sent`, which stands from
/// then on. A database that fails is no reason not to send it.
pub async fn answer(
    store: &Store,
    key: Option<Digest>,
    sent: impl Future<Output = CallAnswer>,
) -> CallAnswer {
    let Some(key) = key else {
        return sent.await;
    };
    let started = now();
    match store.standing_reply(&key).await {
        Ok(Some(said)) => {
            return CallAnswer {
                reply: Reply::Said(again(&said)),
                timing: Timing {
                    started,
                    took: now().saturating_sub(started),
                    from_ledger: true,
                    ..Timing::default()
                },
            };
        }
        Ok(None) => {}
        Err(error) => tracing::error!(%error, "standing replies cannot be read"),
    }
    let mut answer = sent.await;
    if let Reply::Said(said) = &mut answer.reply
        && is_whole(said)
    {
        match store.let_stand(&key, said, now()).await {
            Ok(None) => {}
            // Another run was faster; this call was paid for all the same.
            Ok(Some(first)) => {
                let usage = std::mem::take(&mut said.usage);
                *said = Said { usage, ..first };
            }
            Err(error) => tracing::error!(%error, "a standing reply cannot be kept"),
        }
    }
    answer
}

/// Sends what the server words itself, over sealed tasks.
pub struct Worded<'a> {
    /// What it goes out by.
    pub paid: Paid<'a>,
    /// Where replies stand.
    pub store: &'a Store,
    /// The run's.
    pub spec: &'a Spec,
}

impl Sender for Worded<'_> {
    async fn send(&self, request: &Outgoing, counted: Outgoing) -> CallAnswer {
        let sent = Sender::send(&self.paid, request, counted);
        // Apart from what pages word: whoever words a guess at what is hidden would else hear that just this was asked before.
        let (apart, tasks) = (Digest::of("sealed"), self.spec.tasks.digest);
        let key = key(self.paid.egress, self.spec, request);
        let key = key.map(|key| joined([apart, tasks, key]));
        answer(self.store, key, sent).await
    }
}

/// What was cut off, refused or empty is asked for again by the next one.
fn is_whole(said: &Said) -> bool {
    let text = said.text.as_deref().unwrap_or_default();
    said.stop == Stop::End && !text.trim().is_empty()
}
