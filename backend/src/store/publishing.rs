//! Rows of boards and the public log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use turnwise_shared::hash::Digest;
use turnwise_shared::wire::RunId;
use turnwise_shared::wire::publishing::{
    Change, Entry, Evidence, Finding, LogEntry, Owner, Standing, log_beginning,
};

use super::{Connection, Real, Row, Store, StoreError, from_db, to_db};

/// How often an entry of the log is tried again because another server was faster.
const TRIES: u32 = 8;

/// A row of a board with what was found when it was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptEntry {
    /// The row.
    pub entry: Entry,
    /// How many replies have which evidence.
    pub evidence: BTreeMap<Evidence, u64>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The digest over names and chains of everything that was checked.
    pub transcripts: Digest,
    /// The program that computed the numbers.
    pub maker: String,
    /// When it was withdrawn or removed; `None` while it stands.
    pub left: Option<u64>,
}

/// Why a row is taken off its board.
#[derive(Debug, Clone)]
pub struct Leaving {
    /// Withdrawn or removed.
    pub change: Change,
    /// In a sentence.
    pub reason: String,
    /// When, in milliseconds since 1970.
    pub now: u64,
}

/// What stands in the column `findings`.
#[derive(Serialize, Deserialize)]
struct Found {
    evidence: BTreeMap<Evidence, u64>,
    findings: Vec<Finding>,
}

