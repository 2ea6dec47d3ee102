//! A run of 10,000 episodes is opened, and its wall scrolled from top to bottom: of ribbons, as it is drawn by itself, and as a table.

use std::time::Duration;

use turnwise_tests::chromium::{Chromium, Tab};

use super::Stage;

const EPISODES: u32 = 10_000;
/// Turns of the wheel from top to bottom, and the time between two: about five seconds.
const TURNS: u32 = 250;
const PAUSE: Duration = Duration::from_millis(16);
/// So often a page further by key.
const PAGES: u32 = 60;
/// A task that is longer is felt, in milliseconds.
const LONG_TASK: f64 = 50.0;
/// The time of a frame at 60 a second, in milliseconds.
const FRAME: f64 = 1000.0 / 60.0;
const WALL: &str = "document.querySelector('.wall-scroll')";

pub async fn measure(stage: &Stage) {
    let played = stage.play("scrolled", EPISODES, "ask_only", &[]).await;
    for (query, kind) in [("", "ribbons"), ("?look=list", "rows of a table")] {
        let address = format!("{}{query}", played.url());
        of_look(stage, &address, kind).await;
    }
}

/// Measures the wall of an address; `kind` is what it is made of.
async fn of_look(stage: &Stage, address: &str, kind: &str) {
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open("about:blank").await;
    tab.do_not_hear_the_network().await;
    open(&tab, address, kind, "in a browser just started").await;
    tab.close().await;
    for _ in 0..2 {
        let tab = chromium.open("about:blank").await;
        open(&tab, address, kind, "again").await;
        tab.close().await;
    }
    let tab = chromium.open("about:blank").await;
    tab.do_not_hear_the_network().await;
    open(&tab, address, kind, "again").await;
    let place = tab
        .eval(&format!(
            "(() => {{ {WALL}.scrollIntoView({{ block: 'center' }}); const at = {WALL}.getBoundingClientRect(); \
             return [at.x + at.width / 2, at.y + at.height / 2, {WALL}.scrollHeight]; }})()"
        ))
        .await;
    let number = |at: usize| place[at].as_f64().unwrap_or_default();
    let (middle, height) = ((number(0), number(1)), number(2));
    tab.begin_to_count().await;

    let profile = std::env::var_os("TURNWISE_BENCH_PROFILE");
    if profile.is_some() {
        tab.begin_profile().await;
    }
    let before = begin(&tab).await;
    for _ in 0..TURNS {
        tab.wheel(middle, height / f64::from(TURNS) + 1.0).await;
        tokio::time::sleep(PAUSE).await;
    }
    tell(&tab, kind, "the wheel", before).await;
    if let Some(file) = profile {
        std::fs::write(file, tab.end_profile().await).expect("a file");
    }
    at_the_bottom(&tab).await;

    tab.eval(&format!("{WALL}.focus()")).await;
    tab.press("Home").await;
    let before = begin(&tab).await;
    for _ in 0..PAGES {
        tab.press("PageDown").await;
        tokio::time::sleep(PAUSE).await;
    }
    tab.press("End").await;
    tell(&tab, kind, "keys", before).await;
    at_the_bottom(&tab).await;
    tab.close().await;
}

/// Opens a page and tells what its longest task was until all of it was drawn, and which took the most CPU time.
async fn open(tab: &Tab, address: &str, kind: &str, when: &str) {
    let noting = tab.note_tasks().await;
    tab.goto(address).await;
    tab.wait_for(".wall-row").await;
    // What is drawn after the wall is not the wall's.
    tab.wait_for("#why").await;
    let settled =
        "new Promise(done => setTimeout(() => requestIdleCallback(() => done(true)), 2000))";
    tab.eval(settled).await;
    let tasks = tab.tasks_since_opened().await;
    let longest = tasks.iter().copied().fold(0.0, f64::max);
    println!(
        "longest task while a run of {EPISODES} {kind} opens {when}  {} {LONG_TASK:.0} ms  {:.3}  the aim of {LONG_TASK:.0} ms",
        over(&tasks),
        longest / LONG_TASK
    );
    let noted = noting.end().await;
    let most = noted.iter().map(|task| task.cpu).fold(0.0, f64::max);
    println!(
        "most CPU time of a task while a run of {EPISODES} {kind} opens {when}  {most:.0} ms  {:.3}  the aim of {LONG_TASK:.0} ms",
        most / LONG_TASK
    );
}

/// How long the longest of the long tasks is, and how many there are.
fn over(tasks: &[f64]) -> String {
    let longest = tasks.iter().copied().fold(0.0, f64::max);
    match tasks.len() {
        0 => "none is over".to_owned(),
        count => format!("{longest:.0} ms, {count} over"),
    }
}

/// Begins to watch; gives the CPU time so far.
async fn begin(tab: &Tab) -> f64 {
    tab.watch().await;
    tab.busy().await
}

async fn at_the_bottom(tab: &Tab) {
    let is_there = format!(
        "(() => {{ const ends = [...document.querySelectorAll('.wall-row')].map(row => row.offsetTop + row.offsetHeight); \
         return {WALL}.scrollTop + {WALL}.clientHeight >= {WALL}.scrollHeight - 1 && ends.some(end => end >= {WALL}.scrollHeight - 1); }})()"
    );
    tab.wait("the last ribbons", &is_there).await;
}

async fn tell(tab: &Tab, kind: &str, by: &str, before: f64) {
    let busy = (tab.busy().await - before) * 1000.0;
    let watched = tab.watched().await;
    let (longest, frames) = (watched.longest(), watched.frames.max(1.0));
    let words = over(&watched.long_tasks);
    println!(
        "longest task while {EPISODES} {kind} scroll by {by}  {words} {LONG_TASK:.0} ms  {:.3}  the aim of {LONG_TASK:.0} ms",
        longest / LONG_TASK
    );
    println!(
        "CPU time of a frame while {EPISODES} {kind} scroll by {by}  {:.1} ms over {frames:.0} frames, {:.0} ms between two at most  {:.3}  a frame at 60 a second",
        busy / frames,
        watched.slowest,
        busy / frames / FRAME
    );
}
