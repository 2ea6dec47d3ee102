//! Built worlds over models, in the browser and headless.

use turnwise_made_up::built_tasks;

use crate::whole_set::told_again;
use crate::*;

#[test]
fn built_worlds_give_the_same_transcripts_in_the_browser_and_headless() {
    on_stage(async |stage| {
        const WORLDS: u32 = 60;
        let upstream = Upstream::start(Script {
            seed: 7,
            latency: Duration::from_millis(20),
            faults: Faults::Never,
            key: None,
        })
        .await;

        let tasks = stage.path("data/tasks/paraworld");
        std::fs::create_dir_all(&tasks).expect("a folder can be made");
        let file = tasks.join("made-up-worlds.jsonl");
        std::fs::write(&file, built_tasks(WORLDS, 7)).expect("the worlds can be written");

        let trial = stage
            .with_models(&upstream)
            .with("TURNWISE_PROVIDER_UP_MODELS", "player,engine")
            .start();

        let (tab, run) = trial.run("/new?benchmark=paraworld&tasks=made-up-worlds.jsonl&in-flight=64&seat.player=model:up/player\
                   &seat.engine=model:up/engine&seat.judge=bot:exact").await;
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, WORLDS);
        tab.assert_clean();
        let counts = upstream.counts();
        let calls = |part: &str| counts.parts.get(part).copied().unwrap_or_default();
        // Most worlds are searched several times, and no seat has more calls in flight than it may.
        assert!(calls("player") > 3 * u64::from(WORLDS), "{counts:?}");
        assert!(calls("engine") > u64::from(WORLDS), "{counts:?}");
        assert!((7..=128).contains(&counts.at_once), "{counts:?}");

        let (texts, metrics) = told_again(&trial, &run, Some(&file)).await;
        let plays = texts.keys().filter(|name| name.contains("play")).count();
        assert_eq!(plays, WORLDS as usize);
        let report: Value = trial.json(&format!("/api/runs/{run}/report")).await;
        assert_eq!(metrics["pass_at_1"], report["record"]["pass_at_1"]);
        assert!(metrics["pass_at_1"].is_number(), "{metrics}");
    });
}
