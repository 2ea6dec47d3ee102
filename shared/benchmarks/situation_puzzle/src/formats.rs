//! The authors' result files (specification 1.g), both ways.

use turnwise_core::formats::{
    BadFile, Export, Exporter, Formats, Given, ImportedRun, Importer, PlayedRun, Read, Write,
};
use turnwise_core::kit::records;
use turnwise_core::prelude::*;

use crate::results;

pub(super) const FORMATS: Formats = Formats {
    importers: &[Importer {
        name: NAME,
        about: "Situation Puzzle, a result file of the authors' program (PLAYER__JUDGE.json): writes transcripts that `turnwise metrics` \
                reads, marked as imported, and keeps the file for `turnwise export`",
        recognise: |bytes| results::read(bytes).is_ok(),
        flags: &[],
        read: Read::Run(read),
    }],
    exporters: &[Exporter {
        name: NAME,
        about: "Situation Puzzle: a result file as the authors' program writes it, from a run under reference; of a sweep one file for \
                each number of turns. An imported file comes back byte for byte",
        write: Write::File(write),
    }],
};

const NAME: &str = "puzzle-results";

fn read(given: &Given<'_>) -> Result<ImportedRun, BadFile> {
    let file = given.file;
    let results = results::read(&file.bytes).map_err(|bad| file.bad(bad))?;
    if results.results.is_empty() {
        return Err(file.bad("there is no puzzle in it"));
    }
    Ok(ImportedRun::of(&results.player_model, results.transcripts(), Vec::new()))
}

fn write(runs: &[PlayedRun]) -> Result<Export, BadFile> {
    let count = |kept: &[u8]| Ok(results::read(kept)?.results.len());
    records::export(runs, "puzzles", count, |run| {
        let spec = run.spec()?;
        let mut tasks: Vec<Task> = Vec::new();
        for played in &run.plays {
            let task = run.task(played)?;
            if !tasks.iter().any(|other| other.id == task.id) {
                tasks.push(task.clone());
            }
        }
        let tasks = TaskSet::new(&spec.tasks.name, tasks, TaskSetOrigin::Plain);
        let plays: Vec<&Transcript> = run.plays.iter().map(|played| &played.play).collect();
        let file = results::export(spec, &tasks, &plays)?;
        let text = serde_json::to_vec_pretty(&file).map_err(BadFile::new)?;
        Ok((text, file.results.len()))
    })
}
