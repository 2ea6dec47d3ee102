//! Debian packages: installed without a question where that is possible, otherwise named with the command to type.

use std::path::Path;

use anyhow::{Result, bail};

use crate::say;
use crate::tool::{Tool, on_path};

/// Can this machine install Debian packages by itself?
pub fn can_install() -> bool {
    on_path("apt-get").is_some()
        && is_debian_or_ubuntu()
        && (is_root() || on_path("sudo").is_some())
}

/// Installs `packages`, which are needed `because`. Refuses to remove what is installed already.
pub fn install(packages: &[&str], because: &str) -> Result<()> {
    let names = packages.join(" ");
    let by_hand = format!("install these packages: {names}");
    if !can_install() {
        bail!(
            "{because}, but this system cannot install packages by itself (that needs Debian or Ubuntu with root or sudo)\n  to mend it: {by_hand}"
        );
    }
    let step = say::step(format!("apt-get install {names}"), because);
    if !offered(packages) {
        apt_get("update", &by_hand)?;
        if let Some(missing) = packages.iter().find(|package| !offered(&[package])) {
            bail!(
                "the package sources of this system offer no `{missing}`\n  to mend it: {by_hand}"
            );
        }
    }
    let line = format!("install -y --no-install-recommends --no-remove {names}");
    if apt_get(&line, &by_hand).is_err() {
        // Package lists age: a file that they name may have been replaced on the server.
        apt_get("update", &by_hand)?;
        apt_get(&line, &by_hand)?;
    }
    step.done("installed");
    Ok(())
}

/// Does every one of `packages` have a version that could be installed?
pub fn offered(packages: &[&str]) -> bool {
    packages.iter().all(|package| {
        Tool::new("apt-cache")
            .words("policy")
            .arg(package)
            .env("LC_ALL", "C")
            .read()
            .is_ok_and(|said| said.contains("Candidate:") && !said.contains("Candidate: (none)"))
    })
}

/// Brings the list of packages up to date, quietly; what is wrong with it shows when something is installed.
pub fn refresh() -> Result<()> {
    apt_get("update", "check the network and the package sources of this system")
}

/// A program that runs with the rights of the administrator.
pub fn as_root(program: &str) -> Tool {
    if is_root() { Tool::new(program) } else { Tool::new("sudo").arg(program) }
}

/// Does xtask run as the administrator, as it does in many containers?
pub fn is_root() -> bool {
    Tool::new("id").words("-u").read().is_ok_and(|id| id.trim() == "0")
}

fn apt_get(line: &str, by_hand: &str) -> Result<()> {
    as_root("env")
        .words("DEBIAN_FRONTEND=noninteractive apt-get -q -q -o Dpkg::Use-Pty=0")
        .words(line)
        .mend(by_hand)
        .read()
        .map(drop)
}

fn is_debian_or_ubuntu() -> bool {
    std::fs::read_to_string(Path::new("/etc/os-release")).is_ok_and(|text| names_debian(&text))
}

fn names_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
        .flat_map(|ids| ids.trim_matches('"').split_whitespace())
        .any(|id| id == "debian" || id == "ubuntu")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_what_is_like_it_are_recognised() {
        assert!(names_debian("NAME=\"Debian GNU/Linux\"\nID=debian\n"));
        assert!(names_debian("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!names_debian("ID=fedora\nVERSION_ID=44\n"));
    }
}
