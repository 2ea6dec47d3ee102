//! The form of a new run: what is asked first, what it remembers, what it says of costs.

use turnwise_shared::wire::RunState;

use crate::*;

/// A field that holds a value of its own.
async fn fill(tab: &Tab, field: &str, text: &str) {
    tab.wait_for(field, SOON).await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; \
         for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{ bubbles: true }})); }})()",
        json!(field),
        json!(text)
    ))
    .await;
}

const KIND: &str = "select[aria-label='Kind of player']";
const MODEL: &str = "input[aria-label='Model of the player']";

/// Two services, so that none of them is meant without a word; the models of the second are priced.
async fn two_services(stage: &super::Stage) -> (Trial, Upstream) {
    let upstream = Upstream::start(Script::default()).await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let prices = folder.path().join("prices.toml");
    let priced = "[[price]]\nprovider = \"up\"\nmodel = \"player\"\nfrom = \"2020-01-01\"\ninput = 1\noutput = 10\n";
    std::fs::write(&prices, priced).expect("it can be written");
    let prices = prices.to_string_lossy().into_owned();
    let variables = [
        ("TURNWISE_PROVIDER_DEAD_BASE_URL", "http://127.0.0.1:9/v1"),
        ("TURNWISE_PROVIDER_DEAD_MODELS", "m"),
        ("TURNWISE_PROVIDER_UP_BASE_URL", url.as_str()),
        ("TURNWISE_PROVIDER_UP_MODELS", "player,other"),
        ("TURNWISE_PRICES", prices.as_str()),
    ];
    (Trial::start(stage, folder, &variables), upstream)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_comes_first_is_tested_and_returns() {
    let Some(stage) = stage("the_model_comes_first_is_tested_and_returns").await else {
        return;
    };
    let (trial, _upstream) = two_services(&stage).await;
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new"), Look::WIDE).await;
    startable(&tab).await;
    // In the order in which it is read: benchmark, model, tasks.
    let order = "['#benchmarks', '#evaluated', '#task-set'].map(one => document.querySelector(one)).every((one, at, all) => \
                 at === 0 || (all[at - 1].compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) > 0)";
    assert_eq!(tab.eval(order).await, json!(true));
    let folded = "[...document.querySelectorAll('#choose-tasks, #settings-fold, #other-seats, #rest')].map(one => one.open)";
    assert_eq!(tab.eval(folded).await, json!([false, false, false, false]));
    let shown = tab.text("main").await;
    let blurb = turnwise_shared::registry::BENCHMARKS[0].about();
    assert_eq!(shown.matches(blurb).count(), 1, "it is said once");

    // Of several models none is taken blindly.
    fill(&tab, KIND, "Model").await;
    tab.wait_for_text_in(".form-end", "Choose a model", SOON).await;
    assert_eq!(tab.eval("location.search").await, json!(""));
    fill(&tab, "select[aria-label='Who is the player']", "dead").await;
    tab.wait_for_text_in(".tested", "not tested yet", SOON).await;
    tab.click(".tested .btn").await;
    tab.wait_for(".tested .bad", SOON).await;
    fill(&tab, "select[aria-label='Who is the player']", "up").await;
    fill(&tab, MODEL, "player").await;
    tab.click(".tested .btn").await;
    tab.wait_for_text_in(".tested .good", "answered in", SOON).await;
    pictures(&tab, "new-model").await;

    // A try is a run of two tasks that is named so.
    tab.click("#try-first").await;
    let run = run_of(&tab).await;
    let asking = Asking::new(&trial.server);
    let end = asking.wait(&run, "the try", |info| info.state == RunState::Closed);
    let info = end.await;
    assert_eq!((info.episodes, info.finished), (2, 2));
    assert_eq!(info.title, "Try of 2 tasks, model:up/player");
    assert_eq!(info.spec.subset.first, Some(2));

    // The model that was started returns, tested; a user who wants another says so in the address.
    tab.goto(&trial.server.url("/new")).await;
    tab.wait("the last model", "location.search.includes('seat.player=model:up/player')", SOON)
        .await;
    tab.wait_for_text_in(".tested .good", "tested", SOON).await;
    // What the try cost is what the run is expected to cost.
    tab.wait_for_text_in("#cost", "from 1 run like it", SOON).await;
    let cost = tab.text("#cost").await;
    assert!(cost.starts_with("About $"), "{cost}");
    fill(&tab, KIND, "Built-in").await;
    tab.wait("the bot by its name", "location.search.includes('seat.player=bot:')", SOON).await;
    tab.goto(&trial.server.url("/new?first=3")).await;
    startable(&tab).await;
    assert_eq!(tab.eval("location.search").await, json!("?first=3"), "a link is what it says");
    tab.assert_clean(trial.server.address());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_that_is_too_small_or_needs_a_length_says_so_before_the_start() {
    let Some(stage) =
        stage("a_budget_that_is_too_small_or_needs_a_length_says_so_before_the_start").await
    else {
        return;
    };
    let (trial, _upstream) = two_services(&stage).await;
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?first=4&seat.player=model:up/player&cap-usd=0.02";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    tab.wait_for_text_in(
        ".form-end",
        "A dollar budget needs a maximum reply length for the player.",
        SOON,
    )
    .await;
    pictures(&tab, "new-length").await;
    tab.click("#choose-length").await;
    tab.wait(
        "the field",
        "document.activeElement?.id === 'max-tokens-player' && document.activeElement.offsetParent !== null",
        SOON,
    )
    .await;
    tab.click("#use-length").await;
    startable(&tab).await;
    let search = tab.eval("location.search").await;
    let search = search.as_str().expect("an address");
    assert!(search.contains("max-tokens.player=4096"), "{search}");
    // A reply of 4,096 tokens at ten dollars a million.
    tab.wait_for_text_in("#small-budget", "does not pay for one reply", SOON).await;
    pictures(&tab, "new-small-budget").await;
    fill(&tab, "#cap-usd", "0.05").await;
    tab.wait_for_text_in("#small-budget", "may not pay for one episode", SOON).await;
    assert_eq!(tab.text("#cost").await, "$0.05 at most");
    fill(&tab, "#cap-usd", "50").await;
    tab.wait("a budget that suffices", "document.querySelector('#small-budget') === null", SOON)
        .await;
    fill(&tab, "#cap-calls", "3").await;
    tab.wait_for_text_in("#small-budget", "calls", SOON).await;
    fill(&tab, "#cap-calls", "").await;
    // Several values of a setting are legible in the address, and the older form is read.
    tab.goto(&trial.server.url("/new?rounds=%5B5,10%5D")).await;
    startable(&tab).await;
    fill(&tab, "#rounds", "5, 10, 20").await;
    tab.wait("a legible address", "location.search.includes('rounds=5,10,20')", SOON).await;
    tab.reload().await;
    tab.wait("the values again", "document.querySelector('#rounds')?.value === '5, 10, 20'", SOON)
        .await;
    startable(&tab).await;
    assert_eq!(tab.count(START).await, 1);
    start(&tab).await;
    run_of(&tab).await;
    tab.assert_clean(trial.server.address());
}
