//! Do the drivers agree? One recording, every driver, the same transcripts byte for byte.
//!
//! A run is recorded by the native driver, over the real way out (retries included), from a scripted service. Then the same
//! replies are given by a plain loop and by the native driver from a recording. The browser's driver is in `browser.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;
use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::driver::{Finish, Outside, Recorder, Stop, drive};
use turnwise_backend::outbound::Egress;
use turnwise_backend::pictures::Pictures;
use turnwise_shared::effect::Effect;
use turnwise_shared::hash;
use turnwise_shared::prelude::*;
use turnwise_shared::recording::Recording;
use turnwise_shared::run::{Ingredients, SEARCH_TAPE, WEB_TAPE};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::transcript;
use turnwise_tests::painted::Painted;
use turnwise_tests::upstream::{Fault, Faults, Script, Upstream};
use turnwise_tests::{file, open, open_grading, spec, tasks};

/// Transcripts by episode, in memory.
#[derive(Default)]
struct Memory(BTreeMap<EpisodeKey, Vec<String>>);

impl Recorder for Memory {
    type Error = String;

    fn keep(&mut self, episode: &EpisodeKey, from: u64, lines: &[String]) -> Result<(), String> {
        let kept = self.0.entry(episode.clone()).or_default();
        if kept.len() as u64 != from {
            return Err(format!("{episode}: {} lines, and then line {from}", kept.len()));
        }
        kept.extend_from_slice(lines);
        Ok(())
    }

    fn timed(&mut self, _: &Ticket, _: &Timing) -> Result<(), String> {
        Ok(())
    }

    fn ended(&mut self, _: &EpisodeKey, _: &Outcome, _: Summary) {}

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        panic!("{episode}: {problem}");
    }

    fn progress(&mut self, _: &Progress) {}
}

/// Whether something was asked or noted after a reply while another call was open: what it is numbered follows from who was faster.
fn goes_on_between(events: &[Event]) -> bool {
    let mut open = 0;
    let mut pairs = events.windows(2);
    pairs.any(|pair| {
        match &pair[0] {
            Event::Asked { .. } => open += 1,
            Event::Told { .. } => open -= 1,
            _ => return false,
        }
        matches!(pair[0], Event::Told { .. }) && open > 0 && !matches!(pair[1], Event::Told { .. })
    })
}

/// The lines without their numbers, in an order that does not depend on them.
fn unnumbered(events: &[Event]) -> Vec<String> {
    let bare = |event: &Event| {
        let mut line = serde_json::to_value(event).expect("plain data");
        // The digest of a request follows from its thread.
        let numbers = ["/call", "/index", "/round", "/turn", "/request/thread", "/request/digest"];
        for number in numbers {
            line.pointer_mut(number).into_iter().for_each(|number| *number = Value::Null);
        }
        hash::canonical(&line)
    };
    let mut lines: Vec<String> = events.iter().map(bare).collect();
    lines.sort_unstable();
    lines
}

impl Memory {
    fn recording(&self) -> Recording {
        let mut recording = Recording::default();
        for lines in self.0.values() {
            recording.add(&transcript::read(&file(lines)).expect("what was kept is sound"));
        }
        recording
    }

    /// What happened, without chain and salt, and with replies that came while several calls were open in the order of
    /// their calls: which of them is told first is up to the network, and the transcript keeps it. Where an episode goes on after the
    /// first of them, its lines have no numbers.
    fn whoever_was_faster(&self) -> Memory {
        let sorted = |lines: &Vec<String>| {
            let mut events: Vec<Event> = lines
                .iter()
                .map(|line| transcript::event_of(line).expect("what was kept is sound"))
                .collect();
            let told = |event: &Event| match event {
                Event::Told { call, .. } => Some(*call),
                _ => None,
            };
            for replies in
                events.chunk_by_mut(|one, two| told(one).is_some() && told(two).is_some())
            {
                replies.sort_by_key(told);
            }
            // A grading names the chain of its episode.
            if let Some(Event::Opened(header)) = events.first_mut()
                && let Part::Grading { play } = &mut header.part
            {
                *play = Digest::of("");
            }
            match goes_on_between(&events) {
                true => unnumbered(&events),
                false => events.iter().map(hash::canonical).collect(),
            }
        };
        Memory(self.0.iter().map(|(key, lines)| (key.clone(), sorted(lines))).collect())
    }

    /// The first line in which another recording differs, in words.
    fn difference(&self, other: &Memory) -> Option<String> {
        let keys: BTreeSet<_> = self.0.keys().chain(other.0.keys()).collect();
        keys.into_iter().find_map(|key| {
            let (Some(one), Some(two)) = (self.0.get(key), other.0.get(key)) else {
                return Some(format!("{key} is in one of them only"));
            };
            let at = (0..one.len().max(two.len())).find(|at| one.get(*at) != two.get(*at))?;
            Some(format!("{key}, line {}:\n{:?}\n{:?}", at + 1, one.get(at), two.get(at)))
        })
    }
}

