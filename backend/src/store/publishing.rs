//! Rows of boards.

use std::collections::BTreeMap;

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Entry, Owner};

use super::copies::{Copied, copied, stands_over};
use super::entries::{KeptEntry, insert, update};
use super::fixed::is_fixed;
use super::log::{Logging, append, last_said, once_more, row};
use super::parts::heads;
use super::statement::sql;
use super::{Connection, Store, StoreError};
use crate::clock::now;

/// What became of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Placed {
    /// It is kept, and the log says so.
    Logged(LogEntry),
    /// The transcripts are others than those that were checked; nothing is kept.
    WentOn,
    /// The operator has taken the run off its board, as this entry says; nothing is kept.
    Removed(LogEntry),
    /// It does not stand on its board any more; nothing is kept.
    Left,
    /// Another row that is made of the same episodes stands there; nothing is kept.
    Twice,
    /// It is what another run that stands there is already; nothing is kept.
    Copied(Copied),
    /// It stands there already, over the same transcripts; nothing changes.
    Stands,
    /// Its owner has taken the run back, or the one whose plays it grades again; nothing is kept.
    TakenBack,
}

/// Rows of boards with everything that a [`KeptEntry`] is read from, and which.
macro_rules! select_entries {
    ($which:literal) => {
        concat!(
            "SELECT e.run, e.board, e.benchmark, e.standing, e.owner, e.opened_at, e.published_at, e.players, \
             e.numbers, e.transcripts, e.maker, e.findings, e.left_at, r.title \
             FROM entries e JOIN runs r ON r.id = e.run ",
            $which
        )
    };
}

impl Store {
    /// Keeps whose a run is and on which board it would stand.
    pub async fn set_opening(
        &self,
        run: &RunId,
        owner: Option<&Owner>,
        board: &Digest,
    ) -> Result<(), StoreError> {
        sql!("UPDATE runs SET owner = $2, board = $3 WHERE id = $1", run, owner, board)
            .run(&self.write)
            .await
    }

    /// Whose a run is, where an owner key was named when it was opened.
    pub async fn owner(&self, run: &RunId) -> Result<Option<Owner>, StoreError> {
        let owner: Option<Option<Owner>> =
            sql!("SELECT owner FROM runs WHERE id = $1", run).first(&self.read).await?;
        Ok(owner.flatten())
    }

    /// Whether nothing that was played in a run may change: it stands on a board, or the server itself saw people play it.
    pub async fn is_settled(&self, run: &RunId) -> Result<bool, StoreError> {
        let mut connection = self.read.acquire().await?;
        if is_fixed(&mut connection, run).await? {
            return Ok(true);
        }
        sql!("SELECT run FROM live WHERE run = $1", run).exists(&mut *connection).await
    }

    /// Whether a row stands on a board that is made of the episodes of a run, and is not this one's.
    pub async fn has_row_over(
        &self,
        plays: &RunId,
        board: &Digest,
        but: &RunId,
    ) -> Result<bool, StoreError> {
        has_row_over(&mut *self.read.acquire().await?, plays, board, but).await
    }

    /// The row of a run, whether it stands on its board or has left it.
    pub async fn entry(&self, run: &RunId) -> Result<Option<KeptEntry>, StoreError> {
        sql!(select_entries!("WHERE e.run = $1"), run).first(&self.read).await
    }

    /// Rows that stand on boards and whose numbers another program computed; after a run's id, at most `most`.
    pub async fn entries_of_others(
        &self,
        maker: &str,
        after: Option<&RunId>,
        most: u32,
    ) -> Result<Vec<KeptEntry>, StoreError> {
        sql!(
            select_entries!(
                "WHERE e.left_at IS NULL AND e.maker <> $1 AND e.run > $2 ORDER BY e.run LIMIT $3"
            ),
            maker,
            after.map_or("", RunId::as_str),
            most
        )
        .all(&self.read)
        .await
    }

