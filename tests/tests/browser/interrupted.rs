//! Runs that are paused, reloaded, stopped, taken up, and that lose their server.

use turnwise_tests::run_files::replies_of_models;

use super::whole_set::told_again;
use crate::*;

#[test]
fn a_run_can_be_paused_reloaded_stopped_and_taken_up() {
    on_trial_over(
        Script { latency: Duration::from_millis(500), ..Script::default() },
        async |trial, upstream| {
            let (tab, run) =
                trial.run("/new?in-flight=4&seat.player=model:up/player&first=8").await;

            // Paused: what flies lands, and nothing takes off.
            upstream.until(|counts| counts.calls >= 6).await;
            upstream.hold();
            tab.click_text("Pause").await;
            tab.wait_for_text("paused").await;
            upstream.go_on();
            tab.wait("nothing flies", "!/in flight/.test(document.body.innerText)").await;
            let landed = upstream.counts().calls;
            pictures(&tab, "run-paused").await;
            assert_eq!(upstream.counts().calls, landed, "nothing is sent while it is paused");
            trial.wait(&run, "the pause", |info| info.state == RunState::Paused).await;
            // It must not be over before the other tab has looked at it.
            upstream.hold();
            tab.click_text("Resume").await;
            trial.wait(&run, "that it goes on", |info| info.state == RunState::Running).await;

            // Another tab of this browser sees the run and keeps its hands off it.
            let other = trial.open(&format!("/run/{run}")).await;
            other.wait_for_text("Running in another tab").await;
            assert_eq!(other.count(".progress-head").await, 0, "two tabs drive one run");
            other.assert_clean();
            other.close().await;
            upstream.go_on();

            // Reloaded in the middle: the page takes the run up by itself, and pays for nothing twice.
            upstream.until(|counts| counts.calls >= landed + 6).await;
            tab.reload().await;
            let before = upstream.counts().calls;
            upstream.until(|counts| counts.calls >= before + 6).await;

            // Stopped, and taken up again.
            upstream.hold();
            tab.click_text("End this run").await;
            tab.click_text("Yes, end it").await;
            trial.wait(&run, "the stop", |info| info.state == RunState::Cancelled).await;
            upstream.go_on();
            tab.wait_for_text("Resume").await;
            pictures(&tab, "run-stopped").await;
            tab.click_text("Resume").await;
            let info = trial.closed(&run).await;
            assert_eq!(info.finished, 8);

            let counts = upstream.counts();
            // Only what was in the air when the run was stopped is sent again.
            assert!(counts.calls <= counts.different + 4, "{counts:?}");
            let recorded = trial.path("recorded");
            let texts = trial.fetch(&run, &recorded).await;
            let files: Vec<String> = texts
                .keys()
                .map(|name| recorded.join(name).to_string_lossy().into_owned())
                .collect();
            let mut arguments = vec!["replay"];
            arguments.extend(files.iter().map(String::as_str));
            trial.turnwise(&arguments);
            tab.assert_clean();
        },
    );
}

#[test]
fn a_run_in_the_browser_survives_a_restart_of_the_server() {
    on_trial_over(
        Script { latency: Duration::from_millis(300), ..Script::default() },
        async |mut trial, upstream| {
            let (tab, run) = trial.run("/new?in-flight=6&seat.player=model:up/player&seat.responder=model:up/responder&first=10").await;
            for times in 1..=2 {
                upstream.until(|counts| counts.calls >= 20 * times).await;
                upstream.hold_some().await;
                trial.server.kill();
                upstream.go_on();
                tab.wait_for_text("connection lost, reconnecting").await;
                trial.server.restart();
            }

            let info = trial.closed(&run).await;
            assert_eq!(info.finished, 10);

            // What was in the air each time is sent again, and nothing else.
            let timings: Vec<CallTiming> = trial.json(&format!("/api/runs/{run}/timing")).await;
            let lost: u32 = timings.iter().map(|timing| timing.lost).sum();
            assert!((1..=12).contains(&lost), "{lost} calls were lost");
            let (texts, _) = told_again(&trial, &run, None).await;
            let told: u64 = texts.values().map(|text| replies_of_models(text)).sum();
            let calls = upstream.counts().calls;
            assert!((told..=told + 12).contains(&calls), "{calls} calls for {told} replies");
        },
    );
}
