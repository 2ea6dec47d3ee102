//! Cutting the compiled app: what every page needs, and parts that a browser fetches when they are first called.
//!
//! Where the cuts are is said in the app itself by `later!` (`frontend/src/later.rs`). The tool that cuts follows the linker's relocations,
//! so the app must be linked with [`LINKER_FLAG`]. What several parts need lies in parts of its own, which are fetched with them.

use anyhow::{Result, bail};
use fs_err as fs;

use super::helper::Helper;
use crate::project::{Project, address_in, files_below};
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
    pub parts: Vec<AppPart>,
}

/// A piece of the app that is fetched when it is first needed.
pub struct AppPart {
    /// Its file name, as the loader has it.
    pub name: String,
    pub wasm: Vec<u8>,
}

pub fn cut(project: &Project, helper: &Helper, wasm: &[u8]) -> Result<Cut> {
    let step = say::step("cut the web app into parts", "a first visit downloads the first of them");
    let folder = helper.run(project, wasm, "cut", &[LOADER, BINDINGS])?;
    let main = folder.join("main.wasm");
    let mut parts = Vec::new();
    for path in files_below(&folder)? {
        if path != main && path.extension().is_some_and(|extension| extension == "wasm") {
            parts.push(AppPart { name: address_in(&folder, &path), wasm: fs::read(&path)? });
        }
    }
    let main = fs::read(main)?;
    if parts.is_empty() {
        bail!(
            "the web app has no parts to be fetched later; was it compiled with the feature `{FEATURE}`?"
        );
    }
    let loader = fs::read_to_string(folder.join(LOADER))?;
    step.done(format!(
        "{} at once, {} later in {} files",
        say::size(main.len() as u64),
        say::size(parts.iter().map(|part| part.wasm.len() as u64).sum()),
        parts.len()
    ));
    Ok(Cut { main, later: Later { loader, parts } })
}
