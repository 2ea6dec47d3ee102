//! A table from the form to the replay, played by built-in rules.

use crate::games::played;
use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_poker_is_set_up_played_and_replayed() {
    let Some(stage) = stage("a_table_of_poker_is_set_up_played_and_replayed").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let tab = chromium.open(&trial.server.url("/new"), Look::WIDE).await;

    // The form: another benchmark, another number of hands, one seat fewer. All of it stands in the address.
    startable(&tab).await;
    tab.click("input[name=benchmark][value=poker]").await;
    tab.wait_for("#hands", SOON).await;
    assert_eq!(tab.count(".seat").await, 6);
    tab.eval(
        "(() => { const field = document.querySelector('#hands'); field.value = '3'; \
         field.dispatchEvent(new Event('change', { bubbles: true })); })()",
    )
    .await;
    // Above the bar that sticks to the bottom.
    tab.eval("document.querySelector('#drop-seat').scrollIntoView({ block: 'center' })").await;
    tab.click("#drop-seat").await;
    tab.wait("five seats", "document.querySelectorAll('.seat').length === 5", SOON).await;
    let address = "location.search.includes('benchmark=poker') && location.search.includes('hands=3') \
                   && location.search.includes('participants=5')";
    tab.wait("the choice in the address", address, SOON).await;
    startable(&tab).await;
    // Two tables of three hands.
    tab.wait_for_text_in(START, "6", SOON).await;
    pictures(&tab, "new-poker").await;
    start(&tab).await;

    // The run: who is ahead, no accuracy; on a tab of its own a wall in the colours of the seats.
    let run = played(&tab, &asking).await;
    let ranking = "document.querySelectorAll('.ranking tbody tr').length === 5";
    tab.wait("five in the ranking", ranking, SOON).await;
    tab.wait_for(".matrix td.heat", SOON).await;
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
    tab.wait("six plays on the wall", all, SOON).await;
    has_no_score().await;
    pictures(&tab, "run-poker-episodes").await;

    // The replay: the table at a decision, after it, at the end of the hand.
    tab.goto(&trial.server.url(&format!("/run/{run}/t1-h1.r1.play?turn=1"))).await;
    tab.wait_for(".felt .is-acting .plate-said.is-now", SOON).await;
    assert_eq!(tab.count(".felt .place").await, 5);
    assert_eq!(tab.count(".felt .pc-back").await, 0, "a reader sees all");
    let sealed = "document.querySelector('.seal-verified') !== null";
    tab.wait("the replay agrees", sealed, SOON).await;
    // In words: which hand it is, and who won it.
    tab.wait_for_text_in("h1", "Hand 1, table 1", SOON).await;
    tab.wait_for_text_in(".pinned .verdict", " wins ", SOON).await;
    // The table, what its player thought and the bar share a screen with the head of the page.
    tab.wait_for(".stage-thinking h2", SOON).await;
    let screen = tab
        .eval(
            "(() => { const place = one => document.querySelector(one).getBoundingClientRect(); \
             return place('.top').height + place('.stage').bottom - place('.replay').top; })()",
        )
        .await;
    let screen = screen.as_f64().expect("a number");
    assert!(screen <= 900.0, "table, thinking and bar take {screen} px");
    tab.wait_for("#stage-jump", SOON).await;
    tab.click(".replay-speed").await;
    tab.wait_for_text_in(".replay-speed", "2×", SOON).await;
    tab.focus("input.slider").await;
    tab.press("ArrowRight").await;
    tab.wait(
        "the next decision",
        "new URLSearchParams(location.search).get('turn') === '2' && \
         document.querySelectorAll('.tl-turn.is-now').length === 1",
        SOON,
    )
    .await;
    tab.press("End").await;
    tab.click(".stage-bar .seg button:last-child").await;
    tab.wait_for(".felt .result", SOON).await;
    let sum = tab
        .eval(
            "[...document.querySelectorAll('.felt .result')].map(one => Number(one.textContent.replace('−', '-')\
             .replace(/[+±,]/g, ''))).reduce((sum, one) => sum + one, 0)",
        )
        .await;
    assert_eq!(sum, serde_json::json!(0), "what one wins the others lose");
    pictures(&tab, "table-poker").await;

    tab.assert_clean(trial.server.address());
    tab.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_many_hands_has_a_choice_of_hands() {
    let Some(stage) = stage("a_table_of_many_hands_has_a_choice_of_hands").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?benchmark=poker&tables=1&hands=20&policy=rebuy-busted&participants=9";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let run = played(&tab, &asking).await;
    tab.goto(&trial.server.url(&format!("/run/{run}/t1.r1.play?turn=1"))).await;
    tab.wait_for(".stage-bar select", SOON).await;
    let hands = "document.querySelectorAll('.stage-bar option').length === 20";
    tab.wait("twenty hands", hands, SOON).await;
    tab.eval(
        "(() => { const hands = document.querySelector('.stage-bar select'); hands.value = '4'; \
         hands.dispatchEvent(new Event('change', { bubbles: true })); })()",
    )
    .await;
    tab.wait(
        "the fifth hand",
        "document.querySelector('.felt')?.getAttribute('aria-label').includes('hand 5') === true",
        SOON,
    )
    .await;
    // A long episode is drawn in parts, so that the page stays quick.
    tab.wait_for(".tl-turn", SOON).await;
    let turns = tab.count(".tl-turn").await;
    assert!((1..=130).contains(&turns), "{turns}");
    pictures(&tab, "table-many").await;
    // Programs for messages would cut a link with an episode of this length in it.
    tab.click("#share").await;
    tab.wait_for("#share-whole", SOON).await;
    let whole = tab.eval("document.querySelector('#share-whole').value.length").await;
    assert!(whole.as_u64().is_some_and(|whole| whole > 4096), "{whole}");
    tab.wait_for("#share-long", SOON).await;
    tab.assert_clean(trial.server.address());
    tab.close().await;
}
