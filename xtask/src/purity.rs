//! Are `shared` and the view models still pure? They reach nothing outside: no clock, environment, files, network, threads
//! or printing.
//!
//! Four nets, one behind the other: it builds for WebAssembly; clippy refuses what `shared/clippy.toml` lists; none of
//! its dependencies reaches outside; and the source itself is read, because a path can be spelt past clippy.

use anyhow::{Context, Result, bail};

use crate::compiler::{Compiler, WASM};
use crate::project::Project;
use crate::source::without_tests;
use crate::{check, say};

/// What must not be written in `shared`, and what is lost if it is.
const FORBIDDEN: &str = include_str!("purity.tsv");

/// Crates that reach outside; `shared` must not depend on them, not even indirectly.
const REACH_OUTSIDE: [&str; 12] = [
    "chrono",
    "fastrand",
    "getrandom",
    "gloo-net",
    "js-sys",
    "mio",
    "reqwest",
    "time",
    "tokio",
    "wasm-bindgen",
    "web-sys",
    "web-time",
];

/// What depends on all that is pure.
const TOP: &str = "turnwise-view";

/// The folders of the packages in `shared`: the core, every benchmark and the registry; the benchmark that new ones are copied from; and
/// the view models.
fn folders(project: &Project) -> Result<Vec<String>> {
    let own = ["shared/core", "shared/registry", "tests/example", "frontend/view"];
    let mut folders = own.map(str::to_owned).to_vec();
    let benchmarks = project.benchmarks()?;
    folders.extend(benchmarks.iter().map(|name| format!("shared/benchmarks/{name}")));
    folders.sort();
    Ok(folders)
}

/// The names of the pure packages.
pub fn packages(project: &Project) -> Result<Vec<String>> {
    let name = |folder: &String| {
        let manifest = project.read(&format!("{folder}/Cargo.toml"))?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
        let name = name.with_context(|| format!("{folder}/Cargo.toml has no name"))?;
        Ok(name.trim_matches('"').to_owned())
    };
    folders(project)?.iter().map(name).collect()
}

/// Checks that `shared` is pure.
pub fn check(project: &Project, compiler: &Compiler) -> Result<()> {
    let step = say::step(
        "build shared for WebAssembly",
        "the core runs in a browser as it does on a server",
    );
    compiler.cargo().words("build --quiet --package").args([TOP, "--target", WASM]).run()?;
    step.done("it builds");

    let packages = packages(project)?.join(" --package ");
    let only_the_library = format!("--package {packages} --lib --target {WASM}");
    check::lint(
        compiler,
        "the libraries of shared alone, with shared/clippy.toml",
        &only_the_library,
        "",
    )?;

    let step = say::step("dependencies of shared", "none of them may reach outside");
    let tree = compiler
        .cargo()
        .words("tree --edges normal --prefix none --package")
        .args([TOP, "--target", WASM])
        .read()?;
    let outside = reaching_outside(&tree);
    if !outside.is_empty() {
        bail!(
            "shared depends on {}; `cargo tree --package {TOP} --edges normal` shows through what",
            outside.join(", ")
        );
    }
    step.done("none does");

    let step = say::step("read the source of shared", "what clippy cannot see");
    let (mut files, mut found) = (0, Vec::new());
    for package in folders(project)? {
        let sources = project.sources(&format!("{package}/src"))?;
        for source in sources.into_iter().filter(|source| !source.is_test()) {
            files += 1;
            let impurities = impurities(&source.text).into_iter();
            found.extend(impurities.map(|(line, what)| format!("{}:{line}: {what}", source.path)));
        }
    }
    if !found.is_empty() {
        bail!("shared is not pure:\n  {}", found.join("\n  "));
    }
    step.done(format!("{files} files, nothing found"));
    Ok(())
}

fn reaching_outside(tree: &str) -> Vec<&str> {
    let mut names: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| REACH_OUTSIDE.contains(name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Forbidden words in the code of `source`, with their line numbers; comments, texts and tests do not count.
fn impurities(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in without_tests(source).lines().enumerate() {
        for (word, why) in FORBIDDEN.lines().filter_map(|row| row.split_once('\t')) {
            if has_word(line, word) {
                found.push((index + 1, format!("`{word}`: {why}")));
            }
        }
    }
    found
}

/// Does `word` stand in `line` as a word of its own, and not as the end of a longer one?
fn has_word(line: &str, word: &str) -> bool {
    let part_of_a_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        // `std::io::std` is meant as a beginning: stdin, stdout, stderr.
        let ends =
            word.ends_with("::std") || word.ends_with('!') || !after.is_some_and(part_of_a_name);
        !before.is_some_and(part_of_a_name) && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_found_wherever_it_is_written() {
        let source = "use core::fmt;\nfn now<'a>(x: &'a str) {\n    let t = std::time::SystemTime::now();\n}\n";
        let found = impurities(source);
        assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 3]);
        assert!(found[0].1.contains("std::time"));
    }

    #[test]
    fn comments_texts_and_tests_do_not_count() {
        let source = r####"
// std::fs in a comment /* and
/* std::env /* nested */ println! */
const A: &str = "std::thread \" dbg!";
const B: &str = r#"std::process "quoted" "#;
const C: char = '"'; const D: &str = "after a quote: std::net";
#[cfg(test)]
mod tests { fn f() { if true { println!("{}", std::env::temp_dir().display()); } } }
#[cfg(test)]
mod more;
fn pure() {}
"####;
        assert_eq!(impurities(source), []);
    }

    #[test]
    fn what_follows_a_test_module_counts_again() {
        let source = "#[cfg(test)]\nmod tests { fn f() {} }\nfn f() { dbg!(1); }\n";
        assert_eq!(impurities(source), [(3, "`dbg!`: the core prints nothing".to_owned())]);
    }

    #[test]
    fn words_that_merely_look_alike_are_left_alone() {
        assert_eq!(impurities("fn f() { blueprint!(); let instantly = 1; std::timed(); }"), []);
        assert_eq!(impurities("use std::io::stdout;").len(), 1);
    }

    #[test]
    fn dependencies_that_reach_outside_are_named_once() {
        let tree = "turnwise-shared v0.1.0 (/somewhere)\nserde v1.0.0\ngetrandom v0.3.0\ngetrandom v0.3.0 (*)\n";
        assert_eq!(reaching_outside(tree), ["getrandom"]);
    }
}
