//! The program as other programs call it: started with words, in folders of its own.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

#[derive(Debug)]
pub struct Said {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// `turnwise` with these arguments and nothing of the environment.
fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TURNWISE_") || name == "DATABASE_URL" {
            command.env_remove(name);
        }
    }
    command.env("TURNWISE_DEMO", "off").args(arguments);
    command
}

pub fn turnwise<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Said {
    let Output { status, stdout, stderr } =
        command(arguments).output().expect("the program was built");
    Said {
        status: status.code().expect("it was not killed"),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

impl Said {
    /// Checks that this is on its standard output.
    #[track_caller]
    pub fn out_has(&self, text: &str) {
        assert!(self.out.contains(text), "{text}: {}", self.out);
    }

    /// Checks that this is on its standard error.
    #[track_caller]
    pub fn err_has(&self, text: &str) {
        assert!(self.err.contains(text), "{text}: {}", self.err);
    }
}

#[track_caller]
pub fn expect(said: Said, status: i32) -> Said {
    assert_eq!(said.status, status, "{said:#?}");
    said
}

/// A folder that goes with the test, and the program that is called in it.
pub struct Folder(TempDir);

pub fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

impl Folder {
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where a file or folder in it is.
    pub fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }

    /// Writes a file, and makes the folders that lead to it.
    #[track_caller]
    pub fn write(&self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) {
        let file = self.at(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, contents).unwrap();
    }

    /// These words as arguments; those that begin with `@` are files of the folder.
    fn arguments(&self, words: &str) -> impl Iterator<Item = String> {
        words.split_whitespace().map(|word| match word.split_once('@') {
            // `tape:@run`, `@run`
            Some((before, name)) if before.is_empty() || before.ends_with(':') => {
                format!("{before}{}", self.at(name).display())
            }
            _ => word.to_owned(),
        })
    }

    /// `turnwise` with these words.
    pub fn say(&self, words: &str) -> Said {
        turnwise(self.arguments(words))
    }

    /// The same, where it is not waited for its end.
    pub fn begin(&self, words: &str) -> Child {
        let mut command = command(self.arguments(words));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The same, where it ends with this status.
    #[track_caller]
    pub fn run(&self, words: &str, status: i32) -> Said {
        expect(self.say(words), status)
    }

    /// What a command prints as JSON.
    #[track_caller]
    pub fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.run(words, 0).out).expect("it is JSON")
    }

    /// The transcripts of a run by name.
    pub fn transcripts(&self, run: &str) -> BTreeMap<String, String> {
        transcripts(&self.at(run))
    }

    /// The lines of a file, each of which is JSON.
    #[track_caller]
    pub fn lines(&self, name: &str) -> Vec<Value> {
        self.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
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

/// Commands that are refused for a reason, and leave no folder.
#[track_caller]
pub fn refused(folder: &Folder, wrong: &[(&str, &str)]) {
    for (words, why) in wrong {
        folder.run(&format!("run {words} --out @out"), 1).err_has(why);
        assert!(!folder.at("out").exists(), "{words} left a folder");
    }
}

/// Checks that a run of bots has `episodes` transcripts, replays, and comes out the same when it is driven again.
#[track_caller]
pub fn is_sound(folder: &Folder, run: &str, episodes: usize) {
    let before = folder.transcripts(run);
    assert_eq!(before.len(), episodes);
    let said = folder.run(&format!("replay @{run}"), 0);
    assert_eq!(said.out.lines().count(), episodes);
    folder.run(&format!("run --redrive @{run} --out @{run}-again"), 0);
    assert_eq!(folder.transcripts(&format!("{run}-again")), before);
}
