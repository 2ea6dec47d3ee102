//! A human baseline: a host invites a person by a link and does not play; the person reads what is recorded, agrees, and plays;
//! the host publishes the run, whose row says human.

use turnwise_shared::wire::live::{CONSENT, LiveInfo};

use super::people::act;
use crate::*;

#[test]
fn an_invited_person_agrees_plays_and_is_filed_as_human() {
    on_trial(async |trial| {
        // The host chooses to invite, and gets a link in the place of a seat.
        let owner = trial.open(&format!("/play?game={QUESTIONS}")).await;
        startable(&owner).await;
        owner.click("input[name=kind][value=invited]").await;
        let run = seated(&owner).await;
        owner.wait_for("#invitation-player").await;
        pictures(&owner, "invite").await;
        let link = owner.value("#invitation-player").await;

        // The person sees what is recorded; without agreeing they cannot sit down.
        let browser = trial.other_browser().await;
        let person = browser.open_in(PHONE, &link).await;
        person.wait_for("#consent").await;
        person.wait_for_text(CONSENT).await;
        pictures(&person, "consent").await;
        person.look(PHONE).await;
        let button = ".play-lobby form .btn-primary";
        assert_eq!(person.count(&format!("{button}:disabled")).await, 1);
        person.click("#consent").await;
        person.click(button).await;
        let fields = [("answer", "Something else"), ("confidence", "30")];
        act(&person, "answer", &fields).await;
        person.wait_for("#fairness").await;
        person.wait_for_text("Agreed to on").await;
        person.assert_clean();

        // The host sees that it is over, and publishes it.
        let info: LiveInfo = trial.json(&format!("/api/live/{run}")).await;
        let agreed = info.people.values().map(|one| one.agreed.as_ref());
        let words: Vec<_> = agreed.map(|one| one.map(|one| one.to.as_str())).collect();
        assert_eq!(words, [Some(CONSENT)]);
        owner.wait_for("#to-run").await;
        pictures(&owner, "invited-over").await;
        owner.click("#to-run").await;
        assert_eq!(run_of(&owner).await, run);
        owner.click("#publish").await;
        owner.click("#publish-confirm").await;
        owner.wait_for(".seal-human").await;
        owner.assert_clean();
    });
}
