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
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};
use tokio::time::sleep;
use turnwise_made_up::encrypted_tasks;
use turnwise_shared::examples::{MATCH, OFFICIAL_FILE, QUESTIONS, example};
use turnwise_shared::prelude::*;
use turnwise_tests::asking::Asking;
use turnwise_tests::chromium::{self, Chromium, Look, Piece, Scheme, Tab};
use turnwise_tests::data_dir;
use turnwise_tests::server::{self, At, Server, skipped};
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

/// How long a page may take to show something, with another test and those of the service beside it.
const SOON: Duration = Duration::from_secs(60);

/// A phone.
const PHONE: Look = Look { width: 390, height: 844, ..Look::WIDE };

static TWO_AT_A_TIME: Semaphore = Semaphore::const_new(2);

/// What a test needs from the outside, and what its server is started with.
struct Stage {
    program: PathBuf,
    browser: PathBuf,
    folder: TempDir,
    variables: Vec<(String, String)>,
    _turn: SemaphorePermit<'static>,
}

/// Waits for the turn of this test. `None`, and said, if something is missing.
async fn stage() -> Option<Stage> {
    let parts = [
        (server::program(), "TURNWISE_BIN names no program"),
        (server::web_folder(), "TURNWISE_WEB_DIR names no built web app"),
        (chromium::browser(), "TURNWISE_CHROMIUM names no browser"),
    ];
    for (part, why) in &parts {
        if part.is_none() {
            skipped(&format!("{why}; `cargo xtask test` sets all of it up"));
            return None;
        }
    }
    let [program, _, browser] = parts.map(|(part, _)| part);
    Some(Stage {
        program: program?,
        browser: browser?,
        folder: tempfile::tempdir().expect("a temporary folder"),
        variables: Vec::new(),
        _turn: TWO_AT_A_TIME.acquire().await.expect("it is never closed"),
    })
}

/// Runs a test on its stage, once it is its turn. If something is missing it is skipped, and that is said.
fn on_stage(test: impl AsyncFnOnce(Stage)) {
    Runtime::new().expect("the runtime starts").block_on(async {
        if let Some(stage) = stage().await {
            test(stage).await;
        }
    });
}

/// The same on a server as it is started without a word.
fn on_trial(test: impl AsyncFnOnce(Trial)) {
    on_stage(async |stage| test(stage.start()).await);
}

/// The same with a service of models that the server knows as `up`.
fn on_trial_over(script: Script, test: impl AsyncFnOnce(Trial, Upstream)) {
    on_stage(async |stage| {
        let upstream = Upstream::start(script).await;
        test(stage.with_models(&upstream).start(), upstream).await;
    });
}

impl Stage {
    /// Sets a variable in the environment of the server.
    fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The server knows this service of models as `up`.
    fn with_models(self, upstream: &Upstream) -> Self {
        self.with("TURNWISE_PROVIDER_UP_BASE_URL", upstream.base_url())
    }

    /// A file or folder of this test.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the model `player` of that service costs, in US dollars for a million tokens.
    fn with_prices(self, input: u32, output: u32) -> Self {
        let file = self.path("prices.toml");
        let since = "from = \"2020-01-01\"";
        let priced = format!(
            "[[price]]\nprovider = \"up\"\nmodel = \"player\"\n{since}\ninput = {input}\noutput = {output}\n"
        );
        std::fs::write(&file, priced).expect("it can be written");
        self.with("TURNWISE_PRICES", file.to_string_lossy())
    }

    /// A browser without any memory, at home on a server.
    async fn browser(&self, home: &impl At) -> Chromium {
        Chromium::start(&self.browser).await.at(home.url(""))
    }

    fn start(self) -> Trial {
        let variables: Vec<_> =
            self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let server = Server::start(&self.program, &self.path("data"), &variables);
        let asking = Asking::new(&server);
        Trial { browser: OnceCell::new(), asking, server, stage: self }
    }
}

/// 210 encrypted tasks in a server's data folder: the official ones where they are at hand, else made-up ones.
struct Tasks {
    file: PathBuf,
    name: String,
}

impl Tasks {
    fn put_into(stage: &Stage) -> Self {
        let official = data_dir().map(|folder| folder.join(OFFICIAL_FILE));
        let (name, bytes) = match official.filter(|file| file.is_file()) {
            Some(file) => {
                ("official-210.jsonl", std::fs::read(file).expect("the official file can be read"))
            }
            None => {
                ("made-up-210.jsonl", encrypted_tasks(210, 1, "made up for tests").into_bytes())
            }
        };
        let folder = stage.path("data/tasks").join(QUESTIONS);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join(name);
        std::fs::write(&file, bytes).expect("the tasks can be written");
        Tasks { file, name: name.to_owned() }
    }
}

