//! Reading a run: words in its transcripts, orders of the wall, the other profile, and grading again.

use crate::*;

/// Types words into the field and sends them.
async fn search(tab: &Tab, words: &str) {
    tab.wait_for("#wall-find").await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector('#wall-find'); field.value = '{words}'; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); \
         field.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }})); }})()"
    ))
    .await;
}

#[test]
fn a_run_is_searched_sorted_read_again_and_graded_again() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let run = samples_played(&trial, &tab).await;
        let all = u64::from(trial.info(&run).await.episodes);

        // Words of one language are in some episodes; the wall shows these, and a place leads to its turn.
        search(&tab, "的").await;
        tab.wait_for(".finds mark").await;
        let chinese = tab.count(".finds > li").await;
        assert!(0 < chinese && chinese < all, "{chinese} of {all}");
        let plays = ".wall-scroll [role=option]";
        tab.wait_for_count(plays, chinese).await;
        let address: String = tab.read("location.search").await;
        assert!(address.contains("within="), "what is looked for stands in the address: {address}");
        pictures(&tab, "run-search").await;
        tab.eval("document.querySelector('.finds li li a[href*=\"turn=\"]').click()").await;
        tab.wait_for(".tl-turn.is-now").await;
        tab.eval("history.back()").await;
        tab.wait_for(".finds mark").await;
        search(&tab, "").await;
        tab.wait_for_count(plays, all).await;
        search(&tab, "nothing has this in it").await;
        tab.wait_for_count(plays, 0).await;
        search(&tab, "").await;
        tab.wait_for_count(plays, all).await;

        // By asks, in groups.
        tab.goto(&format!("/run/{run}?sort=-asks&group=asks")).await;
        tab.wait_for_count(plays, all).await;

        // Bots write what both profiles read alike.
        open_part(&tab, "checks").await;
        tab.click("#profile button").await;
        let alike = "document.querySelectorAll('#profile tbody tr').length >= 5";
        tab.wait("what came of reading again", alike).await;
        let first =
            format!("document.querySelector('#profile tbody tr td')?.innerText === '{all}'");
        tab.wait("that all are read alike", &first).await;
        pictures(&tab, "run-profile").await;

        // The same bot grades again, in a run of its own that has the same episodes, and agrees with itself.
        let again = graded_again(&tab, &run).await;
        let graded = trial.closed(&again).await;
        assert_eq!(graded.regrades.as_ref().map(|of| of.as_str()), Some(run.as_str()));
        let agreed = "[...document.querySelectorAll('#graders table')].some(table => table.textContent.includes('kappa') && \
                  table.textContent.includes('100'))";
        tab.goto(&format!("/run/{again}")).await;
        tab.wait_for_count(plays, all).await;
        open_part(&tab, "checks").await;
        tab.wait("the agreement", agreed).await;
        // They are another run's, and are checked with it.
        tab.click("#verify").await;
        tab.wait_for_text_in("#verified", "Everything that was checked agrees").await;
        tab.goto(&format!("/run/{run}")).await;
        open_part(&tab, "checks").await;
        tab.wait("the agreement on the first page", agreed).await;
        pictures(&tab, "run-graders").await;
        let others: Vec<RunInfo> = trial.json(&format!("/api/runs/{run}/regradings")).await;
        assert_eq!(others, [], "it is unlisted; the page shows it to its owner");
        assert_eq!(trial.info(&again).await.accuracy, trial.info(&run).await.accuracy);
    });
}