/// The first tasks of the samples, with models in all seats: every reply comes from outside.
fn planned(benchmark: &'static dyn Benchmark, spec: &mut Spec) -> TaskSet {
    for (seat, sitting) in &mut spec.seats {
        sitting.player = format!("model:up/{seat}").parse().expect("a player");
    }
    if benchmark.task_source() == TaskSource::File {
        spec.search = Some(SearchSpec { engine: "local".into(), corpus: None, results: 5 });
    }
    // Where an episode has one turn, more of them, so that failures find something to strike.
    let one_turn = matches!(spec.settings["setting"].as_str(), Some("A" | "control"))
        || matches!(spec.settings["mode"].as_str(), Some("describe" | "offline"));
    spec.subset.first = Some(if one_turn { 16 } else { 6 });
    tasks(benchmark, spec)
}

fn run(
    spec: &Spec,
    tasks: &TaskSet,
    recordings: BTreeMap<String, Recording>,
    in_flight: usize,
) -> Run {
    let benchmark = turnwise_shared::registry::find(&spec.benchmark).expect("it is registered");
    Run::new(Ingredients {
        benchmark,
        spec: spec.clone(),
        tasks: tasks.clone(),
        pack: benchmark.pack(),
        recordings,
        limits: Limits::new(in_flight),
    })
    .expect("the variants can be run")
}

async fn driven<O: Outside>(run: &mut Run, outside: &Arc<O>, memory: &mut Memory) {
    let (_sender, stop) = watch::channel(Stop::No);
    assert_eq!(drive(run, outside, memory, stop).await, Ok(Finish::Over));
}

/// The way out to a scripted service with these faults; renders and pages are made up, and the pictures of the samples are in the folder.
async fn way_out(faults: Faults) -> (Arc<Egress>, Upstream, TempDir) {
    let upstream = Upstream::start(Script { faults, ..Script::default() }).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("turnwise.toml"), "[limits]\nbackoff_ms = 5\n")
        .expect("the folder can be written");
    let given = Given { addr: None, data: Some(folder.path().to_owned()) };
    let environment =
        Environment::from_iter([("TURNWISE_PROVIDER_UP_BASE_URL", upstream.base_url())]);
    let config = Config::load(given, &environment).expect("the configuration is sound");
    let pictures = Pictures::of_run(folder.path());
    for set in BENCHMARKS.iter().map(|benchmark| benchmark.samples()) {
        for png in set.pictures.values() {
            pictures.keep(png).await.expect("it is kept");
        }
    }
    let egress = Egress::open(&config).await.expect("it opens");
    let egress = egress.keeping(pictures).rendering(Arc::new(Painted)).reading(Arc::new(Painted));
    (Arc::new(egress), upstream, folder)
}

/// Answers nothing: what is asked here should have been on the recording.
struct Nobody;

impl Outside for Nobody {
    async fn answer(&self, _: Ticket, request: Outgoing) -> (Reply, Timing) {
        panic!("nobody should be asked, and here is {request:?}");
    }
}

/// Every benchmark under all its settings.
fn everywhere() -> impl Iterator<Item = (&'static dyn Benchmark, Spec, TaskSet)> {
    BENCHMARKS.iter().copied().flat_map(|benchmark| {
        benchmark.trials().into_iter().map(move |(profile, settings)| {
            let mut spec = spec(benchmark, profile, settings);
            let tasks = planned(benchmark, &mut spec);
            (benchmark, spec, tasks)
        })
    })
}

#[tokio::test]
async fn one_recording_gives_the_same_transcripts_through_every_driver() {
    let (egress, upstream, _folder) = way_out(Faults::Share(0.2, Fault::USUAL)).await;
    for (benchmark, spec, tasks) in everywhere() {
        let what = format!("{} {} {}", spec.benchmark, spec.profile.name(), spec.settings);
        let mut recorded = Memory::default();
        driven(&mut run(&spec, &tasks, BTreeMap::new(), 16), &egress, &mut recorded).await;
        let recording = recorded.recording();

        let by_hand = by_hand(benchmark, &spec, &tasks, &recording);
        assert_eq!(recorded.difference(&by_hand), None, "{what}: by hand");

        let mut on_recording = spec.clone();
        for sitting in on_recording.seats.values_mut() {
            sitting.player = "tape:/recorded".parse().expect("a player");
        }
        let recordings = BTreeMap::from([
            ("/recorded".to_owned(), recording.clone()),
            (SEARCH_TAPE.to_owned(), recording.clone()),
            (WEB_TAPE.to_owned(), recording),
        ]);
        let mut again = Memory::default();
        driven(&mut run(&on_recording, &tasks, recordings, 3), &Arc::new(Nobody), &mut again).await;
        assert_eq!(recorded.difference(&again), None, "{what}: from a recording");
    }
    let counts = upstream.counts();
    for fault in Fault::USUAL {
        assert!(counts.faults.contains_key(fault), "{fault:?} never happened: {counts:?}");
    }
    for part in ["player", "responder", "grader", "questioner"] {
        assert!(counts.parts.contains_key(part), "no {part} was asked: {counts:?}");
    }
}

