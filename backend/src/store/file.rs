//! SQLite's file as it was opened: a process that has it open sees neither that it was deleted nor what was put in its place.

use std::io;
use std::path::{Path, PathBuf};

/// Where it is, and which it is.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    identity: Option<Identity>,
}

/// What tells a file from another one under the same name: its file system, and its number there.
type Identity = (u64, u64);

impl DatabaseFile {
    /// The one that lies there now.
    pub fn opened(path: &Path) -> Self {
        DatabaseFile { path: path.to_owned(), identity: identity(path).ok() }
    }

    /// Why it cannot be used any more, as far as its name tells.
    pub fn trouble(&self) -> Option<String> {
        let file = self.path.display();
        match identity(&self.path) {
            Ok(found) if self.identity.is_none_or(|opened| opened == found) => None,
            Ok(_) => Some(format!("its file {file} was replaced by another one")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("its file {file} was deleted or moved"))
            }
            Err(error) => Some(format!("its file {file} cannot be looked at ({error})")),
        }
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    let found = std::fs::metadata(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Ok((found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        drop(found);
        Ok((0, 0))
    }
}
