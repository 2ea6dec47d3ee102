//! Files of other systems that a benchmark reads and writes, as `turnwise import` and `turnwise export` offer them.
//!
//! A format is data and pure functions: bytes in, transcripts, tasks or texts out. The caller opens and writes the files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::hash::Digest;
use crate::key::{EpisodeKey, PartKey};
use crate::lenient;
use crate::prompt::Pack;
use crate::spec::Spec;
use crate::task::{Point, Task, TaskId, TaskSet};
use crate::transcript::{
    Event, FORMAT, Header, Origin, Part, SaltKey, TaskRef, Transcript, Writer,
};

/// The file in the folder of an imported run that holds what was imported, byte for byte. Exports are made from it.
pub const KEPT_FILE: &str = "results.dat";

/// The formats of a benchmark. A name is that of one format over all benchmarks.
#[derive(Debug, Clone, Copy)]
pub struct Formats {
    pub importers: &'static [Importer],
    pub exporters: &'static [Exporter],
}

impl Formats {
    pub const NONE: Formats = Formats { importers: &[], exporters: &[] };
}

/// A format that is read.
#[derive(Debug, Clone, Copy)]
pub struct Importer {
    /// The value of `--format`, e.g. `mpw-results`.
    pub name: &'static str,
    /// What is read and what becomes of it.
    pub about: &'static str,
    /// Whether bytes look like a file of this format. It decides nothing where the format is named.
    pub recognise: fn(&[u8]) -> bool,
    /// What can be said beside the file.
    pub flags: &'static [Flag],
    pub read: Read,
}

