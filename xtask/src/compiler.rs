//! The one compiler of the workspace: it builds the web app and the server, and it is chosen here.
//!
//! In this order: a compiler that can build for WebAssembly already; rustup's, after `rustup target add`; Debian's newer
//! compiler with a standard library that is built on the spot ([`standard_library`]).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use crate::project::{Project, files_below};
use crate::tool::{Tool, file_of_program, on_path, toolchain_of_xtask};
use crate::version::Version;
use crate::{packages, say, standard_library};

/// The name that compilers have for "WebAssembly in a browser".
pub const WASM: &str = "wasm32-unknown-unknown";

const LINKER_VARIABLE: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER";
const DEBIAN_PACKAGES: [&str; 6] =
    ["rustc-web", "cargo-web", "rust-web-src", "lld-19", "rust-web-clippy", "rustfmt-web"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const MEND: &str =
    "install Rust with rustup (https://rustup.rs), then `rustup target add wasm32-unknown-unknown`";

/// A compiler that builds for this machine and for the browser.
pub struct Compiler {
    found: Found,
    linker: Option<PathBuf>,
    /// Where the project is that it builds.
    root: PathBuf,
}

/// A compiler that was found on this machine, able to build for the browser or not.
#[derive(Clone)]
struct Found {
    rustc: PathBuf,
    sysroot: PathBuf,
    version: Version,
}

impl Compiler {
    /// A call of this compiler's cargo in the project.
    pub fn cargo(&self) -> Tool {
        Tool::new(self.found.beside("cargo"))
            .inside(&self.root)
            .mend("the messages above say what is wrong")
            .envs(self.variables())
    }

    /// What must be set so that a cargo that is started by hand uses this compiler.
    pub fn variables(&self) -> Vec<(&'static str, OsString)> {
        let bin = self.found.bin();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(bin).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(folders).unwrap_or(path);
        let mut variables = vec![("PATH", path), ("RUSTC", self.found.rustc.clone().into())];
        if let Some(linker) = &self.linker {
            variables.push((LINKER_VARIABLE, linker.clone().into()));
        }
        variables
    }

    /// `rustc 1.95.0 in /home/ada/.rustup/…`, for a line of progress.
    pub fn description(&self) -> String {
        self.found.description()
    }

    /// The shell lines with which a cargo that is typed by hand uses this compiler; none if it does so anyway.
    pub fn exports(&self) -> Vec<String> {
        let usual = on_path("rustc").and_then(|rustc| Found::ask(rustc).ok());
        let mut lines = Vec::new();
        if usual.is_none_or(|usual| usual.sysroot != self.found.sysroot) {
            lines.push(format!("export PATH={}:$PATH", self.found.bin().display()));
            lines.push(format!("export RUSTC={}", self.found.rustc.display()));
        }
        if let Some(linker) = &self.linker {
            lines.push(format!("export {LINKER_VARIABLE}={}", linker.display()));
        }
        lines
    }
}

/// Finds the compiler of the workspace, or makes one.
pub fn prepare(project: &Project) -> Result<Compiler> {
    let oldest = project.oldest_compiler()?;
    let mut tried = Vec::new();
    for found in candidates() {
        match found.ready(project, oldest) {
            Ok(compiler) => return Ok(compiler),
            Err(reason) => tried.push(format!("{}: {reason:#}", found.description())),
        }
    }
    type Way = fn(&Project, Version) -> Result<Compiler>;
    let ways: [(&str, Way); 2] =
        [("rustup", fetch_with_rustup), ("Debian's compiler", take_from_debian)];
    for (name, make) in ways {
        match make(project, oldest) {
            Ok(compiler) => return Ok(compiler),
            Err(reason) => tried.push(format!("{name}: {reason:#}")),
        }
    }
    bail!(
        "no compiler can build the web app ({WASM}, Rust {oldest} or newer)\n  - {}\n  to mend it: {MEND}",
        tried.join("\n  - ")
    )
}

/// The compilers to look at, the one that a plain `cargo` would use first.
fn candidates() -> Vec<Found> {
    let usual = std::env::var_os("RUSTC").map(PathBuf::from).or_else(|| on_path("rustc"));
    let mut found: Vec<Found> = Vec::new();
    for rustc in usual.into_iter().chain([PathBuf::from(DEBIAN_RUSTC)]) {
        if let Ok(new) = Found::ask(rustc)
            && !found.iter().any(|known| known.sysroot == new.sysroot)
        {
            found.push(new);
        }
    }
    found
}

fn fetch_with_rustup(project: &Project, oldest: Version) -> Result<Compiler> {
    let rustup = on_path("rustup").context("not installed")?;
    let found = Found::ask(on_path("rustc").context("no rustc on the PATH")?)?;
    if found.version < oldest {
        bail!("its compiler is {}; `rustup update stable` brings a newer one", found.version);
    }
    let toolchain = found.sysroot.file_name().context("the compiler lies in no folder")?;
    let step = say::step(
        "rustup target add wasm32-unknown-unknown",
        "the web app needs Rust's standard library for WebAssembly",
    );
    let fetched = Tool::new(rustup)
        .words("target add --toolchain")
        .arg(toolchain)
        .arg(WASM)
        .read()
        .and_then(|_| found.ready(project, oldest));
    step.done(match fetched {
        Ok(_) => "fetched",
        Err(_) => "rustup cannot fetch it here; the next way is tried",
    });
    fetched
}

fn take_from_debian(project: &Project, oldest: Version) -> Result<Compiler> {
    let usable = Found::ask(DEBIAN_RUSTC.into())
        .is_ok_and(|found| found.version >= oldest && found.has_sources());
    if !usable {
        if !packages::can_install() {
            bail!(
                "this is no Debian or Ubuntu system with root or sudo, so its packages cannot be installed"
            );
        }
        if !packages::offered(&DEBIAN_PACKAGES) {
            packages::refresh()?;
        }
        if !packages::offered(&DEBIAN_PACKAGES) {
            bail!("this system offers no package `{}`", DEBIAN_PACKAGES[0]);
        }
        packages::install(
            &DEBIAN_PACKAGES,
            "a compiler whose WebAssembly library can be built here",
        )?;
    }
    let found = Found::ask(DEBIAN_RUSTC.into())?;
    if found.version < oldest {
        bail!("it is {}, and the workspace needs {oldest}", found.version);
    }
    standard_library::build(project, &found.rustc, &found.beside("cargo"), &found.libraries())?;
    found.ready(project, oldest)
}

impl Found {
    /// Asks the program `rustc` who it is.
    fn ask(rustc: PathBuf) -> Result<Found> {
        // Inside `cargo xtask` rustup has already chosen a toolchain; the same choice must be made here.
        let ask = |line: &str| Tool::new(&rustc).words(line).envs(toolchain_of_xtask()).read();
        let version = Version::find(&ask("--version")?)
            .with_context(|| format!("{} does not say its version", rustc.display()))?;
        let sysroot = PathBuf::from(ask("--print sysroot")?.trim());
        // A proxy on the PATH stands for a toolchain; from here on its own program is meant.
        let own = sysroot.join("bin").join(file_of_program("rustc"));
        Ok(Found { rustc: if own.is_file() { own } else { rustc }, sysroot, version })
    }

    fn description(&self) -> String {
        format!("rustc {} in {}", self.version, self.sysroot.display())
    }

    /// This compiler as the one of the workspace, or the reason why it cannot be.
    fn ready(&self, project: &Project, oldest: Version) -> Result<Compiler> {
        ensure!(self.version >= oldest, "too old, the workspace needs {oldest}");
        ensure!(self.beside("cargo").is_file(), "it comes without cargo");
        ensure!(self.has_standard_library(), "it has no standard library for WebAssembly");
        let linkers = [None].into_iter().chain(self.other_linkers().into_iter().map(Some));
        let mut complaint = String::new();
        for linker in linkers {
            match self.try_out(project, linker.as_deref()) {
                Ok(()) => {
                    let root = project.root().to_path_buf();
                    return Ok(Compiler { found: self.clone(), linker, root });
                }
                Err(error) => complaint = format!("{error:#}"),
            }
        }
        bail!("a first small program does not build: {complaint}")
    }

    /// Builds the smallest program for the browser: whether library, compiler and linker fit shows only then.
    fn try_out(&self, project: &Project, linker: Option<&Path>) -> Result<()> {
        let folder = project.target("xtask/try");
        fs::create_dir_all(&folder)?;
        let program = "fn main() { println!(\"{:?}\", std::env::args()); }\n";
        fs::write(folder.join("try.rs"), program)?;
        let mut tool = Tool::new(&self.rustc)
            .inside(&folder)
            .words("--edition 2024 --target")
            .arg(WASM)
            .words("try.rs -o try.wasm");
        if let Some(linker) = linker {
            tool = tool.arg("-C").arg(format!("linker={}", linker.display()));
        }
        tool.read().map(drop)
    }

    /// Linkers to try where the compiler does not know one itself.
    fn other_linkers(&self) -> Vec<PathBuf> {
        let by_name = ["wasm-ld-19", "wasm-ld", "wasm-ld-20", "wasm-ld-18", "rust-lld"];
        by_name.iter().filter_map(|name| on_path(name)).collect()
    }

    /// The folder of its standard library for WebAssembly.
    fn libraries(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib").join(WASM).join("lib")
    }

    fn has_standard_library(&self) -> bool {
        let is_of_it = |path: PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        };
        files_below(&self.libraries()).is_ok_and(|files| files.into_iter().any(is_of_it))
    }

    fn has_sources(&self) -> bool {
        self.sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
    }

    fn bin(&self) -> PathBuf {
        self.rustc.parent().map(Path::to_path_buf).unwrap_or_default()
    }

    fn beside(&self, program: &str) -> PathBuf {
        self.bin().join(file_of_program(program))
    }
}
