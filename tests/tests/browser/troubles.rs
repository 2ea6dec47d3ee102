//! What goes wrong for a moment passes: nothing is lost, nothing is left of it on the screen, and nothing is said that is not known.

use turnwise_shared::benchmark::default_spec;

use super::boards::published;
use super::gateway::Gateway;
use crate::*;

/// A few looks of a page at its server.
const SOME_LOOKS: Duration = Duration::from_secs(7);

/// What a browser keeps of a run's transcripts: how many pieces.
async fn kept(tab: &Tab, run: &str) -> Value {
    tab.eval(&format!(
        "new Promise((done, fail) => {{ const opened = indexedDB.open('turnwise'); opened.onerror = fail; \
         opened.onsuccess = () => {{ const all = opened.result.transaction('lines').objectStore('lines') \
         .getAllKeys(IDBKeyRange.bound(['{run}'], ['{run}', []])); all.onerror = fail; \
         all.onsuccess = () => {{ opened.result.close(); done(all.result.length); }}; }}; }})"
    ))
    .await
}

/// Waits until no problem is shown any more.
async fn wait_until_nothing_is_wrong(tab: &Tab) {
    tab.wait_gone("[role=alert]").await;
}

#[test]
fn a_gateway_without_its_server_holds_a_run_up_and_does_not_end_it() {
    on_trial(async |trial| {
        let tab = trial.open("/new?seat.player=person").await;
        let gateway = Gateway::before(&tab).await;
        let run = started(&tab).await;
        tab.wait_for_text("running here").await;

        gateway.fails(&format!("^/api/runs/{run}"), 502).await;
        tab.reload().await;
        tab.wait_for_text("status 502").await;
        sleep(SOME_LOOKS).await;
        gateway.is_mended().await;
        tab.wait_for_text("running here").await;
        wait_until_nothing_is_wrong(&tab).await;

        // Only its head fails while it is resumed: that too is shown no longer than it lasts.
        gateway.fails(&format!("^/api/runs/{run}/summaries$"), 502).await;
        tab.reload().await;
        tab.wait_for_text("running here").await;
        gateway.is_mended().await;
        wait_until_nothing_is_wrong(&tab).await;
    });
}

#[test]
fn a_run_that_was_opened_and_not_leased_is_taken_up_once() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let gateway = Gateway::before(&tab).await;
        tab.goto("/new?first=2").await;
        gateway.fails("/lease$", 502).await;
        let run = started(&tab).await;
        tab.wait_for_text("status 502").await;
        gateway.is_mended().await;
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, 2);
        let all: Vec<RunInfo> = trial.json("/api/runs?limit=30").await;
        assert_eq!(all.len(), 1, "it was opened once");
    });
}

#[test]
fn an_episode_that_is_graded_late_shows_it() {
    on_trial_over(Script::default(), async |trial, upstream| {
        let driver = trial.open("/new?first=1&seat.grader=model:up/grader").await;
        upstream.hold();
        let run = started(&driver).await;
        let began = Instant::now();
        while trial.episodes(&run).await.is_empty() {
            assert!(began.elapsed() < SOON, "no episode arrives");
            sleep(Duration::from_millis(200)).await;
        }
        let episode = trial.first_play(&run).await;
        let elsewhere = trial.other_browser().await;
        let reader = elsewhere.open(&format!("/run/{run}/{episode}")).await;
        let gateway = Gateway::before(&reader).await;
        reader.reload().await;
        reader.wait_for_text("Not graded yet.").await;
        // What cannot be had for a moment takes nothing away from what is read.
        gateway.fails("/episodes/", 502).await;
        sleep(SOME_LOOKS).await;
        assert_eq!(reader.count("[role=alert]").await, 0);
        reader.wait_for("#play .tl-turn, .tl-turn").await;
        gateway.is_mended().await;
        upstream.go_on();
        reader.wait_for("[id^=grading-]").await;
        reader.wait_for_no_text("not graded").await;
    });
}

#[test]
fn what_cannot_be_asked_is_not_said_and_not_left_out_in_silence() {
    on_trial(async |trial| {
        let run = published(&trial, "bot:asks-by-rule").await;

        let tab = trial.open("/").await;
        let gateway = Gateway::before(&tab).await;

        // Whether it stands on a board is not known: it has no seal then, and its own word for itself is none.
        gateway.fails("/entry$", 502).await;
        tab.goto(&format!("/run/{run}")).await;
        tab.wait_for("#wall [role=option]").await;
        assert_eq!(tab.count(".page-head .seal").await, 0);
        gateway.is_mended().await;
        tab.wait_for(".page-head .seal").await;

        // Gradings that cannot be had are missing in a file, and the page says so.
        gateway.fails("[.]grading$", 502).await;
        tab.click("#export > summary").await;
        tab.click_text("Transcripts (JSON lines)").await;
        tab.wait_for_text_in(".toasts", "could not be had").await;
        gateway.is_mended().await;

        // A search for words that were replaced is not waited for.
        gateway.is_late("/search$", 3000).await;
        tab.enter("#wall-find", "the").await;
        tab.wait_for_text_in("#search [role=status]", "Searching").await;
        tab.click_text("Clear").await;
        sleep(SOME_LOOKS).await;
        assert_eq!(tab.count("#search").await, 0);
    });
}

