//! The page of an episode: what was asked and what is right stands first, a turn is a card, the bar is low, and no key leads away.

use crate::*;

/// How high the page is.
const HEIGHT: &str = "document.documentElement.scrollHeight";

/// How high the bar is.
const BAR: &str = "document.querySelector('.replay').getBoundingClientRect().height";

#[test]
fn ten_turns_of_a_thinking_model_are_a_short_conversation() {
    on_trial_over(Script::default(), async |trial, _upstream| {
        let address =
            "/new?seat.player=model:up/p-thinks&seat.responder=model:up/r&seat.grader=model:up/g";
        let (tab, run) = trial.run(address).await;
        trial.closed(&run).await;

        // The longest episode of at most ten turns.
        let heads = trial.episodes(&run).await;
        let mut longest = (0, trial.first_play(&run).await);
        for head in heads {
            if head.episode != head.episode.its_play() {
                continue;
            }
            let text = trial.transcript(&run, &head.episode).await;
            let turns = text.matches("\"note\":\"turn\"").count();
            if turns <= 10 && turns > longest.0 {
                longest = (turns, head.episode);
            }
        }
        let (_, play) = longest;
        tab.goto(&format!("/run/{run}/{play}")).await;
        tab.wait_for(".seal-verified").await;
        let turns = tab.read::<f64>("document.querySelectorAll('[id^=turn-]').length").await;
        assert!(turns >= 3.0, "an episode of several turns, not of {turns}");
        let height = tab.read::<f64>(HEIGHT).await;
        println!("{turns} turns, {height} px");
        // A page has its own head; what is left is for the turns.
        let most = 900.0 + (4000.0 - 900.0) / 10.0 * turns;
        assert!(height <= most, "{turns} turns take {height} px");

        // The reply is laid out, and nothing of it runs or contacts a server.
        assert_ne!(tab.count(".md strong").await, 0);
        assert_ne!(tab.count(".md li").await, 0);
        assert_eq!(tab.count(".tl-talk img").await, 0);
        assert_eq!(tab.eval("window.ran ?? null").await, Value::Null);
        let folded = "[...document.querySelectorAll('.b-thinking')].every(one => !one.open)";
        assert!(tab.is(folded).await, "thinking is folded");
        pictures(&tab, "episode-conversation").await;

        // The other faces stand in the address, and an address of before still leads there.
        tab.look(Look::WIDE).await;
        tab.click("#tab-sides").await;
        tab.wait_for_query("face=sides").await;
        tab.wait_for(".tl-seen .block").await;
        tab.goto(&format!("/run/{run}/{play}?turn=1&face=raw")).await;
        tab.wait_for(".raw").await;
        tab.click("#tab-proof").await;
        tab.wait_for_text_in("#proof", "Replay verified").await;
        tab.wait_for("#verify").await;

        // The bar is low while it is stuck, on a phone, too.
        for look in [Look::WIDE, PHONE] {
            tab.look(look).await;
            tab.goto(&format!("/run/{run}/{play}?turn=3")).await;
            tab.wait_for(".replay-row").await;
            tab.wait_for(".tl-turn.is-now").await;
            let bar = tab.read::<f64>(BAR).await;
            assert!(bar <= 96.0, "the bar is {bar} px high");
        }
        let path = format!("/run/{run}/{play}");
        tab.look(Look::WIDE).await;
        tab.goto(&path).await;
        words_are_found(&tab, turns).await;
        tab.goto(&path).await;
        hidden_text_stands_beside(&tab).await;
        tab.assert_clean();
    });
}

/// Words that were thought in every turn: they are counted, the turns are marked, and what is folded opens where they stand.
async fn words_are_found(tab: &Tab, turns: f64) {
    tab.wait_for(".seal-verified").await;
    tab.press("/").await;
    let has_focus = "document.activeElement?.id === 'episode-find'";
    tab.wait("the field in focus", has_focus).await;
    tab.write("HALVES weigh").await;
    tab.wait_for_text_in(".replay-found", &format!("{turns} turns")).await;
    assert_eq!(tab.count(".tl-turn.is-found").await as f64, turns);
    assert_eq!(tab.count(".replay .turn.is-found").await as f64, turns);
    pictures(tab, "episode-find").await;
    for turn in [1, 2] {
        tab.press("Enter").await;
        tab.wait(
            "the turn with what was thought",
            &format!(
                "new URLSearchParams(location.search).get('turn') === '{turn}' && \
             document.querySelector('#turn-{turn} .b-thinking')?.open === true"
            ),
        )
        .await;
    }
    for look in [PHONE, Look::WIDE] {
        tab.look(look).await;
        let bar = tab.read::<f64>(BAR).await;
        assert!(bar <= 96.0, "with words in it the bar is {bar} px high");
    }
    tab.press("Escape").await;
    tab.wait(
        "that Escape leaves the field alone",
        &format!("!({has_focus}) && location.search.includes('turn=2')"),
    )
    .await;
    // From the lines of the file the way to a turn leads into the conversation.
    tab.click("#tab-raw").await;
    tab.wait_for(".raw").await;
    tab.click(".replay-find .btn-icon").await;
    tab.wait_for("#turn-1.is-now").await;
    // Other words, which no player said.
    tab.press("/").await;
    tab.write("nobody ever said these words").await;
    tab.wait_for_text_in(".replay-found", "no match").await;
    assert_eq!(tab.count(".is-found").await, 0);
}

