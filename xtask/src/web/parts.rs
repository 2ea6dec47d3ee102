//! Cutting the compiled app: what every page needs, and parts that a browser fetches when they are first called.
//!
//! Where the cuts are is said in the app itself (`frontend/src/later.rs`). The tool that cuts follows the linker's relocations,
//! so the app must be linked with [`LINKER_FLAG`]. What several parts need lies in parts of its own, which are fetched with them.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use wasm_split_cli_support::{Options, transform};

use crate::project::Project;
use crate::say;

/// What the linker is told so that the app can be cut.
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
    /// The rest.
    pub later: Later,
}

/// What is fetched later.
pub struct Later {
    /// The script that fetches parts and joins them to the main part.
    pub loader: String,
    /// The parts, by name.
    pub parts: Vec<Part>,
}

/// A piece of the app that is fetched when it is first needed.
pub struct Part {
    /// Its file name, as the loader has it.
    pub name: String,
    /// The code.
    pub wasm: Vec<u8>,
}

/// Cuts a compiled app.
pub fn cut(project: &Project, wasm: &[u8]) -> Result<Cut> {
    let step = say::step(
        "cut the web app into parts",
        "a first visit downloads the first of them",
    );
    let folder = project.target("xtask/parts");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let main = folder.join("main.wasm");
    let (loader, bindings) = (format!("./{LOADER}"), format!("./{BINDINGS}"));
    let mut options = Options::new(wasm);
    options.output_dir = &folder;
    options.main_out_path = &main;
    options.link_name = &loader;
    options.main_module = &bindings;
    // Its errors are none of the standard library's kind.
    let cut = transform(options).map_err(|error| anyhow!("cutting the web app: {error:#}"))?;
    let mut parts = cut
        .split_modules
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Ok(Part {
                name: name.into_owned(),
                wasm: read(path)?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    if parts.is_empty() {
        bail!(
            "the web app has no parts to be fetched later; was it compiled with the feature `{FEATURE}`?"
        );
    }
    let main = read(&main)?;
    let loader = String::from_utf8(read(&folder.join(LOADER))?)
        .context("the script that fetches parts is not UTF-8")?;
    step.done(format!(
        "{} at once, {} later in {} files",
        say::size(main.len() as u64),
        say::size(parts.iter().map(|part| part.wasm.len() as u64).sum()),
        parts.len()
    ));
    Ok(Cut {
        main,
        later: Later { loader, parts },
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("reading {}", path.display()))
}