    /// Says which program computed the numbers of a row last; they are what they were.
    pub async fn set_maker(&self, run: &RunId, maker: &str) -> Result<(), StoreError> {
        sql!("UPDATE entries SET maker = $2 WHERE run = $1 AND left_at IS NULL", run, maker)
            .run(&self.write)
            .await
    }

    /// Puts a row on its board ([`Change::Admitted`]), or gives one that stands there new numbers ([`Change::Rescored`]), and says
    /// so in the log; `plays` is the run whose plays it grades again, if it does. What a board is made of everybody may see from
    /// then on.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub async fn place(
        &self,
        kept: &KeptEntry,
        plays: Option<&RunId>,
        logging: &Logging,
    ) -> Result<Placed, StoreError> {
        let run = &kept.entry.run;
        let said = row(&kept.entry, logging.change);
        let mut tried = 0;
        loop {
            let mut transaction = self.write.begin().await?;
            // A transaction that goes on with a transcript takes the run's row first, too.
            sql!(
                "UPDATE runs SET bytes = bytes WHERE id = $1 OR id = $2",
                run,
                plays.unwrap_or(run)
            )
            .run(&mut *transaction)
            .await?;
            if transcripts(&mut transaction, run, plays).await? != kept.transcripts {
                return transaction.rolled_back(Placed::WentOn).await;
            }
            let stands = match logging.change {
                Change::Admitted => {
                    if let Some(last) = last_said(&mut transaction, run.as_str()).await?
                        && last.change == Change::Removed
                    {
                        return transaction.rolled_back(Placed::Removed(last)).await;
                    }
                    if stands_over(&mut transaction, run, &kept.transcripts).await? {
                        return transaction.rolled_back(Placed::Stands).await;
                    }
                    let board = &kept.entry.board;
                    if has_row_over(&mut transaction, plays.unwrap_or(run), board, run).await? {
                        return transaction.rolled_back(Placed::Twice).await;
                    }
                    if is_taken_back(&mut transaction, run, plays).await? {
                        return transaction.rolled_back(Placed::TakenBack).await;
                    }
                    insert(&mut transaction, kept).await?;
                    sql!(
                        "UPDATE runs SET visibility = $3 WHERE id = $1 OR id = $2",
                        run,
                        plays.unwrap_or(run),
                        Visibility::Public
                    )
                    .run(&mut *transaction)
                    .await?;
                    true
                }
                _ => update(&mut transaction, kept).await?,
            };
            if !stands {
                return transaction.rolled_back(Placed::Left).await;
            }
            if let Some(logged) = append(&mut transaction, logging, said.clone()).await? {
                // The transaction with the next number of the log sees every row that was admitted before, also at this moment
                // and by another server.
                if logging.change == Change::Admitted
                    && let Some(copied) = copied(&mut transaction, kept).await?
                {
                    return transaction.rolled_back(Placed::Copied(copied)).await;
                }
                transaction.commit().await?;
                return Ok(Placed::Logged(logged));
            }
            transaction.rollback().await?;
            tried = once_more(tried).await?;
        }
    }

    /// The digest over names and chains of all transcripts of a run; of one that grades plays again also of those episodes.
    pub async fn transcripts(
        &self,
        run: &RunId,
        plays: Option<&RunId>,
    ) -> Result<Digest, StoreError> {
        transcripts(&mut *self.read.acquire().await?, run, plays).await
    }

    /// Runs on boards whose ids begin so: none, the only one, or two of several.
    pub async fn on_boards(&self, beginning: &str) -> Result<Vec<RunId>, StoreError> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if beginning.is_empty() || !beginning.bytes().all(is_digit) {
            return Ok(Vec::new());
        }
        sql!(
            "SELECT run FROM entries WHERE left_at IS NULL AND run LIKE $1 ORDER BY run LIMIT 2",
            format!("{beginning}%")
        )
        .all(&self.read)
        .await
    }

    /// Takes a row off its board and says so in the log; `None` if it does not stand there.
    ///
    /// # Errors
    /// [`StoreError`]; nothing changes then.
    pub async fn leave_board(
        &self,
        run: &RunId,
        logging: &Logging,
    ) -> Result<Option<LogEntry>, StoreError> {
        let Some(kept) = self.entry(run).await?.filter(|kept| kept.left.is_none()) else {
            return Ok(None);
        };
        let mut tried = 0;
        loop {
            let mut transaction = self.write.begin().await?;
            match leave(&mut transaction, &kept.entry, logging).await? {
                Left::Logged(logged) => {
                    transaction.commit().await?;
                    return Ok(Some(*logged));
                }
                Left::Before => {
                    return transaction.rolled_back(None).await;
                }
                Left::Contended => transaction.rollback().await?,
            }
            tried = once_more(tried).await?;
        }
    }
}

