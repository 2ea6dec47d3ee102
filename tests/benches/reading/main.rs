//! What a first visit fetches, how soon a run is shown, and how its wall scrolls.
//!
//! A run of 420 episodes is opened in a browser that has never been there, from navigation until figures, parts and the part
//! of the wall that is in sight are drawn; beside it the same episodes as a log in Inspect View, until its list of samples
//! shows the first. Then the wall of a run of 10,000 episodes is scrolled from top to bottom, by wheel and by keys, once as
//! ribbons and once as a table.
//!
//! `TURNWISE_BENCH_READING` names one part: `visited`, `shown` or `scrolled`. `TURNWISE_BENCH_PROFILE` names a file into which goes where
//! the main thread's time went while the wall was scrolled by the wheel (`.cpuprofile`).

mod inspect;
mod scrolled;
mod shown;
mod visited;

use std::path::{Path, PathBuf};

use turnwise_made_up::made_up_tasks;
use turnwise_shared::examples::QUESTIONS;
use turnwise_shared::wire::Opened;
use turnwise_tests::asking::Asking;
use turnwise_tests::server::{self, Server};
use turnwise_tests::{chromium, stored};

struct Stage {
    program: PathBuf,
    browser: PathBuf,
    folder: PathBuf,
}

fn main() {
    let parts = (server::program(), server::web_folder(), chromium::browser());
    let (Some(program), Some(_), Some(browser)) = parts else {
        println!("skipped: `cargo xtask bench` names the program, the built page and the browser");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stage = Stage { program, browser, folder: folder.path().to_owned() };
    let only = std::env::var("TURNWISE_BENCH_READING").ok();
    let wanted = |part: &str| only.as_ref().is_none_or(|only| only == part);
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    if wanted("visited") {
        runtime.block_on(visited::measure(&stage));
    }
    if wanted("shown") {
        runtime.block_on(shown::measure(&stage));
    }
    if wanted("scrolled") {
        runtime.block_on(scrolled::measure(&stage));
    }
}

/// A run that was played, and is on a server.
struct Played {
    server: Server,
    opened: Opened,
    folder: PathBuf,
    tasks: PathBuf,
}

impl Stage {
    /// Plays made-up tasks in a mode, once each, and puts the run on a server of its own.
    async fn play(&self, name: &str, episodes: u32, mode: &str, more: &[&str]) -> Played {
        let data = self.folder.join(name).join("data");
        let tasks = data.join("tasks").join(QUESTIONS).join("made-up.jsonl");
        std::fs::create_dir_all(tasks.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::write(&tasks, made_up_tasks(episodes, 1)).expect("a file");
        let folder = self.folder.join(name).join("run");
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (file, out) = (text(&tasks), text(&folder));
        let mut words =
            vec!["run", "--benchmark", QUESTIONS, "--tasks", &file, "--mode", mode, "--out", &out];
        words.extend(more);
        let output = server::run(&self.program, &words);
        assert!(output.status.success(), "{}", server::printed(&output));
        let server = Server::start(&self.program, &data, &[]);
        let opened = stored::store(&Asking::new(&server), &folder, episodes).await;
        Played { server, opened, folder, tasks }
    }
}

impl Played {
    /// The address of the run's page.
    fn url(&self) -> String {
        self.server.url(&format!("/run/{}", self.opened.run))
    }
}

/// What stands in the middle of some numbers.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
