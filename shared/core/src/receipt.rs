//! Receipts, which any reader can check: from a receipt over its leaf and the root of its batch to a signature, and along the
//! chain that its run has.
//!
//! - leaf = `SHA-256(0 ‖ "turnwise receipt 1" ‖ 0 ‖ canonical receipt)`. A receipt names the leaf before it in its run, so none
//!   can be left out, and a call that was thrown away and made again is seen.
//! - A batch is the root of the tree ([`tree`]) over leaves that follow each other; a head is the root over the roots of
//!   all batches. Both are signed with Ed25519, strictly verified.
//!
//! Nothing here knows a secret: servers sign, this is what everybody else does.

#[cfg(test)]
mod tests;
pub mod tree;

use std::collections::BTreeMap;

use ed25519_dalek::{Signature, VerifyingKey};

use crate::hash::{Digest, canonical, unhex};
use crate::key::RunId;
use crate::wire::receipts::{KeyId, PublishedKey, Receipt, ReceiptsPage, SignedBatch, TreeHead};

/// The leaf of a receipt.
pub fn leaf(receipt: &Receipt) -> Digest {
    leaf_of(&canonical(receipt))
}

/// The leaf of a receipt's canonical text.
pub fn leaf_of(text: &str) -> Digest {
    Digest::of_parts([b"\0turnwise receipt 1\0".as_slice(), text.as_bytes()])
}

/// What stands before the first receipt of a run.
pub fn beginning(run: &RunId) -> Digest {
    Digest::of_parts([b"turnwise receipts 1\0".as_slice(), run.as_str().as_bytes()])
}

/// The text under a batch's signature.
pub fn batch_text(batch: &SignedBatch) -> String {
    let SignedBatch { key, from, count, root, time, .. } = batch;
    format!("turnwise batch 1\n{key}\n{from}\n{count}\n{root}\n{time}\n")
}

/// The text under a head's signature.
pub fn head_text(head: &TreeHead) -> String {
    let TreeHead { key, batches, leaves, root, time, .. } = head;
    format!("turnwise head 1\n{key}\n{batches}\n{leaves}\n{root}\n{time}\n")
}

/// Receipts that do not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadReceipts {
    /// A key cannot be read, or does not have the name under which it is published.
    #[error("the key {0} is not what it is called")]
    Key(KeyId),
    /// They are signed with a key that is not published.
    #[error("the key {0} is not published")]
    UnknownKey(KeyId),
    /// A signature does not hold.
    #[error(
        "the signature of the batch from leaf {from} on does not hold: it was forged, or the batch was changed"
    )]
    Signature {
        /// The batch's first leaf.
        from: u64,
    },
    /// A batch was signed at a time at which its key was not in use.
    #[error("the batch from leaf {from} on was signed outside of the time of its key")]
    OutOfTime {
        /// The batch's first leaf.
        from: u64,
    },
    /// A receipt lies in no batch of its page.
    #[error("receipt {0} lies in no signed batch")]
    NoBatch(u64),
    /// A receipt does not lead to the root of its batch.
    #[error("receipt {0} is not what was signed: it was changed or moved")]
    Changed(u64),
    /// A receipt is of another run.
    #[error("receipt {number} is of the run {run}")]
    OtherRun { number: u64, run: RunId },
    /// The chain of a run's receipts has a gap.
    #[error("receipt {expected} is missing; {found} stands in its place")]
    Gap {
        /// The number that should come.
        expected: u64,
        found: u64,
    },
    /// A receipt does not name the one before it.
    #[error("receipt {0} does not continue the one before it")]
    Parted(u64),
    /// A head's signature does not hold.
    #[error("the signature of the head over {0} batches does not hold")]
    Head(u64),
}

/// Public keys that were read.
#[derive(Debug, Clone, Default)]
pub struct Keys(BTreeMap<KeyId, (VerifyingKey, PublishedKey)>);

impl Keys {
    /// Reads published keys.
    ///
    /// # Errors
    /// [`BadReceipts::Key`] with the first that is not what it is called.
    pub fn read(published: &[PublishedKey]) -> Result<Self, BadReceipts> {
        let read = |key: &PublishedKey| {
            let bytes: [u8; 32] = unhex(&key.public)?.try_into().ok()?;
            let sound = KeyId::of(&bytes) == key.id;
            let read = VerifyingKey::from_bytes(&bytes).ok()?;
            sound.then_some((key.id, (read, key.clone())))
        };
        let keys = published.iter().map(|key| read(key).ok_or(BadReceipts::Key(key.id)));
        Ok(Keys(keys.collect::<Result<_, _>>()?))
    }

