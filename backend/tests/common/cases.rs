//! The cases of a test in a file beside it.

use serde::Deserialize;

/// The cases of a file in JSON Lines, each with as many members as the test reads; lines that begin with `//` are comments.
pub fn cases<T: Deserialize<'static>>(file: &'static str) -> impl Iterator<Item = T> {
    file.lines()
        .filter(|line| !line.starts_with("//"))
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
}
