//! `wasm-opt`, which makes the app about half as large. Helpful, never required.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use fs_err as fs;

use super::Size;
use crate::project::Project;
use crate::say;
use crate::tool::{Tool, on_path};
use crate::version::Version;

/// Older ones (Debian 12 has 108) produce an app that stays blank.
const OLDEST: Version = Version(120, 0, 0);
/// The npm package that carries it, and the version that was tried.
const NPM_PACKAGE: &str = "binaryen@132.0.0";

/// A `wasm-opt` that is new enough.
pub struct WasmOpt {
    program: PathBuf,
    /// Its version; binaryen counts in whole numbers.
    pub version: Version,
}

/// Finds `wasm-opt` on the `PATH` or fetches it with npm; without either the app stays larger, and that is said.
pub fn find_or_fetch(project: &Project) -> Option<WasmOpt> {
    let fetched = project.target("tools/binaryen/node_modules/.bin/wasm-opt");
    for program in on_path("wasm-opt").into_iter().chain(fetched.is_file().then(|| fetched.clone()))
    {
        match ask(&program) {
            Ok(found) => return Some(found),
            Err(error) => say::note(format!("{error:#}; it is not used")),
        }
    }
    match fetch(project).and_then(|()| ask(&fetched)) {
        Ok(found) => Some(found),
        Err(error) => {
            say::warn(format!(
                "the web app is not run through wasm-opt and stays larger: {error:#}. Install binaryen {} or newer, or Node.js with npm",
                OLDEST.0
            ));
            None
        }
    }
}

fn ask(program: &PathBuf) -> Result<WasmOpt> {
    let said = Tool::new(program).words("--version").read()?;
    let version = Version::find(&said)
        .with_context(|| format!("{} does not say its version", program.display()))?;
    if version < OLDEST {
        bail!(
            "{} is version {}, and those before {} produce a blank page",
            program.display(),
            version.0,
            OLDEST.0
        );
    }
    Ok(WasmOpt { program: program.clone(), version })
}

fn fetch(project: &Project) -> Result<()> {
    let npm = on_path("npm").context("neither wasm-opt nor npm is installed")?;
    let step = say::step(
        format!("npm install {NPM_PACKAGE}"),
        "its wasm-opt makes the web app about half as large",
    );
    let folder = project.target("tools/binaryen");
    fs::create_dir_all(&folder)?;
    Tool::new(npm)
        .inside(&folder)
        .words(
            "install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error --prefix .",
        )
        .arg(NPM_PACKAGE)
        .read()?;
    step.done(folder.display());
    Ok(())
}

impl WasmOpt {
    /// Replaces `wasm` by something smaller that does the same. `part` is the file name of what is fetched later; the main part has
    /// none.
    pub fn shrink(
        &self,
        project: &Project,
        size: Size,
        part: Option<&str>,
        wasm: &mut Vec<u8>,
    ) -> Result<()> {
        let before = wasm.len() as u64;
        // What every visit downloads is worth twice the time.
        let passes = if part.is_none() { "--flatten --rereloop -Oz" } else { "" };
        let name = part.unwrap_or("the main part");
        let step = say::step(
            format!("wasm-opt -Oz of {name} (version {})", self.version.0),
            "a smaller download",
        );
        let folder = project.target("xtask/wasm-opt");
        fs::create_dir_all(&folder)?;
        let (large, small) = (folder.join("large.wasm"), folder.join("small.wasm"));
        fs::write(&large, &*wasm)?;
        Tool::new(&self.program)
            .words(passes)
            .words(match size {
                Size::Named => "-Oz --debuginfo --strip-producers",
                Size::Quick | Size::Full => "-Oz --strip-debug --strip-producers",
            })
            // What browsers have had for years and Rust makes use of.
            .words("--enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals")
            .words("--enable-reference-types --enable-multivalue --enable-bulk-memory-opt")
            .arg(&large)
            .arg("-o")
            .arg(&small)
            .read()?;
        *wasm = fs::read(&small)?;
        step.done(format!("{} instead of {}", say::size(wasm.len() as u64), say::size(before)));
        Ok(())
    }
}
