//! Does the product know its benchmarks only from their own folders? A benchmark that is named elsewhere costs an edit there
//! when the next one is added.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::say;

/// Where a benchmark may be named: in its own folders, each of which lies in a folder of this name, whose `mod.rs` lists them;
const OWN: &str = "/benchmarks/";

/// in the registry; and where tests say which benchmark stands for which kind.
const REGISTRY: [&str; 3] = [
    "shared/registry/src/registry.rs",
    "shared/registry/src/lib.rs",
    "shared/registry/src/examples.rs",
];

/// Lines with these are about a library, whatever it is called.
const OF_LIBRARIES: [&str; 2] = ["MathML", "MathDisplay"];

/// Folders whose code is read.
const READ: [&str; 4] = ["shared", "backend", "frontend", "tests"];

/// Lines that name a benchmark outside its own folder.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    lines: usize,
    files: Vec<(String, usize)>,
}

/// Fails if a line names a benchmark outside its own folders.
pub fn check(project: &Project) -> Result<()> {
    let step = say::step("benchmark names outside their folders", "a benchmark is one folder");
    let found = find(project)?;
    if found.lines > 0 {
        let files: Vec<String> =
            found.files.iter().map(|(file, lines)| format!("{lines} {file}")).collect();
        bail!(
            "{} lines name a benchmark outside its folders; their number in each file:\n  {}\n  to mend it: let the benchmark declare \
             what differs (CONTRIBUTING.md, Facets), or move what is about it alone into a folder `benchmarks/NAME`",
            found.lines,
            files.join("\n  ")
        );
    }
    step.done("none");
    Ok(())
}

fn find(project: &Project) -> Result<Found> {
    let names = names(project)?;
    let mut files = Vec::new();
    for folder in READ {
        walk(&project.path(folder), &mut files)?;
    }
    let mut found = Found::default();
    for path in files {
        let shown = path.strip_prefix(project.root()).unwrap_or(&path);
        let shown = shown.to_string_lossy().replace('\\', "/");
        if shown.contains(OWN) || REGISTRY.contains(&shown.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("reading {}", path.display()))?;
        let lines = text.lines().filter(|line| names_one(line, &names)).count();
        if lines > 0 {
            found.lines += lines;
            found.files.push((shown, lines));
        }
    }
    found.files.sort_by_key(|(file, lines)| (usize::MAX - lines, file.clone()));
    Ok(found)
}

/// What benchmarks are called in code: the folders and their types, e.g. `poker`, `Poker`, `turnwise_poker`.
fn names(project: &Project) -> Result<Vec<String>> {
    let text = project.read("shared/registry/src/registry.rs")?;
    let played = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("played: "))
        .context("the registry has a line `played: `")?;
    let types = played.trim_end_matches([';', ' ']).split(", ");
    let mut names: Vec<String> = types.map(str::to_owned).collect();
    let folders = project.path("shared/benchmarks");
    for entry in
        std::fs::read_dir(&folders).with_context(|| format!("reading {}", folders.display()))?
    {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    // The world studio by its screen name, and what is only a format.
    names.push("studio".to_owned());
    names.retain(|name| name != "inspect");
    Ok(names)
}

/// Whether a line names a benchmark, as a word or as a part of a name in snake case.
fn names_one(line: &str, names: &[String]) -> bool {
    if OF_LIBRARIES.iter().any(|word| line.contains(word)) {
        return false;
    }
    let mut words = line.split(|sign: char| !sign.is_alphanumeric());
    let of_several_words = |name: &String| name.contains('_') && line.contains(name.as_str());
    words.any(|word| names.iter().any(|name| is_of(word, name)))
        || names.iter().any(of_several_words)
}

/// `poker`, `Poker`, `PokerSetup`, but neither `trusted` nor `Trustee`.
fn is_of(word: &str, name: &str) -> bool {
    let Some(rest) = word.strip_prefix(name) else {
        return false;
    };
    let starts_a_word = rest.starts_with(|sign: char| sign.is_uppercase() || sign.is_ascii_digit());
    rest.is_empty() || starts_a_word
}

pub fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests run it as well as `cargo xtask check`.
    #[test]
    fn no_line_names_a_benchmark_outside_its_folders() -> Result<()> {
        check(&Project::find()?)
    }

    #[test]
    fn names_are_found_as_words_and_in_compounds() {
        let names = ["poker", "Poker", "trust", "twenty_questions"].map(str::to_owned);
        for line in [
            "use turnwise_poker::Poker;",
            "match \"poker\" {",
            "let setup = PokerSetup::default();",
            "fn trust_match()",
            "use turnwise_twenty_questions::bots;",
        ] {
            assert!(names_one(line, &names), "{line}");
        }
        for line in ["a trusted proxy", "pokers", "Trustee", "let x = 1;"] {
            assert!(!names_one(line, &names), "{line}");
        }
    }
}
