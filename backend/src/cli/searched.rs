//! `--search`: who is searched.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Result;

use turnwise_shared::spec::SearchSpec;

use super::web;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Searched {
    /// An engine of this program or of the operator, perhaps over documents of the user's.
    Engine {
        name: String,
        /// The documents it is to search.
        documents: Option<PathBuf>,
    },
    /// The searches of a recorded run.
    Recording(PathBuf),
    /// The built-in web of the benchmark.
    Sample,
    /// What recorded runs have found.
    Frozen(Vec<PathBuf>),
}

impl FromStr for Searched {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some((_, "")) => Err("a path belongs after the colon".into()),
            Some(("frozen", folders)) => Ok(Searched::Frozen(web::folders(folders)?)),
            None if text == "sample" => Ok(Searched::Sample),
            Some(("tape", folder)) => Ok(Searched::Recording(folder.into())),
            Some(("local", path)) => {
                Ok(Searched::Engine { name: "local".into(), documents: Some(path.into()) })
            }
            None if !text.is_empty() && text != "tape" => {
                Ok(Searched::Engine { name: text.into(), documents: None })
            }
            _ => Err(
                "write local, local:PATH, sample, tape:DIR, frozen:DIR or the name of an engine"
                    .into(),
            ),
        }
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Searched::Engine { name, documents: None } => f.write_str(name),
            Searched::Engine { name, documents: Some(path) } => {
                write!(f, "{name}:{}", path.display())
            }
            Searched::Recording(folder) => write!(f, "tape:{}", folder.display()),
            Searched::Sample => f.write_str("sample"),
            Searched::Frozen(folders) => f.write_str(&web::frozen(folders)),
        }
    }
}

/// Documents that can be searched, by name or path; what the command line needs to know of a search engine.
pub trait Corpora {
    /// The spec of an engine over these documents.
    ///
    /// # Errors
    /// If there is no such engine, or its documents cannot be read.
    fn engine(&mut self, name: &str, documents: Option<&Path>, results: u32) -> Result<SearchSpec>;
}
