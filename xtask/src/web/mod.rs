//! The web app as a folder of files that any server can hand out.
//!
//! The same `frontend/index.html` drives this and `trunk`: [`page`] reads its `data-trunk` links. Everything that a page may
//! keep for ever has a hash in its name (`name-0123456789abcdef.ext`, 16 hexadecimal digits); everything that shrinks lies
//! beside its brotli form (`.br`), except in quick builds. What is built: compile, [`parts`] of the full size, [`bindings`], [`wasm_opt`] where it is at
//! hand, [`files`]. The first script that a page runs is [`early`].

mod bindings;
mod early;
mod files;
mod first_page;
mod helper;
mod page;
mod parts;
mod wasm_opt;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::compiler::{Compiler, WASM};
use crate::project::Project;
use crate::{say, setup};

use files::{Fingerprint, Site};
pub use first_page::FirstPage;
use helper::{Helper, read, read_text};
use page::Asset;

const PACKAGE: &str = "turnwise-frontend";

/// How much time goes into making the app small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Built in seconds after a change, many times larger and without compressed copies: for work and for tests.
    Quick,
    Full,
    /// The same with the names of its functions, for a profiler.
    Named,
}

pub struct WebApp {
    folder: PathBuf,
}

impl WebApp {
    /// The folder with `index.html` at its top.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a first visit downloads, compressed.
    pub fn first_page(&self) -> Result<FirstPage> {
        first_page::first_page(&self.folder)
    }
}

pub fn run(project: &Project, size: Size) -> Result<()> {
    let compiler = setup::compiler(project)?;
    let app = build(project, &compiler, size)?;
    println!("{}", app.folder().display());
    Ok(())
}

/// Builds the web app, or finds that nothing has changed.
pub fn build(project: &Project, compiler: &Compiler, size: Size) -> Result<WebApp> {
    compile(project, compiler, size)?.assemble(project)
}

/// The web app as cargo leaves it, and what turns it into files.
pub struct Compiled {
    size: Size,
    wasm: Vec<u8>,
    helper: Helper,
}

/// Compiles the web app, and beside it what [`Compiled::assemble`] needs. Cargo is free for others afterwards.
pub fn compile(project: &Project, compiler: &Compiler, size: Size) -> Result<Compiled> {
    bindings::check_version(project)?;
    let step = say::step(
        format!("compile the web app (profile {})", size.profile()),
        "it runs in the browser, as WebAssembly",
    );
    let (compiled, helper) = std::thread::scope(|scope| {
        let helper = scope.spawn(|| Helper::build(project, compiler, size));
        let compiled = compile_app(project, compiler, size);
        (compiled, helper.join())
    });
    compiled?;
    let helper = helper.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let wasm =
        read(&project.target(WASM).join(size.profile_folder()).join(format!("{PACKAGE}.wasm")))?;
    step.done(say::size(wasm.len() as u64));
    Ok(Compiled { size, wasm, helper })
}

fn compile_app(project: &Project, compiler: &Compiler, size: Size) -> Result<()> {
    let cargo = compiler
        .cargo(project)
        .words("rustc --target")
        .arg(WASM)
        .words("--package")
        .arg(PACKAGE)
        .words("--bin")
        .arg(PACKAGE)
        .words("--profile")
        .arg(size.profile());
    match size {
        // Most of the file would be numbers of lines, which browsers do not show, and names of functions, which a panic does not
        // need: it says file and line.
        Size::Quick => cargo
            .words("--config profile.dev.debug=false -- -Clink-arg=--strip-all")
            .words("-Clink-arg=--keep-section=target_features")
            .run(),
        Size::Full | Size::Named => {
            cargo.words("--features").arg(parts::FEATURE).arg("--").arg(parts::LINKER_FLAG).run()
        }
    }
}

impl Compiled {
    /// Makes the files that a server hands out, unless those of the last time are made of the same.
    pub fn assemble(self, project: &Project) -> Result<WebApp> {
        let Compiled { size, wasm, helper } = self;
        let optimiser = match size {
            Size::Quick => None,
            Size::Full | Size::Named => wasm_opt::find_or_fetch(project),
        };

        let source = project.path("frontend/index.html");
        let html = read_text(&source)?;
        let assets = page::assets(&html).with_context(|| format!("in {}", source.display()))?;
        let mut fingerprint =
            fingerprint(project, size, &wasm, &html, &assets, optimiser.as_ref())?;
        fingerprint.add("helper", &read(&helper.program)?);
        let fingerprint = fingerprint.finish();

        let folder = project.target(size.folder());
        let step = say::step(
            format!("assemble {}", folder.display()),
            "bindings, hashed names, compressed copies of what visitors download",
        );
        if files::is_up_to_date(&folder, &fingerprint) {
            step.nothing_to_do("same inputs as the last time");
            return Ok(WebApp { folder });
        }
        let (main, mut later) = match size {
            Size::Quick => (wasm, None),
            Size::Full | Size::Named => {
                let cut = parts::cut(project, &helper, &wasm)?;
                (cut.main, Some(cut.later))
            }
        };
        let mut bound = bindings::generate(project, &helper, &main, size)?;
        if let Some(optimiser) = &optimiser {
            optimiser.shrink(project, size, wasm_opt::Piece::Main, &mut bound.wasm)?;
            for part in later.iter_mut().flat_map(|later| &mut later.parts) {
                let piece = wasm_opt::Piece::Later(&part.name);
                optimiser.shrink(project, size, piece, &mut part.wasm)?;
            }
        }
        let mut site = Site::begin(&folder, size)?;
        let app = site.add_app(&bound, later.as_ref())?;
        let page = page::rewrite(&html, &assets, |asset| site.add_asset(project, asset, &app))?;
        site.add_page(&page)?;
        let summary = site.finish(&fingerprint)?;
        step.done(summary);
        Ok(WebApp { folder })
    }
}

fn fingerprint(
    project: &Project,
    size: Size,
    wasm: &[u8],
    html: &str,
    assets: &[Asset],
    optimiser: Option<&wasm_opt::WasmOpt>,
) -> Result<Fingerprint> {
    let mut fingerprint = Fingerprint::new();
    fingerprint.add("size", size.folder().as_bytes());
    // This program does the assembling, so a change in it is a change of the inputs.
    let this_program =
        std::env::current_exe().and_then(std::fs::read).context("reading xtask itself")?;
    fingerprint.add("xtask", &this_program);
    fingerprint.add(
        "wasm-opt",
        optimiser.map(|found| found.version.to_string()).unwrap_or_default().as_bytes(),
    );
    fingerprint.add("wasm", wasm);
    fingerprint.add("page", html.as_bytes());
    for asset in assets {
        for file in files::files_of(project, asset)? {
            let bytes = read(&file)?;
            fingerprint.add(&file.to_string_lossy(), &bytes);
        }
    }
    Ok(fingerprint)
}

impl Size {
    fn profile(self) -> &'static str {
        match self {
            Size::Quick => "dev",
            Size::Full | Size::Named => "web-app",
        }
    }

    /// Cargo's folder for the profile; `dev` has a name of its own.
    fn profile_folder(self) -> &'static str {
        match self {
            Size::Quick => "debug",
            Size::Full | Size::Named => "web-app",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Size::Quick => "web-quick",
            Size::Full => "web",
            Size::Named => "web-named",
        }
    }

    /// How hard brotli tries, 0 to 11; a quick app has no compressed copies.
    fn brotli_quality(self) -> Option<u32> {
        match self {
            Size::Quick => None,
            Size::Full => Some(11),
            // It never leaves this machine.
            Size::Named => Some(4),
        }
    }
}
