//! A small episode in the fragment of an address: everything that a page needs to show it, without any server.
//!
//! The fragment is `1` and then base64 (for addresses, without padding) over raw DEFLATE over lines of text: a head in JSON, the
//! lines of the episode, the lines of its grading. A transcript whose salts follow from its header travels as events alone, a third of
//! its size: chain and salts are computed again, and [`pack`] checks that the same bytes come out (ARCHITECTURE.md, rule 23).
//!
//! Programs for messages damage links: they add punctuation and parameters behind, break lines within, escape signs, cut the end
//! off. Only 64 signs can belong to a fragment, DEFLATE knows its own end, and the head has a checksum, so everything but a cut is
//! undone, and a cut is distinguished from other damage.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use serde::{Deserialize, Serialize};

use crate::hash::{Digest, canonical};
use crate::key::RunId;
use crate::task::{OPEN_FIELD, Task, TaskSet, TaskSetOrigin};
use crate::transcript::{self, BadTranscript, Event, SaltKey, Transcript, Writer};

/// The most bytes that an episode may have once it is compressed.
pub const MOST_PACKED: usize = 32 * 1024;

/// The most bytes that are made of a fragment. Not one more is ever decompressed.
pub const MOST_UNPACKED: usize = 8 * 1024 * 1024;

/// Many programs for messages cut links that are as long as this, in signs.
pub const LONG_LINK: usize = 4096;

/// How much may stand behind a fragment that does not belong to it, in signs.
const MOST_BEHIND: usize = 2048;

/// What stands behind a fragment may leave bits over.
const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// The sign with which a fragment of this version begins.
const VERSION: char = '1';

/// An episode as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEpisode {
    /// The run from which it was shared, so that a reader can ask its server for more.
    pub run: Option<RunId>,
    /// What the run is called; may be empty.
    pub title: String,
    /// The lines of its episode.
    pub play: String,
    /// The lines of its grading; empty if there is none.
    pub grading: String,
    /// What the player was sent of its task, if the task is at hand; what is hidden never travels.
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
    #[error("lines of it are withheld")]
    Withheld,
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
    #[error("the address was cut off on its way: its end is missing")]
    Cut,
    #[error("the address was changed on its way: {0}")]
    Damaged(&'static str),
    /// It would be larger than [`MOST_UNPACKED`].
    #[error("what is in the address would have more than {MOST_UNPACKED} bytes")]
    TooLarge,
}

#[serde_with::skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    run: Option<RunId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    play: SharedTranscript,
    grading: Option<SharedTranscript>,
    question: Option<String>,
    /// The checksum of everything else; links of earlier versions have none.
    sum: Option<String>,
}

/// A transcript among the lines: how many, and what they are.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SharedTranscript {
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
    let mut head = Head {
        run: episode.run.clone(),
        title: episode.title.clone(),
        play,
        grading,
        question: episode.question.clone(),
        sum: None,
    };
    let body = format!("{play_lines}{grading_lines}");
    head.sum = Some(sum(&head, &body));
    let text = format!("{}\n{body}", canonical(&head));
    let packed = deflate(text.as_bytes());
    if packed.len() > MOST_PACKED || text.len() > MOST_UNPACKED {
        return Err(NotShared::TooLarge { bytes: packed.len() });
    }
    Ok(Packed {
        fragment: format!("{VERSION}{}", BASE64_URL_SAFE_NO_PAD.encode(&packed)),
        bytes: packed.len(),
    })
}

/// Reads a fragment, with or without its `#`, as whatever program it came through has left it.
pub fn unpack(fragment: &str) -> Result<SharedEpisode, BadShare> {
    let text = inflate(&packed(fragment)?)?;
    if !text.ends_with('\n') {
        return Err(BadShare::Cut);
    }
    let (head, body) = text.split_once('\n').ok_or(BadShare::Cut)?;
    let head: Head = serde_json::from_str(head).map_err(|_| BadShare::Damaged("it has no head"))?;
    let is_whole = head.sum.as_ref().is_none_or(|it| *it == sum(&head, body));
    let mut lines = body.split_inclusive('\n');
    let play = whole(head.play, &mut lines)?;
    let grading = match head.grading {
        Some(part) => whole(part, &mut lines)?,
        None => String::new(),
    };
    if lines.next().is_some() {
        return Err(BadShare::Damaged("it has more lines than it says"));
    }
    if !is_whole {
        return Err(BadShare::Damaged("its checksum differs"));
    }
    Ok(SharedEpisode { run: head.run, title: head.title, play, grading, question: head.question })
}

/// The run that a fragment names, if that much of it can be read: a link that was cut off still says where to find the rest.
pub fn run_of(fragment: &str) -> Option<RunId> {
    // Of damaged bytes what comes before the damage is read.
    let (bytes, _) = inflated(&packed(fragment).ok()?);
    let head = bytes.split(|byte| *byte == b'\n').next()?;
    serde_json::from_slice::<Head>(head).ok()?.run
}

