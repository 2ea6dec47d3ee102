//! The page of all runs: named, tagged, found, deleted, and distinguished.

use turnwise_shared::benchmark::default_spec;

use crate::*;

/// Types a text in place of what stands in a field.
async fn type_over(tab: &Tab, field: &str, text: &str) {
    tab.focus(field).await;
    tab.eval("document.activeElement.select()").await;
    tab.write(text).await;
}

/// The names in the list, in its order.
async fn names(tab: &Tab) -> Vec<String> {
    tab.read(
        "[...document.querySelectorAll('#runs .run-name > a:first-child')].map(it => it.innerText)",
    )
    .await
}

async fn listed(tab: &Tab, count: usize) {
    tab.wait_for_count("#runs .run-row", count).await;
}

#[test]
fn runs_are_named_found_and_deleted() {
    on_trial(async |trial| {
        let tab = trial.open("/runs").await;
        tab.wait_for("#runs-empty a[href='/new']").await;
        tab.goto("/").await;
        tab.wait_for("#run-samples").await;
        let run = samples_played(&trial, &tab).await;
        let info = trial.info(&run).await;

        // Called by player and condition until a user names it; the tab says how it went.
        let head = tab.text("h1").await;
        assert_eq!(head, info.title);
        let player = info.spec.seats.values().next().expect("a player");
        assert!(!head.is_empty() && !head.contains(&info.spec.tasks.name), "{head} {player:?}");
        let title: String = tab.read("document.title").await;
        assert!(title.contains(&head) && title.contains(" % · "), "{title}");

        // Named and tagged in place; a name is text and nothing else.
        tab.click("#edit-name").await;
        tab.wait_for("#run-name:focus").await;
        type_over(&tab, "#run-name", "<b>Mine</b> & yours").await;
        type_over(&tab, "#run-tags", "first, try & error").await;
        pictures(&tab, "run-naming").await;
        tab.press("Enter").await;
        tab.wait_for_text_in("h1", "<b>Mine</b> & yours").await;
        tab.reload().await;
        tab.wait_for_text_in("h1", "<b>Mine</b> & yours").await;
        tab.wait_for(".run-title a.tag").await;
        assert_eq!(tab.count(".run-title a.tag").await, 2);
        let named = trial.info(&run).await;
        assert_eq!(named.spec, info.spec);
        assert_eq!(named.tags, ["first", "try & error"]);
        // What is too long is refused in words, and the name stays.
        tab.click("#edit-name").await;
        tab.wait_for("#run-name:focus").await;
        type_over(&tab, "#run-tags", &"x".repeat(61)).await;
        tab.press("Enter").await;
        tab.wait_for_text_in(".run-naming [role=alert]", "at most 60").await;
        tab.press("Escape").await;
        tab.wait_for(".run-title h1").await;

        // Found in the list, after a reload too: by words, benchmark, tag, and as one's own.
        let other = trial.asking.open(&default_spec(example(MATCH)), 1).await;
        tab.click("nav a[href='/runs']").await;
        listed(&tab, 2).await;
        assert!(names(&tab).await.contains(&"<b>Mine</b> & yours".to_owned()));
        pictures(&tab, "runs").await;
        type_over(&tab, "#runs-search", "mine error").await;
        listed(&tab, 1).await;
        tab.wait_for_query("q=mine").await;
        tab.reload().await;
        listed(&tab, 1).await;
        assert_eq!(tab.value("#runs-search").await, "mine error");
        tab.goto(&format!("/runs?benchmark={MATCH}")).await;
        listed(&tab, 1).await;
        assert_eq!(tab.value("#runs-benchmark").await, MATCH);
        assert_eq!(tab.count(&format!("#runs [data-run='{}']", other.run)).await, 1);
        tab.goto(&format!("/runs?benchmark={QUESTIONS}&state=closed")).await;
        listed(&tab, 1).await;
        tab.goto("/runs?mine=1").await;
        listed(&tab, 1).await;
        tab.click("#runs .run-name a.tag").await;
        tab.wait_for_query("tag=").await;
        listed(&tab, 1).await;
        tab.goto("/runs?q=nothing-like-it").await;
        tab.click("#runs-no-match button").await;
        listed(&tab, 2).await;
        tab.assert_axe_is_content("runs").await;

        // The first page has the last ones.
        tab.goto("/").await;
        tab.wait_for("#home-runs .run-row").await;

        // Deleting asks first; only those of this browser can be deleted here.
        tab.goto("/runs").await;
        listed(&tab, 2).await;
        assert_eq!(tab.count(".run-delete").await, 1);
        tab.click(".run-delete").await;
        tab.wait_for("dialog[open] #delete-run").await;
        tab.screenshot("run-delete").await;
        tab.press("Escape").await;
        tab.wait_gone("dialog[open]").await;
        listed(&tab, 2).await;
        tab.click(".run-delete").await;
        tab.click("dialog[open] #delete-run").await;
        listed(&tab, 1).await;
        let gone = trial.get(&format!("/api/runs/{run}")).await;
        assert_eq!(gone.status, 410);
        tab.assert_clean();
    });
}

#[test]
fn a_new_server_shows_a_demo_that_can_be_deleted() {
    on_stage(async |stage| {
        let trial = stage.with("TURNWISE_DEMO", "on").start();

        let demo = turnwise_shared::key::demo();
        let info = trial.closed(demo.as_str()).await;
        assert!(info.finished > 0 && info.finished == info.episodes);
        assert_eq!(info.tags, ["demo"]);

        let tab = trial.open("/").await;
        tab.wait_for(&format!("#home-runs [data-run='{demo}']")).await;
        // It belongs to no browser.
        tab.goto("/runs?mine=1").await;
        tab.wait_for("#runs-no-match").await;
        tab.goto("/runs").await;
        listed(&tab, 1).await;
        tab.click(".run-delete").await;
        tab.click("dialog[open] #delete-run").await;
        tab.wait_for("#runs-empty").await;
        tab.assert_clean();
    });
}
