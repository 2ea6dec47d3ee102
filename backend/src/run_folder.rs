//! The folder of a run: one transcript a file, and beside them what is needed to read, replay and resume them.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `TASK.rREPEAT.play.jsonl`, `TASK.rREPEAT.grading.jsonl` | transcripts, appended line by line; nothing else ends in `.jsonl` |
//! | `run.json` | [`RunFile`]: the spec, who answers, the tasks' name and digest, caps |
//! | `tasks.dat` | the bytes of the task file as they were given; an encrypted file stays encrypted |
//! | `pack.json` | the prompt pack |
//! | `pictures/DIGEST.png` | the pictures of tasks and renders that prompts and transcripts name ([`pictures`](crate::pictures)) |
//! | `timing.ndjson` | a [`CallTiming`] a line: when a call was sent, what it took, what earlier attempts failed with |
//!
//! Every line is written to the file before the run goes on, so a run that is killed loses at most the line under way.

mod error;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use turnwise_shared::hash::canonical;
use turnwise_shared::prelude::*;

pub use error::{FolderError, at, must_be_file, read_file};
pub use read::{pack_file, read_transcript, run_file, tasks_file, timings, transcript_files};

/// The version of [`RunFile`].
pub const FORMAT: u32 = 1;

/// The file that says what the run is.
pub const RUN_FILE: &str = "run.json";
pub const TASKS_FILE: &str = "tasks.dat";
pub const PACK_FILE: &str = "pack.json";
pub const TIMING_FILE: &str = "timing.ndjson";

/// What `run.json` holds: enough to resume the run, to drive it again and to replay it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of the program that opened the run.
    pub program: String,
    /// A name for people; may be empty.
    #[serde(default)]
    pub title: String,
    /// By which people find it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The spec as the transcripts carry it.
    pub spec: Spec,
    /// Who answers: as the spec's seats, but a recording stands here as itself.
    pub answered_by: Lineup,
    /// Who is searched, as `--search` names it; absent = no engine.
    pub searched_by: Option<String>,
    /// Where pages are read, as `--web` names it; absent = nowhere.
    pub web: Option<String>,
    /// Whether its episodes are those of another run, copied to be graded again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub regrades: bool,
    pub tasks: TasksFile,
    /// How it is driven; absent if an earlier version of the program began it.
    pub driving: Option<Driving>,
    /// Milliseconds since 1970 at which the run was opened.
    pub opened: u64,
}

/// How a run is driven, as far as it was chosen: it holds, also after `--resume`, until something else is chosen.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driving {
    /// What it may spend in all.
    #[serde(default, skip_serializing_if = "Caps::is_nothing")]
    pub caps: Caps,
    /// Calls at once.
    pub concurrency: Option<NonZeroUsize>,
    /// Calls at once from single seats.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permits: BTreeMap<Seat, NonZeroUsize>,
    /// Failures in a row after which it pauses; 0: never.
    pub pause_after: Option<u32>,
}

/// The task file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TasksFile {
    /// The file's name, without its folder; `samples` for the tasks that come with the program.
    pub name: String,
    /// SHA-256 of the file's bytes; absent for the built-in samples, which are not copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Digest>,
}

/// Writes what a run is anew, e.g. under another name.
///
/// # Errors
/// If it cannot be written.
pub fn rewrite(folder: &Path, run: &RunFile) -> Result<(), FolderError> {
    write_whole(&folder.join(RUN_FILE), &pretty(run))
}

/// The folder of a run that is being driven. It is locked against a second driver.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Lines in each transcript that was touched.
    lines: BTreeMap<EpisodeKey, u64>,
    timing: File,
}

