//! A stranger with a phone: opens a link to an episode at a turn, takes over there, plays to the end, and shares the branch; and an
//! episode that lies in a link.

use reqwest::StatusCode;
use turnwise_shared::share::LONG_LINK;

use super::people::act;
use crate::*;

#[test]
fn a_stranger_opens_a_link_takes_over_at_a_turn_and_shares_the_branch() {
    on_trial(async |trial| {
        let owner = trial.other_browser().await;
        let tab = owner.open("/").await;
        let parent = samples_played(&trial, &tab).await;
        let episode = trial.first_play(&parent).await;
        drop(tab);
        drop(owner);

        // Another browser, which knows nothing but the link.
        let stranger = trial.other_browser().await;
        let link = format!("/run/{parent}/{episode}?turn=2");
        let tab = stranger.open_in(PHONE, &link).await;
        tab.wait_for(".tl-turn.is-now").await;
        tab.wait_for_text("Take over from turn 2").await;
        stands_where_it_should(&tab, 2).await;
        pictures(&tab, "episode-shared").await;
        tab.look(PHONE).await;
        tab.click("#take-over").await;
        tab.wait_for("#take-begin").await;
        pictures(&tab, "take-over").await;
        tab.look(PHONE).await;
        // Its parent is listed nowhere, so it would not be either.
        tab.click("#take-listed").await;
        let branch = branched(&tab, &parent).await;
        tab.wait("what is asked, in sight", ASKED_IN_SIGHT).await;
        act(&tab, "answer", &[("answer", "Nothing of the kind"), ("confidence", "20")]).await;
        let info = trial.closed(&branch).await;
        let of = info.branch_of.expect("it names its parent");
        assert_eq!((of.run.as_str(), of.turn), (parent.as_str(), 2));

        // Whether it was right, in words: where it ended, and on its page.
        let said = "said Nothing of the kind; the right answer is ";
        tab.wait_for_text_in("#person-verdict", "Wrong. ").await;
        tab.wait_for_text_in("#person-verdict", &format!("ou {said}")).await;
        // What it changed, and its own link.
        tab.click("#branch-episode").await;
        tab.wait_for("#changed").await;
        tab.wait_for_text_in("#changed-verdict", "Wrong. ").await;
        tab.wait_for_text_in("#changed-verdict", said).await;
        tab.wait_for_text("Nothing of the kind").await;
        // What can be checked of it, and where the rest is.
        tab.click("#to-verify").await;
        tab.wait_for_text_in("#proof", "come from the original").await;
        tab.wait_for(&format!("#verify-parent[href*='{parent}']")).await;
        tab.click("#verify").await;
        tab.wait_for_text_in("#verified", "those of the other episode").await;
        let found = tab.text("#verified").await;
        assert!(found.contains("every line is the same"), "{found}");
        pictures(&tab, "branch").await;
        // The same holds once it is graded again.
        let own = tab.path().await;
        tab.look(Look::WIDE).await;
        tab.goto(&format!("/run/{branch}")).await;
        let again = graded_again(&tab, &branch).await;
        trial.closed(&again).await;
        tab.goto(&format!("/run/{again}?tab=checks")).await;
        tab.wait_for(&format!("#verify-parent[href*='{parent}']")).await;
        tab.click("#verify").await;
        tab.wait_for_text_in("#verified", "those of the other episode").await;
        tab.wait_for_text_in("#verified", "Everything that was checked agrees").await;
        tab.goto(&own).await;
        tab.look(PHONE).await;
        tab.click("#share").await;
        tab.wait_for("#share-link").await;
        pictures(&tab, "share").await;
        let shared = tab.value("#share-link").await;
        assert!(shared.ends_with(&format!("/run/{branch}/{episode}")), "{shared}");
        tab.wait_for("#share-whole").await;
        let whole = tab.value("#share-whole").await;
        assert!(whole.len() < LONG_LINK, "{}", whole.len());
        assert_eq!(tab.count("#share-long").await, 0);
        tab.assert_clean();

        // A third browser: the branch stands on the page of the episode, and the link with the episode in it works without a request
        // for the run.
        let third = trial.other_browser().await;
        let page = format!("/run/{parent}/{episode}");
        let tab = third.open_in(PHONE, &page).await;
        // On a phone the app comes, and the episode is played again, only once the reader begins to read.
        tab.wait_for(".told-play .tl-turn").await;
        assert_eq!(tab.count("#take-over").await, 0, "before a touch");
        tab.wheel((180.0, 400.0), 200.0).await;
        tab.wait_for("#branches a").await;
        tab.wait_for("#take-over").await;
        tab.goto(&whole).await;
        tab.reload().await;
        tab.wait_for(".tl-turn").await;
        tab.wait_for_text("Nothing of the kind").await;
        let asked = tab
            .eval(
                "performance.getEntriesByType('resource').map(entry => entry.name)\
             .filter(name => name.includes('/api/runs') || name.includes('/api/tasks')).length",
            )
            .await;
        assert_eq!(asked, 0, "the episode was asked of a server");
        pictures(&tab, "shared").await;
        // What programs for messages do to a link is undone; one that was cut says where to find the rest. Another fragment of the same
        // page is no other page, so the browser goes there from elsewhere.
        for mended in
            [format!("{whole}\u{3002}"), format!("{whole}&from=x"), whole.replacen('#', "%23", 1)]
        {
            tab.goto("about:blank").await;
            tab.goto(&mended).await;
            tab.wait_for(".tl-turn").await;
        }
        tab.goto("about:blank").await;
        tab.goto(&whole[..whole.len() - 5]).await;
        tab.wait_for_text("cut off on its way").await;
        tab.wait_for(&format!("#shared-run[href='/run/{branch}']")).await;
        tab.goto("about:blank").await;
        tab.goto("/shared#1nothing").await;
        tab.wait_for_text("This link cannot be read").await;
        tab.assert_clean();
    });
}

