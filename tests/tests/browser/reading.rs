//! Reading a run: words in its transcripts, orders of the wall, the other profile, and grading again.

use crate::*;

/// Types words into the field and sends them.
async fn search(tab: &Tab, words: &str) {
    tab.wait_for("#wall-find", SOON).await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector('#wall-find'); field.value = '{words}'; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); \
         field.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }})); }})()"
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_searched_sorted_read_again_and_graded_again() {
    let Some(stage) = stage("a_run_is_searched_sorted_read_again_and_graded_again").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;
    let info = samples_played(&trial, &tab).await;
    let (run, all) = (info.run.to_string(), u64::from(info.episodes));

    // Words of one language are in some episodes; the wall shows these, and a place leads to its turn.
    search(&tab, "的").await;
    tab.wait_for(".finds mark", SOON).await;
    let chinese = tab.count(".finds > li").await;
    assert!(0 < chinese && chinese < all, "{chinese} of {all}");
    let narrowed =
        format!("document.querySelectorAll('.wall-scroll [role=option]').length === {chinese}");
    tab.wait("the episodes that were found", &narrowed, SOON).await;
    let address = tab.eval("location.search").await;
    assert!(
        address.as_str().is_some_and(|query| query.contains("within=")),
        "what is looked for stands in the address: {address}"
    );
    pictures(&tab, "run-search").await;
    tab.eval("document.querySelector('.finds li li a[href*=\"turn=\"]').click()").await;
    tab.wait_for(".tl-turn.is-now", SOON).await;
    tab.eval("history.back()").await;
    tab.wait_for(".finds mark", SOON).await;
    search(&tab, "").await;
    let whole = format!("document.querySelectorAll('.wall-scroll [role=option]').length === {all}");
    tab.wait("all plays again", &whole, SOON).await;
    search(&tab, "nothing has this in it").await;
    tab.wait(
        "that nothing was found",
        "document.querySelectorAll('.wall-scroll [role=option]').length === 0",
        SOON,
    )
    .await;
    search(&tab, "").await;
    tab.wait("all plays again", &whole, SOON).await;

    // By asks, in groups.
    tab.goto(&trial.server.url(&format!("/run/{run}?sort=-asks&group=asks"))).await;
    tab.wait("all episodes, in groups", &whole, SOON).await;

    // Bots write what both profiles read alike.
    open_part(&tab, "checks").await;
    tab.wait_for("#profile button", SOON).await;
    tab.click("#profile button").await;
    let alike = "document.querySelectorAll('#profile tbody tr').length >= 5";
    tab.wait("what came of reading again", alike, SOON).await;
    let first = format!("document.querySelector('#profile tbody tr td')?.innerText === '{all}'");
    tab.wait("that all are read alike", &first, SOON).await;
    pictures(&tab, "run-profile").await;

    // The same bot grades again, in a run of its own that has the same episodes, and agrees with itself.
    let again = graded_again(&tab, &run).await;
    let graded = asking.wait(&again, "the gradings", |info| info.state == RunState::Closed).await;
    assert_eq!(graded.regrades.as_ref().map(|of| of.as_str()), Some(run.as_str()));
    let agreed = "[...document.querySelectorAll('#graders table')].some(table => table.textContent.includes('kappa') && \
                  table.textContent.includes('100'))";
    tab.goto(&trial.server.url(&format!("/run/{again}"))).await;
    tab.wait("its episodes", &whole, SOON).await;
    open_part(&tab, "checks").await;
    tab.wait("the agreement", agreed, SOON).await;
    // They are another run's, and are checked with it.
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", "Everything that was checked agrees", SOON).await;
    tab.goto(&trial.server.url(&format!("/run/{run}"))).await;
    open_part(&tab, "checks").await;
    tab.wait("the agreement on the first page", agreed, SOON).await;
    pictures(&tab, "run-graders").await;
    let others: Vec<RunInfo> = asking.json(&format!("/api/runs/{run}/regradings")).await;
    assert_eq!(others, [], "it is unlisted; the page shows it to its owner");
    assert_eq!(info_of(&asking, &again).await.accuracy, info_of(&asking, &run).await.accuracy);
}

async fn info_of(asking: &Asking<'_>, run: &str) -> RunInfo {
    asking.json(&format!("/api/runs/{run}")).await
}
