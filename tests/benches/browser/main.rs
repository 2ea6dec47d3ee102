//! How close a run in the browser comes to the shortest time that its calls allow, and what that costs the page.
//!
//! 1,608 episodes over models, 64 turns in flight over one socket, each call with a latency of 0.12 s on average (log-normal,
//! sigma 0.5): the built page in headless Chromium, the real server, a scripted service. Two benchmarks are played one after
//! the other, see [`Scenario`]. No schedule can be shorter than the latencies of the calls that share permits, by the permits,
//! nor than the longest chain of a participant. The page is watched while it works: CPU time of its main thread for each frame
//! that it drew, and its longest task (ARCHITECTURE.md, rule 26). The machine runs page, server and service at once.
//!
//! `TURNWISE_BENCH_SCENARIO` names one benchmark, `TURNWISE_BENCH_EPISODES` plays another number of episodes,
//! `TURNWISE_BENCH_LATENCY` takes another latency, in milliseconds.
//! `TURNWISE_BENCH_PROFILE` names a file into which goes where the main thread's time went (`.cpuprofile`; `cargo xtask web
//! --names` builds a page whose functions have names; name a scenario, too); the numbers of such a run count the profiler, too.

mod scenario;

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use scenario::{IN_FLIGHT, Scenario};
use turnwise_shared::prelude::*;
use turnwise_tests::asking::Asking;
use turnwise_tests::chromium::{self, Chromium};
use turnwise_tests::server::{self, Server};
use turnwise_tests::upstream::{Faults, Script, Upstream};

const EPISODES: u32 = 1608;
/// Mean latency of a call.
const LATENCY: Duration = Duration::from_millis(120);
/// What the project aims at.
const AIM: f64 = 1.10;
/// A task of the page that is longer than this is felt, in milliseconds.
const LONG_TASK: f64 = 50.0;
/// This many episodes fill what is filled once; what memory grows by after them is growth.
const EARLY: u32 = 200;
/// How much memory may grow from then on, beside what must be kept.
const GROWTH: f64 = 1.2;
const START: &str = ".form-end .btn-primary";

fn main() {
    let parts = (server::program(), server::web_folder(), chromium::browser());
    let (Some(program), Some(_), Some(browser)) = parts else {
        println!("skipped: `cargo xtask bench` names the program, the built page and the browser");
        return;
    };
    let episodes = std::env::var("TURNWISE_BENCH_EPISODES")
        .map_or(EPISODES, |count| count.parse().expect("a number of episodes"));
    let profile = std::env::var_os("TURNWISE_BENCH_PROFILE");
    let only = std::env::var("TURNWISE_BENCH_SCENARIO").ok();
    assert!(
        only.as_ref().is_none_or(|name| Scenario::ALL.iter().any(|one| one.name == name)),
        "TURNWISE_BENCH_SCENARIO names no scenario"
    );
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    for scenario in Scenario::ALL {
        if only.as_ref().is_none_or(|name| name == scenario.name) {
            let played = play(scenario, episodes, &program, &browser, profile.as_deref());
            runtime.block_on(played);
        }
    }
}

/// The mean latency of a call.
fn latency() -> Duration {
    std::env::var("TURNWISE_BENCH_LATENCY").map_or(LATENCY, |milliseconds| {
        Duration::from_millis(milliseconds.parse().expect("milliseconds"))
    })
}

