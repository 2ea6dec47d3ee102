//! Replies that stand for all runs ([`Facts::cached_reply`](turnwise_shared::benchmark::Facts::cached_reply)): the
//! same request to the same model is answered once, kept in the database, and given to every caller that makes it again.
//!
//! What is given again stands in the transcript like any other reply, so a replay needs nothing of this. Its tokens were
//! counted, and paid for, where it was said first.

use std::future::Future;

use turnwise_shared::prelude::*;
use turnwise_shared::run::again;

use super::egress::{Egress, Paid};
use crate::clock::now;
use crate::sealed::Sender;
use crate::store::Store;

/// Under which key the reply to a call stands for all runs, and which replies may.
#[derive(Clone)]
pub struct Key {
    digest: Digest,
    benchmark: &'static dyn Benchmark,
    seat: Seat,
}

impl Key {
    /// What was cut off, refused or empty, or cannot be read, is asked for again by the next one.
    fn allows(&self, said: &Said) -> bool {
        let text = said.text.as_deref().unwrap_or_default();
        said.stop == Stop::End
            && !text.trim().is_empty()
            && self.benchmark.may_be_cached(&self.seat, text)
    }
}

/// The key of a call's reply, if that stands for all runs. Where the call goes is a part of it: an endpoint's name does not say who
/// answers there, and may be another's tomorrow.
pub fn key(egress: &Egress, spec: &Spec, request: &Outgoing) -> Option<Key> {
    let Outgoing::Model(call) = request else {
        return None;
    };
    let address = egress.address(&call.provider)?;
    let benchmark = registry::find(&spec.benchmark).ok()?;
    Some(Key {
        digest: joined([benchmark.cached_reply(spec, call)?, address]),
        benchmark,
        seat: call.seat.clone(),
    })
}

/// The benchmark's key of a call, if its reply stands for all runs.
fn shared_key(spec: &Spec, call: &ModelCall) -> Option<Digest> {
    let benchmark = registry::find(&spec.benchmark).ok()?;
    benchmark.cached_reply(spec, call)
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
        shared_key(spec, &call).is_some()
    })
}

/// The answer to a call whose reply has a key: the one that stands, else what comes back once it is `sent`, which stands from
/// then on. A database that fails is no reason not to send it.
pub async fn answer(
    store: &Store,
    key: Option<&Key>,
    sent: impl Future<Output = CallAnswer>,
) -> CallAnswer {
    let Some(key) = key else {
        return sent.await;
    };
    let started = now();
    match store.cached_reply(&key.digest).await {
        // An earlier program let stand what cannot be read.
        Ok(Some(said)) if key.allows(&said) => {
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
        Ok(_) => {}
        Err(error) => tracing::error!(%error, "standing replies cannot be read"),
    }
    let mut answer = sent.await;
    if let Reply::Said(said) = &mut answer.reply
        && key.allows(said)
    {
        match store.cache_reply(&key.digest, said, now()).await {
            Ok(None) => {}
            // Another run was faster; this call was paid for all the same.
            Ok(Some(first)) if key.allows(&first) => {
                let usage = std::mem::take(&mut said.usage);
                *said = Said { usage, ..first };
            }
            Ok(Some(_)) => {}
            Err(error) => tracing::error!(%error, "a standing reply cannot be kept"),
        }
    }
    answer
}

/// Sends what the server words itself, over sealed tasks.
pub struct Worded<'a> {
    /// What it goes out by.
    pub paid: Paid<'a>,
    pub store: &'a Store,
    pub spec: &'a Spec,
}

impl Sender for Worded<'_> {
    async fn send(&self, request: &Outgoing, counted: Outgoing) -> CallAnswer {
        let sent = Sender::send(&self.paid, request, counted);
        // Apart from what pages word: a client that words a guess at what is hidden would else learn that just this was asked
        // before.
        let (apart, tasks) = (Digest::of("sealed"), self.spec.tasks.digest);
        let key = key(self.paid.egress, self.spec, request);
        let key = key.map(|key| Key { digest: joined([apart, tasks, key.digest]), ..key });
        answer(self.store, key.as_ref(), sent).await
    }
}

#[cfg(test)]
mod tests {
    use turnwise_shared::examples::WORLDS;

    use super::*;
    use crate::database::Database;

    #[tokio::test]
    async fn what_cannot_be_read_does_not_stand_and_is_asked_for_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = Database::File(folder.path().join("turnwise.db"));
        let store = Store::open(&place).await.expect("it opens");
        let key = Key {
            digest: Digest::of("a verdict"),
            benchmark: registry::find(WORLDS).expect("it is there"),
            seat: Seat::new("judge"),
        };
        let say = async |text: &str| {
            let sent = async {
                CallAnswer { reply: Reply::Said(Said::text(text)), timing: Timing::default() }
            };
            let CallAnswer { reply, timing } = answer(&store, Some(&key), sent).await;
            let Reply::Said(said) = reply else {
                panic!("{reply:?}");
            };
            (said.text.unwrap_or_default(), timing.from_ledger)
        };
        let sound = "<answer>Correct</answer>";
        assert_eq!(say("Who knows.").await, ("Who knows.".to_owned(), false));
        assert_eq!(say(sound).await, (sound.to_owned(), false));
        assert_eq!(say("Who knows.").await, (sound.to_owned(), true));
        // One that an earlier program let stand is neither given nor put in the place of what is said now.
        let key = Key { digest: Digest::of("another verdict"), ..key };
        let unread = Said::text("Who knows.");
        let kept = store.cache_reply(&key.digest, &unread, 1).await;
        assert_eq!(kept.expect("it is kept"), None);
        let sent = async {
            CallAnswer { reply: Reply::Said(Said::text(sound)), timing: Timing::default() }
        };
        let CallAnswer { reply, .. } = answer(&store, Some(&key), sent).await;
        assert_eq!(reply, Reply::Said(Said::text(sound)));
    }
}
