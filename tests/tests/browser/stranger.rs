//! A stranger with a phone, from the first page to a branch of their own: finds the board, opens the run that is verified there,
//! replays an episode, verifies it, takes over at a turn, and shares the branch.

use turnwise_tests::house::{Address, House};

use super::people::act;
use crate::*;

const PHONE: Look = Look { scheme: Scheme::Dark, width: 390, height: 844 };

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_on_a_phone_goes_from_the_board_to_a_branch_of_their_own() {
    let Some(stage) =
        stage("a_stranger_on_a_phone_goes_from_the_board_to_a_branch_of_their_own").await
    else {
        return;
    };
    let house = House::start(Address::OwnHost).await;
    let asking = Asking::new(&house.server);
    let (published, admission) = house.published(2).await;
    assert_eq!(admission.entry.tier, EvidenceTier::Verified);

    // Finds the board, and on it the run.
    let chromium = Chromium::start(&stage.browser).await;
    let page = format!("http://{}/", house.server.address());
    let tab = chromium.open(&page, PHONE).await;
    let card = "#home-boards a.board-card:not([href*='paper-'])";
    tab.wait_for(card, SOON).await;
    tab.click(card).await;
    let row = format!("#board-rows a[href='/run/{}']", published.run);
    tab.wait_for(&row, SOON).await;
    tab.wait_for("#board-rows .seal-verified", SOON).await;
    pictures(&tab, "stranger-board").await;
    tab.look(PHONE).await;
    tab.click(&row).await;

    // Opens it, and in it an episode.
    assert_eq!(run_of(&tab).await, published.run.as_str());
    tab.wait_for("a.ep", SOON).await;
    tab.click("a.ep").await;
    tab.wait_for(".tl-turn", SOON).await;

    // Replays it from the first turn to the last, by itself.
    let ribbon = ".replay .ribbon li";
    let several = format!("document.querySelectorAll('{ribbon}').length > 1");
    tab.wait("its turns", &several, SOON).await;
    let turns = tab.count(ribbon).await;
    tab.click(".replay-steps button:nth-child(1)").await;
    tab.wait("the first turn", "location.search.includes('turn=1')", SOON).await;
    tab.click(".replay-steps button:nth-child(3)").await;
    let last = format!("location.search.includes('turn={turns}')");
    tab.wait("the last turn", &last, SOON).await;

    // Verifies it here, far down in the page; a button in its head leads there.
    tab.click("#to-verify").await;
    tab.wait(
        "the button in sight and in focus",
        "(() => { const button = document.querySelector('#verify'); const place = button?.getBoundingClientRect(); \
         return button !== null && document.activeElement === button && place.top >= 0 && place.bottom <= innerHeight; })()",
        SOON,
    )
    .await;
    tab.click("#verify").await;
    tab.wait_for("#verified .note-good", SOON).await;
    pictures(&tab, "stranger-verified").await;
    tab.look(PHONE).await;

    // Takes over at the last turn, and answers.
    tab.click("#take-over").await;
    tab.wait_for("#take-begin", SOON).await;
    tab.click("#take-begin").await;
    tab.wait_for("#branch-note", SOON).await;
    let branch = run_after(&tab, published.run.as_str()).await;
    let fields = [("answer", "Nothing of the kind"), ("confidence", "20")];
    act(&tab, "answer", &fields).await;
    let info: RunInfo =
        asking.wait(&branch, "the branch", |info| info.state == RunState::Closed).await;
    let of = info.branch_of.expect("it names its parent");
    assert_eq!((of.run, u64::from(of.turn)), (published.run, turns));

    // Shares it; the link opens in another browser.
    tab.click("#branch-episode").await;
    tab.wait_for("#changed", SOON).await;
    tab.click("#share").await;
    tab.wait_for("#share-link", SOON).await;
    let link = tab.eval("document.querySelector('#share-link').value").await;
    let link = link.as_str().expect("a link").to_owned();
    assert!(link.contains(&branch), "{link}");
    tab.assert_clean(&house.server.address());
    let other = Chromium::start(&stage.browser).await;
    let tab = other.open(&link, PHONE).await;
    tab.wait_for_text("Nothing of the kind", SOON).await;
    tab.assert_clean(&house.server.address());
}
