//! A run that pauses by itself on a refused key, and goes on once the operator has mended it.

use crate::*;

/// Under this name the server's key lies in its environment.
const KEY: &str = "TURNWISE_PROVIDER_UP_API_KEY";

#[test]
fn a_refused_key_pauses_the_run_until_it_is_mended() {
    on_stage(async |stage| {
        let upstream =
            Upstream::start(Script { key: Some("the-right-one".to_owned()), ..Script::default() })
                .await;

        let mut trial = stage.with_models(&upstream).with(KEY, "the-wrong-one").start();

        let (tab, run) = trial.run("/new?in-flight=4&seat.player=model:up/player&first=4").await;

        // It says who refused what, and what is to be done; it sends nothing more.
        tab.wait_for("#halted").await;
        let said = tab.text("#halted").await;
        for words in ["refused the key", "a restart", "unanswered calls are sent again"] {
            assert!(said.contains(words), "{words:?} is not in {said}");
        }
        assert!(!said.contains("the-wrong-one"), "the key is told: {said}");
        tab.wait_for_text("paused").await;
        pictures(&tab, "run-halted").await;
        let refused = upstream.counts();
        assert!((1..=4).contains(&refused.wrong_key), "only what was in flight: {refused:?}");
        assert_eq!(refused.calls, 0, "nothing is answered without the key");

        // Going on without mending it leads to the same place.
        tab.click("#halted .btn-primary").await;
        upstream.until(|counts| counts.wrong_key > refused.wrong_key).await;
        tab.wait_for("#halted").await;

        // The operator mends it; the page has stayed open, and nothing of the run is lost. What is in the air has no attempts yet.
        let path = format!("/api/runs/{run}/timing");
        let landed = async {
            let is_flying = |call: &CallTiming| call.timing.attempts == 0;
            while trial.json::<Vec<_>>(&path).await.iter().any(is_flying) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let landed = tokio::time::timeout(SOON, landed).await;
        landed.expect("what was in the air comes back");
        trial.server.restart_with(KEY, "the-right-one");
        tab.click("#halted .btn-primary").await;

        let info = trial.closed(&run).await;
        assert_eq!(info.finished, 4);
        assert!(info.accuracy.is_some(), "every episode has its score");
        tab.wait_gone("#halted").await;
        let timings: Vec<CallTiming> = trial.json(&path).await;
        assert!(!timings.is_empty());
        for call in timings {
            let came_back = call.timing.attempts >= 1;
            assert!(came_back && call.lost == 0, "nothing is lost: {call:?}");
        }
        a_budget_pauses_the_run_until_it_is_larger(&tab, &trial).await;
    });
}

/// It says in what the budget is short, also after a return; no slip is taken for a cap, and with a larger one the run goes on.
async fn a_budget_pauses_the_run_until_it_is_larger(tab: &Tab, trial: &Trial) {
    tab.goto("/new?in-flight=2&seat.player=model:up/player&first=2&cap-calls=2").await;
    let run = started(tab).await;
    let why = "This run has made 2 of 2 calls.";
    tab.wait_for_text_in("#halted", why).await;
    open_part(tab, "cost").await;
    tab.wait_for_text_in("#budget", "2 of 2 calls").await;
    tab.reload().await;
    tab.wait_for_text_in("#elsewhere", why).await;
    tab.click("#budget details > summary").await;
    tab.set("#cap-calls", "1e3").await;
    tab.wait_for("#cap-calls[aria-invalid=true]").await;
    assert_eq!(tab.value("#cap-calls").await, "1e3", "what was typed stays");
    tab.wait_for("#budget button:disabled").await;
    tab.set("#cap-calls", "1000").await;
    tab.wait_for("#budget button:enabled").await;
    tab.click("#budget button").await;
    tab.wait_for_text_in("#budget", "Budget raised to 1,000 calls.").await;
    tab.wait_for_text_in("#elsewhere", "Ready to resume").await;
    tab.click("#elsewhere .btn-primary").await;

    assert_eq!(trial.closed(&run).await.finished, 2);
}

/// A user who chooses “Model” gets one that can be asked, or reads that there is none; once the server's budget for the day is
/// used up, the page says when it opens again, and offers no budget of the run, which would not help.
#[test]
fn a_day_that_is_used_up_says_when_it_opens_again() {
    on_stage(async |stage| {
        let upstream = Upstream::start(Script::default()).await;

        let trial = stage
            // The first of the list, without a key.
            .with("OPENAI_BASE_URL", "https://api.openai.com/v1")
            .with("TURNWISE_PROVIDER_OPENAI_MODELS", "nobody")
            .with_models(&upstream)
            .with("TURNWISE_PROVIDER_UP_MODELS", "player")
            .with("TURNWISE_CAP_CALLS_PER_DAY", "3")
            .start();

        let tab = trial.open("/new?in-flight=2&first=4&cap-calls=500").await;
        startable(&tab).await;
        tab.set(".seat select", "Model").await;
        tab.wait_for_query("seat.player=model:up/player").await;
        tab.wait_for_text("openai (no key)").await;
        tab.wait_for_text_in("details:has(#cap-calls) > summary", "budget 500 calls").await;
        start(&tab).await;

        tab.wait_for_text_in("#halted", "opens again at midnight UTC").await;
        assert_eq!(tab.count("#halted .raise-to").await, 0);
        tab.reload().await;
        tab.wait_for_text_in("#elsewhere", "opens again at midnight UTC").await;
        assert_eq!(tab.count("#elsewhere .raise-to").await, 0);
        pictures(&tab, "run-day-used-up").await;
        // Stopped, it cannot be published, and says what it lacks.
        tab.click("#elsewhere .btn-primary").await;
        tab.wait_for("#halted").await;
        assert_eq!(tab.count("#publish").await, 0);
        tab.click_text("End this run").await;
        tab.click_text("Yes, end it").await;
        tab.wait_for_text_in("#elsewhere", "Once it is complete, it can be published.").await;
        assert_eq!(tab.count("#publish").await, 0);
    });
}