    fn of(&self, id: &KeyId) -> Result<&(VerifyingKey, PublishedKey), BadReceipts> {
        self.0.get(id).ok_or(BadReceipts::UnknownKey(*id))
    }

    /// Checks a batch's signature, and that its key was in use then.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check_batch(&self, batch: &SignedBatch) -> Result<(), BadReceipts> {
        let (key, published) = self.of(&batch.key)?;
        let from = batch.from;
        if !signed(key, &batch_text(batch), &batch.signature) {
            return Err(BadReceipts::Signature { from });
        }
        let ended = published.until.is_some_and(|until| batch.time > until);
        match ended || batch.time < published.since {
            true => Err(BadReceipts::OutOfTime { from }),
            false => Ok(()),
        }
    }

    /// Checks a head's signature.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check_head(&self, head: &TreeHead) -> Result<(), BadReceipts> {
        let (key, _) = self.of(&head.key)?;
        match signed(key, &head_text(head), &head.signature) {
            true => Ok(()),
            false => Err(BadReceipts::Head(head.batches)),
        }
    }
}

fn signed(key: &VerifyingKey, text: &str, signature: &str) -> bool {
    let signature: Option<[u8; 64]> = unhex(signature).and_then(|bytes| bytes.try_into().ok());
    signature.is_some_and(|bytes| {
        key.verify_strict(text.as_bytes(), &Signature::from_bytes(&bytes)).is_ok()
    })
}

/// The receipts of a run, each checked down to a signature when it is added.
#[derive(Debug, Clone)]
pub struct Book {
    run: RunId,
    keys: Keys,
    /// Batches whose signatures hold, by key and first leaf.
    batches: BTreeMap<(KeyId, u64), SignedBatch>,
    /// Where the chain of each key stands.
    chains: BTreeMap<KeyId, (u64, Digest)>,
    receipts: Vec<Receipt>,
}

impl Book {
    pub fn new(run: RunId, keys: Keys) -> Self {
        Book { run, keys, batches: BTreeMap::new(), chains: BTreeMap::new(), receipts: Vec::new() }
    }

    /// Checks and adds a page; pages come in their order.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn add(&mut self, page: &ReceiptsPage) -> Result<(), BadReceipts> {
        for batch in &page.batches {
            let name = (batch.key, batch.from);
            if self.batches.get(&name) != Some(batch) {
                self.keys.check_batch(batch)?;
                self.batches.insert(name, batch.clone());
            }
        }
        for proven in &page.receipts {
            let receipt = &proven.receipt;
            let number = receipt.number;
            if receipt.run != self.run {
                return Err(BadReceipts::OtherRun { number, run: receipt.run.clone() });
            }
            let leaf = leaf(receipt);
            self.follow(receipt, leaf)?;
            let batch = self
                .batches
                .range((receipt.key, 0)..=(receipt.key, proven.leaf))
                .next_back()
                .map(|(_, batch)| batch)
                .filter(|batch| proven.leaf - batch.from < u64::from(batch.count))
                .ok_or(BadReceipts::NoBatch(number))?;
            let index = proven.leaf - batch.from;
            if tree::climb(leaf, index, u64::from(batch.count), &proven.path) != Some(batch.root) {
                return Err(BadReceipts::Changed(number));
            }
            self.receipts.push(receipt.clone());
        }
        Ok(())
    }

    fn follow(&mut self, receipt: &Receipt, leaf: Digest) -> Result<(), BadReceipts> {
        let (last, previous) =
            self.chains.get(&receipt.key).copied().unwrap_or((0, beginning(&self.run)));
        if receipt.number != last + 1 {
            return Err(BadReceipts::Gap { expected: last + 1, found: receipt.number });
        }
        if receipt.previous != previous {
            return Err(BadReceipts::Parted(receipt.number));
        }
        self.chains.insert(receipt.key, (receipt.number, leaf));
        Ok(())
    }

    /// The receipts, as they came.
    pub fn receipts(&self) -> &[Receipt] {
        &self.receipts
    }

    /// How many signatures were checked.
    pub fn signatures(&self) -> usize {
        self.batches.len()
    }
}
