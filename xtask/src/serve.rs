//! `cargo xtask serve`: from nothing to a running server.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::compiler::Compiler;
use crate::project::Project;
use crate::tool::Tool;
use crate::web::{self, Size};
use crate::{browser, say, setup};

/// Sets up, builds, and becomes the server; `arguments` are the server's own.
pub fn run(project: &Project, size: Size, arguments: &[OsString]) -> Result<()> {
    let compiler = setup::compiler(project)?;
    browser::prepare_rendering();
    let compiled = web::compile(project, &compiler, size)?;
    let (app, server) = std::thread::scope(|scope| {
        let app = scope.spawn(|| compiled.assemble(project));
        let server = build_server(project, &compiler, size);
        (app.join(), server)
    });
    let app = app.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let server = server?;
    say::times();
    say::note("the server prints its address; Ctrl-C stops it");
    Tool::new(server)
        .inside(project.root())
        .arg("serve")
        .args(arguments)
        .env("TURNWISE_WEB_DIR", app.folder())
        .become_it()
}

/// Builds the server, and says where its program lies.
pub fn build_server(project: &Project, compiler: &Compiler, size: Size) -> Result<PathBuf> {
    let (profile, folder) = match size {
        Size::Quick => ("dev", "debug"),
        Size::Full | Size::Named => ("release", "release"),
    };
    let step = say::step(
        format!("compile the server (profile {profile})"),
        "it holds the keys, forwards calls and hands out the web app",
    );
    compiler
        .cargo(project)
        .words("build --package turnwise-backend --bin turnwise --profile")
        .arg(profile)
        .run()?;
    let server = server(project, folder);
    step.done(server.display());
    Ok(server)
}

/// Where cargo leaves the server; `folder` is that of a profile.
pub fn server(project: &Project, folder: &str) -> PathBuf {
    let name = format!("turnwise{}", std::env::consts::EXE_SUFFIX);
    project.target(folder).join(name)
}
