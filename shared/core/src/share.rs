//! A small episode in the fragment of an address: everything that a page needs to show it, without any server.
//!
//! The fragment is `1` and then base64 (for addresses, without padding) over raw DEFLATE over lines of text: a head in JSON, the
//! lines of the play, the lines of its grading. A transcript whose salts follow from its header travels as events alone, a third of
//! its size: chain and salts are computed again, and [`pack`] checks that the same bytes come out (ARCHITECTURE.md, rule 23).

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::hash::canonical;
use crate::task::{OPEN_FIELD, Task, TaskSet, TaskSetOrigin};
use crate::transcript::{self, BadTranscript, Event, SaltKey, Transcript, Writer};
use crate::wire::RunId;

/// The most bytes that an episode may have once it is compressed.
pub const MOST_PACKED: usize = 32 * 1024;

/// The most bytes that are made of a fragment. Not one more is ever decompressed.
pub const MOST_UNPACKED: usize = 8 * 1024 * 1024;

/// The sign with which a fragment of this version begins.
const VERSION: char = '1';

/// An episode as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEpisode {
    /// The run from which it was shared, so that a reader can ask its server for more.
    pub run: Option<RunId>,
    /// What the run is called; may be empty.
    pub title: String,
    /// The lines of its play.
    pub play: String,
    /// The lines of its grading; empty if there is none.
    pub grading: String,
    /// What the player was told of its task, if the task is at hand; what is hidden never travels.
    pub question: Option<String>,
}

/// A fragment and what it weighs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// What stands after the `#` of the address.
    pub fragment: String,
    /// Bytes after compression.
    pub bytes: usize,
}

/// An episode that is not put into an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotShared {
    /// Its tasks are encrypted at rest or sealed, and stay so.
    #[error(
        "the tasks of this set are kept encrypted or sealed, so none of it is put into an address"
    )]
    Kept,
    /// It has withheld lines.
    #[error("lines of it are withheld")]
    Withheld,
    /// It is too large.
    #[error("it has {bytes} bytes after compression, and an address may have {MOST_PACKED}")]
    TooLarge {
        /// Bytes after compression.
        bytes: usize,
    },
    /// Its lines cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] BadTranscript),
}

/// A fragment that is no episode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadShare {
    /// There is nothing after the `#`.
    #[error("the address has no episode in it")]
    Empty,
    /// It begins with another sign.
    #[error("the address was made by another version of this program")]
    Version,
    /// It is longer than an episode in an address can be.
    #[error("the address is longer than an episode in an address can be")]
    TooLong,
    /// It was cut off or changed.
    #[error("the address was cut off or changed on its way: {0}")]
    Damaged(&'static str),
    /// It would be larger than [`MOST_UNPACKED`].
    #[error("what is in the address would have more than {MOST_UNPACKED} bytes")]
    TooLarge,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<RunId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    play: Part,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grading: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<String>,
}

/// A transcript among the lines: how many, and what they are.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// Events, from which the lines are written again.
    Events(usize),
    /// The lines as they are.
    Lines(usize),
}

/// Packs an episode into a fragment. `tasks` says how the set is kept to which its task belongs.
///
/// # Errors
/// [`NotShared`]; sets that are kept encrypted or sealed are refused, however small the episode is.
pub fn pack(episode: &SharedEpisode, tasks: &TaskSetOrigin) -> Result<Packed, NotShared> {
    if *tasks != TaskSetOrigin::Plain {
        return Err(NotShared::Kept);
    }
    let (play, play_lines) = part(&episode.play)?;
    let (grading, grading_lines) = match episode.grading.is_empty() {
        true => (None, String::new()),
        false => {
            let (grading, lines) = part(&episode.grading)?;
            (Some(grading), lines)
        }
    };
    let head = canonical(&Head {
        run: episode.run.clone(),
        title: episode.title.clone(),
        play,
        grading,
        question: episode.question.clone(),
    });
    let text = format!("{head}\n{play_lines}{grading_lines}");
    let packed = deflate(text.as_bytes());
    if packed.len() > MOST_PACKED || text.len() > MOST_UNPACKED {
        return Err(NotShared::TooLarge {
            bytes: packed.len(),
        });
    }
    Ok(Packed {
        fragment: format!("{VERSION}{}", BASE64_URL_SAFE_NO_PAD.encode(&packed)),
        bytes: packed.len(),
    })
}

