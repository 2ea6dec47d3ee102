//! What the integration tests share: specs over the registry, a driver by hand, and where test data lies.
//!
//! The tests are in `tests/tests`, one file a question (see ARCHITECTURE.md, "Tests").

pub mod asking;
mod benchmarks;
pub mod chromium;
pub mod house;
pub mod own_host;
pub mod painted;
pub mod peers;
pub mod played;
pub mod proxy;
pub mod run_files;
pub mod server;
pub mod stored;
pub mod upstream;
pub mod within;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use turnwise_shared::effect::Effect;
use turnwise_shared::prelude::*;
use turnwise_shared::session::Session;
use turnwise_shared::spec::Subset;

use turnwise_core::testing::Case;
pub use turnwise_core::testing::{drive, drive_in_order, tasks};

/// Where the official data sets lie: `TURNWISE_DATA`, else `../shared/data` beside the project. `None` if they are absent;
/// tests then say that they skipped.
pub fn data_dir() -> Option<PathBuf> {
    let named = std::env::var_os("TURNWISE_DATA").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    named.into_iter().chain([beside]).find(|folder| folder.is_dir())
}

/// What to call the settings of a spec, in names of files.
pub fn name(spec: &Spec) -> String {
    match spec.settings["mode"].as_str() {
        Some(mode) => mode.to_owned(),
        None => Digest::of_value(&spec.settings).to_string()[..8].to_owned(),
    }
}

/// A spec of a benchmark with its default bots in all seats.
pub fn spec(benchmark: &dyn Benchmark, profile: Profile, settings: Value) -> Spec {
    let mut spec = spec_over_samples(benchmark, profile, settings);
    if benchmark.task_source() == TaskSource::Spec {
        let planned = benchmark.plan(&spec).expect("the settings can be played");
        spec.tasks = Named { name: planned.name, digest: planned.digest };
        spec.budget.calls = benchmark.default_budget(&spec).calls;
        spec.search = None;
    }
    if benchmark.check_spec(&spec).is_err_and(|bad| bad.field == "web") {
        spec.web = Some(WebSpec::Live);
    }
    spec
}

fn spec_over_samples(benchmark: &dyn Benchmark, profile: Profile, settings: Value) -> Spec {
    let (pack, samples) = (benchmark.pack(), benchmark.samples());
    Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile,
        settings,
        tasks: Named { name: samples.name.clone(), digest: samples.digest },
        subset: Subset::default(),
        pack: Named { name: pack.name.clone(), digest: pack.digest() },
        seats: benchmark
            .seats()
            .iter()
            .map(|info| {
                let sitting = Sitting {
                    player: info.default.parse().expect("defaults are players"),
                    sampling: Default::default(),
                };
                (Seat::new(info.seat), sitting)
            })
            .collect(),
        search: Some(SearchSpec { engine: "made-up".into(), corpus: None, results: 5 }),
        web: None,
        budget: Budget { calls: 80, ..Budget::default() },
        seed: 1,
        repeats: 1,
    }
}

/// Opens the episode of a task.
pub fn open(benchmark: &dyn Benchmark, spec: &Spec, task: &Task) -> Session {
    Case::new(benchmark, spec, task).open()
}

/// Opens the grading of an episode, if it needs one.
pub fn open_grading(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    task: &Task,
    play: &Transcript,
) -> Option<Session> {
    Case::new(benchmark, spec, task).open_grading(play)
}

/// What bots and a made-up search engine answer.
pub fn answer(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    task: &Task,
    call: CallId,
    effect: &Effect,
) -> Reply {
    Case::new(benchmark, spec, task).answer(call, effect)
}

pub fn file(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A task in which every hidden field is a mark that can be searched for; a picture stays a reference.
pub fn marked(task: &Task) -> (Task, BTreeMap<String, String>) {
    let mark = |field: &str| format!("HIDDEN-{}-TEXT", field.to_uppercase());
    if let Some(marked) = benchmarks::MARKED.iter().find_map(|one| one(task, &mark)) {
        return marked;
    }
    let mut task = task.clone();
    let marks: BTreeMap<String, String> = task
        .fields
        .keys()
        .filter(|field| *field != "question")
        .map(|field| {
            let mark = mark(field);
            let picture = task.fields[field].parse::<PictureRef>();
            let mark = picture.map_or(mark.clone(), |picture| {
                PictureRef { digest: Digest::of(mark), ..picture }.to_string()
            });
            (field.clone(), mark)
        })
        .collect();
    for (field, mark) in &marks {
        task.fields.insert(field.clone(), mark.clone());
    }
    (task, marks)
}
