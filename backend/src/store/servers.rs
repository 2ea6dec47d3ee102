//! The servers over this database. Each says every few seconds that it is there; what a dead one had in its hands (calls on their
//! way, live tables) can then be told from what a living one has. Their clocks must agree within some seconds.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::timeout;
use turnwise_shared::hash::hex;

use super::budgets::count_left;
use super::{Pool, StoreError, to_db};
use crate::egress::now;
use crate::random;

/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(2);

/// How long one sign of life is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// A server of which nothing was heard for so long is gone, in milliseconds.
const LIFE: u64 = 10_000;

/// Servers that are gone for so long are forgotten, in milliseconds.
const MEMORY: u64 = 86_400_000;

/// A server for as long as its process runs. Its signs of life end with the last hand on it.
#[derive(Debug, Clone)]
pub(super) struct Server(Arc<str>);

/// Whether there can be no other server over the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alone {
    /// All others are gone.
    Yes,
    /// Others may be there.
    No,
}

impl Server {
    /// A new one, that is there from now on. It says so over `beats`, which nobody else uses: a server that has much to do is there all
    /// the same.
    pub async fn begin(write: &Pool, beats: Pool, alone: Alone) -> Result<Self, StoreError> {
        let server = Server(hex(&random::bytes::<16>()).into());
        let now = now();
        let gone = match alone {
            Alone::Yes => u64::MAX,
            Alone::No => now.saturating_sub(MEMORY),
        };
        count_left(write, gone).await?;
        sqlx::query("DELETE FROM servers WHERE ends < $1")
            .bind(to_db(gone))
            .execute(write)
            .await?;
        sqlx::query("DELETE FROM reservations WHERE server NOT IN (SELECT id FROM servers)")
            .execute(write)
            .await?;
        beat(&beats, &server.0, now).await?;
        tokio::spawn(live(write.clone(), beats, Arc::downgrade(&server.0)));
        Ok(server)
    }

    /// What rows call it.
    pub fn id(&self) -> &str {
        &self.0
    }

    /// It goes; others need not wait until it counts as gone.
    pub async fn end(&self, write: &Pool) -> Result<(), StoreError> {
        sqlx::query("UPDATE servers SET ends = $2 WHERE id = $1")
            .bind(self.id())
            .bind(to_db(now()))
            .execute(write)
            .await?;
        Ok(())
    }
}

/// Says that a server is there, as long as somebody has a hand on it.
async fn live(write: Pool, beats: Pool, server: Weak<str>) {
    loop {
        tokio::time::sleep(BEAT).await;
        let Some(server) = server.upgrade() else {
            return;
        };
        if write.is_closed() {
            beats.close().await;
            return;
        }
        // A connection that hangs is given up, so that the next sign goes over another one.
        let error = match timeout(PATIENCE, beat(&beats, &server, now())).await {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(late) => late.to_string(),
        };
        if !write.is_closed() {
            tracing::warn!(%error, "this server could not say that it is there");
        }
    }
}

async fn beat(beats: &Pool, server: &str, now: u64) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO servers (id, ends) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET ends = $2",
    )
    .bind(server)
    .bind(to_db(now.saturating_add(LIFE)))
    .execute(beats)
    .await?;
    Ok(())
}
