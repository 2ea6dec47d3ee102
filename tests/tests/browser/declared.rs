//! Does a benchmark that declares its form need anything else to be run in the page?

use crate::*;

#[tokio::test(flavor = "multi_thread")]
async fn every_benchmark_with_task_files_runs_from_its_form() {
    let Some(stage) = stage("every_benchmark_with_task_files_runs_from_its_form").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let browser = Chromium::start(&stage.browser).await;
    for benchmark in BENCHMARKS.iter().filter(|one| one.reads_tasks()) {
        let address = trial.server.url(&format!("/new?benchmark={}&first=2", benchmark.name()));
        let tab = browser.open(&address, Look::WIDE).await;
        startable(&tab).await;
        let form = tab.eval("document.querySelector('main').textContent").await;
        let form = form.as_str().expect("a text");
        // Where a benchmark draws the section itself, what means nothing in a setting is left out.
        let mut settings = benchmark.schema().settings.iter();
        let is_shown = settings.len() == 0 || settings.any(|one| form.contains(one.label));
        assert!(is_shown, "{}: {form}", benchmark.name());
        tab.click(START).await;
        let run = run_of(&tab).await;
        let info = asking.wait(&run, "the run", |info| info.state.is_over()).await;
        assert_eq!(info.spec.benchmark, benchmark.name());
        assert_eq!((info.state, info.episodes), (RunState::Closed, 2));
        tab.wait_for(".figures dd", SOON).await;
        tab.wait_for_text(benchmark.title(), SOON).await;
        tab.close().await;
    }
}
