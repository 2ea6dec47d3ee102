//! What boards are made of: entries that stand, the spec that they share, and who opened how many runs.

use std::collections::BTreeMap;

use turnwise_shared::leaderboard::OwnerCounts;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::naming::given_title;
use turnwise_shared::wire::publishing::{Entry, Owner};

use super::statement::{FromRow, ReadRow as _, sql};
use super::{Row, Store, StoreError};

/// Entries that stand and may be seen, and of which board if one is named. A run that was taken back or made private since it
/// was published is shown no more, and neither is one that grades such a run's plays again.
macro_rules! listed {
    ($columns:literal, $more:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM entries e JOIN runs r ON r.id = e.run LEFT JOIN runs p ON p.id = r.regrades \
             WHERE e.left_at IS NULL AND r.state <> 'withdrawn' AND r.visibility <> 'private' \
             AND (p.id IS NULL OR (p.state <> 'withdrawn' AND p.visibility <> 'private')) ",
            $more
        )
    };
}

/// The same with everything that a [`ListedEntry`] is read from.
macro_rules! entries {
    ($more:literal) => {
        listed!(
            "e.run, e.board, e.benchmark, r.title, r.spec, e.players, e.standing, e.owner, e.opened_at, e.published_at, e.numbers",
            $more
        )
    };
}

/// What tells one state of the boards from another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BoardsVersion {
    /// The newest entry of the public log.
    log: u64,
    /// Entries that stand and may be seen.
    entries: u64,
    /// How often their runs were given another name.
    named: u64,
}

/// A row of a board, with the title that the owner gave its run.
struct ListedEntry(Entry);

impl FromRow for ListedEntry {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        let mut entry = Entry::from_row(row)?;
        let spec: Spec = row.read("spec")?;
        if let Ok(benchmark) = registry::find(&entry.benchmark) {
            entry.title = given_title(&entry.title, benchmark, &spec).to_owned();
        }
        Ok(ListedEntry(entry))
    }
}

impl Store {
    /// Which state the boards are in: as long as it is the same, so are their rows.
    pub async fn boards_version(&self) -> Result<BoardsVersion, StoreError> {
        let log =
            sql!("SELECT COALESCE(MAX(number), 0) AS newest FROM log").one(&self.read).await?;
        let (entries, named) = sql!(listed!(
            "COUNT(*) AS listed, CAST(COALESCE(SUM(r.named), 0) AS BIGINT) AS named",
            ""
        ))
        .one(&self.read)
        .await?;
        Ok(BoardsVersion { log, entries, named })
    }

    /// Everything that stands on any board, by board, with the spec of one of its runs.
    pub async fn all_boards(&self) -> Result<BTreeMap<Digest, (Spec, Vec<Entry>)>, StoreError> {
        let rows: Vec<ListedEntry> =
            sql!(entries!("ORDER BY e.board, e.published_at, e.run")).all(&self.read).await?;
        let mut boards: BTreeMap<Digest, Vec<Entry>> = BTreeMap::new();
        for ListedEntry(entry) in rows {
            boards.entry(entry.board).or_default().push(entry);
        }
        let mut all = BTreeMap::new();
        for (board, entries) in boards {
            if let Some(spec) = self.board_spec(&board).await? {
                all.insert(board, (spec, entries));
            }
        }
        Ok(all)
    }

    /// The spec of a run that stands on a board; `None` if none does.
    pub async fn board_spec(&self, board: &Digest) -> Result<Option<Spec>, StoreError> {
        sql!(listed!("r.spec", "AND e.board = $1 ORDER BY e.published_at, e.run LIMIT 1"), board)
            .first(&self.read)
            .await
    }

    /// The entries that stand on a board, oldest first.
    pub async fn board_entries(&self, board: &Digest) -> Result<Vec<Entry>, StoreError> {
        let rows: Vec<ListedEntry> =
            sql!(entries!("AND e.board = $1 ORDER BY e.published_at, e.run"), board)
                .all(&self.read)
                .await?;
        Ok(rows.into_iter().map(|ListedEntry(entry)| entry).collect())
    }

    /// How many runs each owner opened that would stand on a board, which no branch does. Nothing else is shown of them.
    pub async fn board_owners(&self, board: &Digest) -> Result<OwnerCounts, StoreError> {
        sql!(
            "SELECT owner, COUNT(*) AS opened FROM runs \
             WHERE board = $1 AND owner IS NOT NULL AND parent IS NULL AND visitor = 0 GROUP BY owner",
            board
        )
        .all::<(Owner, u32), _>(&self.read)
        .await
    }
}
