//! A person plays a hand with the keyboard. Everything that the page received before the end is looked through; afterwards the
//! transcript opens in a browser that knows nothing.

use std::collections::BTreeSet;

use turnwise_shared::benchmarks::poker;
use turnwise_shared::seat::Seat;

use crate::play::{GAME, before_the_end, released, replays_elsewhere, state, table_of};
use crate::*;

/// Everything in a text that is written like a card, e.g. `Th`.
fn cards_in(text: &str) -> BTreeSet<String> {
    assert!(!text.contains(['♠', '♥', '♦', '♣']), "cards in signs");
    text.split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| {
            let signs: Vec<char> = word.chars().collect();
            matches!(signs[..], [rank, suit] if "23456789TJQKA".contains(rank) && "cdhs".contains(suit))
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_person_plays_a_hand_of_poker_with_the_keyboard() {
    on_trial(async |trial| {
        let tab = trial.open("/play").await;
        let received = tab.receiving().await;
        tab.wait_for(".play-form .form-end .btn-primary").await;
        startable(&tab).await;
        pictures(&tab, "play-choose").await;
        // One hand that counts.
        tab.click("input[name=kind][value=rated]").await;
        tab.set("#hands", "1").await;
        tab.set("#own-name", "Ann").await;
        tab.focus(START).await;
        tab.press("Enter").await;
        let run = table_of(&tab).await;
        let began = Instant::now();
        let mut decisions = 0;
        loop {
            match state(&tab).await.as_str() {
                "over" => break,
                "next" => tab.press("Enter").await,
                "asked" => {
                    if decisions == 0 {
                        pictures(&tab, "play-table").await;
                        assert_eq!(tab.count(".own-cards .pc:not(.pc-back)").await, 2);
                        assert!(
                            tab.count(".felt .pc-back").await > 0,
                            "others' cards lie face down"
                        );
                    }
                    let raises = tab.count(".bet-raise").await > 0 && decisions == 0;
                    if raises {
                        tab.press("r").await;
                        tab.press("ArrowUp").await;
                        tab.press("Enter").await;
                    } else {
                        tab.press("c").await;
                    }
                    decisions += 1;
                    sleep(Duration::from_millis(300)).await;
                }
                _ => sleep(Duration::from_millis(100)).await,
            }
            assert!(began.elapsed() < GAME, "the hand does not end");
        }
        tab.wait_for(".note-good").await;
        pictures(&tab, "play-table-over").await;
        let (key, play) = released(&tab, &run).await;
        let hands = poker::hands(&play);
        let hand = hands.first().expect("a hand was played");
        let own = Seat::new("1");
        let text = before_the_end(&received.so_far());
        let seen = cards_in(&text);
        for place in &hand.places {
            for card in place.hole.iter().map(|card| card.short()) {
                assert_eq!(
                    seen.contains(&card),
                    place.seat == own,
                    "{card} of seat {} in what was received",
                    place.seat
                );
            }
        }
        let followed: BTreeSet<String> = hand
            .board
            .iter()
            .chain(hand.places.iter().flat_map(|place| &place.hole))
            .map(|card| card.short())
            .collect();
        assert!(seen.is_subset(&followed), "cards that were never dealt: {seen:?}");
        tab.assert_clean();
        let replay = format!("/run/{run}/{key}");
        // A player who sat down with a name is called by it.
        tab.goto(&replay).await;
        tab.wait_for_text_in(".felt", "Ann").await;
        tab.wait_for_text_in(".page-head", "1: Ann").await;
        tab.wait_for_text_in(".tl", "Ann ").await;
        let verdict = tab.text(".pinned .verdict").await;
        assert!(!verdict.contains("person"), "{verdict}");
        tab.goto(&format!("/run/{run}")).await;
        // Whether the sentence names Ann depends on the cards; the ranking always does.
        tab.wait_for_text_in("main table", "Ann").await;
        tab.assert_clean();
        replays_elsewhere(&trial, &replay, ".felt").await;
    });
}
