//! A tournament from the form to the replay, played by built-in rules.

use crate::games::played;
use crate::*;

#[test]
fn a_tournament_of_trust_is_played_and_read() {
    on_trial(async |trial| {
        let tab = trial.open("/new?benchmark=trust&delta=[0.5,0.9]&set.repeats=2&participants=4&seat.4=bot:random:0.3").await;
        startable(&tab).await;
        assert_eq!(tab.count(".seat").await, 4);
        pictures(&tab, "new-trust").await;
        start(&tab).await;
        played(&tab, &trial).await;
        let ranking = "document.querySelectorAll('.ranking tbody tr').length === 4";
        tab.wait("four in the ranking", ranking).await;
        pictures(&tab, "run-trust").await;
        open_part(&tab, "breakdown").await;
        let curves = "document.querySelectorAll('svg.plot .curve').length >= 4";
        tab.wait("curves over δ", curves).await;
        pictures(&tab, "run-trust-breakdown").await;

        // The longest match on the wall.
        open_part(&tab, "episodes").await;
        tab.wait_for(".wall-scroll [role=option]").await;
        tab.eval(
            "[...document.querySelectorAll('.wall-scroll [role=option]')].sort((one, other) => \
         other.querySelectorAll('.turn').length - one.querySelectorAll('.turn').length)[0].click()",
        )
        .await;
        tab.wait_for(".match .lane-cell").await;
        tab.wait("a move of both in every round", "(() => { const all = one => document.querySelectorAll('.stage-match .match ' + one).length; \
                 const rounds = all('thead th') - 2; return rounds > 0 && all('.lane-cell') === 2 * rounds; })()").await;
        tab.wait_for(".seal-verified").await;
        tab.wait_for_text_in("h1", " against ").await;
        tab.wait_for_text_in(".pinned .verdict", "round").await;
        tab.focus("input.slider").await;
        tab.press("Home").await;
        tab.wait_for_count(".stage-match .lane-cell.is-now", 2).await;
        pictures(&tab, "match-trust").await;
        tab.assert_clean();
    });
}
