//! What is typed, chosen and pressed in forms counts as it is meant, or is named.

use turnwise_shared::examples::{GAME, STUDIO, WORLDS};
use turnwise_shared::wire::RunState;

use super::play::state;
use crate::*;

/// Longer than keys decide nothing after a question has come up.
const READ: Duration = Duration::from_millis(400);

/// Types a text into a field of numbers and leaves it.
async fn fill(tab: &Tab, field: &str, text: &str) {
    tab.wait_for(field, SOON).await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; \
         field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        json!(field),
        json!(text)
    ))
    .await;
}

/// A key goes down, and repeats this many more times because it is held.
async fn hold(tab: &Tab, key: &str, repeats: u32) {
    tab.eval(&format!(
        "(async () => {{ const down = repeat => document.body.dispatchEvent(new KeyboardEvent('keydown', \
         {{ key: '{key}', repeat, bubbles: true, cancelable: true }})); down(false); \
         for (let at = 0; at < {repeats}; at += 1) {{ await new Promise(go => setTimeout(go, 50)); down(true); }} }})()"
    ))
    .await;
}

/// Waits until the person at a table is asked, and could have read it.
async fn asked(tab: &Tab) {
    let began = std::time::Instant::now();
    loop {
        match state(tab).await.as_str() {
            "asked" => return tokio::time::sleep(READ).await,
            "next" => tab.press("Enter").await,
            "over" => panic!("it is over before the person is asked"),
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        assert!(began.elapsed() < SOON, "nobody is asked");
    }
}

/// Sits down at a table of a game.
async fn sit_down(tab: &Tab, trial: &Trial, game: &str) {
    tab.goto(&trial.server.url(&format!("/play?game={game}"))).await;
    startable(tab).await;
    if game == MATCH {
        // The match most likely to last.
        tab.eval(
            "(() => { const field = document.querySelector('#delta'); field.value = '0.95'; \
             field.dispatchEvent(new Event('change', { bubbles: true })); })()",
        )
        .await;
    }
    tab.click(".form-end .btn-primary").await;
    asked(tab).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_held_down_decides_once() {
    let Some(stage) = stage("a_key_that_is_held_down_decides_once").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;

    // All the chips are asked for twice, and a key that is held down answers the first time only.
    sit_down(&tab, &trial, GAME).await;
    tab.wait_for(".bet-all:not(:disabled)", SOON).await;
    hold(&tab, "a", 12).await;
    tab.wait_for(".bet-sure", SOON).await;
    assert_eq!(state(&tab).await, "asked", "nothing was decided");
    hold(&tab, "a", 0).await;
    tab.wait("the decision", "document.querySelector('.bet-sure') === null", SOON).await;

    // One round is played, not twelve.
    let mut rounds = None;
    for _ in 0..5 {
        sit_down(&tab, &trial, MATCH).await;
        hold(&tab, "c", 30).await;
        // A match of one round, one in twenty, says nothing.
        if state(&tab).await == "asked" {
            rounds = Some(tab.text("h1").await);
            break;
        }
    }
    assert_eq!(rounds.as_deref(), Some("Round 2"));
    tab.assert_clean(trial.server.address());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_benchmark_brings_its_own_tasks_into_the_form() {
    let Some(stage) = stage("every_benchmark_brings_its_own_tasks_into_the_form").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    // All of them call their samples alike.
    for (first, then) in [(QUESTIONS, WORLDS), (WORLDS, STUDIO), (STUDIO, QUESTIONS)] {
        let tab =
            chromium.open(&trial.server.url(&format!("/new?benchmark={first}")), Look::WIDE).await;
        startable(&tab).await;
        let before = tab.text("#task-set").await;
        tab.click(&format!("input[name=benchmark][value={then}]")).await;
        tab.wait(
            "the other tasks",
            &format!("document.querySelector('#task-set').innerText !== {}", json!(before)),
            SOON,
        )
        .await;
        start(&tab).await;
        let run = run_of(&tab).await;
        let info = asking.wait(&run, "the samples", |info| info.state.is_over()).await;
        assert_eq!(
            (info.state, info.finished, info.spec.benchmark.as_str()),
            (RunState::Closed, info.episodes, then)
        );
        let whole = tab
            .eval(&format!(
                "fetch('/api/runs/{run}/summaries').then(answer => answer.json()).then(all => \
                 Object.values(all).every(one => one.complete))"
            ))
            .await;
        assert_eq!(whole, json!(true), "{then} after {first}");
        tab.assert_clean(trial.server.address());
        tab.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_number_is_named_and_nothing_starts() {
    let Some(stage) = stage("what_is_no_number_is_named_and_nothing_starts").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new?first=3"), Look::WIDE).await;
    startable(&tab).await;
    let shut = "document.querySelector('.form-end .btn-primary').disabled === true";
    for text in ["1e2", "2.5", "-5"] {
        fill(&tab, "#first", text).await;
        tab.wait_for("#first[aria-invalid=true]", SOON).await;
        tab.wait_for_text_in("#first-error", "whole number", SOON).await;
        tab.wait(text, shut, SOON).await;
        assert_eq!(tab.eval("location.search").await, json!("?first=3"));
        let stands = tab.eval("document.querySelector('#first').value").await;
        assert_eq!(stands, json!(text), "it is not put right in silence");
    }
    tab.wait_for_text_in(".form-end", "cannot be read", SOON).await;
    // Another field that is filled in rightly says nothing of this one; starting over clears it.
    fill(&tab, "#random", "2").await;
    tab.wait("the other choice", "location.search.includes('random=2')", SOON).await;
    assert_eq!(tab.count("#first[aria-invalid=true]").await, 1);
    assert_eq!(tab.eval(shut).await, json!(true));
    tab.click("a[href='/new'].btn").await;
    startable(&tab).await;
    assert_eq!(tab.eval("location.search").await, json!(""));
    tab.eval("document.querySelector('#first').closest('details').open = true").await;
    let stands = tab.eval("document.querySelector('#first').value").await;
    assert_eq!(stands, json!(""));
    fill(&tab, "#first", "2").await;
    startable(&tab).await;
    assert_eq!(tab.count("#first[aria-invalid]").await, 0);
    fill(&tab, "#first", "").await;
    tab.wait("no limit", "!location.search.includes('first')", SOON).await;

    // The same where a person sits down at a table.
    tab.goto(&trial.server.url(&format!("/play?game={GAME}"))).await;
    startable(&tab).await;
    fill(&tab, "#hands", "2.5").await;
    tab.wait("the table's button", shut, SOON).await;
    fill(&tab, "#hands", "3").await;
    startable(&tab).await;
    tab.assert_clean(trial.server.address());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_copies_is_told_whether_it_went() {
    let Some(stage) = stage("whoever_copies_is_told_whether_it_went").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new?first=3"), Look::WIDE).await;
    startable(&tab).await;
    let clipboard = async |value: &str| {
        tab.eval(&format!(
            "Object.defineProperty(navigator, 'clipboard', {{ configurable: true, value: {value} }})"
        ))
        .await;
    };
    clipboard("{ writeText: async text => { window.copied = text; } }").await;
    tab.click_text("Copy address").await;
    tab.wait_for_text_in(".toasts", "Link copied", SOON).await;
    assert_eq!(tab.eval("window.copied").await, json!(trial.server.url("/new?first=3")));
    // On plain HTTP from another machine a browser has no clipboard; the text goes all the same.
    clipboard("undefined").await;
    tab.eval(
        "(() => { window.copied = null; document.execCommand = what => { \
         window.copied = what === 'copy' ? document.activeElement.value : null; return true; }; })()",
    )
    .await;
    tab.click_text("Copy address").await;
    tab.wait(
        "the copy",
        &format!("window.copied === {}", json!(trial.server.url("/new?first=3"))),
        SOON,
    )
    .await;
    // Or the page says that it does not.
    tab.eval("document.execCommand = () => false").await;
    tab.click_text("Copy address").await;
    tab.wait_for_text_in(".toasts", "copy it by hand", SOON).await;
    assert_eq!(tab.count("textarea").await, 0, "nothing is left behind");
    tab.assert_clean(trial.server.address());
}
