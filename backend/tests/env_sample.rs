//! `.env.sample` names every variable that the program reads, and no other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Read by the program, and named by no sample: the terminal sets it.
const NOT_OURS: [&str; 1] = ["COLUMNS"];

/// Words between double quotes that can be names of variables.
fn quoted(code: &str) -> impl Iterator<Item = &str> {
    code.split('"').skip(1).step_by(2).filter(|word| {
        let is_sign =
            |sign: char| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_';
        word.contains('_') && word.chars().all(is_sign)
    })
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            all.push(path);
        }
    }
}

/// Names in the program's code, without its tests; a name that ends in `_` is the beginning of many.
fn read_by_the_program() -> BTreeSet<String> {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let mut names = BTreeSet::new();
    for file in all {
        let code = std::fs::read_to_string(&file).expect("it can be read");
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let is_variable = |name: &&str| {
                let ours = name.starts_with("TURNWISE_") || *name == "DATABASE_URL";
                let of_a_service = name.ends_with("_API_KEY")
                    || name.ends_with("_BASE_URL")
                    || name.ends_with("_PROXY");
                (ours || of_a_service) && !name.starts_with('_') && !NOT_OURS.contains(name)
            };
            names.extend(quoted(line).filter(is_variable).map(str::to_owned));
        }
    }
    names
}

#[test]
fn the_sample_names_every_variable_and_no_other() {
    let sample = include_str!("../../.env.sample");
    let named: BTreeSet<&str> = sample
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.split_once('='))
        .map(|(name, _)| name)
        .filter(|name| !name.contains(' '))
        .collect();
    let read = read_by_the_program();
    assert!(read.len() > 15, "{read:?}");
    for name in &read {
        let is_told = match name.strip_suffix('_') {
            Some(_) => named.iter().any(|told| told.starts_with(name)),
            // Some may be described in words alone, as another name of the same.
            None => named.contains(name.as_str()) || sample.contains(&format!("{name} is taken")),
        };
        assert!(is_told, "{name} is not in .env.sample");
    }
    for name in named {
        let is_read = read.contains(name)
            || read.iter().any(|read| read.ends_with('_') && name.starts_with(read.as_str()));
        assert!(is_read, "{name} is in .env.sample, and nobody reads it");
    }
}
