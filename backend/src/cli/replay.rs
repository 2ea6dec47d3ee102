//! `turnwise replay`: plays transcripts again, without any call, and compares every line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use turnwise_backend::run_folder;
use turnwise_shared::prelude::*;
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::session::Session;
use turnwise_shared::transcript::SaltKey;

use super::files::{self, Named};
use super::out::{say, say_err};
use super::tasks::Tasks;

use super::{Status, prompts};

/// Play transcripts again and compare every line
///
/// Tasks and prompt pack are looked for beside the transcript (run.json, tasks.dat, pack.json), then in the program, then
/// in --tasks and --pack. A grading also needs the transcript of its episode, in the same folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 every line is as recorded; 1 a line differs, the hash chain is broken or a transcript is unfinished (the \
first such line is named); 2 a transcript cannot be replayed: it was imported, or what it needs is not at hand. With \
several files 1 goes before 2, and 2 before 0.")]
pub struct Arguments {
    /// Transcripts, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The task file, if it does not lie beside the transcript
    #[arg(long, value_name = "PATH")]
    tasks: Option<PathBuf>,

    /// The prompt pack, if it does not lie beside the transcript
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
}

/// What a replay found.
#[derive(Debug)]
enum Verdict {
    /// Every line is as recorded.
    Same { lines: usize, ending: String },
    /// It is not, or it is no sound transcript.
    Wrong(String),
    /// It cannot be replayed here.
    NotReplayable(String),
}

/// Replays.
///
/// # Errors
/// If a file cannot be read at all, or `--tasks` or `--pack` is not what it should be.
pub fn replay(arguments: &Arguments) -> Result<Status> {
    let mut worst = Status::Done;
    for Named { folder, files, .. } in files::find(&arguments.files)? {
        let mut around = Surroundings::new(&folder, arguments)?;
        for file in files {
            let name = file.display();
            match around.replay(&file) {
                Verdict::Same { lines, ending } => {
                    say!("{name}: same, {lines} lines, {ending}");
                }
                Verdict::Wrong(why) => {
                    say!("{name}: WRONG");
                    say_err!("{why}");
                    worst = Status::Failed;
                }
                Verdict::NotReplayable(why) => {
                    say!("{name}: not replayable");
                    say_err!("{name}: {why}");
                    if worst == Status::Done {
                        worst = Status::NotReplayable;
                    }
                }
            }
        }
    }
    Ok(worst)
}

/// What lies around the transcripts of one folder.
struct Surroundings<'a> {
    folder: PathBuf,
    arguments: &'a Arguments,
    /// The task set of the folder, once a benchmark has read it.
    tasks: Vec<TaskSet>,
    packs: Vec<Pack>,
    /// Benchmarks whose sources of tasks and packs are in the lists already.
    known: Vec<&'static str>,
    /// How the episodes of this folder ended, by their chain.
    plays: Option<BTreeMap<Digest, Option<Outcome>>>,
}

impl<'a> Surroundings<'a> {
    fn new(folder: &Path, arguments: &'a Arguments) -> Result<Self> {
        let mut packs = Vec::new();
        if let Some(path) = &arguments.pack {
            packs.push(prompts::read_pack(path)?);
        }
        packs.extend(run_folder::pack_file(folder)?);
        Ok(Surroundings {
            folder: folder.to_owned(),
            arguments,
            tasks: Vec::new(),
            packs,
            known: Vec::new(),
            plays: None,
        })
    }

    fn replay(&mut self, file: &Path) -> Verdict {
        let transcript = match run_folder::read_transcript(file) {
            Ok(transcript) => transcript,
            Err(error) => return Verdict::Wrong(error.to_string()),
        };
        match self.session(&transcript) {
            Ok(session) => compare(file, &transcript, session),
            Err(why) => Verdict::NotReplayable(why),
        }
    }

    /// The session that the transcript recorded, at its beginning.
    fn session(&mut self, transcript: &Transcript) -> Result<Session, String> {
        let header = &transcript.header;
        if header.origin == Origin::Imported {
            return Err("it was imported from another system, so nothing can be replayed".into());
        }
        let withheld = transcript.events.iter().filter(|event| event.is_none()).count();
        if withheld > 0 {
            return Err(format!("{withheld} of its lines are withheld, and a replay needs them"));
        }
        let spec = &header.spec;
        let benchmark = registry::find(&spec.benchmark).map_err(|error| error.to_string())?;
        if spec.protocol != benchmark.protocol() {
            return Err(format!(
                "it was played under protocol {} of {}, and this program has protocol {}",
                spec.protocol,
                spec.benchmark,
                benchmark.protocol()
            ));
        }
        self.learn(benchmark).map_err(|error| error.to_string())?;
        let outcome = match &header.part {
            Part::Play => None,
            Part::Grading { play } => Some(self.play(play)?),
        };
        self.plan(benchmark, spec)?;
        let task = self.task(benchmark, header)?;
        let task = task.as_ref();
        let pack = self.pack(header)?;
        let episode = match outcome {
            None => benchmark.open(spec, task, pack),
            Some(outcome) => match benchmark.grade(spec, task, pack, &outcome) {
                Ok(Some(episode)) => Ok(episode),
                Ok(None) => {
                    return Err("its episode needs no grading under this spec".into());
                }
                Err(error) => Err(error),
            },
        };
        let episode = episode.map_err(|error| format!("it cannot be opened: {error}"))?;
        Ok(Session::open(header.clone(), episode, SaltKey::open(header)))
    }

