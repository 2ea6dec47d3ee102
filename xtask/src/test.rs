//! `cargo xtask test`: every test of the workspace, those in the browser included.

use std::ffi::OsString;

use anyhow::Result;

use crate::compiler::Compiler;
use crate::postgres::Postgres;
use crate::project::Project;
use crate::tool::Tool;
use crate::web::{self, Size};
use crate::{browser, say, serve, setup};

/// Sets up, builds, and runs all tests; `arguments` go to `cargo test` in place of "everything".
pub fn run(project: &Project, arguments: &[OsString]) -> Result<()> {
    let compiler = setup::compiler(project)?;
    let step = say::step(
        "browser and fonts",
        "the end-to-end tests drive a real browser",
    );
    let browser = browser::prepare()?;
    step.done(browser.display());
    let postgres = Postgres::start()?;
    let app = web::build(project, &compiler, Size::Quick)?;
    let server = serve::build_server(project, &compiler, Size::Quick)?;

    if arguments.is_empty() {
        test_xtask(project)?;
    }

    let step = say::step("cargo test", "all tests of the workspace");
    let tests = compiler
        .cargo(project)
        .arg("test")
        .envs(postgres.as_ref().map(|postgres| ("TURNWISE_TEST_POSTGRES", postgres.address())))
        .env("TURNWISE_WEB_DIR", app.folder())
        .env("TURNWISE_BIN", &server)
        .env("TURNWISE_CHROMIUM", &browser)
        .mend("the test that failed is named above; `cargo xtask test -- -p PACKAGE NAME` runs it alone");
    if arguments.is_empty() {
        // xtask's own have run; here its dependencies would be compiled a second time.
        tests.words("--no-fail-fast --workspace --exclude turnwise-xtask")
    } else {
        tests.args(arguments)
    }
    .run()?;
    step.done("all tests passed");
    match &postgres {
        Some(postgres) if arguments.is_empty() => again(project, &compiler, postgres),
        _ => Ok(()),
    }
}

/// What keeps and serves runs, once more over PostgreSQL: the same tests, in the same programs.
fn again(project: &Project, compiler: &Compiler, postgres: &Postgres) -> Result<()> {
    let step = say::step(
        "cargo test over PostgreSQL",
        "the store and the service behave alike on both databases",
    );
    compiler
        .cargo(project)
        .words("test --no-fail-fast -p turnwise-backend --lib")
        .words("--test http --test runs --test socket --test live --test whole_run --test budgets")
        .words("--test driving --test sealed --test receipts --test sharing --test branches --test attacks --test boards")
        .words("--test invited --test opened --test rescored --test reading --test visitors")
        .words("-- --quiet")
        .env("TURNWISE_TEST_DATABASE", postgres.address())
        .mend("set TURNWISE_TEST_DATABASE to a PostgreSQL of yours, and `cargo test` uses it")
        .run()?;
    step.done("all of them passed");
    Ok(())
}

/// The tests of this program, with the cargo that built it and where it was built, so that nothing is compiled twice.
fn test_xtask(project: &Project) -> Result<()> {
    let step = say::step(
        "cargo test (xtask)",
        "what sets up, builds and checks is tested first",
    );
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut tests = Tool::new(cargo)
        .inside(project.root())
        .words("test --quiet --package turnwise-xtask --target-dir")
        .arg(project.path("target/xtask"));
    if let Some(toolchain) = std::env::var_os("RUSTUP_TOOLCHAIN") {
        tests = tests.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    tests.run()?;
    step.done("all tests of xtask passed");
    Ok(())
}
