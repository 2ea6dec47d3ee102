//! Built worlds over models, in the browser and headless.

use turnwise_made_up::built_tasks;
use turnwise_shared::wire::RunState;
use turnwise_tests::run_files::{assert_same, transcripts};

use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn built_worlds_give_the_same_transcripts_in_the_browser_and_headless() {
    let Some(stage) =
        stage("built_worlds_give_the_same_transcripts_in_the_browser_and_headless").await
    else {
        return;
    };
    const WORLDS: u32 = 60;
    let upstream = Upstream::start(Script {
        seed: 7,
        latency: Duration::from_millis(20),
        faults: Faults::Never,
        key: None,
    })
    .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = data_of(&folder).join("tasks/paraworld");
    std::fs::create_dir_all(&tasks).expect("a folder can be made");
    let file = tasks.join("made-up-worlds.jsonl");
    std::fs::write(&file, built_tasks(WORLDS, 7)).expect("the worlds can be written");
    let url = upstream.base_url();
    let trial = Trial::start(
        &stage,
        folder,
        &[
            ("TURNWISE_PROVIDER_UP_BASE_URL", &url),
            ("TURNWISE_PROVIDER_UP_MODELS", "player,engine"),
        ],
    );
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?benchmark=paraworld&tasks=made-up-worlds.jsonl&in-flight=64&seat.player=model:up/player\
                   &seat.engine=model:up/engine&seat.judge=bot:exact";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let info = asking.wait(&run, "the worlds", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, WORLDS));
    tab.assert_clean(trial.server.address());
    let counts = upstream.counts();
    let calls = |part: &str| counts.parts.get(part).copied().unwrap_or_default();
    // Most worlds are searched several times, and no seat has more calls in flight than it may.
    assert!(calls("player") > 3 * u64::from(WORLDS), "{counts:?}");
    assert!(calls("engine") > u64::from(WORLDS), "{counts:?}");
    assert!((7..=128).contains(&counts.at_once), "{counts:?}");

    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    let plays = texts.keys().filter(|name| name.contains("play")).count();
    assert_eq!(plays, WORLDS as usize);
    let again = trial.path("again");
    turnwise(
        &stage.program,
        &[
            "run",
            "--redrive",
            &recorded.to_string_lossy(),
            "--tasks",
            &file.to_string_lossy(),
            "--out",
            &again.to_string_lossy(),
        ],
    );
    assert_same(&texts, &transcripts(&again));
    let metrics: Value = serde_json::from_str(&turnwise(
        &stage.program,
        &["metrics", &again.to_string_lossy(), "--json"],
    ))
    .expect("JSON");
    let report: Value = asking.json(&format!("/api/runs/{run}/report")).await;
    assert_eq!(metrics["pass_at_1"], report["record"]["pass_at_1"]);
    assert!(metrics["pass_at_1"].is_number(), "{metrics}");
    tab.close().await;
}