/// The compressed bytes of a fragment, perhaps with others behind them.
fn packed(fragment: &str) -> Result<Vec<u8>, BadShare> {
    let belongs = |sign: &char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
    let fragment: String = unescaped(fragment).chars().filter(belongs).collect();
    if fragment.is_empty() {
        return Err(BadShare::Empty);
    }
    let body = fragment.strip_prefix(VERSION).ok_or(BadShare::Version)?;
    // Four signs for three bytes.
    if body.len().saturating_sub(MOST_BEHIND) / 4 * 3 > MOST_PACKED {
        return Err(BadShare::TooLong);
    }
    // One sign alone is no byte.
    let whole = body.len() - usize::from(body.len() % 4 == 1);
    FORGIVING.decode(&body[..whole]).map_err(|_| BadShare::Damaged("it cannot be decoded"))
}

/// A text less the escapes of addresses, such as `%20`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        bytes.push(escaped.unwrap_or(*first));
        rest = &after[if escaped.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The checksum of a head, its own field aside, and of the lines behind it.
fn sum(head: &Head, body: &str) -> String {
    let head = Head {
        sum: None,
        run: head.run.clone(),
        title: head.title.clone(),
        grading: head.grading,
        question: head.question.clone(),
        ..*head
    };
    let mut digits = Digest::of_parts([canonical(&head).as_bytes(), body.as_bytes()]).to_string();
    digits.truncate(16);
    digits
}

/// The set of one task that a reader of a shared episode has: what the player was sent, and nothing that is hidden.
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

fn part(text: &str) -> Result<(SharedTranscript, String), NotShared> {
    let read = transcript::read(text)?;
    let count = read.events.len();
    if read.events.iter().any(Option::is_none) {
        return Err(NotShared::Withheld);
    }
    let events: Vec<&Event> = read.events.iter().flatten().collect();
    if written(&read, &events) == text {
        let bodies: String =
            events.iter().map(|event| format!("{}\n", canonical(*event))).collect();
        return Ok((SharedTranscript::Events(count), bodies));
    }
    let mut lines = text.to_owned();
    if !lines.ends_with('\n') {
        lines.push('\n');
    }
    Ok((SharedTranscript::Lines(lines.lines().count()), lines))
}

/// The lines of a transcript whose salts follow from its header.
fn written(read: &Transcript, events: &[&Event]) -> String {
    let mut writer = Writer::new(SaltKey::open(&read.header));
    events.iter().map(|event| format!("{}\n", writer.line(event))).collect()
}

fn whole<'a>(
    part: SharedTranscript,
    lines: &mut impl Iterator<Item = &'a str>,
) -> Result<String, BadShare> {
    match part {
        SharedTranscript::Lines(count) => {
            let taken: Vec<&str> = lines.take(count).collect();
            match taken.len() == count {
                true => Ok(taken.concat()),
                false => Err(BadShare::Cut),
            }
        }
        SharedTranscript::Events(count) => {
            let mut writer = None;
            let mut text = String::new();
            let mut seen = 0;
            for line in lines.take(count) {
                let event: Event = serde_json::from_str(line)
                    .map_err(|_| BadShare::Damaged("a line of it is no event"))?;
                if let (None, Event::Opened(header)) = (&writer, &event) {
                    writer = Some(Writer::new(SaltKey::open(header)));
                }
                let writer =
                    writer.as_mut().ok_or(BadShare::Damaged("a transcript in it has no header"))?;
                text.push_str(&writer.line(&event));
                text.push('\n');
                seen += 1;
            }
            match seen == count {
                true => Ok(text),
                false => Err(BadShare::Cut),
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

/// Decompresses, and stops at [`MOST_UNPACKED`]. What stands behind the end is passed over.
fn inflate(packed: &[u8]) -> Result<String, BadShare> {
    let (bytes, end) = inflated(packed);
    if bytes.len() > MOST_UNPACKED {
        return Err(BadShare::TooLarge);
    }
    match end {
        End::Found => String::from_utf8(bytes).map_err(|_| BadShare::Damaged("it is not text")),
        End::Missing => Err(BadShare::Cut),
        End::Broken => Err(BadShare::Damaged("it cannot be decompressed")),
    }
}

/// How compressed bytes end.
enum End {
    Found,
    Missing,
    Broken,
}

/// As many bytes as can be decompressed, one more than [`MOST_UNPACKED`] at most, and how they end.
fn inflated(packed: &[u8]) -> (Vec<u8>, End) {
    const STEP: usize = 1 << 16;
    let mut inflater = Decompress::new(false);
    let mut bytes = Vec::new();
    let mut taken = 0;
    while bytes.len() <= MOST_UNPACKED {
        bytes.reserve_exact(STEP.min(MOST_UNPACKED + 1 - bytes.len()));
        let before = (taken, bytes.len());
        let rest = &packed[taken..];
        let status = inflater.decompress_vec(rest, &mut bytes, FlushDecompress::None);
        taken = usize::try_from(inflater.total_in()).unwrap_or(packed.len());
        match status {
            Err(_) => return (bytes, End::Broken),
            Ok(Status::StreamEnd) => return (bytes, End::Found),
            Ok(Status::Ok | Status::BufError) if before == (taken, bytes.len()) => break,
            Ok(Status::Ok | Status::BufError) => {}
        }
    }
    (bytes, End::Missing)
}
