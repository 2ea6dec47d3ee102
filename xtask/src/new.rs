//! `cargo xtask new NAME`: a benchmark that compiles and passes its tests, as a copy of `tests/example` under another name, and
//! its lines in the rest of the project.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use crate::project::{Project, address_in, files_below};
use crate::say;
use crate::tool::Tool;

/// What is copied, and what it is called there: in files, as a package, as a type, and for people.
const EXAMPLE: &str = "tests/example";
const CALLED: [&str; 4] = ["guess_number", "guess-number", "GuessNumber", "Guess the number"];

/// What is left to do, in the order in which it is done.
const THEN: &str = include_str!("new/then.txt");

/// The files outside the folder that name every benchmark: each with the text before which the new one is named, and the text that
/// would name the example.
const ELSEWHERE: &str = include_str!("new/elsewhere.json");

/// Copies the example to `shared/benchmarks/NAME` and registers it.
pub fn run(project: &Project, name: &str) -> Result<()> {
    let step =
        say::step(format!("benchmark {name}"), "a copy of the example, and its lines elsewhere");
    let calls = calls(name)?;
    for (path, text) in files(project, &calls)? {
        write(&path, &text)?;
    }
    Tool::cargo_of_xtask()
        .inside(project.root())
        .words("fmt --package")
        .arg(format!("turnwise-{}", calls[1]))
        .words("--package turnwise-shared")
        .run()?;
    step.done(folder(project, &calls).display());
    say::note(renamed(THEN.trim_end(), &calls));
    Ok(())
}

/// What a benchmark of this name is called, in the order of [`CALLED`].
fn calls(name: &str) -> Result<[String; 4]> {
    let parts: Vec<&str> = name.split('_').collect();
    let is_word = |part: &&str| {
        part.starts_with(|sign: char| sign.is_ascii_lowercase())
            && part.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit())
    };
    ensure!(
        parts.iter().all(is_word),
        "{name:?} is not a name for a benchmark: write words of a to z and 0 to 9, joined by _, e.g. twenty_questions"
    );
    let capital = |part: &&str| part[..1].to_uppercase() + &part[1..];
    let title = name.replace('_', " ");
    Ok([
        name.to_owned(),
        name.replace('_', "-"),
        parts.iter().map(capital).collect(),
        capital(&title.as_str()),
    ])
}

/// Every file that is written: the copy, and those elsewhere with a line more.
fn files(project: &Project, calls: &[String; 4]) -> Result<Vec<(PathBuf, String)>> {
    let folder = folder(project, calls);
    ensure!(!folder.exists(), "{} is there already; choose another name", folder.display());
    let mut files = lines_elsewhere(project, calls)?;
    let example = project.path(EXAMPLE);
    for path in files_below(&example)? {
        let text = renamed(&fs::read_to_string(&path)?, calls);
        files.push((folder.join(address_in(&example, &path)), text));
    }
    Ok(files)
}

fn folder(project: &Project, calls: &[String; 4]) -> PathBuf {
    project.path("shared/benchmarks").join(&calls[0])
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    Ok(fs::write(path, text)?)
}

fn renamed(text: &str, calls: &[String; 4]) -> String {
    CALLED.iter().zip(calls).fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The files outside the folder that name every benchmark, with a line for this one.
fn lines_elsewhere(project: &Project, calls: &[String; 4]) -> Result<Vec<(PathBuf, String)>> {
    let edits: Vec<[String; 3]> = serde_json::from_str(ELSEWHERE)?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for [file, before, line] in edits {
        let path = project.path(&file);
        if files.last().is_none_or(|(last, _)| *last != path) {
            files.push((path, project.read(&file)?));
        }
        let text = &mut files.last_mut().context("it was pushed a line above")?.1;
        let at = text.find(&before).with_context(|| {
            format!("{file} has no {before:?}, before which the new benchmark is named")
        })?;
        text.insert_str(at, &renamed(&line, calls));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_package_a_type_and_a_title() {
        let calls = calls("twenty_questions2").expect("a name");
        assert_eq!(
            calls,
            ["twenty_questions2", "twenty-questions2", "TwentyQuestions2", "Twenty questions2"]
        );
        for bad in ["", "Twenty", "twenty-questions", "_x", "2x", "x__y", "../x"] {
            assert!(super::calls(bad).is_err(), "{bad}");
        }
    }

    /// The new benchmark alone in a workspace, with the manifest and the versions of this one: it compiles without a warning, and its
    /// tests pass.
    #[test]
    fn a_new_benchmark_compiles_and_passes_its_tests() -> Result<()> {
        let (project, calls) = (Project::find()?, calls("tried_out")?);
        let trial = project.target("new-benchmark");
        let sources = trial.join("shared");
        if sources.exists() {
            fs::remove_dir_all(&sources)?;
        }
        let own = folder(&project, &calls);
        let files = files(&project, &calls)?;
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with(&own)) {
            write(&trial.join(path.strip_prefix(project.root())?), text)?;
        }
        let root = project.root().display();
        let manifest: String = project
            .read("Cargo.toml")?
            .lines()
            .map(|line| match line {
                line if line.starts_with("members = ") => {
                    "members = [\"shared/benchmarks/*\"]\n".to_owned()
                }
                line if line.starts_with("default-members = ") => String::new(),
                line => format!("{}\n", line.replace("path = \"", &format!("path = \"{root}/"))),
            })
            .collect();
        fs::write(trial.join("Cargo.toml"), manifest)?;
        fs::copy(project.path("Cargo.lock"), trial.join("Cargo.lock"))?;
        Tool::cargo_of_xtask()
            .inside(&trial)
            .words("test --quiet --offline --target-dir")
            .arg(trial.join("target"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .run()
    }
}
