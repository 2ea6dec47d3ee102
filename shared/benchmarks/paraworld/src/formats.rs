//! The authors' files: their tasks, and the judged lines of their engines, both ways.

use std::path::Path;

use turnwise_core::formats::{
    BadFile, Export, Exporter, File, Flag, Formats, Given, ImportedRun, Importer, Played,
    PlayedRun, Read, TaskFile, Write,
};
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};

use crate::ParaWorld;
use crate::results::imported::{self, Imported, Known};
use crate::results::{self, Results, written};
use crate::settings::Setting;
use crate::task::{self, Worlds, of_task};
use crate::worlds::check;

pub(super) const FORMATS: Formats = Formats {
    importers: &[
        Importer {
            name: "mpw-tasks",
            about: "Mind-ParaWorld, a task file as the authors write it: checked and written back, unknown fields kept",
            recognise: |bytes| task::load(bytes).is_ok(),
            flags: &[],
            read: Read::Tasks(tasks),
        },
        Importer {
            name: RESULTS,
            about: "Mind-ParaWorld, judged lines of the authors' engines (evaluated_results.jsonl): writes transcripts that `turnwise \
                    metrics` reads, marked as imported, and keeps the lines for `turnwise export`. Of several lines with one index the \
                    last that was judged successfully counts, else the last",
            recognise: |bytes| results::read(bytes).is_ok_and(|results| !results.rows.is_empty()),
            flags: &[Flag::TASKS, Flag::MODEL, SETTING],
            read: Read::Run(judged),
        },
    ],
    exporters: &[Exporter {
        name: RESULTS,
        about: "Mind-ParaWorld: judged JSON Lines as the authors' engines write them. Imported results come back as they were given, \
                equal as JSON values, all lines and unknown fields kept; recorded plays are written in the same form",
        write: Write::File(write),
    }],
};

const RESULTS: &str = "mpw-results";

const SETTING: Flag = Flag {
    name: "setting",
    value: "SETTING",
    about: "Results: the setting: A, B-guidance, B-few-shot, C, custom or control. Default: what the lines tell (A, and all that \
            `turnwise export` wrote) or the path, laid out as SETTING_results/[PROMPT/]MODEL/FILE",
    is_file: false,
    check: Flag::reads::<Setting>,
};

fn load(file: &File) -> Result<Worlds, BadFile> {
    task::load(&file.bytes).map_err(|error| file.bad(error))
}

/// What a check finds beyond what cannot be used is said, and no error.
fn tasks(given: &Given<'_>) -> Result<TaskFile, BadFile> {
    let set = load(given.file)?;
    let findings: usize = set.worlds.iter().map(|world| check(world).len()).sum();
    let remark = (findings > 0).then(|| {
        format!("{findings} remarks on these worlds; turnwise worlds check {} says them", given.out)
    });
    Ok(TaskFile {
        bytes: task::lines(&set.worlds).into_bytes(),
        said: format!("{} tasks", set.worlds.len()),
        remarks: remark.into_iter().collect(),
    })
}

fn judged(given: &Given<'_>) -> Result<ImportedRun, BadFile> {
    let file = given.file;
    let results = results::read(&file.bytes).map_err(|error| file.bad(error))?;
    let tasks = given.files.get(Flag::TASKS.name);
    let worlds = tasks.map(load).transpose()?;
    let name = tasks.map(File::name).unwrap_or_default();
    let model = given.model(None);
    let known = Known {
        model: &model,
        setting: given
            .value(SETTING.name)?
            .or_else(|| results.setting())
            .or_else(|| setting_of(&file.path)),
        worlds: worlds.as_ref().map(|worlds| (&*name, worlds)),
    };
    let imported = imported::transcripts(&results, &known).map_err(|error| file.bad(error))?;
    let remarks = remarks(&results, &imported, &name);
    Ok(ImportedRun::of(&model, imported.episodes, remarks))
}

