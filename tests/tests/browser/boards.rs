//! From the first page to a board, from a row to its run: what is shown of a board stands in the address, and the keyboard and
//! a phone do as well as a mouse.

use reqwest::Method;
use serde_json::{Value, json};
use turnwise_shared::examples::{QUESTIONS, example};
use turnwise_tests::asking::Asking;
use turnwise_tests::chromium::{Chromium, Look};
use turnwise_tests::stored;

use super::{SOON, Trial, pictures, run_of, stage, turnwise};

/// Whether the table of a board needs no scrolling.
const FITS: &str = "(box => box.scrollWidth <= box.clientWidth)(document.querySelector('#board-rows .table-wrap'))";

/// Plays some samples with a bot on the command line, puts the run on the server and publishes it; the run's id.
pub(super) async fn published(program: &std::path::Path, trial: &Trial, player: &str) -> String {
    let folder = trial.folder.path().join(player.replace(':', "-"));
    let (out, seat) = (
        folder.to_string_lossy().into_owned(),
        format!("player={player}"),
    );
    turnwise(
        program,
        &[
            "run",
            "--benchmark",
            QUESTIONS,
            "--seat",
            &seat,
            "--out",
            &out,
        ],
    );
    let episodes = u32::try_from(example(QUESTIONS).samples().tasks.len()).expect("a few tasks");
    let asking = Asking::new(&trial.server);
    let opened = stored::store(&asking, &folder, episodes).await;
    let path = format!("/api/runs/{}/publish", opened.run);
    let came = asking
        .ask(Method::POST, &path, Some(&opened.token), &json!({}))
        .await;
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
    tab.wait_for("#home-boards .board-card", SOON).await;
    tab.wait_for_text("No run is published here yet", SOON)
        .await;
    tab.click("#home-boards a[href='/boards']").await;
    let boards = example(QUESTIONS).boards().expect("it has boards");
    let printed = &(boards.published)()[0].name;
    let paper = &format!("a[href='/board/paper-{printed}']");
    tab.wait_for(paper, SOON).await;
    pictures(&tab, "boards").await;
    tab.click(paper).await;
    tab.wait_for("#board-rows tbody tr", SOON).await;
    assert_eq!(tab.count("#board-rows tbody tr").await, 17);
    tab.wait_for_text("How to get a row here", SOON).await;
    assert!(tab.count("#notes ol li").await > 2);
    // Ordered by another number and filtered; the address says so, and a reload shows the same.
    tab.click("#board-rows thead th:nth-child(5) button").await;
    tab.wait(
        "the order",
        "location.search.includes('sort=calibration_error')",
        SOON,
    )
    .await;
    tab.wait_for("#board-rows th[aria-sort='ascending']", SOON)
        .await;
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

    // Two runs stand on a board of their own; the first page leads to it.
    let asks = published(&stage.program, &trial, "bot:asks-by-rule").await;
    let guesses = published(&stage.program, &trial, "bot:answer-only").await;
    tab.goto(&trial.server.url("/")).await;
    let card = "#home-boards a.board-card:not([href*='paper-'])";
    tab.wait_for(card, SOON).await;
    tab.click(card).await;
    tab.wait_for(&format!("#board-rows a[href='/run/{asks}']"), SOON)
        .await;
    tab.wait_for(&format!("#board-rows a[href='/run/{guesses}']"), SOON)
        .await;
    tab.wait_for_text("baseline", SOON).await;
    tab.wait_for("#plots svg .plot-mark", SOON).await;
    pictures(&tab, "board").await;
    // All that a board shows at first fits on a screen; each number keeps its interval, each row its day.
    tab.look(Look::WIDE).await;
    tab.wait("a board within its page", FITS, SOON).await;
    assert!(tab.count("#board-rows .cell-main .second").await > 1);
    tab.wait_for("#board-rows tbody time", SOON).await;

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
