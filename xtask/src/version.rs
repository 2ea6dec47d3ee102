//! Version numbers as programs print them.

use std::fmt;

/// `major.minor.patch`, compared in that order; what a program leaves out counts as 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The first number in `text` that stands at the start of a word, read as a version:
    /// `rustc 1.96.0 (…)`, `wasm-opt version 132 (version_132)` and `v20.20.2` all have one.
    pub fn find(text: &str) -> Option<Version> {
        text.split_whitespace()
            .find_map(|word| Version::parse(word.strip_prefix('v').unwrap_or(word)))
    }

    fn parse(word: &str) -> Option<Version> {
        let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
        let mut numbers = word[..end].split('.').map(|part| part.parse().ok());
        let major = numbers.next()??;
        let mut or_zero = || numbers.next().flatten().unwrap_or(0);
        Some(Version(major, or_zero(), or_zero()))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        let cases = [
            ("rustc 1.96.0 (ac68fa2 2026-05-01) (built from a source tarball)", Version(1, 96, 0)),
            ("wasm-opt version 132 (version_132)", Version(132, 0, 0)),
            ("v20.20.2\n", Version(20, 20, 2)),
            ("1.94", Version(1, 94, 0)),
            ("rustc 1.97.0-nightly (0000000 2026-06-01)", Version(1, 97, 0)),
        ];
        for (text, version) in cases {
            assert_eq!(Version::find(text), Some(version), "in {text:?}");
        }
        assert_eq!(Version::find("no number here"), None);
    }

    #[test]
    fn versions_compare_as_numbers_and_not_as_text() {
        assert!(Version(1, 100, 0) > Version(1, 96, 9));
        assert!(Version(108, 0, 0) < Version(120, 0, 0));
    }
}
