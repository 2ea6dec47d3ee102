//! From the first page to a board, from a row to its run: what is shown of a board stands in the address, and the keyboard and
//! a phone do as well as a mouse.

use reqwest::Method;
use turnwise_tests::stored;

use crate::*;

/// Whether the table of a board needs no scrolling.
const FITS: &str = "(box => box.scrollWidth <= box.clientWidth)(document.querySelector('#board-rows .table-wrap'))";

/// Plays some samples with a bot on the command line, puts the run on the server and publishes it; the run's id.
pub(super) async fn published(trial: &Trial, player: &str) -> String {
    let folder = trial.path(&player.replace(':', "-"));
    let (out, seat) = (folder.to_string_lossy().into_owned(), format!("player={player}"));
    trial.turnwise(&["run", "--benchmark", QUESTIONS, "--seat", &seat, "--out", &out]);
    let episodes = u32::try_from(example(QUESTIONS).samples().tasks.len()).expect("a few tasks");
    let opened = stored::store(trial, &folder, episodes).await;
    let path = format!("/api/runs/{}/publish", opened.run);
    let came = trial.ask(Method::POST, &path, Some(&opened.token), &json!({})).await;
    let admission: Value = came.json();
    assert_eq!(admission["entry"]["standing"], "baseline", "{admission}");
    opened.run.to_string()
}

#[test]
fn from_the_first_page_to_a_board_and_to_its_run() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;

        // Before anything is published: what papers printed, with notes, and how to get a row.
        tab.wait_for("#home-boards .board-card .best-printed").await;
        tab.wait_for_text("No run is published here yet").await;
        tab.click("#home-boards a[href='/boards']").await;
        let boards = example(QUESTIONS).boards().expect("it has boards");
        let printed = &(boards.published)()[0].name;
        let paper = &format!("a[href='/boards/{QUESTIONS}?board=paper-{printed}']");
        tab.wait_for(paper).await;
        pictures(&tab, "boards").await;
        tab.click(paper).await;
        tab.wait_for("#board-rows tbody tr").await;
        assert_eq!(tab.count("#board-rows tbody tr").await, 17);
        tab.wait_for_text("How to get a row here").await;
        // The paper is cited; a row says where it is printed and what was found about it.
        let address = boards.paper.expect("it is cited").address;
        tab.wait_for(&format!("#table-head .cited a[href='{address}']")).await;
        tab.click("#board-rows tbody tr:first-child .row-more button").await;
        tab.wait_for(&format!(".row-details a[href='{address}']")).await;
        tab.wait_for_text_in(".row-details", "Table 2, row").await;
        tab.wait_for(".row-details li").await;
        tab.click("#board-rows tbody tr:first-child .row-more button").await;
        tab.wait_gone(".row-details").await;
        // Ordered by another number and filtered; the address says so, and a reload shows the same.
        tab.click("#board-rows thead th:nth-child(4) button").await;
        tab.wait_for_query("sort=calibration_error").await;
        tab.wait_for("#board-rows th[aria-sort='ascending']").await;
        tab.enter("#board-find", "gpt-4o").await;
        let two = "document.querySelectorAll('#board-rows tbody tr').length === 2";
        tab.wait("the rows that match", two).await;
        tab.reload().await;
        tab.wait("the same after a reload", two).await;
        assert_eq!(tab.count("#board-rows th[aria-sort='ascending']").await, 1);
        pictures(&tab, "board-of-a-paper").await;
        tab.look(Look::WIDE).await;
        tab.wait("a board within its page", FITS).await;
        // The cost is drawn by orders of magnitude, until the other scale is chosen.
        tab.goto(&format!("/boards/{QUESTIONS}?board=paper-{printed}&plot=cost")).await;
        tab.wait_for("#plot-scale button[aria-pressed='true']").await;
        tab.wait_for_text_in("#plot-scale [aria-pressed='true']", "log").await;
        tab.click("#plot-scale button:nth-child(2)").await;
        tab.wait_for_query("linear=1").await;
        // Addresses from before there was one page a benchmark lead to the tab.
        tab.goto(&format!("/board/paper-{printed}?q=gpt-4o")).await;
        tab.wait("the rows that match", two).await;
        let place = format!("location.pathname === '/boards/{QUESTIONS}'");
        tab.wait("the benchmark's page", &place).await;
        tab.wait_for(".board-tabs a[aria-current='page']").await;
        // On a phone at least eight rows are on the first screen; a tap opens the details of one.
        tab.look(PHONE).await;
        tab.goto(&format!("/boards/{QUESTIONS}")).await;
        tab.wait_for("#board-rows tbody tr").await;
        tab.wait("eight rows on one screen", "[...document.querySelectorAll('#board-rows .rank-row')].filter(row => { const box = \
                row.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }).length >= 8").await;
        tab.wait("hidden filters", "!document.querySelector('#board-find').checkVisibility()")
            .await;
        tab.click(".board-filter").await;
        tab.wait("filters", "document.querySelector('#board-find').checkVisibility()").await;
        tab.click("#board-rows tbody tr:first-child .plot-cell").await;
        tab.wait_for(".row-details .row-numbers dd").await;
        tab.look(Look::WIDE).await;

        // Two runs stand on a board of their own; the first page leads to it.
        let asks = published(&trial, "bot:asks-by-rule").await;
        let guesses = published(&trial, "bot:answer-only").await;
        tab.goto("/").await;
        let card = "#home-boards a.board-card:not([href*='paper-'])";
        tab.wait_for(card).await;
        // The best run does not take the place of what the paper printed.
        tab.wait_for(&format!("{card} .best-run b")).await;
        tab.wait_for(&format!("{card} .best-printed b")).await;
        tab.click(card).await;
        tab.wait_for(&format!("#board-rows a[href='/run/{asks}']")).await;
        tab.wait_for(&format!("#board-rows a[href='/run/{guesses}']")).await;
        tab.wait_for_text("baseline").await;
        tab.wait_for("#plots svg .plot-mark").await;
        // The paper's rows are apart, cited, and among the runs only when they are asked for.
        assert_eq!(tab.count("#board-rows .rank-row").await, 2);
        assert_eq!(tab.count("#plots .mark-published").await, 0);
        assert_eq!(tab.count("#paper .rank-row.is-paper").await, 17);
        tab.wait_for(&format!("#paper .cited a[href='{address}']")).await;
        tab.click("#board-paper").await;
        tab.wait_for_count("#board-rows .rank-row", 19).await;
        tab.wait_for_query("paper=1").await;
        tab.wait_for("#plots svg .mark-published").await;
        tab.click("#board-paper").await;
        tab.wait_for_count("#board-rows .rank-row", 2).await;
        pictures(&tab, "board").await;
        // All that a board shows at first fits on a screen; each number keeps its interval, the details its day and evidence.
        tab.look(Look::WIDE).await;
        tab.wait("a board within its page", FITS).await;
        assert!(tab.count("#board-rows .cell-main .second").await > 1);
        tab.click("#board-rows tbody tr:first-child .row-more button").await;
        tab.wait_for(".row-details time").await;
        tab.wait_for_text_in(".row-reasons", "Baseline, because").await;
        tab.click("#board-rows tbody tr:first-child .row-more button").await;

        // By keys: to the first row, and into its run; from there to a transcript.
        tab.press("j").await;
        tab.wait_for_focus("#board-rows tbody th a").await;
        tab.press("Enter").await;
        let run = run_of(&tab).await;
        assert!(run == asks || run == guesses, "{run}");
        tab.click("a.ep").await;
        tab.wait_for(".tl-turn").await;
        tab.assert_clean();
    });
}
