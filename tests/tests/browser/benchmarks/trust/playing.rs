//! A person plays a match with the mouse. Everything that the page received before the end is looked through; afterwards the
//! transcript opens in a browser that knows nothing.

use turnwise_shared::benchmarks::trust::strategy::Strategy;

use crate::play::{GAME, before_the_end, released, replays_elsewhere, state};
use crate::*;

#[test]
fn a_person_plays_a_match_of_trust_with_the_mouse() {
    on_trial(async |trial| {
        let tab = trial.open("/play?game=trust").await;
        let received = tab.receiving().await;
        startable(&tab).await;
        // In practice the end of a match is announced before the end of the table.
        tab.click("input[name=kind][value=rated]").await;
        let run = seated(&tab).await;
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
                    sleep(Duration::from_millis(200)).await;
                }
                _ => sleep(Duration::from_millis(100)).await,
            }
            assert!(began.elapsed() < GAME, "the match does not end");
        }
        tab.wait_for(".note-good").await;
        tab.wait_for(".preveal-name").await;
        pictures(&tab, "play-match-over").await;
        let (key, play) = released(&tab, &run).await;
        let text = before_the_end(&received.so_far());
        for strategy in Strategy::ALL {
            let name = json!(format!("bot:{strategy}")).to_string();
            assert!(!text.contains(&name), "{name} was told before the end");
            assert!(!text.contains(strategy.title()), "{strategy} was told");
        }
        let rounds = play.outcome().expect("it ended").result["rounds"].as_u64();
        assert!(rounds.is_some_and(|rounds| rounds >= 1));
        assert!(!text.contains("\"cap\""), "the longest length was told");
        tab.assert_clean();
        let replay = format!("/run/{run}/{key}");
        replays_elsewhere(&trial, &replay, ".match").await;
    });
}
