//! `--profile` where replies must be read anew: the recorded replies under the other profile's parser (ARCHITECTURE.md, rule 6).

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;
use turnwise_backend::run_folder;
use turnwise_shared::prelude::*;
use turnwise_shared::reread::{Fate, Recorded, Reread, Tally, reread};

use crate::cli::tasks::Tasks;
use crate::cli::trouble::with_path;

/// What reading needs besides the transcripts.
pub(super) struct Surroundings {
    tasks: TaskSet,
    pack: Pack,
}

impl Surroundings {
    /// From the run's folder, else from the file that was named, else from the program.
    pub(super) fn find(
        benchmark: &dyn Benchmark,
        spec: &Spec,
        folder: &Path,
        named: Option<&PathBuf>,
    ) -> Result<Self> {
        let of_folder = match run_folder::run_file(folder)? {
            Some(run) => Tasks::of_folder(benchmark, folder, &run.tasks, spec)?,
            None => None,
        };
        let tasks = match (named, of_folder) {
            (Some(path), _) => Tasks::load(benchmark, Some(path))?,
            (None, Some(tasks)) => tasks,
            (None, None) => Tasks::load(benchmark, None)?,
        };
        let pack = run_folder::pack_file(folder)?.unwrap_or_else(|| benchmark.pack());
        if pack.digest() != spec.pack.digest {
            return Err(with_path(
                folder,
                format!("the prompt pack {} is not at hand", spec.pack.name),
            ));
        }
        Ok(Surroundings { tasks: tasks.set, pack })
    }
}

/// All episodes of a run, read again.
#[derive(Default)]
pub(super) struct Again {
    tally: Tally,
    /// Plays that are not the same, by name and repeat.
    listed: Vec<serde_json::Value>,
    /// Plays that could not be read again, and why the first could not.
    left_out: (u32, Option<String>),
}

impl Again {
    /// Reads an episode again. Its summary takes the place of the recorded one; `None` where it cannot be read again.
    pub(super) fn read(
        &mut self,
        benchmark: &dyn Benchmark,
        around: &Surroundings,
        recorded: Recorded<'_>,
        before: &Summary,
        profile: Profile,
    ) -> Option<Summary> {
        let header = &recorded.play.header;
        let task = sweep::task(benchmark, &header.spec, &around.tasks, &header.task.id)
            .filter(|task| task.digest == header.task.digest);
        let result = match task {
            Some(task) => reread(benchmark, recorded, &task, &around.pack, profile)
                .map_err(|why| why.to_string()),
            None => Err(format!("the task {} is not at hand; give --tasks", header.task.id)),
        };
        match result {
            Ok(reread) => {
                self.tally.add(before.score, &reread);
                if reread.fate != Fate::Same {
                    self.listed.push(listed(recorded.play, before, &reread));
                }
                let mut summary = reread.summary;
                summary.repeat = before.repeat;
                Some(summary)
            }
            Err(why) => {
                self.left_out.0 += 1;
                self.left_out.1.get_or_insert(why);
                None
            }
        }
    }

    /// Says in a report that its numbers are those of replies that were read again. Such a run is never ranked.
    pub(super) fn mark(&self, report: &mut Report, played_in: Profile, profile: Profile) {
        let tally = &self.tally;
        let bounds = tally.bounds();
        report.record["rankable"] = json!(false);
        report.record["played_in"] = json!(played_in);
        report.record["reread"] = json!({
            "profile": profile,
            "n": tally.n,
            "same": tally.same,
            "otherwise": tally.otherwise,
            "parted": tally.parted,
            "changed_score": tally.changed,
            "left_out": self.left_out.0,
            "recorded": tally.recorded(),
            "bounds": bounds,
            "episodes": self.listed,
        });
        let percent = |share: f64| 100.0 * share;
        let mut remark = format!(
            "Played in {} and read again in {}: {} of {} episodes are read alike, {} otherwise, {} part where the other profile \
             would have gone on in another way. Not comparable with runs that were played in {}.",
            played_in.name(),
            profile.name(),
            tally.same,
            tally.n,
            tally.otherwise,
            tally.parted,
            profile.name()
        );
        if let (Some((low, high)), Some(recorded)) = (bounds, tally.recorded()) {
            remark.push_str(&format!(
                " The mean score lies between {:.1} % and {:.1} %; recorded: {:.1} %.",
                percent(low),
                percent(high),
                percent(recorded)
            ));
        }
        report.remarks.insert(0, remark);
        if let (count, Some(why)) = &self.left_out {
            report.remarks.push(format!(
                "{count} episodes could not be read again and are left out. The first: {why}."
            ));
        }
    }
}

fn listed(play: &Transcript, before: &Summary, reread: &Reread) -> serde_json::Value {
    let difference = reread.difference.as_ref();
    json!({
        "task": play.header.task.id,
        "repeat": before.repeat,
        "fate": match reread.fate {
            Fate::Same => "same",
            Fate::Otherwise => "otherwise",
            Fate::Parted => "parted",
        },
        "turn": difference.and_then(|found| found.turn),
        "recorded": difference.map(|found| &found.recorded),
        "other": difference.map(|found| &found.other),
        "score": before.score,
        "score_other": reread.summary.score,
    })
}