/// What was left out, or could not be matched.
fn remarks(results: &Results, imported: &Imported, tasks: &str) -> Vec<String> {
    let mut remarks = Vec::new();
    let repeated = results.rows.len() - imported.plays;
    if repeated > 0 {
        remarks.push(format!(
            "{repeated} lines repeat the index of another and do not count; they are kept for the way back"
        ));
    }
    if results.cut {
        remarks.push("the last line is cut off and left out".to_owned());
    }
    if !imported.unmatched.is_empty() {
        let rows: Vec<String> = imported.unmatched.iter().map(usize::to_string).collect();
        remarks.push(format!(
            "{} lines are of no world in {tasks}, and get ids of their own: {}",
            rows.len(),
            rows.join(", ")
        ));
    }
    remarks
}

/// The setting of a path as the authors' code lays it out: `<setting>_results/[<prompt type>/]<model>/`.
fn setting_of(file: &Path) -> Option<Setting> {
    let parts: Vec<String> =
        file.iter().map(|part| part.to_string_lossy().to_lowercase()).collect();
    let place = parts.iter().rposition(|part| part.ends_with("_results"))?;
    let name: String = parts[place]
        .trim_end_matches("_results")
        .trim_start_matches("setting")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let prompt = parts.get(place + 1).map(String::as_str).unwrap_or_default();
    match name.as_str() {
        "a" => Some(Setting::Oracle),
        "b" if prompt.contains("few") => Some(Setting::FewShot),
        "b" if prompt.contains("guid") => Some(Setting::Guidance),
        "c" => Some(Setting::Unguided),
        "custom" => Some(Setting::Custom),
        "control" => Some(Setting::Control),
        _ => None,
    }
}

/// Lines that were imported as they were given, recorded episodes as lines of the same form.
fn write(runs: &[PlayedRun]) -> Result<Export, BadFile> {
    let mut text = String::new();
    let (mut count, mut left) = (0, Vec::new());
    let mut remarks = Vec::new();
    for run in runs {
        if let Some(kept) = &run.kept {
            let results = results::read(&kept.bytes).map_err(|error| kept.bad(error))?;
            if results.cut {
                remarks.push(format!("{}: the last line is cut off and left out", kept.shown));
            }
            count += results.rows.len();
            text.push_str(&results.lines());
            continue;
        }
        let mut lines = Vec::new();
        for played in &run.plays {
            match line(run, played)? {
                Some(line) => lines.push(line),
                None => left.push(format!("{}: {}", played.file, written::CannotWrite::NotPlayed)),
            }
        }
        lines.sort_by_key(|(line, repeat, _)| (*repeat, *line));
        count += lines.len();
        for (_, _, line) in lines {
            text.push_str(&dumps(&Json::Object(line), Layout::Line));
            text.push('\n');
        }
    }
    remarks.extend(left);
    if count == 0 {
        return Err(BadFile::new("there is no finished play in these transcripts"));
    }
    Ok(Export { bytes: text.into_bytes(), said: format!("{count} lines"), remarks })
}

/// The line of an episode, with the number of its world and its repeat; `None` if it did not end by the rules.
fn line(run: &PlayedRun, played: &Played) -> Result<Option<(u32, u32, Object)>, BadFile> {
    let task = run.task(played)?;
    let world = of_task(task)
        .ok_or_else(|| played.bad("its world is sealed here, so its line cannot be written"))?;
    let usual;
    let pack = match &run.pack {
        Some(pack) => pack,
        None => {
            usual = (ParaWorld::FACTS.pack)();
            &usual
        }
    };
    let play = &played.play;
    match written::line(play, played.grading.as_ref(), task, &world, pack) {
        Ok(line) => Ok(Some((world.line, play.header.repeat, line))),
        Err(written::CannotWrite::NotPlayed) => Ok(None),
        Err(error) => Err(played.bad(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_tell_the_setting() {
        let of = |path: &str| setting_of(Path::new(path));
        let file = "evaluated_results.jsonl";
        assert_eq!(of(&format!("settingC_results/m/{file}")), Some(Setting::Unguided));
        assert_eq!(of(&format!("setting_a_results/m/{file}")), Some(Setting::Oracle));
        assert_eq!(of(&format!("b_results/few_shot/m/{file}")), Some(Setting::FewShot));
        assert_eq!(of(&format!("settingB_results/guidance/m/{file}")), Some(Setting::Guidance));
        assert_eq!(of(&format!("settingB_results/m/{file}")), None);
        assert_eq!(of(&format!("here/{file}")), None);
    }
}
