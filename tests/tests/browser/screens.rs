//! Every screen without any key, and the one that asks for an access token.

use turnwise_shared::wire::EpisodeHead;

use crate::*;

/// The buttons that try a connection.
const TEST: &str = "table .btn-small:not(.btn-quiet)";

/// The number of the slider's turn, as the address has it.
async fn turn(tab: &Tab) -> Option<u64> {
    let turn = tab.eval("new URLSearchParams(location.search).get('turn')").await;
    turn.as_str().and_then(|turn| turn.parse().ok())
}

async fn wait_for_turn(tab: &Tab, turn: u64) {
    let expression = format!("new URLSearchParams(location.search).get('turn') === '{turn}'");
    tab.wait(&format!("turn {turn}"), &expression, SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_key_every_screen_works() {
    let Some(stage) = stage("without_any_key_every_screen_works").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;

    // One button runs the samples.
    tab.wait_for(".hero-do .btn-primary", SOON).await;
    pictures(&tab, "home-empty").await;
    tab.press("?").await;
    tab.wait_for("dialog[open]", SOON).await;
    tab.screenshot("keys-light-1280").await;
    tab.press("Escape").await;
    tab.wait("the keys are gone", "document.querySelector('dialog[open]') === null", SOON).await;
    // Who goes by keys need not pass the head of every page.
    tab.focus("a.skip").await;
    tab.press("Enter").await;
    let skipped = "document.activeElement?.id === 'main' && location.pathname === '/'";
    tab.wait("the content has the focus", skipped, SOON).await;
    let info = samples_played(&trial, &tab).await;
    let run = &info.run;
    tab.wait(
        "the headline",
        "document.querySelectorAll('.figures .figure-value').length > 3",
        SOON,
    )
    .await;
    let ribbons = format!(
        "document.querySelectorAll('.wall-scroll [role=option]').length === {} && \
         document.querySelectorAll('.wall-scroll .turn').length > 20",
        info.episodes
    );
    tab.wait("the wall of ribbons", &ribbons, SOON).await;
    pictures(&tab, "run").await;

    // By keyboard into an episode, through its turns, and back.
    tab.press("j").await;
    tab.press("j").await;
    tab.wait_for(".wall-scroll [role=option][aria-selected=true]", SOON).await;
    tab.press("Enter").await;
    tab.wait_for(".seal-verified", SOON).await;
    tab.wait_for("input.slider", SOON).await;
    let turns = tab.eval("Number(document.querySelector('input.slider').max)").await;
    let turns = turns.as_u64().expect("a number");
    assert!(turns > 1, "an episode of several turns is to be shown, not of {turns}");
    let start = turn(&tab).await.unwrap_or(0);
    tab.focus("input.slider").await;
    tab.press("Home").await;
    wait_for_turn(&tab, 1).await;
    for next in 2..=turns {
        tab.press("ArrowRight").await;
        wait_for_turn(&tab, next).await;
        let now = tab.count(".tl-turn.is-now").await;
        assert_eq!(now, 1, "turn {next} is marked in the timeline");
    }
    tab.press("ArrowLeft").await;
    wait_for_turn(&tab, turns - 1).await;
    assert_ne!(start, turns - 1);
    assert!(tab.count(".tl-turn").await >= turns);
    pictures(&tab, "episode").await;
    tab.press("Escape").await;
    assert_ne!(tab.count(".tl-turn").await, 0, "Escape leaves no page");
    tab.click(".crumbs li:last-child a").await;
    tab.wait_for(".wall-scroll", SOON).await;

    // A Chinese task.
    let episodes: Vec<EpisodeHead> = asking.json(&format!("/api/runs/{run}/episodes")).await;
    let mut chinese = None;
    for head in &episodes {
        let text = asking.transcript(run.as_str(), &head.episode).await;
        if text.contains(r#""language":"zh""#) && head.episode == head.episode.its_play() {
            chinese = Some(head.episode.clone());
            break;
        }
    }
    let chinese = chinese.expect("there are Chinese samples");
    tab.goto(&trial.server.url(&format!("/run/{run}/{chinese}?turn=2"))).await;
    tab.wait_for(".tl-turn.is-now", SOON).await;
    pictures(&tab, "episode-zh").await;

    // The form, the connections, and a page that is not there.
    tab.goto(&trial.server.url("/new?mode=forced_ask&repeats=3&in-flight=32")).await;
    startable(&tab).await;
    // 20 tasks, 3 times.
    tab.wait_for_text_in(START, "60", SOON).await;
    pictures(&tab, "new").await;
    tab.goto(&trial.server.url("/connections")).await;
    tab.wait_for(TEST, SOON).await;
    let tests = tab.count(TEST).await;
    for at in 0..tests {
        tab.eval(&format!("document.querySelectorAll('{TEST}')[{at}].click()")).await;
    }
    let all_answer = format!("document.querySelectorAll('td .good').length === {tests}");
    tab.wait("what the providers and engines answer", &all_answer, SOON).await;
    // What the services list; a press on a name puts it into the field beside it.
    tab.click_text("List models").await;
    tab.wait_for_text_in(".models", "price known", SOON).await;
    tab.eval("document.querySelector('td input[list]').value = ''").await;
    tab.click(".models .btn").await;
    let chosen = "document.querySelector('td input[list]').value === document.querySelector('.models .btn').innerText.trim()";
    tab.wait("the model in the field", chosen, SOON).await;
    pictures(&tab, "connections").await;
    tab.assert_focus_is_seen("connections").await;
    tab.assert_clean(trial.server.address());
    leads_on_from_what_is_missing(&trial, &tab, run.as_str(), &chinese.to_string()).await;
    tab.goto(&trial.server.url("/")).await;
    tab.wait_for("#home-runs .run-name a[href^='/run/']", SOON).await;
    pictures(&tab, "home").await;
    tab.assert_focus_is_seen("home").await;

    tab.assert_clean(trial.server.address());
    tab.close().await;
}

/// An address that names something that is not there says what is missing, under that name, and leads on.
async fn leads_on_from_what_is_missing(trial: &Trial, tab: &Tab, run: &str, episode: &str) {
    let none = "0".repeat(32);
    let (no_run, no_episode) = ("There is no such run", "There is no such episode");
    let no_comparison = "There is no such comparison";
    let compared = format!("/compare?runs={run},{run}");
    let own = format!("/run/{run}");
    for (address, title, onward) in [
        ("/nowhere".to_owned(), "There is no such page", "/"),
        ("/run/xyz".to_owned(), no_run, "/"),
        (format!("/run/{none}"), no_run, "/"),
        (format!("/run/{none}/nosuch"), no_run, "/"),
        (format!("/run/{none}/{episode}"), no_run, "/"),
        (format!("/run/{run}/nosuch"), no_episode, own.as_str()),
        (format!("/run/{run}/99.r1.play"), no_episode, own.as_str()),
        ("/board/nosuch".to_owned(), "There is no such board", "/boards"),
        ("/play/nosuch".to_owned(), "There is no such table", "/play"),
        (format!("/play/{none}"), "There is no such table", "/play"),
        (format!("/compare/{run}/xyz/{episode}"), no_comparison, &format!("/compare?runs={run}")),
        (format!("/compare/{run}/{none}/{episode}"), no_run, "/"),
        (format!("/compare/{run}/{run}/99.r1.play"), no_episode, compared.as_str()),
    ] {
        tab.goto(&trial.server.url(&address)).await;
        tab.wait_for("#missing", SOON).await;
        let told = format!(
            "document.title === '{title} · Turnwise' && document.querySelectorAll('h1').length === 1 && \
             document.querySelector('#missing h1').innerText === '{title}' && \
             document.querySelector('#missing p').innerText.endsWith('.') && \
             document.querySelector('#missing a').getAttribute('href') === '{onward}'"
        );
        tab.wait(&address, &told, SOON).await;
    }
    pictures(tab, "missing").await;
    tab.goto(&trial.server.url("/compare?runs=abc,def")).await;
    tab.wait_for_text_in("#unknown-runs", "abc, def", SOON).await;
    // A turn that is not there is the last one.
    tab.goto(&trial.server.url(&format!("/run/{run}/{episode}?turn=999"))).await;
    tab.wait_for(".tl-turn.is-now", SOON).await;
    let last = "(last => document.querySelector('.tl-turn.is-now').id === `turn-${last}` && \
                document.querySelector('.replay-at').innerText === `turn ${last} of ${last}`)\
                (document.querySelector('input.slider').max)";
    tab.wait("the last turn", last, SOON).await;
    // What is not there is an error on the console, and it was asked for.
    tab.forgive();
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_access_token_the_page_asks_for_it() {
    const TOKEN: &str = "an-access-token-for-tests-1";
    let Some(stage) = stage("with_an_access_token_the_page_asks_for_it").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_ACCESS_TOKEN", TOKEN)]);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/"), Look::WIDE).await;
    // A visitor without a token reads what it is for, and where it is entered; nothing is refused before it was asked for.
    tab.wait_for("#home-visitors", SOON).await;
    assert_eq!(tab.count("[role=alert]").await, 0);
    tab.screenshot("home-token-light-1280").await;
    tab.goto(&trial.server.url("/runs")).await;
    tab.wait_for("#not-listed", SOON).await;
    assert_eq!(tab.count("[role=alert]").await, 0);
    tab.goto(&trial.server.url("/")).await;
    tab.wait_for("#home-visitors", SOON).await;
    tab.click("#home-visitors a[href='/connections']").await;
    tab.wait_for("#access-token", SOON).await;
    tab.click("#access-token").await;
    tab.write(TOKEN).await;
    tab.press("Enter").await;
    tab.wait_for_text("kept in this browser", SOON).await;
    tab.goto(&trial.server.url("/")).await;
    samples_played(&trial, &tab).await;
    assert!(!trial.server.log().contains(TOKEN), "the token is in the log");
    let elsewhere = tab.seen().requests.into_iter().find(|url| url.contains(TOKEN));
    assert_eq!(elsewhere, None, "the token is in an address");
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
