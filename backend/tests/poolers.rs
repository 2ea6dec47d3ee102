//! PostgreSQL behind a pooler: where it cannot work, the start says in a sentence what to do.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::Instant;

use turnwise_backend::database::Database;
use turnwise_backend::secret::Secret;
use turnwise_backend::store::Store;

use crate::common::database;
use crate::common::*;

/// PgBouncer in front of the test's PostgreSQL.
struct Pooler {
    child: Child,
    address: String,
}

impl Pooler {
    /// Starts it; `None`, and said, where there is none.
    fn start(folder: &Path, database: &str, settings: &str) -> Option<Self> {
        let url = reqwest::Url::parse(database).expect("an address");
        let asked = |name: &str| {
            let mut pairs = url.query_pairs();
            pairs.find_map(|(key, value)| (key == name).then(|| value.into_owned()))
        };
        let host = asked("host").or_else(|| url.host_str().map(str::to_owned));
        let host = host.expect("a host");
        let port = asked("port").or_else(|| url.port().map(|port| port.to_string()));
        let port = port.unwrap_or_else(|| "5432".to_owned());
        let user = asked("user").unwrap_or_else(|| url.username().to_owned());
        let schema = asked("options[search_path]").expect("a schema");
        let name = url.path().trim_start_matches('/');
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = free.local_addr().expect("an address").port();
        drop(free);
        let config = format!(
            "[databases]\nshared = host={host} port={port} dbname={name} user={user} connect_query='SET search_path TO \"{schema}\"'\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {at}\nauth_type = any\nunix_socket_dir =\n{settings}\n"
        );
        let file = folder.join("pooler.ini");
        std::fs::write(&file, config).expect("it is written");
        let program = std::env::var("TURNWISE_TEST_PGBOUNCER").unwrap_or("pgbouncer".into());
        let mut command = Command::new(program);
        command.arg(&file).stderr(Stdio::null()).stdout(Stdio::null());
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(&file).expect("it is there")) == 0
        {
            // It does not run as root, and reads its file as another user.
            use std::os::unix::fs::PermissionsExt as _;
            let rights = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder, rights).expect("they are set");
            command.args(["-u", "nobody"]);
        }
        let Ok(child) = command.spawn() else {
            // There is no way to report it if this fails.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED a test of poolers: there is no pgbouncer, here or at TURNWISE_TEST_PGBOUNCER"
            );
            return None;
        };
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", at)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "it does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Pooler { child, address: format!("postgres://{user}@127.0.0.1:{at}/shared") })
    }

    async fn open(&self) -> Result<Store, String> {
        let place = Database::server(Secret::new(self.address.clone())).expect("an address");
        Store::open(&place).await.map_err(|error| error.to_string())
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_shares_connections_by_transaction_is_named_and_one_by_session_works() {
    const IGNORE: &str = "ignore_startup_parameters = extra_float_digits";
    const BY_TRANSACTION: &str = "this looks like a pooler that shares connections by transaction; \
                                  give the direct address, or a pool by session";
    let cases = [
        ("pool_mode = transaction\ndefault_pool_size = 1", IGNORE, Some(BY_TRANSACTION)),
        ("pool_mode = transaction\ndefault_pool_size = 4", IGNORE, Some(BY_TRANSACTION)),
        (
            "pool_mode = transaction\ndefault_pool_size = 20\nserver_round_robin = 1",
            IGNORE,
            Some(BY_TRANSACTION),
        ),
        ("pool_mode = statement\ndefault_pool_size = 4", IGNORE, Some(BY_TRANSACTION)),
        (
            "pool_mode = session\ndefault_pool_size = 20",
            "",
            Some("a pool by session with `ignore_startup_parameters = extra_float_digits`"),
        ),
        ("pool_mode = session\ndefault_pool_size = 20", IGNORE, None),
    ];
    for (settings, ignored, expected) in cases {
        let folder = folder();
        let Some(database) = database::postgres(folder.path()) else {
            return;
        };
        let settings = format!("{settings}\n{ignored}");
        let Some(pooler) = Pooler::start(folder.path(), &database, &settings) else {
            return;
        };
        // A server that starts a second time finds the connections of the first.
        for _ in 0..2 {
            match (pooler.open().await, expected) {
                (Ok(store), None) => store.close().await,
                (Err(said), Some(expected)) => {
                    assert!(said.ends_with(expected), "{settings}: {said}");
                }
                (came, _) => panic!("{settings}: {came:?}"),
            }
        }
    }
}