/// The simplest driver that there is: a loop, one episode after the other.
fn by_hand(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    tasks: &TaskSet,
    recording: &Recording,
) -> Memory {
    let mut memory = Memory::default();
    let chosen = turnwise_shared::sweep::choose(tasks, &spec.subset).expect("there are tasks");
    for task in &chosen {
        let key = EpisodeKey::play(&task.id, 1);
        let tell = |key: &EpisodeKey, call: CallId, effect: &Effect| {
            recording.answer(key, call, &Request::of(effect))
        };
        let first = |key: &EpisodeKey, call: CallId| recording.position(key, call).unwrap_or(0);
        let mut session = open(benchmark, spec, task);
        let lines = turnwise_tests::drive_in_order(
            &mut session,
            |call| first(&key, call),
            |call, effect| tell(&key, call, effect),
        );
        let play = transcript::read(&file(&lines)).expect("what was written can be read");
        memory.0.insert(key.clone(), lines);
        if let Some(mut grading) = open_grading(benchmark, spec, task, &play) {
            let key = key.grading();
            let lines = turnwise_tests::drive_in_order(
                &mut grading,
                |call| first(&key, call),
                |call, effect| tell(&key, call, effect),
            );
            memory.0.insert(key, lines);
        }
    }
    memory
}

/// Fails a share of the calls the first time that they are made, for good.
struct Flaky {
    inner: Arc<Egress>,
    failed: Mutex<BTreeSet<Digest>>,
}

impl Outside for Flaky {
    async fn answer(&self, ticket: Ticket, request: Outgoing) -> (Reply, Timing) {
        let digest = Digest::of_value(&request);
        let strikes = digest.bytes()[0].is_multiple_of(8)
            && self.failed.lock().expect("nobody panics").insert(digest);
        if strikes {
            let failure = Failure::new(FailureClass::Unavailable, "a test");
            return (Reply::Failed(failure), Timing::default());
        }
        self.inner.answer(ticket, request).await
    }
}

#[tokio::test]
async fn failures_in_between_leave_no_trace_once_the_run_is_whole() {
    for (_, spec, tasks) in everywhere() {
        let what = format!("{} {} {}", spec.benchmark, spec.profile.name(), spec.settings);
        let plan = || run(&spec, &tasks, BTreeMap::new(), 16);
        let (egress, _upstream, _smooth) = way_out(Faults::Never).await;
        let mut smooth = Memory::default();
        driven(&mut plan(), &egress, &mut smooth).await;
        let smooth = smooth.whoever_was_faster();

        // Failures that another attempt mends.
        let (egress, upstream, _rough) = way_out(Faults::Share(0.3, Fault::PASSING)).await;
        let mut rough = Memory::default();
        driven(&mut plan(), &egress, &mut rough).await;
        assert_eq!(smooth.difference(&rough.whoever_was_faster()), None, "{what}: attempts");
        assert!(!upstream.counts().faults.is_empty(), "{what}: nothing failed");

        // Failures that end an episode, so that the run has to be taken up.
        let (egress, _upstream, _folder) = way_out(Faults::Never).await;
        let flaky = Arc::new(Flaky { inner: egress, failed: Mutex::default() });
        let mut broken = Memory::default();
        let mut times = 0;
        loop {
            let mut run = plan();
            taken_up(&mut run, &mut broken);
            driven(&mut run, &flaky, &mut broken).await;
            times += 1;
            if run.progress().incomplete == 0 {
                break;
            }
            assert!(times < 100, "{what}: it never ends");
        }
        assert_eq!(smooth.difference(&broken.whoever_was_faster()), None, "{what}: taken up");
        assert!(times > 1, "{what}: nothing failed");
    }
}

/// Takes up what is there, plays before gradings.
fn taken_up(run: &mut Run, memory: &mut Memory) {
    let (plays, gradings): (Vec<_>, Vec<_>) =
        memory.0.keys().cloned().partition(|key| *key == key.its_play());
    for key in plays.into_iter().chain(gradings) {
        let lines = memory.0.get_mut(&key).expect("it is there");
        let stored = transcript::read(&file(lines)).expect("what was kept is sound");
        let kept = run.restore(&key, &stored).expect("it is of this run");
        lines.truncate(usize::try_from(kept).expect("a count"));
    }
}
