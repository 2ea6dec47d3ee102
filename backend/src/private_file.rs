//! Files that nobody but their user may read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

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
}
