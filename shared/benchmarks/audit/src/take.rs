//! `turnwise audit take`: recorded calls become tasks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use turnwise_core::benchmark::tool::{Done, Given, Run};
use turnwise_core::exchange::told;
use turnwise_core::kit::zipped::Pictures;
use turnwise_core::prelude::*;
use turnwise_core::prompt::TEMPLATE_FIELD;
use turnwise_core::task::texts;

use crate::NAME;
use crate::tasks::{self, Request, field, label};

pub const RUNS: &str = "DIR";
/// How many digits of a hash stand for a thing.
const SHORT: usize = 12;

fn short(digest: Digest) -> String {
    digest.to_string()[..SHORT].to_owned()
}

/// Takes calls.
///
/// # Errors
/// If a run has no such calls, or they cannot or must not be made again.
pub fn take(given: &Given<'_>) -> Result<Done, String> {
    let (runs, seat) = (given.runs(RUNS), given.text("seat").unwrap_or_default());
    let sample = given.whole("sample").and_then(|most| usize::try_from(most).ok());
    let (mut calls, mut said, mut canaries) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
    for run in runs {
        canaries.extend(canary(run)?);
        let taken = Taken::of(run, seat)?;
        said.push(format!("run {}: {} calls, {}", taken.run, taken.calls.len(), run.path));
        if taken.unplayed > 0 {
            said.push(format!(
                "{} episodes of {} do not replay and are left out",
                taken.unplayed, run.path
            ));
        }
        calls.extend(taken.calls);
    }
    if !calls.values().any(|task: &Task| task.field(field::RECORDED).is_some()) {
        return Err(format!(
            "no reply of the seat {seat} comes to a verdict: nothing can be audited"
        ));
    }
    let origin = match canaries.pop_first() {
        None => TaskSetOrigin::Plain,
        Some(_) if !canaries.is_empty() => {
            return Err(
                "the runs are over sets of several canaries; take those of one alone".to_owned()
            );
        }
        Some(canary) => TaskSetOrigin::Encrypted { canary },
    };
    let all = calls.len();
    let chosen: Vec<Task> = calls.into_values().take(sample.unwrap_or(all)).collect();
    let mut pictures = Pictures::default();
    for task in &chosen {
        let request = Request::of(task).map_err(|bad| bad.to_string())?;
        for picture in request.pictures(task).map_err(|bad| bad.to_string())? {
            let mut bytes = runs.iter().filter_map(|run| run.given.pictures.get(&picture.digest));
            let lacks = || {
                format!("no run has the picture {}, which a judge was shown", picture.file_name())
            };
            pictures.take(bytes.next().ok_or_else(lacks)?.clone())?;
        }
    }
    said.push(format!("{} of {all} calls taken", chosen.len()));
    let file = tasks::write(&pictures.set(given.out_name(), chosen, origin))?;
    Ok(Done { files: vec![file], ..Done::text(said.join("\n")) })
}

/// The canary of the run's tasks.
fn canary(run: &Run<'_>) -> Result<Option<String>, String> {
    match run.given.tasks.map(|tasks| &tasks.origin) {
        Some(TaskSetOrigin::Plain) => Ok(None),
        Some(TaskSetOrigin::Encrypted { canary }) => Ok(Some(canary.clone())),
        Some(TaskSetOrigin::Sealed) => Err(format!(
            "{}: its tasks are sealed, and what its judge was shown stays on the server; take runs over open tasks",
            run.path
        )),
        None => Err(format!(
            "{}: its tasks are not at hand (run.json and tasks.dat), so its requests cannot be made again",
            run.path
        )),
    }
}

struct Taken {
    run: String,
    calls: BTreeMap<TaskId, Task>,
    /// Episodes that do not replay.
    unplayed: u32,
}

