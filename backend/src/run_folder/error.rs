//! What can be wrong with the folder of a run.

use std::io;
use std::path::{Path, PathBuf};

use turnwise_shared::transcript::BadTranscript;

use super::RUN_FILE;

/// A folder that cannot be used, or a file in it.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{path}: {problem}{hint}", path = .path.display(), hint = hint(.path, .problem))]
    Io { path: PathBuf, problem: io::Error },
    /// There is a run in it already.
    #[error(
        "{path} holds a run already; give --resume to go on with it, or another folder",
        path = .0.display()
    )]
    Occupied(PathBuf),
    /// Another process is driving the run.
    #[error("{path} is being driven by another turnwise", path = .0.display())]
    Busy(PathBuf),
    /// A file beside the transcripts cannot be read.
    #[error("{path}: {why}", path = .path.display())]
    Malformed {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A transcript is not sound.
    #[error("{path}: {problem}", path = .path.display())]
    Transcript {
        path: PathBuf,
        /// What is wrong with it.
        problem: BadTranscript,
    },
    /// Lines were to be appended elsewhere than at the end: an error of ours.
    #[error(
        "{path} has {has} lines, and line {from} was to be appended; please report this",
        path = .path.display()
    )]
    Gap {
        path: PathBuf,
        has: u64,
        /// The number of the line that came, from 0.
        from: u64,
    },
}

fn hint(path: &Path, problem: &io::Error) -> &'static str {
    let is_full =
        matches!(problem.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    match is_full {
        true if path.with_file_name(RUN_FILE).exists() => {
            "; make room and go on with --resume, what is written stays good"
        }
        true => "; make room and give the same command again, the run has not begun",
        false => "",
    }
}

/// Reads a file that the user named. A device may have no end and a pipe no writer, so neither is read, except what a shell hands over
/// (`/dev/stdin`, `<(…)`).
///
/// # Errors
/// If it cannot be read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    must_be_file(path)?;
    std::fs::read(path)
}

/// The same for what is read piece by piece.
///
/// # Errors
/// If it is neither a file nor handed over by a shell.
pub fn must_be_file(path: &Path) -> io::Result<()> {
    let kind = std::fs::metadata(path)?.file_type();
    let is_handed_over =
        path == "/dev/stdin" || path.starts_with("/dev/fd") || path.starts_with("/proc");
    // Reading a folder has an error of its own.
    if kind.is_file() || kind.is_dir() || is_handed_over {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "it is a device or a pipe; save its content as a file and name that",
    ))
}

/// Makes an [`io::Error`] name its file.
pub fn at(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |problem| FolderError::Io { path, problem }
}
