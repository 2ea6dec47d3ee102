//! Headless Chromium: one browser with a profile of its own, tabs that remember everything that went wrong in them.
//!
//! Nothing here waits for ever, and the browser's whole process group ends when [`Chromium`] is dropped.

mod click;
mod cost;
mod listen;
mod received;
mod tab;
mod tasks;
mod watch;

use std::future::Future;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chromiumoxide::Browser;
use chromiumoxide::handler::HandlerConfig;
use futures::StreamExt as _;
use tempfile::TempDir;
use tokio::task::JoinHandle;

pub use cost::Heap;
pub use listen::axe_file;
pub use received::{Piece, Received};
pub use tab::{Seen, Tab};
pub use tasks::{Noting, Task};
pub use watch::{Loaded, Watched};

/// How long the browser may take to start.
const START_LIMIT: Duration = Duration::from_secs(60);

/// How long one command to the browser may take.
const COMMAND_LIMIT: Duration = Duration::from_secs(60);

/// How long a page may take to show something, with another test and those of the service beside it.
const SOON: Duration = Duration::from_secs(60);

/// Between two looks at a page that is waited for.
const LOOK: Duration = Duration::from_millis(100);

/// The browser that `cargo xtask test` names in `TURNWISE_CHROMIUM`. `None` if it is not there.
pub fn browser() -> Option<PathBuf> {
    std::env::var_os("TURNWISE_CHROMIUM").map(PathBuf::from).filter(|path| path.is_file())
}

pub struct Chromium {
    home: String,
    child: Child,
    browser: Browser,
    handler: JoinHandle<()>,
    _profile: TempDir,
}

/// How a tab looks at pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether the system wishes for dark colours.
    pub scheme: Scheme,
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
}

/// The system's wish for colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

impl Look {
    /// A light screen of a desk.
    pub const WIDE: Look = Look { scheme: Scheme::Light, width: 1280, height: 900 };

    /// The four looks of `ui.md`, with a name for files.
    pub const ALL: [(&'static str, Look); 4] = [
        ("light-1280", Look::WIDE),
        ("dark-1280", Look { scheme: Scheme::Dark, ..Look::WIDE }),
        ("light-390", Look { scheme: Scheme::Light, width: 390, height: 844 }),
        ("dark-390", Look { scheme: Scheme::Dark, width: 390, height: 844 }),
    ];
}

impl Chromium {
    /// Starts a browser with an empty profile. It resolves no host name but loopback's.
    ///
    /// # Panics
    /// If it does not start within a minute.
    pub async fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(program);
        command
            .args([
                "--headless",
                "--remote-debugging-port=0",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-breakpad",
                "--disable-dev-shm-usage",
                "--disable-background-timer-throttling",
                "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
                "--hide-scrollbars",
                "--lang=en-US",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            // What it leaves lying around goes with the profile.
            .env("TMPDIR", profile.path())
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        if is_root() {
            // Chromium has no sandbox for root, and refuses to start with one (ARCHITECTURE.md, rule 24).
            command.arg("--no-sandbox");
        }
        let mut child = command.spawn().expect("the browser starts");
        let address = match debugging_address(profile.path()).await {
            Some(address) => address,
            None => {
                end_group(&mut child);
                panic!("the browser did not open its debugging port");
            }
        };
        let config = HandlerConfig {
            request_timeout: COMMAND_LIMIT,
            viewport: None,
            ..HandlerConfig::default()
        };
        let (browser, mut handler) = Browser::connect_with_config(address, config)
            .await
            .expect("the browser can be spoken to");
        // Events that this version of the protocol does not know are errors of single messages; the rest goes on.
        let handler = tokio::spawn(async move { while handler.next().await.is_some() {} });
        Chromium { home: String::new(), child, browser, handler, _profile: profile }
    }

    /// Its tabs are at home on this server, e.g. `http://127.0.0.1:41234`.
    pub fn at(mut self, home: String) -> Self {
        self.home = home;
        self
    }

    /// Opens a wide tab on an address or a path at home, listening from its first moment.
    pub async fn open(&self, place: &str) -> Tab {
        self.open_in(Look::WIDE, place).await
    }

    /// The same in another look.
    pub async fn open_in(&self, look: Look, place: &str) -> Tab {
        let page = timely("a new tab", self.browser.new_page("about:blank")).await;
        let tab = Tab::listening(page, self.home.clone()).await;
        tab.look(look).await;
        tab.goto(place).await;
        tab
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.handler.abort();
        end_group(&mut self.child);
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}

/// Ends the browser and every process that it started.
fn end_group(child: &mut Child) {
    // The group may be gone already; then there is nothing to end.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

async fn debugging_address(profile: &Path) -> Option<String> {
    let file = profile.join("DevToolsActivePort");
    let began = Instant::now();
    while began.elapsed() < START_LIMIT {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some((port, path)) = text.trim().split_once('\n') {
            return Some(format!("ws://127.0.0.1:{port}{path}"));
        }
        tokio::time::sleep(LOOK).await;
    }
    None
}

/// What a command brings, in time.
async fn timely<T, E: std::fmt::Display>(
    what: &str,
    command: impl Future<Output = Result<T, E>>,
) -> T {
    match tokio::time::timeout(COMMAND_LIMIT, command).await {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => panic!("{what}: {error}"),
        Err(_) => panic!("{what}: the browser does not answer"),
    }
}
