//! How much code the product has. It is a cost: an area may shrink, and it grows only in a commit that says what that bought.
//!
//! Characters are counted without white space, comments and tests, so that no formatting changes the count.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::say;
use crate::source::{blank, code_only, is_comment, items_of_tests, tokens};
use crate::tool::Tool;

/// What each area may have, in thousands, and what it was raised for.
const FILE: &str = "xtask/code_size.toml";

/// The characters of each area.
type Areas = BTreeMap<String, usize>;

/// Fails if an area is larger than the file says.
pub fn check(project: &Project) -> Result<()> {
    let step = say::step("code of the product", "it may shrink, and grows for a reason");
    let (counted, allowed) = (count(project)?, limits(&project.read(FILE)?)?);
    let (grown, shrunk) = compare(&counted, &allowed);
    if !grown.is_empty() {
        bail!(
            "the product has more code than {FILE} allows (thousands of characters without white space, comments and tests):\n  {}\n  \
             to mend it: delete something, or `cargo xtask check --record \"what it bought\"`",
            grown.join("\n  ")
        );
    }
    if !shrunk.is_empty() {
        say::note(format!(
            "smaller than {FILE} says, `cargo xtask check --record` lowers it: {}",
            shrunk.join(", ")
        ));
    }
    step.done(format!("{} characters", counted.values().sum::<usize>()));
    Ok(())
}

/// `cargo xtask check --record`: writes what there is into the file. `bought` says why, if an area has grown.
pub fn record(project: &Project, bought: &str) -> Result<()> {
    let text = project.read(FILE)?;
    let counted = count(project)?;
    let (grown, shrunk) = compare(&counted, &limits(&text)?);
    if !grown.is_empty() && bought.is_empty() {
        bail!("say what it bought: `cargo xtask check --record \"…\"`\n  {}", grown.join("\n  "));
    }
    let mut lines: Vec<String> = text
        .lines()
        .take_while(|line| line.starts_with('#') || line.is_empty())
        .map(str::to_owned)
        .collect();
    lines.extend(
        counted.iter().map(|(area, characters)| format!("\"{area}\" = {}", thousands(*characters))),
    );
    let reasons = text.lines().skip_while(|line| !line.starts_with('"'));
    lines.extend(reasons.filter(|line| !line.starts_with('"')).map(str::to_owned));
    if !grown.is_empty() {
        lines.push(format!("# {}: {bought}", grown.join(", ")));
    }
    std::fs::write(project.path(FILE), lines.join("\n") + "\n")
        .with_context(|| format!("writing {FILE}"))?;
    for change in grown.iter().chain(&shrunk) {
        say::note(change);
    }
    Ok(())
}

/// What is larger than it may be, and what is smaller than it need be.
fn compare(counted: &Areas, allowed: &Areas) -> (Vec<String>, Vec<String>) {
    let areas: std::collections::BTreeSet<&String> = counted.keys().chain(allowed.keys()).collect();
    let (mut grown, mut shrunk) = (Vec::new(), Vec::new());
    for area in areas {
        let now = counted.get(area).map_or(0, |characters| thousands(*characters));
        let before = allowed.get(area).copied().unwrap_or_default();
        let change = format!("{area} from {before} to {now}");
        match now.cmp(&before) {
            std::cmp::Ordering::Greater => grown.push(change),
            std::cmp::Ordering::Less => shrunk.push(change),
            std::cmp::Ordering::Equal => {}
        }
    }
    (grown, shrunk)
}

fn thousands(characters: usize) -> usize {
    characters.div_ceil(1000)
}

fn limits(text: &str) -> Result<Areas> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let limit = line.split_once(" = ").and_then(|(area, limit)| {
                Some((area.trim_matches('"').to_owned(), limit.parse().ok()?))
            });
            limit.with_context(|| format!("{FILE}: `{line}` is not `\"AREA\" = THOUSANDS`"))
        })
        .collect()
}

