//! Seats at live tables: practice, another tab, a friend, a question, a server that stops.

use super::people::act;
use super::play::{GAME, state, table_of};
use crate::*;

/// What a tab knows of its seat, as an address for another.
async fn link_of(tab: &Tab, run: &str) -> String {
    let ticket: String = tab
        .read(&format!("JSON.parse(sessionStorage.getItem('turnwise.seat.{run}')).ticket"))
        .await;
    format!("/play/{run}#ticket={ticket}")
}

#[test]
fn practice_shows_all_cards_and_a_seat_can_move_to_another_tab() {
    on_trial(async |trial| {
        let tab = trial.open("/play").await;
        let run = seated(&tab).await;
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
                _ => sleep(Duration::from_millis(50)).await,
            }
            assert!(began.elapsed() < GAME, "the hand does not end");
        }
        assert_eq!(tab.count(".felt .pc-back").await, 0, "all cards are shown");
        pictures(&tab, "play-reveal").await;
        tab.press("Enter").await;
        tab.wait_for(".felt .pc-back").await;

        // A reload keeps the seat; no ticket is in the address.
        tab.reload().await;
        tab.wait_for(".own-cards").await;
        assert_eq!(tab.eval("location.hash").await, "");

        // Another tab takes over with the link, and the first says so and can take it back.
        let link = link_of(&tab, &run).await;
        let other = trial.open(&link).await;
        other.wait_for_text("Somebody sits in this seat").await;
        pictures(&other, "play-taken").await;
        assert_eq!(other.count(".own-cards").await, 0, "it is only opened yet");
        tab.wait_for_no_text("Another page").await;
        other.click_text("Take the seat").await;
        other.wait_for(".own-cards").await;
        assert_eq!(other.eval("location.hash").await, "");
        tab.wait_for_text("Another page has taken this seat").await;
        tab.screenshot("play-taken-over").await;
        tab.click_text("Play here instead").await;
        other.wait_for_text("Another page has taken this seat").await;
        tab.wait_for_no_text("Another page").await;
        other.close().await;

        // Leaving for good ends the table of one person, and what was played can be read.
        tab.click_text("Leave").await;
        tab.wait_for("dialog[open]").await;
        tab.screenshot("play-leave").await;
        tab.click("dialog[open] .btn-danger").await;
        tab.wait_for("#fairness").await;
        tab.wait_for_text("Everybody left.").await;
        pictures(&tab, "play-left").await;
        tab.assert_clean();
    });
}

#[test]
fn a_seat_outlives_its_page_and_its_browser() {
    on_trial(async |trial| {
        let tab = trial.open(&format!("/play?game={QUESTIONS}")).await;
        startable(&tab).await;
        assert_eq!(tab.count("#seats").await, 0, "no game goes on");
        let run = seated(&tab).await;
        act(&tab, "ask", &[("question", "Is it old?")]).await;
        tab.wait_for(".chat > li .chat-came").await;
        tab.click("#seat-link").await;
        tab.wait_for("#own-link").await;
        tab.screenshot("seat-link").await;
        let link = tab.value("#own-link").await;
        assert!(link.contains(&format!("/play/{run}#ticket=")), "{link}");
        tab.close().await;

        // A new tab has nothing of the old one but what the browser keeps.
        let tab = trial.open("/runs").await;
        tab.wait_for("#seats a").await;
        pictures(&tab, "runs-with-a-seat").await;
        tab.click("#seats a").await;
        assert_eq!(table_of(&tab).await, run);
        tab.wait_for("#say-text:not(:disabled)").await;
        assert_eq!(tab.count(".chat > li").await, 1, "nothing was lost");
        tab.assert_clean();

        // Another browser has the link.
        let other = trial.other_browser().await;
        let elsewhere = other.open(&link).await;
        elsewhere.click(".btn-primary").await;
        elsewhere.wait_for("#say-text:not(:disabled)").await;
        assert_eq!(elsewhere.count(".chat > li").await, 1);

        // What is over is not listed.
        let fields = [("answer", "I do not know"), ("confidence", "5")];
        act(&elsewhere, "answer", &fields).await;
        elsewhere.wait_for("#fairness").await;
        elsewhere.goto("/runs").await;
        elsewhere.wait_for(".run-list > li").await;
        assert_eq!(elsewhere.count("#seats").await, 0);
    });
}

