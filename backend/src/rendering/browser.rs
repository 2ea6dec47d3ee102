//! One browser: how it is found, started and fenced in.

use std::env;
use std::fs::{self, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;

use super::fence::Fence;
use super::fonts::Fonts;
use super::page;
use super::pipe::Pipe;
use super::{MOST_RENDERS, Order, RenderError, Screenshot};

/// Names of the browser on the `PATH`, the best first.
const NAMES: [&str; 6] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
];
/// How long a browser may take to start, and to end.
const START: Duration = Duration::from_secs(20);
const END: Duration = Duration::from_secs(3);
/// The signal of `kill -9` and of a kernel without memory.
const SIGKILL: i32 = 9;
/// A browser that has run this long is replaced.
const LONGEST_LIFE: Duration = Duration::from_secs(600);
/// The most bytes that are read of the error output.
const LAST_WORDS: usize = 2_000;

/// What every browser is started with.
const SWITCHES: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    // Animated pictures stand still.
    "--blink-settings=imageAnimationPolicy=2",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A second fence, and the only one where there is no network namespace.
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "about:blank",
];

/// How a browser is started. Tests take fences away one by one.
#[derive(Debug, Clone)]
pub struct Options {
    pub program: PathBuf,
    /// Whether it gets a network namespace of its own, where the system allows one.
    pub has_namespace: bool,
    /// Whether pages may run scripts.
    pub runs_scripts: bool,
    /// Switches that are left out.
    pub without: Vec<&'static str>,
    /// Pages after which a browser is replaced.
    pub most_renders: u32,
}

impl Options {
    pub fn new(program: PathBuf) -> Self {
        Options {
            program,
            has_namespace: true,
            runs_scripts: false,
            without: Vec::new(),
            most_renders: MOST_RENDERS,
        }
    }
}

/// The browser of this machine: the one that `TURNWISE_CHROMIUM` names, else the first on the `PATH`.
///
/// # Errors
/// What is missing, and how to get it.
pub fn find() -> Result<PathBuf, RenderError> {
    if let Some(named) = env::var_os("TURNWISE_CHROMIUM").filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return match named.is_file() {
            true => Ok(named),
            false => Err(RenderError::Off(format!(
                "TURNWISE_CHROMIUM names {}, which is not there",
                named.display()
            ))),
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found = NAMES
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .filter(|program| program.is_file());
    found.next().ok_or_else(|| {
        RenderError::Off(
            "no Chromium was found; install chromium-headless-shell or chromium, or set TURNWISE_CHROMIUM"
                .to_owned(),
        )
    })
}

pub struct Browser {
    child: Child,
    pipe: Pipe,
    name: String,
    runs_scripts: bool,
    /// How many pages it may still render.
    left: u32,
    started: Instant,
    /// Its home; removed with it.
    _home: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    /// Why it cannot be started as it must be.
    pub async fn start(options: &Options, fence: Fence) -> Result<Self, RenderError> {
        let off =
            |error: io::Error| RenderError::Off(format!("the browser cannot be started: {error}"));
        let home = home().map_err(off)?;
        let fonts = Fonts::installed();
        fonts.write(&home.path().join("fonts.conf")).map_err(off)?;
        let (commands, messages, mut child) = spawn(options, fence, home.path()).map_err(off)?;
        let stderr = child.stderr.take();
        let mut pipe = Pipe::new(commands, messages);
        let version = timeout(START, pipe.call("Browser.getVersion", json!({}))).await;
        let version = match version {
            Ok(Ok(version)) => version,
            _ => return Err(not_started(child, stderr).await),
        };
        // A full pipe would stop the browser.
        tokio::spawn(async move {
            if let Some(mut stderr) = stderr {
                let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
            }
        });
        let product = version["product"].as_str().unwrap_or("Chrome").replace("Headless", "");
        Ok(Browser {
            child,
            pipe,
            name: format!("{product} {fonts}"),
            runs_scripts: options.runs_scripts,
            left: options.most_renders,
            started: Instant::now(),
            _home: home,
        })
    }

    /// Makes a picture. After any failure the browser is to be ended.
    pub async fn render(&mut self, order: Order<'_>) -> Result<Screenshot, RenderError> {
        self.left = self.left.saturating_sub(1);
        page::render(&mut self.pipe, order, self.runs_scripts, &self.name).await
    }

    /// Whether it may go on, and is still there.
    pub fn is_fresh(&mut self) -> bool {
        let is_running = matches!(self.child.try_wait(), Ok(None));
        is_running && self.left > 0 && self.started.elapsed() < LONGEST_LIFE
    }

    /// The process that all others descend from.
    pub fn process(&self) -> Option<u32> {
        self.child.id()
    }

    /// Ends all its processes and waits for that.
    pub async fn end(mut self) {
        drop(self.pipe);
        if timeout(END, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

fn spawn(options: &Options, fence: Fence, home: &Path) -> io::Result<(Sender, Receiver, Child)> {
    let (child_reads, commands) = io::pipe()?;
    let (messages, child_writes) = io::pipe()?;
    let mut words = fence.command(&options.program).into_iter();
    let program = words.next().unwrap_or_else(|| options.program.clone().into());
    let mut command = std::process::Command::new(program);
    let switches = SWITCHES.iter().filter(|switch| !options.without.contains(switch));
    command
        .args(words)
        .arg(format!("--user-data-dir={}", home.join("profile").display()))
        .args(switches)
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("TMPDIR", home)
        .env("TZ", "UTC")
        .env("LANG", "C.UTF-8")
        .env("FONTCONFIG_FILE", home.join("fonts.conf"))
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .fd_mappings(vec![
            FdMapping { parent_fd: OwnedFd::from(child_reads), child_fd: 3 },
            FdMapping { parent_fd: OwnedFd::from(child_writes), child_fd: 4 },
        ])
        .map_err(io::Error::other)?;
    let child = Command::from(command).kill_on_drop(true).spawn()?;
    let commands = Sender::from_owned_fd(OwnedFd::from(commands))?;
    let messages = Receiver::from_owned_fd(OwnedFd::from(messages))?;
    Ok((commands, messages, child))
}

/// A fresh folder in which the browser may write as any user.
fn home() -> io::Result<tempfile::TempDir> {
    let home = tempfile::Builder::new().prefix("turnwise-browser-").tempdir()?;
    fs::set_permissions(home.path(), Permissions::from_mode(0o777))?;
    Ok(home)
}

/// Why a browser did not start. Another may start after one that was killed.
async fn not_started(mut child: Child, stderr: Option<ChildStderr>) -> RenderError {
    if let Ok(Ok(status)) = timeout(END, child.wait()).await
        && status.signal() == Some(SIGKILL)
    {
        return RenderError::Broken("it was killed while it started".to_owned());
    }
    RenderError::Off(last_words(child, stderr).await)
}

/// The reason that a browser printed before it failed to start.
async fn last_words(mut child: Child, stderr: Option<ChildStderr>) -> String {
    let _ = child.kill().await;
    let mut words = Vec::new();
    if let Some(stderr) = stderr {
        let _ = stderr.take(LAST_WORDS as u64).read_to_end(&mut words).await;
    }
    let words = String::from_utf8_lossy(&words);
    // Its own advice is to do without.
    if words.contains("No usable sandbox") {
        return "the browser has no sandbox here; allow user namespaces, see docs/operating.md"
            .to_owned();
    }
    match words.lines().map(str::trim).rfind(|line| !line.is_empty()) {
        Some(line) => format!("the browser did not start: {line}"),
        None => "the browser did not start".to_owned(),
    }
}
