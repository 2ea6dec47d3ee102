//! The authors' task file, where it is at hand: ids, counts and digests only, never a text.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "the core reads no files; this test does, to hand them to the core"
)]

use std::path::PathBuf;

use turnwise_core::prelude::*;
use turnwise_interactcomp::dataset::{
    self, Dataset, OFFICIAL_CANARY, OFFICIAL_FILE, OFFICIAL_TASKS, Provenance,
};

/// Where data of others lies: `TURNWISE_DATA`, else `../shared/data` beside the workspace.
fn data_dir() -> PathBuf {
    match std::env::var_os("TURNWISE_DATA") {
        Some(folder) => folder.into(),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data")),
    }
}

/// The file and what it contains, or `None` after saying so.
fn official() -> Option<(Vec<u8>, Dataset)> {
    let path = data_dir().join("interactcomp/InteractComp210.jsonl");
    let Ok(file) = std::fs::read(&path) else {
        eprintln!("skipped: InteractComp210.jsonl is not in the data folder (TURNWISE_DATA)");
        return None;
    };
    let tasks = dataset::load(&file, None).expect("the authors' file can be read");
    Some((file, tasks))
}

#[test]
fn digests_and_counts_are_those_of_the_specification() {
    let Some((_, set)) = official() else { return };
    assert_eq!(set.file.to_string(), OFFICIAL_FILE);
    assert_eq!(set.plain.to_string(), OFFICIAL_TASKS);
    assert_eq!(set.provenance(), Provenance::OfficialFile);
    let canary = OFFICIAL_CANARY.to_owned();
    assert_eq!(set.origin, TaskSetOrigin::Encrypted { canary });

    let ids: Vec<i64> = set.tasks.iter().filter_map(|task| task.number()).collect();
    assert_eq!(ids, (1..=210).collect::<Vec<_>>());
    let of = |domain: &str, code: &str| {
        let alike = |task: &&dataset::Task| {
            (domain.is_empty() || task.domain == domain) && task.language.code() == code
        };
        set.tasks.iter().filter(alike).count()
    };
    assert_eq!((of("", "en"), of("", "zh")), (140, 70));
    let wanted = [
        ("Humanities", 52, 28, 24),
        ("Entertainment", 42, 34, 8),
        ("Science & Engineering", 34, 29, 5),
        ("Business & Economics", 23, 6, 17),
        ("Sports", 18, 17, 1),
        ("Law & Politics", 15, 4, 11),
        ("Medicine & Life Sciences", 11, 10, 1),
        ("Academic & Research", 8, 8, 0),
        ("General Knowledge & Misc.", 7, 4, 3),
    ];
    for (domain, all, en, zh) in wanted {
        assert_eq!((of(domain, "en"), of(domain, "zh"), en + zh), (en, zh, all), "{domain}");
    }
    assert_eq!(wanted.map(|(_, all, ..)| all).iter().sum::<usize>(), set.tasks.len());
}

/// Compared by `assert!`, so that a failure prints no text.
#[test]
fn it_survives_decryption_and_encryption_byte_for_byte() {
    let Some((file, set)) = official() else {
        return;
    };
    let again = dataset::encrypted_lines(&set.tasks, OFFICIAL_CANARY);
    assert!(again.as_bytes() == file, "encrypting the tasks again gives another file");

    let plain = dataset::plain_lines(&set.tasks);
    let decrypted = dataset::load(plain.as_bytes(), None).expect("the decrypted file can be read");
    assert!(decrypted.tasks == set.tasks);
    assert_eq!(decrypted.provenance(), Provenance::OfficialTasks);
}

#[test]
fn without_its_canary_it_is_refused() {
    let Some((file, set)) = official() else {
        return;
    };
    let text = String::from_utf8(file).expect("the file is UTF-8");
    let without = text.replace(",\"canary\":\"InteractComp\"", "");
    let error = dataset::load(without.as_bytes(), None).expect_err("it looks encrypted");
    assert!(error.to_string().starts_with("row 1, field question: it looks encrypted"));
    let with =
        dataset::load(without.as_bytes(), Some(OFFICIAL_CANARY)).expect("the canary is given");
    assert!(with.tasks == set.tasks);
}

/// Rows that differ from the rest in ways that programs stumble over (specification 2).
#[test]
fn its_peculiarities_survive() {
    let Some((_, set)) = official() else { return };
    let having = |has: fn(&dataset::Task) -> bool| -> Vec<i64> {
        set.tasks.iter().filter(|task| has(task)).filter_map(|task| task.number()).collect()
    };
    assert_eq!(having(|task| task.question.contains('{')), [89]);
    assert_eq!(having(|task| task.context.contains('\n')).len(), 161);
    let latin_answers = having(|task| task.language.code() == "zh" && task.answer.is_ascii());
    assert_eq!(latin_answers, [139, 199]);
    let answers: std::collections::BTreeSet<_> =
        set.tasks.iter().map(|task| &task.answer).collect();
    assert_eq!(answers.len(), 208);
}
