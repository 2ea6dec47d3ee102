//! What is said when something is wrong: one or two sentences for people.

use std::fmt;
use std::path::Path;

/// Why a command cannot be done.
#[derive(Debug)]
pub struct Trouble(String);

impl Trouble {
    pub fn new(message: impl Into<String>) -> Self {
        Trouble(message.into())
    }

    /// A trouble with a file.
    pub fn with(path: &Path, problem: impl fmt::Display) -> Self {
        Trouble(format!("{}: {problem}", path.display()))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Trouble {
    fn from(error: E) -> Self {
        Trouble(error.to_string())
    }
}
