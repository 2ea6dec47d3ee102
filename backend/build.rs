//! Names the sources of the program, so that it knows which numbers it computed itself. With the feature `embed-web`: lists the
//! files of the built web app, so that the program carries them.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SOURCES_OF_PROGRAM={:016x}", sources()?);
    if env::var_os("CARGO_FEATURE_EMBED_WEB").is_none() {
        // The variable is set when tests run, too; without the feature it must not cause a new build.
        return Ok(());
    }
    println!("cargo::rerun-if-env-changed=TURNWISE_WEB_DIR");
    let wanted = |what: &str| {
        io::Error::other(format!("feature embed-web: {what}; `cargo xtask dist` does all this"))
    };
    let folder = env::var_os("TURNWISE_WEB_DIR")
        .map(PathBuf::from)
        .ok_or_else(|| wanted("set TURNWISE_WEB_DIR to the folder of the built web app"))?
        .canonicalize()?;
    if !folder.join("index.html").is_file() {
        return Err(wanted("TURNWISE_WEB_DIR has no index.html"));
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    walk(&folder, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&folder).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        writeln!(list, "    ({name:?}, include_bytes!({path:?}).as_slice()),")
            .map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or_else(|| wanted("OUT_DIR is not set"))?;
    fs::write(Path::new(&out).join("web_app.rs"), list)
}

/// A number made of everything from which numbers are computed: the sources of core and service, and the versions of what they use.
fn sources() -> io::Result<u64> {
    let here = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let above = here.as_deref().and_then(Path::parent);
    let root = above.ok_or_else(|| io::Error::other("the package lies in no folder"))?;
    let mut files = vec![root.join("Cargo.lock")];
    for folder in ["shared", "backend/src"] {
        walk(&root.join(folder), &mut files)?;
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    println!("cargo::rerun-if-changed={}", files[0].display());
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        let name = file.strip_prefix(root).map_err(io::Error::other)?;
        hasher.write(name.to_string_lossy().replace('\\', "/").as_bytes());
        let bytes = fs::read(file)?;
        hasher.write_usize(bytes.len());
        hasher.write(&bytes);
    }
    Ok(hasher.finish())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
