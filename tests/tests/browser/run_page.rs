//! The page of a run: what it came to and why stands first, in one window; a row says what was asked and what is right; and the cause of
//! a failure is read before and after a reload.

use std::net::TcpListener;

use turnwise_shared::examples::DIALOGUE;

use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn twenty_episodes_fit_one_window_and_say_what_was_right() {
    let Some(stage) = stage("twenty_episodes_fit_one_window_and_say_what_was_right").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let window = Look { width: 1280, height: 900, ..Look::WIDE };
    let tab = chromium.open(&trial.server.url("/"), window).await;
    let info = samples_played(&trial, &tab).await;
    let run = info.run.to_string();
    tab.goto(&trial.server.url(&format!("/run/{run}"))).await;
    tab.wait_for("#why", SOON).await;
    tab.wait_for(".wall-row a.ep", SOON).await;
    tab.wait(
        "a page that is no higher than the window",
        "document.documentElement.scrollHeight <= 900",
        SOON,
    )
    .await;
    let told = tab.text("#why").await;
    assert!(told.contains("of 20 episodes right") || told.contains("All 20"), "{told}");
    // Question, answer and reference stand in each row.
    let rows = "[...document.querySelectorAll('.wall-row a.ep')]";
    let asked =
        format!("{rows}.every(row => row.querySelector('.ep-question').textContent.length > 10)");
    assert_eq!(tab.eval(&asked).await, true, "a row without its question");
    let right =
        format!("{rows}.every(row => row.querySelector('.ep-answer').textContent.includes('→'))");
    assert_eq!(tab.eval(&right).await, true, "a row without its reference");
    pictures(&tab, "run-table").await;
    tab.goto(&trial.server.url(&format!("/run/{run}?look=dense"))).await;
    tab.wait_for(".wall-dense .wall-row a.ep[aria-label*=question]", SOON).await;
    pictures(&tab, "run-dense").await;
    tab.goto(&trial.server.url(&format!("/run/{run}"))).await;
    tab.wait_for(".wall-row a.ep", SOON).await;
    tab.look(window).await;

    // Only those that failed.
    let failures = "document.querySelector('.filter-chip')";
    if tab.eval(&format!("{failures} !== null")).await == true {
        tab.click(".filter-chip").await;
        tab.wait(
            "only failures",
            "location.search.includes('cause=any') && document.querySelectorAll('.wall-row .o-correct').length === 0",
            SOON,
        )
        .await;
    }

    // A tab stands in the address and survives a reload; arrow keys lead on.
    open_part(&tab, "breakdown").await;
    tab.reload().await;
    tab.wait_for("#panel-breakdown", SOON).await;
    tab.wait_for("#faults-head", SOON).await;
    tab.focus("#tab-breakdown").await;
    tab.press("End").await;
    tab.wait_for("#panel-setup", SOON).await;
    let now = "document.activeElement?.id === 'tab-setup' && location.search.includes('tab=setup')";
    tab.wait("the last tab in focus", now, SOON).await;
    pictures(&tab, "run-setup").await;
    open_part(&tab, "checks").await;
    tab.wait_for_text_in("#checked", "Not published.", SOON).await;
    assert_eq!(tab.count(".page-head .seal-self").await, 0, "no label before a check");
    pictures(&tab, "run-checks").await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_replies_cannot_be_read_says_so_first() {
    let Some(stage) = stage("a_run_whose_replies_cannot_be_read_says_so_first").await else {
        return;
    };
    let upstream =
        Upstream::start(Script { faults: Faults::Always(Fault::Empty), ..Script::default() }).await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_PROVIDER_UP_BASE_URL", &url)]);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?first=3&seat.player=model:up/player";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    run_of(&tab).await;
    let cause = "All 3 ended because replies could not be read as actions";
    tab.wait_for_text_in("#why", cause, SOON).await;
    tab.wait_for("#why.is-bad", SOON).await;
    tab.reload().await;
    tab.wait_for_text_in("#why", cause, SOON).await;
    pictures(&tab, "run-unreadable").await;
    tab.look(Look::WIDE).await;
    tab.click(".why-example").await;
    tab.wait("an episode", "location.pathname.split('/').length === 4", SOON).await;
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_provider_is_named_before_and_after_a_reload() {
    let Some(stage) = stage("a_dead_provider_is_named_before_and_after_a_reload").await else {
        return;
    };
    // A port at which no server listens.
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let url = format!("http://127.0.0.1:{port}/v1");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_PROVIDER_DEAD_BASE_URL", &url)]);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?first=4&in-flight=2&pause-after=2&seat.player=model:dead/m";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    run_of(&tab).await;
    tab.wait_for_text_in("#halted", "dead/m", SOON).await;
    tab.wait_for_text_in("#halted", "Test again", SOON).await;
    // What failed is not done.
    let head = tab.text(".progress-now").await;
    assert!(head.contains("0 of 4 finished"), "{head}");
    pictures(&tab, "run-dead").await;
    tab.reload().await;
    tab.wait_for_text_in("#elsewhere", "0 of 4 episodes finished", SOON).await;
    tab.wait_for_text_in("#why-paused", "dead/m failed", SOON).await;
    tab.wait_for_text_in("#elsewhere", "Resume", SOON).await;
    tab.look(Look::WIDE).await;
    pictures(&tab, "run-dead-again").await;
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_are_chosen_and_a_known_cost_has_one() {
    let Some(stage) = stage("columns_are_chosen_and_a_known_cost_has_one").await else {
        return;
    };
    let upstream = Upstream::start(Script::default()).await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let prices = folder.path().join("prices.toml");
    let priced = "[[price]]\nprovider = \"up\"\nmodel = \"player\"\nfrom = \"2020-01-01\"\ninput = 100\noutput = 1000\n";
    std::fs::write(&prices, priced).expect("it can be written");
    let prices = prices.to_string_lossy().into_owned();
    let variables = [
        ("TURNWISE_PROVIDER_UP_BASE_URL", url.as_str()),
        ("TURNWISE_PROVIDER_UP_MODELS", "player,other"),
        ("TURNWISE_PRICES", prices.as_str()),
    ];
    let trial = Trial::start(&stage, folder, &variables);
    let chromium = Chromium::start(&stage.browser).await;
    let new = |model: &str| trial.server.url(&format!("/new?first=3&seat.player=model:up/{model}"));
    let tab = chromium.open(&new("player"), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let asking = turnwise_tests::asking::Asking::new(&trial.server);
    let is_over = |info: &turnwise_shared::wire::RunInfo| info.state.is_over();
    asking.wait(&run, "all episodes", is_over).await;
    let page = trial.server.url(&format!("/run/{run}"));
    tab.goto(&page).await;
    tab.wait_for_text_in(".wall-cols", "Cost", SOON).await;
    let all = |test: &str| {
        format!(
            "(() => {{ const rows = [...document.querySelectorAll('.wall-row a.ep')]; return rows.length === 3 && rows.every(row => {test}); }})()"
        )
    };
    let costs = all(
        "/^\\$\\d/.test(row.querySelector('.ep-cost').textContent) && row.querySelector('.sr').textContent.includes(', cost $')",
    );
    tab.wait("a cost in each row", &costs, SOON).await;

    // Chosen by keyboard, kept in the address, and there after a reload.
    let columns = ".wall-columns > button";
    tab.focus(columns).await;
    tab.press("Enter").await;
    tab.wait_for(".wall-columns input[name=cost]", SOON).await;
    tab.assert_axe_is_content("the choice of columns").await;
    tab.focus(".wall-columns input[name=turns]").await;
    tab.press(" ").await;
    let chosen =
        "location.search.includes('columns=question,answer') && !location.search.includes('turns')";
    tab.wait("the choice in the address", chosen, SOON).await;
    let without = all("!row.querySelector('.ribbon') && row.querySelector('.ep-cost')");
    tab.wait("rows without turns", &without, SOON).await;
    tab.press("Escape").await;
    let closed = format!(
        "!document.querySelector('.wall-columns fieldset') && document.activeElement === document.querySelector('{columns}')"
    );
    tab.wait("a closed choice", &closed, SOON).await;
    tab.reload().await;
    tab.wait("the same rows", &without, SOON).await;
    assert!(!tab.text(".wall-cols").await.contains("Turns"));
    pictures(&tab, "run-columns").await;

    // A phone has two lines a row and shows what says most.
    tab.goto(&page).await;
    tab.wait("the usual rows", &costs, SOON).await;
    let phone = Look { width: 390, height: 844, ..Look::WIDE };
    tab.look(phone).await;
    let usual = all(
        "row.offsetHeight === 48 && row.querySelector('.ep-answer').offsetTop > row.querySelector('.ep-question').offsetTop && !row.querySelector('.ep-cost')",
    );
    tab.wait("two lines a row", &usual, SOON).await;
    tab.look(Look::WIDE).await;

    // What has no price has no cost, not a cost of 0.
    tab.goto(&new("other")).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    asking.wait(&run, "all episodes", is_over).await;
    tab.goto(&trial.server.url(&format!("/run/{run}"))).await;
    let unpriced = all("row.querySelector('.ep-tokens') && !row.querySelector('.ep-cost')");
    tab.wait("rows without a cost", &unpriced, SOON).await;
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_fills_its_window_sorts_by_its_heads_and_is_found_again() {
    let name = "a_table_fills_its_window_sorts_by_its_heads_and_is_found_again";
    let Some(stage) = stage(name).await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let window = Look { width: 1280, height: 900, ..Look::WIDE };
    let tab = chromium.open(&trial.server.url("/new?repeats=6"), window).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let asking = turnwise_tests::asking::Asking::new(&trial.server);
    let is_over = |info: &turnwise_shared::wire::RunInfo| info.state.is_over();
    asking.wait(&run, "all episodes", is_over).await;
    tab.goto(&trial.server.url(&format!("/run/{run}"))).await;
    tab.wait_for(".wall-row a.ep", SOON).await;
    // The last row is cut in half, the count says what is in sight, and nothing of the page lies below the window.
    let scroller = "document.querySelector('.wall-scroll')";
    tab.wait(
        "a table as high as the window leaves room for",
        &format!(
            "{scroller}.clientHeight % 28 === 14 && {scroller}.clientHeight > 280 && \
             document.documentElement.scrollHeight <= 900"
        ),
        SOON,
    )
    .await;
    let rows = tab.eval(&format!("({scroller}.clientHeight / 28) | 0")).await;
    let count = "document.querySelector('.wall-count').textContent";
    let first = format!("{count} === '1–{rows} of 120'");
    tab.wait("what is in sight", &first, SOON).await;

    // A head sorts, and once more turns the order around.
    for query in ["sort=length", "sort=-length"] {
        tab.click(".wall-cols .col-turns").await;
        let sorted = format!("location.search.includes('{query}')");
        tab.wait(query, &sorted, SOON).await;
    }
    tab.assert_axe_is_content("a sorted table").await;

    // From an episode back: scroll, row and focus are where they were.
    tab.eval(&format!("{scroller}.scrollTop = 1400, true")).await;
    let seen = format!(
        "!{count}.startsWith('1–') && document.querySelector('.wall-row a[aria-posinset=\"56\"]') !== null"
    );
    tab.wait("rows further below", &seen, SOON).await;
    let path = tab
        .eval("document.querySelector('.wall-row a[aria-posinset=\"56\"]').getAttribute('href').split('?')[0]")
        .await;
    tab.eval(
        "document.querySelector('.wall-row a[aria-posinset=\"56\"] .ep-question').click(), true",
    )
    .await;
    tab.wait_for(".replay-row", SOON).await;
    tab.eval("history.back(), true").await;
    let back = format!(
        "{scroller}?.scrollTop === 1400 && document.activeElement?.getAttribute('href')?.startsWith({path}) === true && \
         document.querySelector('.ep.is-now')?.getAttribute('href').startsWith({path}) === true"
    );
    tab.wait("the table as it was left", &back, SOON).await;
    // The arrows go on from there.
    tab.press("ArrowDown").await;
    let next = "document.querySelector('.ep.is-now')?.getAttribute('aria-posinset') === '57'";
    tab.wait("the next row", next, SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_one_question_stand_in_one_row() {
    let Some(stage) = stage("answers_to_one_question_stand_in_one_row").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let address = format!("/new?benchmark={DIALOGUE}&mode=direct&repeats=4&first=3");
    let tab = chromium.open(&trial.server.url(&address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let asking = turnwise_tests::asking::Asking::new(&trial.server);
    let is_over = |info: &turnwise_shared::wire::RunInfo| info.state.is_over();
    let info = asking.wait(&run, "all answers", is_over).await;
    assert_eq!(info.episodes, 12);
    tab.goto(&trial.server.url(&format!("/run/{run}"))).await;
    let rows = "(() => { const rows = [...document.querySelectorAll('.wall-row a.ep')]; return rows.length === 3 && \
                rows.every(row => row.querySelectorAll('.ribbon .turn').length === 4 && \
                /^[0-4] of 4 right/.test(row.querySelector('.ep-answer').textContent)); })()";
    tab.wait("a row a problem", rows, SOON).await;
    tab.eval("document.querySelectorAll('.wall-row a.ep .ribbon .turn')[2].click(), true").await;
    let third = "/\\.r3\\b/.test(location.pathname)";
    tab.wait("the third answer", third, SOON).await;
    tab.wait_for(".tl-turn", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
