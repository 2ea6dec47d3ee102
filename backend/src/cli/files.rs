//! Transcripts named on the command line: files, and folders with all that they hold.

use std::path::{Path, PathBuf};

use anyhow::Result;

use turnwise_backend::run_folder;
use turnwise_shared::prelude::*;

use super::trouble::with_path;

/// A folder or file that was named, and the transcripts behind it.
#[derive(Debug)]
pub struct Named {
    /// The folder in which they lie.
    pub folder: PathBuf,
    /// The transcripts, plays before gradings.
    pub files: Vec<PathBuf>,
    pub extent: Extent,
}

/// Whether all transcripts of a folder are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Whole,
    /// Some of its files were named.
    Some,
}

/// Finds the transcripts behind paths, one entry a folder, in the order in which folders were first named.
///
/// # Errors
/// If a path does not exist, or a folder has no transcripts.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Named>> {
    let mut found: Vec<Named> = Vec::new();
    for path in paths {
        let (folder, files, extent) = if path.is_dir() {
            let files = run_folder::transcript_files(path)?;
            if files.is_empty() {
                return Err(with_path(path, "there is no transcript (*.jsonl) in it"));
            }
            (path.clone(), files, Extent::Whole)
        } else if path.is_file() {
            (folder_of(path), vec![path.clone()], Extent::Some)
        } else {
            return Err(with_path(path, "there is no such file or folder"));
        };
        match found.iter_mut().find(|named| named.folder == folder) {
            Some(named) => {
                for file in files {
                    if !named.files.contains(&file) {
                        named.files.push(file);
                    }
                }
            }
            None => found.push(Named { folder, files, extent }),
        }
    }
    Ok(found)
}

/// The folder in which a file lies.
pub fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The episode that a transcript's name says.
///
/// # Errors
/// If the name is none of an episode.
pub fn key_of(file: &Path) -> Result<EpisodeKey> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.parse().map_err(|error| with_path(file, error))
}
