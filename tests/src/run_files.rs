//! The transcripts of a run folder, and whether two runs are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use turnwise_shared::prelude::*;
use turnwise_shared::transcript;

/// The transcripts of a run folder by file name.
///
/// # Panics
/// If the folder cannot be read.
pub fn transcripts(folder: &Path) -> BTreeMap<String, String> {
    std::fs::read_dir(folder)
        .expect("the run folder is there")
        .map(|entry| entry.expect("it reads").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("it reads");
            (name.into_owned(), text)
        })
        .collect()
}

/// Checks that two runs have the same transcripts, byte for byte.
///
/// # Panics
/// At the first transcript and line that differ. The line itself is not shown: it may be of an official task.
pub fn assert_same(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) {
    let names = |all: &BTreeMap<String, String>| all.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(one), names(other));
    for (name, text) in one {
        let other = &other[name];
        if text != other {
            let pairs = text.lines().zip(other.lines());
            let line = pairs.take_while(|(one, other)| one == other).count() + 1;
            let (lines, other_lines) = (text.lines().count(), other.lines().count());
            panic!("{name} differs from line {line} on; {lines} and {other_lines} lines");
        }
    }
}

/// How many replies of models a transcript has, those of bots and search engines left out.
///
/// # Panics
/// If it is no sound transcript.
pub fn replies_of_models(text: &str) -> u64 {
    let read = transcript::read(text).expect("a sound transcript");
    let seats = &read.header.spec.seats;
    let mut asked = BTreeSet::new();
    let mut replies = 0;
    for event in read.events.iter().flatten() {
        match event {
            Event::Asked { call, request, .. } => {
                let sitting = request.seat().and_then(|seat| seats.get(seat));
                if sitting.is_some_and(|it| matches!(it.player, Player::Model { .. })) {
                    asked.insert(*call);
                }
            }
            Event::Told { call, reply } if !matches!(reply, Reply::Failed(_)) => {
                replies += u64::from(asked.remove(call));
            }
            _ => {}
        }
    }
    replies
}
