//! What a server answers whose database's file is not the one any more that it opened, whose program may open no more files, or whose
//! terminal is closed.

use std::process::{ExitStatus, Stdio};
use std::time::Instant;

use reqwest::StatusCode;
use turnwise_shared::wire::driving::RunState;

use super::{IN_FLIGHT, PLAYS, Paid, Server, refusal, spec, until};
use crate::common::*;

/// Every request that writes is refused as `/readyz` is, whatever was done to the file.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_answered_as_stored_while_the_file_of_the_database_is_another() {
    type Harm = fn(&Path);
    let deleted: Harm = |file| std::fs::remove_file(file).expect("it is deleted");
    let cut: Harm = |file| {
        let file = std::fs::File::options().write(true).open(file);
        file.and_then(|file| file.set_len(0)).expect("it is cut");
    };
    let journal: Harm = |file| {
        std::fs::remove_file(format!("{}-wal", file.display())).expect("it is deleted");
    };
    // As an operator puts a copy in its place.
    let replaced: Harm = |file| {
        let copy = file.with_extension("copy");
        std::fs::copy(file, &copy).expect("it is copied");
        std::fs::rename(&copy, file).expect("it is replaced");
    };
    for (name, harm, at_once) in [
        ("deleted", deleted, true),
        ("replaced", replaced, true),
        ("cut", cut, false),
        ("journal", journal, false),
    ] {
        let folder = folder();
        let upstream = Paid::default().start().await;
        let server = Server::start(folder.path(), &upstream, None);
        let wanted = json!({ "spec": spec(), "title": "a trial", "episodes": PLAYS });
        let opened = server.post("/api/runs", "none", &wanted).await;
        let run: turnwise_shared::wire::Opened = opened.json().await.expect("it is opened");
        harm(&folder.path().join("turnwise.db"));
        if at_once {
            // No request has looked at it yet.
            refusal(server.post("/api/runs", "none", &wanted).await).await;
        }
        let why = server.out_of_work().await;
        let of_run = |what: &str| format!("/api/runs/{}/{what}", run.run);
        let path = format!("/api/runs/{}", run.run);
        let http = &server.http;
        let at = |path: &str| format!("{}{path}", server.serving.address);
        let send = async |request: reqwest::RequestBuilder, body: Value| {
            let sent = request.bearer_auth(&run.token).json(&body).send();
            refusal(sent.await.expect("it answers")).await
        };
        for (path, body) in [
            ("/api/runs".to_owned(), wanted.clone()),
            (of_run("visibility"), json!({ "visibility": "public" })),
            (of_run("state"), json!({ "state": "paused" })),
            (of_run("caps"), json!({ "caps": {} })),
            (of_run("lease"), json!({})),
            (of_run("drive"), json!({})),
            (of_run("lines"), json!({})),
            (of_run("publish"), json!({})),
            (of_run("withdraw"), json!({})),
            (of_run("thinking"), json!({})),
            ("/api/live".to_owned(), json!({})),
            ("/api/call".to_owned(), json!({})),
        ] {
            assert_eq!(send(http.post(at(&path)), body).await, why, "{name}: {path}");
        }
        let title = json!({ "title": "Renamed" });
        assert_eq!(send(http.patch(at(&path)), title).await, why, "{name}");
        let put = http.put(at(&of_run("episodes/1.r1.play?from=0")));
        assert_eq!(send(put, json!({})).await, why, "{name}");
        // What stores nothing is done.
        let listed = json!({ "provider": "none" });
        let came = server.post("/api/models", "none", &listed).await;
        assert_eq!(came.status(), StatusCode::NOT_FOUND, "{name}");
    }
}

/// Calls that cannot be made because this program may open nothing more have not failed.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_may_open_no_more_files_waits_until_it_may() {
    let folder = folder();
    let paid = Paid::default();
    let upstream = paid.start().await;
    let server = Server::start(folder.path(), &upstream, None);
    let process = i32::try_from(server.serving.child.id()).expect("a process");
    let resource = rlimit::Resource::NOFILE;
    let run = server.begin(&spec(), json!({ "calls": PLAYS })).await;
    for count in [10, 40] {
        paid.reaches(count).await;
        // Fewer than are open: nothing new can be opened, and what is open goes on.
        rlimit::prlimit(process, resource, Some((4, 4096)), None).expect("it is limited");
        tokio::time::sleep(Duration::from_secs(4)).await;
        rlimit::prlimit(process, resource, Some((4096, 4096)), None).expect("it is limited");
        until("work", async || {
            let asked = server.http.get(format!("{}/readyz", server.serving.address));
            asked.send().await.is_ok_and(|came| came.status() == StatusCode::OK)
        })
        .await;
    }
    let driving = server.closed(&run).await;
    assert_eq!(driving.calls.calls, u64::from(PLAYS));
    assert_eq!(driving.calls.lost, 0);
}

/// Whether programs that this one starts do not hear of the end of their terminal, as under `nohup`.
#[cfg(target_os = "linux")]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").expect("it is there");
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    u64::from_str_radix(mask.expect("a mask").trim(), 16).expect("it is one") & 1 != 0
}

async fn ended(server: &mut Server) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = server.serving.child.try_wait().expect("a process") {
            return status;
        }
        assert!(began.elapsed() < super::SOON, "it does not end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_that_is_closed_ends_the_server_in_order() {
    if ignores_hangup() {
        crate::common::database::skipped("the end of a terminal", "it is ignored here (nohup)");
        return;
    }
    let folder = folder();
    let paid = Paid::default();
    let upstream = paid.start().await;
    let mut server = Server::start(folder.path(), &upstream, None);
    let run = server.begin(&spec(), json!({ "calls": PLAYS })).await;
    for (count, signal) in [(20, "HUP"), (60, "TERM")] {
        paid.reaches(count).await;
        let process = server.serving.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &process]).status();
        assert!(sent.expect("it is there").success());
        assert!(ended(&mut server).await.success(), "{signal}");
        server = Server::start(folder.path(), &upstream, None);
    }
    let driving = server.closed(&run).await;
    assert_eq!((driving.state, driving.calls.lost), (RunState::Closed, 0));
    assert_eq!(paid.count(), PLAYS as usize, "nothing is paid for twice");
    assert_eq!(IN_FLIGHT, 4, "some were under way each time");
}

/// A server whose output goes nowhere serves all the same, and says where.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_whose_output_cannot_be_written_serves() {
    use std::io::{BufRead as _, BufReader};

    let folder = folder();
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["serve", "--addr", "127.0.0.1:0", "--data"])
        .arg(folder.path())
        .env_remove("DATABASE_URL")
        .env("TURNWISE_DEMO", "off")
        .stdout(full.expect("it is there"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let said = BufReader::new(child.stderr.take().expect("it has one"));
    let address = said.lines().map_while(Result::ok).find_map(|line| {
        let (_, after) = line.split_once("http://")?;
        Some(after.split_whitespace().next()?.to_owned())
    });
    let http = turnwise_backend::services::reach::builder().build();
    let address = format!("http://{}/readyz", address.expect("it says where it is"));
    let asked = http.expect("a client").get(address).send();
    let status = asked.await.map(|came| came.status());
    // It may have ended by itself; then there is nothing to kill.
    let _ = child.kill();
    let _ = child.wait();
    assert_eq!(status.expect("it answers"), StatusCode::OK);
}
