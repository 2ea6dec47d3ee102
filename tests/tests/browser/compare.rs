//! Two runs over the same tasks, and a study: runs are made in the browser by built-in players, set side by side, and gone
//! through task by task; a study is one click, one run, one figure.

use turnwise_shared::examples::DIALOGUE;

use super::boards::published;
use crate::*;

/// Starts the run of an address and waits until it is stored; its id.
async fn played(trial: &Trial, tab: &Tab, address: &str) -> String {
    tab.goto(address).await;
    start(tab).await;
    trial.whole(tab).await
}

#[test]
fn runs_are_compared_and_flips_are_read_side_by_side() {
    on_trial(async |trial| {
        let tab = trial.open("/new").await;
        let asks = played(&trial, &tab, "/new?seat.player=bot:asks-by-rule").await;
        let guesses = played(&trial, &tab, "/new?seat.player=bot:answer-only").await;

        // From the page of a run; the other one is ticked.
        tab.click("a[href^='/compare?runs=']").await;
        tab.wait_for_text("Tick two or more runs.").await;
        tab.wait_for("table input[type=checkbox]").await;
        tab.click(&format!("tr:has(a[href='/run/{asks}']) input[type=checkbox]")).await;
        tab.wait_for(".verdicts li").await;
        // The list makes room, and opens again.
        tab.wait("the folded list", "!document.querySelector('#pick').open").await;
        tab.click("#pick > summary").await;
        tab.wait_for_text_in("#pick tbody", &asks[..8]).await;
        // The tests stand folded below the verdict.
        let test = "section:has(> .section-head #gap-head) details.more";
        tab.click(&format!("{test} > summary")).await;
        tab.wait_for_text_in(test, "McNemar").await;
        // Settings and runs are called by what differs, not by a path.
        tab.wait_for_text_in("section:has(> .section-head #differs-head)", "Player").await;
        let text = tab.text("main").await;
        assert!(!text.contains("seats.player"), "{text}");
        // The sentence, the interval and the column of the test say the same.
        tab.wait("one answer in sentence, interval and test", "(() => { const verdict = document.querySelector('.verdicts li').textContent; \
                 const row = [...document.querySelectorAll('#gap-head')][0].closest('section').querySelector('details.more tbody tr'); \
                 const cells = [...row.querySelectorAll('td')].map(cell => cell.textContent.trim()); \
                 const range = cells.find(text => text.includes(' to ')); \
                 const [low, high] = range.replaceAll('−', '-').split(' to ').map(Number); \
                 const excludes = low > 0 || high < 0; \
                 return excludes === cells.includes('yes') && excludes === / is better than .* by /.test(verdict) \
                   && excludes !== /Cannot be told apart/.test(verdict); })()").await;
        // Every task with its question, the right answer, and what each run answered; a choice leaves those that differ.
        let rows = "#grid tbody tr[aria-rowindex]";
        tab.wait_for(&format!("{rows} .grid-asked")).await;
        tab.wait_for(&format!("{rows} .grid-right")).await;
        tab.wait_for(&format!("{rows} td.is-right .grid-answer")).await;
        tab.wait_for(&format!("{rows} td.is-wrong")).await;
        tab.click("#grid .seg button:nth-child(2)").await;
        tab.wait_for_query("only=differs").await;
        tab.wait("rows that differ", &format!(
        "(rows => rows.length > 1 && rows.every(row => row.querySelectorAll('td.is-right').length === 1))\
         ([...document.querySelectorAll('{rows}')])"
    )).await;
        pictures(&tab, "compare").await;
        tab.look(Look::WIDE).await;
        // The arrow keys walk it, and the Tab key leads to one cell.
        assert_eq!(tab.count("#grid tbody [tabindex='0']").await, 1);
        tab.focus("#grid-0-0").await;
        tab.press("ArrowDown").await;
        tab.wait_for_focus("#grid-1-0").await;
        tab.press("ArrowRight").await;
        tab.wait_for_focus("#grid-1-1").await;

        // Both transcripts; the keys go through the flips and back.
        tab.click("#grid-0-0").await;
        // What is right and both answers; the runs come one after the other.
        tab.wait_for_count("#task-answers dd b", 3).await;
        tab.wait_for(".twin-side:nth-child(2) .tl-turn").await;
        tab.wait_for(".twin-side:nth-child(1) .tl-turn").await;
        tab.wait_for_text("flip 1 of").await;
        let before = tab.path().await;
        tab.press("j").await;
        tab.wait_for_text("flip 2 of").await;
        assert_ne!(tab.path().await, before);
        tab.press("k").await;
        tab.wait_for_text("flip 1 of").await;
        assert_eq!(tab.path().await, before);
        tab.wait_for(".twin-side:nth-child(2) .tl-turn").await;
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
        tab.wait("one of them", &shown("false,true")).await;
        tab.look(Look::WIDE).await;
        tab.wait("both again", &shown("true,true")).await;
        tab.click(".crumbs a[href^='/compare']").await;
        tab.wait_for(".verdicts li").await;
        let address: String = tab.read("location.search").await;
        assert!(address.contains(&asks) && address.contains(&guesses), "{address}");

        // The beginnings of ids that pages show name the runs, too; what begins no run's id is named.
        let short = format!("/compare?runs={},{}", &asks[..8], &guesses[..8]);
        tab.goto(&short).await;
        tab.wait_for(".verdicts li").await;
        assert_eq!(tab.count("#unknown-runs").await, 0);
        tab.goto(&format!("{short},00000000")).await;
        tab.wait_for_text_in("#unknown-runs", "00000000").await;
        tab.wait_for(".verdicts li").await;

        // The same runs as a grid: a cell each, the order of the players, and what changes places.
        tab.goto(&short).await;
        tab.wait_for(".verdicts li").await;
        tab.click("#other-view").await;
        tab.wait_for_count("table.matrix tbody td.heat", 4).await;
        tab.wait_for_text("Mean over the columns").await;
        assert_eq!(tab.count("#gap-head").await, 0, "pairs are on their own page");
        pictures(&tab, "grid").await;

        // Another benchmark cannot be ticked, and by its address the reason is said.
        let other = played(&trial, &tab, &format!("/new?benchmark={MATCH}")).await;
        tab.goto(&format!("/compare?runs={asks},{other}")).await;
        tab.wait_for_text("runs of one benchmark are compared").await;
        tab.assert_clean();
    });
}