    /// Reads the sources of tasks and packs that only a benchmark can read.
    fn learn(&mut self, benchmark: &'static dyn Benchmark) -> Result<()> {
        if self.known.contains(&benchmark.name()) {
            return Ok(());
        }
        if let Some(path) = &self.arguments.tasks {
            self.tasks.push(Tasks::load(benchmark, Some(path))?.set);
        }
        if let Some(run) = run_folder::run_file(&self.folder)?
            && run.spec.benchmark == benchmark.name()
            && let Some(tasks) = Tasks::of_folder(benchmark, &self.folder, &run.tasks, &run.spec)?
        {
            self.tasks.push(tasks.set);
        }
        if benchmark.task_source() == TaskSource::File {
            self.tasks.push(benchmark.samples());
        }
        self.packs.push(benchmark.pack());
        self.known.push(benchmark.name());
        Ok(())
    }

    /// Makes the tasks of a spec where they follow from it, unless they are at hand.
    fn plan(&mut self, benchmark: &dyn Benchmark, spec: &Spec) -> Result<(), String> {
        let is_at_hand = |set: &TaskSet| set.digest == spec.tasks.digest;
        if benchmark.task_source() == TaskSource::Spec && !self.tasks.iter().any(is_at_hand) {
            let planned = benchmark
                .plan(spec)
                .map_err(|error| format!("its tasks cannot be made: {error}"))?;
            self.tasks.push(planned);
        }
        Ok(())
    }

    fn task(&self, benchmark: &dyn Benchmark, header: &Header) -> Result<Cow<'_, Task>, String> {
        self.tasks
            .iter()
            .filter_map(|set| sweep::task(benchmark, &header.spec, set, &header.task.id))
            .find(|task| task.digest == header.task.digest)
            .ok_or_else(|| {
                let wanted = &header.spec.tasks;
                format!(
                    "its task {} of {} (task digest {}) is not at hand; give the task file with --tasks PATH",
                    header.task.id,
                    wanted.name,
                    header.task.digest.short()
                )
            })
    }

    fn pack(&self, header: &Header) -> Result<&Pack, String> {
        let wanted = &header.spec.pack;
        self.packs.iter().find(|pack| pack.digest() == wanted.digest).ok_or_else(|| {
            format!(
                "its prompt pack {} (digest {}) is not at hand; give it with --pack FILE",
                wanted.name,
                wanted.digest.short()
            )
        })
    }

    /// How the play with this final chain value ended.
    fn play(&mut self, chain: &Digest) -> Result<Outcome, String> {
        let plays = match &mut self.plays {
            Some(plays) => plays,
            none => {
                let files = run_folder::transcript_files(&self.folder)
                    .map_err(|error| error.to_string())?;
                // A broken play is reported when its own turn comes; here it is as good as absent.
                let sound = files
                    .iter()
                    .filter_map(|file| run_folder::read_transcript(file).ok())
                    .filter(|transcript| transcript.header.part == Part::Play)
                    .map(|transcript| (transcript.chain, transcript.outcome().cloned()));
                none.insert(sound.collect())
            }
        };
        match plays.get(chain) {
            Some(Some(outcome)) => Ok(outcome.clone()),
            Some(None) => Err("the episode that it grades is unfinished".into()),
            None => Err(format!(
                "the transcript of its episode (chain {}) is not in this folder",
                chain.short()
            )),
        }
    }
}

fn compare(file: &Path, transcript: &Transcript, mut session: Session) -> Verdict {
    let mut replay = Replay::new(transcript);
    let lines = transcript.events.len();
    let name = file.display();
    match (replay.run(&mut session), session.outcome()) {
        (Err(drift), _) => Verdict::Wrong(format!("{name}: {drift}")),
        (Ok(Extent::Whole), Some(outcome)) => {
            Verdict::Same { lines, ending: outcome.ending.clone() }
        }
        (Ok(_), _) => Verdict::Wrong(format!(
            "{name}: line {lines}: the transcript ends here, and the episode does not; turnwise run --resume takes it up"
        )),
    }
}