/// What became of a row that was to leave its board.
enum Left {
    /// It has left it, as this entry of the log says.
    Logged(Box<LogEntry>),
    /// It had left it before.
    Before,
    /// Another transaction wrote into the log just then: nothing of the transaction may be kept.
    Contended,
}

async fn leave(
    connection: &mut Connection,
    entry: &Entry,
    logging: &Logging,
) -> Result<Left, StoreError> {
    let left = sql!(
        "UPDATE entries SET left_at = $2 WHERE run = $1 AND left_at IS NULL",
        entry.run,
        logging.now
    )
    .changed(&mut *connection)
    .await?;
    if left == 0 {
        return Ok(Left::Before);
    }
    let said = row(entry, logging.change);
    Ok(match append(connection, logging, said).await? {
        Some(logged) => Left::Logged(Box::new(logged)),
        None => Left::Contended,
    })
}

/// A run is withdrawn as a whole: its row leaves its board, and so does that of a run which grades its plays again. Returns whether
/// the log could say so; if not, nothing of the transaction may be kept.
pub(super) async fn withdrawn(
    connection: &mut Connection,
    run: &RunId,
) -> Result<bool, StoreError> {
    let rows: Vec<KeptEntry> = sql!(
        select_entries!(
            "WHERE e.left_at IS NULL AND (r.id = $1 OR r.regrades = $1) ORDER BY e.run"
        ),
        run
    )
    .all(&mut *connection)
    .await?;
    for KeptEntry { entry, .. } in rows {
        let reason = match entry.run == *run {
            true => "the run was withdrawn by its owner",
            false => "the run whose episodes it grades again was withdrawn by its owner",
        };
        let logging = Logging::new(Change::Withdrawn, reason, now());
        if let Left::Contended = leave(connection, &entry, &logging).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn is_taken_back(
    connection: &mut Connection,
    run: &RunId,
    plays: Option<&RunId>,
) -> Result<bool, StoreError> {
    sql!(
        "SELECT id FROM runs WHERE (id = $1 OR id = $2) AND state = $3",
        run,
        plays.unwrap_or(run),
        RunState::Withdrawn
    )
    .exists(connection)
    .await
}

async fn transcripts(
    connection: &mut Connection,
    run: &RunId,
    plays: Option<&RunId>,
) -> Result<Digest, StoreError> {
    let mut heads = self::heads(connection, run).await?;
    if let Some(plays) = plays {
        let plays = self::heads(connection, plays).await?.into_iter();
        heads.extend(plays.filter(|head| head.episode.part() == PartKey::Play));
    }
    let chains: BTreeMap<EpisodeKey, Digest> =
        heads.into_iter().map(|head| (head.episode, head.chain)).collect();
    Ok(Digest::of_value(&chains))
}

async fn has_row_over(
    connection: &mut Connection,
    plays: &RunId,
    board: &Digest,
    but: &RunId,
) -> Result<bool, StoreError> {
    sql!(
        "SELECT e.run FROM entries e JOIN runs r ON r.id = e.run WHERE e.left_at IS NULL \
         AND e.board = $2 AND (r.id = $1 OR r.regrades = $1) AND e.run <> $3",
        plays,
        board,
        but
    )
    .exists(connection)
    .await
}
