//! Rust's standard library for WebAssembly, built from the compiler's own sources where it is not offered ready-made.

use std::path::Path;

use anyhow::{Result, bail};
use fs_err as fs;

use crate::compiler::WASM;
use crate::project::{Project, address_in, files_below, remove_if_there};
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
    remove_if_there(&project.target(WASM))?;
    remove_if_there(&folder)?;
    step.done(destination.display());
    Ok(())
}

fn write_empty_crate(folder: &Path) -> Result<()> {
    let manifest =
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), "#![no_std]\n")?;
    Ok(())
}

fn install(built: &Path, destination: &Path) -> Result<()> {
    let mut libraries = files_below(built)?;
    libraries.retain(|path| {
        let name = address_in(built, path);
        name.ends_with(".rlib") && !name.starts_with("libempty-")
    });
    if libraries.is_empty() {
        bail!("the build of the standard library left nothing in {}", built.display());
    }
    // A library of an older compiler in the same folder would be found first and refused.
    packages::as_root("rm").words("-rf").arg(destination).run()?;
    packages::as_root("mkdir").words("-p").arg(destination).run()?;
    packages::as_root("cp").args(&libraries).arg(destination).run()
}
