//! Sealed tasks in a browser: a model plays them, a person plays them, their pages are read, and of all that the browser receives
//! nothing holds what is hidden.

use turnwise_shared::transcript;

use super::people::act;
use crate::*;

/// It stands in every hidden field.
const MARK: &str = "MARKED-AS-HIDDEN";
/// A scripted responder says this now and then.
const SAID: &str = "The context says otherwise";
const SET: &str = "house-test.jsonl";
const TASKS: u32 = 4;

fn put_set_into(stage: &Stage) {
    let row = |id: u32| {
        let row = json!({
            "id": id, "domain": "Made up", "question": format!("Which door is meant in house number {id}?"),
            "context": format!("{MARK}: it is the green one."), "answer": format!("{MARK} green"),
            "aliases": [format!("{MARK} emerald")],
        });
        format!("{row}\n")
    };
    let folder = stage.path("data/tasks").join(QUESTIONS);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let rows: String = (1..=TASKS).map(row).collect();
    std::fs::write(folder.join(SET), rows).expect("the tasks can be written");
}

/// Nothing hidden came in, and nothing stands in the page.
async fn is_tight(tab: &Tab, received: &[Piece]) {
    assert!(received.len() > 5, "something was received");
    let page: String = tab.read("document.documentElement.outerHTML").await;
    for hidden in [MARK, SAID] {
        for piece in received {
            assert!(!piece.text.contains(hidden), "{hidden} from {:?}", piece.url);
        }
        assert!(!page.contains(hidden), "{hidden} stands in the page");
    }
}

#[test]
fn a_browser_is_told_nothing_of_sealed_tasks() {
    on_stage(async |stage| {
        let upstream = Upstream::start(Script::default()).await;

        put_set_into(&stage);
        let trial = stage.with_models(&upstream).with("TURNWISE_SEALED", SET).start();

        // A model plays.
        let address = format!(
            "/new?tasks={SET}&in-flight=4&seat.player=model:up/p&seat.responder=model:up/r&seat.grader=model:up/g"
        );
        let tab = trial.open("/").await;
        let received = tab.receiving().await;
        tab.goto(&address).await;
        tab.wait_for("#sealed-set").await;
        pictures(&tab, "new-sealed").await;
        let run = started(&tab).await;
        trial.closed(&run).await;
        let heads = trial.episodes(&run).await;
        assert!(heads.len() > TASKS as usize, "episodes and gradings: {heads:?}");
        let mut withheld = 0;
        for head in &heads {
            let text = trial.transcript(&run, &head.episode).await;
            let part = transcript::read(&text).expect("a sound transcript");
            for event in part.events.iter().flatten() {
                if let Event::Told { reply, .. } = event
                    && let Some(said) = said(reply)
                {
                    withheld += usize::from(said.withheld.is_some());
                }
            }
        }
        assert!(withheld > TASKS as usize, "{withheld}");
        let parts = upstream.counts().parts;
        assert!(parts["responder"] > 0 && parts["grader"] > 0, "{parts:?}");

        // Its pages are read.
        tab.reload().await;
        let play = heads[0].episode.its_play();
        tab.goto(&format!("/run/{run}/{play}")).await;
        tab.wait_for("#sealed").await;
        tab.wait_for_text("Replay verified").await;
        pictures(&tab, "episode-sealed").await;
        // Long blocks are filled once they are open.
        // What lies in another one is there once that is open.
        let filled = "(() => { const blocks = [...document.querySelectorAll('details.block')]; \
                  document.querySelectorAll('details').forEach(one => one.open = true); return blocks.length > 0 && blocks.every(one => one.open && one.children.length > 1); })()";
        tab.wait("the blocks are filled", filled).await;
        is_tight(&tab, &received.so_far()).await;

        // A person plays.
        tab.goto(&format!(
        "/new?tasks={SET}&first=1&seat.player=person&seat.responder=model:up/r&seat.grader=bot:exact"
    )).await;
        tab.wait_for("#sealed-set").await;
        let run = started(&tab).await;
        act(&tab, "ask", &[("question", "Is it the green one?")]).await;
        // The next question is another one: its form is empty.
        tab.wait_for_value("#say-text", "").await;
        tab.wait_for_count(".chat > li .chat-came", 1).await;
        let answer = [("answer", "the green one"), ("confidence", "50")];
        act(&tab, "answer", &answer).await;
        trial.closed(&run).await;
        tab.goto(&format!("/run/{run}/1.r1.play?turn=2")).await;
        tab.wait_for("#sealed").await;
        tab.wait_for_text("Replay verified").await;
        is_tight(&tab, &received.so_far()).await;

        // It is gone on with from the second turn, and checked.
        tab.wait_for_text("Take over from turn 2").await;
        tab.click("#take-over").await;
        let branch = branched(&tab, &run).await;
        let answer = [("answer", "another one"), ("confidence", "10")];
        act(&tab, "answer", &answer).await;
        trial.closed(&branch).await;
        tab.click("#branch-episode").await;
        tab.wait_for("#changed").await;
        tab.wait_for_text("another one").await;
        tab.wait_for_text("Replay verified").await;
        verified(&tab, "those of the other episode").await;
        let found = tab.text("#verified").await;
        assert!(found.contains("every line is the same"), "{found}");
        pictures(&tab, "branch-sealed").await;
        is_tight(&tab, &received.so_far()).await;
        tab.assert_clean();
    });
}

fn said(reply: &turnwise_shared::effect::Reply) -> Option<&turnwise_shared::prompt::Said> {
    match reply {
        turnwise_shared::effect::Reply::Said(said) => Some(said),
        _ => None,
    }
}
