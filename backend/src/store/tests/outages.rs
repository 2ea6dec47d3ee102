//! A database that cannot be used for a while: writes that fail, files that go, connections that break.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use turnwise_shared::caps::{Caps, Spent};

use super::*;

/// Within this the store notices.
const SOON: Duration = Duration::from_secs(20);

/// A store over SQLite, whatever the others use, and its file.
async fn over_a_file(folder: &Path) -> (Store, PathBuf) {
    let file = folder.join("turnwise.db");
    let store = Store::open(&Database::File(file.clone())).await;
    (store.expect("it opens"), file)
}

/// Says this to the connection that writes; what it sets ends with it.
async fn set(store: &Store, pragma: &str) {
    let mut connection = store.write.pool().acquire().await.expect("a connection");
    let done = connection.execute(AssertSqlSafe(pragma)).await;
    done.expect("it is set");
}

/// Waits until the store cannot be used; gives the reason.
async fn outage(store: &Store, of: &str) -> String {
    let began = Instant::now();
    loop {
        if let Some(why) = store.outage() {
            return why.to_string();
        }
        assert!(began.elapsed() < SOON, "{of}: nothing is noticed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn payable(store: &Store) {
    let waited = tokio::time::timeout(SOON, store.until_payable()).await;
    waited.expect("it works again").expect("it is open");
}

fn limits() -> [Limit; 1] {
    [Limit { budget: "run 1".into(), caps: Caps { money: Some(1 << 40), ..Caps::default() } }]
}

/// Writes with a transaction of several statements.
async fn reserve(store: &Store, id: usize) -> Result<(), StoreError> {
    // Long enough to need room.
    let id = format!("{id:04000}");
    let spent = Spent { money: 1, tokens: 0, calls: 1 };
    let taken = store.reserve(&id, &limits(), spent).await?;
    assert_eq!(taken, Ok(()));
    Ok(())
}

async fn reserved(store: &Store) -> u64 {
    let drawn = store.drawn("run 1").await.expect("it reads");
    drawn.spent.money
}

/// Whether another program can write.
async fn assert_free(file: &Path) {
    let mut other =
        AnyConnection::connect(&format!("sqlite://{}", file.display())).await.expect("it connects");
    for sql in ["PRAGMA busy_timeout = 2000", "BEGIN IMMEDIATE", "ROLLBACK"] {
        other.execute(sql).await.expect("nobody holds the database");
    }
    other.close().await.expect("it closes");
}

#[tokio::test]
async fn what_fails_on_the_connection_that_writes_leaves_nothing_behind() {
    for (setting, expected) in [
        ("PRAGMA max_page_count = 1", "the disk is full"),
        ("PRAGMA query_only = 1", "the database cannot be written"),
        // A transaction that was left open: as if the driver were wrong about it.
        ("BEGIN", ""),
        ("BEGIN IMMEDIATE", ""),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (store, file) = over_a_file(folder.path()).await;
        set(&store, setting).await;
        let mut written = 0;
        let error = loop {
            match reserve(&store, written).await {
                Ok(()) => written += 1,
                Err(error) => break error,
            }
            assert!(written < 10_000, "{setting}: nothing fails");
        };
        if !expected.is_empty() {
            let why = error.outage().expect("an outage");
            assert!(why.starts_with(expected), "{setting}: {why}");
        }
        assert_free(&file).await;
        // What comes next is kept, all of it and nothing else.
        for more in 0..5 {
            reserve(&store, 20_000 + more).await.expect("it is kept");
        }
        let expected = u64::try_from(written).expect("a number") + 5;
        assert_eq!(reserved(&store).await, expected, "{setting}");
        payable(&store).await;
        store.close().await;
        let (again, _) = over_a_file(folder.path()).await;
        assert_eq!(reserved(&again).await, expected, "{setting}");
    }
}

#[tokio::test]
async fn nothing_is_paid_for_after_a_failed_write_until_one_is_read_back_and_what_was_paid_for_is_stored()
 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (store, _) = over_a_file(folder.path()).await;
    set(&store, "PRAGMA query_only = 1").await;
    reserve(&store, 1).await.expect_err("it cannot be written");
    let health = store.write.health();
    async fn now(waiting: impl Future) -> bool {
        tokio::time::timeout(Duration::ZERO, waiting).await.is_ok()
    }
    assert!(!now(store.until_payable()).await, "it is in doubt");
    payable(&store).await;
    let unsaved = health.unsaved();
    assert!(now(store.until_sound()).await);
    assert!(!now(store.until_payable()).await);
    drop(unsaved);
    assert!(now(store.until_payable()).await);
    // What is insisted on is done in the end.
    set(&store, "PRAGMA query_only = 1").await;
    let done = store.insist_on_paid(|| reserve(&store, 2)).await;
    done.expect("it is written");
    assert_eq!(reserved(&store).await, 1);
    // A constraint is no outage and closes nothing.
    let doubts = health.doubts();
    let twice = "INSERT INTO servers (id, ends) VALUES ('one', 1), ('one', 1)";
    let refused = sqlx::query(twice).execute(&store.write).await;
    assert!(StoreError::from(refused.expect_err("it is refused")).outage().is_none());
    assert_eq!(health.doubts(), doubts);
    store.close().await;
    store.until_payable().await.expect_err("it is closed");
}

#[tokio::test]
async fn a_file_that_is_deleted_replaced_or_damaged_under_the_server_is_noticed() {
    type Harm = fn(&Path);
    let deleted: Harm = |file| std::fs::remove_file(file).expect("it is deleted");
    let moved: Harm = |file| std::fs::rename(file, file.with_extension("moved")).expect("it moves");
    let emptied: Harm = |file| {
        std::fs::remove_file(file).expect("it is deleted");
        std::fs::write(file, "").expect("another one is there");
    };
    let journal: Harm = |file| {
        std::fs::remove_file(format!("{}-wal", file.display())).expect("it is deleted");
    };
    let folder: Harm = |file| {
        std::fs::remove_dir_all(file.parent().expect("a folder")).expect("it is deleted");
    };
    let damaged: Harm = |file| {
        let mut file = std::fs::File::options().write(true).open(file).expect("it opens");
        file.seek(SeekFrom::Start(0)).expect("it is there");
        file.write_all(&[0x5a; 100]).expect("it is written");
    };
    let cases = [
        ("deleted", deleted, "deleted or moved"),
        ("moved", moved, "deleted or moved"),
        ("emptied", emptied, ""),
        ("journal", journal, ""),
        ("folder", folder, "deleted or moved"),
        ("damaged", damaged, "damaged"),
    ];
    for (name, harm, expected) in cases {
        let above = tempfile::tempdir().expect("a temporary folder");
        let (store, file) = over_a_file(&above.path().join("data")).await;
        reserve(&store, 1).await.expect("it is kept");
        // Everything lies in the file: what lies in the journal mends a head that is damaged.
        set(&store, "PRAGMA wal_checkpoint(TRUNCATE)").await;
        if name != "damaged" {
            reserve(&store, 2).await.expect("it is kept");
        }
        harm(&file);
        let why = outage(&store, name).await;
        assert!(why.contains(expected), "{name}: {why}");
        let waits = tokio::time::timeout(Duration::from_secs(1), store.until_payable()).await;
        waits.expect_err("nothing is paid for");
        if name == "moved" {
            std::fs::rename(file.with_extension("moved"), &file).expect("it moves back");
            payable(&store).await;
            reserve(&store, 3).await.expect("it is kept");
            assert_eq!(reserved(&store).await, 3);
        }
    }
}

#[tokio::test]
async fn a_damaged_file_is_told_at_the_start() {
    let zeros: &[u8] = &[0; 16];
    for damage in [zeros, b"SQLite format 4\0", &[0xff; 4096]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (store, file) = over_a_file(folder.path()).await;
        store.close().await;
        let mut bytes = std::fs::read(&file).expect("it reads");
        bytes[..damage.len()].copy_from_slice(damage);
        std::fs::write(&file, bytes).expect("it is damaged");
        let error = Store::open(&Database::File(file)).await.expect_err("it is damaged");
        let said = error.to_string();
        assert!(said.contains("damaged") && said.contains("To mend it: "), "{said}");
    }
}

/// A small disk of its own; absent, and said, where this user may make none.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=3m", "turnwise-test"])
            .arg(folder.path())
            .output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(Disk(folder));
        }
        // There is no way to report it if this fails.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED a test with a disk that is full: only a privileged user can mount one"
        );
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmount = |how: &[&str]| {
            let mut command = std::process::Command::new("umount");
            let done = command.args(how).arg(self.0.path()).output();
            done.is_ok_and(|done| done.status.success())
        };
        let _ = unmount(&[]) || unmount(&["-l"]);
    }
}

