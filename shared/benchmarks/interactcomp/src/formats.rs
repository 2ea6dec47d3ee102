//! The authors' files: their encrypted tasks, and the per-model CSV of the reference code.

use turnwise_core::formats::{
    BadFile, File, Flag, Formats, Given, ImportedRun, Importer, Read, TaskFile,
};

use crate::dataset::{self, Dataset};
use crate::imported::{self, Known};
use crate::mode::Mode;
use crate::results_csv;

pub(super) const FORMATS: Formats = Formats {
    importers: &[
        Importer {
            name: "interactcomp-tasks",
            about: "The authors' encrypted task file, or a plain one: writes one JSON object a line with id, domain, answer, question \
                    and context. The text is no longer encrypted then: keep it to yourself",
            recognise: |bytes| dataset::load(bytes, None).is_ok(),
            flags: &[CANARY],
            read: Read::Tasks(tasks),
        },
        Importer {
            name: "interactcomp-results",
            about: "The reference code's per-model CSV: writes transcripts that `turnwise metrics` reads. They are marked as imported \
                    and cannot be replayed",
            recognise: |bytes| results_csv::read(bytes).is_ok(),
            flags: &[Flag::TASKS, CANARY, Flag::MODEL, MODE, ROUNDS, MIN_ASKS],
            read: Read::Run(results),
        },
    ],
    exporters: &[],
};

const CANARY: Flag = Flag {
    name: "canary",
    value: "WORD",
    about: "The word under which a task file is encrypted from which the column `canary` was removed. Default: what the rows say",
    is_file: false,
    check: |_| Ok(()),
};

const MODE: Flag = Flag {
    name: "mode",
    value: "MODE",
    about: "Results: the mode, where the rows do not tell it. Default: what they tell",
    is_file: false,
    check: Flag::reads::<Mode>,
};

const ROUNDS: Flag = Flag {
    name: "rounds",
    value: "N",
    about: "Results: the round limit. Default: not known",
    is_file: false,
    check: Flag::reads::<u32>,
};

const MIN_ASKS: Flag = Flag {
    name: "min-asks",
    value: "M",
    about: "Results: the least number of asks in forced_ask. Default: not known",
    is_file: false,
    check: Flag::reads::<u32>,
};

fn load(file: &File, given: &Given<'_>) -> Result<Dataset, BadFile> {
    let canary = given.values.get(CANARY.name).map(String::as_str);
    dataset::load(&file.bytes, canary).map_err(|error| file.bad(error))
}

fn tasks(given: &Given<'_>) -> Result<TaskFile, BadFile> {
    let set = load(given.file, given)?;
    Ok(TaskFile {
        bytes: dataset::plain_lines(&set.tasks).into_bytes(),
        said: format!("{} tasks; {} is {}", set.tasks.len(), given.file.shown, set.provenance()),
        remarks: Vec::new(),
    })
}

fn results(given: &Given<'_>) -> Result<ImportedRun, BadFile> {
    let file = given.file;
    let results = results_csv::read(&file.bytes).map_err(|error| file.bad(error))?;
    let tasks = match given.files.get(Flag::TASKS.name) {
        Some(tasks) => Some((tasks.name(), load(tasks, given)?)),
        None => None,
    };
    let known = Known {
        model: given.model(None),
        mode: given.value(MODE.name)?,
        rounds: given.value(ROUNDS.name)?,
        min_asks: given.value(MIN_ASKS.name)?,
    };
    let named = tasks.as_ref().map(|(name, set)| (name.as_str(), set));
    let episodes =
        imported::transcripts(&results, named, &known).map_err(|error| file.bad(error))?;
    let mut remarks = Vec::new();
    if let Some((name, set)) = named {
        let unmatched = results.clone().match_tasks(set);
        if !unmatched.is_empty() {
            let rows: Vec<_> = unmatched.iter().map(ToString::to_string).collect();
            remarks.push(format!(
                "{} rows have a question that is not in {name}, and get ids of their own: {}",
                rows.len(),
                rows.join(", ")
            ));
        }
    }
    let of_file = results.remarks.iter();
    remarks.extend(of_file.map(|remark| format!("{}: {remark}", file.shown)));
    Ok(ImportedRun { is_kept: false, ..ImportedRun::of(&known.model, episodes, remarks) })
}