impl Taken {
    fn of(run: &Run<'_>, seat: &str) -> Result<Self, String> {
        let benchmark = run.given.benchmark;
        let at = |problem: String| format!("{}: {problem}", run.path);
        if benchmark.name() == NAME {
            return Err(at(
                "it is an audit itself; name the runs that it was taken from".to_owned()
            ));
        }
        if !benchmark.seats().iter().any(|info| info.seat == seat) {
            let seats: Vec<_> = benchmark.seats().iter().map(|info| info.seat).collect();
            let (name, seats) = (benchmark.name(), seats.join(", "));
            return Err(at(format!("{name} has no seat {seat:?}; it has {seats}")));
        }
        if run.given.pack.is_none() {
            return Err(at("its prompt pack (pack.json) is not at hand".to_owned()));
        }
        let chains = run.episodes.iter().map(|episode| episode.play.chain.bytes().as_slice());
        let mut taken =
            Taken { run: short(Digest::of_parts(chains)), calls: BTreeMap::new(), unplayed: 0 };
        for episode in &run.episodes {
            let grading = episode.grading.map(|grading| (grading, Some(episode.play)));
            for (transcript, graded) in [(episode.play, None)].into_iter().chain(grading) {
                taken.transcript(run, seat, transcript, graded).map_err(at)?;
            }
        }
        Ok(taken)
    }

    fn transcript(
        &mut self,
        run: &Run<'_>,
        seat: &str,
        transcript: &Transcript,
        graded: Option<&Transcript>,
    ) -> Result<(), String> {
        let header = &transcript.header;
        let (mut calls, mut problem) = (Vec::new(), None);
        let replayed = told::asked(&run.given, transcript, graded, |call, ask, task, reply| {
            let Reply::Said(said) = reply else { return };
            if ask.seat.as_str() != seat {
                return;
            }
            let from = json!({
                "task": header.task.id, "repeat": header.repeat, "part": header.part, "call": call,
            });
            match fields(run, ask, task) {
                Ok(mut fields) => {
                    let profile = header.spec.profile;
                    let verdict = run.given.benchmark.verdict(profile, ask, said.words());
                    let request = json!(Request { profile, ask: ask.clone() });
                    fields.insert(field::REQUEST.to_owned(), request.to_string());
                    fields.insert(field::FROM.to_owned(), from.to_string());
                    fields.extend(verdict.map(|verdict| (field::RECORDED.to_owned(), verdict)));
                    let id = Digest::of_value(&(transcript.chain, call));
                    calls.push((TaskId(short(id)), task.digest, fields));
                }
                Err(bad) => problem = Some(bad),
            }
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        if !matches!(replayed, Some(Ok(_))) {
            self.unplayed += 1;
            return Ok(());
        }
        for (id, task, fields) in calls {
            let labels = texts([
                (label::BENCHMARK, run.given.benchmark.name().to_owned()),
                (label::SEAT, seat.to_owned()),
                (label::RUN, self.run.clone()),
                (label::TASK, short(task)),
            ]);
            self.calls.insert(id.clone(), tasks::task(id, labels, fields));
        }
        Ok(())
    }
}

/// The fields and templates that a request names.
fn fields(run: &Run<'_>, ask: &Ask, task: &Task) -> Result<BTreeMap<String, String>, String> {
    let mut fields = BTreeMap::new();
    for variable in ask.variables() {
        if let Variable::Field(name) = variable {
            let text = task.text(name).map_err(|bad| bad.to_string())?;
            fields.insert(name.clone(), text.to_owned());
        }
    }
    let pack = run.given.pack.ok_or("its prompt pack is not at hand")?;
    for name in ask.templates() {
        let text = pack.template(name).map_err(|bad| bad.to_string())?;
        fields.insert(format!("{TEMPLATE_FIELD}{name}"), text.to_owned());
    }
    let messages = pack.render(ask, task).map_err(|bad| bad.to_string())?;
    for (at, picture) in messages.iter().flat_map(|message| &message.pictures).enumerate() {
        fields.insert(format!("{}{at}", field::PICTURE), picture.to_string());
    }
    Ok(fields)
}

/// A set of some of the tasks of another.
pub fn part(set: &TaskSet, is_in: impl Fn(&TaskId) -> bool) -> TaskSet {
    let tasks = set.tasks.iter().filter(|task| is_in(&task.id)).cloned().collect();
    TaskSet { pictures: set.pictures.clone(), ..TaskSet::new(&set.name, tasks, set.origin.clone()) }
}
