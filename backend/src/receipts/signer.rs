//! The task that signs: gathers what came back, makes leaves, a tree and one signature of it, and keeps them together.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout_at};
use turnwise_shared::hash::canonical;
use turnwise_shared::prelude::*;
use turnwise_shared::receipt::{self, tree};
use turnwise_shared::wire::receipts::{CallEnd, Endpoint, Receipt, SignedBatch, TreeHead};

use super::{Key, Work};
use crate::clock::now;
use crate::store::{KeptReceipt, MayBeOutage as _, Store, StoreError};

/// Two signatures are at least so far apart.
const WINDOW: Duration = Duration::from_millis(10);

/// The most leaves under one signature.
const MOST: usize = 256;

/// How often all batches together are signed, if there are new ones.
const HEADS: Duration = Duration::from_secs(60);

/// How often a batch is tried that cannot be kept, which is for some minutes.
const TRIES: u32 = 40;

/// After this number of doublings the wait between two tries grows no longer.
const DOUBLINGS: u32 = 9;

/// The number of runs whose last receipts are remembered.
const CHAINS: usize = 4096;

/// A receipt before it has its place.
#[derive(Debug)]
pub struct Draft {
    pub key: CallKey,
    /// The digest of what was sent.
    pub sent: Digest,
    /// Whether it had an answer.
    pub came: CallEnd,
    /// The digest of what came back.
    pub reply: Digest,
    pub endpoint: Endpoint,
    /// The model as the service named it.
    pub model: Option<String>,
    pub time: u64,
}

pub struct Signer {
    key: Key,
    store: Store,
    /// The number of the next leaf.
    next: u64,
    /// The number and the leaf of the last receipt of each run, as far as they were needed.
    chains: HashMap<RunId, (u64, Digest)>,
    /// Over the roots of all batches.
    tree: tree::Growing,
    /// How many of them the last head covers.
    headed: u64,
}

