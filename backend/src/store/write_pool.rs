//! Connections that write. What fails on one of them, other than by a constraint, closes it, and so does a transaction that was not
//! ended: SQLite may have rolled it back by then, or may not. Transactions begin and end by statements of our own, because the driver
//! counts them, and counts one that SQLite has rolled back by itself as open for ever.

use std::ops::{Deref, DerefMut};

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{StreamExt as _, TryStreamExt as _};
use sqlx::any::{Any, AnyQueryResult, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Either, Error, Execute, Executor, SqlStr};

use super::health::{Health, is_harmless};
use super::kind::Kind;
use super::{Connection, Pool, Row, StoreError};

/// Cheap to clone; clones share the same connections.
#[derive(Debug, Clone)]
pub(super) struct WritePool {
    pool: Pool,
    kind: Kind,
    health: Health,
}

/// A connection outside of a transaction. Dropping it before its statement was judged closes the connection, which may hang.
struct Single {
    connection: PoolConnection<Any>,
    health: Health,
    is_sound: bool,
}

/// A connection within a transaction. Dropping it closes the connection, with which the transaction is rolled back.
pub(super) struct Transaction {
    connection: PoolConnection<Any>,
    health: Health,
    is_over: bool,
}

impl WritePool {
    pub fn new(pool: Pool, kind: Kind, health: Health) -> Self {
        WritePool { pool, kind, health }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn health(&self) -> &Health {
        &self.health
    }

    /// The connections themselves, for reading.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }

    pub fn is_closed(&self) -> bool {
        self.pool.is_closed()
    }

    pub async fn begin(&self) -> Result<Transaction, Error> {
        let mut transaction = Transaction {
            connection: self.acquire().await?,
            health: self.health.clone(),
            is_over: false,
        };
        transaction
            .connection
            .execute(match self.kind {
                // It fails now if it cannot write, not at its first statement that does.
                Kind::Sqlite => "BEGIN IMMEDIATE",
                Kind::Postgres => "BEGIN",
            })
            .await?;
        Ok(transaction)
    }

    async fn acquire(&self) -> Result<PoolConnection<Any>, Error> {
        let connection = self.pool.acquire().await;
        if let Err(error) = &connection
            && !is_harmless(error)
        {
            self.health.doubt();
        }
        connection
    }

    async fn single(&self) -> Result<Single, Error> {
        Ok(Single {
            connection: self.acquire().await?,
            health: self.health.clone(),
            is_sound: false,
        })
    }
}

impl Single {
    /// Closes the connection if what came of a statement leaves it in doubt.
    fn judge<T>(mut self, came: Result<T, Error>) -> Result<T, Error> {
        self.is_sound = came.as_ref().err().is_none_or(is_harmless);
        if !self.is_sound {
            self.health.doubt();
        }
        came
    }
}

impl Drop for Single {
    fn drop(&mut self) {
        if !self.is_sound {
            self.connection.close_on_drop();
        }
    }
}

impl Transaction {
    pub async fn commit(self) -> Result<(), StoreError> {
        self.end("COMMIT").await
    }

    pub async fn rollback(self) -> Result<(), StoreError> {
        self.end("ROLLBACK").await
    }

    /// Rolls back, and gives what there is to say about that.
    pub async fn rolled_back<T>(self, outcome: T) -> Result<T, StoreError> {
        self.rollback().await?;
        Ok(outcome)
    }

    async fn end(mut self, how: &'static str) -> Result<(), StoreError> {
        self.connection.execute(how).await?;
        self.is_over = true;
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.is_over {
            self.connection.close_on_drop();
            self.health.doubt();
        }
    }
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl<'p> Executor<'p> for &'_ WritePool {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, Row>, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let pool = self.clone();
        let all = async move {
            let mut single = pool.single().await?;
            let came: Result<Vec<_>, Error> =
                single.connection.fetch_many(query).try_collect().await;
            let came = single.judge(came)?;
            Ok::<_, Error>(stream::iter(came.into_iter().map(Ok)))
        };
        stream::once(all).try_flatten().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<Row>, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let pool = self.clone();
        Box::pin(async move {
            let mut single = pool.single().await?;
            let came = single.connection.fetch_optional(query).await;
            single.judge(came)
        })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'p: 'e,
    {
        let pool = self.clone();
        Box::pin(async move { pool.pool.acquire().await?.prepare_with(sql, parameters).await })
    }
}
