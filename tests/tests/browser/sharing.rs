//! A stranger with a phone: opens a link to an episode at a turn, takes over there, plays to the end, and shares the branch; and an
//! episode that lies in a link.

use reqwest::StatusCode;
use turnwise_shared::share::LONG_LINK;

use super::people::act;
use crate::*;

const PHONE: Look = Look { scheme: Scheme::Light, width: 390, height: 844 };

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_opens_a_link_takes_over_at_a_turn_and_shares_the_branch() {
    let Some(stage) =
        stage("a_stranger_opens_a_link_takes_over_at_a_turn_and_shares_the_branch").await
    else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let owner = Chromium::start(&stage.browser).await;
    let tab = owner.open(&trial.server.url("/"), Look::WIDE).await;
    let parent = samples_played(&trial, &tab).await.run.to_string();
    let episode = first_play(&trial, &parent).await;
    drop(tab);
    drop(owner);

    // Another browser, which knows nothing but the link.
    let stranger = Chromium::start(&stage.browser).await;
    let link = format!("/run/{parent}/{episode}?turn=2");
    let tab = stranger.open(&trial.server.url(&link), PHONE).await;
    tab.wait_for(".tl-turn.is-now", SOON).await;
    tab.wait_for_text("Take over from turn 2", SOON).await;
    stands_where_it_should(&tab, 2).await;
    pictures(&tab, "episode-shared").await;
    tab.look(PHONE).await;
    tab.click("#take-over").await;
    tab.wait_for("#take-begin", SOON).await;
    pictures(&tab, "take-over").await;
    tab.look(PHONE).await;
    // Its parent is listed nowhere, so it would not be either.
    tab.click("#take-listed").await;
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note", SOON).await;
    let branch = run_after(&tab, &parent).await;
    tab.wait("what is asked, in sight", ASKED_IN_SIGHT, SOON).await;
    act(&tab, "answer", &[("answer", "Nothing of the kind"), ("confidence", "20")]).await;
    let info: RunInfo =
        asking.wait(&branch, "the branch", |info| info.state == RunState::Closed).await;
    let of = info.branch_of.expect("it names its parent");
    assert_eq!((of.run.as_str(), of.turn), (parent.as_str(), 2));

    // Whether it was right, in words: where it ended, and on its page.
    let said = "said Nothing of the kind; the right answer is ";
    tab.wait_for_text_in("#person-verdict", "Wrong. ", SOON).await;
    tab.wait_for_text_in("#person-verdict", &format!("ou {said}"), SOON).await;
    // What it changed, and its own link.
    tab.click("#branch-episode").await;
    tab.wait_for("#changed", SOON).await;
    tab.wait_for_text_in("#changed-verdict", "Wrong. ", SOON).await;
    tab.wait_for_text_in("#changed-verdict", said, SOON).await;
    tab.wait_for_text("Nothing of the kind", SOON).await;
    // What can be checked of it, and where the rest is.
    tab.click("#to-verify").await;
    tab.wait_for_text_in("#proof", "come from the original", SOON).await;
    tab.wait_for(&format!("#verify-parent[href*='{parent}']"), SOON).await;
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", "those of the other episode", SOON).await;
    let found = tab.text("#verified").await;
    assert!(found.contains("every line is the same"), "{found}");
    pictures(&tab, "branch").await;
    // The same holds once it is graded again.
    let own = tab.eval("location.pathname").await;
    tab.look(Look::WIDE).await;
    tab.goto(&trial.server.url(&format!("/run/{branch}"))).await;
    let again = graded_again(&tab, &branch).await;
    asking.wait(&again, "the grading", |info| info.state == RunState::Closed).await;
    tab.goto(&trial.server.url(&format!("/run/{again}?tab=checks"))).await;
    tab.wait_for(&format!("#verify-parent[href*='{parent}']"), SOON).await;
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", "those of the other episode", SOON).await;
    tab.wait_for_text_in("#verified", "Everything that was checked agrees", SOON).await;
    let own = own.as_str().expect("a path");
    tab.goto(&trial.server.url(own)).await;
    tab.look(PHONE).await;
    tab.wait_for("#share", SOON).await;
    tab.click("#share").await;
    tab.wait_for("#share-link", SOON).await;
    pictures(&tab, "share").await;
    let shared = tab.eval("document.querySelector('#share-link').value").await;
    let shared = shared.as_str().expect("a link").to_owned();
    assert!(shared.ends_with(&format!("/run/{branch}/{episode}")), "{shared}");
    tab.wait_for("#share-whole", SOON).await;
    let whole = tab.eval("document.querySelector('#share-whole').value").await;
    let whole = whole.as_str().expect("a link with the episode in it").to_owned();
    assert!(whole.len() < LONG_LINK, "{}", whole.len());
    assert_eq!(tab.count("#share-long").await, 0);
    tab.assert_clean(trial.server.address());

    // A third browser: the branch stands on the page of the episode, and the link with the episode in it works without a request
    // for the run.
    let third = Chromium::start(&stage.browser).await;
    let page = trial.server.url(&format!("/run/{parent}/{episode}"));
    let tab = third.open(&page, PHONE).await;
    // On a phone the app comes, and the episode is played again, only once the reader begins to read.
    tab.wait_for(".told-play .tl-turn", SOON).await;
    assert_eq!(tab.count("#take-over").await, 0, "before a touch");
    tab.wheel((180.0, 400.0), 200.0).await;
    tab.wait_for("#branches a", SOON).await;
    tab.wait_for("#take-over", SOON).await;
    tab.goto(&whole).await;
    tab.reload().await;
    tab.wait_for(".tl-turn", SOON).await;
    tab.wait_for_text("Nothing of the kind", SOON).await;
    let asked = tab
        .eval(
            "performance.getEntriesByType('resource').map(entry => entry.name)\
             .filter(name => name.includes('/api/runs') || name.includes('/api/tasks')).length",
        )
        .await;
    assert_eq!(asked, json!(0), "the episode was asked of a server");
    pictures(&tab, "shared").await;
    // What programs for messages do to a link is undone; one that was cut says where to find the rest. Another fragment of the same
    // page is no other page, so the browser goes there from elsewhere.
    for mended in
        [format!("{whole}\u{3002}"), format!("{whole}&from=x"), whole.replacen('#', "%23", 1)]
    {
        tab.goto("about:blank").await;
        tab.goto(&mended).await;
        tab.wait_for(".tl-turn", SOON).await;
    }
    tab.goto("about:blank").await;
    tab.goto(&whole[..whole.len() - 5]).await;
    tab.wait_for_text("cut off on its way", SOON).await;
    tab.wait_for(&format!("#shared-run[href='/run/{branch}']"), SOON).await;
    tab.goto("about:blank").await;
    tab.goto(&trial.server.url("/shared#1nothing")).await;
    tab.wait_for_text("This link cannot be read", SOON).await;
    tab.assert_clean(trial.server.address());
}

