//! Does a benchmark that declares its form need anything else to be run in the page?

use crate::*;

#[test]
fn every_benchmark_with_task_files_runs_from_its_form() {
    on_trial(async |trial| {
        for benchmark in BENCHMARKS.iter().filter(|one| one.reads_tasks()) {
            let tab = trial.open(&format!("/new?benchmark={}&first=2", benchmark.name())).await;
            startable(&tab).await;
            let form: String = tab.read("document.querySelector('main').textContent").await;
            // Where a benchmark draws the section itself, what means nothing in a setting is left out.
            let mut settings = benchmark.schema().settings.iter();
            let is_shown = settings.len() == 0 || settings.any(|one| form.contains(one.label));
            assert!(is_shown, "{}: {form}", benchmark.name());
            tab.click(START).await;
            let run = run_of(&tab).await;
            let info = trial.closed(&run).await;
            assert_eq!(info.spec.benchmark, benchmark.name());
            assert_eq!((info.state, info.episodes), (RunState::Closed, 2));
            tab.wait_for(".figures dd").await;
            tab.wait_for_text(benchmark.title()).await;
            tab.close().await;
        }
    });
}