/// Plays a scenario and prints its numbers.
async fn play(
    scenario: Scenario,
    episodes: u32,
    program: &Path,
    browser: &Path,
    profile: Option<&OsStr>,
) {
    let mark = scenario.mark;
    let upstream =
        Upstream::start(Script { seed: 7, latency: latency(), faults: Faults::Never, key: None })
            .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = folder.path().join("tasks").join(scenario.name);
    std::fs::create_dir_all(&tasks).expect("a folder");
    std::fs::write(tasks.join("made-up.jsonl"), scenario.tasks(episodes)).expect("a file");
    let url = upstream.base_url();
    let server = Server::start(
        program,
        folder.path(),
        &[
            ("TURNWISE_PROVIDER_UP_BASE_URL", &url),
            ("TURNWISE_PROVIDER_UP_MODELS", "player,responder,engine"),
        ],
    );
    let asking = Asking::new(&server);
    let chromium = Chromium::start(browser).await;
    let address = format!(
        "/new?benchmark={}&tasks=made-up.jsonl&in-flight={IN_FLIGHT}&{}",
        scenario.name, scenario.choice
    );
    let tab = chromium.open("about:blank").await;
    tab.do_not_hear_the_network().await;
    tab.note_wasm().await;
    tab.goto(&server.url(&address)).await;
    let ready = format!("document.querySelector('{START}')?.disabled === false");
    tab.wait("the start button", &ready).await;
    tab.watch_tasks().await;
    if profile.is_some() {
        tab.begin_profile().await;
    }
    tab.begin_to_count().await;
    let busy_before = tab.busy().await;
    tab.click(START).await;
    tab.wait("the run's page", "location.pathname.startsWith('/run/')").await;
    let path = tab.eval("location.pathname").await;
    let run = path.as_str().and_then(|path| path.split('/').nth(2)).expect("an id").to_owned();
    let began = Instant::now();
    asking.wait(&run, "the first episodes", |info| info.finished >= EARLY.min(episodes)).await;
    let early = tab.heap().await;
    let info = asking.wait(&run, "all episodes", |info| info.state.is_over()).await;
    let all = began.elapsed();
    let busy = tab.busy().await - busy_before;
    if let Some(file) = profile {
        std::fs::write(file, tab.end_profile().await).expect("a file");
    }
    let late = tab.heap().await;
    let kept = asking.get(&format!("/api/runs/{run}/summaries")).await.body.len() as f64;
    let took = asking.get(&format!("/api/runs/{run}/timing")).await.json::<Vec<CallTiming>>();
    let watched = tab.watched().await;
    assert_eq!((info.state, info.finished), (RunState::Closed, episodes));
    let counts = upstream.counts();
    let (first, last) = counts.first.zip(counts.last).expect("calls were made");
    let makespan = last.duration_since(first).as_secs_f64();
    let bound = scenario.bound(&counts).as_secs_f64();
    let ratio = makespan / bound;
    println!(
        "makespan, browser{mark}  {episodes} episodes, {} calls of {:.2} s, {IN_FLIGHT} in flight, {makespan:.1} s of {:.1} s  {ratio:.4}  lower bound of the same calls",
        counts.calls,
        latency().as_secs_f64(),
        all.as_secs_f64(),
    );
    println!("makespan, browser{mark}  ratio {ratio:.4}  {:.3}  the aim of {AIM}", ratio / AIM);
    // A turn is in flight from when the page may make its call until the page may make the next one.
    let calls = counts.calls as f64;
    let service = counts.took.values().sum::<Duration>().as_secs_f64() * 1000.0 / calls;
    let server = took.iter().map(|call| call.timing.took).sum::<u64>() as f64 / took.len() as f64;
    let flight = makespan * 1000.0 * scenario.permits() / calls;
    println!(
        "a turn in flight{mark}  {flight:.1} ms, of which {service:.1} ms at the service, {:.1} ms more seen by the server  {:.3}  the service alone",
        server - service,
        flight / service,
    );
    let longest = watched.longest();
    println!(
        "page's CPU time for a call{mark}  {:.2} ms of {:.1} s  {:.3}  the time between two calls at the lower bound",
        busy * 1000.0 / counts.calls as f64,
        busy,
        busy / bound,
    );
    println!(
        "page's longest task{mark}  {longest:.0} ms, {} over {LONG_TASK:.0} ms  {:.3}  the aim of {LONG_TASK:.0} ms",
        watched.long_tasks.len(),
        longest / LONG_TASK
    );
    for frame in tab.longest_frames().await {
        println!("page's long frame{mark}  {frame}");
    }
    let megabytes = |bytes: f64| bytes / 1e6;
    let grown =
        (late.bytes() - kept * (1.0 - f64::from(EARLY) / f64::from(episodes))) / early.bytes();
    println!(
        "page's memory{mark}  {:.1} MB (WebAssembly {:.1}) after {EARLY} episodes, {:.1} MB (WebAssembly {:.1}) at the end, summaries {:.1} MB as text  {:.3}  after {EARLY} episodes",
        megabytes(early.bytes()),
        megabytes(early.wasm),
        megabytes(late.bytes()),
        megabytes(late.wasm),
        megabytes(kept),
        late.bytes() / early.bytes(),
    );
    println!(
        "page's memory{mark}  {grown:.3} times, less the text of the summaries that came later  {:.3}  the aim of {GROWTH}",
        grown / GROWTH
    );
    println!(
        "calls of the page{mark}  {:?}, longest chain {:.1} s",
        counts.parts,
        counts.longest_chain.as_secs_f64()
    );
    tab.close().await;
}
