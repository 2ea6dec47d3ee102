//! Does the whole product work? The real server, the built web app, headless Chromium, and a scripted service behind it.
//!
//! Each test starts a server and a browser of its own, two tests at a time: most of a test's time is spent waiting, and two cores are
//! few. Pictures of the pages go to `target/screenshots`; they show the samples and nothing else, because pictures of the official tasks would
//! publish them.

mod benchmarks;
mod boards;
mod browsers;
mod compare;
mod declared;
mod episodes;
mod files;
mod first;
mod formats;
mod forms;
mod games;
mod gateway;
mod interrupted;
mod invited;
mod new_run;
mod pausing;
mod people;
mod play;
mod reading;
mod run_page;
mod runs;
mod screens;
mod sealed;
mod seats;
mod sharing;
mod solving;
mod stranger;
mod surviving;
mod tabs;
mod troubles;
mod visitors;
mod waiting;
mod whole_set;

// Every file here imports all of this one.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};
use turnwise_made_up::encrypted_tasks;
use turnwise_shared::examples::{MATCH, OFFICIAL_FILE, QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_tests::asking::Asking;
use turnwise_tests::chromium::{self, Chromium, Look, Piece, Scheme, Tab};
use turnwise_tests::data_dir;
use turnwise_tests::server::{self, Server, skipped};
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

/// How long a page may take to show something, with another test and those of the service beside it.
const SOON: Duration = Duration::from_secs(60);

static TWO_AT_A_TIME: Semaphore = Semaphore::const_new(2);

/// What the tests need from the outside.
struct Stage {
    program: PathBuf,
    browser: PathBuf,
    _turn: SemaphorePermit<'static>,
}

/// Waits for its turn. `None`, and said, if something is missing.
async fn stage(test: &str) -> Option<Stage> {
    let parts = [
        (server::program(), "TURNWISE_BIN names no program"),
        (server::web_folder(), "TURNWISE_WEB_DIR names no built web app"),
        (chromium::browser(), "TURNWISE_CHROMIUM names no browser"),
    ];
    for (part, why) in &parts {
        if part.is_none() {
            skipped(test, &format!("{why}; `cargo xtask test` sets all of it up"));
            return None;
        }
    }
    let [program, _, browser] = parts.map(|(part, _)| part);
    Some(Stage {
        program: program?,
        browser: browser?,
        _turn: TWO_AT_A_TIME.acquire().await.expect("it is never closed"),
    })
}

/// 210 encrypted tasks in a server's data folder: the official ones where they are at hand, else made-up ones.
struct Tasks {
    file: PathBuf,
    name: String,
}

impl Tasks {
    fn put_into(data: &Path) -> Self {
        let official = data_dir().map(|folder| folder.join(OFFICIAL_FILE));
        let (name, bytes) = match official.filter(|file| file.is_file()) {
            Some(file) => {
                ("official-210.jsonl", std::fs::read(file).expect("the official file can be read"))
            }
            None => {
                ("made-up-210.jsonl", encrypted_tasks(210, 1, "made up for tests").into_bytes())
            }
        };
        let folder = data.join("tasks").join(QUESTIONS);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join(name);
        std::fs::write(&file, bytes).expect("the tasks can be written");
        Tasks { file, name: name.to_owned() }
    }
}

/// Runs the program; it must succeed. What it printed on its standard output.
fn turnwise(program: &Path, arguments: &[&str]) -> String {
    let output = server::run(program, arguments);
    assert!(
        output.status.success(),
        "turnwise {arguments:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The id of the run whose page a tab shows.
async fn run_of(tab: &Tab) -> String {
    tab.wait("the run's page", "location.pathname.startsWith('/run/')", SOON).await;
    let path = tab.eval("location.pathname").await;
    let path = path.as_str().expect("a path");
    path.trim_start_matches("/run/").split('/').next().expect("an id").to_owned()
}

/// The id of the run whose page a tab comes to from that of another run.
async fn run_after(tab: &Tab, before: &str) -> String {
    let elsewhere = format!(
        "location.pathname.startsWith('/run/') && !location.pathname.startsWith('/run/{before}')"
    );
    tab.wait("another run's page", &elsewhere, SOON).await;
    run_of(tab).await
}

/// Runs the samples with the button of the first page, and waits until all are stored.
async fn samples_played(trial: &Trial, tab: &Tab) -> RunInfo {
    tab.click(".hero-do .btn-primary").await;
    let run = run_of(tab).await;
    let info =
        Asking::new(&trial.server).wait(&run, "the samples", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, info.episodes));
    info
}

/// The first episode of a run.
async fn first_play(trial: &Trial, run: &str) -> EpisodeKey {
    let heads: Vec<EpisodeHead> =
        Asking::new(&trial.server).json(&format!("/api/runs/{run}/episodes")).await;
    heads[0].episode.its_play()
}

/// Opens a part of a run's page: `ranking`, `episodes`, `breakdown`, `calibration`, `cost`, `checks` or `setup`.
async fn open_part(tab: &Tab, part: &str) {
    let head = format!("#tab-{part}");
    tab.wait_for(&head, SOON).await;
    tab.click(&head).await;
    tab.wait_for(&format!("#panel-{part}"), SOON).await;
}

/// Has the run whose page a tab shows graded again by a bot; the id of the run that grades.
async fn graded_again(tab: &Tab, run: &str) -> String {
    open_part(tab, "checks").await;
    // The section comes late, and what is drawn anew is closed again.
    let open = "(() => { const one = document.querySelector('#graders details'); if (one) one.open = true; \
                return document.querySelector(\"#grade-grader-who option[value='bot:exact']\") !== null; })()";
    tab.wait("who can grade", open, SOON).await;
    tab.eval(
        "(() => { const who = document.querySelector('#grade-grader-who'); who.value = 'bot:exact'; \
         who.dispatchEvent(new Event('change', { bubbles: true })); })()",
    )
    .await;
    tab.click("#grade-grader-start").await;
    run_after(tab, run).await
}

/// A server with a folder of its own.
struct Trial {
    server: Server,
    folder: TempDir,
}

impl Trial {
    fn start(stage: &Stage, folder: TempDir, variables: &[(&str, &str)]) -> Self {
        let data = folder.path().join("data");
        let server = Server::start(&stage.program, &data, variables);
        Trial { server, folder }
    }

    /// A server as it is started without a word, over a folder of its own.
    fn plain(stage: &Stage) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Trial::start(stage, folder, &[])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn data_of(folder: &TempDir) -> PathBuf {
    folder.path().join("data")
}

const START: &str = ".form-end .btn-primary";

/// Waits until the form of a new run can be sent.
async fn startable(tab: &Tab) {
    let expression = format!("document.querySelector('{START}')?.disabled === false");
    tab.wait("the start button", &expression, SOON).await;
}

/// Starts the run of the form.
async fn start(tab: &Tab) {
    startable(tab).await;
    tab.click(START).await;
}

/// Keeps a picture in every look, and goes back to the wide one.
async fn pictures(tab: &Tab, page: &str) {
    // Every page has one; until then there is no page.
    tab.wait_for("h1", SOON).await;
    for (name, look) in Look::ALL {
        tab.look(look).await;
        tab.screenshot(&format!("{page}-{name}")).await;
        let wide = tab
            .eval(
                // What follows the size of the window may take some frames on a busy machine; the end is what counts.
                "(async () => { const over = () => document.documentElement.scrollWidth - \
                 document.documentElement.clientWidth; for (let frame = 0; over() > 0 && frame < 120; frame++) await new \
                 Promise(done => requestAnimationFrame(done)); return over(); })()",
            )
            .await;
        assert_eq!(wide, json!(0), "{page} in {name} is wider than its window");
        // Contrast depends on the colours, what is folded away on the width: two looks have all of both.
        if matches!(name, "light-1280" | "dark-390") {
            tab.assert_axe_is_content(&format!("{page} in {name}")).await;
        }
    }
    tab.look(Look::WIDE).await;
    tab.assert_can_be_listened_to(page).await;
}
