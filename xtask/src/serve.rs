//! `cargo xtask serve`: from nothing to a running server.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::compiler::Compiler;
use crate::project::{Project, folder_of_profile};
use crate::tool::{Tool, both, file_of_program};
use crate::web::{self, Size};
use crate::{browser, say, setup};

/// Sets up, builds, and becomes the server; `arguments` are the server's own.
pub fn run(project: &Project, size: Size, arguments: &[OsString]) -> Result<()> {
    let compiler = setup::compiler(project)?;
    browser::prepare_rendering();
    let compiled = web::compile(project, &compiler, size)?;
    let (app, server) =
        both(|| compiled.assemble(project), || build_server(project, &compiler, size));
    let (app, server) = (app?, server?);
    say::times();
    say::note("the server prints its address; Ctrl-C stops it");
    Tool::new(server)
        .inside(project.root())
        .arg("serve")
        .args(arguments)
        .env("TURNWISE_WEB_DIR", app)
        .become_it()
}

/// Builds the server, and says where its program lies.
pub fn build_server(project: &Project, compiler: &Compiler, size: Size) -> Result<PathBuf> {
    let profile = size.profile_of_server();
    let step = say::step(
        format!("compile the server (profile {profile})"),
        "it holds the keys, forwards calls and hands out the web app",
    );
    compiler
        .cargo()
        .words("build --package turnwise-backend --bin turnwise --profile")
        .arg(profile)
        .run()?;
    let server = server(project, profile);
    step.done(server.display());
    Ok(server)
}

/// Where cargo leaves the server.
pub fn server(project: &Project, profile: &str) -> PathBuf {
    project.target(folder_of_profile(profile)).join(file_of_program("turnwise"))
}
