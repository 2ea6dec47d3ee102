//! A row of a board as the database keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Entry, Finding, Owner};

use super::{Connection, Real, Row, StoreError, from_db, to_db};

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
struct Found {
    evidence: BTreeMap<Evidence, u64>,
    findings: Vec<Finding>,
}

/// Writes a row, which stands on its board then.
pub(super) async fn insert(
    connection: &mut Connection,
    kept: &KeptEntry,
) -> Result<(), StoreError> {
    let entry = &kept.entry;
    let found = Found { evidence: kept.evidence.clone(), findings: kept.findings.clone() };
    sqlx::query(
        "INSERT INTO entries (run, board, benchmark, standing, owner, opened_at, published_at, score, players, \
         numbers, transcripts, maker, findings, left_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL) \
         ON CONFLICT (run) DO UPDATE SET board = $2, standing = $4, owner = $5, published_at = $7, score = $8, \
         players = $9, numbers = $10, transcripts = $11, maker = $12, findings = $13, left_at = NULL",
    )
    .bind(entry.run.as_str())
    .bind(entry.board.to_string())
    .bind(entry.benchmark.as_str())
    .bind(entry.tier.name())
    .bind(entry.owner.as_ref().map(Owner::to_string))
    .bind(to_db(entry.opened))
    .bind(to_db(entry.published))
    .bind(Real(score(entry)))
    .bind(json(&entry.players)?)
    .bind(json(&entry.numbers)?)
    .bind(kept.transcripts.to_string())
    .bind(kept.maker.as_str())
    .bind(json(&found)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// New numbers of a row; says whether it stands on its board.
pub(super) async fn update(
    connection: &mut Connection,
    kept: &KeptEntry,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE entries SET score = $2, numbers = $3, maker = $4 WHERE run = $1 AND left_at IS NULL",
    )
    .bind(kept.entry.run.as_str())
    .bind(Real(score(&kept.entry)))
    .bind(json(&kept.entry.numbers)?)
    .bind(kept.maker.as_str())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The number to be seen first.
fn score(entry: &Entry) -> Option<f64> {
    entry.numbers.headline().and_then(|measure| measure.value)
}

pub(super) fn owner(row: &Row) -> Result<Option<Owner>, StoreError> {
    row.try_get::<Option<&str>, _>("owner")?
        .map(|owner| {
            owner.parse::<Digest>().map(Owner::from).map_err(|_| StoreError::Unreadable("an owner"))
        })
        .transpose()
}

pub(super) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Unreadable("a row of a board"))
}

/// A row with what was found.
pub(super) fn read(row: &Row) -> Result<KeptEntry, StoreError> {
    const WHAT: StoreError = StoreError::Unreadable("a row of a board");
    let text = |column: &str| row.try_get::<&str, _>(column);
    let found: Found = serde_json::from_str(text("findings")?).map_err(|_| WHAT)?;
    Ok(KeptEntry {
        entry: entry_of(row)?,
        evidence: found.evidence,
        findings: found.findings,
        transcripts: text("transcripts")?.parse().map_err(|_| WHAT)?,
        maker: row.try_get("maker")?,
        left: row.try_get::<Option<i64>, _>("left_at")?.map(from_db),
    })
}

/// The row of a board alone.
pub(super) fn entry_of(row: &Row) -> Result<Entry, StoreError> {
    const WHAT: StoreError = StoreError::Unreadable("a row of a board");
    let text = |column: &str| row.try_get::<&str, _>(column);
    let time = |column: &str| row.try_get::<i64, _>(column).map(from_db);
    Ok(Entry {
        run: text("run")?.parse().map_err(|_| WHAT)?,
        board: text("board")?.parse().map_err(|_| WHAT)?,
        benchmark: row.try_get("benchmark")?,
        title: row.try_get("title")?,
        players: serde_json::from_str(text("players")?).map_err(|_| WHAT)?,
        tier: text("standing")?.parse::<EvidenceTier>().map_err(|_| WHAT)?,
        owner: owner(row)?,
        opened: time("opened_at")?,
        published: time("published_at")?,
        numbers: serde_json::from_str(text("numbers")?).map_err(|_| WHAT)?,
    })
}
