//! Running other programs, with errors that name the program and the way to mend it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// A call of another program. It reads like the command line that it is.
pub struct Tool {
    command: Command,
    mend: String,
}

impl Tool {
    /// The program `name`, from the `PATH` or by its full path.
    pub fn new(name: impl AsRef<OsStr>) -> Tool {
        let mut command = Command::new(name);
        for variable in left_by_cargo() {
            command.env_remove(variable);
        }
        if let Some(folders) = library_folders_of_the_user() {
            command.env("LD_LIBRARY_PATH", folders);
        }
        Tool { command, mend: String::new() }
    }

    /// The cargo that built this program, with its toolchain.
    pub fn cargo_of_xtask() -> Tool {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Tool::new(cargo).envs(toolchain_of_xtask())
    }

    /// What to do if the program is missing or fails; it ends the error message.
    pub fn mend(mut self, mend: impl Into<String>) -> Tool {
        self.mend = mend.into();
        self
    }

    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Tool {
        self.command.arg(argument);
        self
    }

    /// Adds the words of `line`, which are separated by spaces, as arguments.
    pub fn words(mut self, line: &str) -> Tool {
        self.command.args(line.split_whitespace());
        self
    }

    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Tool {
        self.command.args(arguments);
        self
    }

    /// Sets an environment variable for the program.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Tool {
        self.command.env(name, value);
        self
    }

    pub fn envs(
        mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> Tool {
        self.command.envs(variables);
        self
    }

    /// Runs the program in `folder`.
    pub fn inside(mut self, folder: &Path) -> Tool {
        self.command.current_dir(folder);
        self
    }

    /// Runs the program; its output goes to the terminal.
    pub fn run(mut self) -> Result<()> {
        let status = self.command.status().map_err(|error| self.could_not_start(error))?;
        if !status.success() {
            bail!("{}{}", self.ended(status), self.mending());
        }
        Ok(())
    }

    /// Runs the program and hands back its standard output; its complaints are shown only if it fails.
    pub fn read(mut self) -> Result<String> {
        let output = self.command.output().map_err(|error| self.could_not_start(error))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{}: {}{}", self.ended(output.status), last_lines(&said, 12), self.mending());
        }
        String::from_utf8(output.stdout)
            .with_context(|| format!("`{}` printed something that is not UTF-8", self.line()))
    }

    /// Runs the program beside this one; what it says is thrown away.
    pub fn start(mut self) -> Result<Beside> {
        self.command.stdin(Stdio::null());
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        self.spawn()
    }

    /// Runs the program beside this one; what it prints can be read.
    pub fn start_and_listen(mut self) -> Result<(Beside, ChildStdout)> {
        self.command.stdout(Stdio::piped());
        let mut beside = self.spawn()?;
        let output = beside.0.stdout.take().context("the program has a standard output")?;
        Ok((beside, output))
    }

    fn spawn(mut self) -> Result<Beside> {
        self.command.spawn().map(Beside).map_err(|error| self.could_not_start(error))
    }

    /// Becomes the program, on systems that can; elsewhere runs it and passes its failure on.
    pub fn become_it(mut self) -> Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            let error = self.command.exec();
            Err(self.could_not_start(error))
        }
        #[cfg(not(unix))]
        self.run()
    }

    fn could_not_start(&self, error: std::io::Error) -> anyhow::Error {
        let program = self.command.get_program().to_string_lossy();
        match error.kind() {
            std::io::ErrorKind::NotFound => {
                anyhow::anyhow!("`{program}` is not installed{}", self.mending())
            }
            _ => anyhow::anyhow!("`{program}` could not be started: {error}{}", self.mending()),
        }
    }

    fn ended(&self, status: ExitStatus) -> String {
        format!("`{}` failed ({status})", self.line())
    }

    fn mending(&self) -> String {
        if self.mend.is_empty() { String::new() } else { format!("\n  to mend it: {}", self.mend) }
    }

    /// The command line as one would type it.
    pub fn line(&self) -> String {
        std::iter::once(self.command.get_program())
            .chain(self.command.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// A program that runs beside this one, at most as long as this is there.
pub struct Beside(Child);

impl Beside {
    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits until it has ended, however it ends.
    pub fn wait(mut self) {
        // What cannot be waited for has ended.
        let _ = self.0.wait();
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // What cannot be killed has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Does two things at the same time.
pub fn both<A: Send, B>(beside: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let beside = scope.spawn(beside);
        let here = here();
        (beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), here)
    })
}

/// The toolchain that rustup has chosen for this program, as a variable of the environment.
pub fn toolchain_of_xtask() -> Option<(&'static str, OsString)> {
    Some(("RUSTUP_TOOLCHAIN", std::env::var_os("RUSTUP_TOOLCHAIN")?))
}

/// The name of a program's file on this system.
pub fn file_of_program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// The first place on the `PATH` that holds a program called `name`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(file_of_program(name)))
        .find(|program| program.is_file())
}

/// What `cargo run` set for xtask itself and what would mislead another cargo: the choice of a toolchain above all.
fn left_by_cargo() -> Vec<OsString> {
    let misleads = |name: &str| {
        name == "CARGO"
            || name == "RUSTUP_TOOLCHAIN"
            || name == "RUST_RECURSION_COUNT"
            || name.starts_with("CARGO_PKG_")
            || name.starts_with("CARGO_MANIFEST_")
    };
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| misleads(&name.to_string_lossy()))
        .collect()
}

/// `cargo run` puts its own folders in front of `LD_LIBRARY_PATH`; another compiler must not load libraries from them.
fn library_folders_of_the_user() -> Option<OsString> {
    let all = std::env::var_os("LD_LIBRARY_PATH")?;
    let of_cargo = |folder: &Path| {
        let folder = folder.to_string_lossy();
        folder.contains("/target/xtask/") || folder.contains("/toolchains/")
    };
    std::env::join_paths(std::env::split_paths(&all).filter(|folder| !of_cargo(folder))).ok()
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named_with_the_way_to_mend_it() {
        let error = Tool::new("no-such-program-anywhere").mend("install it").run().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`no-such-program-anywhere` is not installed\n  to mend it: install it"
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_runs_beside_ends_with_what_failed() {
        let start = || Tool::new("sleep").arg("600").start().expect("it starts");
        let is_there = |id: u32| Tool::new("kill").arg("-0").arg(id.to_string()).read().is_ok();
        let beside = start();
        let id = beside.id();
        assert!(is_there(id));
        drop(beside);
        assert!(!is_there(id));
        Tool::new("true").start().expect("it starts").wait();
        assert!(Tool::new("no-such-program-anywhere").start().is_err());
    }

    #[test]
    fn only_the_last_lines_of_a_long_complaint_are_repeated() {
        assert_eq!(last_lines("one\ntwo\nthree\n", 2), "two\nthree");
        assert_eq!(last_lines("one\n", 2), "one");
    }
}
