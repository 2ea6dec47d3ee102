//! What other programs read, as it was recorded: the numbers of every recorded episode, as JSON and as a table, and the help
//! of every command. A refactoring changes none of it; a wanted change is reviewed with `cargo insta review`.

use std::path::PathBuf;

use crate::common::*;

/// The recorded episodes by name, each with its transcripts: the episode and, where there is one, its grading.
fn episodes() -> Vec<(String, Vec<PathBuf>)> {
    let files = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path())
    };
    let benchmarks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks");
    let mut episodes: Vec<_> = files(benchmarks)
        .flat_map(|folder| files(folder.join("golden")))
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(".play.jsonl")?;
            let grading = path.with_file_name(format!("{name}.grading.jsonl"));
            let name = name.to_owned();
            let files = [path].into_iter().chain(grading.is_file().then_some(grading));
            Some((name, files.collect()))
        })
        .collect();
    episodes.sort();
    assert!(!episodes.is_empty());
    episodes
}

/// `turnwise metrics` over every recorded episode, one after the other.
fn metrics(flags: &[&str]) -> String {
    let mut all = String::new();
    for (name, files) in episodes() {
        let mut arguments: Vec<_> = vec!["metrics".into(), "--day".into(), "2026-01-01".into()];
        arguments.extend(flags.iter().map(std::ffi::OsString::from));
        arguments.extend(files.into_iter().map(PathBuf::into_os_string));
        let said = expect(turnwise(arguments), 0);
        all.push_str(&format!("==== {name}\n{}\n", said.out));
    }
    all
}

#[test]
fn numbers_of_recorded_episodes_as_json() {
    insta::assert_snapshot!("metrics_json", metrics(&["--json"]));
}

#[test]
fn numbers_of_recorded_episodes_as_tables() {
    insta::assert_snapshot!("metrics_tables", metrics(&[]));
}

/// The help of a command and of all its subcommands, as `--help` lists them.
fn help(command: &[&str], all: &mut String) {
    let said = expect(turnwise(command.iter().chain(&["--help"])), 0);
    all.push_str(&format!("==== turnwise {}\n{}\n", command.join(" "), said.out));
    let listed = said.out.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| !line.is_empty()) {
        // Names stand two columns from the left; further lines are what they do.
        let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) else {
            continue;
        };
        let name = name.split_whitespace().next().unwrap();
        if name != "help" {
            help(&[command, &[name]].concat(), all);
        }
    }
}

#[test]
fn help_of_every_command() {
    let mut all = String::new();
    help(&[], &mut all);
    insta::assert_snapshot!("help", all);
}
