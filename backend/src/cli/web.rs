//! `--web`: where pages are read.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Web {
    Live,
    /// The built-in web of the benchmark.
    Sample,
    /// What recorded runs have read.
    Frozen(Vec<PathBuf>),
    /// The pages of a recorded run, call by call.
    Recording(PathBuf),
}

impl FromStr for Web {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "live" => Ok(Web::Live),
            None if text == "sample" => Ok(Web::Sample),
            Some(("frozen", folders)) => Ok(Web::Frozen(self::folders(folders)?)),
            Some(("tape", folder)) if !folder.is_empty() => Ok(Web::Recording(folder.into())),
            _ => Err("write live, sample, frozen:DIR (or frozen:DIR,DIR) or tape:DIR".into()),
        }
    }
}

impl fmt::Display for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Web::Live => f.write_str("live"),
            Web::Sample => f.write_str("sample"),
            Web::Frozen(folders) => f.write_str(&frozen(folders)),
            Web::Recording(folder) => write!(f, "tape:{}", folder.display()),
        }
    }
}

pub fn folders(text: &str) -> Result<Vec<PathBuf>, String> {
    match text.split(',').any(str::is_empty) {
        true => Err("the folder of a recorded run belongs after the colon and every comma".into()),
        false => Ok(text.split(',').map(PathBuf::from).collect()),
    }
}

pub fn frozen(folders: &[PathBuf]) -> String {
    let folders: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    format!("frozen:{}", folders.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webs_read_as_they_are_written() {
        for text in ["live", "sample", "frozen:a", "frozen:a/b,c", "tape:w1"] {
            assert_eq!(text.parse::<Web>().map(|web| web.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "Live", "frozen:", "frozen:a,,b", "tape:", "warc:x"] {
            assert!(text.parse::<Web>().is_err(), "{text}");
        }
    }
}
