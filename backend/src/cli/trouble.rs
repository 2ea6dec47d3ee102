//! What is said when something is wrong with a file.

use std::fmt;
use std::path::Path;

/// A problem with a file or a folder.
pub fn with_path(path: &Path, problem: impl fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("{}: {problem}", path.display())
}
