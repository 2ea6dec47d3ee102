//! The authors' file of questions, where it is at hand: counts and digests only, never a text.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the core reads no files; this test does, to hand them to the core"
)]

use std::path::PathBuf;

use turnwise_core::benchmark::tool::{File, Given};
use turnwise_core::prelude::*;
use turnwise_core::task::label_values;
use turnwise_infodeepseek::InfoDeepSeek;
use turnwise_infodeepseek::scores::{Question, scores};
use turnwise_infodeepseek::tasks::{self, OFFICIAL_FILE, label};

/// Where data of others lies: `TURNWISE_DATA`, else `../shared/data` beside the workspace.
fn official(name: &str) -> Option<Vec<u8>> {
    let folder = match std::env::var_os("TURNWISE_DATA") {
        Some(folder) => folder.into(),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data")),
    };
    std::fs::read(folder.join("infodeepseek").join(name)).ok()
}

/// 2.1 and 2.2, and the bound of 7.4 for questions that all fail.
#[test]
fn the_official_file_loads_as_it_is() {
    let (Some(file), Some(toy)) = (official("InfoDeepSeek_v1.json"), official("toy.json")) else {
        eprintln!("skipped: InfoDeepSeek_v1.json is not in the data folder (TURNWISE_DATA)");
        return;
    };
    assert_eq!(Digest::of(&file).to_string(), OFFICIAL_FILE);
    assert_eq!((InfoDeepSeek::FACTS.provenance)(&file).as_deref(), Some("the authors' questions"));
    let set = tasks::read("official", &file).expect("it can be read");
    let count = |name: &str, value: &str| {
        let labels = set.tasks.iter().filter_map(|task| task.labels.get(name));
        labels.filter(|label| label_values(label).any(|one| one == value)).count()
    };
    assert_eq!(set.tasks.len(), 245);
    let attributes = [
        "multi-hop",
        "long-tail",
        "time-sensitive",
        "freshness",
        "distracting information",
        "false premise",
    ];
    let counts = attributes.map(|attribute| count(label::ATTRIBUTES, attribute));
    assert_eq!(counts, [188, 187, 162, 48, 76, 25]);
    assert_eq!(["politics", "humanities"].map(|domain| count(label::DOMAIN, domain)), [65, 7]);
    assert_eq!(
        ["English", "Chinese", "Icelandic"].map(|name| count(label::LANGUAGE, name)),
        [150, 115, 3]
    );
    assert_eq!(["GPT-4o", "DeepSeek-R1"].map(|name| count(label::RESISTS, name)), [183, 220]);
    let sources = ["1", "2", "3", "4"].map(|sources| count(label::SOURCES, sources));
    assert_eq!(sources, [105, 111, 23, 6]);
    // 7.4: every question failing, and every question right with 5, 3 and 1 pages.
    for (pages, right, bound) in
        [(0, false, 4.155102), (5, true, 3.462585), (3, true, 2.077551), (1, true, 0.692517)]
    {
        let question = |task: &Task| Question {
            sources: task.labels[label::SOURCES].parse().expect("a count"),
            pages: vec![Some(right); pages],
            ..Default::default()
        };
        let questions: Vec<_> = set.tasks.iter().map(question).collect();
        let ic = scores(&questions, 5, Profile::Strict).ic.expect("there are questions");
        assert!((ic - bound).abs() < 1e-6, "{ic}");
    }
    assert_eq!(tasks::read("toy", &toy).map(|set| set.tasks.len()), Ok(4));
    // Rows are written as they stand in the file, keys in their order.
    let (path, name) = ("x/questions.json".to_owned(), "questions.json".to_owned());
    let named = File { path, name, bytes: file.clone(), beside: None };
    let keep = &InfoDeepSeek::FACTS.tools.expect("it has commands")().tools[1];
    let given = Given { files: [("FILE", named)].into(), ..Given::default() };
    let kept = (keep.run)(&given).expect("it is written");
    let lines = String::from_utf8(file).expect("it is text");
    assert_eq!(String::from_utf8_lossy(&kept.files[0]).replace('\n', "\r\n"), lines);
}
