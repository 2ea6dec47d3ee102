//! `cargo xtask dist`: one program that carries everything.

use anyhow::Result;
use fs_err as fs;

use crate::compiler::Compiler;
use crate::project::Project;
use crate::tool::Tool;
use crate::web::{self, Size};
use crate::{say, serve, setup};

const BUILD: &str =
    "build --release --package turnwise-backend --bin turnwise --features embed-web";

/// Builds `target/release/turnwise` with the web app inside.
pub fn run(project: &Project) -> Result<()> {
    let compiler = setup::compiler(project)?;
    // Linking the web app takes one core for minutes; what the server depends on is compiled beside it.
    let libraries = libraries(&compiler).start().ok();
    let app = web::build(project, &compiler, Size::Full)?;
    if let Some(libraries) = libraries {
        libraries.wait();
    }
    let step = say::step(
        "compile the server with the web app inside (profile release)",
        "one file to copy to a machine",
    );
    compiler.cargo().words(BUILD).env("TURNWISE_WEB_DIR", app).run()?;
    let program = serve::server(project, "release");
    let bytes = fs::metadata(&program)?.len();
    step.done(say::size(bytes));
    println!("{}", program.display());
    Ok(())
}

/// Compiles what the server depends on. Its own build script refuses, because there is no web app yet; other failures are
/// reported by the step that needs it.
fn libraries(compiler: &Compiler) -> Tool {
    compiler.cargo().words(BUILD).words("--quiet --keep-going").env("TURNWISE_WEB_DIR", "")
}
