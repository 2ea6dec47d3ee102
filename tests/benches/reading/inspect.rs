//! Inspect View as a peer: the same episodes as a log (`turnwise export --format eval`), served by `inspect view`.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use turnwise_tests::{peers, server};

use super::{Played, Stage};

/// The version whose page is known here.
const REQUIREMENT: &str = "inspect_ai==0.3.285";
const START_LIMIT: Duration = Duration::from_secs(60);

/// A running Inspect View; it ends when this is dropped.
pub struct View {
    child: Child,
    addr: SocketAddr,
    log: PathBuf,
}

impl View {
    /// Writes the episodes of a run as a log and shows them.
    ///
    /// # Errors
    /// Why Inspect cannot be had or does not start.
    pub fn start(stage: &Stage, played: &Played) -> Result<Self, String> {
        let environment = peers::folder().join("inspect");
        let python = peers::python("inspect_ai", REQUIREMENT, &environment)?;
        let words = |error: std::io::Error| error.to_string();
        let logs = stage.folder.join("logs");
        std::fs::create_dir_all(&logs).map_err(words)?;
        let log = logs.join("run.eval");
        export(&stage.program, played, &log);
        let addr =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).map_err(words)?;
        let child = Command::new(python)
            .args(["-m", "inspect_ai", "view", "start", "--host", "127.0.0.1"])
            .args(["--port", &addr.port().to_string(), "--log-dir"])
            .arg(&logs)
            .current_dir(&stage.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(words)?;
        let mut view = View { child, addr, log };
        let began = Instant::now();
        while TcpStream::connect(addr).is_err() {
            if let Some(ended) = view.child.try_wait().map_err(words)? {
                return Err(format!("it ended: {ended}"));
            }
            if began.elapsed() > START_LIMIT {
                return Err("it did not start in time".to_owned());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(view)
    }

    /// The address of the log's page.
    pub fn url(&self) -> String {
        let name = self.log.file_name().unwrap_or_default().to_string_lossy();
        format!("http://{}/#/logs/{name}", self.addr)
    }

    pub fn version(&self) -> String {
        format!("Inspect View of {REQUIREMENT}")
    }

    /// The size of the log.
    pub fn bytes(&self) -> u64 {
        std::fs::metadata(&self.log).map_or(0, |about| about.len())
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn export(program: &Path, played: &Played, log: &Path) {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let (out, tasks, run) = (text(log), text(&played.tasks), text(&played.folder));
    let words =
        ["export", "--format", "eval", "--texts", "all", "--tasks", &tasks, "--out", &out, &run];
    let output = server::run(program, &words);
    assert!(output.status.success(), "{}", server::printed(&output));
}
