//! Words of the screen.

use crate::prelude::*;

texts!("infodeepseek/words");

/// Results and characters of a memory, and how many results were left out of it.
pub fn memory((results, characters, left_out): (usize, usize, u64)) -> String {
    let results = match results {
        0 => return "empty".to_owned(),
        1 => "1 result".to_owned(),
        many => format!("{many} results"),
    };
    let left_out = match left_out {
        0 => String::new(),
        some => format!(", {some} left out"),
    };
    format!("{results}, {characters} characters{left_out}")
}
