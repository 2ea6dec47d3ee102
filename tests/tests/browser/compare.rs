//! Two runs over the same tasks, and a study: runs are made in the browser by built-in players, set side by side, and gone
//! through task by task; a study is one click, one run, one figure.

use turnwise_shared::examples::DIALOGUE;
use turnwise_shared::wire::RunState;

use super::boards::published;
use crate::*;

const PHONE: Look = Look { width: 390, height: 844, ..Look::WIDE };

/// Starts the run of an address and waits until it is stored; its id.
async fn played(trial: &Trial, tab: &Tab, address: &str) -> String {
    tab.goto(&trial.server.url(address)).await;
    start(tab).await;
    let run = run_of(tab).await;
    let asking = Asking::new(&trial.server);
    let info = asking.wait(&run, "the run", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, info.episodes));
    run
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_compared_and_flips_are_read_side_by_side() {
    let Some(stage) = stage("runs_are_compared_and_flips_are_read_side_by_side").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new"), Look::WIDE).await;
    let asks = played(&trial, &tab, "/new?seat.player=bot:asks-by-rule").await;
    let guesses = played(&trial, &tab, "/new?seat.player=bot:answer-only").await;

    // From the page of a run; the other one is ticked.
    tab.click("a[href^='/compare?runs=']").await;
    tab.wait_for_text("Tick two or more runs.", SOON).await;
    tab.wait_for("table input[type=checkbox]", SOON).await;
    tab.click(&format!("tr:has(a[href='/run/{asks}']) input[type=checkbox]")).await;
    tab.wait_for(".verdicts li", SOON).await;
    // The list makes room, and opens again.
    tab.wait("the folded list", "!document.querySelector('#pick').open", SOON).await;
    tab.click("#pick > summary").await;
    tab.wait_for_text_in("#pick tbody", &asks[..8], SOON).await;
    // The tests stand folded below the verdict.
    let test = "section:has(> .section-head #gap-head) details.more";
    tab.click(&format!("{test} > summary")).await;
    tab.wait_for_text_in(test, "McNemar", SOON).await;
    // Settings and runs are called by what differs, not by a path.
    tab.wait_for_text_in("section:has(> .section-head #differs-head)", "Player", SOON).await;
    let text = tab.text("main").await;
    assert!(!text.contains("seats.player"), "{text}");
    // The sentence, the interval and the column of the test say the same.
    let agree = "(() => { const verdict = document.querySelector('.verdicts li').textContent; \
                 const row = [...document.querySelectorAll('#gap-head')][0].closest('section').querySelector('details.more tbody tr'); \
                 const cells = [...row.querySelectorAll('td')].map(cell => cell.textContent.trim()); \
                 const range = cells.find(text => text.includes(' to ')); \
                 const [low, high] = range.replaceAll('−', '-').split(' to ').map(Number); \
                 const excludes = low > 0 || high < 0; \
                 return excludes === cells.includes('yes') && excludes === / is better than .* by /.test(verdict) \
                   && excludes !== /Cannot be told apart/.test(verdict); })()";
    tab.wait("one answer in sentence, interval and test", agree, SOON).await;
    // Every task with its question, the right answer, and what each run answered; a choice leaves those that differ.
    let rows = "#grid tbody tr[aria-rowindex]";
    tab.wait_for(&format!("{rows} .grid-asked"), SOON).await;
    tab.wait_for(&format!("{rows} .grid-right"), SOON).await;
    tab.wait_for(&format!("{rows} td.is-right .grid-answer"), SOON).await;
    tab.wait_for(&format!("{rows} td.is-wrong"), SOON).await;
    tab.click("#grid .seg button:nth-child(2)").await;
    tab.wait("the choice in the address", "location.search.includes('only=differs')", SOON).await;
    let differing = format!(
        "(rows => rows.length > 1 && rows.every(row => row.querySelectorAll('td.is-right').length === 1))\
         ([...document.querySelectorAll('{rows}')])"
    );
    tab.wait("rows that differ", &differing, SOON).await;
    pictures(&tab, "compare").await;
    tab.look(Look::WIDE).await;
    // The arrow keys walk it, and the Tab key leads to one cell.
    assert_eq!(tab.count("#grid tbody [tabindex='0']").await, 1);
    tab.focus("#grid-0-0").await;
    tab.press("ArrowDown").await;
    tab.wait("the next row", "document.activeElement?.id === 'grid-1-0'", SOON).await;
    tab.press("ArrowRight").await;
    tab.wait("its first run", "document.activeElement?.id === 'grid-1-1'", SOON).await;

    // Both transcripts; the keys go through the flips and back.
    tab.click("#grid-0-0").await;
    // What is right and both answers; the runs come one after the other.
    let three = "document.querySelectorAll('#task-answers dd b').length === 3";
    tab.wait("the answers", three, SOON).await;
    tab.wait_for(".twin-side:nth-child(2) .tl-turn", SOON).await;
    tab.wait_for(".twin-side:nth-child(1) .tl-turn", SOON).await;
    tab.wait_for_text("flip 1 of", SOON).await;
    let before = tab.eval("location.pathname").await;
    tab.press("j").await;
    tab.wait_for_text("flip 2 of", SOON).await;
    assert_ne!(tab.eval("location.pathname").await, before);
    tab.press("k").await;
    tab.wait_for_text("flip 1 of", SOON).await;
    assert_eq!(tab.eval("location.pathname").await, before);
    tab.wait_for(".twin-side:nth-child(2) .tl-turn", SOON).await;
    pictures(&tab, "compare-task").await;
    // On a phone one of them can be put away.
    tab.look(PHONE).await;
    tab.click(".twin-switch button:nth-child(3)").await;
    let shown = |sides: &str| {
        format!(
            "[...document.querySelectorAll('.twin-side')].map(side => \
             getComputedStyle(side).display !== 'none').join() === '{sides}'"
        )
    };
    tab.wait("one of them", &shown("false,true"), SOON).await;
    tab.look(Look::WIDE).await;
    tab.wait("both again", &shown("true,true"), SOON).await;
    tab.click(".crumbs a[href^='/compare']").await;
    tab.wait_for(".verdicts li", SOON).await;
    let address = tab.eval("location.search").await;
    let address = address.as_str().expect("a query");
    assert!(address.contains(&asks) && address.contains(&guesses), "{address}");

    // The beginnings of ids that pages show name the runs, too; what begins no run's id is named.
    let short = format!("/compare?runs={},{}", &asks[..8], &guesses[..8]);
    tab.goto(&trial.server.url(&short)).await;
    tab.wait_for(".verdicts li", SOON).await;
    assert_eq!(tab.count("#unknown-runs").await, 0);
    tab.goto(&trial.server.url(&format!("{short},00000000"))).await;
    tab.wait_for_text_in("#unknown-runs", "00000000", SOON).await;
    tab.wait_for(".verdicts li", SOON).await;

    // The same runs as a grid: a cell each, the order of the players, and what changes places.
    tab.goto(&trial.server.url(&short)).await;
    tab.wait_for(".verdicts li", SOON).await;
    tab.click("#other-view").await;
    tab.wait(
        "a row a player",
        "document.querySelectorAll('table.matrix tbody td.heat').length === 4",
        SOON,
    )
    .await;
    tab.wait_for_text("Mean over the columns", SOON).await;
    assert_eq!(tab.count("#gap-head").await, 0, "pairs are on their own page");
    pictures(&tab, "grid").await;

    // Another benchmark cannot be ticked, and by its address the reason is said.
    let other = played(&trial, &tab, &format!("/new?benchmark={MATCH}")).await;
    tab.goto(&trial.server.url(&format!("/compare?runs={asks},{other}"))).await;
    tab.wait_for_text("runs of one benchmark are compared", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_the_operator_took_off_its_board_has_no_part_in_a_comparison() {
    let name = "a_run_that_the_operator_took_off_its_board_has_no_part_in_a_comparison";
    let Some(stage) = stage(name).await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asks = published(&stage.program, &trial, "bot:asks-by-rule").await;
    let guesses = published(&stage.program, &trial, "bot:answer-only").await;
    let chromium = Chromium::start(&stage.browser).await;
    let both = trial.server.url(&format!("/compare?runs={asks},{guesses}"));
    let tab = chromium.open(&both, Look::WIDE).await;
    tab.wait_for(".verdicts li", SOON).await;
    tab.wait_for("#grid tbody th a", SOON).await;
    let flip = tab.eval("document.querySelector('#grid tbody th a').getAttribute('href')").await;
    let flip = flip.as_str().expect("an address").to_owned();

    let data = data_of(&trial.folder);
    let data = data.to_str().expect("a path in letters");
    let reason = "its answers were copied";
    turnwise(&stage.program, &["admin", "remove", &asks, "--reason", reason, "--data", data]);
    tab.goto(&both).await;
    tab.wait_for_text_in("#doubted-runs", reason, SOON).await;
    tab.wait_for(&format!("#doubted-runs a[href='/run/{asks}']"), SOON).await;
    tab.wait_for_text("Tick two or more runs.", SOON).await;
    for numbers in [".verdicts li", "#grid a", "#sides-head", "#costs-head"] {
        assert_eq!(tab.count(numbers).await, 0, "{numbers}");
    }
    let row = format!("#pick tr:has(a[href='/run/{asks}'])");
    tab.wait_for_text_in(&row, "none of its numbers", SOON).await;
    tab.wait_for(&format!("{row} input:disabled"), SOON).await;
    let number = tab.text(&format!("{row} td:last-child")).await;
    assert!(!number.contains(char::is_numeric), "{number}");
    pictures(&tab, "compare-doubt").await;

    // Both plays can be read, and nothing is counted.
    tab.goto(&trial.server.url(&flip)).await;
    tab.wait_for(".twin-side:nth-child(2) .tl-turn", SOON).await;
    tab.wait_for_text(reason, SOON).await;
    let text = tab.text("main").await;
    assert!(!text.contains("flip 1 of"), "{text}");
    assert!(!text.contains("ended this task alike"), "{text}");
    pictures(&tab, "compare-task-doubt").await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_is_one_click_one_run_and_one_figure() {
    let Some(stage) = stage("a_study_is_one_click_one_run_and_one_figure").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new"), Look::WIDE).await;
    startable(&tab).await;
    // Studies are among the settings, which are folded where tasks come from a file.
    tab.click("#settings-fold > summary").await;
    tab.click("#forced-study").await;
    tab.wait(
        "the study in the address",
        "decodeURIComponent(location.search).includes('min_asks=2,4,6,8,10')",
        SOON,
    )
    .await;
    let values = "document.querySelector('#min_asks')?.value === '2, 4, 6, 8, 10'";
    tab.wait("its values", values, SOON).await;
    tab.click("#no-study").await;
    tab.wait("no study", "!location.search.includes('min_asks')", SOON).await;
    tab.click("#scaling-study").await;
    tab.wait(
        "the other study",
        "decodeURIComponent(location.search).includes('rounds=5,10,20')",
        SOON,
    )
    .await;
    startable(&tab).await;
    pictures(&tab, "new-study").await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let asking = Asking::new(&trial.server);
    let info = asking.wait(&run, "the study", |info| info.state.is_over()).await;
    assert_eq!(
        (info.state, info.finished, info.episodes % 3),
        (RunState::Closed, info.episodes, 0)
    );
    open_part(&tab, "breakdown").await;
    // The figures are drawn anew while the run goes on, and once more with the server's numbers.
    for (what, selector) in [
        ("accuracy, calibration and asks", "#study .plot"),
        ("a curve a figure", "#study .curve"),
        ("a row a value", "#study > .stack > .stack-2 tbody tr"),
    ] {
        let count = format!("document.querySelectorAll('{selector}').length === 3");
        tab.wait(what, &count, SOON).await;
    }
    tab.click("#published-layer").await;
    tab.wait(
        "the paper's points",
        "document.querySelectorAll('#study .curve').length === 15",
        SOON,
    )
    .await;
    pictures(&tab, "study").await;
    // A window that becomes a phone's has all of every figure.
    tab.look(PHONE).await;
    tab.wait(
        "figures of a phone",
        "[...document.querySelectorAll('#study .plot-scroll')].every(box => box.scrollWidth <= box.clientWidth)",
        SOON,
    )
    .await;
    tab.look(Look::WIDE).await;
    // An episode of it is read like any other.
    tab.goto(&trial.server.url(&format!("/run/{run}/{}", first_play(&tab, &run).await))).await;
    tab.wait_for(".tl-turn", SOON).await;
    tab.wait_for_text("Replay verified", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

/// An episode of a run at its largest value.
async fn first_play(tab: &Tab, run: &str) -> String {
    let found = tab
        .eval(&format!(
            "fetch('/api/runs/{run}/summaries').then(answer => answer.json()).then(all => \
             Object.keys(all).find(key => key.includes('-k20.') && key.endsWith('.play')))"
        ))
        .await;
    found.as_str().expect("an episode").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_direct_twin_is_started_and_compared_at_the_same_budget() {
    let name = "a_direct_twin_is_started_and_compared_at_the_same_budget";
    let Some(stage) = stage(name).await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new"), Look::WIDE).await;
    let address = format!("/new?benchmark={DIALOGUE}&first=3");
    let asks = played(&trial, &tab, &address).await;
    let breakdown = format!("/run/{asks}?tab=breakdown");
    tab.goto(&trial.server.url(&breakdown)).await;
    tab.wait_for_text("Solved by round t", SOON).await;
    tab.wait_for(".curve-band[d^=M]", SOON).await;
    tab.wait_for("#twin a[href*='mode=direct']", SOON).await;
    let twin = tab.eval("document.querySelector('#twin a').getAttribute('href')").await;
    // Bots tell no tokens, and answer in far fewer letters than they ask: more answers cost as much.
    let twin = twin.as_str().expect("an address");
    let (start, rest) = twin.split_once("repeats=").expect("so many answers");
    let rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let direct = played(&trial, &tab, &format!("{start}repeats=100{rest}")).await;

    let both = format!("/compare?runs={asks},{direct}");
    tab.goto(&trial.server.url(&both)).await;
    tab.wait_for_text_in(".verdicts", "At the same budget", SOON).await;
    // Rounds as steps, answers as a line, and the budget at which they are compared.
    tab.wait_for("#besides svg .plot-gap", SOON).await;
    let steps = "/^M[\\d. ]+(H[\\d.]+V[\\d.]+)*$/.test(document.querySelector('#besides svg .curve').getAttribute('d'))";
    assert_eq!(tab.eval(steps).await, true, "rounds are steps");
    tab.wait_for_text_in("#besides figcaption", "At the same budget", SOON).await;
    // The runs are called by what tells them apart.
    tab.wait_for_text_in("section:has(> .section-head #differs-head) thead", "direct", SOON).await;
    pictures(&tab, "compare-budgets").await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
