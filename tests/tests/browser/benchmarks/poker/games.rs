//! A table from the form to the replay, played by built-in rules.

use crate::games::played;
use crate::*;

#[test]
fn a_table_of_poker_is_set_up_played_and_replayed() {
    on_trial(async |trial| {
        let tab = trial.open("/new").await;

        // The form: another benchmark, another number of hands, one seat fewer. All of it stands in the address.
        startable(&tab).await;
        tab.click("input[name=benchmark][value=poker]").await;
        tab.wait_for("#hands").await;
        assert_eq!(tab.count(".seat").await, 6);
        tab.set("#hands", "3").await;
        // Above the bar that sticks to the bottom.
        tab.eval("document.querySelector('#drop-seat').scrollIntoView({ block: 'center' })").await;
        tab.click("#drop-seat").await;
        tab.wait_for_count(".seat", 5).await;
        let address = "location.search.includes('benchmark=poker') && location.search.includes('hands=3') \
                   && location.search.includes('participants=5')";
        tab.wait("the choice in the address", address).await;
        startable(&tab).await;
        // Two tables of three hands.
        tab.wait_for_text_in(START, "6").await;
        pictures(&tab, "new-poker").await;
        start(&tab).await;

        // The run: who is ahead, no accuracy; on a tab of its own a wall in the colours of the seats.
        let run = played(&tab, &trial).await;
        let ranking = "document.querySelectorAll('.ranking tbody tr').length === 5";
        tab.wait("five in the ranking", ranking).await;
        tab.wait_for(".matrix td.heat").await;
        let has_no_score = async || {
            let text = tab.text("main").await.to_lowercase();
            assert!(
                !text.contains("accuracy") && !text.contains("calibration"),
                "a game has no score to be right or wrong by"
            );
        };
        has_no_score().await;
        pictures(&tab, "run-poker").await;
        open_part(&tab, "episodes").await;
        let all = "document.querySelectorAll('.wall-scroll [role=option]').length === 6 && \
               document.querySelectorAll(\".wall-scroll .turn[class*='s-']\").length > 10";
        tab.wait("six plays on the wall", all).await;
        has_no_score().await;
        pictures(&tab, "run-poker-episodes").await;

        // The replay: the table at a decision, after it, at the end of the hand.
        tab.goto(&format!("/run/{run}/t1-h1.r1.play?turn=1")).await;
        tab.wait_for(".felt .is-acting .plate-said.is-now").await;
        assert_eq!(tab.count(".felt .place").await, 5);
        assert_eq!(tab.count(".felt .pc-back").await, 0, "a reader sees all");
        tab.wait_for(".seal-verified").await;
        // In words: which hand it is, and who won it.
        tab.wait_for_text_in("h1", "Hand 1, table 1").await;
        tab.wait_for_text_in(".pinned .verdict", " wins ").await;
        // The table, what its player thought and the bar share a screen with the head of the page.
        tab.wait_for(".stage-thinking h2").await;
        let screen = tab
        .eval(
            "(() => { const place = one => document.querySelector(one).getBoundingClientRect(); \
             return place('.top').height + place('.stage').bottom - place('.replay').top; })()",
        )
        .await;
        let screen = screen.as_f64().expect("a number");
        assert!(screen <= 900.0, "table, thinking and bar take {screen} px");
        tab.wait_for("#stage-jump").await;
        tab.click(".replay-speed").await;
        tab.wait_for_text_in(".replay-speed", "2×").await;
        tab.focus("input.slider").await;
        tab.press("ArrowRight").await;
        tab.wait(
            "the next decision",
            "new URLSearchParams(location.search).get('turn') === '2' && \
         document.querySelectorAll('.tl-turn.is-now').length === 1",
        )
        .await;
        tab.press("End").await;
        tab.click(".stage-bar .seg button:last-child").await;
        tab.wait_for(".felt .result").await;
        let sum = tab
        .eval(
            "[...document.querySelectorAll('.felt .result')].map(one => Number(one.textContent.replace('−', '-')\
             .replace(/[+±,]/g, ''))).reduce((sum, one) => sum + one, 0)",
        )
        .await;
        assert_eq!(sum, serde_json::json!(0), "what one wins the others lose");
        pictures(&tab, "table-poker").await;

        tab.assert_clean();
    });
}

#[test]
fn a_table_of_many_hands_has_a_choice_of_hands() {
    on_trial(async |trial| {
        let tab = trial
            .open("/new?benchmark=poker&tables=1&hands=20&policy=rebuy-busted&participants=9")
            .await;
        start(&tab).await;
        let run = played(&tab, &trial).await;
        tab.goto(&format!("/run/{run}/t1.r1.play?turn=1")).await;
        tab.wait_for(".stage-bar select").await;
        let hands = "document.querySelectorAll('.stage-bar option').length === 20";
        tab.wait("twenty hands", hands).await;
        tab.set(".stage-bar select", "4").await;
        tab.wait(
        "the fifth hand",
        "document.querySelector('.felt')?.getAttribute('aria-label').includes('hand 5') === true",
    )
    .await;
        // A long episode is drawn in parts, so that the page stays quick.
        tab.wait_for(".tl-turn").await;
        let turns = tab.count(".tl-turn").await;
        assert!((1..=130).contains(&turns), "{turns}");
        pictures(&tab, "table-many").await;
        // Programs for messages would cut a link with an episode of this length in it.
        tab.click("#share").await;
        tab.wait_for("#share-whole").await;
        let whole = tab.eval("document.querySelector('#share-whole').value.length").await;
        assert!(whole.as_u64().is_some_and(|whole| whole > 4096), "{whole}");
        tab.wait_for("#share-long").await;
        tab.assert_clean();
    });
}