#[test]
fn a_question_is_answered_and_a_friend_is_invited() {
    on_trial(async |trial| {
        let tab = trial.open(&format!("/play?game={QUESTIONS}")).await;
        seated(&tab).await;
        tab.wait_for(".say-do [data-action=answer]").await;
        pictures(&tab, "play-question").await;
        // The rules for people are open; the prompt of a model is folded.
        tab.wait_for("details.rules[open]").await;
        assert_eq!(tab.count("details.rules[open] li").await, 5);
        assert!(tab.count(".b-prompt").await > 0);
        let folded = "document.querySelector('.b-prompt').closest('details').open === false";
        assert!(tab.is(folded).await);
        tab.focus("#say-text").await;
        tab.write("I do not know").await;
        tab.click_text("Answer").await;
        // Nothing is chosen on the slider, so nothing can be sent; the keyboard moves it.
        tab.wait_for(".pforms .btn-primary:disabled").await;
        assert_eq!(tab.text(".sure output").await, "not chosen");
        tab.focus("#param-confidence").await;
        tab.press("ArrowLeft").await;
        tab.wait_for_text_in(".sure output", "49 %").await;
        tab.press("Home").await;
        tab.wait_for_text_in(".sure output", "0 %").await;
        for _ in 0..10 {
            tab.press("ArrowRight").await;
        }
        tab.wait_for_text_in(".sure output", "10 %").await;
        tab.click(".pforms .btn-primary").await;
        tab.wait_for("#fairness").await;
        // In words: what was said, and what is right.
        let verdict = tab.text(".pworld-end h2").await;
        let sentence = "You said I do not know; the right answer is ";
        assert!(verdict.starts_with(&format!("Wrong. {sentence}")), "{verdict}");
        tab.assert_clean();

        // A match against a friend: the link leads to the other seat.
        tab.goto(&format!("/play?game={MATCH}")).await;
        startable(&tab).await;
        tab.set("#opponent", "person").await;
        let run = seated(&tab).await;
        tab.wait_for("#invitation-2").await;
        pictures(&tab, "play-lobby").await;
        // A person who gets up leaves the seat free, and may sit down again.
        tab.wait_for_text("Waiting for the others to sit down").await;
        tab.click_text("Leave").await;
        tab.wait_for("#lobby-name").await;
        tab.wait_for_text("You have left your seat.").await;
        pictures(&tab, "play-lobby-left").await;
        tab.focus("#lobby-name").await;
        tab.press("Enter").await;
        tab.wait_for_text("Waiting for the others to sit down").await;
        let link = tab.value("#invitation-2").await;
        assert!(link.contains(&run));
        let friends = trial.other_browser().await;
        let friend = friends.open(&link).await;
        friend.enter("#lobby-name", "Ada").await;
        friend.wait_for(".choice-move.is-c").await;
        tab.wait_for(".choice-move.is-c").await;
        // Each sees who the other is.
        tab.wait_for_text("Ada is at the table.").await;
        // What one has chosen is not shown to the other before both have.
        let sees = friend.receiving().await;
        tab.click(".choice-move.is-d").await;
        tab.wait_for_text("Waiting for the other.").await;
        tab.wait_for_text_in(".pclock.is-other", "left for them").await;
        pictures(&tab, "play-waits").await;
        assert_eq!(friend.count(".pclock.is-other").await, 0);
        sleep(Duration::from_millis(500)).await;
        assert_eq!(sees.so_far(), [], "nothing is told before both have chosen");
        friend.press("c").await;
        // One match in ten is over after its first round, and the page of its end says it in a table.
        let told = "['the other defected', 'after 1 round'].some(told => document.body.innerText.includes(told))";
        friend.wait("what both have chosen", told).await;
        friend.assert_clean();
    });
}

#[test]
fn a_broken_line_is_said_and_made_again() {
    on_trial(async |mut trial| {
        let tab = trial.open("/play").await;
        seated(&tab).await;
        tab.wait_for(".own-cards").await;
        trial.server.kill();
        tab.wait_for_text("The connection was lost").await;
        assert_eq!(tab.count(".bet-fold:not(:disabled)").await, 0, "nothing could be sent");
        tab.screenshot("play-broken").await;
        // No server goes on with a table; it says so, and what was played is kept.
        trial.server.restart();
        tab.wait_for("#fairness").await;
        tab.wait_for_text("The server stopped while the table was open.").await;
    });
}
