//! The database of a test: a file of SQLite's in its folder, or, where `TURNWISE_TEST_DATABASE` names a PostgreSQL, a schema of its
//! own there. `cargo xtask test` starts one and runs the tests of the store and of the service a second time over it.

use std::io::Write as _;
use std::path::Path;

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use turnwise_shared::hash::Digest;

/// Where the database of a test with this folder is; absent if it lies in the folder. The same folder has the same database.
pub fn address(folder: &Path) -> Option<String> {
    let server = std::env::var("TURNWISE_TEST_DATABASE").ok()?;
    Some(schema(server, folder))
}

/// A database on PostgreSQL for a test that needs one, whatever the others use; absent, and said, where there is none.
pub fn postgres(folder: &Path) -> Option<String> {
    let named = |name: &str| std::env::var(name).ok();
    let server = named("TURNWISE_TEST_POSTGRES").or_else(|| named("TURNWISE_TEST_DATABASE"));
    if server.is_none() {
        skipped(
            "a test of several servers",
            "TURNWISE_TEST_POSTGRES names no PostgreSQL; `cargo xtask test` starts one",
        );
    }
    Some(schema(server?, folder))
}

/// Says that something was not tested, and why.
pub fn skipped(what: &str, why: &str) {
    // There is no way to report it if this fails.
    let _ = writeln!(std::io::stderr(), "SKIPPED {what}: {why}");
}

fn schema(server: String, folder: &Path) -> String {
    let folder = folder.to_str().expect("a folder with a plain name");
    let name = format!("t{}", &Digest::of(folder).to_string()[..40]);
    let sign = if server.contains('?') { '&' } else { '?' };
    let address = format!("{server}{sign}options[search_path]={name}");
    make(server, name);
    address
}

/// Makes the schema if it is not there. Tests call this from within a runtime, so it gets a thread of its own.
fn make(server: String, name: String) {
    let work = async move {
        let mut connection = PgConnection::connect(&server)
            .await
            .expect("TURNWISE_TEST_DATABASE names a PostgreSQL that answers");
        let sql = format!("CREATE SCHEMA IF NOT EXISTS \"{name}\"");
        sqlx::query(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .expect("a schema can be made");
        connection.close().await.expect("it closes");
    };
    std::thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(work);
    })
    .join()
    .expect("a schema was made");
}
