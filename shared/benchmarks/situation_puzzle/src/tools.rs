//! Commands about puzzles: whether a new one is fit for use.

use std::sync::LazyLock;

use turnwise_core::benchmark::Tools;
use turnwise_core::benchmark::tool::{Done, Given, Printed};
use turnwise_core::prelude::*;
use turnwise_core::transcript::Part;

use crate::check::{self, Direct, Heard, Verdict};
use crate::{NAME, tasks};

pub(super) static TOOLS: LazyLock<Tools> =
    LazyLock::new(|| Tools::read(include_str!("tools.toml"), &[("check", run)]));

const RUNS: &str = "DIR|FILE";

/// What recorded runs say of a set of puzzles.
#[derive(Default)]
struct Evidence {
    direct: Vec<Direct>,
    heard: Vec<Heard>,
    /// Transcripts of the two modes that are not of these puzzles.
    strange: usize,
    /// Transcripts that say nothing: of other modes, or incomplete.
    silent: usize,
}

impl Evidence {
    fn add(&mut self, set: &TaskSet, transcript: &Transcript) {
        if transcript.header.part != Part::Play {
            return;
        }
        let of = &transcript.header.task;
        if !set.holds(&of.id, of.digest) {
            self.strange += 1;
        } else if let Some(heard) = check::heard(transcript) {
            self.heard.push(heard);
        } else if let Some(direct) = check::direct(transcript) {
            self.direct.push(direct);
        } else {
            self.silent += 1;
        }
    }
}

fn run(given: &Given<'_>) -> Result<Done, String> {
    let file = given.file("FILE").ok_or("no file was named")?;
    let set =
        tasks::read(&file.name, &file.bytes).map_err(|error| format!("{}: {error}", file.path))?;
    let mut evidence = Evidence::default();
    for recorded in given.transcripts(RUNS) {
        let recorded = recorded?;
        let benchmark = &recorded.transcript.header.spec.benchmark;
        if benchmark != NAME {
            return Err(format!(
                "{}: it is a transcript of {benchmark}; puzzles are checked by runs of {NAME}",
                recorded.path
            ));
        }
        evidence.add(&set, &recorded.transcript);
    }
    let checked = check::check(&set, &evidence.direct, &evidence.heard);
    let mut puzzles = checked.0.iter();
    let is_sound = puzzles.all(|puzzle| puzzle.verdict() != Verdict::Fails);
    let printed = match given.has("json") {
        true => Printed::Json(checked.record()),
        false => {
            let mut said = checked.to_string();
            for (count, why) in [
                (evidence.strange, "are of other puzzles, or of other versions of these"),
                (evidence.silent, "are incomplete, or neither of direct nor of hearing"),
            ] {
                if count > 0 {
                    said.push_str(&format!("\nnote: {count} transcripts {why}; they are left out"));
                }
            }
            Printed::Text(said)
        }
    };
    Ok(Done { printed, files: Vec::new(), is_sound })
}