#[test]
fn a_run_that_the_operator_took_off_its_board_has_no_part_in_a_comparison() {
    on_trial(async |trial| {
        let asks = published(&trial, "bot:asks-by-rule").await;
        let guesses = published(&trial, "bot:answer-only").await;

        let both = format!("/compare?runs={asks},{guesses}");
        let tab = trial.open(&both).await;
        tab.wait_for(".verdicts li").await;
        tab.wait_for("#grid tbody th a").await;
        let flip: String =
            tab.read("document.querySelector('#grid tbody th a').getAttribute('href')").await;

        let data = trial.path("data");
        let data = data.to_str().expect("a path in letters");
        let reason = "its answers were copied";
        trial.turnwise(&["admin", "remove", &asks, "--reason", reason, "--data", data]);
        tab.goto(&both).await;
        tab.wait_for_text_in("#doubted-runs", reason).await;
        tab.wait_for(&format!("#doubted-runs a[href='/run/{asks}']")).await;
        tab.wait_for_text("Tick two or more runs.").await;
        for numbers in [".verdicts li", "#grid a", "#sides-head", "#costs-head"] {
            assert_eq!(tab.count(numbers).await, 0, "{numbers}");
        }
        let row = format!("#pick tr:has(a[href='/run/{asks}'])");
        tab.wait_for_text_in(&row, "none of its numbers").await;
        tab.wait_for(&format!("{row} input:disabled")).await;
        let number = tab.text(&format!("{row} td:last-child")).await;
        assert!(!number.contains(char::is_numeric), "{number}");
        pictures(&tab, "compare-doubt").await;

        // Both plays can be read, and nothing is counted.
        tab.goto(&flip).await;
        tab.wait_for(".twin-side:nth-child(2) .tl-turn").await;
        tab.wait_for_text(reason).await;
        let text = tab.text("main").await;
        assert!(!text.contains("flip 1 of"), "{text}");
        assert!(!text.contains("ended this task alike"), "{text}");
        pictures(&tab, "compare-task-doubt").await;
        tab.assert_clean();
    });
}

