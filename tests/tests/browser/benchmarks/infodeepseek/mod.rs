//! Questions that the web answers: bots over the sample web, another player on what they read, and a person.

mod playing;

use std::process::Command;

use turnwise_shared::wire::RunState;

use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn another_player_plays_on_the_web_that_a_run_of_the_page_read() {
    let test = "another_player_plays_on_the_web_that_a_run_of_the_page_read";
    let Some(stage) = stage(test).await else { return };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?benchmark=infodeepseek&first=3&seat.player=bot:searcher";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    startable(&tab).await;
    pictures(&tab, "search-new").await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let info = asking.wait(&run, "the end", |info| info.state == RunState::Closed).await;
    assert_eq!(info.finished, info.episodes);
    tab.wait_for_text("IA@k", SOON).await;
    pictures(&tab, "search-run").await;
    let key = first_play(&trial, &run).await;
    tab.goto(&trial.server.url(&format!("/run/{run}/{key}"))).await;
    tab.wait_for("#found table tbody tr", SOON).await;
    pictures(&tab, "search-episode").await;
    tab.assert_clean(trial.server.address());

    let [first, second] = ["w1", "w2"].map(|name| trial.path(name).display().to_string());
    asking.fetch(&run, &trial.path("w1")).await;
    let words = format!(
        "{} run --benchmark infodeepseek --limit 3 --seat player=bot:sources --web frozen:{first} --search frozen:{first} --out {second}",
        stage.program.display()
    );
    // Where no namespace without a network can be made, it has one.
    let program = format!("if unshare -rn true; then unshare -rn {words}; else {words}; fi");
    let fenced = Command::new("sh").args(["-c", &program]).output().expect("there is a shell");
    assert!(fenced.status.success(), "{}", String::from_utf8_lossy(&fenced.stderr));
    let metrics = turnwise(&stage.program, &["metrics", &second, "--json"]);
    let metrics: serde_json::Value = serde_json::from_str(&metrics).expect("JSON");
    assert_eq!(metrics["n"], 3, "{metrics}");
}
