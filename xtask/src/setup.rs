//! `cargo xtask setup`: what the other commands do first, on its own.

use anyhow::Result;

use crate::compiler::{self, Compiler};
use crate::project::Project;
use crate::{browser, say};

/// Prepares the compiler and the browser for the tests, and says what was found.
pub fn run(project: &Project) -> Result<()> {
    let compiler = compiler(project)?;
    let browser = browser::prepare()?;
    say::note(format!("browser for the tests: {}", browser.display()));
    let exports = compiler.exports();
    if exports.is_empty() {
        say::note("a plain `cargo` uses the same compiler; nothing needs to be set");
    } else {
        say::note("to use the same compiler with a plain `cargo`, type:");
        for line in exports {
            println!("{line}");
        }
    }
    Ok(())
}

/// Finds or makes the compiler and says which one it is.
pub fn compiler(project: &Project) -> Result<Compiler> {
    let step = say::step("compiler", "one for the web app and the server");
    let compiler = compiler::prepare(project)?;
    step.done(compiler.description());
    Ok(compiler)
}
