//! What the server writes into the page of a run or an episode is what the app draws; on a phone nothing else is done until the
//! reader begins to read.

use turnwise_tests::house::{Address, House};

use crate::*;

/// The numbers that are shown, and of each episode where it leads and what it says.
const SHOWN: &str = "JSON.stringify([document.querySelector('.figures').innerHTML.replaceAll('<!---->', ''), \
     [...document.querySelectorAll('a.ep')].map(episode => [episode.getAttribute('href'), \
     ...['.ep-id', '.ep-question', '.ep-answer', '.mark'].map(part => episode.querySelector(part)?.textContent)])])";

/// Whether the app is there, and not only what the server wrote.
const APP: &str = "document.querySelector('#main .wall-row a.ep') !== null && document.querySelector('[data-first]') === null";

/// Opens a page at the desk, where the app comes by itself, and sees to it that what can be read is never gone meanwhile:
/// neither what the server wrote nor what the app draws of it.
async fn open_at_the_desk(
    chromium: &Chromium,
    address: &str,
    (written, drawn, there): (&str, &str, &str),
) -> Tab {
    let tab = chromium.open("about:blank").await;
    let gone = format!(
        "document.readyState !== 'loading' && location.protocol === 'http:' && document.querySelector('[data-first] {written}') === null \
         && (document.documentElement.hasAttribute('data-held') || document.querySelector('{drawn}') === null)"
    );
    tab.note_when(&gone).await;
    tab.goto(address).await;
    tab.wait("the app", there).await;
    // If it was gone, a note was made before or is made now.
    assert!(tab.is("window.__shown === undefined").await);
    tab
}

/// Waits until a phone's page is complete, with what the app will need fetched ahead.
async fn wait_for_files_ahead(tab: &Tab) {
    let ahead = "document.readyState === 'complete' && document.querySelectorAll('link[rel=prefetch]').length > 0";
    tab.wait("files that are fetched ahead", ahead).await;
}

/// A run of three episodes that is published, and the address of its page.
async fn published() -> (House, String) {
    let house = House::start(Address::Loopback).await;
    let (published, _) = house.published(3).await;
    let address = format!("http://{}/run/{}", house.server.address(), published.run);
    (house, address)
}

async fn asked_of_the_server(tab: &Tab) -> Vec<String> {
    let asked = tab
        .eval(
            "performance.getEntriesByType('resource').map(one => new URL(one.name).pathname).filter(path => \
             path.startsWith('/api/'))",
        )
        .await;
    serde_json::from_value(asked).expect("addresses")
}

#[test]
fn a_run_is_read_before_the_app_is_there_and_a_phone_waits_for_its_reader() {
    on_stage(async |stage| {
        let (house, address) = published().await;

        let chromium = stage.browser(&house.server).await;
        let tab = chromium.open_in(PHONE, &address).await;
        wait_for_files_ahead(&tab).await;
        assert_eq!(tab.count(".told-rows a.ep").await, 3);
        let written = tab.eval(SHOWN).await;
        pictures(&tab, "run-first").await;
        tab.look(PHONE).await;
        assert_eq!(asked_of_the_server(&tab).await, [""; 0]);
        assert!(!tab.is(APP).await);

        // Its reader scrolls, where the page is longer than the window: the app comes and says the same.
        tab.look(Look { height: 600, ..PHONE }).await;
        assert!(!tab.is(APP).await);
        tab.eval("window.scrollTo(0, 40)").await;
        tab.wait("the app", APP).await;
        assert_ne!(asked_of_the_server(&tab).await, [""; 0]);
        tab.wait_for("#main .figures").await;
        assert_eq!(tab.eval(SHOWN).await, written);
        tab.assert_clean();

        // A link that was written leads on before the app is there. The page clicks it: who must scroll to it calls the app, which may
        // draw a link of its own under the mouse.
        tab.goto(&address).await;
        tab.wait_for(".told-rows a.ep").await;
        assert!(!tab.is(APP).await);
        tab.eval("document.querySelector('.told-rows a.ep').click()").await;
        tab.wait_for(".tl-turn").await;
        tab.assert_clean();

        // A finger on such a link calls the app; what it rests on stays until it has become a click.
        let long = Look { height: 2000, ..PHONE };
        let tab = chromium.open_in(long, &address).await;
        wait_for_files_ahead(&tab).await;
        let finger = tab.hold_down(".told-rows a.ep").await;
        tab.wait_for("#main .wall-row a.ep").await;
        assert_eq!(tab.count("[data-first] .told-rows a.ep").await, 3);
        tab.let_go(finger).await;
        tab.wait_for(".tl-turn").await;
        tab.assert_clean();

        // Elsewhere the app comes by itself.
        let parts = (".told-rows a.ep", "#main .wall-row a.ep", APP);
        let wide = open_at_the_desk(&chromium, &address, parts).await;
        wide.assert_clean();
    });
}

