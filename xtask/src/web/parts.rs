//! Cutting the compiled app: what every page needs, and parts that a browser fetches when they are first called.
//!
//! Where the cuts are is said in the app itself by `later!` (`frontend/src/later.rs`). The tool that cuts follows the linker's relocations,
//! so the app must be linked with [`LINKER_FLAG`]. What several parts need lies in parts of its own, which are fetched with them.

use anyhow::{Context, Result, bail};

use super::helper::{Helper, read, read_text};
use crate::project::Project;
use crate::say;

/// The linker's argument so that the app can be cut.
pub const LINKER_FLAG: &str = "-Clink-arg=--emit-relocs";
/// The feature of the web app that marks the cuts.
pub const FEATURE: &str = "split";
/// The script that fetches parts, as the bindings of the main part import it.
pub const LOADER: &str = "parts.js";
/// The bindings of the main part, as [`LOADER`] imports them.
pub const BINDINGS: &str = "turnwise.js";

/// A compiled app in pieces.
pub struct Cut {
    /// What every page needs; the bindings are made for it.
    pub main: Vec<u8>,
    pub later: Later,
}

pub struct Later {
    /// The script that fetches parts and joins them to the main part.
    pub loader: String,
    pub parts: Vec<Part>,
}

/// A piece of the app that is fetched when it is first needed.
pub struct Part {
    /// Its file name, as the loader has it.
    pub name: String,
    pub wasm: Vec<u8>,
}

pub fn cut(project: &Project, helper: &Helper, wasm: &[u8]) -> Result<Cut> {
    let step = say::step("cut the web app into parts", "a first visit downloads the first of them");
    let folder = helper.run(project, wasm, "cut", &[LOADER, BINDINGS])?;
    let mut parts = Vec::new();
    let mut main = None;
    for entry in std::fs::read_dir(&folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "main.wasm" {
            main = Some(read(&entry.path())?);
        } else if name.ends_with(".wasm") {
            let wasm = read(&entry.path())?;
            parts.push(Part { name, wasm });
        }
    }
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    let main = main.with_context(|| format!("there is no main.wasm in {}", folder.display()))?;
    if parts.is_empty() {
        bail!(
            "the web app has no parts to be fetched later; was it compiled with the feature `{FEATURE}`?"
        );
    }
    let loader = read_text(&folder.join(LOADER))?;
    step.done(format!(
        "{} at once, {} later in {} files",
        say::size(main.len() as u64),
        say::size(parts.iter().map(|part| part.wasm.len() as u64).sum()),
        parts.len()
    ));
    Ok(Cut { main, later: Later { loader, parts } })
}
