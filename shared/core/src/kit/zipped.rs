//! Task files that are a zip: rows in [`ROWS`], and the PNG files that they name.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::exchange::inspect::archive::{Archive, Packer};
use crate::hash::Digest;
use crate::kit::rows::BadRow;
use crate::picture::PictureRef;
use crate::task::{Task, TaskSet, TaskSetOrigin};

pub const ROWS: &str = "tasks.jsonl";
/// The most bytes of all pictures of a set.
const MOST_BYTES: usize = 256 << 20;

/// Opens a zip whose names differ and stay within its folder.
///
/// # Errors
/// What of it cannot be used.
pub fn open(file: &[u8]) -> Result<Archive<&[u8]>, BadRow> {
    let length = u64::try_from(file.len()).unwrap_or(u64::MAX);
    let zip = Archive::open(file, length).map_err(BadRow::file)?;
    if let Some(twice) = zip.repeated().first() {
        return Err(BadRow::file(format!(
            "the zip has several files {twice:?}; names must differ"
        )));
    }
    let leaves = |name: &&str| {
        name.starts_with('/') || name.contains('\\') || name.split('/').any(|part| part == "..")
    };
    if let Some(bad) = zip.names().find(leaves) {
        return Err(BadRow::file(format!("the name {bad:?} leaves the folder of the zip")));
    }
    Ok(zip)
}

/// Unpacks a file of at most `limit` bytes.
///
/// # Errors
/// Why not, in a sentence.
pub fn unpacked(zip: &Archive<&[u8]>, name: &str, limit: usize) -> Result<Vec<u8>, String> {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    zip.file(name, limit).map_err(|bad| bad.to_string())
}

/// The pictures of a set.
#[derive(Debug, Default)]
pub struct Pictures {
    bytes: usize,
    by_digest: BTreeMap<Digest, Arc<[u8]>>,
}

impl Pictures {
    /// Takes a picture.
    ///
    /// # Errors
    /// If it is no PNG, or there are too many bytes of them.
    pub fn take(&mut self, png: Vec<u8>) -> Result<PictureRef, String> {
        let picture = PictureRef::of(&png).map_err(|bad| bad.to_string())?;
        self.bytes += png.len();
        if self.bytes > MOST_BYTES {
            return Err(format!("the pictures of a set have at most {MOST_BYTES} bytes together"));
        }
        self.by_digest.insert(picture.digest, png.into());
        Ok(picture)
    }

    /// Whether a picture was taken.
    pub fn has(&self, picture: &Digest) -> bool {
        self.by_digest.contains_key(picture)
    }

    /// The set of these tasks with the pictures.
    pub fn set(self, name: &str, tasks: Vec<Task>, origin: TaskSetOrigin) -> TaskSet {
        TaskSet { pictures: self.by_digest, ..TaskSet::new(name, tasks, origin) }
    }
}

/// The zip of rows, each on its line, and of pictures by digest.
///
/// # Errors
/// If it cannot be packed.
pub fn packed<'a>(
    rows: &str,
    pictures: impl IntoIterator<Item = (&'a Digest, &'a [u8])>,
) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut zip = Packer::new(Vec::new());
    for (digest, png) in pictures {
        zip.add(&format!("{digest}.png"), png).map_err(failed)?;
    }
    zip.add(ROWS, rows.as_bytes()).map_err(failed)?;
    zip.finish().map_err(failed)
}
