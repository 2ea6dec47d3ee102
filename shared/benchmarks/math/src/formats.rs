//! The authors' result files (specification 3.g), both ways.

use std::collections::BTreeMap;

use turnwise_core::formats::{
    BadFile, Export, Exporter, Flag, Formats, Given, ImportedRun, Importer, Played, PlayedRun,
    Read, Write,
};
use turnwise_core::json::Json;
use turnwise_core::python::{Layout, dumps};
use turnwise_core::spec::Profile;
use turnwise_core::task::TaskId;

use crate::results::{Form, Results, dataset_of, export, imported, player_of};
use crate::settings::{Mode, Settings};

pub(super) const FORMATS: Formats = Formats {
    importers: &[Importer {
        name: NAME,
        about: "Math, the authors' result files, of interactive, naive and pass@k runs: writes transcripts that `turnwise metrics` reads, \
                marked as imported, and keeps the file for `turnwise export`",
        recognise: |bytes| Results::read(bytes).is_ok_and(|results| !results.records.is_empty()),
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
    let results = Results::read(&file.bytes).map_err(|bad| file.bad(bad))?;
    if results.records.is_empty() {
        return Err(file.bad("there is no record in it"));
    }
    let named: Option<String> = given.value(Flag::MODEL.name)?;
    let told = imported::model(&results, "player_model").map_err(|bad| file.bad(bad))?;
    imported::model(&results, "judge_model").map_err(|bad| file.bad(bad))?;
    let model = named
        .or_else(|| told.map(str::to_owned))
        .or_else(|| player_of(&file.name()))
        .unwrap_or_else(|| file.folder());
    let dataset = dataset_of(&file.name()).unwrap_or_else(|| "imported".to_owned());
    let imported =
        imported::transcripts(&results, &dataset, &model).map_err(|bad| file.bad(bad))?;
    let remarks = imported.remarks.iter();
    Ok(ImportedRun {
        said: format!("{} episodes of {model}", imported.plays),
        remarks: remarks.map(|remark| format!("{}: {remark}", file.shown)).collect(),
        episodes: imported.episodes,
        is_kept: true,
    })
}

fn write(runs: &[PlayedRun]) -> Result<Export, BadFile> {
    let run = PlayedRun::only(runs)?;
    let (bytes, count) = match &run.kept {
        Some(kept) => {
            let results = Results::read(&kept.bytes).map_err(|bad| kept.bad(bad))?;
            (kept.bytes.clone(), results.records.len())
        }
        None => {
            let records = recorded(run)?;
            let count = records.len();
            let text = dumps(&Json::List(records), Layout::Indented);
            (text.into_bytes(), count)
        }
    };
    Ok(Export { bytes, said: format!("{count} records"), remarks: Vec::new() })
}

/// The records of a run of ours.
fn recorded(run: &PlayedRun) -> Result<Vec<Json>, BadFile> {
    let spec = run.spec()?;
    let settings = Settings::of(spec).map_err(BadFile::new)?;
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
    let mut problems: BTreeMap<&TaskId, Vec<&Played>> = BTreeMap::new();
    let mut order = Vec::new();
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
        let plays = problems.entry(&play.header.task.id).or_default();
        if plays.is_empty() {
            order.push(&play.header.task.id);
        }
        plays.push(played);
    }
    let mut records = Vec::new();
    for id in order {
        let Some(mut plays) = problems.remove(id) else {
            continue;
        };
        plays.sort_by_key(|played| played.play.header.repeat);
        let Some(first) = plays.first() else {
            continue;
        };
        let task = run.task(first)?;
        let pairs: Vec<_> =
            plays.iter().map(|played| (&played.play, played.grading.as_ref())).collect();
        records.push(export(form, task, &pairs).map_err(|bad| first.bad(bad))?);
    }
    Ok(records)
}
