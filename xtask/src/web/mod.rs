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

use std::path::PathBuf;

use anyhow::{Context, Result};
use fs_err as fs;

use crate::compiler::{Compiler, WASM};
use crate::project::{Project, folder_of_profile};
use crate::tool::both;
use crate::{say, setup};

use files::{Fingerprint, Site};
pub use first_page::first_page;
use helper::Helper;
use page::Asset;

const PACKAGE: &str = "turnwise-frontend";
const PAGE: &str = "frontend/index.html";

/// How much time goes into making the app small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Built in seconds after a change, many times larger and without compressed copies: for work and for tests.
    Quick,
    Full,
    /// The same with the names of its functions, for a profiler.
    Named,
}

pub fn run(project: &Project, size: Size) -> Result<()> {
    let compiler = setup::compiler(project)?;
    println!("{}", build(project, &compiler, size)?.display());
    Ok(())
}

/// Builds the web app, or finds that nothing has changed; its folder has `index.html` at its top.
pub fn build(project: &Project, compiler: &Compiler, size: Size) -> Result<PathBuf> {
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
    let (helper, compiled) =
        both(|| Helper::build(project, compiler, size), || compile_app(compiler, size));
    compiled?;
    let built = project.target(WASM).join(folder_of_profile(size.profile()));
    let (wasm, helper) = (fs::read(built.join(format!("{PACKAGE}.wasm")))?, helper?);
    step.done(say::size(wasm.len() as u64));
    Ok(Compiled { size, wasm, helper })
}

fn compile_app(compiler: &Compiler, size: Size) -> Result<()> {
    let cargo = compiler
        .cargo()
        .args(["rustc", "--target", WASM, "--package", PACKAGE, "--bin", PACKAGE])
        .args(["--profile", size.profile()]);
    if size.is_cut() {
        return cargo.args(["--features", parts::FEATURE, "--", parts::LINKER_FLAG]).run();
    }
    // Most of the file would be numbers of lines, which browsers do not show, and names of functions, which a panic does not
    // need: it says file and line.
    cargo
        .words("--config profile.dev.debug=false -- -Clink-arg=--strip-all")
        .words("-Clink-arg=--keep-section=target_features")
        .run()
}

impl Compiled {
    /// Makes the files that a server hands out, unless those of the last time are made of the same.
    pub fn assemble(self, project: &Project) -> Result<PathBuf> {
        let Compiled { size, wasm, helper } = self;
        let optimiser = if size.is_cut() { wasm_opt::find_or_fetch(project) } else { None };

        let html = project.read(PAGE)?;
        let assets = page::assets(&html).with_context(|| format!("in {PAGE}"))?;
        let mut fingerprint = Fingerprint::new();
        fingerprint.add("size", size.folder().as_bytes());
        // This program does the assembling, so a change in it is a change of the inputs.
        fingerprint.add("xtask", &fs::read(std::env::current_exe()?)?);
        let version = optimiser.as_ref().map(|found| found.version.to_string());
        fingerprint.add("wasm-opt", version.unwrap_or_default().as_bytes());
        fingerprint.add("wasm", &wasm);
        fingerprint.add("page", html.as_bytes());
        add_files(&mut fingerprint, project, &assets).context("a file that the page names")?;
        fingerprint.add("helper", &fs::read(&helper.program)?);
        let fingerprint = fingerprint.finish();

        let folder = project.target(size.folder());
        let step = say::step(
            format!("assemble {}", folder.display()),
            "bindings, hashed names, compressed copies of what visitors download",
        );
        if files::is_up_to_date(&folder, &fingerprint) {
            step.nothing_to_do("same inputs as the last time");
            return Ok(folder);
        }
        let (main, mut later) = if size.is_cut() {
            let cut = parts::cut(project, &helper, &wasm)?;
            (cut.main, Some(cut.later))
        } else {
            (wasm, None)
        };
        let mut bound = bindings::generate(project, &helper, &main, size)?;
        if let Some(optimiser) = &optimiser {
            optimiser.shrink(project, size, None, &mut bound.wasm)?;
            for part in later.iter_mut().flat_map(|later| &mut later.parts) {
                optimiser.shrink(project, size, Some(&part.name), &mut part.wasm)?;
            }
        }
        let mut site = Site::begin(&folder, size)?;
        let app = site.add_app(&bound, later.as_ref())?;
        let page = page::rewrite(&html, &assets, |asset| site.add_asset(project, asset, &app))?;
        site.add_page(&page)?;
        step.done(site.finish(&fingerprint)?);
        Ok(folder)
    }
}

fn add_files(fingerprint: &mut Fingerprint, project: &Project, assets: &[Asset]) -> Result<()> {
    for asset in assets {
        for file in files::files_of(project, asset)? {
            fingerprint.add(&file.to_string_lossy(), &fs::read(&file)?);
        }
    }
    Ok(())
}

impl Size {
    /// Whether what is not needed at once lies in files of its own.
    fn is_cut(self) -> bool {
        self != Size::Quick
    }

    fn profile(self) -> &'static str {
        if self.is_cut() { "web-app" } else { "dev" }
    }

    /// The profile in which the server is built beside this app.
    pub fn profile_of_server(self) -> &'static str {
        if self.is_cut() { "release" } else { "dev" }
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
