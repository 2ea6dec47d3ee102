//! Are `shared` and the view models still pure? They reach nothing outside: no clock, environment, files, network, threads
//! or printing.
//!
//! Four nets, one behind the other: it builds for WebAssembly; clippy refuses what `shared/clippy.toml` lists; none of
//! its dependencies reaches outside; and the source itself is read, because a path can be spelt past clippy.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::compiler::{Compiler, WASM};
use crate::project::Project;
use crate::{check, say};

/// What must not be written in `shared`, and what is lost if it is.
const FORBIDDEN: [(&str, &str); 16] = [
    ("std::time", "there is no time in the core"),
    ("SystemTime", "there is no time in the core"),
    ("Instant", "there is no time in the core"),
    ("std::env", "settings come in as arguments"),
    ("std::fs", "files are read by the caller"),
    ("std::net", "the core asks nobody"),
    ("std::os", "the core runs anywhere"),
    ("std::process", "the core asks nobody"),
    ("std::thread", "order would depend on the machine"),
    ("thread_local!", "state belongs to a value that somebody owns"),
    ("std::io::std", "the core prints nothing"),
    ("println!", "the core prints nothing"),
    ("eprintln!", "the core prints nothing"),
    ("print!", "the core prints nothing"),
    ("eprint!", "the core prints nothing"),
    ("dbg!", "the core prints nothing"),
];

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
fn folders(project: &Project) -> Result<Vec<PathBuf>> {
    let own = ["shared/core", "shared/registry", "tests/example", "frontend/view"];
    let mut folders: Vec<PathBuf> = own.iter().map(|folder| project.path(folder)).collect();
    let benchmarks = project.path("shared/benchmarks");
    let listed = std::fs::read_dir(&benchmarks)
        .with_context(|| format!("reading {}", benchmarks.display()))?;
    for entry in listed {
        folders.push(entry?.path());
    }
    folders.sort();
    Ok(folders)
}

/// The names of the pure packages.
pub fn packages(project: &Project) -> Result<Vec<String>> {
    let name = |folder: &PathBuf| {
        let manifest = folder.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest)
            .with_context(|| format!("reading {}", manifest.display()))?;
        let named = text.lines().find_map(|line| line.strip_prefix("name = "));
        let name = named.with_context(|| format!("{} has no name", manifest.display()))?;
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
    compiler.cargo(project).words("build --quiet --package").args([TOP, "--target", WASM]).run()?;
    step.done("it builds");

    let packages = packages(project)?.join(" --package ");
    let only_the_library = format!("--package {packages} --lib --target {WASM}");
    check::lint(
        project,
        compiler,
        "the libraries of shared alone, with shared/clippy.toml",
        &only_the_library,
        "",
    )?;

    let step = say::step("dependencies of shared", "none of them may reach outside");
    let tree = compiler
        .cargo(project)
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
    let mut files = Vec::new();
    for package in folders(project)? {
        rust_files(&package.join("src"), &mut files)?;
    }
    let mut found = Vec::new();
    for file in &files {
        let source =
            std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let shown = file.strip_prefix(project.root()).unwrap_or(file).display();
        found.extend(
            impurities(&source).into_iter().map(|(line, what)| format!("{shown}:{line}: {what}")),
        );
    }
    if !found.is_empty() {
        bail!("shared is not pure:\n  {}", found.join("\n  "));
    }
    step.done(format!("{} files, nothing found", files.len()));
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

/// The source files of the library; files called `tests.rs` and folders called `tests` hold tests only.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?
    {
        let path = entry?.path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_test {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

/// Forbidden words in the code of `source`, with their line numbers; comments, texts and test modules do not count.
fn impurities(source: &str) -> Vec<(usize, String)> {
    let code = without_tests(&code_only(source));
    code.lines()
        .enumerate()
        .flat_map(|(index, line)| {
            FORBIDDEN
                .iter()
                .filter(|(word, _)| has_word(line, word))
                .map(move |(word, why)| (index + 1, format!("`{word}`: {why}")))
        })
        .collect()
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

/// `source` with comments and the insides of texts blanked out; lines stay where they are.
pub fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_text(rest).filter(|_| !ends_in_name(&code)) {
            length
        } else if first == '"' {
            text(rest, '"')
        } else if first == '\'' && is_character(rest) {
            text(rest, '\'')
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        code.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    code
}

/// `code` with every item under `#[cfg(test)]` blanked out.
pub fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = end_of_item(rest);
        kept.extend(rest[..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

/// Where the first item of `code` ends: at a `;` or after its outermost braces.
fn end_of_item(code: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

fn ends_in_name(code: &str) -> bool {
    code.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a raw text (`r"…"`, `r#"…"#`, `br"…"`) at the start of `rest`.
fn raw_text(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let inside = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let opened = rest.len() - inside.len();
    Some(inside.find(&close).map_or(rest.len(), |end| opened + end + close.len()))
}

/// The length of a text or character at the start of `rest`, both quotes included.
fn text(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Is the `'` at the start of `rest` a character, and not a lifetime?
fn is_character(rest: &str) -> bool {
    let mut following = rest.chars().skip(1);
    matches!((following.next(), following.next()), (Some('\\'), _) | (Some(_), Some('\'')))
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
