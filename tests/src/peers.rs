//! Other systems to compare with: where they are, and how they are installed if `--peers` was said. Nothing is installed for
//! the whole machine; everything lies in `target/peers`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether what is missing may be installed.
pub fn may_install() -> bool {
    std::env::args().any(|word| word == "--peers")
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers")
}

/// A Python that has a module: that of `TURNWISE_PYTHON`, that of the virtual environment `environment`, or `python3`. If
/// none has it and things may be installed, `requirement` is installed into the environment.
///
/// # Errors
/// Why there is none.
pub fn python(module: &str, requirement: &str, environment: &Path) -> Result<PathBuf, String> {
    let own = environment.join("bin/python");
    let named = std::env::var_os("TURNWISE_PYTHON").map(PathBuf::from);
    let candidates = [named, Some(own.clone()), Some(PathBuf::from("python3"))];
    let import = format!("import {module}");
    let has = |python: &PathBuf| succeeds(python, &["-c", &import]).is_ok();
    if let Some(python) = candidates.into_iter().flatten().find(has) {
        return Ok(python);
    }
    if !may_install() {
        return Err("not installed".to_owned());
    }
    if !own.exists() {
        let place = environment.to_string_lossy();
        succeeds(Path::new("python3"), &["-m", "venv", &place])?;
    }
    succeeds(&own, &["-m", "pip", "install", "--quiet", requirement])?;
    Ok(own)
}

/// The nginx of this machine, or of its distribution's package, unpacked but not installed.
///
/// # Errors
/// Why there is none.
pub fn nginx() -> Result<PathBuf, String> {
    let own = folder().join("nginx");
    let unpacked = own.join("usr/sbin/nginx");
    let candidates = ["nginx", "/usr/sbin/nginx"].map(PathBuf::from);
    let starts = |nginx: &PathBuf| succeeds(nginx, &["-v"]).is_ok();
    if let Some(nginx) = candidates.into_iter().chain([unpacked.clone()]).find(starts) {
        return Ok(nginx);
    }
    if !may_install() {
        return Err("not installed".to_owned());
    }
    std::fs::create_dir_all(&own).map_err(|error| error.to_string())?;
    done(Command::new("apt-get").args(["-q", "-q", "download", "nginx"]).current_dir(&own))?;
    let package = std::fs::read_dir(&own)
        .map_err(|error| error.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|ending| ending == "deb"))
        .ok_or("apt-get brought no package")?;
    done(Command::new("dpkg").arg("-x").arg(package).arg(&own))?;
    succeeds(&unpacked, &["-v"])?;
    Ok(unpacked)
}

fn succeeds(program: &Path, words: &[&str]) -> Result<(), String> {
    done(Command::new(program).args(words))
}

fn done(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let words = String::from_utf8_lossy(&output.stderr);
            // One line of a table is not broken.
            Err(words.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        Err(error) => Err(error.to_string()),
    }
}
