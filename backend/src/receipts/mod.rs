//! Receipts: of every call that came back this server says, under its signature, what was asked, sent and answered
//! (ARCHITECTURE.md, rules 15 to 17). How they are checked stands in [`turnwise_shared::receipt`].
//!
//! No call waits for its receipt, and nothing is signed call by call: one signature goes over all that came within 10 ms, or over
//! 256. What a server that was killed had not signed yet, it signs when it starts again, from its ledger.

pub mod key;
mod page;
mod signer;

use std::collections::BTreeMap;
use std::pin::pin;

use futures::TryStreamExt as _;
use tokio::sync::{mpsc, oneshot};
use turnwise_shared::effect::Tool;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::ProviderInfo;
use turnwise_shared::wire::receipts::{CallEnd, Endpoint, Host, KeyId};

use crate::config::{Config, Receipting};
use crate::store::{Store, StoreError};

pub use key::{BadKey, Key};
pub use page::page;
use signer::{Draft, Signer};

/// From an answer until it is in the ledger and waits for its signature, in milliseconds, at most.
const SLACK: u64 = 60_000;

/// In milliseconds.
const DAY: u64 = 86_400_000;

/// The wire format of a built-in player, which answers here.
const BOT: &str = "bot";

/// A hand on the one task that signs. Cloning it gives another; the task ends with the last of them.
#[derive(Clone)]
pub struct Receipts {
    /// `None` if the operator wants no receipts.
    work: Option<mpsc::UnboundedSender<Work>>,
    endpoints: BTreeMap<String, Endpoint>,
    engines: BTreeMap<String, Endpoint>,
    reads_robots: bool,
}

/// The format of the endpoint where pages are fetched without a look at robots.txt.
const NO_ROBOTS: &str = "page, robots.txt not read";

/// What the task is to do.
enum Work {
    Sign(Box<Draft>),
    /// Sign it unless it has a receipt.
    SignMissing(Box<Draft>),
    /// Sign what is there, a head included, and say when it is kept.
    Flush(oneshot::Sender<()>),
}