impl Store {
    /// Keeps whose a run is and on which board it would stand.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn set_opening(
        &self,
        run: &RunId,
        owner: Option<&Owner>,
        board: &Digest,
    ) -> Result<(), StoreError> {
        sqlx::query("UPDATE runs SET owner = $2, board = $3 WHERE id = $1")
            .bind(run.as_str())
            .bind(owner.map(Owner::to_string))
            .bind(board.to_string())
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// Whose a run is, where an owner key was named when it was opened.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn owner(&self, run: &RunId) -> Result<Option<Owner>, StoreError> {
        let row = sqlx::query("SELECT owner FROM runs WHERE id = $1")
            .bind(run.as_str())
            .fetch_optional(&self.read)
            .await?;
        match row {
            Some(row) => owner(&row),
            None => Ok(None),
        }
    }

    /// How many continuations of a run's transcripts were left.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn left_continuations(&self, run: &RunId) -> Result<u64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS count FROM branches WHERE run = $1")
            .bind(run.as_str())
            .fetch_one(&self.read)
            .await?;
        Ok(from_db(row.try_get("count")?))
    }

    /// Whether a run stands on a board now, so that nothing of it may change.
    ///
    /// Whether nothing that was played in a run may change: it stands on a board, or the server itself saw people play it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn is_settled(&self, run: &RunId) -> Result<bool, StoreError> {
        let mut connection = self.read.acquire().await?;
        if is_fixed(&mut connection, run).await? {
            return Ok(true);
        }
        let row = sqlx::query("SELECT run FROM live WHERE run = $1")
            .bind(run.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        Ok(row.is_some())
    }

    /// Whether a row stands on a board that is made of the plays of a run, and is not this one's.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn has_row_over(
        &self,
        plays: &RunId,
        board: &Digest,
        but: &RunId,
    ) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT e.run FROM entries e JOIN runs r ON r.id = e.run WHERE e.left_at IS NULL \
             AND e.board = $2 AND (r.id = $1 OR r.regrades = $1) AND e.run <> $3",
        )
        .bind(plays.as_str())
        .bind(board.to_string())
        .bind(but.as_str())
        .fetch_optional(&self.read)
        .await?;
        Ok(row.is_some())
    }

    /// # Errors
    /// [`StoreError`]
    pub async fn is_published(&self, run: &RunId) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT run FROM entries WHERE run = $1 AND left_at IS NULL")
            .bind(run.as_str())
            .fetch_optional(&self.read)
            .await?;
        Ok(row.is_some())
    }

    /// The row of a run, whether it stands on its board or has left it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn entry(&self, run: &RunId) -> Result<Option<KeptEntry>, StoreError> {
        sqlx::query(concat!(
            "SELECT e.run, e.board, e.benchmark, e.standing, e.owner, e.opened_at, e.published_at, e.players, \
             e.numbers, e.transcripts, e.maker, e.findings, e.left_at, r.title \
             FROM entries e JOIN runs r ON r.id = e.run ",
            "WHERE e.run = $1"
        ))
        .bind(run.as_str())
        .fetch_optional(&self.read)
        .await?
        .map(|row| read(&row))
        .transpose()
    }

    /// Rows that stand on boards and whose numbers another program computed; after a run's id, so many.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn entries_of_others(
        &self,
        maker: &str,
        after: Option<&RunId>,
        most: u32,
    ) -> Result<Vec<KeptEntry>, StoreError> {
        sqlx::query(concat!(
            "SELECT e.run, e.board, e.benchmark, e.standing, e.owner, e.opened_at, e.published_at, e.players, \
             e.numbers, e.transcripts, e.maker, e.findings, e.left_at, r.title \
             FROM entries e JOIN runs r ON r.id = e.run ",
            "WHERE e.left_at IS NULL AND e.maker <> $1 AND e.run > $2 ORDER BY e.run LIMIT $3"
        ))
        .bind(maker)
        .bind(after.map_or("", RunId::as_str))
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(read)
        .collect()
    }

    /// Says which program computed the numbers of a row last; they are what they were.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn set_maker(&self, run: &RunId, maker: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE entries SET maker = $2 WHERE run = $1")
            .bind(run.as_str())
            .bind(maker)
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// Puts a row on its board, or its new numbers into it, and says so in the log.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub async fn admit(
        &self,
        kept: &KeptEntry,
        change: Change,
        reason: &str,
        now: u64,
    ) -> Result<LogEntry, StoreError> {
        let entry = &kept.entry;
        let found = Found {
            evidence: kept.evidence.clone(),
            findings: kept.findings.clone(),
        };
        let said = Said {
            change,
            reason: reason.to_owned(),
            now,
            entry: entry.clone(),
        };
        let (players, numbers, found) =
            (json(&entry.players)?, json(&entry.numbers)?, json(&found)?);
        let score = entry.numbers.headline().and_then(|measure| measure.value);
        for _ in 0..TRIES {
            let mut transaction = self.write.begin().await?;
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
            .bind(entry.standing.word())
            .bind(entry.owner.as_ref().map(Owner::to_string))
            .bind(to_db(entry.opened))
            .bind(to_db(entry.published))
            .bind(Real(score))
            .bind(players.as_str())
            .bind(numbers.as_str())
            .bind(kept.transcripts.to_string())
            .bind(kept.maker.as_str())
            .bind(found.as_str())
            .execute(&mut *transaction)
            .await?;
            if let Some(logged) = append(&mut transaction, &said).await? {
                transaction.commit().await?;
                return Ok(logged);
            }
            transaction.rollback().await?;
        }
        Err(StoreError::Unreadable("the end of the log"))
    }

    /// Takes a row off its board and says so in the log; `None` if it does not stand there.
    ///
    /// # Errors
    /// [`StoreError`]; nothing changes then.
    pub async fn leave_board(
        &self,
        run: &RunId,
        leaving: &Leaving,
    ) -> Result<Option<LogEntry>, StoreError> {
        let Some(kept) = self.entry(run).await?.filter(|kept| kept.left.is_none()) else {
            return Ok(None);
        };
        let said = Said {
            change: leaving.change,
            reason: leaving.reason.clone(),
            now: leaving.now,
            entry: kept.entry,
        };
        for _ in 0..TRIES {
            let mut transaction = self.write.begin().await?;
            let left =
                sqlx::query("UPDATE entries SET left_at = $2 WHERE run = $1 AND left_at IS NULL")
                    .bind(run.as_str())
                    .bind(to_db(leaving.now))
                    .execute(&mut *transaction)
                    .await?;
            if left.rows_affected() == 0 {
                return Ok(None);
            }
            if let Some(logged) = append(&mut transaction, &said).await? {
                transaction.commit().await?;
                return Ok(Some(logged));
            }
            transaction.rollback().await?;
        }
        Err(StoreError::Unreadable("the end of the log"))
    }

    /// Entries of the log after a number, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn log(&self, after: u64, most: u32) -> Result<Vec<LogEntry>, StoreError> {
        sqlx::query("SELECT entry FROM log WHERE number > $1 ORDER BY number LIMIT $2")
            .bind(to_db(after))
            .bind(i64::from(most))
            .fetch_all(&self.read)
            .await?
            .iter()
            .map(logged)
            .collect()
    }

    /// The last thing that the log says of a run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn last_said(&self, run: &RunId) -> Result<Option<LogEntry>, StoreError> {
        sqlx::query("SELECT entry FROM log WHERE run = $1 ORDER BY number DESC LIMIT 1")
            .bind(run.as_str())
            .fetch_optional(&self.read)
            .await?
            .map(|row| logged(&row))
            .transpose()
    }
}

