//! Two people rebuild one page over a link: one writes it, the other judges.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::ui2html::Ui2Html;

use super::{is_without, renders};
use crate::play::table_of;
use crate::solving::set;
use crate::*;

const PAGE: &str =
    "<!doctype html><html><body style=\"background:#fde\"><h1>Sign in</h1></body></html>";

/// The digest of the picture at a place of a page.
async fn shown(tab: &Tab, selector: &str) -> Digest {
    tab.wait_for(selector, SOON).await;
    let source = tab.eval(&format!("document.querySelector({}).src", json!(selector))).await;
    let source = source.as_str().and_then(|source| source.split_once(',')).expect("a picture");
    Digest::of(STANDARD.decode(source.1).expect("bytes"))
}

/// The ticket of the seat that a tab has.
async fn ticket(tab: &Tab, run: &str) -> String {
    let kept = tab.eval(&format!("JSON.parse(sessionStorage['turnwise.seat.{run}']).ticket")).await;
    kept.as_str().expect("a ticket").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_rebuild_a_page_over_a_link() {
    let test = "two_people_rebuild_a_page_over_a_link";
    let Some(stage) = stage(test).await else { return };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    if !renders(test, &asking).await {
        return;
    }
    let samples = Ui2Html.samples();
    let task = &samples.tasks[0];
    let target = task.fields["picture"].parse::<PictureRef>().expect("a picture").digest;
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser.open(&trial.server.url("/play?game=ui2html"), Look::WIDE).await;
    let received = tab.receiving().await;
    set(&tab, "#task", &format!("sample {}", task.id)).await;
    set(&tab, "#rounds", "1").await;
    set(&tab, "#beside-judge", "person").await;
    tab.click(".form-end .btn-primary").await;
    let run = table_of(&tab).await;
    tab.wait_for("#invitation-judge", SOON).await;
    let link = tab.eval("document.querySelector('#invitation-judge').value").await;
    let friends = Chromium::start(&stage.browser).await;
    let friend = friends.open(link.as_str().expect("a link"), Look::WIDE).await;
    friend.wait_for("#lobby-name", SOON).await;
    friend.focus("#lobby-name").await;
    friend.write("Ada").await;
    friend.press("Enter").await;

    // What a model would lose its round for costs a person nothing. Nearly as long a page as one may be.
    let page = format!("{PAGE}<!--{}-->", "x".repeat(47_000));
    set(&tab, "#page-html", &page).await;
    set(&tab, "#page-question", &"x".repeat(1_001)).await;
    tab.click(".pdesk [type=submit]").await;
    tab.wait_for_text("Not sent: the question has more than 1000 characters.", SOON).await;
    set(&tab, "#page-question", "Should the heading be larger?").await;
    pictures(&tab, "page-first").await;
    tab.click(".pdesk [type=submit]").await;

    // The judge sees both pages, the player its own.
    friend.wait_for_text("Should the heading be larger?", SOON).await;
    assert_eq!(shown(&friend, ".pair-side:first-child img").await, target);
    let attempt = shown(&friend, ".pair-side:last-child img").await;
    pictures(&friend, "page-judged").await;
    assert_eq!(shown(&tab, ".pother .picture img").await, attempt);
    let path = |digest: &Digest| format!("/api/runs/{run}/pictures/{digest}");
    let (own, others) = (ticket(&tab, &run).await, ticket(&friend, &run).await);
    for (token, digest, is_told) in [
        (Some(&own), &attempt, true),
        (Some(&own), &target, false),
        (Some(&others), &target, true),
        (Some(&others), &attempt, true),
        (None, &attempt, false),
    ] {
        let token = token.map(String::as_str);
        let came = asking.ask(reqwest::Method::GET, &path(digest), token, &Value::Null).await;
        assert_eq!(came.status == 200, is_told, "{digest} for {token:?}: {}", came.status);
    }
    friend.wait_for(".person-words .btn:not(:disabled)", SOON).await;
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    friend.press("y").await;

    // The last page begins with the one before.
    tab.wait_for_text_in(".chat", "yes", SOON).await;
    tab.wait("no question is due", "!document.querySelector('#page-question')", SOON).await;
    let kept = tab.eval("document.querySelector('#page-html').value").await;
    assert_eq!(kept, json!(page));
    pictures(&tab, "page-last").await;
    is_without(&tab, &received.so_far(), &[samples.pictures[&target].to_vec()]).await;
    tab.click(".pdesk [type=submit]").await;
    for side in [&tab, &friend] {
        side.wait_for_text("of 100 points", SOON).await;
        assert_eq!(shown(side, ".pair-side:first-child img").await, target);
    }
    pictures(&tab, "page-over").await;
    friend.assert_clean(trial.server.address());
    tab.assert_clean(trial.server.address());
}
