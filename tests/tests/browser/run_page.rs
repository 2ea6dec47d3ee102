//! The page of a run: what it came to and why stands first, in one window; a row says what was asked and what is right; and the cause of
//! a failure is read before and after a reload.

use std::net::TcpListener;

use turnwise_shared::examples::DIALOGUE;

use crate::*;

#[test]
fn twenty_episodes_fit_one_window_and_say_what_was_right() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let run = samples_played(&trial, &tab).await;
        tab.goto(&format!("/run/{run}")).await;
        tab.wait_for("#why").await;
        tab.wait_for(".wall-row a.ep").await;
        tab.wait(
            "a page that is no higher than the window",
            "document.documentElement.scrollHeight <= 900",
        )
        .await;
        let told = tab.text("#why").await;
        assert!(told.contains("of 20 episodes right") || told.contains("All 20"), "{told}");
        // Question, answer and reference stand in each row.
        let rows = "[...document.querySelectorAll('.wall-row a.ep')]";
        let asked = format!(
            "{rows}.every(row => row.querySelector('.ep-question').textContent.length > 10)"
        );
        assert!(tab.is(&asked).await, "a row without its question");
        let right = format!(
            "{rows}.every(row => row.querySelector('.ep-answer').textContent.includes('→'))"
        );
        assert!(tab.is(&right).await, "a row without its reference");
        pictures(&tab, "run-table").await;
        tab.goto(&format!("/run/{run}?look=dense")).await;
        tab.wait_for(".wall-dense .wall-row a.ep[aria-label*=question]").await;
        pictures(&tab, "run-dense").await;
        tab.goto(&format!("/run/{run}")).await;
        tab.wait_for(".wall-row a.ep").await;
        tab.look(Look::WIDE).await;

        // Only those that failed.
        let failures = "document.querySelector('.filter-chip')";
        if tab.is(&format!("{failures} !== null")).await {
            tab.click(".filter-chip").await;
            tab.wait_for_query("cause=any").await;
            tab.wait_for_count(".wall-row .o-correct", 0).await;
        }

        // A tab stands in the address and survives a reload; arrow keys lead on.
        open_part(&tab, "breakdown").await;
        tab.reload().await;
        tab.wait_for("#panel-breakdown").await;
        tab.wait_for("#faults-head").await;
        tab.focus("#tab-breakdown").await;
        tab.press("End").await;
        tab.wait_for("#panel-setup").await;
        tab.wait_for_focus("#tab-setup").await;
        tab.wait_for_query("tab=setup").await;
        pictures(&tab, "run-setup").await;
        open_part(&tab, "checks").await;
        tab.wait_for_text_in("#checked", "Not published.").await;
        assert_eq!(tab.count(".page-head .seal-self").await, 0, "no label before a check");
        pictures(&tab, "run-checks").await;
        tab.assert_clean();
    });
}

#[test]
fn a_run_whose_replies_cannot_be_read_says_so_first() {
    on_trial_over(
        Script { faults: Faults::Always(Fault::Empty), ..Script::default() },
        async |trial, _upstream| {
            let (tab, _) = trial.run("/new?first=3&seat.player=model:up/player").await;
            let cause = "All 3 ended because replies could not be read as actions";
            tab.wait_for_text_in("#why", cause).await;
            tab.wait_for("#why.is-bad").await;
            tab.reload().await;
            tab.wait_for_text_in("#why", cause).await;
            pictures(&tab, "run-unreadable").await;
            tab.look(Look::WIDE).await;
            tab.click(".why-example").await;
            tab.wait("an episode", "location.pathname.split('/').length === 4").await;
        },
    );
}

#[test]
fn a_dead_provider_is_named_before_and_after_a_reload() {
    on_stage(async |stage| {
        // A port at which no server listens.
        let port = {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            listener.local_addr().expect("an address").port()
        };
        let url = format!("http://127.0.0.1:{port}/v1");

        let trial = stage.with("TURNWISE_PROVIDER_DEAD_BASE_URL", url).start();

        let (tab, _) =
            trial.run("/new?first=4&in-flight=2&pause-after=2&seat.player=model:dead/m").await;
        tab.wait_for_text_in("#halted", "dead/m").await;
        tab.wait_for_text_in("#halted", "Test again").await;
        // What failed is not done.
        let head = tab.text(".progress-now").await;
        assert!(head.contains("0 of 4 finished"), "{head}");
        pictures(&tab, "run-dead").await;
        tab.reload().await;
        tab.wait_for_text_in("#elsewhere", "0 of 4 episodes finished").await;
        tab.wait_for_text_in("#why-paused", "dead/m failed").await;
        tab.wait_for_text_in("#elsewhere", "Resume").await;
        tab.look(Look::WIDE).await;
        pictures(&tab, "run-dead-again").await;
    });
}

