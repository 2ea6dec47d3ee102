//! A row of a board as the database keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Entry, Finding};

use super::statement::{FromRow, ReadRow as _, rows, sql, stored_as_json};
use super::{Connection, Row, StoreError};

/// A row of a board with what was found when it was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptEntry {
    pub entry: Entry,
    /// How many replies have which evidence.
    pub evidence: BTreeMap<Evidence, u64>,
    pub findings: Vec<Finding>,
    /// The digest over names and chains of everything that was checked.
    pub transcripts: Digest,
    /// The program that computed the numbers.
    pub maker: String,
    /// When it was withdrawn or removed; `None` while it stands.
    pub left: Option<u64>,
}

impl KeptEntry {
    /// Whether this server made every call for it or saw people play it. What rests on a word alone, and be it one reply beside
    /// others that were asked anew, can be a copy, to the letter, and is no new evidence then.
    pub fn is_its_own(&self) -> bool {
        let are_some = |evidence| self.evidence.get(&evidence).is_some_and(|count| *count > 0);
        let is_seen = are_some(Evidence::Receipted) || are_some(Evidence::Witnessed);
        is_seen && !are_some(Evidence::None)
    }
}

/// What stands in the column `findings`.
#[derive(Serialize, Deserialize)]
pub(super) struct EntryFindings {
    evidence: BTreeMap<Evidence, u64>,
    findings: Vec<Finding>,
}
stored_as_json! { EntryFindings: "a row of a board"; }

/// Writes a row, which stands on its board then.
pub(super) async fn insert(
    connection: &mut Connection,
    kept: &KeptEntry,
) -> Result<(), StoreError> {
    let entry = &kept.entry;
    let findings =
        EntryFindings { evidence: kept.evidence.clone(), findings: kept.findings.clone() };
    sql!(
        "INSERT INTO entries (run, board, benchmark, standing, owner, opened_at, published_at, score, players, \
         numbers, transcripts, maker, findings, left_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL) \
         ON CONFLICT (run) DO UPDATE SET board = $2, standing = $4, owner = $5, published_at = $7, score = $8, \
         players = $9, numbers = $10, transcripts = $11, maker = $12, findings = $13, left_at = NULL",
        entry.run,
        entry.board,
        entry.benchmark,
        entry.tier,
        entry.owner,
        entry.opened,
        entry.published,
        score(entry),
        entry.players,
        entry.numbers,
        kept.transcripts,
        kept.maker,
        findings
    )
    .run(connection)
    .await
}

/// New numbers of a row; says whether it stands on its board.
pub(super) async fn update(
    connection: &mut Connection,
    kept: &KeptEntry,
) -> Result<bool, StoreError> {
    let changed = sql!(
        "UPDATE entries SET score = $2, numbers = $3, maker = $4 WHERE run = $1 AND left_at IS NULL",
        kept.entry.run,
        score(&kept.entry),
        kept.entry.numbers,
        kept.maker
    );
    Ok(changed.changed(connection).await? == 1)
}

/// The number to be seen first.
fn score(entry: &Entry) -> Option<f64> {
    entry.numbers.headline().and_then(|measure| measure.value)
}

impl FromRow for KeptEntry {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        let EntryFindings { evidence, findings } = row.read("findings")?;
        Ok(KeptEntry {
            entry: Entry::from_row(row)?,
            evidence,
            findings,
            transcripts: row.read("transcripts")?,
            maker: row.read("maker")?,
            left: row.read("left_at")?,
        })
    }
}

rows! {
    Entry {
        run, board, benchmark, title, players, tier = "standing", owner, opened = "opened_at",
        published = "published_at", numbers,
    }
}
