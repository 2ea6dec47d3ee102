//! Opening the database, wherever it is, and bringing it to this program's form.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, install_default_drivers};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, Row as _, SqlSafeStr as _};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::file::DatabaseFile;
use super::health::Health;
use super::kind::Kind;
use super::lock::{Lock, lock};
use super::parts::earlier;
use super::servers::{Alone, Beats, Server};
use super::summaries::name_tasks;
use super::together::Together;
use super::write_pool::WritePool;
use super::{PLACES, Pool, Store, StoreError};
use crate::database::Database;
use crate::private_file;

/// The migrations, in order. One that was released is never changed.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "runs", include_str!("../../migrations/0001_runs.sql")),
    (2, "live", include_str!("../../migrations/0002_live.sql")),
    (3, "regradings", include_str!("../../migrations/0003_regradings.sql")),
    (4, "driving", include_str!("../../migrations/0004_driving.sql")),
    (5, "receipts", include_str!("../../migrations/0005_receipts.sql")),
    (6, "publishing", include_str!("../../migrations/0006_publishing.sql")),
    (7, "sharing", include_str!("../../migrations/0007_sharing.sql")),
    (8, "budgets", include_str!("../../migrations/0008_budgets.sql")),
    (9, "sealed", include_str!("../../migrations/0009_sealed.sql")),
    (10, "blobs", include_str!("../../migrations/0010_blobs.sql")),
    (11, "thinking", include_str!("../../migrations/0011_thinking.sql")),
    (12, "boards", include_str!("../../migrations/0012_boards.sql")),
    (13, "servers", include_str!("../../migrations/0013_servers.sql")),
    (14, "standing", include_str!("../../migrations/0014_standing.sql")),
    (15, "opened tasks", include_str!("../../migrations/0015_opened_tasks.sql")),
    (16, "receipts by reply", include_str!("../../migrations/0016_receipts_by_reply.sql")),
    (17, "reservations", include_str!("../../migrations/0017_reservations.sql")),
    (18, "driven", include_str!("../../migrations/0018_driven.sql")),
    (19, "summaries by task", include_str!("../../migrations/0019_summaries_by_task.sql")),
    (20, "time of purses", include_str!("../../migrations/0020_time_of_purses.sql")),
    (21, "endpoints", include_str!("../../migrations/0021_endpoints.sql")),
    (22, "episodes by chain", include_str!("../../migrations/0022_plays_by_chain.sql")),
    (23, "refused", include_str!("../../migrations/0023_refused.sql")),
    (24, "visitors", include_str!("../../migrations/0024_visitors.sql")),
    (25, "parts", include_str!("../../migrations/0025_parts.sql")),
    (26, "tags", include_str!("../../migrations/0026_tags.sql")),
    (27, "named", include_str!("../../migrations/0027_named.sql")),
    (28, "pictures", include_str!("../../migrations/0028_pictures.sql")),
];

const READERS: u32 = 4;

/// Connections of a server to PostgreSQL, at most. It lets a hundred in unless its operator says otherwise. One of them says that the
/// server is there, and does nothing else.
const CONNECTIONS: u32 = 12;

