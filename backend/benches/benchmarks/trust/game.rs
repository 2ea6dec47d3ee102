//! The bare Trust Game: rounds a second against Axelrod-Python with the same rules and payoffs, every pair of the population;
//! what involves no chance must be played alike.
//!
//! Axelrod is compared with if `TURNWISE_PYTHON` (or `python3`) has it; `--peers` puts it into `target/peers`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;
use turnwise_shared::benchmarks::trust::game::{Payoffs, Played, contest, letters};
use turnwise_shared::benchmarks::trust::seeds::Twister;
use turnwise_shared::benchmarks::trust::strategy::Strategy;

/// How many rounds each pair plays; Axelrod's own usual length.
const ROUNDS: u32 = 200;
/// Each measurement is repeated, and the best one is printed: what disturbs a machine only makes it slower.
const TIMES: u32 = 9;

#[derive(Deserialize)]
struct Theirs {
    rounds: f64,
    seconds: f64,
    /// What was played where no chance is involved, by `FIRST+SECOND`.
    matches: BTreeMap<String, [String; 2]>,
}

fn main() {
    let pairs: Vec<[Strategy; 2]> = (0..Strategy::ALL.len())
        .flat_map(|first| {
            (first + 1..Strategy::ALL.len())
                .map(move |second| [Strategy::ALL[first], Strategy::ALL[second]])
        })
        .collect();
    let rounds = f64::from(ROUNDS) * pairs.len() as f64;
    let ours = (0..TIMES)
        .map(|_| {
            let started = Instant::now();
            for pair in &pairs {
                black_box(play(black_box(*pair)));
            }
            rounds / started.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max);
    match axelrod() {
        Ok(theirs) => {
            for pair in &pairs {
                let name = format!("{}+{}", pair[0].name(), pair[1].name());
                if let Some(actions) = theirs.matches.get(&name) {
                    let played = play(*pair);
                    let own = [0, 1].map(|place| letters(&played.actions[place]));
                    assert_eq!(own, *actions, "{name} is played alike");
                }
            }
            let rate = theirs.rounds / theirs.seconds;
            println!(
                "trust rounds, bare engine  {:.1} M/s  {:.0}  Axelrod-Python, {:.3} M/s; {} matches without chance alike",
                ours / 1e6,
                ours / rate,
                rate / 1e6,
                theirs.matches.len()
            );
        }
        Err(why) => println!(
            "trust rounds, bare engine  {:.1} M/s  -  Axelrod-Python skipped: {why}",
            ours / 1e6
        ),
    }
}

fn play(pair: [Strategy; 2]) -> Played {
    let chance = [1, 2].map(|seed| {
        let mut twister = Twister::seeded(seed);
        move || twister.unit()
    });
    contest(pair, ROUNDS, &Payoffs::default(), chance)
}

/// What Axelrod plays, or why it does not.
fn axelrod() -> Result<Theirs, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = python(&root)?;
    let output = Command::new(python)
        .arg(root.join("tests/peers/play_trust.py"))
        .args([ROUNDS.to_string(), TIMES.to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// A Python that has Axelrod.
fn python(root: &Path) -> Result<PathBuf, String> {
    let own = root.join("target/peers/bin/python");
    if std::env::args().any(|word| word == "--peers") {
        if !own.exists() {
            let folder = root.join("target/peers");
            run(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()])?;
        }
        run(&own, &["-m", "pip", "install", "--quiet", "axelrod~=4.14"])?;
    }
    let named = std::env::var_os("TURNWISE_PYTHON").map(PathBuf::from);
    let candidates = named.into_iter().chain([own, PathBuf::from("python3")]);
    candidates
        .into_iter()
        .find(|python| {
            let asked = Command::new(python).args(["-c", "import axelrod"]).output();
            asked.is_ok_and(|output| output.status.success())
        })
        .ok_or_else(|| "not installed".to_owned())
}

fn run(program: &Path, words: &[&str]) -> Result<(), String> {
    match Command::new(program).args(words).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ")),
        Err(error) => Err(error.to_string()),
    }
}
