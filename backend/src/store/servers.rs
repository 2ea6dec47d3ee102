//! The servers over this database. Each says every few seconds that it is there; what a dead one had in its hands (calls on their
//! way, live tables) can then be distinguished from what a living one has. Their clocks must agree within some seconds.

use std::sync::{Arc, Weak};
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, Connection as _};
use tokio::time::timeout;
use turnwise_shared::hash::hex;

use super::budgets::count_left;
use super::file::DatabaseFile;
use super::statement::sql;
use super::{StoreError, WritePool};
use crate::clock::now;
use crate::random;

/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(2);

/// How long one sign of life is waited for. Over SQLite it waits in line with everything that writes.
const PATIENCE: Duration = Duration::from_secs(3);
const PATIENCE_WITH_A_FILE: Duration = Duration::from_secs(30);

/// Between two looks at a database that does not work.
const AGAIN: Duration = Duration::from_millis(500);

/// A server without a sign of life for this time is gone, in milliseconds.
const LIFE: u64 = 10_000;

/// Servers that have been gone for this time are forgotten, in milliseconds.
const MEMORY: u64 = 86_400_000;

/// A server for as long as its process runs. Its signs of life end with the last hand on it.
#[derive(Debug, Clone)]
pub(super) struct Server(Arc<str>);

/// Whether there can be no other server over the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alone {
    Yes,
    No,
}

impl Server {
    /// A new one, that is there from now on. It says so over `beats`, which nothing else uses: a server that has much to do is there
    /// all the same.
    pub async fn begin(write: &WritePool, beats: Beats, alone: Alone) -> Result<Self, StoreError> {
        let server = Server(hex(&random::bytes::<16>()).into());
        let now = now();
        let gone = match alone {
            Alone::Yes => u64::MAX,
            Alone::No => now.saturating_sub(MEMORY),
        };
        count_left(write, gone).await?;
        sql!("DELETE FROM servers WHERE ends < $1 OR ends > $2", gone, now.saturating_add(MEMORY))
            .run(write)
            .await?;
        sql!("DELETE FROM reservations WHERE server NOT IN (SELECT id FROM servers)")
            .run(write)
            .await?;
        beats.beat(&server.0, now.saturating_add(LIFE)).await?;
        tokio::spawn(live(beats, Arc::downgrade(&server.0)));
        Ok(server)
    }

    pub fn id(&self) -> &str {
        &self.0
    }

    /// It goes; others need not wait until it counts as gone.
    pub async fn end(&self, write: &WritePool) -> Result<(), StoreError> {
        sql!("UPDATE servers SET ends = $2 WHERE id = $1", self.id(), now()).run(write).await
    }
}

/// Over what a server says that it is there, and reads what it said.
#[derive(Debug)]
pub(super) struct Beats {
    /// Nothing else uses it, unless there is one connection for everything that writes.
    pub write: WritePool,
    /// SQLite's file, which is opened anew to read it: a process that has it open sees neither that it was deleted nor what lies in its
    /// place.
    pub file: Option<(Arc<DatabaseFile>, AnyConnectOptions)>,
}

impl Beats {
    /// Says that a server is there.
    async fn beat(&self, server: &str, ends: u64) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO servers (id, ends) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET ends = $2",
            server,
            ends
        )
        .run(&self.write)
        .await
    }

    /// When a server will count as gone, as a program reads it that comes anew.
    async fn read(&self, server: &str) -> Result<Option<u64>, StoreError> {
        let query = sql!("SELECT ends FROM servers WHERE id = $1", server);
        let Some((_, options)) = &self.file else {
            return query.first(&self.write).await;
        };
        let mut connection = AnyConnection::connect_with(options).await?;
        let ends = query.first(&mut connection).await;
        connection.close().await?;
        ends
    }

    /// Says that a server is there, and reads it back.
    ///
    /// # Errors
    /// Why the database cannot be used.
    async fn look(&self, server: &str) -> Result<(), String> {
        if let Some((file, _)) = &self.file
            && let Some(trouble) = file.trouble()
        {
            return Err(trouble);
        }
        let why = |error: StoreError| error.outage().unwrap_or_else(|| error.to_string());
        let ends = now().saturating_add(LIFE);
        self.beat(server, ends).await.map_err(why)?;
        match self.read(server).await.map_err(why)? {
            Some(read) if read == ends => Ok(()),
            _ => Err("what was written cannot be read back: its file was replaced, or its journal was deleted".to_owned()),
        }
    }
}

/// Says that a server is there, as long as a handle on it exists, and finds out whether the database works.
async fn live(beats: Beats, server: Weak<str>) {
    let health = beats.write.health().clone();
    let mut found = Ok(());
    loop {
        match &found {
            Ok(()) => tokio::select! {
                () = tokio::time::sleep(BEAT) => {}
                () = health.doubted() => {}
            },
            Err(_) => tokio::time::sleep(AGAIN).await,
        }
        let Some(server) = server.upgrade() else {
            return;
        };
        if health.is_closed() {
            beats.write.close().await;
            return;
        }
        let doubts = health.doubts();
        // A connection that hangs is given up, so that the next sign goes over another one.
        let patience = match beats.file {
            Some(_) => PATIENCE_WITH_A_FILE,
            None => PATIENCE,
        };
        let looked = timeout(patience, beats.look(&server)).await;
        let is_late_once = looked.is_err() && found.is_ok();
        let late = |_| Err(format!("it did not answer within {} s", patience.as_secs()));
        found = looked.unwrap_or_else(late);
        match &found {
            Ok(()) => health.works(doubts),
            // It may only be busy: calls wait, and nothing is refused yet.
            Err(_) if is_late_once => health.doubt(),
            Err(why) => health.fails(why),
        }
    }
}
