//! The program as other programs call it: started with words, in folders of its own.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

#[derive(Debug)]
pub struct Said {
    pub status: i32,
    pub out: String,
    pub err: String,
}

pub fn turnwise<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TURNWISE_") || name == "DATABASE_URL" {
            command.env_remove(name);
        }
    }
    command.env("TURNWISE_DEMO", "off");
    let Output { status, stdout, stderr } =
        command.args(arguments).output().expect("the program was built");
    Said {
        status: status.code().expect("it was not killed"),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// `turnwise` with words as arguments; those that begin with `@` are files of `folder`.
pub fn say(folder: &TempDir, words: &str) -> Said {
    let arguments = words.split_whitespace().map(|word| {
        match word.split_once('@') {
            // `tape:@run`, `@run`
            Some((before, name)) if before.is_empty() || before.ends_with(':') => {
                format!("{before}{}", folder.path().join(name).display())
            }
            _ => word.to_owned(),
        }
    });
    turnwise(arguments)
}

#[track_caller]
pub fn expect(said: Said, status: i32) -> Said {
    assert_eq!(said.status, status, "{said:#?}");
    said
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The transcripts of a folder by name.
pub fn transcripts(folder: &Path) -> BTreeMap<String, String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension() == Some(OsStr::new("jsonl")))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// What a command prints as JSON.
#[track_caller]
pub fn json_of(folder: &TempDir, words: &str) -> Value {
    let said = expect(say(folder, words), 0);
    serde_json::from_str(&said.out).expect("it is JSON")
}

/// Commands that are refused for a reason, and leave no folder.
#[track_caller]
pub fn refused(folder: &TempDir, wrong: &[(&str, &str)]) {
    for (words, why) in wrong {
        let said = expect(say(folder, &format!("run {words} --out @out")), 1);
        assert!(said.err.contains(why), "{words}: {}", said.err);
        assert!(!folder.path().join("out").exists(), "{words} left a folder");
    }
}

/// Checks that a run of bots has `episodes` transcripts, replays, and comes out the same when it is driven again.
#[track_caller]
pub fn is_sound(folder: &TempDir, run: &str, episodes: usize) {
    let before = transcripts(&folder.path().join(run));
    assert_eq!(before.len(), episodes);
    let said = expect(say(folder, &format!("replay @{run}")), 0);
    assert_eq!(said.out.lines().count(), episodes);
    expect(say(folder, &format!("run --redrive @{run} --out @{run}-again")), 0);
    let again = folder.path().join(format!("{run}-again"));
    assert_eq!(transcripts(&again), before);
}