/// On a wide page the hidden text stands at the right of the turns, on a narrow one above them.
async fn hidden_text_stands_beside(tab: &Tab) {
    let place = |one: &str, side: &str| {
        format!("document.querySelector('{one}').getBoundingClientRect().{side}")
    };
    let (left, right) = (place("#hidden", "left"), place(".tab-panel", "right"));
    let (bottom, top) = (place("#hidden", "bottom"), place(".tab-panel", "top"));
    let button = "#main .btn[aria-expanded=false]:not([disabled])";
    tab.click(button).await;
    tab.wait_for("#hidden").await;
    assert!(tab.read::<f64>(&left).await >= tab.read::<f64>(&right).await);
    pictures(tab, "episode-hidden").await;
    tab.look(PHONE).await;
    assert!(tab.read::<f64>(&bottom).await <= tab.read::<f64>(&top).await);
    tab.look(Look::WIDE).await;
    tab.click("#tab-sides").await;
    tab.wait_for(".tl-seen .block").await;
    assert!(tab.read::<f64>(&bottom).await <= tab.read::<f64>(&top).await);
}

#[test]
fn keys_of_an_episode_lead_nowhere_and_letters_can_be_off() {
    on_trial(async |trial| {
        let tab = trial.open("/").await;
        let run = samples_played(&trial, &tab).await;
        let play = trial.first_play(&run).await;
        let path = format!("/run/{run}/{play}");

        // What was asked, what was said and what is right.
        tab.goto(&path).await;
        tab.wait_for(".pinned .told-question").await;
        tab.wait_for_text_in(".pinned .verdict", "said").await;

        // Escape leaves no page.
        for address in [path.clone(), format!("/run/{run}"), "/boards".to_owned()] {
            tab.goto(&address).await;
            tab.wait_for("h1").await;
            tab.press("Escape").await;
            tab.press("Escape").await;
            let stays = format!("location.pathname === '{address}'");
            assert!(tab.is(&stays).await, "{address}");
        }

        // After a button that was pressed with the mouse Space plays, and does not press it again.
        tab.goto(&path).await;
        let hidden = "#main .btn[aria-expanded=false]:not([disabled])";
        tab.click(hidden).await;
        tab.wait_for("#hidden").await;
        tab.press(" ").await;
        tab.wait_for_query("turn=").await;
        assert_eq!(tab.count("#hidden").await, 1, "it is still shown");

        // Letters can be switched off, and stay so.
        tab.press("?").await;
        tab.wait_for("dialog[open] #letter-keys").await;
        tab.click("#letter-keys").await;
        tab.press("Escape").await;
        tab.goto(&path).await;
        tab.wait_for(".replay-row").await;
        for key in ["n", "h", "j", "?"] {
            tab.press(key).await;
        }
        let stays = format!("location.pathname === '{path}' && location.search === ''");
        assert!(tab.is(&stays).await, "no letter does anything");
        assert_eq!(tab.count("dialog[open]").await, 0);
        tab.press("ArrowRight").await;
        tab.wait_for_query("turn=").await;

        // Back on the page of the run the focus is on the episode's row.
        tab.goto(&format!("/run/{run}")).await;
        tab.wait_for("#main a.ep").await;
        tab.eval("document.querySelector('#main a.ep').click()").await;
        tab.wait_for(".replay-row").await;
        let path = tab.eval("location.pathname").await;
        tab.click(".crumbs li:last-child a").await;
        tab.wait(
            "the focus on the row",
            &format!("document.activeElement?.getAttribute('href')?.startsWith({path}) === true"),
        )
        .await;
        tab.assert_clean();
    });
}
