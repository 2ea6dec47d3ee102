//! `cargo xtask dist`: one program that carries everything.

use anyhow::{Context, Result};

use crate::project::Project;
use crate::web::{self, Size};
use crate::{say, setup};

/// Builds `target/release/turnwise` with the web app inside.
pub fn run(project: &Project) -> Result<()> {
    let compiler = setup::compiler(project)?;
    let app = web::build(project, &compiler, Size::Full)?;
    let step = say::step(
        "compile the server with the web app inside (profile release)",
        "one file to copy to a machine",
    );
    compiler
        .cargo(project)
        .words("build --release --package turnwise-backend --bin turnwise --features embed-web")
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
