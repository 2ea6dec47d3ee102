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
const GAME: Duration = Duration::from_secs(120);

/// What the page shows now.
const STATE: &str = "document.querySelector('.section #fairness') ? 'over' : \
     document.querySelector('.bet-next') ? 'next' : \
     document.querySelector('.bet-fold:not(:disabled), .choice-move.is-c:not(:disabled)') ? 'asked' : 'waits'";

async fn state(tab: &Tab) -> String {
    let state = tab.eval(STATE).await;
    state.as_str().expect("a word").to_owned()
}

/// The id of the table that a tab shows.
async fn table_of(tab: &Tab) -> String {
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
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[]);
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
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[]);
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

/// What a tab knows of its seat, as an address for another.
async fn link_of(tab: &Tab, run: &str) -> String {
    let ticket = tab
        .eval(&format!(
            "JSON.parse(sessionStorage.getItem('turnwise.seat.{run}')).ticket"
        ))
        .await;
    format!("/play/{run}#ticket={}", ticket.as_str().expect("a ticket"))
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_shows_all_cards_and_a_seat_can_move_to_another_tab() {
    let Some(stage) = stage("practice_shows_all_cards_and_a_seat_can_move_to_another_tab").await
    else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[]);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser.open(&server.url("/play"), Look::WIDE).await;
    tab.wait(
        "the button",
        "document.querySelector('.form-end .btn-primary')?.disabled === false",
        SOON,
    )
    .await;
    tab.click(".form-end .btn-primary").await;
    let run = table_of(&tab).await;
    // The first hand is given up at once, or won without a decision.
    let began = Instant::now();
    loop {
        match state(&tab).await.as_str() {
            "next" => break,
            "asked" => {
                tab.press("f").await;
                // Where checking is free it is asked again.
                if tab.count(".bet-sure").await > 0 {
                    tab.click_text("Yes").await;
                }
            }
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        assert!(began.elapsed() < GAME, "the hand does not end");
    }
    assert_eq!(tab.count(".felt .pc-back").await, 0, "all cards are shown");
    pictures(&tab, "play-reveal").await;
    tab.press("Enter").await;
    tab.wait_for(".felt .pc-back", SOON).await;

    // A reload keeps the seat; no ticket is in the address.
    tab.reload().await;
    tab.wait_for(".own-cards", SOON).await;
    assert_eq!(tab.eval("location.hash").await, json!(""));

    // Another tab takes over with the link, and the first says so and can take it back.
    let link = link_of(&tab, &run).await;
    let other = browser.open(&server.url(&link), Look::WIDE).await;
    other.wait_for(".own-cards", SOON).await;
    assert_eq!(other.eval("location.hash").await, json!(""));
    tab.wait_for_text("Another page has taken this seat", SOON)
        .await;
    tab.screenshot("play-taken-over").await;
    tab.click_text("Play here instead").await;
    other
        .wait_for_text("Another page has taken this seat", SOON)
        .await;
    tab.wait(
        "the seat again",
        "!document.body.innerText.includes('Another page')",
        SOON,
    )
    .await;
    other.close().await;

    // Leaving for good ends the table of one person, and what was played can be read.
    tab.click_text("Leave").await;
    tab.wait_for("dialog[open]", SOON).await;
    tab.screenshot("play-leave").await;
    tab.click("dialog[open] .btn-danger").await;
    tab.wait_for("#fairness", SOON).await;
    tab.wait_for_text("Everybody left.", SOON).await;
    pictures(&tab, "play-left").await;
    tab.assert_clean(server.address());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_and_a_friend_is_invited() {
    let Some(stage) = stage("a_question_is_answered_and_a_friend_is_invited").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[]);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let ready = "document.querySelector('.form-end .btn-primary')?.disabled === false";
    let tab = browser
        .open(&server.url("/play?game=interactcomp"), Look::WIDE)
        .await;
    tab.wait("the button", ready, SOON).await;
    tab.click(".form-end .btn-primary").await;
    table_of(&tab).await;
    tab.wait_for(".pforms .seg button", SOON).await;
    pictures(&tab, "play-question").await;
    tab.click_text("answer").await;
    tab.focus("#param-answer").await;
    tab.write("I do not know").await;
    tab.focus("#param-confidence").await;
    tab.write("10").await;
    tab.click(".pforms .btn-primary").await;
    tab.wait_for("#fairness", SOON).await;
    tab.assert_clean(server.address());

    // A match against a friend: the link leads to the other seat.
    tab.goto(&server.url("/play?game=trust")).await;
    tab.wait("the button", ready, SOON).await;
    tab.eval(
        "(() => { const list = document.querySelector('#opponent'); list.value = 'person'; \
         list.dispatchEvent(new Event('change', { bubbles: true })); })()",
    )
    .await;
    tab.click(".form-end .btn-primary").await;
    let run = table_of(&tab).await;
    tab.wait_for("#invitation-2", SOON).await;
    pictures(&tab, "play-lobby").await;
    let link = tab
        .eval("document.querySelector('#invitation-2').value")
        .await;
    let link = link.as_str().expect("a link").to_owned();
    assert!(link.contains(&run));
    let friends = Chromium::start(&stage.browser).await;
    let friend = friends.open(&link, Look::WIDE).await;
    friend.wait_for("#lobby-name", SOON).await;
    friend.focus("#lobby-name").await;
    friend.write("Ada").await;
    friend.press("Enter").await;
    friend.wait_for(".choice-move.is-c", SOON).await;
    tab.wait_for(".choice-move.is-c", SOON).await;
    // What one has chosen is not shown to the other before both have.
    let sees = friend.receiving().await;
    tab.click(".choice-move.is-d").await;
    tab.wait_for_text("Waiting for the other.", SOON).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(sees.so_far(), [], "nothing is told before both have chosen");
    friend.press("c").await;
    friend.wait_for_text("the other defected", SOON).await;
    friend.assert_clean(server.address());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_line_is_said_and_made_again() {
    let Some(stage) = stage("a_broken_line_is_said_and_made_again").await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut trial = Trial::start(&stage, folder, &[]);
    let browser = Chromium::start(&stage.browser).await;
    let tab = browser.open(&trial.server.url("/play"), Look::WIDE).await;
    tab.wait(
        "the button",
        "document.querySelector('.form-end .btn-primary')?.disabled === false",
        SOON,
    )
    .await;
    tab.click(".form-end .btn-primary").await;
    table_of(&tab).await;
    tab.wait_for(".own-cards", SOON).await;
    trial.server.kill();
    tab.wait_for_text("The connection was lost", SOON).await;
    assert_eq!(
        tab.count(".bet-fold:not(:disabled)").await,
        0,
        "nothing could be sent"
    );
    tab.screenshot("play-broken").await;
    // No server goes on with a table; it says so, and what was played is kept.
    trial.server.restart();
    tab.wait_for("#fairness", SOON).await;
    tab.wait_for_text("The server stopped while the table was open.", SOON)
        .await;
}
