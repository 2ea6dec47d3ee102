//! Receipts, batches, heads, and the public parts of keys.

use std::sync::LazyLock;

use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::receipts::{KeyId, PublishedKey, Receipt, SignedBatch, TreeHead};

use super::lots::Lots;
use super::{Row, Store, StoreError, digest, from_db, to_db};

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

fn number(row: &Row, column: &str) -> Result<u64, StoreError> {
    Ok(from_db(row.try_get::<i64, _>(column)?))
}

fn key(row: &Row, column: &str) -> Result<KeyId, StoreError> {
    row.try_get::<&str, _>(column)?.parse().map_err(|_| StoreError::Unreadable("a key's name"))
}

impl Store {
    /// Publishes a key from now on; one that is published stays as it is, and signs again if it was put away.
    pub async fn publish_key(&self, id: &KeyId, public: &str, now: u64) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO signers (id, public, since) VALUES ($1, $2, $3) \
             ON CONFLICT (id) DO UPDATE SET put_away = NULL",
        )
        .bind(id.to_string())
        .bind(public)
        .bind(to_db(now))
        .execute(&self.write)
        .await?;
        Ok(())
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
            let done = sqlx::query(sql).execute(&mut *transaction).await?;
            changed += done.rows_affected();
        }
        if changed > 0 {
            sqlx::query("UPDATE runs SET refused = NULL WHERE refused LIKE '%was signed outside of the time of its key%'")
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Puts a key away; it stays published, with its end.
    pub async fn put_away(&self, id: &KeyId, now: u64) -> Result<(), StoreError> {
        sqlx::query("UPDATE signers SET put_away = $2 WHERE id = $1 AND put_away IS NULL")
            .bind(id.to_string())
            .bind(to_db(now))
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// Every key that was ever published, the oldest first.
    pub async fn keys(&self) -> Result<Vec<PublishedKey>, StoreError> {
        sqlx::query("SELECT id, public, since, put_away FROM signers ORDER BY since, id")
            .fetch_all(&self.read)
            .await?
            .iter()
            .map(|row| {
                Ok(PublishedKey {
                    id: key(row, "id")?,
                    public: row.try_get("public")?,
                    since: number(row, "since")?,
                    until: row.try_get::<Option<i64>, _>("put_away")?.map(from_db),
                })
            })
            .collect()
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
        let signer = batch.key.to_string();
        let mut transaction = self.write.begin().await?;
        for (statement, lot) in RECEIPTS.cut(self.kind, receipts) {
            let mut insert = sqlx::query(statement);
            for (kept, text) in lot {
                insert = insert
                    .bind(signer.as_str())
                    .bind(to_db(kept.leaf))
                    .bind(kept.receipt.run.as_str())
                    .bind(to_db(kept.receipt.number))
                    .bind(kept.hash.to_string())
                    .bind(text.as_str())
                    .bind(kept.receipt.reply.to_string());
            }
            insert.execute(&mut *transaction).await?;
        }
        sqlx::query(
            "INSERT INTO batches (signer, first_leaf, leaves, root, signed_at, signature) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(signer)
        .bind(to_db(batch.from))
        .bind(i64::from(batch.count))
        .bind(batch.root.to_string())
        .bind(to_db(batch.time))
        .bind(batch.signature.as_str())
        .execute(&mut *transaction)
        .await?;
        // Whatever the clock showed when the key was published or put away: what is signed lies in its time.
        sqlx::query(
            "UPDATE signers SET since = CASE WHEN since > $2 THEN $2 ELSE since END, \
             put_away = CASE WHEN put_away < $2 THEN $2 ELSE put_away END \
             WHERE id = $1 AND (since > $2 OR put_away < $2)",
        )
        .bind(batch.key.to_string())
        .bind(to_db(batch.time))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Where a key's leaves have come to, and the roots of all its batches in their order.
    pub async fn batch_roots(&self, id: &KeyId) -> Result<(u64, Vec<Digest>), StoreError> {
        let rows = sqlx::query(
            "SELECT first_leaf, leaves, root FROM batches WHERE signer = $1 ORDER BY first_leaf",
        )
        .bind(id.to_string())
        .fetch_all(&self.read)
        .await?;
        let next = match rows.last() {
            Some(last) => number(last, "first_leaf")? + number(last, "leaves")?,
            None => 0,
        };
        let roots = rows.iter().map(|row| digest(row, "root"));
        Ok((next, roots.collect::<Result<_, _>>()?))
    }

    /// The number and the leaf of the last receipt of a run under a key.
    pub async fn last_receipt(
        &self,
        id: &KeyId,
        run: &RunId,
    ) -> Result<Option<(u64, Digest)>, StoreError> {
        let row = sqlx::query(
            "SELECT number, hash FROM receipts WHERE run = $1 AND signer = $2 \
             ORDER BY number DESC LIMIT 1",
        )
        .bind(run.as_str())
        .bind(id.to_string())
        .fetch_optional(&self.read)
        .await?;
        row.map(|row| Ok((number(&row, "number")?, digest(&row, "hash")?))).transpose()
    }

    /// When the earliest call under a key's last signature was sent, in milliseconds since 1970: what came back before that
    /// is signed.
    pub async fn signed_until(&self, id: &KeyId) -> Result<Option<u64>, StoreError> {
        let rows = sqlx::query(
            "SELECT receipt FROM receipts WHERE signer = $1 AND leaf >= \
             (SELECT MAX(first_leaf) FROM batches WHERE signer = $1)",
        )
        .bind(id.to_string())
        .fetch_all(&self.read)
        .await?;
        let times = rows.iter().map(|row| Ok(read(row)?.time));
        Ok(times.collect::<Result<Vec<_>, StoreError>>()?.into_iter().min())
    }

    /// Whether a reply to a call has a receipt, of whichever server.
    pub async fn has_receipt(&self, call: &CallKey, reply: &Digest) -> Result<bool, StoreError> {
        let kept = sqlx::query("SELECT receipt FROM receipts WHERE run = $1 AND reply = $2")
            .bind(call.run.as_str())
            .bind(reply.to_string())
            .fetch_all(&self.read)
            .await?;
        for row in &kept {
            let receipt = read(row)?;
            if receipt.episode == call.episode
                && receipt.call == call.call
                && receipt.asked == call.digest
            {
                return Ok(true);
            }
        }
        Ok(false)
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
        sqlx::query(
            "SELECT leaf, hash, receipt FROM receipts WHERE run = $1 \
             AND (signer > $2 OR (signer = $2 AND number > $3)) ORDER BY signer, number LIMIT $4",
        )
        .bind(run.as_str())
        .bind(signer)
        .bind(to_db(last))
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(|row| {
            Ok(KeptReceipt {
                leaf: number(row, "leaf")?,
                hash: digest(row, "hash")?,
                receipt: read(row)?,
            })
        })
        .collect()
    }

    /// The batch in which a leaf lies, with all its leaves.
    pub async fn batch_of(
        &self,
        id: &KeyId,
        leaf: u64,
    ) -> Result<Option<(SignedBatch, Vec<Digest>)>, StoreError> {
        let row = sqlx::query(
            "SELECT signer, first_leaf, leaves, root, signed_at, signature FROM batches \
             WHERE signer = $1 AND first_leaf <= $2 ORDER BY first_leaf DESC LIMIT 1",
        )
        .bind(id.to_string())
        .bind(to_db(leaf))
        .fetch_optional(&self.read)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let batch = batch(&row)?;
        let hashes = sqlx::query(
            "SELECT hash FROM receipts WHERE signer = $1 AND leaf >= $2 AND leaf < $3 ORDER BY leaf",
        )
        .bind(id.to_string())
        .bind(to_db(batch.from))
        .bind(to_db(batch.from + u64::from(batch.count)))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(|row| digest(row, "hash"))
        .collect::<Result<_, _>>()?;
        Ok(Some((batch, hashes)))
    }

    /// A key's batches from a leaf on.
    pub async fn batches(
        &self,
        id: &KeyId,
        from: u64,
        most: u32,
    ) -> Result<Vec<SignedBatch>, StoreError> {
        sqlx::query(
            "SELECT signer, first_leaf, leaves, root, signed_at, signature FROM batches \
             WHERE signer = $1 AND first_leaf >= $2 ORDER BY first_leaf LIMIT $3",
        )
        .bind(id.to_string())
        .bind(to_db(from))
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(batch)
        .collect()
    }

    /// Keeps a head.
    pub async fn keep_head(&self, head: &TreeHead) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO heads (signer, batches, leaves, root, signed_at, signature) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (signer, batches) DO NOTHING",
        )
        .bind(head.key.to_string())
        .bind(to_db(head.batches))
        .bind(to_db(head.leaves))
        .bind(head.root.to_string())
        .bind(to_db(head.time))
        .bind(head.signature.as_str())
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// How many batches a key's last head covers.
    pub async fn last_head(&self, id: &KeyId) -> Result<u64, StoreError> {
        let heads = self.tree_heads(id, 1).await?;
        Ok(heads.first().map_or(0, |head| head.batches))
    }

    /// A key's heads, the newest first.
    pub async fn tree_heads(&self, id: &KeyId, most: u32) -> Result<Vec<TreeHead>, StoreError> {
        sqlx::query(
            "SELECT signer, batches, leaves, root, signed_at, signature FROM heads \
             WHERE signer = $1 ORDER BY batches DESC LIMIT $2",
        )
        .bind(id.to_string())
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(|row| {
            Ok(TreeHead {
                key: key(row, "signer")?,
                batches: number(row, "batches")?,
                leaves: number(row, "leaves")?,
                root: digest(row, "root")?,
                time: number(row, "signed_at")?,
                signature: row.try_get("signature")?,
            })
        })
        .collect()
    }
}

fn read(row: &Row) -> Result<Receipt, StoreError> {
    serde_json::from_str(row.try_get("receipt")?).map_err(|_| StoreError::Unreadable("a receipt"))
}

fn batch(row: &Row) -> Result<SignedBatch, StoreError> {
    Ok(SignedBatch {
        key: key(row, "signer")?,
        from: number(row, "first_leaf")?,
        count: u32::try_from(number(row, "leaves")?)
            .map_err(|_| StoreError::Unreadable("a batch"))?,
        root: digest(row, "root")?,
        time: number(row, "signed_at")?,
        signature: row.try_get("signature")?,
    })
}