#[test]
fn older_runs_come_once_however_often_they_are_asked_for() {
    on_trial(async |trial| {
        let spec = default_spec(example(MATCH));
        for _ in 0..55 {
            trial.asking.open(&spec, 1).await;
        }

        let tab = trial.open("/runs").await;
        tab.wait_for(".run-name > a[href^='/run/']").await;
        assert_eq!(tab.count(".run-name > a[href^='/run/']").await, 50);
        tab.eval(
        "(() => { const more = [...document.querySelectorAll('button')].find(one => one.innerText === 'Show older runs'); \
         more.click(); more.click(); })()",
    )
    .await;
        tab.wait(
            "the older runs",
            "document.querySelectorAll(\".run-name > a[href^='/run/']\").length > 50",
        )
        .await;
        sleep(Duration::from_secs(2)).await;
        assert_eq!(tab.count(".run-name > a[href^='/run/']").await, 55);
        tab.assert_clean();
    });
}

#[test]
fn lines_that_the_server_has_whole_are_not_kept_for_ever() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let run = samples_played(&trial, &tab).await;
        let episode = trial.first_play(&run).await;
        // As a page leaves them that was closed, or gave its run to the server, before it was over.
        let keep = async |lines: &str| {
            tab.eval(&format!(
            "new Promise((done, fail) => {{ const opened = indexedDB.open('turnwise'); opened.onerror = fail; \
             opened.onsuccess = () => {{ const store = opened.result.transaction('lines', 'readwrite').objectStore('lines'); \
             const put = store.put({}, ['{run}', '{episode}', 0]); put.onerror = fail; \
             put.onsuccess = () => {{ opened.result.close(); done(true); }}; }}; }})",
            json!(lines)
        ))
        .await
        };
        let page = format!("/run/{run}");
        keep("{}\n").await;
        assert_eq!(kept(&tab, &run).await, 1);
        tab.goto(&page).await;
        let began = Instant::now();
        while kept(&tab, &run).await != 0 {
            assert!(began.elapsed() < SOON, "they are kept");
            sleep(Duration::from_millis(200)).await;
        }
        // Those that only this browser has stay.
        keep(&"{}\n".repeat(10_000)).await;
        tab.reload().await;
        tab.wait_for("#wall [role=option]").await;
        sleep(SOME_LOOKS).await;
        assert_eq!(kept(&tab, &run).await, 1);
    });
}

#[test]
fn a_page_that_is_left_while_it_publishes_does_not_fail() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let gateway = Gateway::before(&tab).await;
        tab.reload().await;
        let run = samples_played(&trial, &tab).await;
        gateway.is_late("/publish$", 3000).await;
        tab.click("#publish").await;
        tab.click("#publish-confirm").await;
        tab.press("Escape").await;
        tab.click("nav a[href='/boards']").await;
        tab.wait_for_path("/boards").await;
        sleep(SOME_LOOKS).await;
        tab.assert_clean();
        // It was published all the same, and this browser knows that it is public.
        tab.goto(&format!("/run/{run}")).await;
        tab.wait_for_text_in("#publish", "Leaderboard entry").await;
        tab.assert_clean();
    });
}

#[test]
fn a_run_that_was_stopped_and_taken_up_at_once_has_one_driver() {
    on_trial(async |trial| {
        let (tab, _) = trial.run("/new?seat.player=person").await;
        tab.wait_for_text("running here").await;
        // Its clock ticks late once, and so after it was resumed.
        tab.eval(
        "(() => { const real = window.setTimeout; window.isLate = true; window.setTimeout = (what, after, ...more) => \
         real(what, after === 1000 && window.isLate ? 8000 : after, ...more); })()",
    )
    .await;
        sleep(Duration::from_millis(1500)).await;
        tab.click_text("End this run").await;
        tab.click_text("Yes, end it").await;
        tab.click_text("Resume").await;
        tab.eval("window.isLate = false").await;
        tab.wait_for(".progress-head").await;
        sleep(Duration::from_secs(9)).await;
        // A driver that had ended would redraw once a second how the run stood then: with nothing left to pause.
        let always = tab
        .eval(
            "(async () => { const all = new Set(); for (let at = 0; at < 150; at += 1) { \
             all.add([...document.querySelectorAll('button')].some(one => one.innerText.trim() === 'Pause')); \
             await new Promise(go => setTimeout(go, 30)); } return [...all]; })()",
        )
        .await;
        assert_eq!(always, json!([true]), "two drivers draw");
    });
}

/// Has the browser refuse to store lines as long as `full` is in the tab's session, as a disk does that has no room.
const FULL: &str = "(() => { const real = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (...what) { \
     if (this.name === 'lines' && sessionStorage.getItem('full') !== null) throw new DOMException('full', 'QuotaExceededError'); \
     return real.apply(this, what); }; })()";

#[test]
fn lines_that_the_browser_refused_are_kept_once_it_takes_them() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        tab.before_pages(FULL).await;
        tab.goto("/new?seat.player=person").await;
        tab.eval("sessionStorage.setItem('full', '')").await;
        let run = started(&tab).await;
        tab.wait_for_text("does not keep the run").await;
        assert_eq!(kept(&tab, &run).await, 0);
        // Nothing more is played meanwhile: these very lines are kept, and nothing is wrong any more.
        tab.eval("sessionStorage.removeItem('full')").await;
        wait_until_nothing_is_wrong(&tab).await;
        assert_ne!(kept(&tab, &run).await, 0);

        // A run whose lines are never kept here comes to its end all the same: the server has them.
        tab.goto("/new?first=2").await;
        tab.eval("sessionStorage.setItem('full', '')").await;
        let run = started(&tab).await;
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, 2);
    });
}
