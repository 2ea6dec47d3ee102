//! A folder that is there whole or not at all: it is written beside its place under another name, and renamed at the end.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;

use turnwise_backend::pictures;
use turnwise_backend::run_folder::{self, at};
use turnwise_shared::key::EpisodeKey;

use crate::cli::trouble::with_path;

/// A folder in the making. Unless it is finished, nothing of it stays.
#[derive(Debug)]
pub struct NewFolder {
    out: PathBuf,
    draft: PathBuf,
}

impl NewFolder {
    /// A folder that will be at `out`. It may exist, and hold anything but transcripts.
    ///
    /// # Errors
    /// If there are transcripts in it, or nothing can be written beside it.
    pub fn new(out: &Path) -> Result<Self> {
        if out.is_dir() && !run_folder::transcript_files(out)?.is_empty() {
            return Err(with_path(out, "there are transcripts in it already; name another folder"));
        }
        if out.exists() && !out.is_dir() {
            return Err(with_path(out, "it is a file; name a folder"));
        }
        let whole = std::path::absolute(out).map_err(at(out))?;
        // The folders above it are made at the end, too.
        let beside = whole.ancestors().skip(1).find(|above| above.is_dir());
        let name = whole.file_name().unwrap_or_default().to_string_lossy();
        let draft = format!(".{name}.part-{}", std::process::id());
        let draft = beside.unwrap_or(Path::new("/")).join(draft);
        fs::create_dir(&draft).map_err(at(&draft))?;
        Ok(NewFolder { out: whole, draft })
    }

    /// Writes a picture into it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn picture(&self, png: &[u8]) -> Result<()> {
        let kept = pictures::write(&self.draft.join(pictures::FOLDER), png);
        kept.map(drop).map_err(|error| with_path(&self.out, error))
    }

    /// Writes a transcript into it; `false` if there is one of that name already.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn transcript(&self, key: &EpisodeKey, lines: &[String]) -> Result<bool> {
        let name = key.file_name();
        let mut text = lines.join("\n");
        text.push('\n');
        let written = fs::File::create_new(self.draft.join(&name));
        match written.and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(at(&self.out.join(name))(error).into()),
        }
    }

    /// Writes a file into it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.draft.join(name);
        Ok(fs::write(&path, bytes).map_err(at(&self.out.join(name)))?)
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn finish(self) -> Result<()> {
        if let Some(above) = self.out.parent() {
            fs::create_dir_all(above).map_err(at(above))?;
        }
        // An empty folder gives way. One that holds something keeps it, and what is new joins it.
        if fs::rename(&self.draft, &self.out).is_ok() {
            return Ok(());
        }
        for entry in fs::read_dir(&self.draft).map_err(at(&self.draft))? {
            let path = entry.map_err(at(&self.draft))?.path();
            let to = self.out.join(path.file_name().unwrap_or_default());
            fs::rename(&path, &to).map_err(at(&to))?;
        }
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // After a rename there is nothing left.
        let _ = fs::remove_dir_all(&self.draft);
    }
}
