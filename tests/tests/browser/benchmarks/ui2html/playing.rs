//! Two people rebuild one page over a link: one writes it, the other judges.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::ui2html::Ui2Html;

use super::{is_without, renders};
use crate::*;

const PAGE: &str =
    "<!doctype html><html><body style=\"background:#fde\"><h1>Sign in</h1></body></html>";

/// The digest of the picture at a place of a page.
async fn shown(tab: &Tab, selector: &str) -> Digest {
    tab.wait_for(selector).await;
    let source = tab.eval(&format!("document.querySelector({}).src", json!(selector))).await;
    let source = source.as_str().and_then(|source| source.split_once(',')).expect("a picture");
    Digest::of(STANDARD.decode(source.1).expect("bytes"))
}

/// The ticket of the seat that a tab has.
async fn ticket(tab: &Tab, run: &str) -> String {
    tab.read(&format!("JSON.parse(sessionStorage['turnwise.seat.{run}']).ticket")).await
}

#[test]
fn two_people_rebuild_a_page_over_a_link() {
    on_trial(async |trial| {
        if !renders(&trial).await {
            return;
        }
        let samples = Ui2Html.samples();
        let task = &samples.tasks[0];
        let target = task.fields["picture"].parse::<PictureRef>().expect("a picture").digest;
        let tab = trial.open("/play?game=ui2html").await;
        let received = tab.receiving().await;
        tab.set("#task", &format!("sample {}", task.id)).await;
        tab.set("#rounds", "1").await;
        tab.set("#beside-judge", "person").await;
        let run = seated(&tab).await;
        tab.wait_for("#invitation-judge").await;
        let link = tab.value("#invitation-judge").await;
        let friends = trial.other_browser().await;
        let friend = friends.open(&link).await;
        friend.enter("#lobby-name", "Ada").await;

        // What a model would lose its round for costs a person nothing. Nearly as long a page as one may be.
        let page = format!("{PAGE}<!--{}-->", "x".repeat(47_000));
        tab.set("#page-html", &page).await;
        tab.set("#page-question", &"x".repeat(1_001)).await;
        tab.click(".pdesk [type=submit]").await;
        tab.wait_for_text("Not sent: the question has more than 1000 characters.").await;
        tab.set("#page-question", "Should the heading be larger?").await;
        pictures(&tab, "page-first").await;
        tab.click(".pdesk [type=submit]").await;

        // The judge sees both pages, the player its own.
        friend.wait_for_text("Should the heading be larger?").await;
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
            let came = trial.ask(reqwest::Method::GET, &path(digest), token, &Value::Null).await;
            assert_eq!(came.status == 200, is_told, "{digest} for {token:?}: {}", came.status);
        }
        friend.wait_for(".person-words .btn:not(:disabled)").await;
        sleep(Duration::from_millis(400)).await;
        friend.press("y").await;

        // The last page begins with the one before.
        tab.wait_for_text_in(".chat", "yes").await;
        tab.wait_gone("#page-question").await;
        let kept = tab.value("#page-html").await;
        assert_eq!(kept, page);
        pictures(&tab, "page-last").await;
        is_without(&tab, &received.so_far(), &[samples.pictures[&target].to_vec()]).await;
        tab.click(".pdesk [type=submit]").await;
        for side in [&tab, &friend] {
            side.wait_for_text("of 100 points").await;
            assert_eq!(shown(side, ".pair-side:first-child img").await, target);
        }
        pictures(&tab, "page-over").await;
        friend.assert_clean();
        tab.assert_clean();
    });
}