/// What the log is to say.
struct Said {
    change: Change,
    reason: String,
    now: u64,
    entry: Entry,
}

/// Adds an entry after the last one; `None` if somebody else did in between.
async fn append(connection: &mut Connection, said: &Said) -> Result<Option<LogEntry>, StoreError> {
    let last = sqlx::query("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1")
        .fetch_optional(&mut *connection)
        .await?;
    let (number, previous) = match last {
        Some(row) => (
            from_db(row.try_get("number")?),
            row.try_get::<&str, _>("hash")?
                .parse()
                .map_err(|_| StoreError::Unreadable("a hash of the log"))?,
        ),
        None => (0, log_beginning()),
    };
    let entry = &said.entry;
    let is_told = matches!(said.change, Change::Admitted | Change::Rescored);
    let mut logged = LogEntry {
        number: number + 1,
        time: said.now,
        change: said.change,
        run: entry.run.clone(),
        board: entry.board,
        standing: entry.standing,
        headline: entry.numbers.headline().filter(|_| is_told).cloned(),
        numbers: Digest::of_value(&entry.numbers),
        reason: said.reason.clone(),
        previous,
        hash: previous,
    };
    logged.hash = logged.expected();
    let added = sqlx::query(
        "INSERT INTO log (number, run, entry, hash) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (number) DO NOTHING",
    )
    .bind(to_db(logged.number))
    .bind(logged.run.as_str())
    .bind(json(&logged)?)
    .bind(logged.hash.to_string())
    .execute(&mut *connection)
    .await?;
    Ok((added.rows_affected() == 1).then_some(logged))
}

fn logged(row: &Row) -> Result<LogEntry, StoreError> {
    serde_json::from_str(row.try_get("entry")?)
        .map_err(|_| StoreError::Unreadable("an entry of the log"))
}

fn owner(row: &Row) -> Result<Option<Owner>, StoreError> {
    row.try_get::<Option<&str>, _>("owner")?
        .map(|owner| {
            owner
                .parse::<Digest>()
                .map(Owner::from)
                .map_err(|_| StoreError::Unreadable("an owner"))
        })
        .transpose()
}

fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Unreadable("a row of a board"))
}

fn read(row: &Row) -> Result<KeptEntry, StoreError> {
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
        standing: text("standing")?.parse::<Standing>().map_err(|_| WHAT)?,
        owner: owner(row)?,
        opened: time("opened_at")?,
        published: time("published_at")?,
        numbers: serde_json::from_str(text("numbers")?).map_err(|_| WHAT)?,
    })
}
