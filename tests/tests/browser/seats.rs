//! Seats at live tables: practice, another tab, a friend, a question, a server that stops.

use super::people::act;
use super::play::{GAME, state, table_of};
use crate::*;

/// What a tab knows of its seat, as an address for another.
async fn link_of(tab: &Tab, run: &str) -> String {
    let ticket = tab
        .eval(&format!("JSON.parse(sessionStorage.getItem('turnwise.seat.{run}')).ticket"))
        .await;
    format!("/play/{run}#ticket={}", ticket.as_str().expect("a ticket"))
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_shows_all_cards_and_a_seat_can_move_to_another_tab() {
    let Some(stage) = stage("practice_shows_all_cards_and_a_seat_can_move_to_another_tab").await
    else {
        return;
    };
    let trial = Trial::plain(&stage);
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
    other.wait_for_text("Somebody sits in this seat", SOON).await;
    pictures(&other, "play-taken").await;
    assert_eq!(other.count(".own-cards").await, 0, "it is only opened yet");
    let is_mine = "!document.body.innerText.includes('Another page')";
    tab.wait("the seat still", is_mine, SOON).await;
    other.click_text("Take the seat").await;
    other.wait_for(".own-cards", SOON).await;
    assert_eq!(other.eval("location.hash").await, json!(""));
    tab.wait_for_text("Another page has taken this seat", SOON).await;
    tab.screenshot("play-taken-over").await;
    tab.click_text("Play here instead").await;
    other.wait_for_text("Another page has taken this seat", SOON).await;
    tab.wait("the seat again", "!document.body.innerText.includes('Another page')", SOON).await;
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
async fn a_seat_outlives_its_page_and_its_browser() {
    let Some(stage) = stage("a_seat_outlives_its_page_and_its_browser").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let ready = "document.querySelector('.form-end .btn-primary')?.disabled === false";
    let tab = browser.open(&server.url(&format!("/play?game={QUESTIONS}")), Look::WIDE).await;
    tab.wait("the button", ready, SOON).await;
    assert_eq!(tab.count("#seats").await, 0, "no game goes on");
    tab.click(".form-end .btn-primary").await;
    let run = table_of(&tab).await;
    act(&tab, "ask", &[("question", "Is it old?")]).await;
    tab.wait_for(".chat > li .chat-came", SOON).await;
    tab.click("#seat-link").await;
    tab.wait_for("#own-link", SOON).await;
    tab.screenshot("seat-link").await;
    let link = tab.eval("document.querySelector('#own-link').value").await;
    let link = link.as_str().expect("a link").to_owned();
    assert!(link.contains(&format!("/play/{run}#ticket=")), "{link}");
    tab.close().await;

    // A new tab has nothing of the old one but what the browser keeps.
    let tab = browser.open(&server.url("/runs"), Look::WIDE).await;
    tab.wait_for("#seats a", SOON).await;
    pictures(&tab, "runs-with-a-seat").await;
    tab.click("#seats a").await;
    assert_eq!(table_of(&tab).await, run);
    tab.wait_for("#say-text:not(:disabled)", SOON).await;
    assert_eq!(tab.count(".chat > li").await, 1, "nothing was lost");
    tab.assert_clean(server.address());

    // Another browser has the link.
    let other = Chromium::start(&stage.browser).await;
    let elsewhere = other.open(&link, Look::WIDE).await;
    elsewhere.click(".btn-primary").await;
    elsewhere.wait_for("#say-text:not(:disabled)", SOON).await;
    assert_eq!(elsewhere.count(".chat > li").await, 1);

    // What is over is not listed.
    let fields = [("answer", "I do not know"), ("confidence", "5")];
    act(&elsewhere, "answer", &fields).await;
    elsewhere.wait_for("#fairness", SOON).await;
    elsewhere.goto(&server.url("/runs")).await;
    elsewhere.wait_for(".run-list > li", SOON).await;
    assert_eq!(elsewhere.count("#seats").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_and_a_friend_is_invited() {
    let Some(stage) = stage("a_question_is_answered_and_a_friend_is_invited").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let server = &trial.server;
    let browser = Chromium::start(&stage.browser).await;
    let ready = "document.querySelector('.form-end .btn-primary')?.disabled === false";
    let tab = browser.open(&server.url(&format!("/play?game={QUESTIONS}")), Look::WIDE).await;
    tab.wait("the button", ready, SOON).await;
    tab.click(".form-end .btn-primary").await;
    table_of(&tab).await;
    tab.wait_for(".say-do [data-action=answer]", SOON).await;
    pictures(&tab, "play-question").await;
    // The rules for people are open; the prompt of a model is folded.
    tab.wait_for("details.rules[open]", SOON).await;
    assert_eq!(tab.count("details.rules[open] li").await, 5);
    assert!(tab.count(".b-prompt").await > 0);
    let folded = "document.querySelector('.b-prompt').closest('details').open === false";
    assert_eq!(tab.eval(folded).await, json!(true));
    tab.focus("#say-text").await;
    tab.write("I do not know").await;
    tab.click_text("Answer").await;
    // Nothing is chosen on the slider, so nothing can be sent; the keyboard moves it.
    tab.wait_for(".pforms .btn-primary:disabled", SOON).await;
    assert_eq!(tab.text(".sure output").await, "not chosen");
    tab.focus("#param-confidence").await;
    tab.press("ArrowLeft").await;
    tab.wait_for_text_in(".sure output", "49 %", SOON).await;
    tab.press("Home").await;
    tab.wait_for_text_in(".sure output", "0 %", SOON).await;
    for _ in 0..10 {
        tab.press("ArrowRight").await;
    }
    tab.wait_for_text_in(".sure output", "10 %", SOON).await;
    tab.click(".pforms .btn-primary").await;
    tab.wait_for("#fairness", SOON).await;
    // In words: what was said, and what is right.
    let verdict = tab.text(".pworld-end h2").await;
    let sentence = "You said I do not know; the right answer is ";
    assert!(verdict.starts_with(&format!("Wrong. {sentence}")), "{verdict}");
    tab.assert_clean(server.address());

    // A match against a friend: the link leads to the other seat.
    tab.goto(&server.url(&format!("/play?game={MATCH}"))).await;
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
    // A person who gets up leaves the seat free, and may sit down again.
    tab.wait_for_text("Waiting for the others to sit down", SOON).await;
    tab.click_text("Leave").await;
    tab.wait_for("#lobby-name", SOON).await;
    tab.wait_for_text("You have left your seat.", SOON).await;
    pictures(&tab, "play-lobby-left").await;
    tab.focus("#lobby-name").await;
    tab.press("Enter").await;
    tab.wait_for_text("Waiting for the others to sit down", SOON).await;
    let link = tab.eval("document.querySelector('#invitation-2').value").await;
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
    // Each sees who the other is.
    tab.wait_for_text("Ada is at the table.", SOON).await;
    // What one has chosen is not shown to the other before both have.
    let sees = friend.receiving().await;
    tab.click(".choice-move.is-d").await;
    tab.wait_for_text("Waiting for the other.", SOON).await;
    tab.wait_for_text_in(".pclock.is-other", "left for them", SOON).await;
    pictures(&tab, "play-waits").await;
    assert_eq!(friend.count(".pclock.is-other").await, 0);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(sees.so_far(), [], "nothing is told before both have chosen");
    friend.press("c").await;
    // One match in ten is over after its first round, and the page of its end says it in a table.
    let told = "['the other defected', 'after 1 round'].some(told => document.body.innerText.includes(told))";
    friend.wait("what both have chosen", told, SOON).await;
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
    assert_eq!(tab.count(".bet-fold:not(:disabled)").await, 0, "nothing could be sent");
    tab.screenshot("play-broken").await;
    // No server goes on with a table; it says so, and what was played is kept.
    trial.server.restart();
    tab.wait_for("#fairness", SOON).await;
    tab.wait_for_text("The server stopped while the table was open.", SOON).await;
}