/// The server cannot sign.
#[derive(Debug, thiserror::Error)]
pub enum CannotSign {
    /// Its key cannot be had.
    #[error(transparent)]
    Key(#[from] BadKey),
    /// What it signed cannot be read.
    #[error("receipts cannot be kept: {0}")]
    Store(#[from] StoreError),
}

impl Receipts {
    /// Opens the key, publishes it, and starts the task.
    ///
    /// # Errors
    /// If the key or the store cannot be used.
    pub async fn open(
        config: &Config,
        store: &Store,
        providers: Vec<ProviderInfo>,
        engines: Vec<EngineInfo>,
    ) -> Result<Self, CannotSign> {
        let (work, since) = match config.signing.receipts {
            Receipting::Off => (None, None),
            Receipting::On => {
                let key = Key::open(config)?;
                let earlier = Key::earlier(config);
                let now = crate::clock::now();
                let since = since(store, &key.id(), &earlier).await?;
                // Signed while the clock was ahead: it is unknown since when.
                let since = since.map(|since| match since > now {
                    true => now.saturating_sub(DAY),
                    false => since,
                });
                for earlier in &earlier {
                    store.put_away(earlier, now).await?;
                }
                store.publish_key(&key.id(), &key.public(), now).await?;
                store.cover_batches().await?;
                let signer = Signer::open(key, store.clone()).await?;
                let (sender, work) = mpsc::unbounded_channel();
                tokio::spawn(signer.run(work));
                (Some(sender), since)
            }
        };
        let endpoint = |name: String, format: String, is_built_in| {
            let host = match is_built_in {
                true => Host::BuiltIn,
                false => Host::Custom,
            };
            (name.clone(), Endpoint { name, format, host })
        };
        let endpoints = providers.into_iter().map(|info| {
            let mut configured = config.providers.iter();
            let configured = configured.find(|provider| provider.name == info.name);
            let own = configured.is_some_and(|one| one.format.own_service().is_some());
            endpoint(info.name, info.format, own)
        });
        let engines = engines.into_iter().map(|info| {
            let mut configured = config.engines.iter();
            let configured = configured.find(|engine| engine.name == info.name);
            let own = configured.is_some_and(|engine| engine.service.is_at_its_own_address());
            endpoint(info.name, info.format, own)
        });
        let receipts = Receipts {
            work,
            endpoints: endpoints.collect(),
            engines: engines.collect(),
            reads_robots: config.manners.robots,
        };
        receipts.catch_up(store, since).await?;
        Ok(receipts)
    }

    /// Signs what came back before the server was killed and was not signed then; what came back before `since` is signed.
    /// Answers of which another server is about to sign the receipt may get a second one here, which counts for nothing. A receipt
    /// says where its call went then, whatever this server is configured to by now; of what went nowhere, there is none.
    async fn catch_up(&self, store: &Store, since: Option<u64>) -> Result<(), StoreError> {
        let (Some(work), Some(since)) = (&self.work, since) else {
            return Ok(());
        };
        let answered = store.answered_since(since.saturating_sub(SLACK));
        let mut answered = pin!(answered);
        while let Some(answered) = answered.try_next().await? {
            let Some(endpoint) = answered.endpoint else {
                continue;
            };
            let reply = Digest::of_value(&answered.answer.reply);
            if store.has_receipt(&answered.key, &reply).await? {
                continue;
            }
            let draft = draft(answered.key, answered.sent, endpoint, &answered.answer);
            // If the signer is gone, there is nothing to catch up with.
            let _ = work.send(Work::SignMissing(draft));
        }
        Ok(())
    }

    /// Where the player of a seat answers.
    fn of_player(&self, seat: &Seat, player: &Player) -> Endpoint {
        match player {
            Player::Model { provider, .. } => self.of_provider(provider),
            Player::Bot(name) => {
                Endpoint { name: short(name), format: BOT.to_owned(), host: Host::BuiltIn }
            }
            Player::Recording(_) | Player::Person => unknown(seat.as_str()),
        }
    }

    fn of_provider(&self, name: &str) -> Endpoint {
        let known = self.endpoints.get(name).cloned();
        known.unwrap_or_else(|| unknown(name))
    }

    fn endpoint(&self, spec: &Spec, request: &Outgoing) -> Endpoint {
        match request {
            Outgoing::Model(call) => self.of_provider(&call.provider),
            Outgoing::Search { engine, .. } => {
                let known = self.engines.get(engine).cloned();
                known.unwrap_or_else(|| unknown(engine))
            }
            Outgoing::Use(tool) => Endpoint {
                name: match tool {
                    Tool::Render(_) => "renderer",
                    Tool::Page(_) => "web",
                }
                .to_owned(),
                format: match tool {
                    Tool::Page(_) if !self.reads_robots => NO_ROBOTS.to_owned(),
                    _ => tool.name().to_owned(),
                },
                host: Host::BuiltIn,
            },
            Outgoing::Sealed { seat } => match spec.seats.get(seat) {
                Some(sitting) => self.of_player(seat, &sitting.player),
                None => unknown(seat.as_str()),
            },
        }
    }

    /// What a receipt will say of a call, once it has come back.
    pub fn of(&self, spec: &Spec, key: &CallKey, request: &Outgoing) -> Pending {
        Pending {
            key: key.clone(),
            endpoint: self.endpoint(spec, request),
            work: self.work.clone(),
        }
    }

    /// Returns once everything is kept that came back so far.
    pub async fn flush(&self) {
        let (done, kept) = oneshot::channel();
        if let Some(work) = &self.work
            && work.send(Work::Flush(done)).is_ok()
        {
            // Who signs has ended: there is nothing to wait for.
            let _ = kept.await;
        }
    }
}

/// A receipt that waits for its answer.
pub struct Pending {
    key: CallKey,
    endpoint: Endpoint,
    work: Option<mpsc::UnboundedSender<Work>>,
}

impl Pending {
    /// Where the call goes if this server sends it.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Has the receipt of an answer written that came from there. One from the ledger has its receipt already, unless the server was
    /// killed in between.
    pub fn write(self, sent: &Digest, from: Endpoint, answer: &CallAnswer) {
        let Some(work) = self.work else {
            return;
        };
        let draft = draft(self.key, *sent, from, answer);
        let told = match answer.timing.from_ledger {
            false => work.send(Work::Sign(draft)),
            true => work.send(Work::SignMissing(draft)),
        };
        if told.is_err() {
            tracing::error!("nobody is there who signs receipts");
        }
    }
}

/// Where an answer came from of which that was not noted.
pub fn nobody_knows() -> Endpoint {
    unknown("unknown")
}

/// From when on a server that starts looks for answers without a receipt, in milliseconds since 1970: since it signed last, under
/// whichever key it had; since it has its first one, if it never did. `None` if it is its first start.
async fn since(store: &Store, key: &KeyId, earlier: &[KeyId]) -> Result<Option<u64>, StoreError> {
    let mut signed = store.signed_until(key).await?;
    for earlier in earlier {
        signed = signed.max(store.signed_until(earlier).await?);
    }
    if signed.is_some() {
        return Ok(signed);
    }
    let published = store.keys().await?;
    let own = published.iter().filter(|known| known.id == *key || earlier.contains(&known.id));
    Ok(own.map(|known| known.since).min())
}

/// One of which nothing is known: it counts as the operator's own.
fn unknown(name: &str) -> Endpoint {
    Endpoint { name: short(name), format: "unknown".to_owned(), host: Host::Custom }
}

fn short(name: &str) -> String {
    name.chars().take(80).collect()
}

fn draft(key: CallKey, sent: Digest, endpoint: Endpoint, answer: &CallAnswer) -> Box<Draft> {
    let model = match &answer.reply {
        Reply::Said(said) => said.model.clone(),
        Reply::Made(Made::Picture(made)) => Some(short(&made.browser)),
        _ => None,
    };
    let came = match &answer.reply {
        Reply::Failed(_) => CallEnd::Failure,
        _ => CallEnd::Answer,
    };
    Box::new(Draft {
        key,
        sent,
        came,
        reply: Digest::of_value(&answer.reply),
        endpoint,
        model,
        time: answer.timing.started,
    })
}