/// Reads a fragment, with or without its `#`.
///
/// # Errors
/// [`BadShare`]
pub fn unpack(fragment: &str) -> Result<SharedEpisode, BadShare> {
    let fragment = fragment.trim_start_matches('#');
    if fragment.is_empty() {
        return Err(BadShare::Empty);
    }
    let body = fragment.strip_prefix(VERSION).ok_or(BadShare::Version)?;
    // Four signs for three bytes.
    if body.len() / 4 * 3 > MOST_PACKED {
        return Err(BadShare::TooLong);
    }
    let packed = BASE64_URL_SAFE_NO_PAD
        .decode(body)
        .map_err(|_| BadShare::Damaged("it has signs that do not belong there"))?;
    let text = inflate(&packed)?;
    let mut lines = text.split_inclusive('\n');
    let head: Head = lines
        .next()
        .and_then(|head| serde_json::from_str(head).ok())
        .ok_or(BadShare::Damaged("it has no head"))?;
    let play = whole(head.play, &mut lines)?;
    let grading = match head.grading {
        Some(part) => whole(part, &mut lines)?,
        None => String::new(),
    };
    if lines.next().is_some() {
        return Err(BadShare::Damaged("it has more lines than it says"));
    }
    Ok(SharedEpisode {
        run: head.run,
        title: head.title,
        play,
        grading,
        question: head.question,
    })
}

/// The set of one task that a reader of a shared play has: what the player was told, and nothing that is hidden.
pub fn task_set(play: &Transcript, question: &str) -> TaskSet {
    let task = Task {
        id: play.header.task.id.clone(),
        digest: play.header.task.digest,
        labels: play.header.task.labels.clone(),
        fields: BTreeMap::from([(OPEN_FIELD.to_owned(), question.to_owned())]),
    };
    let name = play.header.spec.tasks.name.clone();
    TaskSet::new(name, vec![task], TaskSetOrigin::Plain)
}

/// How a transcript travels.
fn part(text: &str) -> Result<(Part, String), NotShared> {
    let read = transcript::read(text)?;
    let count = read.events.len();
    if read.events.iter().any(Option::is_none) {
        return Err(NotShared::Withheld);
    }
    let events: Vec<&Event> = read.events.iter().flatten().collect();
    if written(&read, &events) == text {
        let bodies: String = events
            .iter()
            .map(|event| format!("{}\n", canonical(*event)))
            .collect();
        return Ok((Part::Events(count), bodies));
    }
    let mut lines = text.to_owned();
    if !lines.ends_with('\n') {
        lines.push('\n');
    }
    Ok((Part::Lines(lines.lines().count()), lines))
}

/// The lines of a transcript whose salts follow from its header.
fn written(read: &Transcript, events: &[&Event]) -> String {
    let mut writer = Writer::new(SaltKey::open(&read.header));
    events
        .iter()
        .map(|event| format!("{}\n", writer.line(event)))
        .collect()
}

fn whole<'a>(part: Part, lines: &mut impl Iterator<Item = &'a str>) -> Result<String, BadShare> {
    const FEWER: BadShare = BadShare::Damaged("it has fewer lines than it says");
    match part {
        Part::Lines(count) => {
            let taken: Vec<&str> = lines.take(count).collect();
            match taken.len() == count {
                true => Ok(taken.concat()),
                false => Err(FEWER),
            }
        }
        Part::Events(count) => {
            let mut writer = None;
            let mut text = String::new();
            let mut seen = 0;
            for line in lines.take(count) {
                let event: Event = serde_json::from_str(line)
                    .map_err(|_| BadShare::Damaged("a line of it is no event"))?;
                if let (None, Event::Opened(header)) = (&writer, &event) {
                    writer = Some(Writer::new(SaltKey::open(header)));
                }
                let writer = writer
                    .as_mut()
                    .ok_or(BadShare::Damaged("a transcript in it has no header"))?;
                text.push_str(&writer.line(&event));
                text.push('\n');
                seen += 1;
            }
            match seen == count {
                true => Ok(text),
                false => Err(FEWER),
            }
        }
    }
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    // Nothing is written but memory.
    written.expect("a vector takes every byte")
}

/// Decompresses, and stops at [`MOST_UNPACKED`].
fn inflate(packed: &[u8]) -> Result<String, BadShare> {
    const LIMIT: u64 = MOST_UNPACKED as u64 + 1;
    let mut bytes = Vec::new();
    DeflateDecoder::new(packed)
        .take(LIMIT)
        .read_to_end(&mut bytes)
        .map_err(|_| BadShare::Damaged("it cannot be decompressed"))?;
    if bytes.len() > MOST_UNPACKED {
        return Err(BadShare::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| BadShare::Damaged("it is not text"))
}
