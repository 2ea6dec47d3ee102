//! Mind-ParaWorld: judged lines as the authors' engines write them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::paraworld::results::{self, written};
use turnwise_shared::benchmarks::paraworld::task::of_task;
use turnwise_shared::benchmarks::paraworld::{ParaWorld, task};
use turnwise_shared::hash::Digest;
use turnwise_shared::json::Json;
use turnwise_shared::prompt::Pack;
use turnwise_shared::python::{Layout, dumps};
use turnwise_shared::task::TaskSet;
use turnwise_shared::transcript::{Origin, Part, Transcript};

use crate::cli::Status;
use crate::cli::files;
use crate::cli::import::paraworld::RESULTS_FILE;
use crate::cli::out::{say, say_err};
use crate::cli::tasks::Tasks;
use crate::cli::trouble::Trouble;

/// Writes lines: those that were imported as they were given, recorded plays as lines of the same form.
///
/// # Errors
/// If a transcript is not sound or of another benchmark, a task is not at hand, or the file cannot be written.
pub fn results(paths: &[PathBuf], out: &Path, tasks: Option<&Path>) -> Result<Status, Trouble> {
    let mut text = String::new();
    let (mut count, mut left) = (0, Vec::new());
    for named in files::find(paths)? {
        let kept = named.folder.join(RESULTS_FILE);
        if kept.is_file() {
            let bytes = std::fs::read(&kept).map_err(at(&kept))?;
            let results = results::read(&bytes).map_err(|error| Trouble::with(&kept, error))?;
            if results.cut {
                say_err!("{}: the last line is cut off and left out", kept.display());
            }
            count += results.rows.len();
            text.push_str(&results.lines());
            continue;
        }
        let around = Around::of(&named.folder, tasks)?;
        let mut plays = Vec::new();
        let mut gradings: HashMap<Digest, Transcript> = HashMap::new();
        for file in named.files {
            let transcript = run_folder::read_transcript(&file)?;
            check(&file, &transcript)?;
            match transcript.header.part.clone() {
                Part::Play => plays.push((file, transcript)),
                // The last by name is the newest.
                Part::Grading { play } => drop(gradings.insert(play, transcript)),
            }
        }
        let mut lines = Vec::new();
        for (file, play) in &plays {
            let core = around.task(file, play)?;
            let world = of_task(core).ok_or_else(|| {
                Trouble::with(
                    file,
                    "its world is sealed here, so its line cannot be written",
                )
            })?;
            let grading = gradings.get(&play.chain);
            match written::line(play, grading, core, &world, &around.pack) {
                Ok(line) => lines.push((world.line, play.header.repeat, line)),
                Err(written::CannotWrite::NotPlayed) => left.push(file.clone()),
                Err(error) => return Err(Trouble::with(file, error)),
            }
        }
        lines.sort_by_key(|(line, repeat, _)| (*repeat, *line));
        count += lines.len();
        for (_, _, line) in lines {
            text.push_str(&dumps(&Json::Object(line), Layout::Line));
            text.push('\n');
        }
    }
    for file in &left {
        say_err!("{}: {}", file.display(), written::CannotWrite::NotPlayed);
    }
    if count == 0 {
        return Err(Trouble::new(
            "there is no finished play in these transcripts",
        ));
    }
    std::fs::write(out, text).map_err(at(out))?;
    say!("{count} lines written to {}", out.display());
    Ok(Status::Done)
}

fn check(file: &Path, transcript: &Transcript) -> Result<(), Trouble> {
    let header = &transcript.header;
    if header.spec.benchmark != ParaWorld.name() {
        return Err(Trouble::with(
            file,
            format!(
                "it is a transcript of {}; only plays of {} have such lines",
                header.spec.benchmark,
                ParaWorld.name()
            ),
        ));
    }
    if header.origin == Origin::Imported {
        return Err(Trouble::with(
            file,
            format!("it was imported, and the file {RESULTS_FILE} that belongs to it is gone"),
        ));
    }
    Ok(())
}

/// What lies around the transcripts of a folder.
struct Around {
    sets: Vec<TaskSet>,
    pack: Pack,
}

impl Around {
    fn of(folder: &Path, tasks: Option<&Path>) -> Result<Self, Trouble> {
        let mut sets = Vec::new();
        if let Some(path) = tasks {
            let bytes = std::fs::read(path).map_err(at(path))?;
            let worlds = task::load(&bytes).map_err(|error| Trouble::with(path, error))?;
            sets.push(worlds.to_task_set("given"));
        }
        if let Some(run) = run_folder::run_file(folder)?
            && let Some(tasks) = Tasks::of_folder(&ParaWorld, folder, &run.tasks, &run.spec)?
        {
            sets.push(tasks.set);
        }
        sets.push(ParaWorld.samples());
        Ok(Around {
            sets,
            pack: run_folder::pack_file(folder)?.unwrap_or_else(|| ParaWorld.pack()),
        })
    }

    fn task(
        &self,
        file: &Path,
        play: &Transcript,
    ) -> Result<&turnwise_shared::task::Task, Trouble> {
        let wanted = &play.header.task;
        let mut found = self.sets.iter().filter_map(|set| set.task(&wanted.id));
        found
            .find(|task| task.digest == wanted.digest)
            .ok_or_else(|| {
                Trouble::with(
                    file,
                    format!(
                        "its task {} is not at hand; name its file with --tasks",
                        wanted.id
                    ),
                )
            })
    }
}
