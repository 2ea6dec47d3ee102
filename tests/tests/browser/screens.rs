//! Every screen without any key, and the one that asks for an access token.

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
    tab.wait(&format!("turn {turn}"), &expression).await;
}

#[test]
fn without_any_key_every_screen_works() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;

        // One button runs the samples.
        tab.wait_for("#run-samples").await;
        pictures(&tab, "home-empty").await;
        tab.press("?").await;
        tab.wait_for("dialog[open]").await;
        tab.screenshot("keys-light-1280").await;
        tab.press("Escape").await;
        tab.wait_gone("dialog[open]").await;
        // Who goes by keys need not pass the head of every page.
        tab.focus("a.skip").await;
        tab.press("Enter").await;
        tab.wait_for_focus("#main").await;
        tab.wait_for_path("/").await;
        let run = samples_played(&trial, &tab).await;
        tab.wait("the headline", "document.querySelectorAll('.figures .figure-value').length > 3")
            .await;
        let ribbons = format!(
            "document.querySelectorAll('.wall-scroll [role=option]').length === {} && \
         document.querySelectorAll('.wall-scroll .turn').length > 20",
            trial.info(&run).await.episodes
        );
        tab.wait("the wall of ribbons", &ribbons).await;
        pictures(&tab, "run").await;

        // By keyboard into an episode, through its turns, and back.
        tab.press("j").await;
        tab.press("j").await;
        tab.wait_for(".wall-scroll [role=option][aria-selected=true]").await;
        tab.press("Enter").await;
        tab.wait_for(".seal-verified").await;
        tab.wait_for("input.slider").await;
        let turns: u64 = tab.read("Number(document.querySelector('input.slider').max)").await;
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
        tab.wait_for(".wall-scroll").await;

        // A Chinese task.
        let episodes = trial.episodes(&run).await;
        let mut chinese = None;
        for head in &episodes {
            let text = trial.transcript(&run, &head.episode).await;
            if text.contains(r#""language":"zh""#) && head.episode == head.episode.its_play() {
                chinese = Some(head.episode.clone());
                break;
            }
        }
        let chinese = chinese.expect("there are Chinese samples");
        tab.goto(&format!("/run/{run}/{chinese}?turn=2")).await;
        tab.wait_for(".tl-turn.is-now").await;
        pictures(&tab, "episode-zh").await;

        // The form, the connections, and a page that is not there.
        tab.goto("/new?mode=forced_ask&repeats=3&in-flight=32").await;
        startable(&tab).await;
        // 20 tasks, 3 times.
        tab.wait_for_text_in(START, "60").await;
        pictures(&tab, "new").await;
        tab.goto("/connections").await;
        tab.wait_for(TEST).await;
        let tests = tab.count(TEST).await;
        for at in 0..tests {
            tab.eval(&format!("document.querySelectorAll('{TEST}')[{at}].click()")).await;
        }
        tab.wait_for_count("td .good", tests).await;
        // What the services list; a press on a name puts it into the field beside it.
        tab.click_text("List models").await;
        tab.wait_for_text_in(".models", "price known").await;
        tab.eval("document.querySelector('td input[list]').value = ''").await;
        tab.click(".models .btn").await;
        tab.wait("the model in the field", "document.querySelector('td input[list]').value === document.querySelector('.models .btn').innerText.trim()").await;
        pictures(&tab, "connections").await;
        tab.assert_focus_is_seen("connections").await;
        tab.assert_clean();
        leads_on_from_what_is_missing(&tab, &run, &chinese.to_string()).await;
        tab.goto("/").await;
        tab.wait_for("#home-runs .run-name a[href^='/run/']").await;
        pictures(&tab, "home").await;
        tab.assert_focus_is_seen("home").await;

        tab.assert_clean();
    });
}

/// An address that names something that is not there says what is missing, under that name, and leads on.
async fn leads_on_from_what_is_missing(tab: &Tab, run: &str, episode: &str) {
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
        tab.goto(&address).await;
        tab.wait_for("#missing").await;
        tab.wait(&address, &format!(
            "document.title === '{title} · Turnwise' && document.querySelectorAll('h1').length === 1 && \
             document.querySelector('#missing h1').innerText === '{title}' && \
             document.querySelector('#missing p').innerText.endsWith('.') && \
             document.querySelector('#missing a').getAttribute('href') === '{onward}'"
        )).await;
    }
    pictures(tab, "missing").await;
    tab.goto("/compare?runs=abc,def").await;
    tab.wait_for_text_in("#unknown-runs", "abc, def").await;
    // A turn that is not there is the last one.
    tab.goto(&format!("/run/{run}/{episode}?turn=999")).await;
    tab.wait_for(".tl-turn.is-now").await;
    let last = "(last => document.querySelector('.tl-turn.is-now').id === `turn-${last}` && \
                document.querySelector('.replay-at').innerText === `turn ${last} of ${last}`)\
                (document.querySelector('input.slider').max)";
    tab.wait("the last turn", last).await;
    // What is not there is an error on the console, and it was asked for.
    tab.forgive();
}

#[test]
fn with_an_access_token_the_page_asks_for_it() {
    on_stage(async |stage| {
        const TOKEN: &str = "an-access-token-for-tests-1";
        let trial = stage.with("TURNWISE_ACCESS_TOKEN", TOKEN).start();

        let tab = trial.open("/").await;
        // A visitor without a token reads what it is for, and where it is entered; nothing is refused before it was asked for.
        tab.wait_for("#home-visitors").await;
        assert_eq!(tab.count("[role=alert]").await, 0);
        tab.screenshot("home-token-light-1280").await;
        tab.goto("/runs").await;
        tab.wait_for("#not-listed").await;
        assert_eq!(tab.count("[role=alert]").await, 0);
        tab.goto("/").await;
        tab.wait_for("#home-visitors").await;
        tab.click("#home-visitors a[href='/connections']").await;
        tab.click("#access-token").await;
        tab.write(TOKEN).await;
        tab.press("Enter").await;
        tab.wait_for_text("kept in this browser").await;
        tab.goto("/").await;
        samples_played(&trial, &tab).await;
        assert!(!trial.server.log().contains(TOKEN), "the token is in the log");
        let elsewhere = tab.seen().requests.into_iter().find(|url| url.contains(TOKEN));
        assert_eq!(elsewhere, None, "the token is in an address");
        tab.assert_clean();
    });
}
