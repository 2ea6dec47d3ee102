//! Documents for the local engine: a file of JSON lines, or a folder of text files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnwise_shared::prelude::*;

/// The largest document in bytes.
const LARGEST: usize = 4 << 20;

/// A page that can be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub id: String,
    pub title: String,
    pub text: String,
    /// Its address; shown, never opened.
    #[serde(default)]
    pub url: String,
    /// Its language, e.g. `en`, `zh`; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
}

/// Documents that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadDocuments {
    /// A file or folder cannot be read.
    #[error("{path}: {error}")]
    Unreadable { path: PathBuf, error: std::io::Error },
    /// A row is no document.
    #[error(
        "{path}, row {row}: {why}; a row is one JSON object with id, title, text and perhaps url and lang"
    )]
    Row {
        path: PathBuf,
        /// Which row, from 1.
        row: usize,
        why: String,
    },
    /// There is nothing in it.
    #[error(
        "{path} holds no documents; give a file of JSON lines, or a folder with .txt or .md files"
    )]
    Empty { path: PathBuf },
    /// The index cannot be built.
    #[error("the search index cannot be built: {0}")]
    Index(#[from] sqlx::Error),
}

/// The documents that come with the product.
pub fn samples() -> Result<Vec<Document>, BadDocuments> {
    let mut documents = Vec::new();
    for corpus in BENCHMARKS.iter().filter_map(|benchmark| benchmark.sample_corpus()) {
        documents.extend(rows(Path::new("the sample corpus"), corpus)?);
    }
    Ok(documents)
}

/// Reads a file of JSON lines, or every `.txt` and `.md` file below a folder.
pub fn read(path: &Path) -> Result<Vec<Document>, BadDocuments> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| BadDocuments::Unreadable { path, error }
    };
    let documents = if path.is_dir() {
        let mut files = Vec::new();
        walk(path, &mut files).map_err(unreadable(path))?;
        files.sort();
        files
            .iter()
            .map(|file| {
                let text = std::fs::read_to_string(file).map_err(unreadable(file))?;
                Ok(of_file(path, file, text))
            })
            .collect::<Result<Vec<_>, BadDocuments>>()?
    } else {
        let text = std::fs::read_to_string(path).map_err(unreadable(path))?;
        rows(path, &text)?
    };
    if documents.is_empty() {
        return Err(BadDocuments::Empty { path: path.to_owned() });
    }
    Ok(documents)
}

/// The hash over documents, in order.
pub fn digest(documents: &[Document]) -> Digest {
    Digest::of_value(&documents)
}

fn rows(path: &Path, text: &str) -> Result<Vec<Document>, BadDocuments> {
    let mut ids = std::collections::BTreeSet::new();
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let bad =
                |why: String| BadDocuments::Row { path: path.to_owned(), row: index + 1, why };
            if line.len() > LARGEST {
                return Err(bad(format!("it has {} bytes, the limit is {LARGEST}", line.len())));
            }
            let document: Document =
                serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            if !ids.insert(document.id.clone()) {
                return Err(bad(format!("the id {:?} stands twice", document.id)));
            }
            Ok(document)
        })
        .collect()
}

/// Symbolic links are not followed, so that a folder cannot lead out of itself or in circles.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        if kind.is_dir() {
            walk(&path, files)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|ending| ending == "txt" || ending == "md")
        {
            files.push(path);
        }
    }
    Ok(())
}

/// A text file as a document: its first heading or line is the title, its place in the folder the id.
fn of_file(folder: &Path, file: &Path, text: String) -> Document {
    let id = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
    let title = text
        .lines()
        .map(|line| line.trim_start_matches('#').trim())
        .find(|line| !line.is_empty())
        .unwrap_or(&id)
        .chars()
        .take(120)
        .collect();
    Document { url: format!("file:{id}"), id, title, text, lang: None }
}