#[tokio::test]
async fn a_disk_that_is_full_is_waited_for() {
    let Some(disk) = Disk::new() else { return };
    let (store, file) = over_a_file(&disk.0.path().join("data")).await;
    for round in 0..3 {
        let before = reserved(&store).await;
        let filler = disk.0.path().join("filler");
        let mut filling = std::fs::File::create(&filler).expect("it is made");
        while filling.write_all(&[0; 4096]).is_ok() {}
        drop(filling);
        let mut written = 0;
        while reserve(&store, round * 10_000 + written).await.is_ok() {
            written += 1;
            assert!(written < 10_000, "nothing fails");
        }
        assert_eq!(outage(&store, "full").await, "the disk is full");
        let now = before + u64::try_from(written).expect("a number");
        assert_eq!(reserved(&store).await, now, "what could not be kept is not there");
        let waiting = store.insist_on_paid(|| reserve(&store, round * 10_000 + 9_999));
        let free = async {
            tokio::time::sleep(Duration::from_millis(700)).await;
            std::fs::remove_file(&filler).expect("it is deleted");
        };
        let (kept, ()) = tokio::join!(waiting, free);
        kept.expect("it is kept once there is room");
        payable(&store).await;
        assert_eq!(reserved(&store).await, now + 1);
        assert_free(&file).await;
    }
    store.close().await;
}

#[tokio::test]
async fn connections_to_postgresql_that_break_are_replaced_and_nothing_is_kept_by_half() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(address) = database::postgres(folder.path()) else {
        return;
    };
    let name = folder.path().file_name().expect("a name").to_string_lossy().into_owned();
    let named = format!("{address}&application_name={name}");
    let store = Store::open(&Database::server(Secret::new(named)).expect("an address")).await;
    let store = store.expect("it opens");
    let mut aside = AnyConnection::connect(&address).await.expect("it connects");
    let break_all =
        "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1";
    let writes = async {
        let reserve = async |id| store.insist_on_paid(|| reserve(&store, id)).await;
        for id in 0..200 {
            match reserve(id).await {
                Ok(()) => {}
                // It was kept, and no caller heard of it.
                Err(StoreError::Database(error)) if error.as_database_error().is_some() => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    let breaks = async {
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(60)).await;
            let done = sqlx::query(break_all).bind(&name).execute(&mut aside).await;
            done.expect("they break");
        }
    };
    tokio::join!(writes, breaks);
    payable(&store).await;
    assert_eq!(reserved(&store).await, 200);
    let rows = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM reservations")
        .fetch_one(&store.read)
        .await;
    assert_eq!(rows.expect("it reads"), 200);
}