/// How long a caller waits for a connection that is free.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long the answer of a pooler is waited for that may have too few connections.
const PATIENCE_WITH_POOLERS: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the database at a place for a server and brings it to this program's form. Over SQLite's file there is one server at a
    /// time: what another one has on its way would be taken for lost, sent again and paid twice.
    ///
    /// # Errors
    /// If it cannot be used, or a server runs over the same file; in words that say what to mend.
    pub async fn open(place: &Database) -> Result<Self, StoreError> {
        let lock = match place {
            Database::File(path) => lock(path)?,
            Database::Server(_) => None,
        };
        Store::open_as(place, lock, Alone::Yes).await
    }

    /// Opens the database beside a server that may be running over it: what that server has in its hands is left alone.
    ///
    /// # Errors
    /// If it cannot be used; in words that say what to mend.
    pub async fn beside(place: &Database) -> Result<Self, StoreError> {
        Store::open_as(place, None, Alone::No).await
    }

    async fn open_as(
        place: &Database,
        lock: Option<Lock>,
        alone: Alone,
    ) -> Result<Self, StoreError> {
        install_default_drivers();
        match place {
            Database::File(path) => {
                let path = std::path::absolute(path).map_err(sqlx::Error::Io)?;
                private_file::for_database(&path).map_err(sqlx::Error::Io)?;
                Store::open_file(&path, lock, alone).await.map_err(|error| unusable(&path, error))
            }
            Database::Server(address) => {
                let url = Url::parse(address.open())
                    .map_err(|error| sqlx::Error::Configuration(error.into()))?;
                Store::open_server(&url).await.map_err(|error| unreachable(&url, error))
            }
        }
    }

    async fn open_file(path: &Path, lock: Option<Lock>, alone: Alone) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let read = options.clone().read_only(true).create_if_missing(false);
        let read = quiet(&read.to_url_lossy())?;
        let pool = sqlite(1).connect_with(quiet(&options.to_url_lossy())?).await?;
        let write = WritePool::new(pool, Kind::Sqlite, Health::default());
        let file = Arc::new(DatabaseFile::opened(path));
        let beats = Beats { write: write.clone(), file: Some((file, read.clone())) };
        let read = sqlite(READERS).connect_lazy_with(read);
        Store::begin(write, read, beats, lock, alone).await
    }

    async fn open_server(url: &Url) -> Result<Self, StoreError> {
        let pool = |connections| {
            AnyPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE)
        };
        let all = pool(CONNECTIONS - 1).connect_with(quiet(url)?).await?;
        if is_shared_by_transaction(&all).await? {
            return Err(StoreError::Pooler);
        }
        let health = Health::default();
        let write = WritePool::new(all.clone(), Kind::Postgres, health.clone());
        let beats = Beats {
            write: WritePool::new(pool(1).connect_lazy_with(quiet(url)?), Kind::Postgres, health),
            file: None,
        };
        // There may be others.
        Store::begin(write, all, beats, None, Alone::No).await
    }

    /// Brings the database to this program's form and begins to use it.
    async fn begin(
        write: WritePool,
        read: Pool,
        beats: Beats,
        lock: Option<Lock>,
        alone: Alone,
    ) -> Result<Self, StoreError> {
        let kind = write.kind();
        migrate(kind, write.pool()).await?;
        name_tasks(&write).await?;
        earlier::into_parts(&write).await?;
        let file = beats.file.as_ref().map(|(file, _)| Arc::clone(file));
        let server = Server::begin(&write, beats, alone).await?;
        let together = Together::start(write.clone(), kind, server.clone());
        Ok(Store {
            write,
            read,
            kind,
            server,
            together,
            file,
            lock: lock.map(Arc::new),
            room: Arc::new(Semaphore::new(PLACES as usize)),
        })
    }
}

/// Whether two statements outside of a transaction may reach PostgreSQL over different connections, as they do behind a pooler that
/// shares connections by transaction. It prepares statements on one and executes them on another.
async fn is_shared_by_transaction(pool: &Pool) -> Result<bool, sqlx::Error> {
    const PROCESS: &str = "SELECT pg_backend_pid()";
    let (mut one, mut other) = (pool.acquire().await?, pool.acquire().await?);
    let looks = async {
        let before: i32 = one.fetch_one(PROCESS).await?.try_get(0)?;
        // A client in a transaction keeps a connection, and takes the one that was let go.
        other.execute("BEGIN").await?;
        let within: i32 = other.fetch_one(PROCESS).await?.try_get(0)?;
        let after: i32 = one.fetch_one(PROCESS).await?.try_get(0)?;
        other.execute("ROLLBACK").await?;
        Ok(before != after || before == within)
    };
    let found = timeout(PATIENCE_WITH_POOLERS, looks).await;
    if !matches!(found, Ok(Ok(_))) {
        one.close_on_drop();
        other.close_on_drop();
    }
    // A pool of one connection never gives the second one.
    found.unwrap_or(Ok(true))
}

/// Options without a line in the log for every statement.
fn quiet(url: &Url) -> Result<AnyConnectOptions, sqlx::Error> {
    Ok(AnyConnectOptions::from_url(url)?.disable_statement_logging())
}

fn sqlite(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        // A file does not hang up.
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                // The mode of the journal stays with the file. What is written lies in the journal (32 MB) before it is moved
                // into the file: a page that many calls change is then moved once. Each connection may keep 16 MB of pages.
                let set = connection.execute(
                    "PRAGMA busy_timeout = 10000; PRAGMA synchronous = NORMAL; \
                     PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16000",
                );
                // A file that cannot be read is reported by the statement for which the connection is made: the pool would try
                // again in silence.
                let _ = set.await;
                Ok(())
            })
        })
}

