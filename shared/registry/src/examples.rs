//! Which benchmark stands for which kind in tests of what is built for all of them. A test that is about one benchmark alone lies
//! in a folder of that benchmark.

use crate::prelude::*;

/// Reads task files; its player searches and asks, a grader compares its answer.
pub const QUESTIONS: &str = "interactcomp";
/// The file of its authors, in a folder with data of others.
pub const OFFICIAL_FILE: &str = "interactcomp/InteractComp210.jsonl";
/// A game of several participants over many hands, played from seeds.
pub const GAME: &str = "poker";
/// A match of two participants, planned as a round robin.
pub const MATCH: &str = "trust";
/// Its tasks hide what only some seats may see; an engine and a judge answer.
pub const WORLDS: &str = "paraworld";
/// Makes tasks of another benchmark; has no board.
pub const STUDIO: &str = "worlds";
/// A player asks a judge until it answers; short tasks with one right answer.
pub const DIALOGUE: &str = "math";

/// The benchmark of one of these names.
///
/// # Panics
/// If none has that name.
pub fn example(name: &str) -> &'static dyn Benchmark {
    registry::find(name).expect("each of them is registered")
}
