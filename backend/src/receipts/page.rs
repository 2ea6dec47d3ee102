//! The receipts of a run, a page at a time, each with the proof that its batch contains it.

use std::collections::BTreeMap;

use turnwise_shared::key::RunId;
use turnwise_shared::receipt::tree;
use turnwise_shared::wire::receipts::{KeyId, ProvenReceipt, ReceiptsPage, SignedBatch};

use crate::App;
use crate::error::{Answer, Problem};

const PAGE: u32 = 500;

/// Receipts of a run with the batches in which they lie.
///
/// # Errors
/// If the store fails.
pub async fn page(app: &App, run: &RunId, after: Option<(KeyId, u64)>) -> Answer<ReceiptsPage> {
    app.receipts().flush().await;
    let kept = app.store().receipts(run, after, PAGE).await?;
    let next = match kept.last() {
        Some(last) if kept.len() as u64 == u64::from(PAGE) => {
            Some(format!("{}:{}", last.receipt.key, last.receipt.number))
        }
        _ => None,
    };
    let mut batches: BTreeMap<(KeyId, u64), (SignedBatch, Vec<Vec<_>>)> = BTreeMap::new();
    let mut receipts = Vec::with_capacity(kept.len());
    for kept in kept {
        let key = kept.receipt.key;
        let before = batches
            .range((key, 0)..=(key, kept.leaf))
            .next_back()
            .filter(|(_, (batch, _))| kept.leaf < batch.from + u64::from(batch.count))
            .map(|(name, _)| *name);
        let name = match before {
            Some(name) => name,
            None => {
                let found = app.store().batch_of(&key, kept.leaf).await?;
                let (batch, hashes) =
                    found.ok_or_else(|| Problem::internal("a receipt without a batch"))?;
                let name = (key, batch.from);
                batches.insert(name, (batch, tree::paths(&hashes)));
                name
            }
        };
        let path = usize::try_from(kept.leaf - name.1)
            .ok()
            .and_then(|index| batches.get(&name)?.1.get(index).cloned())
            .ok_or_else(|| Problem::internal("a receipt outside of its batch"))?;
        receipts.push(ProvenReceipt { receipt: kept.receipt, leaf: kept.leaf, path });
    }
    Ok(ReceiptsPage {
        receipts,
        batches: batches.into_values().map(|(batch, _)| batch).collect(),
        next,
    })
}
