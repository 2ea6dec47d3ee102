//! Does the whole product work? The real server, the built web app, headless Chromium, and a scripted service behind it.
//!
//! Each test starts a server and a browser of its own, one test after the other: two cores are few. Pictures of the pages
//! go to `target/screenshots`; they show the samples and nothing else, because pictures of the official tasks would
//! publish them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::Client;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard};
use turnwise_shared::benchmarks::interactcomp::dataset;
use turnwise_shared::seat::Seat;
use turnwise_shared::transcript::{self, Event};
use turnwise_shared::wire::{CallTiming, EpisodeHead, RunInfo, RunState};
use turnwise_tests::chromium::{self, Chromium, Look, Tab};
use turnwise_tests::data_dir;
use turnwise_tests::server::{self, Server, skipped};
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};

/// How long a run of all tasks may take; on two idle cores it takes a part of it.
const WHOLE_RUN: Duration = Duration::from_secs(240);

/// How long a page may take to show something.
const SOON: Duration = Duration::from_secs(30);

static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// What the tests need from the outside.
struct Stage {
    program: PathBuf,
    browser: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

/// Waits for its turn. `None`, and said, if something is missing.
async fn stage(test: &str) -> Option<Stage> {
    let parts = [
        (server::program(), "TURNWISE_BIN names no program"),
        (
            server::web_folder(),
            "TURNWISE_WEB_DIR names no built web app",
        ),
        (chromium::browser(), "TURNWISE_CHROMIUM names no browser"),
    ];
    for (part, why) in &parts {
        if part.is_none() {
            skipped(
                test,
                &format!("{why}; `cargo xtask test` sets all of it up"),
            );
            return None;
        }
    }
    let [program, _, browser] = parts.map(|(part, _)| part);
    Some(Stage {
        program: program?,
        browser: browser?,
        _turn: ONE_AT_A_TIME.lock().await,
    })
}

/// 210 encrypted tasks in a server's data folder: the official ones where they are at hand, else made-up ones.
struct Tasks {
    file: PathBuf,
    name: String,
}

impl Tasks {
    fn put_into(data: &Path) -> Self {
        let official = data_dir().map(|folder| folder.join("interactcomp/InteractComp210.jsonl"));
        let (name, bytes) = match official.filter(|file| file.is_file()) {
            Some(file) => (
                "InteractComp210.jsonl",
                std::fs::read(file).expect("the official file can be read"),
            ),
            None => (
                "made-up-210.jsonl",
                dataset::encrypted_lines(&dataset::generate(210, 1), "made up for tests")
                    .into_bytes(),
            ),
        };
        let folder = data.join("tasks/interactcomp");
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join(name);
        std::fs::write(&file, bytes).expect("the tasks can be written");
        Tasks {
            file,
            name: name.to_owned(),
        }
    }
}

/// Asks a server for JSON or text.
struct Asking<'a> {
    server: &'a Server,
    client: Client,
}

impl<'a> Asking<'a> {
    fn new(server: &'a Server) -> Self {
        let client = Client::builder()
            .no_proxy()
            .timeout(SOON)
            .build()
            .expect("a client");
        Asking { server, client }
    }

    async fn text(&self, path: &str) -> String {
        let answer = self
            .client
            .get(self.server.url(path))
            .send()
            .await
            .expect("it answers");
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.text().await.expect("a text")
    }

