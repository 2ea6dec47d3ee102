//! One server over a file of SQLite's.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

use super::StoreError;
use crate::private_file;

/// The file beside SQLite's that a server locks for as long as it runs; in it stands the number of its process.
const LOCK: &str = "serving.lock";

/// Held by a server as long as it uses SQLite's file, and let go with the last hand on it.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    pub fn release(&self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the database's file could not be let go");
        }
    }
}

/// Locks the folder of a database's file against other servers; `None` where the file system knows no locks.
pub(super) fn lock(database: &Path) -> Result<Option<Lock>, StoreError> {
    let database = std::path::absolute(database).map_err(sqlx::Error::Io)?;
    let path = database.with_file_name(LOCK);
    let open = || -> io::Result<File> {
        if let Some(folder) = path.parent() {
            private_file::create_folder(folder)?;
        }
        let mut options = File::options();
        options.create(true).read(true).write(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)
    };
    let mut file = open().map_err(sqlx::Error::Io)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let process = std::fs::read_to_string(&path).unwrap_or_default();
            return Err(StoreError::Unreachable {
                what: format!(
                    "another server runs over it already (process {}).",
                    process.trim()
                ),
                mend: "stop that one, give this one a folder of its own (--data), or let both share a PostgreSQL \
                       (DATABASE_URL), which several servers may"
                    .to_owned(),
            });
        }
        Err(TryLockError::Error(error)) => {
            tracing::warn!(
                %error,
                "{} cannot be locked: see to it that no other server uses this folder", path.display()
            );
            return Ok(None);
        }
    }
    let mut tell = || -> io::Result<()> {
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())
    };
    // Whom to stop is good to know, and no more.
    let _ = tell();
    Ok(Some(Lock(file)))
}
