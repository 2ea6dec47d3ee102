//! Live tables: what everybody may know of them, and the secret from which their seed was mixed.

use std::collections::BTreeMap;

use turnwise_shared::prelude::*;

use super::statement::{rows, sql};
use super::{Store, StoreError, is_there};

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
        sql!(
            "INSERT INTO live (run, info, secret, owner) VALUES ($1, $2, $3, $4)",
            info.run,
            info,
            secret,
            self.server.id()
        )
        .run(&self.write)
        .await
    }

    /// Keeps what everybody named who sat down.
    pub async fn begin_live(
        &self,
        info: &LiveInfo,
        nonces: &BTreeMap<Seat, String>,
    ) -> Result<(), StoreError> {
        sql!("UPDATE live SET info = $2, nonces = $3 WHERE run = $1", info.run, info, nonces)
            .run(&self.write)
            .await
    }

    /// Whether a live table is this server's and has not ended. Another one ends a table of whose server nothing was heard.
    pub async fn hosts(&self, run: &RunId) -> Result<bool, StoreError> {
        sql!(
            "SELECT run FROM live WHERE run = $1 AND owner = $2 AND ended IS NULL",
            run,
            self.server.id()
        )
        .exists(&self.read)
        .await
    }

    /// Makes a live table this server's whose server is gone; returns whether it was gone, and no other server was faster.
    pub async fn take_left_table(&self, run: &RunId, now: u64) -> Result<bool, StoreError> {
        let taken = sql!(
            concat!(
                "UPDATE live SET owner = $2 WHERE run = $1 AND ended IS NULL AND (owner IS NULL OR owner <> $2 AND NOT EXISTS \
                 (SELECT 1 FROM servers s WHERE s.id = live.owner AND ",
                is_there!("s.ends", "$3"),
                "))",
            ),
            run,
            self.server.id(),
            now
        );
        Ok(taken.changed(&self.write).await? == 1)
    }

    /// A live table of this server's has ended; its run is open to readers from now on. One that is another's is left alone.
    pub async fn end_live(&self, info: &LiveInfo, now: u64) -> Result<(), StoreError> {
        sql!(
            "UPDATE live SET info = $2, ended = $3 WHERE run = $1 AND owner = $4",
            info.run,
            info,
            now,
            self.server.id()
        )
        .run(&self.write)
        .await
    }

    /// What everybody may know of a live table; `None` if there is none of that id.
    pub async fn live(&self, run: &RunId) -> Result<Option<LiveInfo>, StoreError> {
        sql!("SELECT info FROM live WHERE run = $1", run).first(&self.read).await
    }

    /// The live tables that have not ended.
    pub async fn open_tables(&self) -> Result<Vec<OpenTable>, StoreError> {
        sql!("SELECT info, secret, nonces FROM live WHERE ended IS NULL ORDER BY run")
            .all(&self.read)
            .await
    }

    /// Those of them whose server is gone.
    pub async fn left_tables(&self, now: u64) -> Result<Vec<OpenTable>, StoreError> {
        sql!(
            concat!(
                "SELECT info, secret, nonces FROM live WHERE ended IS NULL AND (owner IS NULL OR owner <> $1 AND NOT EXISTS \
                 (SELECT 1 FROM servers s WHERE s.id = live.owner AND ",
                is_there!("s.ends", "$2"),
                ")) ORDER BY run",
            ),
            self.server.id(),
            now
        )
        .all(&self.read)
        .await
    }
}

rows! { OpenTable { info, secret, nonces } }