/// How the episode ended, without what the app alone knows: whether a replay agrees.
const VERDICT: &str = "document.querySelector('.verdict b').textContent + [...document.querySelectorAll('.verdict .soft')]\
     .map(part => part.textContent.trim()).join(' ')";

/// Of each turn of the episode what was done; the app shows its grading below.
const TURNS: &str = "JSON.stringify([...document.querySelector('.tl').querySelectorAll('.tl-turn h3')].map(head => head.textContent))";

/// What the task asks; of the app only once its set of tasks is at hand.
const QUESTION: &str = "document.querySelector('#main .told-question')?.textContent ?? document.querySelector('.told-question')?.textContent ?? null";

/// Whether the app shows the episode, and not only what the server wrote.
const EPISODE: &str = "document.querySelector('#main .replay-row') !== null && document.querySelector('#main .tl-turn') !== null \
     && document.querySelector('[data-first]') === null";

#[test]
fn an_episode_is_read_before_the_app_is_there() {
    on_stage(async |stage| {
        let (house, run) = published().await;
        let chromium = stage.browser(&house.server).await;
        let tab = chromium.open_in(PHONE, &run).await;
        tab.wait_for(".told-rows a.ep").await;
        let href = tab.eval("document.querySelector('.told-rows a.ep').href").await;
        let address = href.as_str().expect("an address").to_owned();

        // In the same tab, which is a phone's already when the page begins.
        tab.goto(&address).await;
        wait_for_files_ahead(&tab).await;
        assert_eq!(asked_of_the_server(&tab).await, [""; 0]);
        assert_ne!(tab.count(".told-play .tl-turn").await, 0);
        let written = (tab.eval(VERDICT).await, tab.eval(TURNS).await);
        let question = tab.eval(QUESTION).await;
        assert!(question.as_str().is_some_and(|asked| asked.len() > 40), "{question}");
        pictures(&tab, "episode-first").await;
        tab.look(PHONE).await;
        assert!(!tab.is(EPISODE).await);

        // Its reader touches a turn of the ribbon: that is where the app begins.
        tab.click(".replay a.turn").await;
        tab.wait("the app", EPISODE).await;
        assert_eq!(tab.eval("location.search").await, "?turn=1");
        assert_eq!(
            (tab.eval(VERDICT).await, tab.eval(TURNS).await),
            written,
            "the app says the same"
        );
        assert_eq!(tab.count("#main .told-question").await, 1);
        assert_eq!(tab.eval(QUESTION).await, question);
        tab.wait_for("#main button[aria-expanded]:not([disabled])").await;
        assert_eq!(tab.eval(QUESTION).await, question, "its tasks are at hand");
        tab.assert_clean();

        // A link to a turn leads there, and the app comes by itself.
        let tab = chromium.open_in(PHONE, &format!("{address}?turn=2")).await;
        tab.wait("the app", EPISODE).await;
        tab.wait("the turn in view", "(() => { const now = document.querySelector('.tl-turn.is-now'); if (now === null) return false; const box = \
         now.getBoundingClientRect(); return box.top < innerHeight && box.bottom > 0; })()").await;
        tab.assert_clean();

        // As the server writes it, for readers without scripts, the turn is marked, and a link leads to it.
        let is_marked = format!(
            "fetch('{address}?turn=2', {{ headers: {{ accept: 'text/html' }} }}).then(page => page.text()).then(text => {{ \
         const page = new DOMParser().parseFromString(text, 'text/html'); \
         const now = page.querySelector('.told-play .tl-turn.is-now'); \
         return now !== null && page.querySelector('.told-now a').getAttribute('href') === '#' + now.id \
           && page.querySelector('.boot') === null && page.querySelector('noscript') === null; }})"
        );
        assert!(tab.is(&is_marked).await);
        let parts = (".told-play .tl-turn", "#main .tl-turn", EPISODE);
        let wide = open_at_the_desk(&chromium, &address, parts).await;
        assert_eq!((wide.eval(VERDICT).await, wide.eval(TURNS).await), written);
        wide.assert_clean();
    });
}
