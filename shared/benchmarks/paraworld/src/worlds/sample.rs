//! Our own small set of worlds: built with fixed seeds, and some written by hand.

use super::super::task::{Worlds, load};

/// The file: 36 built worlds in six categories and all three tiers, English and Chinese, then six written by hand.
const FILE: &str = include_str!("../../samples/worlds.jsonl");

/// Our sample worlds.
///
/// # Panics
/// Never: a test reads the file.
pub fn sample() -> Worlds {
    load(FILE.as_bytes()).expect("the sample worlds are a file that tests have read")
}
