//! The public samples of Mind-ParaWorld: they load, become tasks, and are written back with nothing lost. Only counts stand
//! here.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "the core reads no files; this test does, to hand them to it"
)]

use std::path::PathBuf;

use turnwise_core::json::parse;
use turnwise_core::prelude::*;
use turnwise_paraworld::task::{Language, Manifest, Tier, lines, load, of_task};

#[test]
fn the_public_samples() {
    let folder = match std::env::var_os("TURNWISE_DATA") {
        Some(folder) => folder.into(),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data")),
    };
    let Ok(file) = std::fs::read(folder.join("mind_paraworld/mpw_bench.jsonl")) else {
        eprintln!("skipped: the public samples are not at hand");
        return;
    };
    let set = load(&file).expect("the public samples can be read");
    assert_eq!(set.worlds.len(), 3);
    for world in &set.worlds {
        assert_eq!((world.facts.len(), world.tier()), (4, Tier::Easy));
        assert_eq!(world.language(), Language::Zh);
        assert!(world.generated_question.is_some() && world.final_answer.is_some());
        assert!(world.category.is_none() && world.extra.is_none());
    }
    let text = String::from_utf8(file).expect("the public samples are UTF-8");
    let written = lines(&set.worlds);
    let values =
        |text: &str| -> Vec<_> { text.lines().map(|line| parse(line, Dialect::Strict)).collect() };
    assert_eq!(values(&text), values(&written));
    for (world, task) in set.worlds.iter().zip(set.to_task_set("samples").tasks) {
        assert_eq!(of_task(&task).as_ref(), Some(world));
    }
    assert_eq!(Manifest::of("samples", &set).check(&set), Ok(()));
}
