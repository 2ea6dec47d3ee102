//! Rust's standard library for WebAssembly, built from the compiler's own sources where it is not offered ready-made.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::compiler::WASM;
use crate::project::Project;
use crate::tool::Tool;
use crate::{packages, say};

/// Builds the library with `rustc` and `cargo`, and puts it into `destination`, which usually belongs to the administrator.
pub fn build(project: &Project, rustc: &Path, cargo: &Path, destination: &Path) -> Result<()> {
    let step = say::step(
        "build Rust's standard library for WebAssembly",
        "no package carries it; about a minute, once per machine",
    );
    let folder = project.target("xtask/standard-library");
    write_empty_crate(&folder)?;
    Tool::new(cargo)
        .inside(&folder)
        .words("build --quiet --release --target")
        .arg(WASM)
        .words("-Z build-std=std,panic_abort,test")
        .env("RUSTC", rustc)
        // Building the library is the one thing that the stable compiler does only with explicit permission.
        .env("RUSTC_BOOTSTRAP", "1")
        // Without the bitcode, link-time optimisation of the app fails.
        .env("RUSTFLAGS", "-C embed-bitcode=yes")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .mend("the sources come from the package `rust-web-src`; try to install it again")
        .run()?;
    install(&folder.join("target").join(WASM).join("release/deps"), destination)?;

    // Cargo does not notice that the library under an app was replaced.
    let built_before = project.target(WASM);
    if built_before.exists() {
        std::fs::remove_dir_all(&built_before)
            .with_context(|| format!("removing {}", built_before.display()))?;
    }
    std::fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    step.done(destination.display());
    Ok(())
}

fn write_empty_crate(folder: &Path) -> Result<()> {
    let manifest =
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::write(folder.join("src/lib.rs"), "#![no_std]\n")?;
    Ok(())
}

fn install(built: &Path, destination: &Path) -> Result<()> {
    let mut libraries = Vec::new();
    for entry in std::fs::read_dir(built).with_context(|| format!("reading {}", built.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            libraries.push(path);
        }
    }
    if libraries.is_empty() {
        bail!("the build of the standard library left nothing in {}", built.display());
    }
    // A library of an older compiler in the same folder would be found first and refused.
    packages::as_root("rm").words("-rf").arg(destination).run()?;
    packages::as_root("mkdir").words("-p").arg(destination).run()?;
    packages::as_root("cp").args(&libraries).arg(destination).run()
}