    async fn json<T: DeserializeOwned>(&self, path: &str) -> T {
        let text = self.text(path).await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Waits until a run is as it should be.
    async fn wait(&self, run: &str, what: &str, is_so: impl Fn(&RunInfo) -> bool) -> RunInfo {
        let began = Instant::now();
        loop {
            let info: RunInfo = self.json(&format!("/api/runs/{run}")).await;
            if is_so(&info) {
                return info;
            }
            assert!(
                began.elapsed() < WHOLE_RUN,
                "{what}: not within {WHOLE_RUN:?}; {} of {} finished, {:?}\n{}",
                info.finished,
                info.episodes,
                info.state,
                self.server.log()
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// The stored transcripts of a run, written into a folder as the command line writes them.
    async fn fetch(&self, run: &str, folder: &Path) -> BTreeMap<String, String> {
        std::fs::create_dir_all(folder).expect("a folder can be made");
        let heads: Vec<EpisodeHead> = self.json(&format!("/api/runs/{run}/episodes")).await;
        let mut texts = BTreeMap::new();
        for head in heads {
            let text = self
                .text(&format!("/api/runs/{run}/episodes/{}", head.episode))
                .await;
            let name = head.episode.file_name();
            std::fs::write(folder.join(&name), &text).expect("a transcript can be written");
            texts.insert(name, text);
        }
        texts
    }
}

/// The transcripts of a run folder.
fn transcripts(folder: &Path) -> BTreeMap<String, String> {
    std::fs::read_dir(folder)
        .expect("the run folder is there")
        .map(|entry| entry.expect("it reads").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .map(|path| {
            let name = path
                .file_name()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read_to_string(&path).expect("it reads"))
        })
        .collect()
}

/// Panics at the first transcript and line that differ. The line itself is not shown: it may be of an official task.
fn assert_same(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) {
    let names = |all: &BTreeMap<String, String>| all.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(one), names(other));
    for (name, text) in one {
        let other = &other[name];
        if text != other {
            let line = text
                .lines()
                .zip(other.lines())
                .take_while(|(one, other)| one == other)
                .count();
            panic!(
                "{name} differs from line {} on; {} and {} lines",
                line + 1,
                text.lines().count(),
                other.lines().count()
            );
        }
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
    tab.wait(
        "the run's page",
        "location.pathname.startsWith('/run/')",
        SOON,
    )
    .await;
    let path = tab.eval("location.pathname").await;
    let path = path.as_str().expect("a path");
    path.trim_start_matches("/run/")
        .split('/')
        .next()
        .expect("an id")
        .to_owned()
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

#[tokio::test(flavor = "multi_thread")]
async fn models_behind_a_service_that_fails_now_and_then_play_the_whole_set() {
    let Some(stage) =
        stage("models_behind_a_service_that_fails_now_and_then_play_the_whole_set").await
    else {
        return;
    };
    let upstream = Upstream::start(Script {
        seed: 7,
        latency: Duration::from_millis(120),
        faults: Faults::Share(0.02, Fault::USUAL),
        key: Some("a-key-of-no-account".to_owned()),
    })
    .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = Tasks::put_into(&data_of(&folder));
    let url = upstream.base_url();
    let trial = Trial::start(
        &stage,
        folder,
        &[
            ("TURNWISE_PROVIDER_UP_BASE_URL", &url),
            ("TURNWISE_PROVIDER_UP_API_KEY", "a-key-of-no-account"),
            ("TURNWISE_PROVIDER_UP_MODELS", "player,responder,grader"),
        ],
    );
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = format!(
        "/new?benchmark=interactcomp&tasks={}&in-flight=64&seat.grader=model:up/grader&seat.player=model:up/player\
         &seat.responder=model:up/responder",
        tasks.name
    );
    let tab = chromium.open(&trial.server.url(&address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;

    let began = Instant::now();
    let info = asking
        .wait(&run, "the whole set", |info| info.state != RunState::Open)
        .await;
    let took = began.elapsed();
    assert_eq!(
        (info.state, info.finished, info.episodes),
        (RunState::Closed, 210, 210)
    );
    let counts = upstream.counts();
    println!("210 tasks in {took:.1?}; {counts:?}");
    // More than the six connections that a browser would have opened, and never more than was allowed.
    assert!((7..=64).contains(&counts.at_once), "{counts:?}");
    for fault in Fault::USUAL {
        assert!(
            counts.faults.contains_key(fault),
            "{fault:?} never happened: {counts:?}"
        );
    }

    // The page shows what the server computed.
    tab.wait(
        "the headline",
        "document.querySelectorAll('.figures .figure-value').length > 3",
        SOON,
    )
    .await;
    let accuracy = format!("{:.1}", 100.0 * info.accuracy.expect("all is graded"));
    let figures = tab.text(".figures").await;
    assert!(figures.contains(&accuracy), "no {accuracy} in {figures}");
    tab.assert_clean(trial.server.address());

    // The native driver tells the recorded replies again.
    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    assert!(
        texts.len() > 300,
        "210 plays and their gradings, not {}",
        texts.len()
    );
    let again = trial.path("again");
    let file = tasks.file.to_string_lossy();
    turnwise(
        &stage.program,
        &[
            "run",
            "--redrive",
            &recorded.to_string_lossy(),
            "--tasks",
            &file,
            "--out",
            &again.to_string_lossy(),
        ],
    );
    assert_same(&texts, &transcripts(&again));
    let metrics: Value = serde_json::from_str(&turnwise(
        &stage.program,
        &["metrics", &again.to_string_lossy(), "--json"],
    ))
    .expect("JSON");
    assert_eq!(metrics["n"], json!(210));
    assert_eq!(metrics["accuracy"].as_f64(), info.accuracy);
    tab.close().await;
}

/// The figures of a report by name, as the server and the command line both give them.
fn figures(record: &Value) -> BTreeMap<String, Value> {
    let ours = [
        "n",
        "accuracy",
        "accuracy_std",
        "accuracy_interval",
        "calibration_error",
        "round",
        "ir_micro",
        "ir_macro",
        "iround",
        "by_domain",
        "by_language",
        "outcomes",
    ];
    ours.into_iter()
        .map(|name| (name.to_owned(), record[name].clone()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_the_whole_set_alike_in_the_browser_and_headless() {
    let Some(stage) = stage("bots_play_the_whole_set_alike_in_the_browser_and_headless").await
    else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = Tasks::put_into(&data_of(&folder));
    let trial = Trial::start(&stage, folder, &[]);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = format!(
        "/new?benchmark=interactcomp&tasks={}&in-flight=64&search=local",
        tasks.name
    );
    let tab = chromium.open(&trial.server.url(&address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let info = asking
        .wait(&run, "the whole set", |info| info.state != RunState::Open)
        .await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 210));
    tab.wait(
        "the headline",
        "document.querySelectorAll('.figures .figure-value').length > 3",
        SOON,
    )
    .await;
    tab.assert_clean(trial.server.address());

    let headless = trial.path("headless");
    let file = tasks.file.to_string_lossy();
    turnwise(
        &stage.program,
        &[
            "run",
            "--benchmark",
            "interactcomp",
            "--tasks",
            &file,
            "--search",
            "local",
            "--out",
            &headless.to_string_lossy(),
        ],
    );
    let texts = asking.fetch(&run, &trial.path("fetched")).await;
    assert_same(&texts, &transcripts(&headless));
    let printed = turnwise(
        &stage.program,
        &["metrics", &headless.to_string_lossy(), "--json"],
    );
    let metrics: Value = serde_json::from_str(&printed).expect("JSON");
    let report: Value = asking.json(&format!("/api/runs/{run}/report")).await;
    assert_eq!(figures(&metrics), figures(&report["record"]));
    assert_eq!(metrics["n"], json!(210));
    tab.close().await;
}

/// The number of the slider's turn, as the address has it.
async fn turn(tab: &Tab) -> Option<u64> {
    let turn = tab
        .eval("new URLSearchParams(location.search).get('turn')")
        .await;
    turn.as_str().and_then(|turn| turn.parse().ok())
}

async fn wait_for_turn(tab: &Tab, turn: u64) {
    let expression = format!("new URLSearchParams(location.search).get('turn') === '{turn}'");
    tab.wait(&format!("turn {turn}"), &expression, SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_key_every_screen_works() {
    let Some(stage) = stage("without_any_key_every_screen_works").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[]);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;

    // One button runs the samples.
    tab.wait_for(".hero-do .btn-primary", SOON).await;
    pictures(&tab, "home-empty").await;
    tab.click(".hero-do .btn-primary").await;
    let run = run_of(&tab).await;
    let info = asking
        .wait(&run, "the samples", |info| info.state != RunState::Open)
        .await;
    assert_eq!(
        (info.state, info.finished),
        (RunState::Closed, info.episodes)
    );
    tab.wait(
        "the headline",
        "document.querySelectorAll('.figures .figure-value').length > 3",
        SOON,
    )
    .await;
    let ribbons = "document.querySelectorAll('.wall-scroll [role=option]').length > 0 && \
                   document.querySelectorAll('.wall-scroll .turn').length > 20";
    tab.wait("the wall of ribbons", ribbons, SOON).await;
    assert_eq!(
        tab.count(".wall-scroll [role=option]").await,
        u64::from(info.episodes)
    );
    pictures(&tab, "run").await;

    // By keyboard into an episode, through its turns, and back.
    tab.press("j").await;
    tab.press("j").await;
    tab.wait_for(".wall-scroll [role=option][aria-selected=true]", SOON)
        .await;
    tab.press("Enter").await;
    tab.wait_for("input.slider", SOON).await;
    let turns = tab
        .eval("Number(document.querySelector('input.slider').max)")
        .await;
    let turns = turns.as_u64().expect("a number");
    assert!(
        turns > 1,
        "an episode of several turns is to be shown, not of {turns}"
    );
    let start = turn(&tab).await.unwrap_or(0);
    tab.focus("input.slider").await;
    tab.press("Home").await;
    wait_for_turn(&tab, 1).await;
    for next in 2..=turns {
        tab.press("ArrowRight").await;
        wait_for_turn(&tab, next).await;
        let now = tab.count(".tl-turn.is-now").await;
        assert_eq!(now, 1, "turn {next} is marked in the timeline");
    }
    tab.press("ArrowLeft").await;
    wait_for_turn(&tab, turns - 1).await;
    assert_ne!(start, turns - 1);
    assert!(tab.count(".tl-turn").await >= turns);
    pictures(&tab, "episode").await;
    tab.press("Escape").await;
    tab.wait_for(".wall-scroll", SOON).await;

    // A Chinese task.
    let episodes: Vec<EpisodeHead> = asking.json(&format!("/api/runs/{run}/episodes")).await;
    let mut chinese = None;
    for head in &episodes {
        let text = asking
            .text(&format!("/api/runs/{run}/episodes/{}", head.episode))
            .await;
        if text.contains(r#""language":"zh""#) && head.episode == head.episode.its_play() {
            chinese = Some(head.episode.clone());
            break;
        }
    }
    let chinese = chinese.expect("there are Chinese samples");
    tab.goto(&trial.server.url(&format!("/run/{run}/{chinese}?turn=2")))
        .await;
    tab.wait_for(".tl-turn.is-now", SOON).await;
    pictures(&tab, "episode-zh").await;

    // The form, the connections, and a page that is not there.
    tab.goto(
        &trial
            .server
            .url("/new?mode=forced_ask&repeats=3&in-flight=32"),
    )
    .await;
    startable(&tab).await;
    assert!(
        tab.text(START).await.contains("60"),
        "20 tasks, 3 times: {}",
        tab.text(START).await
    );
    pictures(&tab, "new").await;
    tab.goto(&trial.server.url("/connections")).await;
    tab.wait_for("table .btn-small", SOON).await;
    let tests = tab.count("table .btn-small").await;
    for at in 0..tests {
        tab.eval(&format!(
            "document.querySelectorAll('table .btn-small')[{at}].click()"
        ))
        .await;
    }
    let all_answer = format!("document.querySelectorAll('td .good').length === {tests}");
    tab.wait("what the providers and engines answer", &all_answer, SOON)
        .await;
    pictures(&tab, "connections").await;
    tab.goto(&trial.server.url("/nowhere")).await;
    tab.wait_for("main a[href='/']", SOON).await;
    tab.goto(&trial.server.url("/")).await;
    tab.wait_for("table a[href^='/run/']", SOON).await;
    pictures(&tab, "home").await;

    tab.assert_clean(trial.server.address());
    tab.close().await;
}

/// Keeps a picture in every look, and goes back to the wide one.
async fn pictures(tab: &Tab, page: &str) {
    for (name, look) in Look::ALL {
        tab.look(look).await;
        // Two frames: what depends on the size is drawn in the first.
        tab.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))").await;
        tab.screenshot(&format!("{page}-{name}")).await;
        let wide = tab
            .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            .await;
        assert_eq!(wide, json!(0), "{page} in {name} is wider than its window");
    }
    tab.look(Look::WIDE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_tasks_are_taken_or_say_what_is_wrong_with_them() {
    let Some(stage) = stage("files_of_tasks_are_taken_or_say_what_is_wrong_with_them").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[]);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new"), Look::WIDE).await;
    let tasks = dataset::generate(12, 3);
    let plain = dataset::plain_lines(&tasks);
    let encrypted = dataset::encrypted_lines(&tasks, "made up for tests");
    let without_canary: String = encrypted
        .lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).expect("JSON");
            row.as_object_mut().expect("an object").remove("canary");
            format!("{row}\n")
        })
        .collect();
    let without_answer: String = plain
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let mut row: Value = serde_json::from_str(line).expect("JSON");
            if at == 6 {
                row.as_object_mut().expect("an object").remove("answer");
            }
            format!("{row}\n")
        })
        .collect();
    let cut = &plain[..plain.len() - 30];
    let input = ".drop input[type=file]";
    for (name, bytes, said) in [
        (
            "no-answer.jsonl",
            without_answer.as_bytes(),
            &["row 7", "answer"][..],
        ),
        ("cut.jsonl", cut.as_bytes(), &["row 12"]),
        (
            "no-canary.jsonl",
            without_canary.as_bytes(),
            &["row 1", "encrypted"],
        ),
        (
            "picture.png",
            b"\x89PNG\r\n\x1a\n\x00\xff".as_slice(),
            &["row 1"],
        ),
        ("empty.jsonl", b"".as_slice(), &["no"]),
    ] {
        let file = trial.path(name);
        std::fs::write(&file, bytes).expect("it writes");
        tab.goto(&trial.server.url("/new")).await;
        tab.wait_for(input, SOON).await;
        tab.choose_file(input, &file).await;
        tab.wait_for(".drop.is-bad", SOON).await;
        tab.wait_for(".note-bad", SOON).await;
        let shown = tab.text(".note-bad").await.to_lowercase();
        for word in said {
            assert!(shown.contains(word), "{name}: {word:?} is not in {shown}");
        }
        assert!(
            !tab.eval("location.search").await.to_string().contains(name),
            "it is not chosen"
        );
    }
    tab.screenshot("new-wrong-file-light-1280").await;

    let file = trial.path("mine.jsonl");
    std::fs::write(&file, &encrypted).expect("it writes");
    tab.goto(&trial.server.url("/new")).await;
    tab.wait_for(input, SOON).await;
    tab.choose_file(input, &file).await;
    tab.wait_for(".drop.is-good", SOON).await;
    tab.wait(
        "the file is chosen",
        "location.search.includes('mine')",
        SOON,
    )
    .await;
    let shown = tab.text(".file").await;
    assert!(shown.contains("12"), "{shown}");
    // It lies on the server as it was given, encrypted.
    let kept = Asking::new(&trial.server)
        .text("/api/tasks/mine.jsonl")
        .await;
    assert!(kept == encrypted, "the bytes of the file came back changed");
    tab.click(START).await;
    let run = run_of(&tab).await;
    let asking = Asking::new(&trial.server);
    let info = asking
        .wait(&run, "the dropped tasks", |info| {
            info.state != RunState::Open
        })
        .await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 12));
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_be_paused_reloaded_stopped_and_taken_up() {
    let Some(stage) = stage("a_run_can_be_paused_reloaded_stopped_and_taken_up").await else {
        return;
    };
    let upstream = Upstream::start(Script {
        latency: Duration::from_millis(500),
        ..Script::default()
    })
    .await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_PROVIDER_UP_BASE_URL", &url)]);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?in-flight=4&seat.player=model:up/player&first=8";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;

    // Paused: what flies lands, and nothing takes off.
    while upstream.counts().calls < 6 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tab.click_text("Pause").await;
    tab.wait_for_text("Paused", SOON).await;
    tab.wait(
        "nothing flies",
        "/in flight\\s+0\\b/.test(document.body.innerText)",
        SOON,
    )
    .await;
    let landed = upstream.counts().calls;
    pictures(&tab, "run-paused").await;
    assert_eq!(
        upstream.counts().calls,
        landed,
        "nothing is sent while it is paused"
    );
    let info: RunInfo = asking.json(&format!("/api/runs/{run}")).await;
    assert_eq!(info.state, RunState::Open);
    tab.click_text("Go on").await;

    // Another tab of this browser sees the run and keeps its hands off it.
    let other = chromium
        .open(&trial.server.url(&format!("/run/{run}")), Look::WIDE)
        .await;
    other.wait_for_text("Another tab", SOON).await;
    assert_eq!(
        other.count(".progress-head").await,
        0,
        "two tabs drive one run"
    );
    other.assert_clean(trial.server.address());
    other.close().await;

    // Reloaded in the middle: the page takes the run up by itself, and pays for nothing twice.
    while upstream.counts().calls < landed + 6 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tab.reload().await;
    let before = upstream.counts().calls;
    while upstream.counts().calls < before + 6 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    // Stopped, and taken up again.
    tab.click_text("Stop the run").await;
    tab.click_text("Yes, stop").await;
    asking
        .wait(&run, "the stop", |info| info.state == RunState::Cancelled)
        .await;
    tab.wait_for_text("Take it up here", SOON).await;
    pictures(&tab, "run-stopped").await;
    tab.click_text("Take it up here").await;
    let info = asking
        .wait(&run, "the end", |info| info.state == RunState::Closed)
        .await;
    assert_eq!(info.finished, 8);

    let counts = upstream.counts();
    // Only what was in the air when the run was stopped is sent again.
    assert!(counts.calls <= counts.different + 4, "{counts:?}");
    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    let files: Vec<String> = texts
        .keys()
        .map(|name| recorded.join(name).to_string_lossy().into_owned())
        .collect();
    let mut arguments = vec!["replay"];
    arguments.extend(files.iter().map(String::as_str));
    turnwise(&stage.program, &arguments);
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

/// How many replies of models a transcript has; the grader is a bot here.
fn replies_of_models(text: &str) -> usize {
    let read = transcript::read(text).expect("a sound transcript");
    let asked = read.events.iter().flatten().filter(|event| {
        matches!(event, Event::Asked { request, .. }
            if request.seat().is_some_and(|seat| seat.as_str() != Seat::GRADER))
    });
    asked.count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_in_the_browser_survives_a_restart_of_the_server() {
    let Some(stage) = stage("a_run_in_the_browser_survives_a_restart_of_the_server").await else {
        return;
    };
    let upstream = Upstream::start(Script {
        latency: Duration::from_millis(300),
        ..Script::default()
    })
    .await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut trial = Trial::start(&stage, folder, &[("TURNWISE_PROVIDER_UP_BASE_URL", &url)]);
    let chromium = Chromium::start(&stage.browser).await;
    let address =
        "/new?in-flight=6&seat.player=model:up/player&seat.responder=model:up/responder&first=10";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    for times in 1..=2 {
        while upstream.counts().calls < 20 * times {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        trial.server.kill();
        tab.wait_for_text("The connection was lost", SOON).await;
        trial.server.restart();
    }
    let asking = Asking::new(&trial.server);
    let info = asking
        .wait(&run, "the end", |info| info.state != RunState::Open)
        .await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 10));

    // What was in the air each time is sent again, and nothing else.
    let timings: Vec<CallTiming> = asking.json(&format!("/api/runs/{run}/timing")).await;
    let lost: u32 = timings.iter().map(|timing| timing.lost).sum();
    assert!((1..=12).contains(&lost), "{lost} calls were lost");
    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    let told: usize = texts.values().map(|text| replies_of_models(text)).sum();
    let calls = usize::try_from(upstream.counts().calls).expect("a count");
    assert!(
        (told..=told + 12).contains(&calls),
        "{calls} calls for {told} replies"
    );
    let again = trial.path("again");
    turnwise(
        &stage.program,
        &[
            "run",
            "--redrive",
            &recorded.to_string_lossy(),
            "--out",
            &again.to_string_lossy(),
        ],
    );
    assert_same(&transcripts(&recorded), &transcripts(&again));
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_access_token_the_page_asks_for_it() {
    const TOKEN: &str = "an-access-token-for-tests-1";
    let Some(stage) = stage("with_an_access_token_the_page_asks_for_it").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_ACCESS_TOKEN", TOKEN)]);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;
    tab.click(".hero-do .btn-primary").await;
    tab.wait_for(".note-bad", SOON).await;
    assert!(
        tab.text(".note-bad").await.contains("token"),
        "{}",
        tab.text(".note-bad").await
    );
    tab.screenshot("home-token-light-1280").await;
    // Refused requests are errors on the console, and these were provoked.
    tab.forgive();
    tab.goto(&trial.server.url("/connections")).await;
    tab.click("#access-token").await;
    tab.write(TOKEN).await;
    tab.press("Enter").await;
    tab.wait_for_text("kept in this browser", SOON).await;
    tab.goto(&trial.server.url("/")).await;
    tab.click(".hero-do .btn-primary").await;
    let run = run_of(&tab).await;
    let info = Asking::new(&trial.server)
        .wait(&run, "the samples", |info| info.state != RunState::Open)
        .await;
    assert_eq!(info.state, RunState::Closed);
    assert!(
        !trial.server.log().contains(TOKEN),
        "the token is in the log"
    );
    let elsewhere = tab
        .seen()
        .requests
        .into_iter()
        .find(|url| url.contains(TOKEN));
    assert_eq!(elsewhere, None, "the token is in an address");
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