impl RunFolder {
    /// Makes the folder of a new run and writes what stands beside the transcripts.
    ///
    /// # Errors
    /// If there is a run in the folder already, or it cannot be written.
    pub fn create(
        path: &Path,
        run: &RunFile,
        tasks: Option<&[u8]>,
        pack: &Pack,
    ) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(at(path))?;
        if is_occupied(path)? {
            return Err(FolderError::Occupied(path.to_owned()));
        }
        let folder = RunFolder::lock(path)?;
        folder.describe(run, tasks, pack)?;
        Ok(folder)
    }

    /// Writes what stands beside the transcripts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn describe(
        &self,
        run: &RunFile,
        tasks: Option<&[u8]>,
        pack: &Pack,
    ) -> Result<(), FolderError> {
        if let Some(bytes) = tasks {
            write_whole(&self.path.join(TASKS_FILE), bytes)?;
        }
        write_whole(&self.path.join(PACK_FILE), &pretty(pack))?;
        // Last, because it marks the folder as a run's.
        write_whole(&self.path.join(RUN_FILE), &pretty(run))
    }

    /// Takes up the folder of a run that was begun; it is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be written, or another process drives the run.
    pub fn take_up(path: &Path) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(at(path))?;
        RunFolder::lock(path)
    }

    fn lock(path: &Path) -> Result<Self, FolderError> {
        let timing_path = path.join(TIMING_FILE);
        let timing = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&timing_path)
            .map_err(at(&timing_path))?;
        match timing.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(FolderError::Busy(path.to_owned())),
            // A file system without locks: two drivers of one folder are then the user's to avoid.
            Err(fs::TryLockError::Error(_)) => {}
        }
        Ok(RunFolder { path: path.to_owned(), lines: BTreeMap::new(), timing })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends lines to an episode's transcript; `from` is the number of the first of them, from 0.
    ///
    /// # Errors
    /// If they cannot be written, or do not follow what is there.
    pub fn append(
        &mut self,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> Result<(), FolderError> {
        let path = self.path.join(episode.file_name());
        let has = self.lines.entry(episode.clone()).or_default();
        if *has != from {
            return Err(FolderError::Gap { path, has: *has, from });
        }
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        let mut file =
            OpenOptions::new().create(true).append(true).open(&path).map_err(at(&path))?;
        file.write_all(text.as_bytes()).map_err(at(&path))?;
        *has += u64::try_from(lines.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// Keeps the first lines of a stored transcript and drops the others, a half-written one included.
    ///
    /// # Errors
    /// If the file cannot be read or cut.
    pub fn keep(&mut self, episode: &EpisodeKey, lines: u64) -> Result<(), FolderError> {
        let path = self.path.join(episode.file_name());
        let bytes = fs::read(&path).map_err(at(&path))?;
        let wanted = usize::try_from(lines).unwrap_or(usize::MAX);
        let end = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .take(wanted)
            .map(<[u8]>::len)
            .sum::<usize>();
        let mut file = OpenOptions::new().append(true).open(&path).map_err(at(&path))?;
        if end < bytes.len() {
            file.set_len(u64::try_from(end).unwrap_or(u64::MAX)).map_err(at(&path))?;
        }
        // The last line can be whole without its line break, if the program was killed between the two.
        if end > 0 && bytes[end - 1] != b'\n' {
            file.write_all(b"\n").map_err(at(&path))?;
        }
        self.lines.insert(episode.clone(), lines);
        Ok(())
    }

    /// Puts a transcript aside under a name that does not end in `.jsonl`; the episode can then be written anew.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn put_aside(&mut self, episode: &EpisodeKey) -> Result<(), FolderError> {
        let path = self.path.join(episode.file_name());
        let aside = (1_u32..)
            .map(|number| self.path.join(format!("{episode}.{number}.old")))
            .find(|aside| !aside.exists())
            .unwrap_or_else(|| path.with_extension("old"));
        fs::rename(&path, aside).map_err(at(&path))?;
        self.lines.remove(episode);
        Ok(())
    }

    /// Writes down what a call took.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn timed(&mut self, ticket: &Ticket, timing: &Timing) -> Result<(), FolderError> {
        let call = CallTiming {
            episode: ticket.episode.clone(),
            call: ticket.call,
            timing: timing.clone(),
            sent: 1,
            lost: 0,
        };
        let mut line = canonical(&call);
        line.push('\n');
        let path = self.path.join(TIMING_FILE);
        self.timing.write_all(line.as_bytes()).map_err(at(&path))
    }
}

fn is_occupied(path: &Path) -> Result<bool, FolderError> {
    Ok(path.join(RUN_FILE).exists() || !transcript_files(path)?.is_empty())
}

/// Writes a file so that it is there as a whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    fs::write(&part, bytes).map_err(at(&part))?;
    fs::rename(&part, path).map_err(at(path))
}

/// JSON with line breaks, for files that people open.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text =
        serde_json::to_vec_pretty(value).expect("every type that is written serialises to JSON");
    text.push(b'\n');
    text
}
