//! A human baseline: a host invites a person by a link and does not play; the person reads what is recorded, agrees, and plays;
//! the host publishes the run, whose row says human.

use turnwise_shared::wire::live::{CONSENT, LiveInfo};

use super::people::act;
use super::play::table_of;
use crate::*;

const PHONE: Look = Look { scheme: Scheme::Light, width: 390, height: 844 };

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_person_agrees_plays_and_is_filed_as_human() {
    let Some(stage) = stage("an_invited_person_agrees_plays_and_is_filed_as_human").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);

    // The host chooses to invite, and gets a link in the place of a seat.
    let host = Chromium::start(&stage.browser).await;
    let page = trial.server.url(&format!("/play?game={QUESTIONS}"));
    let owner = host.open(&page, Look::WIDE).await;
    let ready = "document.querySelector('.form-end .btn-primary')?.disabled === false";
    owner.wait("the button", ready, SOON).await;
    owner.click("input[name=kind][value=invited]").await;
    owner.click(".form-end .btn-primary").await;
    let run = table_of(&owner).await;
    owner.wait_for("#invitation-player", SOON).await;
    pictures(&owner, "invite").await;
    let link = owner.eval("document.querySelector('#invitation-player').value").await;
    let link = link.as_str().expect("a link").to_owned();

    // The person sees what is recorded; without agreeing they cannot sit down.
    let browser = Chromium::start(&stage.browser).await;
    let person = browser.open(&link, PHONE).await;
    person.wait_for("#consent", SOON).await;
    person.wait_for_text(CONSENT, SOON).await;
    pictures(&person, "consent").await;
    person.look(PHONE).await;
    let button = ".play-lobby form .btn-primary";
    assert_eq!(person.count(&format!("{button}:disabled")).await, 1);
    person.click("#consent").await;
    person.click(button).await;
    let fields = [("answer", "Something else"), ("confidence", "30")];
    act(&person, "answer", &fields).await;
    person.wait_for("#fairness", SOON).await;
    person.wait_for_text("Agreed to on", SOON).await;
    person.assert_clean(trial.server.address());

    // The host sees that it is over, and publishes it.
    let info: LiveInfo = asking.json(&format!("/api/live/{run}")).await;
    let agreed = info.people.values().map(|one| one.agreed.as_ref());
    let words: Vec<_> = agreed.map(|one| one.map(|one| one.to.as_str())).collect();
    assert_eq!(words, [Some(CONSENT)]);
    owner.wait_for("#to-run", SOON).await;
    pictures(&owner, "invited-over").await;
    owner.click("#to-run").await;
    assert_eq!(run_of(&owner).await, run);
    owner.wait_for("#publish", SOON).await;
    owner.click("#publish").await;
    owner.wait_for("#publish-confirm", SOON).await;
    owner.click("#publish-confirm").await;
    owner.wait_for(".seal-human", SOON).await;
    owner.assert_clean(trial.server.address());
}
