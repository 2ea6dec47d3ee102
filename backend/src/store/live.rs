//! Live tables: what everybody may know of them, and the secret from which their seed was mixed.

use std::collections::BTreeMap;

use sqlx::Row as _;
use turnwise_shared::prelude::*;

use super::{Store, StoreError, is_there, to_db};

/// A live table that has not ended.
#[derive(Clone)]
pub struct OpenTable {
    pub info: LiveInfo,
    /// The server's part of the seed.
    pub secret: Digest,
    /// What everybody named who sat down; absent until the run has begun.
    pub nonces: Option<BTreeMap<Seat, String>>,
}

impl Store {
    /// Keeps a new live table; a run of its id is sealed from now on.
    pub async fn add_live(&self, info: &LiveInfo, secret: &Digest) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO live (run, info, secret, owner) VALUES ($1, $2, $3, $4)")
            .bind(info.run.as_str())
            .bind(json(info)?)
            .bind(secret.to_string())
            .bind(self.server.id())
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// Keeps what everybody named who sat down.
    pub async fn begin_live(
        &self,
        info: &LiveInfo,
        nonces: &BTreeMap<Seat, String>,
    ) -> Result<(), StoreError> {
        sqlx::query("UPDATE live SET info = $2, nonces = $3 WHERE run = $1")
            .bind(info.run.as_str())
            .bind(json(info)?)
            .bind(json(nonces)?)
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// Whether a live table is this server's and has not ended. Another one ends a table of whose server nothing was heard.
    pub async fn hosts(&self, run: &RunId) -> Result<bool, StoreError> {
        let row =
            sqlx::query("SELECT run FROM live WHERE run = $1 AND owner = $2 AND ended IS NULL")
                .bind(run.as_str())
                .bind(self.server.id())
                .fetch_optional(&self.read)
                .await?;
        Ok(row.is_some())
    }

    /// Makes a live table this server's whose server is gone; returns whether it was gone, and no other server was faster.
    pub async fn take_left_table(&self, run: &RunId, now: u64) -> Result<bool, StoreError> {
        let taken = sqlx::query(concat!(
            "UPDATE live SET owner = $2 WHERE run = $1 AND ended IS NULL AND (owner IS NULL OR owner <> $2 AND NOT EXISTS \
             (SELECT 1 FROM servers s WHERE s.id = live.owner AND ",
            is_there!("s.ends", "$3"),
            "))",
        ))
        .bind(run.as_str())
        .bind(self.server.id())
        .bind(to_db(now))
        .execute(&self.write)
        .await?;
        Ok(taken.rows_affected() == 1)
    }

    /// A live table of this server's has ended; its run is open to readers from now on. One that is another's is left alone.
    pub async fn end_live(&self, info: &LiveInfo, now: u64) -> Result<(), StoreError> {
        sqlx::query("UPDATE live SET info = $2, ended = $3 WHERE run = $1 AND owner = $4")
            .bind(info.run.as_str())
            .bind(json(info)?)
            .bind(to_db(now))
            .bind(self.server.id())
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// What everybody may know of a live table; `None` if there is none of that id.
    pub async fn live(&self, run: &RunId) -> Result<Option<LiveInfo>, StoreError> {
        let row = sqlx::query("SELECT info FROM live WHERE run = $1")
            .bind(run.as_str())
            .fetch_optional(&self.read)
            .await?;
        row.map(|row| info(row.try_get("info")?)).transpose()
    }

    /// The live tables that have not ended.
    pub async fn open_tables(&self) -> Result<Vec<OpenTable>, StoreError> {
        sqlx::query("SELECT info, secret, nonces FROM live WHERE ended IS NULL ORDER BY run")
            .fetch_all(&self.read)
            .await?
            .iter()
            .map(open_table)
            .collect()
    }

    /// Those of them whose server is gone.
    pub async fn left_tables(&self, now: u64) -> Result<Vec<OpenTable>, StoreError> {
        sqlx::query(concat!(
            "SELECT info, secret, nonces FROM live WHERE ended IS NULL AND (owner IS NULL OR owner <> $1 AND NOT EXISTS \
             (SELECT 1 FROM servers s WHERE s.id = live.owner AND ",
            is_there!("s.ends", "$2"),
            ")) ORDER BY run",
        ))
        .bind(self.server.id())
        .bind(to_db(now))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(open_table)
        .collect()
    }
}

fn open_table(row: &super::Row) -> Result<OpenTable, StoreError> {
    let nonces: Option<&str> = row.try_get("nonces")?;
    Ok(OpenTable {
        info: info(row.try_get("info")?)?,
        secret: row
            .try_get::<&str, _>("secret")?
            .parse()
            .map_err(|_| StoreError::Unreadable("a live table's secret"))?,
        nonces: nonces
            .map(serde_json::from_str)
            .transpose()
            .map_err(|_| StoreError::Unreadable("a live table's nonces"))?,
    })
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Unreadable("a live table"))
}

fn info(json: &str) -> Result<LiveInfo, StoreError> {
    serde_json::from_str(json).map_err(|_| StoreError::Unreadable("a live table"))
}
