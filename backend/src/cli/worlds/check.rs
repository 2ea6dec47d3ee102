//! `turnwise worlds check`.

use std::path::Path;

use serde_json::{Value, json};

use turnwise_backend::run_folder::at;
use turnwise_shared::benchmarks::paraworld::task::{
    LoadError, Manifest, World, Worlds, load, rows,
};
use turnwise_shared::benchmarks::paraworld::worlds::{self, Complaints, Finding, Severity};
use turnwise_shared::hash::Digest;

use super::{Check, counted, manifest_path};
use crate::cli::Status;
use crate::cli::out::{self, say};
use crate::cli::trouble::Trouble;

/// What a check found.
struct Checked {
    worlds: Vec<(World, Vec<Finding>)>,
    broken: Vec<LoadError>,
    /// Whether the manifest beside it describes the file; `None` if there is none.
    manifest: Option<Result<(), String>>,
    file: Digest,
}

impl Check {
    /// Checks and prints.
    ///
    /// # Errors
    /// If the file cannot be read, or has no rows.
    pub(super) fn run(&self) -> Result<Status, Trouble> {
        let bytes = std::fs::read(&self.file).map_err(at(&self.file))?;
        let mut checked = Checked {
            worlds: Vec::new(),
            broken: Vec::new(),
            manifest: manifest_beside(&self.file, &bytes)?,
            file: Digest::of(&bytes),
        };
        for row in rows(&bytes) {
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
            load(&bytes).map_err(|error| Trouble::with(&self.file, error))?;
        }
        if self.json {
            out::json(&checked.record())?;
        } else {
            checked.say(&self.file);
        }
        Ok(match checked.errors() {
            0 => Status::Done,
            _ => Status::Failed,
        })
    }
}

impl Checked {
    fn counts(&self, wanted: Severity) -> usize {
        let findings = self.worlds.iter().flat_map(|(_, findings)| findings);
        findings
            .filter(|finding| finding.severity == wanted)
            .count()
    }

    fn errors(&self) -> usize {
        let manifest = matches!(self.manifest, Some(Err(_)));
        self.counts(Severity::Error) + self.broken.len() + usize::from(manifest)
    }

    fn described(&self) -> Manifest {
        let worlds = self.worlds.iter().map(|(world, _)| world.clone()).collect();
        let set = Worlds {
            worlds,
            file: self.file,
        };
        Manifest::of("", &set)
    }

    fn say(&self, file: &Path) {
        let mut complaints = Complaints::default();
        for error in &self.broken {
            complaints.refuse(error);
        }
        for (world, findings) in &self.worlds {
            for finding in findings {
                complaints.find(world.line + 1, finding);
            }
        }
        for complaint in complaints.list() {
            say!("{complaint}");
        }
        match &self.manifest {
            Some(Err(problem)) => say!("error: {}: {problem}", manifest_path(file).display()),
            Some(Ok(())) => say!("{}: agrees", manifest_path(file).display()),
            None => {}
        }
        say!("{}: {}", file.display(), counted(&self.described()));
        say!(
            "{} errors, {} warnings",
            self.errors(),
            self.counts(Severity::Warning)
        );
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
                    "field": error.field,
                    "severity": "error",
                    "problem": error.problem.to_string(),
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
                Some(Ok(())) => "agrees".to_owned(),
                Some(Err(problem)) => problem.clone(),
            },
        })
    }
}

/// Whether the manifest beside a file describes it; `None` if there is none.
fn manifest_beside(file: &Path, bytes: &[u8]) -> Result<Option<Result<(), String>>, Trouble> {
    let beside = manifest_path(file);
    if !beside.is_file() {
        return Ok(None);
    }
    let text = std::fs::read(&beside).map_err(at(&beside))?;
    let manifest: Manifest = match serde_json::from_slice(&text) {
        Ok(manifest) => manifest,
        Err(error) => return Ok(Some(Err(format!("this is no manifest: {error}")))),
    };
    let set = match load(bytes) {
        Ok(set) => set,
        Err(_) => return Ok(Some(Err("the file cannot be read as a whole".to_owned()))),
    };
    Ok(Some(
        manifest.check(&set).map_err(|found| found.to_string()),
    ))
}
