//! The real program: started on loopback with a folder of its own, asked over HTTP, stopped when it is dropped.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long the program may take until it says where it is.
const START_LIMIT: Duration = Duration::from_secs(30);

/// The built program that `cargo xtask test` names in `TURNWISE_BIN`. `None` if it is not named.
pub fn program() -> Option<PathBuf> {
    std::env::var_os("TURNWISE_BIN").map(PathBuf::from).filter(|path| path.is_file())
}

/// The folder of the built web app that `cargo xtask test` names in `TURNWISE_WEB_DIR`. `None` if it is not there.
pub fn web_folder() -> Option<PathBuf> {
    std::env::var_os("TURNWISE_WEB_DIR")
        .map(PathBuf::from)
        .filter(|path| path.join("index.html").is_file())
}

/// The same. `None`, and said, if it is not named.
pub fn needed_program() -> Option<PathBuf> {
    let program = program();
    if program.is_none() {
        skipped("TURNWISE_BIN names no program; `cargo xtask test` builds it");
    }
    program
}

/// Says that the test of this thread is skipped, and why, even where the output of tests that pass is hidden.
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default();
    // If this fails, it cannot be reported.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// A command of the program, with an environment that says nothing but what `variables` say.
pub fn command(program: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        if name_text.starts_with("TURNWISE_") || name_text.starts_with("OPENAI_") {
            command.env_remove(&name);
        }
    }
    // Tests count runs.
    command.env("TURNWISE_DEMO", "off");
    command.envs(variables.iter().copied());
    command
}

/// Runs the program to its end.
///
/// # Panics
/// If it cannot be started.
pub fn run(program: &Path, arguments: &[&str]) -> Output {
    command(program, &[]).args(arguments).output().expect("the program starts")
}

/// All that a program printed.
pub fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// Everything that a server has printed.
pub type Log = Arc<Mutex<String>>;

/// What a log says so far.
///
/// # Panics
/// If a test panicked while it read the log.
pub fn read(log: &Log) -> String {
    log.lock().expect("nobody panics while reading").clone()
}

/// A server that can be asked.
pub trait At {
    /// The address of a page or a route, from its path.
    fn url(&self, path: &str) -> String;

    fn shared_log(&self) -> Log;
}

impl At for Server {
    fn url(&self, path: &str) -> String {
        Server::url(self, path)
    }

    fn shared_log(&self) -> Log {
        Arc::clone(&self.log)
    }
}

pub struct Server {
    program: PathBuf,
    folder: PathBuf,
    variables: Vec<(String, String)>,
    child: Child,
    address: String,
    log: Log,
}

impl Server {
    /// Starts the program on a free port, with its data in `folder` and these environment variables.
    ///
    /// # Panics
    /// If it does not say where it is within half a minute.
    pub fn start(program: &Path, folder: &Path, variables: &[(&str, &str)]) -> Self {
        let log = Arc::default();
        let (child, address) = serve(program, folder, variables, "127.0.0.1:0", &log);
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Server {
            program: program.to_owned(),
            folder: folder.to_owned(),
            variables: variables.iter().map(owned).collect(),
            child,
            address,
            log,
        }
    }

    /// Kills the program where it stands.
    pub fn kill(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Kills the program and starts it again, on the same data and the same port.
    ///
    /// # Panics
    /// If it does not start again.
    pub fn restart(&mut self) {
        self.kill();
        let variables: Vec<(&str, &str)> =
            self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (child, address) =
            serve(&self.program, &self.folder, &variables, &self.address, &self.log);
        self.child = child;
        self.address = address;
    }

    /// Kills the program and starts it again with this environment variable changed, as an operator would.
    ///
    /// # Panics
    /// If it does not start again.
    pub fn restart_with(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self.restart();
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Where it is, e.g. `127.0.0.1:41234`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address of a page or a route, from its path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Everything that it has printed.
    ///
    /// # Panics
    /// If a test panicked while it read the log.
    pub fn log(&self) -> String {
        read(&self.log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts `turnwise serve` and waits until it says where it is.
fn serve(
    program: &Path,
    folder: &Path,
    variables: &[(&str, &str)],
    addr: &str,
    log: &Log,
) -> (Child, String) {
    let mut command = command(program, variables);
    if let Some(web) = web_folder() {
        command.env("TURNWISE_WEB_DIR", web);
    }
    let mut child = command
        .args(["serve", "--addr", addr, "--data"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (sender, receiver) = std::sync::mpsc::channel();
    read_into(child.stderr.take(), log, |_| {});
    read_into(child.stdout.take(), log, move |line| {
        if let Some((_, address)) = line.split_once("http://") {
            // Only the first is waited for.
            let _ = sender.send(address.trim().to_owned());
        }
    });
    match receiver.recv_timeout(START_LIMIT) {
        Ok(address) => (child, address),
        Err(_) => {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            panic!("the program did not say where it is:\n{}", read(log));
        }
    }
}

/// Copies what a program prints into the log, line by line, so that it never blocks.
fn read_into(
    source: Option<impl Read + Send + 'static>,
    log: &Log,
    mut hear: impl FnMut(&str) + Send + 'static,
) {
    let (Some(source), log) = (source, Arc::clone(log)) else {
        return;
    };
    std::thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            hear(&line);
            if let Ok(mut log) = log.lock() {
                log.push_str(&line);
                log.push('\n');
            }
        }
    });
}