/// How a format is read, by what becomes of it.
#[derive(Debug, Clone, Copy)]
pub enum Read {
    /// One file of tasks, written back as one that the benchmark reads.
    Tasks(fn(&Given<'_>) -> Result<TaskFile, BadFile>),
    /// One file of results, written as transcripts.
    Run(fn(&Given<'_>) -> Result<ImportedRun, BadFile>),
    /// Several logs, summed up; nothing is written.
    Sums(fn(&[File]) -> Result<Sums, BadFile>),
}

/// A value that is given beside a file, e.g. `--model NAME`. Flags of one name mean the same in every format.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    pub name: &'static str,
    /// What the value is called, e.g. `NAME`.
    pub value: &'static str,
    pub about: &'static str,
    /// Whether the value names a file, whose bytes are handed over.
    pub is_file: bool,
    /// Says what is wrong with a value.
    pub check: fn(&str) -> Result<(), String>,
}

impl Flag {
    pub const TASKS: Flag = Flag {
        name: "tasks",
        value: "FILE",
        about: "Results: the task file, from which ids, domains and languages are taken by the question's text",
        is_file: true,
        check: |_| Ok(()),
    };

    pub const MODEL: Flag = Flag {
        name: "model",
        value: "NAME",
        about: "Results: the player's model. Default: what the file says, else the name of the folder in which it lies, as the reference code \
                names it",
        is_file: false,
        check: |_| Ok(()),
    };

    /// Whether a text reads as a `T`.
    ///
    /// # Errors
    /// Why not.
    pub fn reads<T: std::str::FromStr<Err: fmt::Display>>(text: &str) -> Result<(), String> {
        text.parse::<T>().map(|_| ()).map_err(|error| error.to_string())
    }
}

/// A file as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// What it is called in messages.
    pub shown: String,
    /// Where it lies; some formats tell more by the names of folders.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

impl File {
    /// The name without its folders.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The name of the folder in which it lies.
    pub fn folder(&self) -> String {
        let folder = self.path.parent().and_then(Path::file_name);
        folder.map_or_else(|| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Its text, without a byte order mark.
    ///
    /// # Errors
    /// If it is neither UTF-8 nor UTF-16.
    pub fn text(&self) -> Result<Cow<'_, str>, BadFile> {
        lenient::file_text(&self.bytes).map_err(|problem| self.bad(problem))
    }

    /// What is wrong with it.
    pub fn bad(&self, problem: impl fmt::Display) -> BadFile {
        BadFile { file: Some(self.shown.clone()), problem: problem.to_string() }
    }
}

/// One file and what was said beside it.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    pub file: &'a File,
    /// Values of flags that are no files.
    pub values: BTreeMap<&'static str, String>,
    pub files: BTreeMap<&'static str, File>,
    /// What the place is called in messages to which is written.
    pub out: &'a str,
}

impl Given<'_> {
    /// The value of a flag.
    ///
    /// # Errors
    /// If it does not read, which its [`Flag::check`] has excluded.
    pub fn value<T: std::str::FromStr<Err: fmt::Display>>(
        &self,
        flag: &str,
    ) -> Result<Option<T>, BadFile> {
        let value = self.values.get(flag).map(|value| value.parse::<T>());
        value
            .transpose()
            .map_err(|error| BadFile { file: None, problem: format!("--{flag}: {error}") })
    }

    /// The player's model: what its flag says, else what the file tells, else the name of the file's folder.
    pub fn model(&self, told: Option<String>) -> String {
        let named = self.values.get(Flag::MODEL.name).cloned();
        named.or(told).unwrap_or_else(|| self.file.folder())
    }
}

/// What cannot be imported or exported, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadFile {
    /// The file, unless the problem names it.
    pub file: Option<String>,
    pub problem: String,
}

impl BadFile {
    /// A problem that is not one of a single file, or that names it.
    pub fn new(problem: impl fmt::Display) -> Self {
        BadFile { file: None, problem: problem.to_string() }
    }
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for BadFile {}

/// A task file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFile {
    pub bytes: Vec<u8>,
    /// What it holds, e.g. `30 tasks`.
    pub said: String,
    /// What else there is to say.
    pub remarks: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRun {
    pub episodes: Vec<ImportedEpisode>,
    /// What it holds, e.g. `210 episodes of a-model`.
    pub said: String,
    /// What else there is to say.
    pub remarks: Vec<String>,
    /// Whether the file itself is kept ([`KEPT_FILE`]) and goes out again as it came.
    pub is_kept: bool,
}

impl ImportedRun {
    /// A run of a model whose file is kept.
    pub fn of(model: &str, episodes: Vec<ImportedEpisode>, remarks: Vec<String>) -> Self {
        let plays = episodes.iter().filter(|episode| episode.key.part() == PartKey::Play);
        let said = format!("{} episodes of {model}", plays.count());
        ImportedRun { episodes, said, remarks, is_kept: true }
    }
}

/// A transcript of origin `imported`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedEpisode {
    pub key: EpisodeKey,
    /// Each without its line break.
    pub lines: Vec<String>,
}

impl ImportedEpisode {
    /// An episode, and its grading where there was one. They have no calls, because files of results keep none.
    pub fn play(
        spec: &Spec,
        task: TaskRef,
        repeat: u32,
        play: impl IntoIterator<Item = Event>,
        grading: Option<Vec<Event>>,
    ) -> Vec<Self> {
        let header = Header {
            format: FORMAT,
            spec: spec.clone(),
            task,
            repeat,
            part: Part::Play,
            origin: Origin::Imported,
            branch: None,
        };
        let key = EpisodeKey::play(&header.task.id, repeat);
        let (lines, chain) = written(&header, play);
        let mut episodes = Vec::new();
        if let Some(events) = grading {
            let header = Header { part: Part::Grading { play: chain }, ..header };
            let key = key.grading();
            let (lines, _) = written(&header, events);
            episodes.push(ImportedEpisode { key, lines });
        }
        episodes.push(ImportedEpisode { key, lines });
        episodes
    }
}

/// The lines of a transcript and its final chain value.
fn written(header: &Header, events: impl IntoIterator<Item = Event>) -> (Vec<String>, Digest) {
    let mut writer = Writer::new(SaltKey::open(header));
    let mut lines = vec![writer.line(&Event::Opened(Box::new(header.clone())))];
    lines.extend(events.into_iter().map(|event| writer.line(&event)));
    (lines, writer.chain())
}

/// Logs that were summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sums {
    pub json: String,
    pub text: String,
}

/// A format that is written.
#[derive(Debug, Clone, Copy)]
pub struct Exporter {
    /// The value of `--format`, e.g. `phh`.
    pub name: &'static str,
    pub about: &'static str,
    pub write: Write,
}

