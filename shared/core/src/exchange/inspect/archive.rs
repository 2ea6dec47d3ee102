//! The zip around a log. Names inside are only compared, never used as paths; whatever is unpacked has a limit.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rawzip::{
    CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipArchiveWriter, ZipLocator,
};
use ruzstd::decoding::StreamingDecoder;

pub use rawzip::{FileReader, ReaderAt};

/// The most files that a log may have.
const MOST_FILES: usize = 1_000_000;

/// A zip that cannot be read. What it is about is named, its contents never.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadArchive {
    /// It is no zip, or a broken one.
    #[error("this is no zip file, or it is cut off or broken: {0}")]
    NotZip(String),
    /// It has more files than any log.
    #[error("it has more than {MOST_FILES} files")]
    TooMany,
    /// A file is not in it.
    #[error("there is no {0} in it")]
    Missing(String),
    /// A file is packed in a way that is not read here.
    #[error(
        "{file} is packed by method {method}; deflate (8), zstd (93) and stored files (0) are read"
    )]
    Method { file: String, method: u16 },
    /// A file is larger than it may be once it is unpacked.
    #[error("{file} is larger than {limit} bytes when it is unpacked")]
    TooLarge { file: String, limit: u64 },
    /// A file does not unpack.
    #[error("{file} cannot be unpacked: {why}")]
    Broken {
        file: String,
        /// What is wrong with it.
        why: String,
    },
}

/// A zip that is read.
#[derive(Debug)]
pub struct Archive<R> {
    zip: ZipArchive<R>,
    entries: BTreeMap<String, Entry>,
    repeated: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
}

impl<R: ReaderAt> Archive<R> {
    /// Reads the list of files. Of several files with one name the last counts.
    ///
    /// # Errors
    /// If it is no zip.
    pub fn open(reader: R, length: u64) -> Result<Self, BadArchive> {
        let not_zip = |error: rawzip::Error| BadArchive::NotZip(error.to_string());
        let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
        let zip = ZipLocator::new()
            .locate_in_reader(reader, &mut buffer, length)
            .map_err(|(_, error)| not_zip(error))?;
        let mut entries = BTreeMap::new();
        let mut repeated = Vec::new();
        let mut records = zip.entries(&mut buffer);
        let mut count = 0_u64;
        while let Some(record) = records.next_entry().map_err(not_zip)? {
            count += 1;
            if entries.len() >= MOST_FILES {
                return Err(BadArchive::TooMany);
            }
            let path = record.file_path();
            if let Ok(name) = std::str::from_utf8(path.as_ref()) {
                let entry =
                    Entry { place: record.wayfinder(), method: record.compression_method() };
                if entries.insert(name.to_owned(), entry).is_some() {
                    repeated.push(name.to_owned());
                }
            }
        }
        if count != zip.entries_hint() {
            return Err(BadArchive::NotZip(format!(
                "its list of files has {count} entries instead of {}",
                zip.entries_hint()
            )));
        }
        Ok(Archive { zip, entries, repeated })
    }

    /// The names of its files, in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Names that several files have, once for each further one.
    pub fn repeated(&self) -> &[String] {
        &self.repeated
    }

    /// Whether there is a file of that name.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Unpacks a file of at most `limit` bytes; its checksum is checked.
    ///
    /// # Errors
    /// If there is none of that name, or it does not unpack, or it is larger.
    pub fn file(&self, name: &str, limit: u64) -> Result<Vec<u8>, BadArchive> {
        let entry = self.entries.get(name).ok_or_else(|| BadArchive::Missing(name.to_owned()))?;
        let broken = |why: String| BadArchive::Broken { file: name.to_owned(), why };
        let found = self.zip.get_entry(entry.place).map_err(|error| broken(error.to_string()))?;
        let packed = found.reader();
        let unpacked: Box<dyn Read + '_> = match entry.method {
            CompressionMethod::STORE => Box::new(packed),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(packed)),
            CompressionMethod::ZSTD => Box::new(Frames::new(packed)),
            other => {
                return Err(BadArchive::Method { file: name.to_owned(), method: other.as_u16() });
            }
        };
        let mut bytes = Vec::new();
        found
            .verifying_reader(unpacked)
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| broken(error.to_string()))?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
            return Err(BadArchive::TooLarge { file: name.to_owned(), limit });
        }
        Ok(bytes)
    }
}

/// Zstd frames one behind the other, as large samples are packed.
struct Frames<R: Read> {
    state: Frame<R>,
}

enum Frame<R: Read> {
    /// Before a frame, or at the end.
    Between(io::BufReader<R>),
    Within(Box<StreamingDecoder<io::BufReader<R>, ruzstd::decoding::FrameDecoder>>),
    Lost,
}

impl<R: Read> Frames<R> {
    fn new(packed: R) -> Self {
        Frames { state: Frame::Between(io::BufReader::new(packed)) }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, Frame::Lost) {
                Frame::Between(mut packed) => {
                    if io::BufRead::fill_buf(&mut packed)?.is_empty() {
                        self.state = Frame::Between(packed);
                        return Ok(0);
                    }
                    let frame = StreamingDecoder::new(packed)
                        .map_err(|error| io::Error::other(error.to_string()))?;
                    self.state = Frame::Within(Box::new(frame));
                }
                Frame::Within(mut frame) => {
                    let read = frame.read(into)?;
                    if read > 0 || into.is_empty() {
                        self.state = Frame::Within(frame);
                        return Ok(read);
                    }
                    self.state = Frame::Between(frame.into_inner());
                }
                Frame::Lost => return Err(io::Error::other("an earlier frame was broken")),
            }
        }
    }
}

/// A zip that is written, file by file.
#[derive(Debug)]
pub struct Packer<W: Write> {
    zip: ZipArchiveWriter<W>,
}

impl<W: Write> Packer<W> {
    pub fn new(out: W) -> Self {
        Packer { zip: ZipArchiveWriter::new(out) }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (mut entry, config) = self
            .zip
            .new_file(name)
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .map_err(io::Error::other)?;
        let packer = DeflateEncoder::new(&mut entry, Compression::default());
        let mut writer = config.wrap(packer);
        writer.write_all(bytes)?;
        let (packer, sums) = writer.finish().map_err(io::Error::other)?;
        packer.finish()?;
        entry.finish(sums).map_err(io::Error::other)?;
        Ok(())
    }

    /// Writes the list of files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.zip.finish().map_err(io::Error::other)
    }
}
