//! Questions that the web answers: bots over the sample web, another player on what they read, and a person.

mod playing;

use std::process::Command;

use crate::*;

#[test]
fn another_player_plays_on_the_web_that_a_run_of_the_page_read() {
    on_trial(async |trial| {
        let tab = trial.open("/new?benchmark=infodeepseek&first=3&seat.player=bot:searcher").await;
        startable(&tab).await;
        pictures(&tab, "search-new").await;
        let run = started(&tab).await;
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, info.episodes);
        tab.wait_for_text("IA@k").await;
        pictures(&tab, "search-run").await;
        let key = trial.first_play(&run).await;
        tab.goto(&format!("/run/{run}/{key}")).await;
        tab.wait_for("#found table tbody tr").await;
        pictures(&tab, "search-episode").await;
        tab.assert_clean();

        let [first, second] = ["w1", "w2"].map(|name| trial.path(name).display().to_string());
        trial.fetch(&run, &trial.path("w1")).await;
        let words = format!(
            "{} run --benchmark infodeepseek --limit 3 --seat player=bot:sources --web frozen:{first} --search frozen:{first} --out {second}",
            trial.stage.program.display()
        );
        // Where no namespace without a network can be made, it has one.
        let program = format!("if unshare -rn true; then unshare -rn {words}; else {words}; fi");
        let fenced = Command::new("sh").args(["-c", &program]).output().expect("there is a shell");
        assert!(fenced.status.success(), "{}", String::from_utf8_lossy(&fenced.stderr));
        let metrics = trial.turnwise(&["metrics", &second, "--json"]);
        let metrics: Value = serde_json::from_str(&metrics).expect("JSON");
        assert_eq!(metrics["n"], 3, "{metrics}");
    });
}