/// Chooses who goes on in the dialog that begins a branch.
async fn goes_on(tab: &Tab, who: &str) {
    let option = format!("#take-who option[value='{who}']");
    tab.wait_for(&option, SOON).await;
    tab.eval(&format!(
        "(() => {{ const who = document.querySelector('#take-who'); who.value = '{who}'; \
         who.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    ))
    .await;
}

/// How the branch on whose run's page a tab is has ended, beside what it goes on from.
async fn outcomes(tab: &Tab, asking: &Asking<'_>, branch: &str) -> String {
    asking.wait(branch, "the branch", |info| info.state == RunState::Closed).await;
    tab.click("#branch-episode").await;
    tab.wait_for("#changed", SOON).await;
    tab.wait(
        "what it paid both, twice",
        "document.querySelectorAll('.branch-paid li').length === 4",
        SOON,
    )
    .await;
    tab.wait_for(".seal-verified", SOON).await;
    tab.text("#branch").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_taken_over_by_a_bot_and_then_by_a_person() {
    let Some(stage) = stage("a_match_is_taken_over_by_a_bot_and_then_by_a_person").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address =
        &format!("/new?benchmark={MATCH}&participants=2&delta=1&cap=4&set.repeats=1&swap=false");
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let parent = run_of(&tab).await;
    asking.wait(&parent, "the match", |info| info.state == RunState::Closed).await;
    let episode = first_play(&trial, &parent).await;

    // A bot goes on from the second round.
    let page = format!("/run/{parent}/{episode}?turn=3");
    tab.goto(&trial.server.url(&page)).await;
    tab.wait_for_text("Take over from turn 3", SOON).await;
    tab.click("#take-over").await;
    tab.wait_for("#take-known", SOON).await;
    pictures(&tab, "take-over-match").await;
    goes_on(&tab, "bot:always-d").await;
    let unknown = "document.querySelector('#take-known') === null";
    tab.wait("a bot knows nothing", unknown, SOON).await;
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note", SOON).await;
    let branch = run_after(&tab, &parent).await;
    let text = outcomes(&tab, &asking, &branch).await;
    assert!(text.contains("(seat 1) 1.25 instead of 2; "), "{text}");
    assert!(text.contains("tft") && text.contains("always-d"), "{text}");
    tab.click("#to-verify").await;
    tab.wait_for("#verify", SOON).await;
    tab.click("#verify").await;
    tab.wait_for_text_in("#verified", "those of the other episode", SOON).await;
    let found = tab.text("#verified").await;
    assert!(found.contains("every line is the same"), "{found}");
    pictures(&tab, "branch-match").await;

    // A person goes on from that branch: at its first turn, in the other seat.
    let page = format!("/run/{branch}/{episode}?turn=2");
    tab.goto(&trial.server.url(&page)).await;
    tab.wait_for_text("Take over from turn 2", SOON).await;
    tab.click("#take-over").await;
    tab.wait_for("#take-known", SOON).await;
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note", SOON).await;
    let second = run_after(&tab, &branch).await;
    let mut moves = 0;
    loop {
        let info: RunInfo = asking.json(&format!("/api/runs/{second}")).await;
        if info.state == RunState::Closed {
            break;
        }
        let press = "(() => { const move = document.querySelector('.person-words button:not(:disabled)'); \
                     if (!move) return false; move.click(); return true; })()";
        if tab.eval(press).await == json!(true) {
            moves += 1;
        }
        assert!(moves <= 4, "it is as long as the others");
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let text = outcomes(&tab, &asking, &second).await;
    assert!(text.contains("person"), "{text}");
    let info: RunInfo = asking.json(&format!("/api/runs/{second}")).await;
    let of = info.branch_of.expect("it names its parent");
    assert_eq!((of.run.as_str(), of.turn), (branch.as_str(), 2));
    assert_eq!(moves, 4);
    tab.assert_clean(trial.server.address());
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
    tab.wait_for(".seal-verified", SOON).await;
    let place = below_the_bar(turn);
    let below = || async { tab.eval(&place).await.as_f64().expect("a number") };
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
async fn is_told(asking: &Asking<'_>, run: &str, status: StatusCode) {
    let path = format!("/api/runs/{run}");
    let told = async {
        while asking.get(&path).await.status != status {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(SOON, told)
        .await
        .unwrap_or_else(|_| panic!("strangers are not told {status} of {run}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_of_a_private_run_is_for_its_owner_alone() {
    let Some(stage) = stage("what_comes_of_a_private_run_is_for_its_owner_alone").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let owner = Chromium::start(&stage.browser).await;
    let tab = owner.open(&trial.server.url("/"), Look::WIDE).await;
    let parent = samples_played(&trial, &tab).await.run.to_string();
    let episode = first_play(&trial, &parent).await;
    tab.click("#share").await;
    tab.wait_for("[name=visibility][value=private]", SOON).await;
    tab.click("[name=visibility][value=private]").await;
    is_told(&asking, &parent, StatusCode::NOT_FOUND).await;

    // For all others its pages are those of a run that never was.
    let stranger = Chromium::start(&stage.browser).await;
    let nothing = "0".repeat(32);
    let other = stranger.open(&trial.server.url("/boards"), PHONE).await;
    let mut told = Vec::new();
    for run in [&parent, &nothing] {
        for page in [format!("/run/{run}"), format!("/run/{run}/{episode}")] {
            other.goto(&trial.server.url(&page)).await;
            other.wait_for("#missing h1", SOON).await;
            let page = "document.title + document.querySelector('main').innerHTML";
            told.push(other.eval(page).await);
        }
    }
    assert!(told.iter().all(|page| *page == told[0]), "{told:#?}");
    drop(other);
    drop(stranger);

    // Gone on with: the branch is private from the start, and its owner reads it.
    let page = format!("/run/{parent}/{episode}?turn=2");
    tab.goto(&trial.server.url(&page)).await;
    tab.wait_for("#take-over", SOON).await;
    tab.click("#take-over").await;
    tab.wait_for("#take-begin", SOON).await;
    tab.wait_for_text("is private, too", SOON).await;
    assert_eq!(tab.count("#take-listed").await, 0, "it can be listed");
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note", SOON).await;
    let branch = run_after(&tab, &parent).await;
    is_told(&asking, &branch, StatusCode::NOT_FOUND).await;
    tab.reload().await;
    tab.wait_for("#branch-note", SOON).await;

    // Graded again: no one else sees that either, although it was opened as any other run.
    tab.goto(&trial.server.url(&format!("/run/{parent}"))).await;
    let again = graded_again(&tab, &parent).await;
    is_told(&asking, &again, StatusCode::NOT_FOUND).await;
    tab.reload().await;
    tab.wait_for(".figure-main", SOON).await;
    assert_eq!(run_of(&tab).await, again);

    // Shown to everybody again, it stands once on the first page.
    tab.goto(&trial.server.url(&format!("/run/{parent}"))).await;
    tab.wait_for("#share", SOON).await;
    tab.click("#share").await;
    tab.wait_for_text("Opens only in this browser", SOON).await;
    assert_eq!(tab.count("[name=visibility][value=public]").await, 0, "it would be listed nowhere");
    tab.click("[name=visibility][value=unlisted]").await;
    is_told(&asking, &parent, StatusCode::OK).await;
    tab.goto(&trial.server.url("/")).await;
    let row = format!(".run-name a[href='/run/{parent}']");
    tab.wait_for(&row, SOON).await;
    assert_eq!(tab.count(&row).await, 1);
}
