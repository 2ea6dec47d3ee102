//! Does the product know its benchmarks only from their own folders? A benchmark that is named elsewhere costs an edit there
//! when the next one is added.

use std::cmp::Reverse;

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

/// Fails if a line names a benchmark outside its own folders.
pub fn check(project: &Project) -> Result<()> {
    let step = say::step("benchmark names outside their folders", "a benchmark is one folder");
    let names = names(project)?;
    let mut found = Vec::new();
    for folder in READ {
        for source in project.sources(folder)? {
            let is_of_one = source.path.contains(OWN) || REGISTRY.contains(&source.path.as_str());
            let lines = source.text.lines().filter(|line| names_one(line, &names)).count();
            if !is_of_one && lines > 0 {
                found.push((Reverse(lines), source.path));
            }
        }
    }
    if !found.is_empty() {
        found.sort();
        let files: Vec<_> =
            found.iter().map(|(lines, file)| format!("{} {file}", lines.0)).collect();
        bail!(
            "{} lines name a benchmark outside its folders; their number in each file:\n  {}\n  to mend it: let the benchmark declare \
             what differs (CONTRIBUTING.md, Facets), or move what is about it alone into a folder `benchmarks/NAME`",
            found.iter().map(|(lines, _)| lines.0).sum::<usize>(),
            files.join("\n  ")
        );
    }
    step.done("none");
    Ok(())
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
    names.extend(project.benchmarks()?);
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
