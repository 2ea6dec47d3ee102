//! A file system that turns read-only, and a PostgreSQL that is started again: what an operator's machine does.

use std::path::PathBuf;
use std::process::Stdio;

use turnwise_shared::wire::RunInfo;
use turnwise_shared::wire::driving::{Driving, RunState};

use super::{IN_FLIGHT, PLAYS, Paid, Server, refusal, spec, until};
use crate::common::database;
use crate::common::*;

/// Runs a program; what it says if it fails.
fn done(program: &str, arguments: &[&str]) -> Result<(), String> {
    // No pipes: what goes on running behind it would hold them open.
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} {arguments:?}: {status}")),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

/// A file system of its own in a file; taken away with this.
struct Disk {
    image: PathBuf,
    at: PathBuf,
}

impl Disk {
    /// One of 64 MB, if this machine lets us.
    fn new(folder: &Path) -> Result<Self, String> {
        let (image, at) = (folder.join("image"), folder.join("disk"));
        std::fs::create_dir(&at).map_err(|error| error.to_string())?;
        std::fs::File::create(&image)
            .and_then(|file| file.set_len(64 << 20))
            .map_err(|error| error.to_string())?;
        done("mkfs.ext4", &["-q", text(&image)])?;
        let disk = Disk { image, at };
        disk.mount()?;
        Ok(disk)
    }

    fn mount(&self) -> Result<(), String> {
        done("mount", &["-o", "loop", text(&self.image), text(&self.at)])
    }

    /// What the kernel does when the disk below fails: nothing can be written from now on.
    fn turn_read_only(&self) {
        done("mount", &["-o", "remount,abort", text(&self.at)]).expect("it is mounted");
    }

    /// As an operator mends it, while no process uses it.
    fn mend(&self) {
        done("umount", &[text(&self.at)]).expect("nobody uses it");
        self.mount().expect("it can be mounted again");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // There is no way to report it, and the folder below is temporary.
        let _ = done("umount", &["--lazy", text(&self.at)]);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_system_that_turns_read_only_stops_paying_and_loses_nothing() {
    let folder = folder();
    let disk = match Disk::new(folder.path()) {
        Ok(disk) => disk,
        Err(why) => {
            database::skipped(
                "a file system that turns read-only",
                &format!("none can be mounted here ({why})"),
            );
            return;
        }
    };
    let (paid, data) = (Paid::default(), disk.at.join("data"));
    let upstream = paid.start().await;
    let mut server = Server::start(&data, &upstream, None);
    // What is under way when the disk fails is paid for, and made once more.
    let lost = 2 * IN_FLIGHT;
    let most = json!({ "calls": PLAYS as usize + lost });
    let run = server.begin(&spec(), most).await;

    for count in [10, 50] {
        paid.answered.send_replace(count);
        paid.reaches(count + IN_FLIGHT).await;
        // A disk that fails forgets what was not synced; what was said before is on it.
        tokio::time::sleep(Duration::from_millis(500)).await;
        done("sync", &["--file-system", text(&disk.at)]).expect("it is written");
        disk.turn_read_only();
        paid.answered.send_replace(usize::MAX);
        let why = server.out_of_work().await;
        paid.assert_stopped().await;
        // Where not even reading works without writing, that is said instead of how the run stands.
        let came = server.get(&format!("/api/runs/{}/drive", run.run)).await;
        if came.status().is_success() {
            let driving: Driving = came.json().await.expect("how it stands");
            let trouble = driving.trouble.expect("it says why");
            assert_eq!(driving.state, RunState::Paused);
            // Of two writers that failed, each says what it met.
            assert_eq!(trouble.code, "outage");
            let ends = |text: &str| text.split_once(": ").map(|(what, _)| what.to_owned());
            assert_eq!(ends(&trouble.message), ends(&why));
        } else {
            assert!(refusal(came).await.contains("database"));
        }

        drop(server);
        disk.mend();
        server = Server::start(&data, &upstream, None);
        until("the run", async || {
            let state = server.driving(&run).await.state;
            matches!(state, RunState::Running | RunState::Closed)
        })
        .await;
    }
    let driving = server.closed(&run).await;
    assert_eq!(driving.calls.calls, u64::from(PLAYS), "{driving:?}");
    assert_eq!(paid.count(), PLAYS as usize + lost, "no other call is paid for twice");
    let came = server.get(&format!("/api/runs/{}", run.run)).await;
    let info: RunInfo = came.json().await.expect("a run");
    assert_eq!(info.finished, PLAYS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgresql_that_is_started_again_is_waited_for() {
    // All tests that use this PostgreSQL would notice, so `cargo xtask test` runs this one by itself.
    let Ok(restart) = std::env::var("TURNWISE_TEST_POSTGRES_RESTART") else {
        database::skipped(
            "a restart of PostgreSQL",
            "TURNWISE_TEST_POSTGRES_RESTART holds no command that does it; `cargo xtask test` sets it",
        );
        return;
    };
    let folder = folder();
    let Some(database) = database::postgres(folder.path()) else {
        return;
    };
    let paid = Paid::default();
    let upstream = paid.start().await;
    let server = Server::start(folder.path(), &upstream, Some(&database));
    let run = server.begin(&spec(), json!({ "calls": PLAYS })).await;
    for (count, mode) in [(10, "fast"), (40, "immediate"), (70, "fast"), (90, "fast")] {
        paid.reaches(count).await;
        let restart = format!("{restart} --mode={mode}");
        let restarted = tokio::task::spawn_blocking(move || done("sh", &["-c", &restart])).await;
        restarted.expect("no panic").expect("it is started again");
        until("the run", async || {
            let state = server.driving(&run).await.state;
            matches!(state, RunState::Running | RunState::Closed)
        })
        .await;
    }
    let driving = server.closed(&run).await;
    assert_eq!(driving.calls.calls, u64::from(PLAYS), "never over the cap");
    assert_eq!(paid.count(), PLAYS as usize, "nothing is paid for twice");
}
