//! `turnwise serve` twice over one folder, and commands beside a server.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use crate::common::*;

/// A server that is killed when it is dropped.
struct Serving(Child);

impl Serving {
    fn start(folder: &Folder) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .env("TURNWISE_DEMO", "off")
            .args(["serve", "--addr", "127.0.0.1:0", "--data"])
            .arg(folder.path())
            .env_remove("DATABASE_URL")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program was built");
        let mut said = String::new();
        let out = child.stdout.take().expect("it has an output");
        BufReader::new(out).read_line(&mut said).expect("it says something");
        assert!(said.starts_with("Turnwise is at "), "{said}");
        Serving(child)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }
}

#[test]
fn a_folder_has_one_server_and_commands_work_beside_it() {
    let folder = folder();
    let first = Serving::start(&folder);
    let second = folder.run("serve --addr 127.0.0.1:0 --data @.", 1);
    let process = format!("(process {})", first.0.id());
    for part in ["another server runs", &process, "--data", "DATABASE_URL"] {
        second.err_has(part);
    }
    let keys = folder.run("keys show --data @.", 0);
    keys.out_has(" to now");
    let removed = folder.say("admin remove abc --reason why --data @.");
    removed.err_has("stands on no board");
    // A server that is killed lets go of it.
    drop(first);
    drop(Serving::start(&folder));
}
