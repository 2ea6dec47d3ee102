//! Two tabs of one browser and one run.

use crate::*;

/// The tab in which the user says so drives the run from then on, and the other one gives way.
#[test]
fn a_run_is_taken_over_in_another_tab_of_the_same_browser() {
    on_trial(async |trial| {
        // A person is asked, so it waits.
        let first = trial.open("/new?seat.player=person").await;
        let run = started(&first).await;
        first.wait_for_text("running here").await;

        let second = trial.open(&format!("/run/{run}")).await;
        second.wait_for_text_in("#elsewhere", "Running in another tab").await;
        assert_eq!(second.count("[role=alert]").await, 0);
        second.click_text("Move to this tab").await;
        second.wait_for_text("running here").await;
        first.wait_for_text_in("#elsewhere", "Running in another tab").await;
        assert_eq!(first.count(".progress-head").await, 0, "two drive one run");
        assert_eq!(first.count("[role=alert]").await, 0);

        // It says that it rests, while it does.
        second.click_text("Pause").await;
        second.wait_for_no_text("running here").await;
        trial.wait(&run, "the pause", |info| info.state == RunState::Paused).await;
        first.wait_for_text_in("#elsewhere", "Paused.").await;
        // And is taken up where it rests elsewhere.
        first.to_front().await;
        first.click_text("Resume").await;
        first.wait_for_text("running here").await;
        assert_eq!(second.count(".progress-head").await, 0, "two drive one run");
        // A tab that is gone is not in its way.
        second.close().await;
        assert_eq!(first.count("[role=alert]").await, 0);
    });
}
