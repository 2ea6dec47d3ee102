//! The names of runs, and of episodes within their runs.

use std::str::FromStr;

use crate::hash::{self, Digest};
use crate::task::TaskId;

/// A run's id: random, 128 bits, as 32 lower-case hexadecimal digits. Anyone who knows it may read an unlisted run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

impl RunId {
    /// An id from 16 random bytes.
    pub fn new(random: [u8; 16]) -> Self {
        RunId(hash::hex(&random))
    }

    /// Its 32 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The run that a new server plays by itself, so that it has something to show. Its token is not given out, so it is never
/// published; an operator with the access token names or withdraws it.
pub fn demo() -> RunId {
    RunId("de30".repeat(8))
}

/// A text that is no run id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a run id is 32 lower-case hexadecimal digits")]
pub struct BadRunId;

impl FromStr for RunId {
    type Err = BadRunId;

    fn from_str(text: &str) -> Result<Self, BadRunId> {
        let sound =
            text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if sound { Ok(RunId(text.to_owned())) } else { Err(BadRunId) }
    }
}

/// Names an episode within its run, e.g. `7.r1.play` or `7.r1.grading`. Safe as a file name and in an address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpisodeKey(String);

as_text!(RunId, EpisodeKey);
shown_as_held!(RunId, EpisodeKey);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKey {
    Play,
    Grading,
}

impl EpisodeKey {
    /// The episode of a task. Ids with other signs than letters, digits, `-` and `_` are named by their hash.
    pub fn play(task: &TaskId, repeat: u32) -> Self {
        EpisodeKey(format!("{}.r{repeat}.play", stem(task)))
    }

    /// The grading of the same episode.
    pub fn grading(&self) -> Self {
        EpisodeKey(format!("{}.grading", self.stem_and_repeat()))
    }

    /// The play of the same grading.
    pub fn its_play(&self) -> Self {
        EpisodeKey(format!("{}.play", self.stem_and_repeat()))
    }

    pub fn part(&self) -> PartKey {
        if self.0.ends_with(".play") { PartKey::Play } else { PartKey::Grading }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of its transcript's file.
    pub fn file_name(&self) -> String {
        format!("{}.jsonl", self.0)
    }

    fn stem_and_repeat(&self) -> &str {
        self.0.rsplit_once('.').map_or(&self.0, |(stem, _)| stem)
    }
}

fn stem(task: &TaskId) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_';
    if !task.0.is_empty()
        && task.0.len() <= 60
        && task.0.chars().all(plain)
        && !task.0.starts_with("x_")
    {
        task.0.clone()
    } else {
        format!("x_{}", &Digest::of(&task.0).to_string()[..24])
    }
}

/// A text that names no episode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an episode is named TASK.rREPEAT.play or TASK.rREPEAT.grading")]
pub struct BadEpisodeKey;

impl FromStr for EpisodeKey {
    type Err = BadEpisodeKey;

    fn from_str(text: &str) -> Result<Self, BadEpisodeKey> {
        let mut parts = text.split('.');
        let sound = match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(stem), Some(repeat), Some("play" | "grading"), None) => {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                (1..=60).contains(&stem.len())
                    && stem.bytes().all(plain)
                    && repeat
                        .strip_prefix('r')
                        .and_then(|digits| digits.parse::<u32>().ok())
                        .is_some_and(|number| format!("r{number}") == repeat && number > 0)
            }
            _ => false,
        };
        if sound { Ok(EpisodeKey(text.to_owned())) } else { Err(BadEpisodeKey) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_their_text_and_name_no_path() {
        for id in ["7", "task_12", "../../etc/passwd", "", "问题", "x_1"] {
            let key = EpisodeKey::play(&id.into(), 3);
            assert_eq!(key.as_str().parse(), Ok(key.clone()), "{id}");
            assert_eq!(key.grading().its_play(), key);
            assert!(!key.file_name().contains('/'));
        }
        for bad in ["", "7", "7.r0.play", "7.r01.play", "../7.r1.play", "7.r1.play.x", "7.r1.other"]
        {
            assert!(bad.parse::<EpisodeKey>().is_err(), "{bad}");
        }
    }
}
