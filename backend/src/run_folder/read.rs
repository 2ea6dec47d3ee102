//! Reading what lies in the folder of a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use turnwise_shared::prelude::*;
use turnwise_shared::transcript;

use super::error::{FolderError, at};
use super::{FORMAT, PACK_FILE, RUN_FILE, RunFile, TASKS_FILE, TIMING_FILE};

/// Reads `run.json` of a folder; `None` if there is none.
///
/// # Errors
/// If it is there and cannot be read.
pub fn run_file(folder: &Path) -> Result<Option<RunFile>, FolderError> {
    let Some(run): Option<RunFile> = read_json(&folder.join(RUN_FILE))? else {
        return Ok(None);
    };
    if run.format != FORMAT {
        return Err(FolderError::Malformed {
            path: folder.join(RUN_FILE),
            why: format!("it has format {}; this program reads format {FORMAT}", run.format),
        });
    }
    Ok(Some(run))
}

/// Reads the prompt pack of a folder; `None` if there is none.
///
/// # Errors
/// If it is there and cannot be read.
pub fn pack_file(folder: &Path) -> Result<Option<Pack>, FolderError> {
    read_json(&folder.join(PACK_FILE))
}

/// The bytes of a folder's task file; `None` if there is none.
///
/// # Errors
/// If it is there and cannot be read.
pub fn tasks_file(folder: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    read_if_there(&folder.join(TASKS_FILE))
}

/// What calls took, from the folder's side file. A last line that was cut off is left out; no file, no times.
///
/// # Errors
/// If the file is there and cannot be read.
pub fn timings(folder: &Path) -> Result<Vec<CallTiming>, FolderError> {
    let bytes = read_if_there(&folder.join(TIMING_FILE))?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The transcripts of a folder, plays before gradings, by name.
///
/// # Errors
/// If the folder cannot be listed.
pub fn transcript_files(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.ends_with(".grading.jsonl"), in_order(&name))
    });
    Ok(files)
}

/// So that 2 stands before 10.
fn in_order(name: &str) -> Vec<(u64, String)> {
    let mut parts = vec![(0_u64, String::new())];
    for character in name.chars() {
        let last = parts.last_mut().expect("there is one from the beginning");
        match character.to_digit(10) {
            Some(digit) if last.1.is_empty() => {
                last.0 = last.0.saturating_mul(10).saturating_add(digit.into());
            }
            Some(digit) => parts.push((digit.into(), String::new())),
            None => last.1.push(character),
        }
    }
    parts
}

/// Reads a transcript and checks its chain.
///
/// # Errors
/// If it cannot be read or is not sound.
pub fn read_transcript(path: &Path) -> Result<Transcript, FolderError> {
    let bytes = fs::read(path).map_err(at(path))?;
    let text = String::from_utf8(bytes).map_err(|error| FolderError::Malformed {
        path: path.to_owned(),
        why: format!(
            "line {} is not UTF-8",
            1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
        ),
    })?;
    transcript::read(&text)
        .map_err(|problem| FolderError::Transcript { path: path.to_owned(), problem })
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    read_if_there(path)?
        .map(|bytes| serde_json::from_slice(&bytes))
        .transpose()
        .map_err(|error| FolderError::Malformed { path: path.to_owned(), why: error.to_string() })
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path)(error)),
    }
}
