//! Files and folders that only their user may read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// What SQLite adds to the name of a database for the files beside it.
const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Makes a file that was not there.
///
/// # Errors
/// If it is there already, or cannot be made.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a folder, and those above it, unless it is there.
///
/// # Errors
/// If it cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes the file of a database and its folder unless they are there, and takes the rights of everybody but their user from both, as
/// from the files beside it. SQLite gives new files the rights of the database. A folder in which everybody may put files (`/tmp`)
/// keeps its rights.
///
/// # Errors
/// If they cannot be made.
pub fn for_database(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
        restrict(folder);
    }
    match create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(_) | Err(_) => {}
    }
    for more in BESIDE {
        let mut file = path.as_os_str().to_owned();
        file.push(more);
        restrict(Path::new(&file));
    }
    Ok(())
}

/// Takes the rights of everybody but its user from a file or a folder that is there.
#[cfg(unix)]
pub fn restrict(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    const STICKY: u32 = 0o1000;
    const OTHERS: u32 = 0o077;
    let Ok(metadata) = std::fs::metadata(path) else {
        return;
    };
    let mut rights = metadata.permissions();
    let mode = rights.mode();
    if mode & OTHERS == 0 || mode & STICKY != 0 {
        return;
    }
    rights.set_mode(mode & !OTHERS);
    if let Err(error) = std::fs::set_permissions(path, rights) {
        tracing::warn!(
            "other users of this machine may read {}, and that cannot be changed: {error}",
            path.display()
        );
    }
}

/// Other systems give no other user rights to what a user makes.
#[cfg(not(unix))]
pub fn restrict(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_once_and_for_its_user_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("secret");
        let file = create(&path).expect("it is made");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.metadata().expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        drop(file);
        let again = create(&path).expect_err("it is there");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    #[cfg(unix)]
    #[test]
    fn a_database_is_its_users_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let above = tempfile::tempdir().expect("a temporary folder");
        let mode = |path: &Path| {
            let found = std::fs::metadata(path).expect("it is there");
            found.permissions().mode() & 0o7777
        };
        let set = |path: &Path, mode: u32| {
            let rights = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path, rights).expect("they are set");
        };
        let made = above.path().join("a/b");
        let file = made.join("turnwise.db");
        for_database(&file).expect("it is made");
        assert_eq!([mode(&made), mode(&file)], [0o700, 0o600]);

        // As an earlier version left them.
        let wal = made.join("turnwise.db-wal");
        std::fs::write(&wal, "").expect("it is written");
        for (path, rights) in [(&made, 0o755), (&file, 0o644), (&wal, 0o664)] {
            set(path, rights);
        }
        for_database(&file).expect("it is there");
        assert_eq!([mode(&made), mode(&file), mode(&wal)], [0o700, 0o600, 0o600]);

        let shared = above.path().join("shared");
        std::fs::create_dir(&shared).expect("it is made");
        set(&shared, 0o1777);
        for_database(&shared.join("turnwise.db")).expect("it is made");
        assert_eq!(mode(&shared), 0o1777);
        assert_eq!(mode(&shared.join("turnwise.db")), 0o600);
    }
}
