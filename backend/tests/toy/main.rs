//! Does a benchmark need a line anywhere but in its own file? The program of this test has one more than the product; everything that
//! the product does with benchmarks, it does with this one.
//!
//! The test starts itself as the program. What pages show of such a benchmark, the tests of the web app and of the browser say.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test without a harness says how it went"
)]
#![allow(
    unused_imports,
    reason = "the unit tests of the program's source are here, and nothing runs them"
)]

mod benchmark;
#[path = "../../src/cli/mod.rs"]
#[expect(
    unused_imports,
    dead_code,
    reason = "its unit tests need them, and there are none without a harness"
)]
mod cli;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use serde_json::Value;
use turnwise_shared::registry;

/// Set where this is the program, and not the test.
const IS_PROGRAM: &str = "TURNWISE_TEST_IS_PROGRAM";

fn main() -> ExitCode {
    registry::add(&benchmark::Toy);
    if std::env::var_os(IS_PROGRAM).is_some() {
        return cli::main();
    }
    it_is_run_measured_compared_exported_and_ranked();
    println!("a benchmark in one file ... ok");
    ExitCode::SUCCESS
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TURNWISE_") || name == "DATABASE_URL" {
            command.env_remove(name);
        }
    }
    command.env(IS_PROGRAM, "1").current_dir(folder);
    command
}

/// What the program prints; it must succeed.
fn say(folder: &Path, words: &str) -> String {
    let said = program(folder).args(words.split_whitespace()).output().unwrap();
    assert!(said.status.success(), "{words}: {said:?}");
    String::from_utf8(said.stdout).unwrap()
}

/// A server that is killed when it is dropped.
struct Serving(Child, String);

impl Serving {
    fn start(folder: &Path) -> Self {
        let mut child = program(folder)
            .env("TURNWISE_DEMO", "off")
            .args(["serve", "--addr", "127.0.0.1:0", "--data", "data"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split_whitespace().find(|word| word.starts_with("http"));
        Serving(child, address.unwrap().trim_end_matches('.').to_owned())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn it_is_run_measured_compared_exported_and_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    say(folder, "run --benchmark toy --out right");
    say(folder, "run --benchmark toy --seat player=bot:two --out wrong");
    let plays = std::fs::read_dir(folder.join("right")).unwrap();
    for play in plays.map(|file| file.unwrap().path()) {
        if play.to_string_lossy().ends_with(".play.jsonl") {
            let replayed = say(folder, &format!("replay {}", play.display()));
            assert!(replayed.contains(": same, "), "{replayed}");
        }
    }

    let numbers: Value = serde_json::from_str(&say(folder, "metrics right --json")).unwrap();
    assert_eq!((&numbers["n"], &numbers["accuracy"]), (&3.into(), &1.0.into()));
    assert!(say(folder, "metrics wrong").contains("Accuracy"));
    let compared = say(folder, "metrics --compare right wrong");
    assert!(compared.contains("+66.67 points"), "two of three sums differ: {compared}");

    say(folder, "export --format csv --out all.csv right wrong");
    let table = std::fs::read_to_string(folder.join("all.csv")).unwrap();
    assert_eq!(table.lines().count(), 7, "{table}");
    say(folder, "export --format eval --out right.eval right");
    assert!(folder.join("right.eval").metadata().unwrap().len() > 0);
    say(folder, "export --format html --out right.html right");
    let page = std::fs::read_to_string(folder.join("right.html")).unwrap();
    assert!(page.contains("Toy sums") && page.contains("Accuracy"));

    let server = Serving::start(folder);
    for run in ["right", "wrong"] {
        say(folder, &format!("submit --to {} {run}", server.1));
    }
    let boards = say(folder, "boards --data data");
    let board = boards.lines().find(|line| line.contains(" toy "));
    let board = board.unwrap_or_else(|| panic!("it has no board: {boards}"));
    let id = board.split_whitespace().next().unwrap();
    let ranked = say(folder, &format!("boards --data data {id}"));
    let place = |player: &str| ranked.lines().position(|line| line.contains(player));
    assert!(place("adds").unwrap() < place("two").unwrap(), "{ranked}");
}
