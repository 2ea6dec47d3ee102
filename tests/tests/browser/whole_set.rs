//! The whole set of 210 tasks, over models and over bots, in the browser and headless.

use std::collections::BTreeMap;

use turnwise_shared::wire::RunState;
use turnwise_tests::run_files::{assert_same, transcripts};

use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn models_behind_a_service_that_fails_now_and_then_play_the_whole_set() {
    let Some(stage) =
        stage("models_behind_a_service_that_fails_now_and_then_play_the_whole_set").await
    else {
        return;
    };
    let upstream = Upstream::start(Script {
        seed: 7,
        latency: Duration::from_millis(120),
        faults: Faults::Share(0.02, Fault::USUAL),
        key: Some("a-key-of-no-account".to_owned()),
    })
    .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = Tasks::put_into(&data_of(&folder));
    let url = upstream.base_url();
    let trial = Trial::start(
        &stage,
        folder,
        &[
            ("TURNWISE_PROVIDER_UP_BASE_URL", &url),
            ("TURNWISE_PROVIDER_UP_API_KEY", "a-key-of-no-account"),
            ("TURNWISE_PROVIDER_UP_MODELS", "player,responder,grader"),
        ],
    );
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = format!(
        "/new?benchmark={QUESTIONS}&tasks={}&in-flight=64&seat.grader=model:up/grader&seat.player=model:up/player\
         &seat.responder=model:up/responder",
        tasks.name
    );
    let tab = chromium.open("about:blank", Look::WIDE).await;
    tab.note_workers().await;
    tab.goto(&trial.server.url(&address)).await;
    start(&tab).await;
    let run = run_of(&tab).await;

    let began = Instant::now();
    let info = asking.wait(&run, "the whole set", |info| info.state.is_over()).await;
    let took = began.elapsed();
    assert_eq!((info.state, info.finished, info.episodes), (RunState::Closed, 210, 210));
    let counts = upstream.counts();
    println!("210 tasks in {took:.1?}; {counts:?}");
    // More than the six connections that a browser would have opened, and never more than was allowed.
    assert!((7..=64).contains(&counts.at_once), "{counts:?}");
    for fault in Fault::USUAL {
        assert!(counts.faults.contains_key(fault), "{fault:?} never happened: {counts:?}");
    }

    // The page shows what the server computed, once it has drawn the last grading.
    let accuracy = format!("{:.1}", 100.0 * info.accuracy.expect("all is graded"));
    let shows = format!("document.querySelector('.figures')?.innerText.includes('{accuracy}')");
    tab.wait("the accuracy of the whole set", &shows, SOON).await;
    // While it was driven they were counted beside the page, by one worker: it says that it listens, then its reports.
    let answers = tab.workers().await;
    assert!(answers.len() == 1 && answers[0] >= 2, "{answers:?}");
    tab.assert_clean(trial.server.address());

    // The native driver tells the recorded replies again.
    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    assert!(texts.len() > 300, "210 episodes and their gradings, not {}", texts.len());
    let again = trial.path("again");
    let file = tasks.file.to_string_lossy();
    turnwise(
        &stage.program,
        &[
            "run",
            "--redrive",
            &recorded.to_string_lossy(),
            "--tasks",
            &file,
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
    assert_eq!(metrics["n"], json!(210));
    assert_eq!(metrics["accuracy"].as_f64(), info.accuracy);
    tab.close().await;
}

/// The figures of a report by name, as the server and the command line both give them.
fn figures(record: &Value) -> BTreeMap<String, Value> {
    let ours = [
        "n",
        "accuracy",
        "accuracy_std",
        "accuracy_interval",
        "calibration_error",
        "round",
        "ir_micro",
        "ir_macro",
        "iround",
        "by_domain",
        "by_language",
        "outcomes",
    ];
    ours.into_iter().map(|name| (name.to_owned(), record[name].clone())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_the_whole_set_alike_in_the_browser_and_headless() {
    let Some(stage) = stage("bots_play_the_whole_set_alike_in_the_browser_and_headless").await
    else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = Tasks::put_into(&data_of(&folder));
    let trial = Trial::start(&stage, folder, &[]);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address =
        format!("/new?benchmark={QUESTIONS}&tasks={}&in-flight=64&search=local", tasks.name);
    let tab = chromium.open(&trial.server.url(&address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let info = asking.wait(&run, "the whole set", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 210));
    tab.wait(
        "the headline",
        "document.querySelectorAll('.figures .figure-value').length > 3",
        SOON,
    )
    .await;
    tab.assert_clean(trial.server.address());

    let headless = trial.path("headless");
    let file = tasks.file.to_string_lossy();
    turnwise(
        &stage.program,
        &[
            "run",
            "--benchmark",
            QUESTIONS,
            "--tasks",
            &file,
            "--search",
            "local",
            "--out",
            &headless.to_string_lossy(),
        ],
    );
    let texts = asking.fetch(&run, &trial.path("fetched")).await;
    assert_same(&texts, &transcripts(&headless));
    let printed = turnwise(&stage.program, &["metrics", &headless.to_string_lossy(), "--json"]);
    let metrics: Value = serde_json::from_str(&printed).expect("JSON");
    let report: Value = asking.json(&format!("/api/runs/{run}/report")).await;
    assert_eq!(figures(&metrics), figures(&report["record"]));
    assert_eq!(metrics["n"], json!(210));
    tab.close().await;
}
