//! A stranger with a phone, from the first page to a branch of their own: finds the board, opens the run that is verified there,
//! replays an episode, verifies it, takes over at a turn, and shares the branch.

use turnwise_tests::house::{Address, House};

use super::people::act;
use crate::*;

const PHONE: Look = Look { scheme: Scheme::Dark, width: 390, height: 844 };

#[test]
fn a_stranger_on_a_phone_goes_from_the_board_to_a_branch_of_their_own() {
    on_stage(async |stage| {
        let house = House::start(Address::OwnHost).await;
        let asking = Asking::new(&house.server);
        let (published, admission) = house.published(2).await;
        assert_eq!(admission.entry.tier, EvidenceTier::Verified);

        // Finds the board, and on it the run.
        let chromium = stage.browser(&house.server).await;

        let tab = chromium.open_in(PHONE, "/").await;
        let card = "#home-boards a.board-card:not([href*='paper-'])";
        tab.click(card).await;
        let row = format!("#board-rows a[href='/run/{}']", published.run);
        tab.wait_for(&row).await;
        tab.wait_for("#board-rows .seal-verified").await;
        pictures(&tab, "stranger-board").await;
        tab.look(PHONE).await;
        tab.click(&row).await;

        // Opens it, and in it an episode.
        assert_eq!(run_of(&tab).await, published.run.as_str());
        tab.click("a.ep").await;
        tab.wait_for(".tl-turn").await;

        // Replays it from the first turn to the last, by itself.
        let ribbon = ".replay .ribbon li";
        tab.wait("its turns", &format!("document.querySelectorAll('{ribbon}').length > 1")).await;
        let turns = tab.count(ribbon).await;
        tab.click(".replay-steps button:nth-child(1)").await;
        tab.wait_for_query("turn=1").await;
        tab.click(".replay-steps button:nth-child(3)").await;
        let last = format!("location.search.includes('turn={turns}')");
        tab.wait("the last turn", &last).await;

        // Verifies it here, far down in the page; a button in its head leads there.
        tab.click("#to-verify").await;
        tab.wait(
        "the button in sight and in focus",
        "(() => { const button = document.querySelector('#verify'); const place = button?.getBoundingClientRect(); \
         return button !== null && document.activeElement === button && place.top >= 0 && place.bottom <= innerHeight; })()")
    .await;
        tab.click("#verify").await;
        tab.wait_for("#verified .note-good").await;
        pictures(&tab, "stranger-verified").await;
        tab.look(PHONE).await;

        // Takes over at the last turn, and answers.
        tab.click("#take-over").await;
        tab.click("#take-begin").await;
        tab.wait_for("#branch-note").await;
        let branch = run_after(&tab, published.run.as_str()).await;
        let fields = [("answer", "Nothing of the kind"), ("confidence", "20")];
        act(&tab, "answer", &fields).await;
        let info = asking.closed(&branch).await;
        let of = info.branch_of.expect("it names its parent");
        assert_eq!((of.run, u64::from(of.turn)), (published.run, turns));

        // Shares it; the link opens in another browser.
        tab.click("#branch-episode").await;
        tab.wait_for("#changed").await;
        tab.click("#share").await;
        tab.wait_for("#share-link").await;
        let link = tab.value("#share-link").await;
        assert!(link.contains(&branch), "{link}");
        tab.assert_clean();
        let other = stage.browser(&house.server).await;
        let tab = other.open_in(PHONE, &link).await;
        tab.wait_for_text("Nothing of the kind").await;
        tab.assert_clean();
    });
}
