//! Mind-ParaWorld: the authors' task files, and the judged lines of their engines.

use std::path::{Path, PathBuf};

use turnwise_backend::run_folder::at;
use turnwise_shared::benchmarks::paraworld::results::imported::{
    self, CannotImport, Imported, Known,
};
use turnwise_shared::benchmarks::paraworld::results::{self, Results};
use turnwise_shared::benchmarks::paraworld::settings::Setting;
use turnwise_shared::benchmarks::paraworld::task::{Worlds, lines, load};
use turnwise_shared::benchmarks::paraworld::worlds::check;

use crate::cli::Status;
use crate::cli::out::{say, say_err};
use crate::cli::trouble::Trouble;

/// The file in a folder of imported results that holds the lines as they were given. Exports are made from it.
pub const RESULTS_FILE: &str = "results.dat";

/// A task file: read, checked, written as it is, unknown fields kept.
///
/// # Errors
/// The first row and field that cannot be used. What a check finds beyond that is said, and no error.
pub fn tasks(file: &Path, out: &Path) -> Result<Status, Trouble> {
    let set = read_worlds(file)?;
    std::fs::write(out, lines(&set.worlds)).map_err(at(out))?;
    let findings: usize = set.worlds.iter().map(|world| check(world).len()).sum();
    if findings > 0 {
        say_err!(
            "{findings} remarks on these worlds; turnwise worlds check {} says them",
            out.display()
        );
    }
    say!("{}: {} tasks", out.display(), set.worlds.len());
    Ok(Status::Done)
}

/// What is known of a file of results besides its lines.
pub struct Told<'a> {
    /// The player's model; `None` = the name of the folder in which the file lies.
    pub model: Option<&'a str>,
    /// The setting; `None` = what lines and path tell.
    pub setting: Option<Setting>,
    /// The task file.
    pub tasks: Option<&'a Path>,
}

/// Judged lines: transcripts that `turnwise metrics` reads, and the lines themselves for the way back.
///
/// # Errors
/// The first line that is wrong, or a setting that is not known.
pub fn results(file: &Path, out: &Path, told: &Told<'_>) -> Result<Status, Trouble> {
    let bytes = std::fs::read(file).map_err(at(file))?;
    let results = results::read(&bytes).map_err(|error| Trouble::with(file, error))?;
    let worlds = told.tasks.map(read_worlds).transpose()?;
    let name = told.tasks.and_then(Path::file_name).unwrap_or_default();
    let name = name.to_string_lossy();
    let folder = super::folder_name(file);
    let known = Known {
        model: told.model.unwrap_or(&folder),
        setting: told
            .setting
            .or_else(|| results.setting())
            .or_else(|| setting_of(file)),
        worlds: worlds.as_ref().map(|worlds| (&*name, worlds)),
    };
    let imported = imported::transcripts(&results, &known).map_err(|error| match error {
        CannotImport::NoSetting => Trouble::with(
            file,
            format!(
                "{error} with --setting B-guidance, B-few-shot, C or custom; neither the lines nor a path laid out as the \
                 authors' code lays it out, such as settingC_results/MODEL/, tell it"
            ),
        ),
        error => Trouble::with(file, error),
    })?;
    say_what_was_left(&results, &imported, &name);
    let folder = super::write(
        out,
        imported
            .transcripts
            .iter()
            .map(|transcript| (&transcript.key, transcript.lines.as_slice())),
    )?;
    folder.file(RESULTS_FILE, &bytes)?;
    folder.finish()?;
    say!(
        "{}: {} episodes of {}",
        out.display(),
        imported.plays,
        known.model
    );
    Ok(Status::Done)
}

fn say_what_was_left(results: &Results, imported: &Imported, tasks: &str) {
    let repeated = results.rows.len() - imported.plays;
    if repeated > 0 {
        say_err!(
            "{repeated} lines repeat the index of another and do not count; they are kept for the way back"
        );
    }
    if results.cut {
        say_err!("the last line is cut off and left out");
    }
    if !imported.unmatched.is_empty() {
        let rows: Vec<String> = imported.unmatched.iter().map(u32::to_string).collect();
        say_err!(
            "{} lines are of no world in {tasks}, and get ids of their own: {}",
            rows.len(),
            rows.join(", ")
        );
    }
}

fn read_worlds(file: &Path) -> Result<Worlds, Trouble> {
    let bytes = std::fs::read(file).map_err(at(file))?;
    load(&bytes).map_err(|error| Trouble::with(file, error))
}

/// The setting of a path as the authors' code lays it out: `<setting>_results/[<prompt type>/]<model>/`.
fn setting_of(file: &Path) -> Option<Setting> {
    let path: PathBuf = std::path::absolute(file).ok()?;
    let parts: Vec<String> = path
        .iter()
        .map(|part| part.to_string_lossy().to_lowercase())
        .collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_tell_the_setting() {
        let of = |path: &str| setting_of(Path::new(path));
        let file = "evaluated_results.jsonl";
        assert_eq!(
            of(&format!("settingC_results/m/{file}")),
            Some(Setting::Unguided)
        );
        assert_eq!(
            of(&format!("setting_a_results/m/{file}")),
            Some(Setting::Oracle)
        );
        assert_eq!(
            of(&format!("b_results/few_shot/m/{file}")),
            Some(Setting::FewShot)
        );
        assert_eq!(
            of(&format!("settingB_results/guidance/m/{file}")),
            Some(Setting::Guidance)
        );
        assert_eq!(of(&format!("settingB_results/m/{file}")), None);
        assert_eq!(of(&format!("here/{file}")), None);
    }
}
