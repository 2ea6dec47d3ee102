//! The time until a run of 420 episodes is shown.

use std::path::Path;

use turnwise_tests::chromium::{Chromium, Loaded};

use super::inspect::View;
use super::{Stage, median};

const EPISODES: u32 = 420;
/// How many times each page is opened, by turns, every time in a browser that has never been there.
const ROUNDS: usize = 5;
/// The share of the peer's time that is aimed at.
const AIM: f64 = 1.0 / 3.0;

/// Figures are there, and episodes fill what is in sight of the window, whether the server or the app wrote them.
const READ: &str = "(() => { const ends = [...document.querySelectorAll('a.ep')].map(one => one.getBoundingClientRect().bottom); \
     const bottom = () => document.querySelector('.told-rows, .wall-scroll').getBoundingClientRect().bottom; \
     return ends.some(end => end >= innerHeight || end + 4 >= bottom()) \
     && document.querySelectorAll('.figures .figure-value').length > 3; })()";

/// The app is there: figures, why the rest failed, and rows fill what is in sight of the wall.
const OURS: &str = "(() => { const wall = document.querySelector('.wall-scroll'); \
     const ends = [...document.querySelectorAll('.wall-row')].map(row => row.offsetTop + row.offsetHeight); \
     return wall !== null && ends.some(end => end >= wall.scrollHeight || end >= wall.clientHeight) \
     && document.querySelectorAll('.figures .figure-value').length > 3 && document.querySelector('#why') !== null; })()";

/// The first sample is in the list of samples.
const THEIRS: &str = "document.querySelector('.sample-input')?.innerText.trim().length > 0";

/// One page, opened several times.
#[derive(Default)]
struct Opened {
    /// Milliseconds until it was shown.
    shown: Vec<f64>,
    /// CPU time of its main thread until then, in milliseconds.
    busy: Vec<f64>,
    loaded: Loaded,
}

pub async fn measure(stage: &Stage) {
    let played = stage.play("shown", EPISODES, "full", &[]).await;
    let view = View::start(stage, &played);
    let (mut read, mut ours, mut theirs) =
        (Opened::default(), Opened::default(), Opened::default());
    for _ in 0..ROUNDS {
        read.open(&stage.browser, &played.url(), READ).await;
        ours.open(&stage.browser, &played.url(), OURS).await;
        if let Ok(view) = &view {
            theirs.open(&stage.browser, &view.url(), THEIRS).await;
        }
    }
    let peer = match &view {
        Ok(view) => format!(
            "{}, a log of {:.1} MB: {}",
            view.version(),
            view.bytes() as f64 / 1e6,
            theirs.words()
        ),
        Err(why) => format!("Inspect View skipped: {why}"),
    };
    for (what, opened) in
        [("can be read", &read), ("is shown by the app with all its parts", &ours)]
    {
        let ratio = median(&opened.shown) / median(&theirs.shown);
        let said = match view {
            Ok(_) => format!("{ratio:.3}"),
            Err(_) => "-".to_owned(),
        };
        println!("a run of {EPISODES} episodes {what}  {}  {said}  {peer}", opened.words());
        if view.is_ok() {
            println!(
                "a run of {EPISODES} episodes {what}  ratio {ratio:.3}  {:.3}  the aim of a third of Inspect View",
                ratio / AIM
            );
        }
    }
    if view.is_ok() {
        println!(
            "CPU time of the page until then  {:.0} ms  {:.3}  Inspect View, {:.0} ms",
            median(&ours.busy),
            median(&ours.busy) / median(&theirs.busy),
            median(&theirs.busy)
        );
    }
}

impl Opened {
    async fn open(&mut self, browser: &Path, url: &str, is_shown: &str) {
        let chromium = Chromium::start(browser).await;
        let tab = chromium.open("about:blank").await;
        tab.do_not_hear_the_network().await;
        tab.note_when(is_shown).await;
        tab.begin_to_count().await;
        let before = tab.busy().await;
        tab.goto(url).await;
        self.shown.push(tab.shown("the page").await);
        self.busy.push((tab.busy().await - before) * 1000.0);
        self.loaded = tab.loaded().await;
        tab.close().await;
    }

    fn words(&self) -> String {
        let least = self.shown.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.shown.iter().copied().fold(0.0, f64::max);
        format!(
            "{:.0} ms ({least:.0} to {most:.0}), {:.2} MB, {} requests",
            median(&self.shown),
            self.loaded.bytes / 1e6,
            self.loaded.requests
        )
    }
}
