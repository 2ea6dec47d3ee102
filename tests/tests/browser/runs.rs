//! The page of all runs: named, tagged, found, deleted, and distinguished.

use turnwise_shared::benchmark::default_spec;

use crate::*;

/// Puts a text into a field as a user types it.
async fn fill(tab: &Tab, field: &str, text: &str) {
    tab.wait_for(field, SOON).await;
    tab.eval(&format!(
        "(() => {{ const field = document.querySelector('{field}'); field.focus(); field.select(); }})()"
    ))
    .await;
    tab.write(text).await;
}

/// The names in the list, in its order.
async fn names(tab: &Tab) -> Vec<String> {
    let names = tab
        .eval("[...document.querySelectorAll('#runs .run-name > a:first-child')].map(it => it.innerText)")
        .await;
    let names = names.as_array().cloned().unwrap_or_default();
    names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

async fn listed(tab: &Tab, count: usize) {
    let there = format!("document.querySelectorAll('#runs .run-row').length === {count}");
    tab.wait(&format!("{count} runs"), &there, SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_named_found_and_deleted() {
    let Some(stage) = stage("runs_are_named_found_and_deleted").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/runs"), Look::WIDE).await;
    tab.wait_for("#runs-empty a[href='/new']", SOON).await;
    tab.goto(&trial.server.url("/")).await;
    tab.wait_for(".hero-do .btn-primary", SOON).await;
    let info = samples_played(&trial, &tab).await;

    // Called by player and condition until a user names it; the tab says how it went.
    let head = tab.text("h1").await;
    assert_eq!(head, info.title);
    let player = info.spec.seats.values().next().expect("a player");
    assert!(!head.is_empty() && !head.contains(&info.spec.tasks.name), "{head} {player:?}");
    let title = tab.eval("document.title").await;
    let title = title.as_str().expect("a title").to_owned();
    assert!(title.contains(&head) && title.contains(" % · "), "{title}");

    // Named and tagged in place; a name is text and nothing else.
    tab.click("#edit-name").await;
    tab.wait_for("#run-name:focus", SOON).await;
    fill(&tab, "#run-name", "<b>Mine</b> & yours").await;
    fill(&tab, "#run-tags", "first, try & error").await;
    pictures(&tab, "run-naming").await;
    tab.press("Enter").await;
    tab.wait_for_text_in("h1", "<b>Mine</b> & yours", SOON).await;
    tab.reload().await;
    tab.wait_for_text_in("h1", "<b>Mine</b> & yours", SOON).await;
    tab.wait_for(".run-title a.tag", SOON).await;
    assert_eq!(tab.count(".run-title a.tag").await, 2);
    let named: RunInfo = asking.json(&format!("/api/runs/{}", info.run)).await;
    assert_eq!(named.spec, info.spec);
    assert_eq!(named.tags, ["first", "try & error"]);
    // What is too long is refused in words, and the name stays.
    tab.click("#edit-name").await;
    tab.wait_for("#run-name:focus", SOON).await;
    fill(&tab, "#run-tags", &"x".repeat(61)).await;
    tab.press("Enter").await;
    tab.wait_for_text_in(".run-naming [role=alert]", "at most 60", SOON).await;
    tab.press("Escape").await;
    tab.wait_for(".run-title h1", SOON).await;

    // Found in the list, after a reload too: by words, benchmark, tag, and as one's own.
    let other = asking.open(&default_spec(example(MATCH)), 1).await;
    tab.click("nav a[href='/runs']").await;
    listed(&tab, 2).await;
    assert!(names(&tab).await.contains(&"<b>Mine</b> & yours".to_owned()));
    pictures(&tab, "runs").await;
    fill(&tab, "#runs-search", "mine error").await;
    listed(&tab, 1).await;
    tab.wait("the search in the address", "location.search.includes('q=mine')", SOON).await;
    tab.reload().await;
    listed(&tab, 1).await;
    assert_eq!(tab.eval("document.querySelector('#runs-search').value").await, "mine error");
    tab.goto(&trial.server.url(&format!("/runs?benchmark={MATCH}"))).await;
    listed(&tab, 1).await;
    assert_eq!(tab.eval("document.querySelector('#runs-benchmark').value").await, MATCH);
    assert_eq!(tab.count(&format!("#runs [data-run='{}']", other.run)).await, 1);
    tab.goto(&trial.server.url(&format!("/runs?benchmark={QUESTIONS}&state=closed"))).await;
    listed(&tab, 1).await;
    tab.goto(&trial.server.url("/runs?mine=1")).await;
    listed(&tab, 1).await;
    tab.click("#runs .run-name a.tag").await;
    tab.wait("the tag in the address", "location.search.includes('tag=')", SOON).await;
    listed(&tab, 1).await;
    tab.goto(&trial.server.url("/runs?q=nothing-like-it")).await;
    tab.wait_for("#runs-no-match button", SOON).await;
    tab.click("#runs-no-match button").await;
    listed(&tab, 2).await;
    tab.assert_axe_is_content("runs").await;

    // The first page has the last ones.
    tab.goto(&trial.server.url("/")).await;
    tab.wait_for("#home-runs .run-row", SOON).await;

    // Deleting asks first; only those of this browser can be deleted here.
    tab.goto(&trial.server.url("/runs")).await;
    listed(&tab, 2).await;
    assert_eq!(tab.count(".run-delete").await, 1);
    tab.click(".run-delete").await;
    tab.wait_for("dialog[open] #delete-run", SOON).await;
    tab.screenshot("run-delete").await;
    tab.press("Escape").await;
    tab.wait("that it is closed", "document.querySelector('dialog[open]') === null", SOON).await;
    listed(&tab, 2).await;
    tab.click(".run-delete").await;
    tab.wait_for("dialog[open] #delete-run", SOON).await;
    tab.click("#delete-run").await;
    listed(&tab, 1).await;
    let gone = asking.get(&format!("/api/runs/{}", info.run)).await;
    assert_eq!(gone.status, 410);
    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_server_shows_a_demo_that_can_be_deleted() {
    let Some(stage) = stage("a_new_server_shows_a_demo_that_can_be_deleted").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_DEMO", "on")]);
    let asking = Asking::new(&trial.server);
    let demo = turnwise_shared::key::demo();
    let info = asking.wait(demo.as_str(), "the demo", |info| info.state == RunState::Closed).await;
    assert!(info.finished > 0 && info.finished == info.episodes);
    assert_eq!(info.tags, ["demo"]);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;
    let row = format!("#home-runs [data-run='{demo}']");
    tab.wait_for(&row, SOON).await;
    // It belongs to no browser.
    tab.goto(&trial.server.url("/runs?mine=1")).await;
    tab.wait_for("#runs-no-match", SOON).await;
    tab.goto(&trial.server.url("/runs")).await;
    listed(&tab, 1).await;
    tab.click(".run-delete").await;
    tab.wait_for("dialog[open] #delete-run", SOON).await;
    tab.click("#delete-run").await;
    tab.wait_for("#runs-empty", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
