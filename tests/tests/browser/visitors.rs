//! A visitor without the access token on a server that wants one: reads, and goes on from a turn by themselves.

use super::people::act;
use super::play::state;
use crate::*;

const TOKEN: &str = "0123456789abcdef-access";

const PHONE: Look = Look { scheme: Scheme::Dark, width: 390, height: 844 };

/// A page of the owner, who has the access token.
async fn of_owner(owner: &Chromium) -> Tab {
    let tab = owner.open("/connections").await;
    tab.wait_for("h1").await;
    tab.eval(&format!("localStorage.setItem('turnwise.access', '{TOKEN}')")).await;
    tab
}

#[test]
fn a_visitor_goes_on_without_the_access_token_where_that_costs_nothing() {
    on_stage(async |stage| {
        let trial = stage.with("TURNWISE_ACCESS_TOKEN", TOKEN).start();
        let owner = trial.other_browser().await;
        let tab = of_owner(&owner).await;
        tab.goto("/").await;
        let parent = samples_played(&trial, &tab).await;
        let episode = trial.first_play(&parent).await;
        drop(tab);
        drop(owner);

        // The first page says what is whose, and shows no error.
        let visitor = trial.other_browser().await;
        let tab = visitor.open_in(PHONE, "/").await;
        tab.wait_for("#home-visitors a[href='/boards']").await;
        assert_eq!(tab.count("[role=alert]").await, 0);
        assert_eq!(tab.count("#run-samples").await, 1, "the samples cost nothing");
        pictures(&tab, "home-visitor").await;
        tab.look(PHONE).await;

        // Goes on from a turn.
        tab.goto(&format!("/run/{parent}/{episode}?turn=2")).await;
        tab.wait_for_text("Take over from turn 2").await;
        tab.click("#take-over").await;
        tab.wait_for("#take-free").await;
        assert_eq!(tab.count("#take-listed").await, 0, "it cannot be listed");
        let models = "document.querySelectorAll(\"#take-who option[value^='model:']\").length";
        assert_eq!(tab.eval(models).await, 0, "they cannot be paid");
        pictures(&tab, "take-over-visitor").await;
        tab.look(PHONE).await;
        let branch = branched(&tab, &parent).await;
        act(&tab, "answer", &[("answer", "Nothing at all"), ("confidence", "20")]).await;

        let info = trial.closed(&branch).await;
        assert!(info.is_visitors && info.finished == 1, "{info:?}");

        // Forms say what can be started without the token; what needs it cannot be sent.
        for page in ["/new", "/play"] {
            tab.goto(page).await;
            tab.wait_for("#gate #gate-token").await;
            tab.wait_for_text_in("#gate", "take over any shared episode").await;
            tab.wait_for_text_in("#gate", "without an access token").await;
            startable(&tab).await;
        }
        tab.click("input[name=kind][value=rated]").await;
        tab.wait_for(".form-end .btn-primary:disabled").await;
        tab.wait_for_text_in("#gate", "not for practice").await;
        tab.goto("/new?cap-calls=500").await;
        tab.wait_for_text_in("details:has(#cap-calls) > summary", "budget 500 calls").await;
        pictures(&tab, "new-gate").await;
        tab.look(PHONE).await;

        tab.wait_for(".form-end .btn-primary:disabled").await;
        tab.wait_for_text_in(".form-end", "at the top of this page").await;

        // It is listed on the first page of this browser, and nowhere else.
        tab.goto("/").await;
        tab.wait_for(&format!(".run-name a[href='/run/{branch}']")).await;

        // A visitor who is given the token enters it there, and goes on with what was chosen.
        tab.goto("/new?first=2").await;
        tab.enter("#gate-token", "not-the-token-at-all").await;
        tab.wait_for_text_in("#gate", "not this server's access token").await;
        tab.eval("document.querySelector('#gate-token').select()").await;
        tab.write(TOKEN).await;
        tab.press("Enter").await;
        tab.wait_gone("#gate").await;
        tab.wait_for(".form-end .btn-primary:enabled").await;
        assert_eq!(tab.eval("location.search").await, "?first=2");
    });
}

#[test]
fn a_visitor_runs_the_samples_and_plays_a_bot() {
    on_stage(async |stage| {
        let trial = stage.with("TURNWISE_ACCESS_TOKEN", TOKEN).start();

        let tab = trial.open("/").await;
        tab.click("#run-samples").await;
        let run = run_of(&tab).await;

        let info = trial.closed(&run).await;
        assert!(info.is_visitors && info.finished == info.episodes, "{info:?}");
        tab.wait_for(".figures dd").await;

        // A hand against the built-in players.
        tab.goto("/play").await;
        let table = seated(&tab).await;
        let began = Instant::now();
        while state(&tab).await != "next" {
            if state(&tab).await == "asked" {
                tab.press("f").await;
                if tab.count(".bet-sure").await > 0 {
                    tab.click_text("Yes").await;
                }
            }
            assert!(began.elapsed() < SOON * 4, "the hand does not end");
            sleep(Duration::from_millis(50)).await;
        }
        // Until the table is over nothing of its run is shown.
        tab.click_text("Leave").await;
        tab.wait_for("dialog[open]").await;
        tab.click("dialog[open] .btn-danger").await;
        tab.wait_for("#fairness").await;
        let info = trial.info(&table).await;
        assert!(info.is_visitors, "{info:?}");
        tab.assert_clean();
    });
}

#[test]
fn a_visitor_compares_the_runs_of_an_address() {
    on_stage(async |stage| {
        let trial = stage.with("TURNWISE_ACCESS_TOKEN", TOKEN).start();
        let owner = trial.other_browser().await;
        let tab = of_owner(&owner).await;

        let mut runs = Vec::new();
        for player in ["bot:asks-by-rule", "bot:answer-only"] {
            let address = format!("/new?first=4&seat.player={player}");
            tab.goto(&address).await;
            let run = started(&tab).await;
            trial.closed(&run).await;
            runs.push(run);
        }
        drop(tab);
        drop(owner);

        let visitor = trial.other_browser().await;
        let address = format!("/compare?runs={}", runs.join(","));
        let tab = visitor.open(&address).await;
        tab.wait_for("#sides-head").await;
        for player in ["asks-by-rule", "answer-only"] {
            tab.wait_for_text(player).await;
        }
        assert_eq!(tab.count("[aria-busy=true]").await, 0, "nothing is awaited");
        assert_eq!(tab.count("[role=alert]").await, 0, "nothing is wrong");
        assert_eq!(tab.count("#pick").await, 0, "the list is not for visitors");
        assert!(!tab.text(".lede").await.contains("Tick"), "nothing to tick");
        pictures(&tab, "compare-visitor").await;

        // Without runs in the address there is nothing to be ticked, and it says what can be done.
        tab.goto("/compare").await;
        tab.wait_for_text("Name two runs or more in the address").await;
    });
}
