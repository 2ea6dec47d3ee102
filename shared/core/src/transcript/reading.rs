//! Reading transcripts, as a whole or part by part, and checking their chains.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Event, FORMAT, Salt, Transcript, commitment, link};
use crate::hash::{Digest, unhex};

/// A file that is not a sound transcript. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTranscript {
    /// There is nothing in it.
    #[error("the transcript is empty")]
    Empty,
    /// A line is no line of a transcript.
    #[error("line {line} is not a line of a transcript: {why}")]
    Malformed {
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The chain does not hold here: this line or one before it was changed.
    #[error("line {line}: the hash chain is broken; this line was changed, removed or moved")]
    Chain { line: usize },
    /// The first line is not a header.
    #[error("line 1 is not the header of a transcript")]
    NoHeader,
    /// The format is of another version.
    #[error("the transcript has format {found}; this program reads format {FORMAT}")]
    Format { found: u32 },
}

#[derive(Deserialize)]
struct RawLine<'a> {
    chain: Digest,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    salt: Option<String>,
    withheld: Option<Digest>,
}

/// The chain value after one line of a transcript; `None` if it is no line. Nothing is checked.
pub fn chain_of(line: &str) -> Option<Digest> {
    #[derive(Deserialize)]
    struct Line {
        chain: Digest,
    }
    serde_json::from_str::<Line>(line).ok().map(|line| line.chain)
}

/// The event of one line that was written here; its chain is not checked.
///
/// # Errors
/// What is wrong with the line, in words.
pub fn event_of(line: &str) -> Result<Event, String> {
    #[derive(Deserialize)]
    struct Line {
        event: Event,
    }
    serde_json::from_str::<Line>(line).map(|line| line.event).map_err(|error| error.to_string())
}

/// Reads a transcript and checks its chain. A last line that was cut off while it was written (no line break at its end,
/// and not JSON) is left out: the transcript is then merely unfinished.
///
/// # Errors
/// [`BadTranscript`] with the first line that is wrong.
pub fn read(text: &str) -> Result<Transcript, BadTranscript> {
    let mut reader = Reader::new();
    let events = reader.read(text)?;
    match events.first() {
        Some(Some(Event::Opened(header))) => {
            Ok(Transcript { header: (**header).clone(), events, chain: reader.chain })
        }
        Some(_) => Err(BadTranscript::NoHeader),
        None => Err(BadTranscript::Empty),
    }
}

/// Reads a transcript part by part: of what was read before it holds only how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader {
    /// The chain value after the last line that was read.
    pub chain: Digest,
    /// How many lines were read.
    pub lines: u64,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader at the beginning of a transcript.
    pub fn new() -> Self {
        Reader { chain: Digest::of("turnwise transcript 1"), lines: 0 }
    }

    /// Reads the lines that come next and checks the chain on to them; one that was cut off is left out, as [`read`] does. The
    /// first line of all must be a header.
    ///
    /// # Errors
    /// [`BadTranscript`] with the first line that is wrong. The reader then stands before that line.
    pub fn read(&mut self, text: &str) -> Result<Vec<Option<Event>>, BadTranscript> {
        whole_lines(text).map(|line| self.line(line)).collect()
    }

    fn line(&mut self, line: &str) -> Result<Option<Event>, BadTranscript> {
        let line_number = usize::try_from(self.lines).map_or(usize::MAX, |lines| lines + 1);
        let malformed = |why: String| BadTranscript::Malformed { line: line_number, why };
        let raw: RawLine =
            serde_json::from_str(line).map_err(|error| malformed(error.to_string()))?;
        let (commitment, event) = match (raw.event, raw.salt, raw.withheld) {
            (Some(event), Some(salt), None) => {
                let salt: [u8; 16] = unhex(&salt)
                    .and_then(|bytes| bytes.try_into().ok())
                    .ok_or_else(|| malformed("the salt is not 32 hexadecimal digits".into()))?;
                (commitment(&Salt(salt), event.get()), Some(event))
            }
            (None, None, Some(commitment)) => (commitment, None),
            _ => {
                return Err(malformed(
                    "it has neither event and salt nor a withheld commitment".into(),
                ));
            }
        };
        let chain = link(&self.chain, &commitment);
        if chain != raw.chain {
            return Err(BadTranscript::Chain { line: line_number });
        }
        if self.lines == 0 {
            check_format(event)?;
        }
        let event = event
            .map(|event| serde_json::from_str::<Event>(event.get()))
            .transpose()
            .map_err(|error| malformed(error.to_string()))?;
        self.chain = chain;
        self.lines += 1;
        Ok(event)
    }
}

fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    let (whole, rest) = match text.rfind('\n') {
        Some(end) => (Some(&text[..end]), &text[end + 1..]),
        None => (None, text),
    };
    let last = serde_json::from_str::<&RawValue>(rest).is_ok().then_some(rest);
    whole.into_iter().flat_map(|whole| whole.split('\n')).chain(last)
}

/// Tells a transcript of another version before its unknown fields make a riddle of the error.
fn check_format(event: Option<&RawValue>) -> Result<(), BadTranscript> {
    #[derive(Deserialize)]
    struct Peek {
        line: String,
        format: u32,
    }
    match event.map(|event| serde_json::from_str::<Peek>(event.get())) {
        Some(Ok(peek)) if peek.line == "opened" && peek.format == FORMAT => Ok(()),
        Some(Ok(peek)) if peek.line == "opened" => {
            Err(BadTranscript::Format { found: peek.format })
        }
        _ => Err(BadTranscript::NoHeader),
    }
}
