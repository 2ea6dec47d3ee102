//! A visitor without the access token on a server that wants one: reads, and goes on from a turn by themselves.

use turnwise_shared::wire::RunInfo;

use super::people::act;
use super::play::{state, table_of};
use crate::*;

const TOKEN: &str = "0123456789abcdef-access";

const PHONE: Look = Look { scheme: Scheme::Dark, width: 390, height: 844 };

/// A page of the owner, who has the access token.
async fn of_owner(owner: &Chromium, trial: &Trial) -> Tab {
    let tab = owner.open(&trial.server.url("/connections"), Look::WIDE).await;
    tab.wait_for("h1", SOON).await;
    tab.eval(&format!("localStorage.setItem('turnwise.access', '{TOKEN}')")).await;
    tab
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_goes_on_without_the_access_token_where_that_costs_nothing() {
    let Some(stage) =
        stage("a_visitor_goes_on_without_the_access_token_where_that_costs_nothing").await
    else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_ACCESS_TOKEN", TOKEN)]);
    let owner = Chromium::start(&stage.browser).await;
    let tab = of_owner(&owner, &trial).await;
    tab.goto(&trial.server.url("/")).await;
    let parent = samples_played(&trial, &tab).await.run.to_string();
    let episode = first_play(&trial, &parent).await;
    drop(tab);
    drop(owner);

    // The first page says what is whose, and shows no error.
    let visitor = Chromium::start(&stage.browser).await;
    let tab = visitor.open(&trial.server.url("/"), PHONE).await;
    tab.wait_for("#home-visitors a[href='/boards']", SOON).await;
    assert_eq!(tab.count("[role=alert]").await, 0);
    assert_eq!(tab.count("#run-samples").await, 1, "the samples cost nothing");
    pictures(&tab, "home-visitor").await;
    tab.look(PHONE).await;

    // Goes on from a turn.
    let link = format!("/run/{parent}/{episode}?turn=2");
    tab.goto(&trial.server.url(&link)).await;
    tab.wait_for_text("Take over from turn 2", SOON).await;
    tab.click("#take-over").await;
    tab.wait_for("#take-free", SOON).await;
    assert_eq!(tab.count("#take-listed").await, 0, "it cannot be listed");
    let models = "document.querySelectorAll(\"#take-who option[value^='model:']\").length";
    assert_eq!(tab.eval(models).await, json!(0), "they cannot be paid");
    pictures(&tab, "take-over-visitor").await;
    tab.look(PHONE).await;
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note", SOON).await;
    let branch = run_after(&tab, &parent).await;
    act(&tab, "answer", &[("answer", "Nothing at all"), ("confidence", "20")]).await;
    let asking = Asking::new(&trial.server);
    let info: RunInfo = asking.wait(&branch, "the branch", |info| info.state.is_over()).await;
    assert!(info.is_visitors && info.finished == 1, "{info:?}");

    // Forms say what can be started without the token; what needs it cannot be sent.
    for page in ["/new", "/play"] {
        tab.goto(&trial.server.url(page)).await;
        tab.wait_for("#gate #gate-token", SOON).await;
        tab.wait_for_text_in("#gate", "take over any shared episode", SOON).await;
        tab.wait_for_text_in("#gate", "without an access token", SOON).await;
        tab.wait_for(".form-end .btn-primary:enabled", SOON).await;
    }
    tab.click("input[name=kind][value=rated]").await;
    tab.wait_for(".form-end .btn-primary:disabled", SOON).await;
    tab.wait_for_text_in("#gate", "not for practice", SOON).await;
    tab.goto(&trial.server.url("/new?cap-calls=500")).await;
    tab.wait_for_text_in("details:has(#cap-calls) > summary", "budget 500 calls", SOON).await;
    pictures(&tab, "new-gate").await;
    tab.look(PHONE).await;

    tab.wait_for(".form-end .btn-primary:disabled", SOON).await;
    tab.wait_for_text_in(".form-end", "at the top of this page", SOON).await;

    // It is listed on the first page of this browser, and nowhere else.
    tab.goto(&trial.server.url("/")).await;
    tab.wait_for(&format!(".run-name a[href='/run/{branch}']"), SOON).await;

    // A visitor who is given the token enters it there, and goes on with what was chosen.
    tab.goto(&trial.server.url("/new?first=2")).await;
    tab.wait_for("#gate-token", SOON).await;
    tab.focus("#gate-token").await;
    tab.write("not-the-token-at-all").await;
    tab.press("Enter").await;
    tab.wait_for_text_in("#gate", "not this server's access token", SOON).await;
    tab.eval("document.querySelector('#gate-token').select()").await;
    tab.write(TOKEN).await;
    tab.press("Enter").await;
    let is_open = "document.querySelector('#gate') === null && \
                   document.querySelector('.form-end .btn-primary:enabled') !== null";
    tab.wait("the form without its gate", is_open, SOON).await;
    assert_eq!(tab.eval("location.search").await, json!("?first=2"));
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_runs_the_samples_and_plays_a_bot() {
    let Some(stage) = stage("a_visitor_runs_the_samples_and_plays_a_bot").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_ACCESS_TOKEN", TOKEN)]);
    let visitor = Chromium::start(&stage.browser).await;
    let tab = visitor.open(&trial.server.url("/"), Look::WIDE).await;
    tab.click("#run-samples").await;
    let run = run_of(&tab).await;
    let asking = Asking::new(&trial.server);
    let info = asking.wait(&run, "the samples", |info| info.state.is_over()).await;
    assert!(info.is_visitors && info.finished == info.episodes, "{info:?}");
    tab.wait_for(".figures dd", SOON).await;

    // A hand against the built-in players.
    tab.goto(&trial.server.url("/play")).await;
    tab.wait_for(".form-end .btn-primary:enabled", SOON).await;
    tab.click(".form-end .btn-primary").await;
    let table = table_of(&tab).await;
    let began = std::time::Instant::now();
    while state(&tab).await != "next" {
        if state(&tab).await == "asked" {
            tab.press("f").await;
            if tab.count(".bet-sure").await > 0 {
                tab.click_text("Yes").await;
            }
        }
        assert!(began.elapsed() < SOON * 4, "the hand does not end");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    // Until the table is over nothing of its run is shown.
    tab.click_text("Leave").await;
    tab.wait_for("dialog[open]", SOON).await;
    tab.click("dialog[open] .btn-danger").await;
    tab.wait_for("#fairness", SOON).await;
    let info: RunInfo = asking.json(&format!("/api/runs/{table}")).await;
    assert!(info.is_visitors, "{info:?}");
    tab.assert_clean(trial.server.address());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_compares_the_runs_of_an_address() {
    let Some(stage) = stage("a_visitor_compares_the_runs_of_an_address").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_ACCESS_TOKEN", TOKEN)]);
    let owner = Chromium::start(&stage.browser).await;
    let tab = of_owner(&owner, &trial).await;
    let asking = Asking::new(&trial.server);
    let mut runs = Vec::new();
    for player in ["bot:asks-by-rule", "bot:answer-only"] {
        let address = format!("/new?first=4&seat.player={player}");
        tab.goto(&trial.server.url(&address)).await;
        start(&tab).await;
        let run = run_of(&tab).await;
        asking.wait(&run, "the run", |info| info.state.is_over()).await;
        runs.push(run);
    }
    drop(tab);
    drop(owner);

    let visitor = Chromium::start(&stage.browser).await;
    let address = format!("/compare?runs={}", runs.join(","));
    let tab = visitor.open(&trial.server.url(&address), Look::WIDE).await;
    tab.wait_for("#sides-head", SOON).await;
    for player in ["asks-by-rule", "answer-only"] {
        tab.wait_for_text(player, SOON).await;
    }
    assert_eq!(tab.count("[aria-busy=true]").await, 0, "nothing is awaited");
    assert_eq!(tab.count("[role=alert]").await, 0, "nothing is wrong");
    assert_eq!(tab.count("#pick").await, 0, "the list is not for visitors");
    assert!(!tab.text(".lede").await.contains("Tick"), "nothing to tick");
    pictures(&tab, "compare-visitor").await;

    // Without runs in the address there is nothing to be ticked, and it says what can be done.
    tab.goto(&trial.server.url("/compare")).await;
    tab.wait_for_text("Name two runs or more in the address", SOON).await;
    tab.close().await;
}
