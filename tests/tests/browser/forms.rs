//! What is typed, chosen and pressed in forms counts as it is meant, or is named.

use turnwise_shared::examples::{GAME, STUDIO, WORLDS};

use super::play::state;
use crate::*;

/// Longer than keys decide nothing after a question has come up.
const READ: Duration = Duration::from_millis(400);

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
    let began = Instant::now();
    loop {
        match state(tab).await.as_str() {
            "asked" => return sleep(READ).await,
            "next" => tab.press("Enter").await,
            "over" => panic!("it is over before the person is asked"),
            _ => sleep(Duration::from_millis(100)).await,
        }
        assert!(began.elapsed() < SOON, "nobody is asked");
    }
}

/// Sits down at a table of a game.
async fn sit_down(tab: &Tab, game: &str) {
    tab.goto(&format!("/play?game={game}")).await;
    startable(tab).await;
    if game == MATCH {
        // The match most likely to last.
        tab.set("#delta", "0.95").await;
    }
    tab.click(START).await;
    asked(tab).await;
}

#[test]
fn a_key_that_is_held_down_decides_once() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;

        // All the chips are asked for twice, and a key that is held down answers the first time only.
        sit_down(&tab, GAME).await;
        tab.wait_for(".bet-all:not(:disabled)").await;
        hold(&tab, "a", 12).await;
        tab.wait_for(".bet-sure").await;
        assert_eq!(state(&tab).await, "asked", "nothing was decided");
        hold(&tab, "a", 0).await;
        tab.wait_gone(".bet-sure").await;

        // One round is played, not twelve.
        let mut rounds = None;
        for _ in 0..5 {
            sit_down(&tab, MATCH).await;
            hold(&tab, "c", 30).await;
            // A match of one round, one in twenty, says nothing.
            if state(&tab).await == "asked" {
                rounds = Some(tab.text("h1").await);
                break;
            }
        }
        assert_eq!(rounds.as_deref(), Some("Round 2"));
        tab.assert_clean();
    });
}

#[test]
fn every_benchmark_brings_its_own_tasks_into_the_form() {
    on_trial(async |trial| {
        // All of them call their samples alike.
        for (first, then) in [(QUESTIONS, WORLDS), (WORLDS, STUDIO), (STUDIO, QUESTIONS)] {
            let tab = trial.open(&format!("/new?benchmark={first}")).await;
            startable(&tab).await;
            let before = tab.text("#task-set").await;
            tab.click(&format!("input[name=benchmark][value={then}]")).await;
            tab.wait(
                "the other tasks",
                &format!("document.querySelector('#task-set').innerText !== {}", json!(before)),
            )
            .await;
            let run = started(&tab).await;
            let info = trial.closed(&run).await;
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
            assert_eq!(whole, true, "{then} after {first}");
            tab.assert_clean();
            tab.close().await;
        }
    });
}

#[test]
fn what_is_no_number_is_named_and_nothing_starts() {
    on_trial(async |trial| {
        let tab = trial.open("/new?first=3").await;
        startable(&tab).await;
        let shut = "document.querySelector('.form-end .btn-primary').disabled === true";
        for text in ["1e2", "2.5", "-5"] {
            tab.set("#first", text).await;
            tab.wait_for("#first[aria-invalid=true]").await;
            tab.wait_for_text_in("#first-error", "whole number").await;
            tab.wait(text, shut).await;
            assert_eq!(tab.eval("location.search").await, "?first=3");
            let stands = tab.value("#first").await;
            assert_eq!(stands, text, "it is not put right in silence");
        }
        tab.wait_for_text_in(".form-end", "cannot be read").await;
        // Another field that is filled in rightly says nothing of this one; starting over clears it.
        tab.set("#random", "2").await;
        tab.wait_for_query("random=2").await;
        assert_eq!(tab.count("#first[aria-invalid=true]").await, 1);
        assert!(tab.is(shut).await);
        tab.click("a[href='/new'].btn").await;
        startable(&tab).await;
        assert_eq!(tab.eval("location.search").await, "");
        tab.eval("document.querySelector('#first').closest('details').open = true").await;
        let stands = tab.value("#first").await;
        assert_eq!(stands, "");
        tab.set("#first", "2").await;
        startable(&tab).await;
        assert_eq!(tab.count("#first[aria-invalid]").await, 0);
        tab.set("#first", "").await;
        tab.wait("no limit", "!location.search.includes('first')").await;

        // The same where a person sits down at a table.
        tab.goto(&format!("/play?game={GAME}")).await;
        startable(&tab).await;
        tab.set("#hands", "2.5").await;
        tab.wait("the table's button", shut).await;
        tab.set("#hands", "3").await;
        startable(&tab).await;
        tab.assert_clean();
    });
}

#[test]
fn whoever_copies_is_told_whether_it_went() {
    on_trial(async |trial| {
        let tab = trial.open("/new?first=3").await;
        startable(&tab).await;
        let clipboard = async |value: &str| {
            tab.eval(&format!(
            "Object.defineProperty(navigator, 'clipboard', {{ configurable: true, value: {value} }})"
        ))
        .await;
        };
        clipboard("{ writeText: async text => { window.copied = text; } }").await;
        tab.click_text("Copy address").await;
        tab.wait_for_text_in(".toasts", "Link copied").await;
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
        )
        .await;
        // Or the page says that it does not.
        tab.eval("document.execCommand = () => false").await;
        tab.click_text("Copy address").await;
        tab.wait_for_text_in(".toasts", "copy it by hand").await;
        assert_eq!(tab.count("textarea").await, 0, "nothing is left behind");
        tab.assert_clean();
    });
}
