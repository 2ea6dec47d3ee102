//! A tournament from the form to the replay, played by built-in rules.

use crate::games::played;
use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_of_trust_is_played_and_read() {
    let Some(stage) = stage("a_tournament_of_trust_is_played_and_read").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address =
        "/new?benchmark=trust&delta=[0.5,0.9]&set.repeats=2&participants=4&seat.4=bot:random:0.3";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    startable(&tab).await;
    assert_eq!(tab.count(".seat").await, 4);
    pictures(&tab, "new-trust").await;
    start(&tab).await;
    played(&tab, &asking).await;
    let ranking = "document.querySelectorAll('.ranking tbody tr').length === 4";
    tab.wait("four in the ranking", ranking, SOON).await;
    pictures(&tab, "run-trust").await;
    open_part(&tab, "breakdown").await;
    let curves = "document.querySelectorAll('svg.plot .curve').length >= 4";
    tab.wait("curves over δ", curves, SOON).await;
    pictures(&tab, "run-trust-breakdown").await;

    // The longest match on the wall.
    open_part(&tab, "episodes").await;
    tab.wait_for(".wall-scroll [role=option]", SOON).await;
    tab.eval(
        "[...document.querySelectorAll('.wall-scroll [role=option]')].sort((one, other) => \
         other.querySelectorAll('.turn').length - one.querySelectorAll('.turn').length)[0].click()",
    )
    .await;
    tab.wait_for(".match .lane-cell", SOON).await;
    let moves = "(() => { const all = one => document.querySelectorAll('.stage-match .match ' + one).length; \
                 const rounds = all('thead th') - 2; return rounds > 0 && all('.lane-cell') === 2 * rounds; })()";
    tab.wait("a move of both in every round", moves, SOON).await;
    tab.wait_for(".seal-verified", SOON).await;
    tab.wait_for_text_in("h1", " against ", SOON).await;
    tab.wait_for_text_in(".pinned .verdict", "round", SOON).await;
    tab.focus("input.slider").await;
    tab.press("Home").await;
    tab.wait(
        "the first round",
        "document.querySelectorAll('.stage-match .lane-cell.is-now').length === 2",
        SOON,
    )
    .await;
    pictures(&tab, "match-trust").await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
