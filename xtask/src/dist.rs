//! `cargo xtask dist`: one program that carries everything.

use anyhow::{Context, Result};

use crate::compiler::Compiler;
use crate::project::Project;
use crate::web::{self, Size};
use crate::{say, setup};

const BUILD: &str =
    "build --release --package turnwise-backend --bin turnwise --features embed-web";

/// Builds `target/release/turnwise` with the web app inside.
pub fn run(project: &Project) -> Result<()> {
    let compiler = setup::compiler(project)?;
    let app = std::thread::scope(|scope| {
        // Linking the web app takes one core for minutes; what the server depends on is compiled beside it.
        scope.spawn(|| compile_libraries(project, &compiler));
        web::build(project, &compiler, Size::Full)
    })?;
    let step = say::step(
        "compile the server with the web app inside (profile release)",
        "one file to copy to a machine",
    );
    compiler
        .cargo(project)
        .words(BUILD)
        .env("TURNWISE_WEB_DIR", app.folder())
        .run()?;
    let program = project
        .target("release")
        .join(format!("turnwise{}", std::env::consts::EXE_SUFFIX));
    let bytes = std::fs::metadata(&program)
        .with_context(|| format!("reading {}", program.display()))?
        .len();
    step.done(say::size(bytes));
    println!("{}", program.display());
    Ok(())
}

/// Compiles what the server depends on. Its own build script refuses, because there is no web app yet; whatever else fails is told by
/// the step that needs it.
fn compile_libraries(project: &Project, compiler: &Compiler) {
    let libraries = compiler
        .cargo(project)
        .words(BUILD)
        .words("--quiet --keep-going")
        .env("TURNWISE_WEB_DIR", "");
    drop(libraries.read());
}
