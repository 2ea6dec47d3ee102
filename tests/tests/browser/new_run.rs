//! The form of a new run: what is asked first, what it remembers, what it says of costs.

use crate::*;

const KIND: &str = "select[aria-label='Kind of player']";
const MODEL: &str = "input[aria-label='Model of the player']";

/// Two services, so that none of them is meant without a word; the models of the second are priced.
fn on_two_services(test: impl AsyncFnOnce(Trial)) {
    on_stage(async |stage| {
        let upstream = Upstream::start(Script::default()).await;
        let stage = stage
            .with("TURNWISE_PROVIDER_DEAD_BASE_URL", "http://127.0.0.1:9/v1")
            .with("TURNWISE_PROVIDER_DEAD_MODELS", "m")
            .with_models(&upstream)
            .with("TURNWISE_PROVIDER_UP_MODELS", "player,other")
            .with_prices(1, 10);
        test(stage.start()).await;
    });
}

#[test]
fn the_model_comes_first_is_tested_and_returns() {
    on_two_services(async |trial| {
        let tab = trial.open("/new").await;
        startable(&tab).await;
        // In the order in which it is read: benchmark, model, tasks.
        let order = "['#benchmarks', '#evaluated', '#task-set'].map(one => document.querySelector(one)).every((one, at, all) => \
                 at === 0 || (all[at - 1].compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) > 0)";
        assert!(tab.is(order).await);
        let folded = "[...document.querySelectorAll('#choose-tasks, #settings-fold, #other-seats, #rest')].map(one => one.open)";
        assert_eq!(tab.eval(folded).await, json!([false, false, false, false]));
        let shown = tab.text("main").await;
        let blurb = turnwise_shared::registry::BENCHMARKS[0].about();
        assert_eq!(shown.matches(blurb).count(), 1, "it is said once");

        // Of several models none is taken blindly.
        tab.set(KIND, "Model").await;
        tab.wait_for_text_in(".form-end", "Choose a model").await;
        assert_eq!(tab.eval("location.search").await, "");
        tab.set("select[aria-label='Who is the player']", "dead").await;
        tab.wait_for_text_in(".tested", "not tested yet").await;
        tab.click(".tested .btn").await;
        tab.wait_for(".tested .bad").await;
        tab.set("select[aria-label='Who is the player']", "up").await;
        tab.set(MODEL, "player").await;
        tab.click(".tested .btn").await;
        tab.wait_for_text_in(".tested .good", "answered in").await;
        pictures(&tab, "new-model").await;

        // A try is a run of two tasks that is named so.
        tab.click("#try-first").await;
        let run = run_of(&tab).await;

        let info = trial.closed(&run).await;
        assert_eq!((info.episodes, info.finished), (2, 2));
        assert_eq!(info.title, "Try of 2 tasks, model:up/player");
        assert_eq!(info.spec.subset.first, Some(2));

        // The model that was started returns, tested; a user who wants another says so in the address.
        tab.goto("/new").await;
        tab.wait_for_query("seat.player=model:up/player").await;
        tab.wait_for_text_in(".tested .good", "tested").await;
        // What the try cost is what the run is expected to cost.
        tab.wait_for_text_in("#cost", "from 1 run like it").await;
        let cost = tab.text("#cost").await;
        assert!(cost.starts_with("About $"), "{cost}");
        tab.set(KIND, "Built-in").await;
        tab.wait_for_query("seat.player=bot:").await;
        tab.goto("/new?first=3").await;
        startable(&tab).await;
        assert_eq!(tab.eval("location.search").await, "?first=3", "a link is what it says");
        tab.assert_clean();
    });
}

#[test]
fn a_budget_that_is_too_small_or_needs_a_length_says_so_before_the_start() {
    on_two_services(async |trial| {
        let address = "/new?first=4&seat.player=model:up/player&cap-usd=0.02";
        let tab = trial.open(address).await;
        tab.wait_for_text_in(
            ".form-end",
            "A dollar budget needs a maximum reply length for the player.",
        )
        .await;
        pictures(&tab, "new-length").await;
        tab.click("#choose-length").await;
        tab.wait(
        "the field",
        "document.activeElement?.id === 'max-tokens-player' && document.activeElement.offsetParent !== null")
    .await;
        tab.click("#use-length").await;
        startable(&tab).await;
        let search: String = tab.read("location.search").await;
        assert!(search.contains("max-tokens.player=4096"), "{search}");
        // A reply of 4,096 tokens at ten dollars a million.
        tab.wait_for_text_in("#small-budget", "does not pay for one reply").await;
        pictures(&tab, "new-small-budget").await;
        tab.set("#cap-usd", "0.05").await;
        tab.wait_for_text_in("#small-budget", "may not pay for one episode").await;
        assert_eq!(tab.text("#cost").await, "$0.05 at most");
        tab.set("#cap-usd", "50").await;
        tab.wait_gone("#small-budget").await;
        tab.set("#cap-calls", "3").await;
        tab.wait_for_text_in("#small-budget", "calls").await;
        tab.set("#cap-calls", "").await;
        // Several values of a setting are legible in the address, and the older form is read.
        tab.goto("/new?rounds=%5B5,10%5D").await;
        startable(&tab).await;
        tab.set("#rounds", "5, 10, 20").await;
        tab.wait_for_query("rounds=5,10,20").await;
        tab.reload().await;
        tab.wait_for_value("#rounds", "5, 10, 20").await;
        startable(&tab).await;
        assert_eq!(tab.count(START).await, 1);
        started(&tab).await;
        tab.assert_clean();
    });
}
