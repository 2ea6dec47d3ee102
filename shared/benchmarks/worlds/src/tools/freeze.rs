//! `turnwise worlds freeze`.

use turnwise_core::benchmark::tool::{Done, Given, Printed};
use turnwise_core::difference::difference;
use turnwise_core::prelude::*;
use turnwise_core::transcript::Part;

use super::{counted, written};
use crate::Studio;
use crate::freeze::{Finished, freeze};
use crate::settings::{Settings, Unit};
use turnwise_paraworld::worlds::{self, Severity};

/// The pairs of a run that came to their end, and how many did not.
struct Read {
    spec: Spec,
    finished: Vec<Finished>,
    incomplete: usize,
}

pub(super) fn run(given: &Given<'_>) -> Result<Done, String> {
    let Read { spec, finished, incomplete } = read(given)?;
    let unit = match given.text("filter") {
        Some("pair") => Unit::Pair,
        Some(_) => Unit::Question,
        None => Settings::of(&spec).map_err(|bad| bad.to_string())?.filter,
    };
    let frozen =
        freeze(given.out_name(), &spec, &finished, unit).map_err(|error| error.to_string())?;
    let questions: usize = finished.iter().map(|one| one.made.questions.len()).sum();
    let mut said = vec![format!(
        "{} of {questions} questions of {} pairs are worlds",
        frozen.worlds.len(),
        finished.len()
    )];
    if incomplete > 0 {
        said.push(format!(
            "note: {incomplete} pairs are incomplete and left out; take the run up with --resume"
        ));
    }
    let findings = frozen.worlds.iter().flat_map(worlds::check);
    let errors = findings.filter(|finding| finding.severity == Severity::Error).count();
    said.push(format!("{}: {}", given.out(0), counted(&frozen.manifest)));
    said.push(format!("{}: sha256 {}", given.out(1), frozen.manifest.sha256));
    if errors > 0 {
        said.push(format!("{errors} errors in these worlds; `turnwise worlds check` names them"));
    }
    Ok(Done {
        printed: Printed::Text(said.join("\n")),
        files: vec![frozen.file.into_bytes(), written(&frozen.manifest)?],
        is_sound: errors == 0,
    })
}

fn read(given: &Given<'_>) -> Result<Read, String> {
    let mut read: Option<Read> = None;
    for recorded in given.transcripts("DIR|FILE") {
        let recorded = recorded?;
        let (path, play) = (&recorded.path, &recorded.transcript);
        let header = &play.header;
        if header.spec.benchmark != Studio::FACTS.name {
            return Err(format!(
                "{path}: it is a transcript of {}; only what the world studio made is frozen (benchmark {})",
                header.spec.benchmark,
                Studio::FACTS.name
            ));
        }
        if header.part != Part::Play {
            continue;
        }
        let read = read.get_or_insert_with(|| Read {
            spec: header.spec.clone(),
            finished: Vec::new(),
            incomplete: 0,
        });
        if let Some(found) = difference(&read.spec, &header.spec) {
            return Err(format!(
                "{path}: it is of another run: {} is {} and {}",
                found.path, found.one, found.other
            ));
        }
        match play.outcome().filter(|outcome| outcome.is_complete()) {
            None => read.incomplete += 1,
            Some(outcome) => {
                let made = serde_json::from_value(outcome.result.clone())
                    .map_err(|error| format!("{path}: {error}"))?;
                read.finished.push(Finished { made, repeat: header.repeat });
            }
        }
    }
    read.ok_or_else(|| "there is no play among the transcripts".to_owned())
}
