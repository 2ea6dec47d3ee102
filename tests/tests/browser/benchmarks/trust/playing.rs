//! A person plays a match with the mouse. Everything that the page received before the end is looked through; afterwards the
//! transcript opens in a browser that knows nothing.

use turnwise_shared::benchmarks::trust::strategy::Strategy;

use crate::play::{GAME, before_the_end, released, replays_elsewhere, state, table_of};
use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_a_match_of_trust_with_the_mouse() {
    let Some(stage) = stage("a_person_plays_a_match_of_trust_with_the_mouse").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser.open(&server.url("/play?game=trust"), Look::WIDE).await;
    let received = tab.receiving().await;
    tab.wait(
        "the button",
        "document.querySelector('.form-end .btn-primary')?.disabled === false",
        SOON,
    )
    .await;
    // In practice the end of a match is announced before the end of the table.
    tab.click("input[name=kind][value=rated]").await;
    tab.click(".form-end .btn-primary").await;
    let run = table_of(&tab).await;
    let began = Instant::now();
    let mut moves = 0;
    loop {
        match state(&tab).await.as_str() {
            "over" => break,
            "asked" => {
                if moves == 1 {
                    pictures(&tab, "play-match").await;
                }
                let button = if moves % 3 == 2 { "d" } else { "c" };
                tab.click(&format!(".choice-move.is-{button}")).await;
                moves += 1;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        assert!(began.elapsed() < GAME, "the match does not end");
    }
    tab.wait_for(".note-good", SOON).await;
    tab.wait_for(".preveal-name", SOON).await;
    pictures(&tab, "play-match-over").await;
    let (key, play) = released(&tab, &run).await;
    let text = before_the_end(&received.so_far());
    assert!(text.contains("\"stage\":\"playing\""), "frames were kept");
    for strategy in Strategy::ALL {
        let name = json!(format!("bot:{strategy}")).to_string();
        assert!(!text.contains(&name), "{name} was told before the end");
        assert!(!text.contains(strategy.title()), "{strategy} was told");
    }
    let rounds = play.outcome().expect("it ended").result["rounds"].as_u64();
    assert!(rounds.is_some_and(|rounds| rounds >= 1));
    assert!(!text.contains("\"cap\""), "the longest length was told");
    tab.assert_clean(server.address());
    let replay = server.url(&format!("/run/{run}/{key}"));
    drop(browser);
    replays_elsewhere(&stage.browser, &replay, server.address(), ".match").await;
}