/// The code of every area, as git knows its files.
fn count(project: &Project) -> Result<Areas> {
    let files = Tool::new("git").inside(project.root()).words("ls-files *.rs").read()?;
    let mut areas = Areas::new();
    for file in files.lines().filter(|file| !is_test(file)) {
        let path = project.path(file);
        // What is deleted is still known until it is committed.
        if let Ok(bytes) = std::fs::read(&path) {
            *areas.entry(area(file)).or_default() += characters(&String::from_utf8_lossy(&bytes));
        }
    }
    Ok(areas)
}

fn is_test(file: &str) -> bool {
    let path = format!("/{file}");
    path.contains("/tests/") || path.contains("/benches/") || file.ends_with("tests.rs")
}

/// `backend`, `shared/core`, `shared/benchmarks/poker`.
fn area(file: &str) -> String {
    let parts: Vec<&str> = file.split('/').collect();
    let length = match parts[..] {
        ["shared", "benchmarks", ..] => 3,
        ["shared", ..] => 2,
        _ => 1,
    };
    parts[..length.min(parts.len())].join("/")
}

/// The characters of a file of Rust that are neither white space nor part of a comment or of a module of tests.
fn characters(source: &str) -> usize {
    let mut counted = source.to_owned();
    let code = code_only(source);
    for item in items_of_tests(&code).filter(|item| is_module_with_body(&code[item.clone()])) {
        counted.replace_range(item.clone(), &blank(&source[item]));
    }
    let code = tokens(&counted).filter(|(kind, _)| !is_comment(*kind));
    code.flat_map(|(_, text)| text.chars()).filter(|sign| !sign.is_whitespace()).count()
}

/// Whether an item under `#[cfg(test)]` is `mod NAME { … }`; what else is there belongs to the code that it is in.
fn is_module_with_body(item: &str) -> bool {
    let declared =
        item.split_once(']').is_some_and(|(_, item)| item.trim_start().starts_with("mod "));
    declared && item.ends_with('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_comments_and_tests_are_not_counted() {
        assert_eq!(characters("fn  a() {\n\t1 // one\n}\n"), "fna(){1}".len());
        assert_eq!(characters("a /* b\n c */ d"), 2);
        assert_eq!(characters("a\n#[cfg(test)]\nmod tests { fn x() {} }\nb"), 2);
        assert_eq!(characters("#[cfg(test)]\nmod tests;"), "#[cfg(test)]modtests;".len());
        assert_eq!(characters("#[cfg(test)] use x;"), "#[cfg(test)]usex;".len());
    }

    #[test]
    fn what_looks_like_a_comment_inside_a_text_is_text() {
        assert_eq!(characters("\"http://a b\" // c"), "\"http://ab\"".len());
        assert_eq!(characters("r#\"a // \"b\" \"# /* c */"), "r#\"a//\"b\"\"#".len());
        assert_eq!(characters(r#""\" // " '"' '\'' x"#), r#""\"//"'"''\''x"#.len());
        assert_eq!(characters("fn f<'a>(x: &'a str) {} // '"), "fnf<'a>(x:&'astr){}".len());
        assert_eq!(characters("é // ü"), 1);
    }

    #[test]
    fn files_belong_to_areas() {
        assert_eq!(area("shared/benchmarks/math/src/lib.rs"), "shared/benchmarks/math");
        assert_eq!(area("shared/core/src/lib.rs"), "shared/core");
        assert_eq!(area("backend/src/main.rs"), "backend");
        for test in [
            "tests/src/lib.rs",
            "backend/tests/web.rs",
            "xtask/src/web/files/tests.rs",
            "tests/benches/x.rs",
        ] {
            assert!(is_test(test), "{test}");
        }
        assert!(!is_test("backend/src/attest.rs"));
    }

    #[test]
    fn growth_and_shrinking_are_told_apart() {
        let allowed = limits("# why\n\"a\" = 2\n\"b\" = 2\n\"gone\" = 1\n").expect("three limits");
        let counted = Areas::from([("a".into(), 2001), ("b".into(), 1000), ("new".into(), 1)]);
        let (grown, shrunk) = compare(&counted, &allowed);
        assert_eq!(grown, ["a from 2 to 3", "new from 0 to 1"]);
        assert_eq!(shrunk, ["b from 2 to 1", "gone from 1 to 0"]);
        assert!(limits("a: 3").unwrap_err().to_string().contains("`a: 3`"));
    }
}
