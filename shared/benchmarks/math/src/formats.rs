//! The authors' result files (specification 3.g), both ways.

use turnwise_core::formats::{
    BadFile, Export, Exporter, Flag, Formats, Given, ImportedRun, Importer, Played, PlayedRun,
    Read, Write,
};
use turnwise_core::kit::records;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};

use crate::results::{Form, dataset_of, export, imported, player_of};
use crate::settings::{Mode, Settings};

pub(super) const FORMATS: Formats = Formats {
    importers: &[Importer {
        name: NAME,
        about: "Math, the authors' result files, of interactive, naive and pass@k runs: writes transcripts that `turnwise metrics` reads, \
                marked as imported, and keeps the file for `turnwise export`",
        recognise: imported::recognise,
        flags: &[Flag::MODEL],
        read: Read::Run(results),
    }],
    exporters: &[Exporter {
        name: NAME,
        about: "Math: a result file as the authors' programs write it, from a run under reference. An imported file comes back byte for \
                byte",
        write: Write::File(write),
    }],
};

const NAME: &str = "math-results";

fn results(given: &Given<'_>) -> Result<ImportedRun, BadFile> {
    let file = given.file;
    let results = imported::read(&file.bytes).map_err(|bad| file.bad(bad))?;
    let model = given.model(results.player.clone().or_else(|| player_of(&file.name())));
    let dataset = dataset_of(&file.name()).unwrap_or_else(|| "imported".to_owned());
    let remarks = results.remarks.iter().map(|remark| format!("{}: {remark}", file.shown));
    Ok(ImportedRun::of(&model, results.transcripts(&dataset, &model), remarks.collect()))
}

fn write(runs: &[PlayedRun]) -> Result<Export, BadFile> {
    let count = |kept: &[u8]| Ok(imported::read(kept)?.records.len());
    records::export(runs, "records", count, |run| {
        let records = recorded(run)?;
        let count = records.len();
        Ok((dumps(&Json::List(records), Layout::Indented).into_bytes(), count))
    })
}

/// The records of a run of ours.
fn recorded(run: &PlayedRun) -> Result<Vec<Json>, BadFile> {
    let spec = run.spec()?;
    let settings = Settings::read(spec).map_err(BadFile::new)?;
    if spec.profile != Profile::Reference {
        return Err(BadFile::new(
            "the format has neither format errors nor undecided verdicts; export a run of profile reference",
        ));
    }
    let form = match (settings.mode, spec.repeats) {
        (Mode::Interactive, 1) => Form::Interactive,
        (Mode::Direct, 1) => Form::Naive,
        (Mode::Direct, _) => Form::PassK,
        (Mode::Interactive, repeats) => {
            return Err(BadFile::new(format!(
                "an interactive file holds one repeat, and the run has {repeats}; run it with --repeats 1"
            )));
        }
        (Mode::GuessOnly, _) => {
            return Err(BadFile::new(
                "the authors have no file for the mode guess_only; export a run of interactive or direct",
            ));
        }
    };
    let mut problems: Vec<(&TaskId, Vec<&Played>)> = Vec::new();
    for played in &run.plays {
        let play = &played.play;
        if !play.outcome().is_some_and(|outcome| outcome.is_complete()) {
            return Err(played.bad("the episode is not finished; resume the run first"));
        }
        let grading = played.grading.as_ref();
        if crate::metrics::measure(play, grading).score.is_none() {
            return Err(
                played.bad("the episode is not graded; resume the run, or grade it again first")
            );
        }
        let id = &play.header.task.id;
        match problems.iter_mut().find(|(other, _)| *other == id) {
            Some((_, plays)) => plays.push(played),
            None => problems.push((id, vec![played])),
        }
    }
    let record = |(_, mut plays): (_, Vec<&Played>)| {
        plays.sort_by_key(|played| played.play.header.repeat);
        let task = run.task(plays[0])?;
        let pairs: Vec<_> =
            plays.iter().map(|played| (&played.play, played.grading.as_ref())).collect();
        export(form, task, &pairs).map_err(|bad| plays[0].bad(bad))
    };
    problems.into_iter().map(record).collect()
}