impl Signer {
    /// A signer that goes on where the store says it has come.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open(key: Key, store: Store) -> Result<Self, StoreError> {
        let mut signer = Signer {
            key,
            store,
            next: 0,
            chains: HashMap::new(),
            tree: tree::Growing::default(),
            headed: 0,
        };
        signer.look_up().await?;
        Ok(signer)
    }

    async fn look_up(&mut self) -> Result<(), StoreError> {
        // Whatever happens now, what was remembered may not be what is kept.
        self.chains.clear();
        let id = self.key.id();
        let (next, roots) = self.store.batch_roots(&id).await?;
        self.next = next;
        self.tree = tree::Growing::default();
        roots.into_iter().for_each(|root| self.tree.push(root));
        self.headed = self.store.last_head(&id).await?;
        Ok(())
    }

    /// Signs until no sender is left.
    pub async fn run(mut self, mut work: mpsc::UnboundedReceiver<Work>) {
        let mut heads = tokio::time::interval(HEADS);
        let mut earliest = Instant::now();
        loop {
            let first = tokio::select! {
                first = work.recv() => match first {
                    Some(first) => first,
                    None => break,
                },
                _ = heads.tick() => {
                    self.head().await;
                    continue;
                }
            };
            let mut gathered = Gathered::default();
            let mut more = gathered.take(first, &self.store).await;
            while more && gathered.drafts.len() < MOST {
                match timeout_at(earliest, work.recv()).await {
                    Ok(Some(next)) => more = gathered.take(next, &self.store).await,
                    // What came meanwhile goes along.
                    Err(_) => match work.try_recv() {
                        Ok(next) => more = gathered.take(next, &self.store).await,
                        Err(_) => more = false,
                    },
                    Ok(None) => more = false,
                }
            }
            if !gathered.drafts.is_empty() {
                earliest = Instant::now() + WINDOW;
                self.keep(&gathered.drafts).await;
            }
            if gathered.with_head {
                self.head().await;
            }
            for waiting in gathered.waiting {
                // Who does not wait any more need not hear of it.
                let _ = waiting.send(());
            }
        }
        self.head().await;
    }

    /// Signs and keeps a batch; tries again from what the store has if that fails.
    async fn keep(&mut self, drafts: &[Draft]) {
        for attempt in 1..=TRIES {
            match self.try_to_keep(drafts).await {
                Ok(()) => return,
                Err(error) => {
                    tracing::error!(%error, attempt, "receipts cannot be kept");
                    sleep(WINDOW * (1 << attempt.min(DOUBLINGS))).await;
                    // No call goes out meanwhile, so few receipts wait.
                    if error.is_outage() && self.store.until_sound().await.is_err() {
                        return;
                    }
                    if let Err(error) = self.look_up().await {
                        tracing::error!(%error, "receipts cannot be read");
                    }
                }
            }
        }
    }

    async fn try_to_keep(&mut self, drafts: &[Draft]) -> Result<(), StoreError> {
        let id = self.key.id();
        if self.chains.len() > CHAINS {
            self.chains.clear();
        }
        // Nothing is remembered as kept before it is.
        let mut chains: HashMap<&RunId, (u64, Digest)> = HashMap::new();
        let mut kept = Vec::with_capacity(drafts.len());
        for (at, draft) in drafts.iter().enumerate() {
            let run = &draft.key.run;
            let chain = match chains.get(run).or_else(|| self.chains.get(run)) {
                Some(chain) => *chain,
                None => {
                    let last = self.store.last_receipt(&id, run).await?;
                    last.unwrap_or((0, receipt::beginning(run)))
                }
            };
            let receipt = Receipt {
                key: id,
                run: run.clone(),
                number: chain.0 + 1,
                previous: chain.1,
                episode: draft.key.episode.clone(),
                call: draft.key.call,
                asked: draft.key.digest,
                sent: draft.sent,
                came: draft.came,
                reply: draft.reply,
                endpoint: draft.endpoint.clone(),
                model: draft.model.clone(),
                time: draft.time,
            };
            // Written once: it is hashed and kept.
            let text = canonical(&receipt);
            let hash = receipt::leaf_of(&text);
            chains.insert(run, (receipt.number, hash));
            kept.push((KeptReceipt { leaf: self.next + at as u64, hash, receipt }, text));
        }
        let hashes: Vec<Digest> = kept.iter().map(|(kept, _)| kept.hash).collect();
        let mut batch = SignedBatch {
            key: id,
            from: self.next,
            count: u32::try_from(kept.len()).unwrap_or(u32::MAX),
            root: tree::root(&hashes),
            time: now(),
            signature: String::new(),
        };
        batch.signature = self.key.sign(&receipt::batch_text(&batch));
        self.store.keep_receipts(&kept, &batch).await?;
        self.next += kept.len() as u64;
        self.tree.push(batch.root);
        let chains = chains.into_iter();
        self.chains.extend(chains.map(|(run, chain)| (run.clone(), chain)));
        Ok(())
    }

    /// Signs all batches together, if there are new ones.
    async fn head(&mut self) {
        if self.tree.count() == self.headed {
            return;
        }
        let mut head = TreeHead {
            key: self.key.id(),
            batches: self.tree.count(),
            leaves: self.next,
            root: self.tree.root(),
            time: now(),
            signature: String::new(),
        };
        head.signature = self.key.sign(&receipt::head_text(&head));
        match self.store.keep_head(&head).await {
            Ok(()) => self.headed = head.batches,
            Err(error) => tracing::error!(%error, "a head over all receipts cannot be kept"),
        }
    }
}

/// What one signature will be over, and who waits for it.
#[derive(Default)]
struct Gathered {
    drafts: Vec<Draft>,
    waiting: Vec<oneshot::Sender<()>>,
    with_head: bool,
}

impl Gathered {
    /// Takes work in; says whether more may come before it is signed.
    async fn take(&mut self, work: Work, store: &Store) -> bool {
        match work {
            Work::Sign(draft) => {
                self.drafts.push(*draft);
                true
            }
            Work::SignMissing(draft) => {
                let same = |other: &Draft| other.key == draft.key && other.reply == draft.reply;
                let is_there = self.drafts.iter().any(same)
                    || match store.has_receipt(&draft.key, &draft.reply).await {
                        Ok(is_there) => is_there,
                        // Two receipts of one answer count once; one that is missing is missing for ever.
                        Err(error) => {
                            tracing::error!(%error, "receipts cannot be read");
                            false
                        }
                    };
                if !is_there {
                    self.drafts.push(*draft);
                }
                true
            }
            Work::Flush(waiting) => {
                self.waiting.push(waiting);
                self.with_head = true;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests;
