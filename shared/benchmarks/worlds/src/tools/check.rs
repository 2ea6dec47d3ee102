//! `turnwise worlds check`.

use serde_json::{Value, json};
use turnwise_core::benchmark::tool::{Done, Given, Printed};
use turnwise_core::prelude::*;

use super::counted;
use turnwise_paraworld::task::{Manifest, World, Worlds, load, rows};
use turnwise_paraworld::worlds::{self, Complaints, Finding, Severity};

struct Checked {
    worlds: Vec<(World, Vec<Finding>)>,
    broken: Vec<BadRow>,
    /// The path of the manifest beside it, and whether that describes the file; `None` if there is none.
    manifest: Option<(String, Result<(), String>)>,
    file: Digest,
}

pub(super) fn run(given: &Given<'_>) -> Result<Done, String> {
    let file = given.file("FILE").ok_or("no file was named")?;
    let mut checked = Checked {
        worlds: Vec::new(),
        broken: Vec::new(),
        manifest: file
            .beside
            .as_ref()
            .map(|(path, bytes)| (path.clone(), agrees(bytes, &file.bytes))),
        file: Digest::of(&file.bytes),
    };
    for row in rows(&file.bytes) {
        match row {
            Ok(world) => {
                let findings = worlds::check(&world);
                checked.worlds.push((world, findings));
            }
            Err(error) => checked.broken.push(error),
        }
    }
    if checked.worlds.is_empty() && checked.broken.is_empty() {
        // Says that there is no row, and what a file of worlds is.
        load(&file.bytes).map_err(|error| format!("{}: {error}", file.path))?;
    }
    Ok(Done {
        printed: match given.has("json") {
            true => Printed::Json(checked.record()),
            false => Printed::Text(checked.said(&file.path)),
        },
        files: Vec::new(),
        is_sound: checked.errors() == 0,
    })
}

impl Checked {
    fn counts(&self, wanted: Severity) -> usize {
        let findings = self.worlds.iter().flat_map(|(_, findings)| findings);
        findings.filter(|finding| finding.severity == wanted).count()
    }

    fn errors(&self) -> usize {
        let manifest = matches!(self.manifest, Some((_, Err(_))));
        self.counts(Severity::Error) + self.broken.len() + usize::from(manifest)
    }

    fn described(&self) -> Manifest {
        let worlds = self.worlds.iter().map(|(world, _)| world.clone()).collect();
        let set = Worlds { worlds, file: self.file };
        Manifest::of("", &set)
    }

    fn said(&self, file: &str) -> String {
        let mut complaints = Complaints::default();
        for error in &self.broken {
            complaints.refuse(error);
        }
        for (world, findings) in &self.worlds {
            for finding in findings {
                complaints.find(world.line + 1, finding);
            }
        }
        let mut said: Vec<String> =
            complaints.list().into_iter().map(ToString::to_string).collect();
        match &self.manifest {
            Some((path, Err(problem))) => said.push(format!("error: {path}: {problem}")),
            Some((path, Ok(()))) => said.push(format!("{path}: agrees")),
            None => {}
        }
        said.push(format!("{file}: {}", counted(&self.described())));
        said.push(format!("{} errors, {} warnings", self.errors(), self.counts(Severity::Warning)));
        said.join("\n")
    }

    fn record(&self) -> Value {
        let manifest = self.described();
        let findings: Vec<Value> = self
            .worlds
            .iter()
            .flat_map(|(world, findings)| findings.iter().map(move |one| (world, one)))
            .map(|(world, finding)| {
                json!({
                    "row": world.line + 1,
                    "id": world.id(),
                    "severity": match finding.severity {
                        Severity::Warning => "warning",
                        Severity::Error => "error",
                    },
                    "problem": finding.trouble.to_string(),
                })
            })
            .collect();
        let broken: Vec<Value> = self
            .broken
            .iter()
            .map(|error| {
                json!({
                    "row": error.row,
                    "field": Some(&error.field).filter(|field| !field.is_empty()),
                    "severity": "error",
                    "problem": error.problem,
                })
            })
            .collect();
        json!({
            "sha256": self.file,
            "worlds": manifest.worlds,
            "per_tier": manifest.per_tier,
            "per_category": manifest.per_category,
            "per_language": manifest.per_language,
            "errors": self.errors(),
            "warnings": self.counts(Severity::Warning),
            "findings": findings,
            "broken": broken,
            "manifest": match &self.manifest {
                None => "none".to_owned(),
                Some((_, Ok(()))) => "agrees".to_owned(),
                Some((_, Err(problem))) => problem.clone(),
            },
        })
    }
}

/// Whether a manifest describes a file.
fn agrees(manifest: &[u8], file: &[u8]) -> Result<(), String> {
    let manifest: Manifest = serde_json::from_slice(manifest)
        .map_err(|error| format!("this is not a manifest: {error}"))?;
    let set = load(file).map_err(|_| "the file cannot be read as a whole".to_owned())?;
    manifest.check(&set).map_err(|found| found.to_string())
}
