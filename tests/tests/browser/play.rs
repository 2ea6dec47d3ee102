//! A person plays: one hand of poker with the keyboard, one match of the Trust Game with the mouse. Everything that the page
//! received before the end is looked through; afterwards the transcript opens in a browser that knows nothing.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::json;
use turnwise_shared::benchmarks::poker;
use turnwise_shared::benchmarks::trust::strategy::Strategy;
use turnwise_shared::seat::Seat;
use turnwise_shared::transcript::{self, Transcript};
use turnwise_tests::chromium::{Chromium, Look, Piece, Tab};

use super::{SOON, Trial, pictures, stage};

/// How long a hand or a match may take.
pub const GAME: Duration = Duration::from_secs(120);

/// What the page shows now.
const STATE: &str = "document.querySelector('.section #fairness') ? 'over' : \
     document.querySelector('.bet-next') ? 'next' : \
     document.querySelector('.bet-fold:not(:disabled), .choice-move.is-c:not(:disabled)') ? 'asked' : 'waits'";

pub async fn state(tab: &Tab) -> String {
    let state = tab.eval(STATE).await;
    state.as_str().expect("a word").to_owned()
}

/// The id of the table that a tab shows.
pub async fn table_of(tab: &Tab) -> String {
    tab.wait(
        "the table's page",
        "location.pathname.startsWith('/play/')",
        SOON,
    )
    .await;
    let path = tab.eval("location.pathname").await;
    let path = path.as_str().expect("a path");
    path.trim_start_matches("/play/").to_owned()
}

/// What came in before the first word of the end. The list of what the server offers is the same for everybody.
fn before_the_end(received: &[Piece]) -> String {
    received
        .iter()
        .take_while(|piece| !piece.text.contains("\"stage\":\"over\""))
        .filter(|piece| !piece.url.ends_with("/api/about"))
        .map(|piece| format!("{}\n", piece.text))
        .collect()
}

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

/// The one transcript of a run that is over, and its key.
async fn released(tab: &Tab, run: &str) -> (String, Transcript) {
    let heads = tab
        .eval(&format!(
            "fetch('/api/runs/{run}/episodes').then(answer => answer.json())"
        ))
        .await;
    let key = heads[0]["episode"].as_str().expect("an episode").to_owned();
    let text = tab
        .eval(&format!(
            "fetch('/api/runs/{run}/episodes/{key}').then(answer => answer.text())"
        ))
        .await;
    let read = transcript::read(text.as_str().expect("a text")).expect("a sound transcript");
    (key, read)
}

/// Opens the replay in a browser without any memory, and goes through it.
async fn replays_elsewhere(program: &std::path::Path, url: &str, host: &str, shows: &str) {
    let browser = Chromium::start(program).await;
    let tab = browser.open(url, Look::WIDE).await;
    tab.wait_for(shows, SOON).await;
    tab.press("ArrowRight").await;
    tab.wait("a turn", "location.search.includes('turn=')", SOON)
        .await;
    tab.assert_clean(host);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_a_hand_of_poker_with_the_keyboard() {
    let Some(stage) = stage("a_person_plays_a_hand_of_poker_with_the_keyboard").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser.open(&server.url("/play"), Look::WIDE).await;
    let received = tab.receiving().await;
    tab.wait_for(".play-form .form-end .btn-primary", SOON)
        .await;
    tab.wait(
        "the button",
        "document.querySelector('.form-end .btn-primary').disabled === false",
        SOON,
    )
    .await;
    pictures(&tab, "play-choose").await;
    // One hand that counts.
    tab.click("input[name=kind][value=rated]").await;
    tab.eval(
        "(() => { const field = document.querySelector('#hands'); field.value = '1'; \
         field.dispatchEvent(new Event('change', { bubbles: true })); })()",
    )
    .await;
    tab.focus(".form-end .btn-primary").await;
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
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        assert!(began.elapsed() < GAME, "the hand does not end");
    }
    tab.wait_for(".note-good", SOON).await;
    pictures(&tab, "play-table-over").await;
    let (key, play) = released(&tab, &run).await;
    let hands = poker::hands(&play);
    let hand = hands.first().expect("a hand was played");
    let own = Seat::new("1");
    let text = before_the_end(&received.so_far());
    assert!(text.contains("\"stage\":\"playing\""), "frames were kept");
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
    assert!(
        seen.is_subset(&followed),
        "cards that were never dealt: {seen:?}"
    );
    tab.assert_clean(server.address());
    let replay = server.url(&format!("/run/{run}/{key}"));
    drop(browser);
    replays_elsewhere(&stage.browser, &replay, server.address(), ".felt").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_a_match_of_trust_with_the_mouse() {
    let Some(stage) = stage("a_person_plays_a_match_of_trust_with_the_mouse").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser
        .open(&server.url("/play?game=trust"), Look::WIDE)
        .await;
    let received = tab.receiving().await;
    tab.wait(
        "the button",
        "document.querySelector('.form-end .btn-primary')?.disabled === false",
        SOON,
    )
    .await;
    // In practice the end of a match is told before the end of the table.
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
