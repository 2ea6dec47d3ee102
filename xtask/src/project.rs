//! Where things lie in the project.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;

use crate::version::Version;

/// The checkout that xtask works on.
pub struct Project {
    root: PathBuf,
    target: PathBuf,
}

impl Project {
    /// The project that this xtask belongs to.
    pub fn find() -> Result<Project> {
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = here.parent().context("xtask lies in a folder of the project")?.to_path_buf();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => std::path::absolute(folder).context("CARGO_TARGET_DIR")?,
            None => root.join("target"),
        };
        Ok(Project { root, target })
    }

    /// The folder of the workspace's `Cargo.toml`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A file or folder of the project by its path from the root.
    pub fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside)
    }

    /// A file or folder below the target folder, which can be deleted at any time.
    pub fn target(&self, inside: &str) -> PathBuf {
        self.target.join(inside)
    }

    /// The oldest compiler that the workspace promises to build with.
    pub fn oldest_compiler(&self) -> Result<Version> {
        let manifest = self.read("Cargo.toml")?;
        manifest
            .lines()
            .find_map(|line| {
                line.trim().strip_prefix("rust-version")?.split('"').nth(1).and_then(Version::find)
            })
            .context("Cargo.toml names no `rust-version`")
    }

    /// The version of `package` in `Cargo.lock`.
    pub fn locked(&self, package: &str) -> Result<String> {
        locked_version(&self.read("Cargo.lock")?, package)
            .with_context(|| format!("Cargo.lock does not name `{package}`; run `cargo metadata` once to bring it up to date"))
    }

    /// Reads a text file of the project.
    pub fn read(&self, inside: &str) -> Result<String> {
        Ok(fs::read_to_string(self.path(inside))?)
    }

    /// The names of the benchmarks, which are those of their folders.
    pub fn benchmarks(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path("shared/benchmarks"))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        Ok(names)
    }

    /// The files of Rust in a folder and below.
    pub fn sources(&self, folder: &str) -> Result<Vec<Source>> {
        let mut sources = Vec::new();
        for path in files_below(&self.path(folder))? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path)?;
                let inside = address_in(&self.path(folder), &path);
                sources.push(Source { path: format!("{folder}/{inside}"), inside, text });
            }
        }
        Ok(sources)
    }
}

/// Cargo's folder for a profile; `dev` has a name of its own.
pub fn folder_of_profile(profile: &str) -> &str {
    if profile == "dev" { "debug" } else { profile }
}

/// A file of Rust.
pub struct Source {
    /// Where it is in the project.
    pub path: String,
    /// Where it is in the folder whose sources were asked for.
    pub inside: String,
    pub text: String,
}

impl Source {
    /// Files called `tests.rs` and folders called `tests` hold tests only.
    pub fn is_test(&self) -> bool {
        Path::new(&self.inside).with_extension("").iter().any(|part| part == "tests")
    }
}

/// All files in a folder and below, in order.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}

/// A file by its path from a folder, with slashes on every system.
pub fn address_in(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/")
}

/// An empty folder, whatever was there before.
pub fn emptied(folder: PathBuf) -> Result<PathBuf> {
    remove_if_there(&folder)?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

pub fn remove_if_there(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == name)?;
    lines.next()?.split('"').nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_found_in_the_lock_file_by_its_whole_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }

    #[test]
    fn this_workspace_names_its_oldest_compiler() {
        let project = Project::find().expect("this test is compiled inside it");
        let oldest = project.oldest_compiler().expect("Cargo.toml names it");
        assert!(oldest >= Version(1, 94, 0));
    }
}
