//! Did behaviour change? Recorded runs are replayed line by line.
//!
//! A wanted change bumps the benchmark's protocol version; then record anew with `TURNWISE_RECORD=1 cargo test --test
//! suite golden::` and commit the new files together with the change.

use std::path::PathBuf;

use turnwise_shared::registry::{self, BENCHMARKS};
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::transcript;
use turnwise_tests::{answer, drive, file, open, open_grading, spec, tasks};

/// The folders of the benchmarks.
fn folders() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/benchmarks")
}

/// The recorded episodes of all benchmarks by name.
fn plays() -> Vec<(String, PathBuf)> {
    let files = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.expect("it can be listed").path())
    };
    let recordings = files(folders()).flat_map(|folder| files(folder.join("golden")));
    let mut plays: Vec<_> = recordings
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), path)))
        .filter(|(name, _)| name.ends_with(".play.jsonl"))
        .collect();
    plays.sort();
    plays
}

/// Where recordings of a benchmark lie: where it has some, else in the folder of its name.
fn folder(benchmark: &str) -> PathBuf {
    let begins = format!("{benchmark}-");
    let own = plays().into_iter().find(|(name, _)| name.starts_with(&begins));
    match own {
        Some((_, path)) => path.parent().expect("it lies in a folder").to_owned(),
        None => folders().join(benchmark).join("golden"),
    }
}

/// One after the other: while recordings are made, nothing else reads them.
#[test]
fn recorded_runs_replay_and_stay_on_their_boards() {
    recorded_runs_replay();
    recorded_runs_stand_on_their_boards();
}

fn recorded_runs_replay() {
    let record = std::env::var_os("TURNWISE_RECORD").is_some();
    for benchmark in BENCHMARKS.iter().copied() {
        let folder = folder(benchmark.name());
        if record {
            std::fs::create_dir_all(&folder).expect("a folder can be made");
        }
        for (profile, settings) in benchmark.trials() {
            let spec = spec(benchmark, profile, settings);
            let mode = turnwise_tests::name(&spec);
            // The first two tasks: one English, one Chinese.
            let samples = tasks(benchmark, &spec);
            for (position, task) in
                samples.tasks.iter().enumerate().filter(|(position, _)| [0, 1].contains(position))
            {
                let stem = format!("{}-{}-{mode}-{position}", benchmark.name(), profile.name());
                let play_file = folder.join(format!("{stem}.play.jsonl"));
                if record {
                    let mut session = open(benchmark, &spec, task);
                    let lines = drive(&mut session, |call, effect| {
                        answer(benchmark, &spec, task, call, effect)
                    });
                    std::fs::write(&play_file, file(&lines)).expect("the recording can be written");
                }
                let text = std::fs::read_to_string(&play_file).unwrap_or_else(|error| {
                    panic!(
                        "{}: {error}; record it (see the head of this file)",
                        play_file.display()
                    )
                });
                let play = transcript::read(&text).expect("a recording is sound");
                assert_eq!(
                    play.header.spec.protocol,
                    benchmark.protocol(),
                    "{stem}: the protocol has a new version; record anew"
                );
                assert_eq!(
                    play.header.spec.pack.digest,
                    benchmark.pack().digest(),
                    "{stem}: the default prompt pack has changed; give it a new name and record anew"
                );
                let mut session = open(benchmark, &play.header.spec, task);
                match Replay::new(&play).run(&mut session) {
                    Ok(Extent::Whole) => assert_eq!(session.chain(), play.chain, "{stem}"),
                    Ok(other) => panic!("{stem}: the recording is {other:?}"),
                    Err(drift) => panic!(
                        "{stem}: {drift}. If the change is wanted, bump the protocol version"
                    ),
                }
                if let Some(mut grading) = open_grading(benchmark, &play.header.spec, task, &play) {
                    let grading_file = folder.join(format!("{stem}.grading.jsonl"));
                    if record {
                        let lines = drive(&mut grading, |call, effect| {
                            answer(benchmark, &spec, task, call, effect)
                        });
                        std::fs::write(&grading_file, file(&lines))
                            .expect("the recording can be written");
                    }
                    let text = std::fs::read_to_string(&grading_file)
                        .expect("a graded play has a recorded grading");
                    let recorded = transcript::read(&text).expect("a recording is sound");
                    let mut again =
                        open_grading(benchmark, &play.header.spec, task, &play).expect("as before");
                    assert_eq!(Replay::new(&recorded).run(&mut again), Ok(Extent::Whole), "{stem}");
                }
            }
        }
    }
}

/// What divides boards stays what it was: a default that is written in another way would move every run to a new board.
fn recorded_runs_stand_on_their_boards() {
    let boards: Vec<String> = plays()
        .into_iter()
        .map(|(name, path)| {
            let text = std::fs::read_to_string(&path).expect("a recording can be read");
            let spec = transcript::read(&text).expect("a recording is sound").header.spec;
            format!(
                "{name} {}",
                registry::find(&spec.benchmark).expect("it is registered").board(&spec)
            )
        })
        .collect();
    assert!(!boards.is_empty(), "the recordings are there");
    insta::assert_snapshot!("boards", boards.join("\n"));
}