/// How the branch on whose run's page a tab is has ended, beside what it goes on from.
async fn outcomes(tab: &Tab, trial: &Trial, branch: &str) -> String {
    trial.closed(branch).await;
    tab.click("#branch-episode").await;
    tab.wait_for("#changed").await;
    tab.wait_for_count(".branch-paid li", 4).await;
    tab.wait_for(".seal-verified").await;
    tab.text("#branch").await
}

#[test]
fn a_match_is_taken_over_by_a_bot_and_then_by_a_person() {
    on_trial(async |trial| {
        let (tab, parent) = trial
            .run(&format!(
                "/new?benchmark={MATCH}&participants=2&delta=1&cap=4&set.repeats=1&swap=false"
            ))
            .await;
        trial.closed(&parent).await;
        let episode = trial.first_play(&parent).await;

        // A bot goes on from the second round.
        tab.goto(&format!("/run/{parent}/{episode}?turn=3")).await;
        tab.wait_for_text("Take over from turn 3").await;
        tab.click("#take-over").await;
        tab.wait_for("#take-known").await;
        pictures(&tab, "take-over-match").await;
        tab.wait_for("#take-who option[value='bot:always-d']").await;
        tab.set("#take-who", "bot:always-d").await;
        tab.wait_gone("#take-known").await;
        let branch = branched(&tab, &parent).await;
        let text = outcomes(&tab, &trial, &branch).await;
        assert!(text.contains("(seat 1) 1.25 instead of 2; "), "{text}");
        assert!(text.contains("tft") && text.contains("always-d"), "{text}");
        verified(&tab, "those of the other episode").await;
        let found = tab.text("#verified").await;
        assert!(found.contains("every line is the same"), "{found}");
        pictures(&tab, "branch-match").await;

        // A person goes on from that branch: at its first turn, in the other seat.
        tab.goto(&format!("/run/{branch}/{episode}?turn=2")).await;
        tab.wait_for_text("Take over from turn 2").await;
        tab.click("#take-over").await;
        tab.wait_for("#take-known").await;
        let second = branched(&tab, &branch).await;
        let mut moves = 0;
        loop {
            let info = trial.info(&second).await;
            if info.state == RunState::Closed {
                break;
            }
            let press = "(() => { const move = document.querySelector('.person-words button:not(:disabled)'); \
                     if (!move) return false; move.click(); return true; })()";
            if tab.is(press).await {
                moves += 1;
            }
            assert!(moves <= 4, "it is as long as the others");
            sleep(Duration::from_millis(300)).await;
        }
        let text = outcomes(&tab, &trial, &second).await;
        assert!(text.contains("person"), "{text}");
        let info = trial.info(&second).await;
        let of = info.branch_of.expect("it names its parent");
        assert_eq!((of.run.as_str(), of.turn), (branch.as_str(), 2));
        assert_eq!(moves, 4);
        tab.assert_clean();
    });
}

/// Whether the queue of a person is seen from its beginning: all of it, or as much as there is room for.
const ASKED_IN_SIGHT: &str = "(() => { const queue = document.querySelector('#person-queue:has(#person-asked)')\
     ?.getBoundingClientRect(); return queue !== undefined && queue.top >= 0 && \
     (queue.top < 40 || queue.bottom <= innerHeight + 1); })()";

