//! Reading a log: header and summaries first, samples one by one and only when they are wanted.
//!
//! Fields that are not needed are passed over, so that older and newer logs are read alike. What is needed is read in whatever form
//! programs write it; a count that cannot be one is unknown, and what it belongs to stays.

mod shapes;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::archive::{Archive, BadArchive, Packer, ReaderAt};
use super::attachments::{self, TooLong};
use super::{HEADER, JOURNAL, SAMPLES, START, SUMMARIES};
use crate::lenient::{self, typed};
pub use shapes::*;

/// The most bytes of one sample, unpacked: the largest run that is kept here (ARCHITECTURE.md, rule 10).
pub const LARGEST_SAMPLE: u64 = 512_000_000;

/// The most bytes of the header, unpacked.
const LARGEST_HEADER: u64 = 64_000_000;

/// The most bytes of the summaries, unpacked.
const LARGEST_SUMMARIES: u64 = 512_000_000;

/// A log that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLog {
    /// The zip is not in order.
    #[error(transparent)]
    Archive(#[from] BadArchive),
    /// A file in it is not what it should be.
    #[error("{file} is not as in a log of Inspect: {why}")]
    Malformed {
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is of an unknown version.
    #[error("it is a log of version {0}; this program reads versions 1 and 2")]
    Version(u32),
    /// It is a zip, and no log.
    #[error("there is neither {HEADER} nor {START} in it, so it is no log of Inspect")]
    NoLog,
}

#[derive(Debug)]
pub struct Log<R> {
    archive: Archive<R>,
    pub header: Header,
}

impl<R: ReaderAt> Log<R> {
    /// Opens a log and reads its header; of one that is still written, or was left so, what its beginning tells.
    ///
    /// # Errors
    /// If it is no log.
    pub fn open(reader: R, length: u64) -> Result<Self, BadLog> {
        let archive = Archive::open(reader, length)?;
        let header = if archive.has(HEADER) {
            parse(&archive, HEADER, LARGEST_HEADER)?
        } else if archive.has(START) {
            let start: Header = parse(&archive, START, LARGEST_HEADER)?;
            Header { status: "started".to_owned(), ..start }
        } else {
            return Err(BadLog::NoLog);
        };
        match header.version {
            0..=2 => Ok(Log { archive, header }),
            other => Err(BadLog::Version(other)),
        }
    }

    /// Every sample in a few fields, without reading one.
    ///
    /// # Errors
    /// If the summaries are not in order.
    pub fn summaries(&self) -> Result<Vec<SampleSummary>, BadLog> {
        if self.archive.has(SUMMARIES) {
            return parse(&self.archive, SUMMARIES, LARGEST_SUMMARIES);
        }
        let mut summaries = Vec::new();
        for name in self.archive.names().filter(|name| name.starts_with(JOURNAL)) {
            let some: Vec<SampleSummary> = parse(&self.archive, name, LARGEST_SUMMARIES)?;
            summaries.extend(some);
        }
        Ok(summaries)
    }

    /// The names of the samples' files.
    pub fn samples(&self) -> Vec<String> {
        let is_sample = |name: &&str| name.starts_with(SAMPLES) && name.ends_with(".json");
        self.archive.names().filter(is_sample).map(str::to_owned).collect()
    }

    /// One sample, by the name of its file.
    ///
    /// # Errors
    /// If it is not there, not in order, or larger than [`LARGEST_SAMPLE`].
    pub fn sample(&self, name: &str) -> Result<Sample, BadLog> {
        let mut value = value(&self.archive, name, LARGEST_SAMPLE)?;
        let missing = attachments::put_back(&mut value, LARGEST_SAMPLE).map_err(|TooLong| {
            BadLog::Archive(BadArchive::TooLarge { file: name.to_owned(), limit: LARGEST_SAMPLE })
        })?;
        // Of a list serde would take the members one by one.
        if !value.is_object() {
            return Err(malformed(name, "an object is wanted".to_owned()));
        }
        let sample: Sample = typed(value).map_err(|why| malformed(name, why))?;
        if !(sample.id.is_string() || sample.id.is_number()) {
            let why = format!("id: a text or a number is wanted, not {}", sample.id);
            return Err(malformed(name, why));
        }
        Ok(Sample { missing, ..sample })
    }

    /// Where parts of the log contradict each other, in sentences.
    ///
    /// # Errors
    /// If the summaries are not in order.
    pub fn contradictions(&self) -> Result<Vec<String>, BadLog> {
        let there = self.samples().len();
        let mut found = Vec::new();
        let total = self.header.results.as_ref();
        let total = total.and_then(|results| results.total_samples);
        if let Some(total) = total.filter(|total| usize::try_from(*total) != Ok(there)) {
            found.push(format!("the header counts {total} samples, and {there} are in the log"));
        }
        let summaries = self.summaries()?;
        if summaries.len() != there && !summaries.is_empty() {
            found.push(format!(
                "{} samples are summed up, and {there} are in the log",
                summaries.len()
            ));
        }
        let last = summaries.iter().map(|summary| summary.epoch).max();
        if let (Some(epochs), Some(last)) = (self.header.eval.config.epochs, last)
            && last > epochs
        {
            found
                .push(format!("the header counts {epochs} repeats, and a sample is repeat {last}"));
        }
        for name in self.archive.repeated() {
            if name.starts_with(SAMPLES) {
                found.push(format!("{name} is in the log more than once; the last one counts"));
            }
        }
        Ok(found)
    }
}

fn malformed(file: &str, why: String) -> BadLog {
    BadLog::Malformed { file: file.to_owned(), why }
}

fn parse<R: ReaderAt, T: DeserializeOwned>(
    archive: &Archive<R>,
    name: &str,
    limit: u64,
) -> Result<T, BadLog> {
    typed(value(archive, name, limit)?).map_err(|why| malformed(name, why))
}

fn value<R: ReaderAt>(archive: &Archive<R>, name: &str, limit: u64) -> Result<Value, BadLog> {
    value_of(name, &archive.file(name, limit)?)
}

/// A log as an archive: one that is a single JSON file, as Inspect writes it on demand, is packed; an archive stays as it is.
///
/// # Errors
/// If it is JSON, and no log.
pub fn archived(bytes: Vec<u8>) -> Result<Vec<u8>, BadLog> {
    const WHOLE: &str = "the JSON file";
    let start = lenient::unmarked(&bytes).unwrap_or_default();
    if !start.trim_ascii_start().starts_with(b"{") {
        return Ok(bytes);
    }
    let mut whole = value_of(WHOLE, &start)?;
    if !whole["eval"].is_object() {
        return Err(BadLog::NoLog);
    }
    let samples = whole["samples"].take();
    let mut packer = Packer::new(Vec::new());
    let mut add = |name: &str, value: &Value| {
        let packed = packer.add(name, value.to_string().as_bytes());
        packed.map_err(|error| malformed(WHOLE, error.to_string()))
    };
    add(HEADER, &whole)?;
    for (at, sample) in samples.as_array().into_iter().flatten().enumerate() {
        add(&format!("{SAMPLES}{at}.json"), sample)?;
    }
    packer.finish().map_err(|error| malformed(WHOLE, error.to_string()))
}

fn value_of(name: &str, bytes: &[u8]) -> Result<Value, BadLog> {
    lenient::json(bytes).map_err(|why| malformed(name, why))
}
