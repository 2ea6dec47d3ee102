//! Whole episodes: prompts, replies, bots that choose at random, and a transcript line for everything, hash chain included.

use std::collections::BTreeMap;

use serde_json::json;
use turnwise_shared::benchmarks::poker::Poker;
use turnwise_shared::prelude::*;
use turnwise_shared::run::{Action, Ingredients};
use turnwise_shared::scheduler::Limits;

pub const HANDS: usize = 200;

/// Bytes of all transcripts of a run of [`HANDS`] hands, each an episode of its own.
pub fn play() -> usize {
    let benchmark: &'static dyn Benchmark = &Poker;
    let settings = json!({ "tables": 1, "hands": HANDS });
    let mut spec = turnwise_tests::spec(benchmark, Profile::Strict, settings);
    for sitting in spec.seats.values_mut() {
        sitting.player = "bot:random-legal".parse().expect("a player");
    }
    let mut run = Run::new(Ingredients {
        benchmark,
        tasks: turnwise_tests::tasks(benchmark, &spec),
        pack: benchmark.pack(),
        recordings: BTreeMap::new(),
        limits: Limits::new(16),
        spec,
    })
    .expect("the spec can be played");
    let (mut bytes, mut ended) = (0, 0);
    loop {
        match run.poll() {
            Action::Lines { lines, .. } => {
                bytes += lines.iter().map(|line| line.len() + 1).sum::<usize>();
            }
            Action::Ended { .. } => ended += 1,
            Action::Over => break,
            other => panic!("bots need nobody: {other:?}"),
        }
    }
    assert_eq!(ended, HANDS, "every hand is an episode");
    bytes
}