/// How far below the bar with the ribbon a turn begins, once the page has been at rest for this many frames.
fn below_the_bar(turn: u32) -> String {
    format!(
        "(async () => {{ const frame = () => new Promise(done => requestAnimationFrame(done)); \
         const place = () => [document.documentElement.scrollHeight, \
         document.querySelector('#turn-{turn}').getBoundingClientRect().top].join(); \
         for (let still = 0, before = ''; still < 30; before = place()) {{ await frame(); still = place() === before ? still + 1 : 0; }} \
         return document.querySelector('#turn-{turn}').getBoundingClientRect().top - \
         document.querySelector('.replay').getBoundingClientRect().bottom; }})()"
    )
}

/// A link to a turn shows that turn once the page is at rest, also of a page that grows above it; readers who have scrolled stay
/// where they are.
async fn stands_where_it_should(tab: &Tab, turn: u32) {
    tab.wait_for(".seal-verified").await;
    let place = below_the_bar(turn);
    let below = || tab.read::<f64>(&place);
    let is_there = |place: f64| (0.0..24.0).contains(&place);
    let grow = "{ const more = document.createElement('div'); more.style.height = '300px'; \
                document.querySelector('#main').prepend(more); }";
    assert!(is_there(below().await), "turn {turn}: {}", below().await);
    tab.eval(grow).await;
    assert!(is_there(below().await), "turn {turn}: {}", below().await);
    tab.eval("scrollBy(0, 200)").await;
    let scrolled = below().await;
    assert!(!is_there(scrolled), "turn {turn}: {scrolled}");
    tab.eval(grow).await;
    assert!((below().await - scrolled).abs() < 2.0, "the reader was taken away: {}", below().await);
}

/// Waits until strangers get this status for a run: that there is none, for one that is hidden.
async fn is_told(trial: &Trial, run: &str, status: StatusCode) {
    let path = format!("/api/runs/{run}");
    let told = async {
        while trial.get(&path).await.status != status {
            sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(SOON, told)
        .await
        .unwrap_or_else(|_| panic!("strangers are not told {status} of {run}"));
}

#[test]
fn what_comes_of_a_private_run_is_for_its_owner_alone() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let parent = samples_played(&trial, &tab).await;
        let episode = trial.first_play(&parent).await;
        tab.click("#share").await;
        tab.click("[name=visibility][value=private]").await;
        is_told(&trial, &parent, StatusCode::NOT_FOUND).await;

        // For all others its pages are those of a run that never was.
        let stranger = trial.other_browser().await;
        let nothing = "0".repeat(32);
        let other = stranger.open_in(PHONE, "/boards").await;
        let mut told = Vec::new();
        for run in [&parent, &nothing] {
            for page in [format!("/run/{run}"), format!("/run/{run}/{episode}")] {
                other.goto(&page).await;
                other.wait_for("#missing h1").await;
                let page = "document.title + document.querySelector('main').innerHTML";
                told.push(other.eval(page).await);
            }
        }
        assert!(told.iter().all(|page| *page == told[0]), "{told:#?}");
        drop(other);
        drop(stranger);

        // Gone on with: the branch is private from the start, and its owner reads it.
        let page = format!("/run/{parent}/{episode}?turn=2");
        tab.goto(&page).await;
        tab.click("#take-over").await;
        tab.wait_for("#take-begin").await;
        tab.wait_for_text("is private, too").await;
        assert_eq!(tab.count("#take-listed").await, 0, "it can be listed");
        let branch = branched(&tab, &parent).await;
        is_told(&trial, &branch, StatusCode::NOT_FOUND).await;
        tab.reload().await;
        tab.wait_for("#branch-note").await;

        // Graded again: no one else sees that either, although it was opened as any other run.
        tab.goto(&format!("/run/{parent}")).await;
        let again = graded_again(&tab, &parent).await;
        is_told(&trial, &again, StatusCode::NOT_FOUND).await;
        tab.reload().await;
        tab.wait_for(".figure-main").await;
        assert_eq!(run_of(&tab).await, again);

        // Shown to everybody again, it stands once on the first page.
        tab.goto(&format!("/run/{parent}")).await;
        tab.click("#share").await;
        tab.wait_for_text("Opens only in this browser").await;
        assert_eq!(
            tab.count("[name=visibility][value=public]").await,
            0,
            "it would be listed nowhere"
        );
        tab.click("[name=visibility][value=unlisted]").await;
        is_told(&trial, &parent, StatusCode::OK).await;
        tab.goto("/").await;
        let row = format!(".run-name a[href='/run/{parent}']");
        tab.wait_for(&row).await;
        assert_eq!(tab.count(&row).await, 1);
    });
}
