//! Receipts, batches, heads, and the public parts of keys.

use std::sync::LazyLock;

use turnwise_shared::prelude::*;
use turnwise_shared::wire::receipts::{KeyId, PublishedKey, Receipt, SignedBatch, TreeHead};

use super::lots::Lots;
use super::statement::{rows, sql};
use super::{Store, StoreError};

static RECEIPTS: LazyLock<Lots> = LazyLock::new(|| {
    let before = "INSERT INTO receipts (signer, leaf, run, number, hash, receipt, reply) VALUES ";
    Lots::new(before, "($, $, $, $, $, $, $)", "")
});

/// A receipt in its place.
#[derive(Debug, Clone)]
pub struct KeptReceipt {
    /// Its number among all of its key, from 0.
    pub leaf: u64,
    pub hash: Digest,
    pub receipt: Receipt,
}

impl Store {
    /// Publishes a key from now on; one that is published stays as it is, and signs again if it was put away.
    pub async fn publish_key(&self, id: &KeyId, public: &str, now: u64) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO signers (id, public, since) VALUES ($1, $2, $3) \
             ON CONFLICT (id) DO UPDATE SET put_away = NULL",
            id,
            public,
            now
        )
        .run(&self.write)
        .await
    }

    /// Has the times of all keys cover what was signed under them, where an earlier version let a clock that was wrong once say
    /// otherwise; what it found against runs for that reason is forgotten.
    pub async fn cover_batches(&self) -> Result<(), StoreError> {
        let mut transaction = self.write.begin().await?;
        let mut changed = 0;
        for sql in [
            "UPDATE signers SET since = (SELECT MIN(b.signed_at) FROM batches b WHERE b.signer = signers.id) \
             WHERE since > (SELECT MIN(b.signed_at) FROM batches b WHERE b.signer = signers.id)",
            "UPDATE signers SET put_away = (SELECT MAX(b.signed_at) FROM batches b WHERE b.signer = signers.id) \
             WHERE put_away < (SELECT MAX(b.signed_at) FROM batches b WHERE b.signer = signers.id)",
        ] {
            changed += sql!(sql).changed(&mut *transaction).await?;
        }
        if changed > 0 {
            sql!(
                "UPDATE runs SET refused = NULL WHERE refused LIKE '%was signed outside of the time of its key%'"
            )
            .run(&mut *transaction)
            .await?;
        }
        transaction.commit().await
    }

    /// Puts a key away; it stays published, with its end.
    pub async fn put_away(&self, id: &KeyId, now: u64) -> Result<(), StoreError> {
        sql!("UPDATE signers SET put_away = $2 WHERE id = $1 AND put_away IS NULL", id, now)
            .run(&self.write)
            .await
    }

    /// Every key that was ever published, the oldest first.
    pub async fn keys(&self) -> Result<Vec<PublishedKey>, StoreError> {
        sql!("SELECT id, public, since, put_away FROM signers ORDER BY since, id")
            .all(&self.read)
            .await
    }

    /// Keeps receipts, each with its canonical text, together with the batch that they make.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub async fn keep_receipts(
        &self,
        receipts: &[(KeptReceipt, String)],
        batch: &SignedBatch,
    ) -> Result<(), StoreError> {
        let mut transaction = self.write.begin().await?;
        for (statement, lot) in RECEIPTS.cut(self.kind, receipts) {
            let mut insert = sql!(statement);
            for (kept, text) in lot {
                insert = insert
                    .with(&batch.key)
                    .with(&kept.leaf)
                    .with(&kept.receipt.run)
                    .with(&kept.receipt.number)
                    .with(&kept.hash)
                    .with(text)
                    .with(&kept.receipt.reply);
            }
            insert.run(&mut *transaction).await?;
        }
        sql!(
            "INSERT INTO batches (signer, first_leaf, leaves, root, signed_at, signature) \
             VALUES ($1, $2, $3, $4, $5, $6)",
            batch.key,
            batch.from,
            batch.count,
            batch.root,
            batch.time,
            batch.signature
        )
        .run(&mut *transaction)
        .await?;
        // Whatever the clock showed when the key was published or put away: what is signed lies in its time.
        sql!(
            "UPDATE signers SET since = CASE WHEN since > $2 THEN $2 ELSE since END, \
             put_away = CASE WHEN put_away < $2 THEN $2 ELSE put_away END \
             WHERE id = $1 AND (since > $2 OR put_away < $2)",
            batch.key,
            batch.time
        )
        .run(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// Where a key's leaves have come to, and the roots of all its batches in their order.
    pub async fn batch_roots(&self, id: &KeyId) -> Result<(u64, Vec<Digest>), StoreError> {
        let batches: Vec<(u64, u64, Digest)> = sql!(
            "SELECT first_leaf, leaves, root FROM batches WHERE signer = $1 ORDER BY first_leaf",
            id
        )
        .all(&self.read)
        .await?;
        let next = batches.last().map_or(0, |(first, leaves, _)| first + leaves);
        Ok((next, batches.into_iter().map(|(.., root)| root).collect()))
    }

    /// The number and the leaf of the last receipt of a run under a key.
    pub async fn last_receipt(
        &self,
        id: &KeyId,
        run: &RunId,
    ) -> Result<Option<(u64, Digest)>, StoreError> {
        sql!(
            "SELECT number, hash FROM receipts WHERE run = $1 AND signer = $2 \
             ORDER BY number DESC LIMIT 1",
            run,
            id
        )
        .first(&self.read)
        .await
    }

    /// When the earliest call under a key's last signature was sent, in milliseconds since 1970: what came back before that
    /// is signed.
    pub async fn signed_until(&self, id: &KeyId) -> Result<Option<u64>, StoreError> {
        let receipts: Vec<Receipt> = sql!(
            "SELECT receipt FROM receipts WHERE signer = $1 AND leaf >= \
             (SELECT MAX(first_leaf) FROM batches WHERE signer = $1)",
            id
        )
        .all(&self.read)
        .await?;
        Ok(receipts.iter().map(|receipt| receipt.time).min())
    }

    /// Whether a reply to a call has a receipt, of whichever server.
    pub async fn has_receipt(&self, call: &CallKey, reply: &Digest) -> Result<bool, StoreError> {
        let kept: Vec<Receipt> =
            sql!("SELECT receipt FROM receipts WHERE run = $1 AND reply = $2", call.run, reply)
                .all(&self.read)
                .await?;
        Ok(kept.iter().any(|receipt| {
            receipt.episode == call.episode
                && receipt.call == call.call
                && receipt.asked == call.digest
        }))
    }

    /// Receipts of a run after one of them, by key and number.
    pub async fn receipts(
        &self,
        run: &RunId,
        after: Option<(KeyId, u64)>,
        most: u32,
    ) -> Result<Vec<KeptReceipt>, StoreError> {
        let (signer, last) =
            after.map_or((String::new(), 0), |(key, number)| (key.to_string(), number));
        sql!(
            "SELECT leaf, hash, receipt FROM receipts WHERE run = $1 \
             AND (signer > $2 OR (signer = $2 AND number > $3)) ORDER BY signer, number LIMIT $4",
            run,
            signer,
            last,
            most
        )
        .all(&self.read)
        .await
    }

    /// The batch in which a leaf lies, with all its leaves.
    pub async fn batch_of(
        &self,
        id: &KeyId,
        leaf: u64,
    ) -> Result<Option<(SignedBatch, Vec<Digest>)>, StoreError> {
        let batch = sql!(
            "SELECT signer, first_leaf, leaves, root, signed_at, signature FROM batches \
             WHERE signer = $1 AND first_leaf <= $2 ORDER BY first_leaf DESC LIMIT 1",
            id,
            leaf
        );
        let Some(batch) = batch.first::<SignedBatch>(&self.read).await? else {
            return Ok(None);
        };
        let hashes = sql!(
            "SELECT hash FROM receipts WHERE signer = $1 AND leaf >= $2 AND leaf < $3 ORDER BY leaf",
            id,
            batch.from,
            batch.from + u64::from(batch.count)
        );
        Ok(Some((batch, hashes.all(&self.read).await?)))
    }

    /// A key's batches from a leaf on.
    pub async fn batches(
        &self,
        id: &KeyId,
        from: u64,
        most: u32,
    ) -> Result<Vec<SignedBatch>, StoreError> {
        sql!(
            "SELECT signer, first_leaf, leaves, root, signed_at, signature FROM batches \
             WHERE signer = $1 AND first_leaf >= $2 ORDER BY first_leaf LIMIT $3",
            id,
            from,
            most
        )
        .all(&self.read)
        .await
    }

    /// Keeps a head.
    pub async fn keep_head(&self, head: &TreeHead) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO heads (signer, batches, leaves, root, signed_at, signature) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (signer, batches) DO NOTHING",
            head.key,
            head.batches,
            head.leaves,
            head.root,
            head.time,
            head.signature
        )
        .run(&self.write)
        .await
    }

    /// How many batches a key's last head covers.
    pub async fn last_head(&self, id: &KeyId) -> Result<u64, StoreError> {
        let heads = self.tree_heads(id, 1).await?;
        Ok(heads.first().map_or(0, |head| head.batches))
    }

    /// A key's heads, the newest first.
    pub async fn tree_heads(&self, id: &KeyId, most: u32) -> Result<Vec<TreeHead>, StoreError> {
        sql!(
            "SELECT signer, batches, leaves, root, signed_at, signature FROM heads \
             WHERE signer = $1 ORDER BY batches DESC LIMIT $2",
            id,
            most
        )
        .all(&self.read)
        .await
    }
}

rows! {
    PublishedKey { id, public, since, until = "put_away" }
    KeptReceipt { leaf, hash, receipt }
    SignedBatch { key = "signer", from = "first_leaf", count = "leaves", root, time = "signed_at", signature }
    TreeHead { key = "signer", batches, leaves, root, time = "signed_at", signature }
}
