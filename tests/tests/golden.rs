//! Did behaviour change? Recorded runs are replayed line by line.
//!
//! A wanted change bumps the benchmark's protocol version; then record anew with `TURNWISE_RECORD=1 cargo test --test
//! suite golden::` and commit the new files together with the change.

use std::path::PathBuf;

use turnwise_shared::registry::{self, BENCHMARKS};
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::transcript;
use turnwise_tests::{answer, drive, file, open, open_grading, spec, tasks};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden")
}

#[test]
fn recorded_runs_replay() {
    let record = std::env::var_os("TURNWISE_RECORD").is_some();
    for benchmark in BENCHMARKS.iter().copied() {
        for (profile, settings) in benchmark.trials() {
            let spec = spec(benchmark, profile, settings);
            let mode = turnwise_tests::name(&spec);
            // The first two tasks: one English, one Chinese.
            let samples = tasks(benchmark, &spec);
            for (position, task) in samples
                .tasks
                .iter()
                .enumerate()
                .filter(|(position, _)| [0, 1].contains(position))
            {
                let stem = format!("{}-{}-{mode}-{position}", benchmark.name(), profile.name());
                let play_file = folder().join(format!("{stem}.play.jsonl"));
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
                    let grading_file = folder().join(format!("{stem}.grading.jsonl"));
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
                    assert_eq!(
                        Replay::new(&recorded).run(&mut again),
                        Ok(Extent::Whole),
                        "{stem}"
                    );
                }
            }
        }
    }
}

/// What divides boards stays what it was: a default that is written in another way would move every run to a new board.
#[test]
fn recorded_runs_stand_on_their_boards() {
    let mut boards: Vec<String> = std::fs::read_dir(folder())
        .expect("the recordings are there")
        .map(|entry| entry.expect("a recording").path())
        .filter(|path| path.to_string_lossy().ends_with(".play.jsonl"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a recording can be read");
            let spec = transcript::read(&text)
                .expect("a recording is sound")
                .header
                .spec;
            let name = path
                .file_name()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            format!(
                "{name} {}",
                registry::find(&spec.benchmark)
                    .expect("it is registered")
                    .board(&spec)
            )
        })
        .collect();
    boards.sort();
    insta::assert_snapshot!("boards", boards.join("\n"));
}
