//! `cargo xtask check`: what can be known without running anything.

use anyhow::{Result, bail};

use crate::compiler::{Compiler, WASM};
use crate::project::Project;
use crate::tool::{Tool, file_of_program, on_path};
use crate::{code_size, imports, names, purity, say, setup};

/// Advisories are looked up on the network; everything else about dependencies is known here.
const DENY_ALWAYS: &str = "bans licenses sources";

/// Runs every check, also after one has failed, so that one start shows all there is to mend.
pub fn run(project: &Project) -> Result<()> {
    let compiler = setup::compiler(project)?;
    // The tests of `shared` may read files; the library itself may not, and `purity` holds it to that.
    let tests_may =
        "-A clippy::disallowed_methods -A clippy::disallowed_types -A clippy::disallowed_macros";
    let shared = purity::packages(project)?.join(" --package ");
    let others = format!("--exclude {}", shared.replace("--package", "--exclude"));
    let native = format!(
        "--workspace --exclude turnwise-frontend --exclude turnwise-xtask --exclude turnwise-wasm {others} --all-targets"
    );
    let shared = format!("--package {shared} --all-targets");
    let web_app = format!("--package turnwise-frontend --target {WASM}");
    let xtask = "--package turnwise-xtask --package turnwise-wasm --all-features --all-targets --target-dir target/xtask";

    let outcomes = [
        layout(&compiler),
        lint(&compiler, "what runs on this machine", &native, ""),
        lint(&compiler, "shared, with its tests", &shared, tests_may),
        lint(&compiler, "the web app", &web_app, ""),
        lint(&compiler, "xtask", xtask, ""),
        purity::check(project, &compiler),
        names::check(project),
        imports::check(project),
        code_size::check(project),
        dependencies(project, &compiler),
    ];
    let faults: Vec<String> =
        outcomes.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    if !faults.is_empty() {
        bail!("{} of the checks failed\n- {}", faults.len(), faults.join("\n- "));
    }
    Ok(())
}

fn layout(compiler: &Compiler) -> Result<()> {
    let step = say::step("cargo fmt --check", "one layout for all files");
    compiler.cargo().words("fmt --all --check").mend("`cargo fmt --all`").run()?;
    step.done("formatted");
    Ok(())
}

/// Clippy over some packages, where a warning is an error.
pub fn lint(compiler: &Compiler, what: &str, packages: &str, allowed: &str) -> Result<()> {
    let step = say::step(format!("clippy: {what}"), "a warning is an error");
    compiler
        .cargo()
        .words("clippy --quiet")
        .words(packages)
        .words("-- -D warnings")
        .words(allowed)
        .mend("mend what clippy names above; if clippy itself is missing: `rustup component add clippy`")
        .run()?;
    step.done("nothing to mend");
    Ok(())
}

fn dependencies(project: &Project, compiler: &Compiler) -> Result<()> {
    let deny = match on_path("cargo-deny") {
        Some(installed) => installed,
        None => install_deny(project, compiler)?,
    };
    let deny = |checks: &str| {
        Tool::new(&deny)
            .inside(project.root())
            .words("--all-features check")
            .words(checks)
            .envs(compiler.variables())
    };
    let step = say::step(
        format!("cargo deny check {DENY_ALWAYS}"),
        "what the dependencies are, and under which terms",
    );
    deny(DENY_ALWAYS).mend("deny.toml says what is allowed and why").run()?;
    step.done("as deny.toml allows");

    let step = say::step("cargo deny check advisories", "known faults of the dependencies");
    match deny("advisories").read() {
        Ok(_) => step.done("none known"),
        Err(error) if is_about_fetching(&format!("{error:#}")) => {
            step.done("left out");
            say::warn(
                "the advisory database cannot be reached from here, so nothing is known about known faults",
            );
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

fn install_deny(project: &Project, compiler: &Compiler) -> Result<std::path::PathBuf> {
    let root = project.target("tools/cargo-deny");
    let program = root.join("bin").join(file_of_program("cargo-deny"));
    if program.is_file() {
        return Ok(program);
    }
    let step = say::step(
        "cargo install cargo-deny",
        "it is not installed; compiling it takes several minutes, once",
    );
    compiler
        .cargo()
        .words("install cargo-deny --locked --root")
        .arg(&root)
        .mend("install cargo-deny by hand: https://embarkstudios.github.io/cargo-deny/")
        .run()?;
    step.done(program.display());
    Ok(program)
}

fn is_about_fetching(complaint: &str) -> bool {
    ["failed to fetch advisory database", "failed to open advisory database"]
        .iter()
        .any(|sign| complaint.contains(sign))
}