/// How a format is written.
#[derive(Debug, Clone, Copy)]
pub enum Write {
    /// Into one file, from whole runs with their tasks and prompt packs.
    File(fn(&[PlayedRun]) -> Result<Export, BadFile>),
    /// Into files of a folder, from one episode after the other: only that one is in memory.
    Folder {
        /// What one file holds, in the plural, e.g. `hands`.
        what: &'static str,
        /// The files of an episode, by name.
        files: fn(&Transcript) -> Vec<(String, String)>,
    },
}

/// Transcripts of one folder, all of the exporter's benchmark.
#[derive(Debug, Clone)]
pub struct PlayedRun {
    /// What the folder is called in messages.
    pub folder: String,
    /// The file that was imported; then there are no plays here, because it goes out as it came.
    pub kept: Option<File>,
    pub plays: Vec<Played>,
    /// Where its tasks may be found.
    pub tasks: Vec<TaskSet>,
    pub pack: Option<Pack>,
}

/// An episode and the newest grading of it.
#[derive(Debug, Clone)]
pub struct Played {
    /// What its file is called in messages.
    pub file: String,
    pub play: Transcript,
    pub grading: Option<Transcript>,
}

impl Played {
    /// Why it cannot be written.
    pub fn bad(&self, problem: impl fmt::Display) -> BadFile {
        BadFile { file: Some(self.file.clone()), problem: problem.to_string() }
    }
}

impl PlayedRun {
    /// The task of an episode.
    ///
    /// # Errors
    /// If none of the sets has it.
    pub fn task(&self, played: &Played) -> Result<&Task, BadFile> {
        let wanted = &played.play.header.task;
        let mut found = self.tasks.iter().filter_map(|set| set.task(&wanted.id));
        found.find(|task| task.digest == wanted.digest).ok_or_else(|| {
            let id = &wanted.id;
            played.bad(format!("its task {id} is not at hand; name its file with --tasks"))
        })
    }

    /// The run at each of these values of its sweep, as a run that plays at that value alone: formats of other systems know no
    /// sweeps. Episodes at none of them are left out.
    pub fn at_values(&self, points: &[Point]) -> Vec<PlayedRun> {
        let at = |point: &Point| {
            let placed = |played: &Played| {
                let mut played = played.clone();
                let original = point.original(&played.play.header.task.id)?.to_owned();
                let transcripts = [Some(&mut played.play), played.grading.as_mut()];
                for header in transcripts.into_iter().flatten().map(|one| &mut one.header) {
                    header.spec.settings[point.setting] = point.value.into();
                    header.task.id = TaskId(original.clone());
                    header.task.labels.remove(point.setting);
                }
                Some(played)
            };
            PlayedRun { plays: self.plays.iter().filter_map(placed).collect(), ..self.clone() }
        };
        points.iter().map(at).collect()
    }

    /// The spec of its episodes.
    ///
    /// # Errors
    /// If there is no episode, or they have several.
    pub fn spec(&self) -> Result<&Spec, BadFile> {
        let mut plays = self.plays.iter();
        let first = plays.next().ok_or_else(|| BadFile {
            file: Some(self.folder.clone()),
            problem: "there is no episode in it".to_owned(),
        })?;
        let spec = &first.play.header.spec;
        match plays.find(|played| played.play.header.spec != *spec) {
            Some(other) => Err(other
                .bad("its spec differs from that of the episodes before it; a run has one spec")),
            None => Ok(spec),
        }
    }

    /// The one run of a format that writes one file a run.
    ///
    /// # Errors
    /// If several were named.
    pub fn only(runs: &[PlayedRun]) -> Result<&PlayedRun, BadFile> {
        match runs {
            [run] => Ok(run),
            _ => Err(BadFile::new(format!(
                "this format writes one run; {} folders were named",
                runs.len()
            ))),
        }
    }
}

/// A file that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub bytes: Vec<u8>,
    /// What it holds, e.g. `12 records`.
    pub said: String,
    /// What else there is to say.
    pub remarks: Vec<String>,
}