async fn migrate(kind: Kind, write: &Pool) -> Result<(), StoreError> {
    if kind == Kind::Sqlite {
        sqlx::query("PRAGMA journal_mode = WAL").fetch_all(write).await?;
    }
    let migrations = MIGRATIONS.iter().map(|&(version, name, sql)| {
        let sql = match kind {
            Kind::Sqlite => sql.into_sql_str(),
            Kind::Postgres => AssertSqlSafe(for_postgres(sql)).into_sql_str(),
        };
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect()).run(write).await?;
    Ok(())
}

/// The migration as PostgreSQL wants it: columns of text whose order does not depend on the language of the database, and its own
/// word for bytes.
fn for_postgres(sql: &str) -> String {
    let mut made = String::new();
    for line in sql.lines() {
        let code = line.split_once("--").map_or(line, |(code, _)| code);
        let code = code.replace(" BLOB", " BYTEA");
        for (at, part) in code.split(" TEXT").enumerate() {
            if at > 0 {
                made.push_str(" TEXT");
                if part.is_empty() || part.starts_with([' ', ',', ';']) {
                    made.push_str(" COLLATE \"C\"");
                }
            }
            made.push_str(part);
        }
        made.push('\n');
    }
    made
}

/// Why SQLite's file cannot be used, and what to do about it.
fn unusable(path: &Path, error: StoreError) -> StoreError {
    let Some(why) = error.outage() else {
        return error;
    };
    let file = path.display();
    let mend = match why.contains("damaged") {
        true => format!(
            "put a copy of {file} in its place, or save what can be read with `sqlite3 {file} .recover`"
        ),
        false => format!("see that {file} can be read and written and its disk has room"),
    };
    StoreError::Unreachable { what: format!("{}{}.", why[..1].to_uppercase(), &why[1..]), mend }
}

/// Why PostgreSQL cannot be used, and what to do about it.
fn unreachable(url: &Url, error: StoreError) -> StoreError {
    let cause = match &error {
        StoreError::Database(cause)
        | StoreError::Migration(
            MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _),
        ) => cause,
        _ => return error,
    };
    let database = url.path().trim_start_matches('/');
    let user = match url.username() {
        "" => "the user".to_owned(),
        user => format!("{user:?}"),
    };
    let (what, mend) = match cause {
        sqlx::Error::Io(why) => (
            format!("PostgreSQL cannot be reached: {why}."),
            "start it, or mend host and port in DATABASE_URL".to_owned(),
        ),
        sqlx::Error::Tls(why) => (
            format!("no secure connection can be made: {why}."),
            "give its certificate in DATABASE_URL (`?sslrootcert=FILE`), or use `?sslmode=disable` within a trusted network".to_owned(),
        ),
        sqlx::Error::PoolTimedOut => (
            format!("no connection to PostgreSQL was free within {} s.", PATIENCE.as_secs()),
            format!(
                "mend host and port in DATABASE_URL, or look at what keeps it busy; a pooler in between needs {CONNECTIONS} \
                 connections for every server of ours"
            ),
        ),
        sqlx::Error::Database(why) => match why.code().as_deref() {
            Some("28P01" | "28000") => (
                format!("PostgreSQL does not let {user} in: {}.", why.message()),
                "mend user and password in DATABASE_URL, or pg_hba.conf".to_owned(),
            ),
            Some("3D000") => (
                format!("there is no database {database:?}."),
                format!("make it: `createdb --encoding UTF8 {database}`"),
            ),
            Some("53300") => (
                "PostgreSQL has no connection left.".to_owned(),
                format!("raise its max_connections: every server of ours takes up to {CONNECTIONS}"),
            ),
            Some("42501") => (
                format!("{user} has not the rights that are needed: {}.", why.message()),
                format!("let the user own the database: `ALTER DATABASE {database} OWNER TO …`"),
            ),
            // A prepared statement is there that should not be, or is not there that should be.
            Some("42P05" | "26000") => return StoreError::Pooler,
            Some("08P01") if why.message().contains("statement pooling") => {
                return StoreError::Pooler;
            }
            Some("08P01") if why.message().contains("startup parameter") => (
                format!("a pooler refuses the connection: {}.", why.message()),
                "give the direct address, or a pool by session with `ignore_startup_parameters = extra_float_digits`".to_owned(),
            ),
            _ => return error,
        },
        _ => return error,
    };
    StoreError::Unreachable { what, mend }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_migration() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let entries = std::fs::read_dir(folder).expect("it is there");
        let mut files: Vec<i64> = entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.get(..4)?.parse().ok())
            .collect();
        files.sort_unstable();
        let listed: Vec<i64> = MIGRATIONS.iter().map(|(number, ..)| *number).collect();
        assert_eq!(files, listed);
    }

    #[test]
    fn texts_have_the_order_of_their_bytes() {
        let sql = "CREATE TABLE a (\n    b TEXT NOT NULL, -- as TEXT,\n    c TEXT\n);\nALTER TABLE a ADD COLUMN d TEXT;";
        let made = for_postgres(sql);
        assert_eq!(made.matches("TEXT COLLATE \"C\"").count(), 3, "{made}");
    }
}