#[test]
fn columns_are_chosen_and_a_known_cost_has_one() {
    on_stage(async |stage| {
        let upstream = Upstream::start(Script::default()).await;

        let trial = stage
            .with_models(&upstream)
            .with("TURNWISE_PROVIDER_UP_MODELS", "player,other")
            .with_prices(100, 1000)
            .start();

        let new = |model: &str| format!("/new?first=3&seat.player=model:up/{model}");
        let (tab, run) = trial.run(&new("player")).await;

        trial.closed(&run).await;
        let page = format!("/run/{run}");
        tab.goto(&page).await;
        tab.wait_for_text_in(".wall-cols", "Cost").await;
        let all = |test: &str| {
            format!(
                "(() => {{ const rows = [...document.querySelectorAll('.wall-row a.ep')]; return rows.length === 3 && rows.every(row => {test}); }})()"
            )
        };
        let costs = all(
            "/^\\$\\d/.test(row.querySelector('.ep-cost').textContent) && row.querySelector('.sr').textContent.includes(', cost $')",
        );
        tab.wait("a cost in each row", &costs).await;

        // Chosen by keyboard, kept in the address, and there after a reload.
        let columns = ".wall-columns > button";
        tab.focus(columns).await;
        tab.press("Enter").await;
        tab.wait_for(".wall-columns input[name=cost]").await;
        tab.assert_axe_is_content("the choice of columns").await;
        tab.focus(".wall-columns input[name=turns]").await;
        tab.press(" ").await;
        tab.wait(
        "the choice in the address",
        "location.search.includes('columns=question,answer') && !location.search.includes('turns')",
    )
    .await;
        let without = all("!row.querySelector('.ribbon') && row.querySelector('.ep-cost')");
        tab.wait("rows without turns", &without).await;
        tab.press("Escape").await;
        let closed = format!(
            "!document.querySelector('.wall-columns fieldset') && document.activeElement === document.querySelector('{columns}')"
        );
        tab.wait("a closed choice", &closed).await;
        tab.reload().await;
        tab.wait("the same rows", &without).await;
        assert!(!tab.text(".wall-cols").await.contains("Turns"));
        pictures(&tab, "run-columns").await;

        // A phone has two lines a row and shows what says most.
        tab.goto(&page).await;
        tab.wait("the usual rows", &costs).await;
        tab.look(PHONE).await;
        let usual = all(
            "row.offsetHeight === 48 && row.querySelector('.ep-answer').offsetTop > row.querySelector('.ep-question').offsetTop && !row.querySelector('.ep-cost')",
        );
        tab.wait("two lines a row", &usual).await;
        tab.look(Look::WIDE).await;

        // What has no price has no cost, not a cost of 0.
        tab.goto(&new("other")).await;
        let run = started(&tab).await;
        trial.closed(&run).await;
        tab.goto(&format!("/run/{run}")).await;
        let unpriced = all("row.querySelector('.ep-tokens') && !row.querySelector('.ep-cost')");
        tab.wait("rows without a cost", &unpriced).await;
    });
}

#[test]
fn a_table_fills_its_window_sorts_by_its_heads_and_is_found_again() {
    on_trial(async |trial| {
        let (tab, run) = trial.run("/new?repeats=6").await;

        trial.closed(&run).await;
        tab.goto(&format!("/run/{run}")).await;
        tab.wait_for(".wall-row a.ep").await;
        // The last row is cut in half, the count says what is in sight, and nothing of the page lies below the window.
        let scroller = "document.querySelector('.wall-scroll')";
        tab.wait(
            "a table as high as the window leaves room for",
            &format!(
                "{scroller}.clientHeight % 28 === 14 && {scroller}.clientHeight > 280 && \
             document.documentElement.scrollHeight <= 900"
            ),
        )
        .await;
        let rows = tab.eval(&format!("({scroller}.clientHeight / 28) | 0")).await;
        let count = "document.querySelector('.wall-count').textContent";
        tab.wait("what is in sight", &format!("{count} === '1–{rows} of 120'")).await;

        // A head sorts, and once more turns the order around.
        for query in ["sort=length", "sort=-length"] {
            tab.click(".wall-cols .col-turns").await;
            let sorted = format!("location.search.includes('{query}')");
            tab.wait(query, &sorted).await;
        }
        tab.assert_axe_is_content("a sorted table").await;

        // From an episode back: scroll, row and focus are where they were.
        tab.eval(&format!("{scroller}.scrollTop = 1400, true")).await;
        tab.wait("rows further below", &format!(
        "!{count}.startsWith('1–') && document.querySelector('.wall-row a[aria-posinset=\"56\"]') !== null"
    )).await;
        let path = tab
        .eval("document.querySelector('.wall-row a[aria-posinset=\"56\"]').getAttribute('href').split('?')[0]")
        .await;
        tab.eval(
        "document.querySelector('.wall-row a[aria-posinset=\"56\"] .ep-question').click(), true",
    )
    .await;
        tab.wait_for(".replay-row").await;
        tab.eval("history.back(), true").await;
        tab.wait("the table as it was left", &format!(
        "{scroller}?.scrollTop === 1400 && document.activeElement?.getAttribute('href')?.startsWith({path}) === true && \
         document.querySelector('.ep.is-now')?.getAttribute('href').startsWith({path}) === true"
    )).await;
        // The arrows go on from there.
        tab.press("ArrowDown").await;
        let next = "document.querySelector('.ep.is-now')?.getAttribute('aria-posinset') === '57'";
        tab.wait("the next row", next).await;
        tab.assert_clean();
    });
}

#[test]
fn answers_to_one_question_stand_in_one_row() {
    on_trial(async |trial| {
        let (tab, run) =
            trial.run(&format!("/new?benchmark={DIALOGUE}&mode=direct&repeats=4&first=3")).await;

        let info = trial.closed(&run).await;
        assert_eq!(info.episodes, 12);
        tab.goto(&format!("/run/{run}")).await;
        let rows = "(() => { const rows = [...document.querySelectorAll('.wall-row a.ep')]; return rows.length === 3 && \
                rows.every(row => row.querySelectorAll('.ribbon .turn').length === 4 && \
                /^[0-4] of 4 right/.test(row.querySelector('.ep-answer').textContent)); })()";
        tab.wait("a row a problem", rows).await;
        tab.eval("document.querySelectorAll('.wall-row a.ep .ribbon .turn')[2].click(), true")
            .await;
        let third = "/\\.r3\\b/.test(location.pathname)";
        tab.wait("the third answer", third).await;
        tab.wait_for(".tl-turn").await;
        tab.assert_clean();
    });
}
