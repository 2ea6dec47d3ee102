//! The whole set of 210 tasks, over models and over bots, in the browser and headless.

use std::collections::BTreeMap;

use turnwise_tests::run_files::{assert_same, transcripts};

use crate::*;

#[test]
fn models_behind_a_service_that_fails_now_and_then_play_the_whole_set() {
    on_stage(async |stage| {
        let upstream = Upstream::start(Script {
            seed: 7,
            latency: Duration::from_millis(120),
            faults: Faults::Share(0.02, Fault::USUAL),
            key: Some("a-key-of-no-account".to_owned()),
        })
        .await;

        let tasks = Tasks::put_into(&stage);

        let trial = stage
            .with_models(&upstream)
            .with("TURNWISE_PROVIDER_UP_API_KEY", "a-key-of-no-account")
            .with("TURNWISE_PROVIDER_UP_MODELS", "player,responder,grader")
            .start();

        let address = format!(
            "/new?benchmark={QUESTIONS}&tasks={}&in-flight=64&seat.grader=model:up/grader&seat.player=model:up/player\
         &seat.responder=model:up/responder",
            tasks.name
        );
        let tab = trial.open("about:blank").await;
        tab.note_workers().await;
        tab.goto(&address).await;
        let run = started(&tab).await;

        let began = Instant::now();
        let info = trial.closed(&run).await;
        let took = began.elapsed();
        assert_eq!((info.finished, info.episodes), (210, 210));
        let counts = upstream.counts();
        println!("210 tasks in {took:.1?}; {counts:?}");
        // More than the six connections that a browser would have opened, and never more than was allowed.
        assert!((7..=64).contains(&counts.at_once), "{counts:?}");
        for fault in Fault::USUAL {
            assert!(counts.faults.contains_key(fault), "{fault:?} never happened: {counts:?}");
        }

        // The page shows what the server computed, once it has drawn the last grading.
        let accuracy = format!("{:.1}", 100.0 * info.accuracy.expect("all is graded"));
        tab.wait(
            "the accuracy of the whole set",
            &format!("document.querySelector('.figures')?.innerText.includes('{accuracy}')"),
        )
        .await;
        // While it was driven they were counted beside the page, by one worker: it says that it listens, then its reports.
        let answers = tab.workers().await;
        assert!(answers.len() == 1 && answers[0] >= 2, "{answers:?}");
        tab.assert_clean();

        // The native driver tells the recorded replies again.
        let (texts, metrics) = told_again(&trial, &run, Some(&tasks.file)).await;
        assert!(texts.len() > 300, "210 episodes and their gradings, not {}", texts.len());
        assert_eq!(metrics["n"], 210);
        assert_eq!(metrics["accuracy"].as_f64(), info.accuracy);
    });
}

/// The transcripts of a run, which the native driver makes again from the recorded replies, and the metrics that the command line
/// computes of them.
pub async fn told_again(
    trial: &Trial,
    run: &str,
    tasks: Option<&Path>,
) -> (BTreeMap<String, String>, Value) {
    let [recorded, again] = ["recorded", "again"].map(|name| trial.path(name));
    let texts = trial.fetch(run, &recorded).await;
    let [from, to] = [&recorded, &again].map(|folder| folder.to_string_lossy());
    let tasks = tasks.map(|file| file.to_string_lossy());
    let mut words = vec!["run", "--redrive", &from, "--out", &to];
    words.extend(tasks.iter().flat_map(|file| ["--tasks", file]));
    trial.turnwise(&words);
    assert_same(&texts, &transcripts(&again));
    let metrics = trial.turnwise(&["metrics", &to, "--json"]);
    (texts, serde_json::from_str(&metrics).expect("JSON"))
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

#[test]
fn bots_play_the_whole_set_alike_in_the_browser_and_headless() {
    on_stage(async |stage| {
        let tasks = Tasks::put_into(&stage);
        let trial = stage.start();

        let (tab, run) = trial
            .run(&format!(
                "/new?benchmark={QUESTIONS}&tasks={}&in-flight=64&search=local",
                tasks.name
            ))
            .await;
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, 210);
        tab.wait("the headline", "document.querySelectorAll('.figures .figure-value').length > 3")
            .await;
        tab.assert_clean();

        let headless = trial.path("headless");
        let file = tasks.file.to_string_lossy();
        trial.turnwise(&[
            "run",
            "--benchmark",
            QUESTIONS,
            "--tasks",
            &file,
            "--search",
            "local",
            "--out",
            &headless.to_string_lossy(),
        ]);
        let texts = trial.fetch(&run, &trial.path("fetched")).await;
        assert_same(&texts, &transcripts(&headless));
        let printed = trial.turnwise(&["metrics", &headless.to_string_lossy(), "--json"]);
        let metrics: Value = serde_json::from_str(&printed).expect("JSON");
        let report: Value = trial.json(&format!("/api/runs/{run}/report")).await;
        assert_eq!(figures(&metrics), figures(&report["record"]));
        assert_eq!(metrics["n"], 210);
    });
}
