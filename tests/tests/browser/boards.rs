//! From the first page to a board, from a row to its run: what is shown of a board stands in the address, and the keyboard and
//! a phone do as well as a mouse.

use reqwest::Method;
use turnwise_tests::stored;

use crate::*;

const PHONE: Look = Look { width: 390, height: 844, ..Look::WIDE };

/// Whether the table of a board needs no scrolling.
const FITS: &str = "(box => box.scrollWidth <= box.clientWidth)(document.querySelector('#board-rows .table-wrap'))";

/// Plays some samples with a bot on the command line, puts the run on the server and publishes it; the run's id.
pub(super) async fn published(program: &std::path::Path, trial: &Trial, player: &str) -> String {
    let folder = trial.folder.path().join(player.replace(':', "-"));
    let (out, seat) = (folder.to_string_lossy().into_owned(), format!("player={player}"));
    turnwise(program, &["run", "--benchmark", QUESTIONS, "--seat", &seat, "--out", &out]);
    let episodes = u32::try_from(example(QUESTIONS).samples().tasks.len()).expect("a few tasks");
    let asking = Asking::new(&trial.server);
    let opened = stored::store(&asking, &folder, episodes).await;
    let path = format!("/api/runs/{}/publish", opened.run);
    let came = asking.ask(Method::POST, &path, Some(&opened.token), &json!({})).await;
    let admission: Value = came.json();
    assert_eq!(admission["entry"]["standing"], "baseline", "{admission}");
    opened.run.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_first_page_to_a_board_and_to_its_run() {
    let Some(stage) = stage("from_the_first_page_to_a_board_and_to_its_run").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;

    // Before anything is published: what papers printed, with notes, and how to get a row.
    tab.wait_for("#home-boards .board-card .best-printed", SOON).await;
    tab.wait_for_text("No run is published here yet", SOON).await;
    tab.click("#home-boards a[href='/boards']").await;
    let boards = example(QUESTIONS).boards().expect("it has boards");
    let printed = &(boards.published)()[0].name;
    let paper = &format!("a[href='/boards/{QUESTIONS}?board=paper-{printed}']");
    tab.wait_for(paper, SOON).await;
    pictures(&tab, "boards").await;
    tab.click(paper).await;
    tab.wait_for("#board-rows tbody tr", SOON).await;
    assert_eq!(tab.count("#board-rows tbody tr").await, 17);
    tab.wait_for_text("How to get a row here", SOON).await;
    // The paper is cited; a row says where it is printed and what was found about it.
    let address = boards.paper.expect("it is cited").address;
    tab.wait_for(&format!("#table-head .cited a[href='{address}']"), SOON).await;
    tab.click("#board-rows tbody tr:first-child .row-more button").await;
    tab.wait_for(&format!(".row-details a[href='{address}']"), SOON).await;
    tab.wait_for_text_in(".row-details", "Table 2, row", SOON).await;
    tab.wait_for(".row-details li", SOON).await;
    tab.click("#board-rows tbody tr:first-child .row-more button").await;
    tab.wait("closed details", "!document.querySelector('.row-details')", SOON).await;
    // Ordered by another number and filtered; the address says so, and a reload shows the same.
    tab.click("#board-rows thead th:nth-child(4) button").await;
    tab.wait("the order", "location.search.includes('sort=calibration_error')", SOON).await;
    tab.wait_for("#board-rows th[aria-sort='ascending']", SOON).await;
    tab.focus("#board-find").await;
    tab.write("gpt-4o").await;
    tab.press("Enter").await;
    let two = "document.querySelectorAll('#board-rows tbody tr').length === 2";
    tab.wait("the rows that match", two, SOON).await;
    tab.reload().await;
    tab.wait("the same after a reload", two, SOON).await;
    assert_eq!(tab.count("#board-rows th[aria-sort='ascending']").await, 1);
    pictures(&tab, "board-of-a-paper").await;
    tab.look(Look::WIDE).await;
    tab.wait("a board within its page", FITS, SOON).await;
    // The cost is drawn by orders of magnitude, until the other scale is chosen.
    tab.goto(&trial.server.url(&format!("/boards/{QUESTIONS}?board=paper-{printed}&plot=cost")))
        .await;
    tab.wait_for("#plot-scale button[aria-pressed='true']", SOON).await;
    tab.wait_for_text_in("#plot-scale [aria-pressed='true']", "log", SOON).await;
    tab.click("#plot-scale button:nth-child(2)").await;
    tab.wait("the scale in the address", "location.search.includes('linear=1')", SOON).await;
    // Addresses from before there was one page a benchmark lead to the tab.
    tab.goto(&trial.server.url(&format!("/board/paper-{printed}?q=gpt-4o"))).await;
    tab.wait("the rows that match", two, SOON).await;
    let place = format!("location.pathname === '/boards/{QUESTIONS}'");
    tab.wait("the benchmark's page", &place, SOON).await;
    tab.wait_for(".board-tabs a[aria-current='page']", SOON).await;
    // On a phone at least eight rows are on the first screen; a tap opens the details of one.
    tab.look(PHONE).await;
    tab.goto(&trial.server.url(&format!("/boards/{QUESTIONS}"))).await;
    tab.wait_for("#board-rows tbody tr", SOON).await;
    let seen = "[...document.querySelectorAll('#board-rows .rank-row')].filter(row => { const box = \
                row.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }).length >= 8";
    tab.wait("eight rows on one screen", seen, SOON).await;
    tab.wait("hidden filters", "!document.querySelector('#board-find').checkVisibility()", SOON)
        .await;
    tab.click(".board-filter").await;
    tab.wait("filters", "document.querySelector('#board-find').checkVisibility()", SOON).await;
    tab.click("#board-rows tbody tr:first-child .plot-cell").await;
    tab.wait_for(".row-details .row-numbers dd", SOON).await;
    tab.look(Look::WIDE).await;

    // Two runs stand on a board of their own; the first page leads to it.
    let asks = published(&stage.program, &trial, "bot:asks-by-rule").await;
    let guesses = published(&stage.program, &trial, "bot:answer-only").await;
    tab.goto(&trial.server.url("/")).await;
    let card = "#home-boards a.board-card:not([href*='paper-'])";
    tab.wait_for(card, SOON).await;
    // The best run does not take the place of what the paper printed.
    tab.wait_for(&format!("{card} .best-run b"), SOON).await;
    tab.wait_for(&format!("{card} .best-printed b"), SOON).await;
    tab.click(card).await;
    tab.wait_for(&format!("#board-rows a[href='/run/{asks}']"), SOON).await;
    tab.wait_for(&format!("#board-rows a[href='/run/{guesses}']"), SOON).await;
    tab.wait_for_text("baseline", SOON).await;
    tab.wait_for("#plots svg .plot-mark", SOON).await;
    // The paper's rows are apart, cited, and among the runs only when they are asked for.
    assert_eq!(tab.count("#board-rows .rank-row").await, 2);
    assert_eq!(tab.count("#plots .mark-published").await, 0);
    assert_eq!(tab.count("#paper .rank-row.is-paper").await, 17);
    tab.wait_for(&format!("#paper .cited a[href='{address}']"), SOON).await;
    tab.click("#board-paper").await;
    let mixed = "document.querySelectorAll('#board-rows .rank-row').length === 19";
    tab.wait("the paper's rows among the runs", mixed, SOON).await;
    tab.wait("the address", "location.search.includes('paper=1')", SOON).await;
    tab.wait_for("#plots svg .mark-published", SOON).await;
    tab.click("#board-paper").await;
    tab.wait(
        "the runs alone",
        "document.querySelectorAll('#board-rows .rank-row').length === 2",
        SOON,
    )
    .await;
    pictures(&tab, "board").await;
    // All that a board shows at first fits on a screen; each number keeps its interval, the details its day and evidence.
    tab.look(Look::WIDE).await;
    tab.wait("a board within its page", FITS, SOON).await;
    assert!(tab.count("#board-rows .cell-main .second").await > 1);
    tab.click("#board-rows tbody tr:first-child .row-more button").await;
    tab.wait_for(".row-details time", SOON).await;
    tab.wait_for_text_in(".row-reasons", "Baseline, because", SOON).await;
    tab.click("#board-rows tbody tr:first-child .row-more button").await;

    // By keys: to the first row, and into its run; from there to a transcript.
    tab.press("j").await;
    let is_row = "document.activeElement?.matches('#board-rows tbody th a')";
    tab.wait("a row in focus", is_row, SOON).await;
    tab.press("Enter").await;
    let run = run_of(&tab).await;
    assert!(run == asks || run == guesses, "{run}");
    tab.wait_for("a.ep", SOON).await;
    tab.click("a.ep").await;
    tab.wait_for(".tl-turn", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
