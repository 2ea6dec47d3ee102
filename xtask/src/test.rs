//! `cargo xtask test`: every test of the workspace, those in the browser included.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::compiler::Compiler;
use crate::postgres::Postgres;
use crate::project::Project;
use crate::tool::{Tool, both};
use crate::web::{self, Size};
use crate::{bench, browser, purity, say, serve, setup};

/// Sets up, builds, and runs all tests; `arguments` go to `cargo test` in place of "everything".
pub fn run(project: &Project, arguments: &[OsString]) -> Result<()> {
    let compiler = setup::compiler(project)?;
    let step = say::step("browser and fonts", "the end-to-end tests drive a real browser");
    let browser = browser::prepare()?;
    browser::prepare_rendering();
    step.done(browser.display());
    let postgres = Postgres::start()?;
    let app = web::build(project, &compiler, Size::Quick)?;
    let server = if arguments.is_empty() {
        test_xtask(project)?;
        compile_all(project, &compiler)?
    } else {
        serve::build_server(project, &compiler, Size::Quick)?
    };

    let tests = || {
        compiler
            .cargo()
            .arg("test")
            .envs(postgres.as_ref().map(|postgres| ("TURNWISE_TEST_POSTGRES", postgres.address())))
            .env("TURNWISE_WEB_DIR", &app)
            .env("TURNWISE_BIN", &server)
            .env("TURNWISE_CHROMIUM", &browser)
            .mend("the test that failed is named above; `cargo xtask test -- -p PACKAGE NAME` runs it alone")
    };
    if !arguments.is_empty() {
        let step = say::step("cargo test", "what was asked for");
        tests().args(arguments).run()?;
        step.done("all tests passed");
        return Ok(());
    }
    // Those in the browser wait most of their time, so they run beside the others. Both are run to their ends.
    let outcomes = both(
        || in_browser(tests()),
        || {
            others(&compiler, tests)?;
            postgres.as_ref().map_or(Ok(()), |postgres| again(project, &compiler, postgres))
        },
    );
    match outcomes {
        (Err(one), Err(other)) => bail!("{one:#}\nand {other:#}"),
        (in_browser, others) => in_browser.and(others),
    }
}

/// The program whose tests drive a browser.
const IN_BROWSER: &str = "browser";

fn in_browser(tests: Tool) -> Result<()> {
    let step = say::step("cargo test in the browser", "beside the tests of everything else");
    // Lines of two programs would be mixed up; what fails is reported at the end.
    tests.words(ALL).arg("--test").arg(IN_BROWSER).words("-- --quiet").run()?;
    step.done("all tests in the browser passed");
    Ok(())
}

fn others(compiler: &Compiler, tests: impl Fn() -> Tool) -> Result<()> {
    let step = say::step("cargo test", "all other tests of the workspace");
    let programs = bench::targets(compiler, "test")?;
    let programs: BTreeSet<String> = programs.into_iter().map(|(_, program)| program).collect();
    let mut all = tests().words("--no-fail-fast").words(ALL).words("--lib --bins");
    for program in programs.iter().filter(|program| *program != IN_BROWSER) {
        all = all.arg("--test").arg(program);
    }
    let outcome = all.run();
    tests().words("--no-fail-fast --doc").words(ALL).run()?;
    outcome?;
    step.done("all of them passed");
    Ok(())
}

/// What cargo is asked for in every step, so that dependencies have the same features in each and are compiled once.
/// xtask's own tests run before; here its dependencies would be compiled a second time.
const ALL: &str = "--workspace --exclude turnwise-xtask --exclude turnwise-wasm";

/// The server and all tests; says where the server is.
fn compile_all(project: &Project, compiler: &Compiler) -> Result<PathBuf> {
    let step = say::step("compile the server and all tests", "with one choice of features");
    compiler.cargo().words("test --no-run").words(ALL).run()?;
    let server = serve::server(project, "dev");
    step.done(server.display());
    Ok(server)
}

/// What runs once more over PostgreSQL, by how names of tests begin: together they execute every statement of the store, and all
/// that writes at the same time.
const OF_THE_DATABASE: &str = "store:: outbound:: receipts:: publishing:: boards:: branches:: budgets:: driving:: invited:: live:: \
     naming:: outages:: reading:: rescored:: runs:: sealed:: sharing:: visitors:: whole_run::";

/// What has such a name and keeps nothing in a database, or in one that it chooses itself.
const OF_NONE: &str = "--skip benchmarks:: --skip cli:: --skip several:: --skip view::";

/// What keeps runs, once more over PostgreSQL: the same tests, in the same programs.
fn again(project: &Project, compiler: &Compiler, postgres: &Postgres) -> Result<()> {
    let step = say::step(
        "cargo test over PostgreSQL",
        "the store and the service behave alike on both databases",
    );
    compiler
        .cargo()
        .words("test --no-fail-fast --lib --test service")
        .words(ALL)
        .words(&format!("--exclude {}", purity::packages(project)?.join(" --exclude ")))
        .words("-- --quiet")
        .words(OF_THE_DATABASE)
        .words(OF_NONE)
        .env("TURNWISE_TEST_DATABASE", postgres.address())
        .mend("set TURNWISE_TEST_DATABASE to a PostgreSQL of yours, and `cargo test` uses it")
        .run()?;
    step.done("all of them passed");
    let step = say::step(
        "restarts of PostgreSQL",
        "a server waits for its database, with no other test beside it",
    );
    compiler
        .cargo()
        .words("test --test service")
        .words(ALL)
        .words("-- started_again")
        .env("TURNWISE_TEST_POSTGRES", postgres.address())
        .env("TURNWISE_TEST_POSTGRES_RESTART", postgres.restart())
        .run()?;
    step.done("the run came to its end");
    Ok(())
}

/// The tests of this program, with the cargo that built it and where it was built, so that nothing is compiled twice.
fn test_xtask(project: &Project) -> Result<()> {
    let step = say::step("cargo test (xtask)", "what sets up, builds and checks is tested first");
    Tool::cargo_of_xtask()
        .inside(project.root())
        .words("test --quiet --package turnwise-xtask --target-dir")
        .arg(project.path("target/xtask"))
        .run()?;
    step.done("all tests of xtask passed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::read_to_string;
    use std::path::Path;

    /// A file that no program names would be compiled nowhere, and its tests would pass without having run.
    #[test]
    fn every_file_of_tests_belongs_to_a_program() -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (package, program) in [("backend", "service"), ("tests", "suite")] {
            let manifest = read_to_string(root.join(package).join("Cargo.toml"))?;
            let folder = root.join(package).join("tests");
            let source = read_to_string(folder.join(program).with_extension("rs"))?;
            for entry in folder.read_dir()? {
                let path = entry?.path();
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                if name == "snapshots" {
                    continue;
                }
                let is_module = source.lines().any(|line| line == format!("mod {name};"));
                let is_program = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
                let path = path.display();
                assert!(is_module != is_program, "{path} runs in no test, or in two");
            }
        }
        Ok(())
    }
}