/// The id of the run whose page a tab shows.
async fn run_of(tab: &Tab) -> String {
    tab.wait("the run's page", "location.pathname.startsWith('/run/')").await;
    let path = tab.path().await;
    path.trim_start_matches("/run/").split('/').next().expect("an id").to_owned()
}

/// The id of the run whose page a tab comes to from that of another run.
async fn run_after(tab: &Tab, before: &str) -> String {
    let elsewhere = format!(
        "location.pathname.startsWith('/run/') && !location.pathname.startsWith('/run/{before}')"
    );
    tab.wait("another run's page", &elsewhere).await;
    run_of(tab).await
}

/// Runs the samples with the button of the first page, and waits until all are stored; the run's id.
async fn samples_played(trial: &Trial, tab: &Tab) -> String {
    tab.click("#run-samples").await;
    trial.whole(tab).await
}

/// Opens a part of a run's page: `ranking`, `episodes`, `breakdown`, `calibration`, `cost`, `checks` or `setup`.
async fn open_part(tab: &Tab, part: &str) {
    let head = format!("#tab-{part}");
    tab.click(&head).await;
    tab.wait_for(&format!("#panel-{part}")).await;
}

/// Has the run whose page a tab shows graded again by a bot; the id of the run that grades.
async fn graded_again(tab: &Tab, run: &str) -> String {
    open_part(tab, "checks").await;
    // The section comes late, and what is drawn anew is closed again.
    let open = "(() => { const one = document.querySelector('#graders details'); if (one) one.open = true; \
                return document.querySelector(\"#grade-grader-who option[value='bot:exact']\") !== null; })()";
    tab.wait("who can grade", open).await;
    tab.set("#grade-grader-who", "bot:exact").await;
    tab.click("#grade-grader-start").await;
    run_after(tab, run).await
}

/// A server with a folder of its own, which can be asked like [`Asking`], and a browser.
struct Trial {
    browser: OnceCell<Chromium>,
    asking: Asking,
    server: Server,
    stage: Stage,
}

impl Deref for Trial {
    type Target = Asking;

    fn deref(&self) -> &Asking {
        &self.asking
    }
}

impl Trial {
    /// Opens a tab on a page of the server, in the browser of this trial.
    async fn open(&self, place: &str) -> Tab {
        self.open_in(Look::WIDE, place).await
    }

    /// The same in another look.
    async fn open_in(&self, look: Look, place: &str) -> Tab {
        self.browser.get_or_init(|| self.other_browser()).await.open_in(look, place).await
    }

    /// Opens a form and starts its run; the tab and the run's id.
    async fn run(&self, form: &str) -> (Tab, String) {
        let tab = self.open(form).await;
        let run = started(&tab).await;
        (tab, run)
    }

    /// Waits until every episode of the run that a tab shows is stored; its id.
    async fn whole(&self, tab: &Tab) -> String {
        let run = run_of(tab).await;
        let info = self.closed(&run).await;
        assert_eq!(info.finished, info.episodes);
        run
    }

    /// Another browser, without any memory.
    async fn other_browser(&self) -> Chromium {
        self.stage.browser(&self.server).await
    }

    /// A file or folder of this test.
    fn path(&self, name: &str) -> PathBuf {
        self.stage.path(name)
    }

    /// Runs the program; it must succeed. What it printed on its standard output.
    fn turnwise(&self, arguments: &[&str]) -> String {
        let output = server::run(&self.stage.program, arguments);
        assert!(
            output.status.success(),
            "turnwise {arguments:?}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

const START: &str = ".form-end .btn-primary";

/// Waits until the form of a new run or of a table can be sent.
async fn startable(tab: &Tab) {
    tab.wait_for(&format!("{START}:enabled")).await;
}

/// Starts the run of the form.
async fn start(tab: &Tab) {
    startable(tab).await;
    tab.click(START).await;
}

/// Starts the run of the form; its id.
async fn started(tab: &Tab) -> String {
    start(tab).await;
    run_of(tab).await
}

/// Sits down at the table of the form; its id.
async fn seated(tab: &Tab) -> String {
    start(tab).await;
    play::table_of(tab).await
}

/// Begins the branch of the dialog in which an episode is taken over; its id.
async fn branched(tab: &Tab, from: &str) -> String {
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note").await;
    run_after(tab, from).await
}

/// Verifies the episode that a tab shows, which says this in the end.
async fn verified(tab: &Tab, says: &str) {
    tab.click("#to-verify").await;
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", says).await;
}

/// Keeps a picture in every look, and goes back to the wide one.
async fn pictures(tab: &Tab, page: &str) {
    // Every page has one; until then there is no page.
    tab.wait_for("h1").await;
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