#[test]
fn a_study_is_one_click_one_run_and_one_figure() {
    on_trial(async |trial| {
        let tab = trial.open("/new").await;
        startable(&tab).await;
        // Studies are among the settings, which are folded where tasks come from a file.
        tab.click("#settings-fold > summary").await;
        tab.click("#forced-study").await;
        tab.wait_for_query("min_asks=2,4,6,8,10").await;
        let values = "document.querySelector('#min_asks')?.value === '2, 4, 6, 8, 10'";
        tab.wait("its values", values).await;
        tab.click("#no-study").await;
        tab.wait("no study", "!location.search.includes('min_asks')").await;
        tab.click("#scaling-study").await;
        tab.wait_for_query("rounds=5,10,20").await;
        startable(&tab).await;
        pictures(&tab, "new-study").await;
        let run = started(&tab).await;

        let info = trial.closed(&run).await;
        assert_eq!((info.finished, info.episodes % 3), (info.episodes, 0));
        open_part(&tab, "breakdown").await;
        // The figures are drawn anew while the run goes on, and once more with the server's numbers.
        for selector in [
            // Accuracy, calibration and asks; a curve a figure; a row a value.
            "#study .plot",
            "#study .curve",
            "#study > .stack > .stack-2 tbody tr",
        ] {
            tab.wait_for_count(selector, 3).await;
        }
        tab.click("#published-layer").await;
        tab.wait_for_count("#study .curve", 15).await;
        pictures(&tab, "study").await;
        // A window that becomes a phone's has all of every figure.
        tab.look(PHONE).await;
        tab.wait(
        "figures of a phone",
        "[...document.querySelectorAll('#study .plot-scroll')].every(box => box.scrollWidth <= box.clientWidth)")
    .await;
        tab.look(Look::WIDE).await;
        // An episode of it is read like any other.
        tab.goto(&format!("/run/{run}/{}", first_play(&tab, &run).await)).await;
        tab.wait_for(".tl-turn").await;
        tab.wait_for_text("Replay verified").await;
        tab.assert_clean();
    });
}

/// An episode of a run at its largest value.
async fn first_play(tab: &Tab, run: &str) -> String {
    tab.read(&format!(
        "fetch('/api/runs/{run}/summaries').then(answer => answer.json()).then(all => \
             Object.keys(all).find(key => key.includes('-k20.') && key.endsWith('.play')))"
    ))
    .await
}

#[test]
fn a_direct_twin_is_started_and_compared_at_the_same_budget() {
    on_trial(async |trial| {
        let tab = trial.open("/new").await;
        let address = format!("/new?benchmark={DIALOGUE}&first=3");
        let asks = played(&trial, &tab, &address).await;
        tab.goto(&format!("/run/{asks}?tab=breakdown")).await;
        tab.wait_for_text("Solved by round t").await;
        tab.wait_for(".curve-band[d^=M]").await;
        tab.wait_for("#twin a[href*='mode=direct']").await;
        let twin: String = tab.read("document.querySelector('#twin a').getAttribute('href')").await;
        // Bots tell no tokens, and answer in far fewer letters than they ask: more answers cost as much.
        let (start, rest) = twin.split_once("repeats=").expect("so many answers");
        let rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let direct = played(&trial, &tab, &format!("{start}repeats=100{rest}")).await;

        tab.goto(&format!("/compare?runs={asks},{direct}")).await;
        tab.wait_for_text_in(".verdicts", "At the same budget").await;
        // Rounds as steps, answers as a line, and the budget at which they are compared.
        tab.wait_for("#besides svg .plot-gap").await;
        let steps = "/^M[\\d. ]+(H[\\d.]+V[\\d.]+)*$/.test(document.querySelector('#besides svg .curve').getAttribute('d'))";
        assert!(tab.is(steps).await, "rounds are steps");
        tab.wait_for_text_in("#besides figcaption", "At the same budget").await;
        // The runs are called by what tells them apart.
        tab.wait_for_text_in("section:has(> .section-head #differs-head) thead", "direct").await;
        pictures(&tab, "compare-budgets").await;
        tab.assert_clean();
    });
}
