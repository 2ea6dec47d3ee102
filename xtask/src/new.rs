//! `cargo xtask new NAME`: a benchmark that compiles and passes its tests, as a copy of `tests/example` under another name, and
//! its lines in the rest of the project.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::project::Project;
use crate::say;
use crate::tool::Tool;

/// What is copied, and what it is called there: in files, as a package, as a type, and for people.
const EXAMPLE: &str = "tests/example";
const CALLED: [&str; 4] = ["guess_number", "guess-number", "GuessNumber", "Guess the number"];

/// What is left to do, in the order in which it is done.
const THEN: &str = "\
what is left to do (CONTRIBUTING.md, \"Add a benchmark\"):
  1. write the benchmark in shared/benchmarks/{name}; its README and the lines in README.md, CHANGELOG.md and docs/using/tasks.md say what the example does
  2. cargo test -p {package}
  3. TURNWISE_RECORD=1 INSTA_UPDATE=always cargo test -p turnwise-tests --test suite golden::
  4. TURNWISE_WRITE_DOCUMENTS=1 cargo test -p turnwise-tests --test suite documents::
  5. INSTA_UPDATE=always cargo test -p turnwise-backend --test service snapshots
  6. cargo xtask check, cargo xtask test";

/// Copies the example to `shared/benchmarks/NAME` and registers it.
pub fn run(project: &Project, name: &str) -> Result<()> {
    let step =
        say::step(format!("benchmark {name}"), "a copy of the example, and its lines elsewhere");
    let calls = calls(name)?;
    for (path, text) in files(project, &calls)? {
        write(&path, &text)?;
    }
    Tool::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .inside(project.root())
        .words("fmt --package")
        .arg(package(&calls))
        .words("--package turnwise-shared")
        .run()?;
    step.done(folder(project, &calls).display());
    say::note(THEN.replace("{name}", name).replace("{package}", &package(&calls)));
    Ok(())
}

fn package(calls: &[String; 4]) -> String {
    format!("turnwise-{}", calls[1])
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
    let mut found = Vec::new();
    walk(&example, &mut found)?;
    for path in found {
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        files.push((folder.join(path.strip_prefix(&example)?), renamed(&text, calls)));
    }
    Ok(files)
}

fn folder(project: &Project, calls: &[String; 4]) -> PathBuf {
    project.path("shared/benchmarks").join(&calls[0])
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        match path.is_dir() {
            true => walk(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

fn renamed(text: &str, calls: &[String; 4]) -> String {
    CALLED.iter().zip(calls).fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The files outside the folder that name every benchmark, with a line for this one.
fn lines_elsewhere(project: &Project, calls: &[String; 4]) -> Result<Vec<(PathBuf, String)>> {
    let [name, dashed, kind, title] = calls;
    let edits: [(&str, &str, String); 8] = [
        (
            "Cargo.toml",
            "turnwise-shared = {",
            format!("turnwise-{dashed} = {{ path = \"shared/benchmarks/{name}\" }}\n"),
        ),
        (
            "shared/registry/Cargo.toml",
            "\n[dev-dependencies]",
            format!("turnwise-{dashed}.workspace = true\n"),
        ),
        (
            "shared/registry/src/registry.rs",
            "\n/// Every benchmark, in the order",
            format!("use turnwise_{name}::{kind};\n"),
        ),
        ("shared/registry/src/registry.rs", ";\n    read: ", format!(", {kind}")),
        (
            "README.md",
            "\nEach benchmark runs in two **profiles**",
            format!(
                "| [`{name}`](shared/benchmarks/{name}/README.md) ({title}) | Does a model use what it is told? | `player`, `judge` | \
                 `halves`, `counts`; `compares` |\n"
            ),
        ),
        (
            "CHANGELOG.md",
            "- **Math** and **Situation Puzzle** of",
            format!("- **{title}** (`{name}`), with offline seats, samples and a leaderboard.\n"),
        ),
        ("ARCHITECTURE.md", ", inspect} one crate each", format!(", {name}")),
        (
            "docs/using/tasks.md",
            "| `poker`, `trust` | none |",
            format!("| `{name}` | JSON Lines with `id`, `most` and `number` |\n"),
        ),
    ];
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for (file, before, line) in edits {
        let path = project.path(file);
        if files.last().is_none_or(|(last, _)| *last != path) {
            files.push((path, project.read(file)?));
        }
        let text = &mut files.last_mut().context("it was pushed a line above")?.1;
        let at = text.find(before).with_context(|| {
            format!("{file} has no {before:?}, before which the new benchmark is named")
        })?;
        text.insert_str(at, &line);
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
        Tool::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
            .inside(&trial)
            .words("test --quiet --offline --target-dir")
            .arg(trial.join("target"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .run()
    }
}
