//! What the integration tests share: specs over the registry, a driver by hand, and where test data lies.
//!
//! The tests are in `tests/tests`, one file a question (see ARCHITECTURE.md, "Tests").

pub mod asking;
mod benchmarks;
pub mod chromium;
pub mod house;
pub mod own_host;
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
use turnwise_shared::benchmark::{Asked, Benchmark, Chance, TaskSource};
use turnwise_shared::effect::{Effect, Hit, Reply};
use turnwise_shared::episode::CallId;
use turnwise_shared::hash::Digest;
use turnwise_shared::run::header;
use turnwise_shared::seat::{Player, Seat, Sitting};
use turnwise_shared::session::{Next, Session};
use turnwise_shared::spec::{Budget, Named, Profile, SearchSpec, Spec, Subset};
use turnwise_shared::task::{Task, TaskSet};
use turnwise_shared::transcript::{Part, SaltKey, Transcript};

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
    spec
}

/// The tasks that a spec is about.
pub fn tasks(benchmark: &dyn Benchmark, spec: &Spec) -> TaskSet {
    match benchmark.task_source() {
        TaskSource::File => benchmark.samples(),
        TaskSource::Spec => benchmark.plan(spec).expect("the spec can be played"),
    }
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
        budget: Budget { calls: 80, ..Budget::default() },
        seed: 1,
        repeats: 1,
    }
}

/// Opens the episode of a task.
pub fn open(benchmark: &dyn Benchmark, spec: &Spec, task: &Task) -> Session {
    let episode = benchmark.open(spec, task, &benchmark.pack()).expect("the spec fits the task");
    let header = header(spec, task, 1, Part::Play);
    let salts = SaltKey::open(&header);
    Session::open(header, episode, salts)
}

/// Opens the grading of an episode, if it needs one.
pub fn open_grading(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    task: &Task,
    play: &Transcript,
) -> Option<Session> {
    let episode =
        benchmark.grade(spec, task, &benchmark.pack(), play.outcome()?).expect("the spec fits")?;
    let header = header(spec, task, 1, Part::Grading { play: play.chain });
    let salts = SaltKey::open(&header);
    Some(Session::open(header, episode, salts))
}

/// What bots and a made-up search engine answer.
pub fn answer(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    task: &Task,
    call: CallId,
    effect: &Effect,
) -> Reply {
    let chance = Chance { seed: spec.seed, repeat: 1, call };
    match effect {
        Effect::Ask(ask) => match &spec.seats[&ask.seat].player {
            Player::Bot(name) => Reply::Said(
                benchmark.bot(name, &Asked::new(ask, task, chance)).expect("the bot exists"),
            ),
            other => panic!("{other} sits in a test of bots"),
        },
        Effect::Search(query) => Reply::Found {
            hits: (1..=query.results.min(3)).map(|number| hit(number, &query.text)).collect(),
        },
        Effect::Draw { stream, below, take } => {
            Reply::Drawn { numbers: turnwise_shared::run::draw(spec, 1, stream, *below, *take) }
        }
    }
}

fn hit(number: u32, query: &str) -> Hit {
    let start: String = query.chars().take(40).collect();
    Hit {
        title: Some(format!("Page {number}")),
        snippet: Some(format!("It is said to be the thing number {number} about {start}.")),
        url: Some(format!("https://example.org/{number}")),
    }
}

/// Drives a session to its end by `answer`; every line is returned. Several open calls are answered in their order.
pub fn drive(session: &mut Session, answer: impl FnMut(CallId, &Effect) -> Reply) -> Vec<String> {
    drive_in_order(session, |_| 0, answer)
}

/// As [`drive`], but of several open calls the one with the lowest place is answered first.
pub fn drive_in_order(
    session: &mut Session,
    place: impl Fn(CallId) -> usize,
    mut answer: impl FnMut(CallId, &Effect) -> Reply,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut calls = BTreeMap::new();
    loop {
        let next = session.poll();
        lines.extend(session.take_lines());
        match next {
            Next::Closed(_) => return lines,
            Next::Call(call, effect) => {
                calls.insert((place(call), call), effect);
            }
            Next::Wait => {
                let ((_, call), effect) =
                    calls.pop_first().expect("it waits only while a call is open");
                let reply = answer(call, &effect);
                session.tell(call, reply).expect("the reply fits");
            }
        }
    }
}

/// Lines as a file.
pub fn file(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A task in which every hidden field is a mark that can be searched for.
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
        .map(|field| (field.clone(), mark(field)))
        .collect();
    for (field, mark) in &marks {
        task.fields.insert(field.clone(), mark.clone());
    }
    (task, marks)
}
