//! Judges under audit: recorded calls of a judge become tasks, and models, bots or people are asked the very same again.
//!
//! `take` makes a task set of recorded runs, `tasks` reads and writes such sets, `protocol` asks, `metrics` has the numbers of one
//! rater, `raters` those of several. What a reply means the benchmark of the call decides ([`Facts::verdict`]), and its bots answer.

mod metrics;
mod protocol;
mod raters;
mod take;
mod tasks;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use turnwise_core::benchmark::{People, Tools};
use turnwise_core::prelude::*;

use tasks::{Request, label};

/// The seat of the rater, whatever seat the call was made to.
pub const JUDGE: &str = "judge";
const NAME: &str = "audit";
/// The bot that stands for the usual one of the seat.
const USUAL: &str = "usual";

pub struct Audit {
    /// All benchmarks whose calls can be audited.
    pub others: fn() -> &'static [&'static dyn Benchmark],
}

static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    Tools::read(
        include_str!("tools.toml"),
        &[("take", take::take), ("disagreements", raters::disagreements)],
    )
});

const PEOPLE: People = People {
    about: "Judge as the judges of recorded runs had to.",
    rules: include_str!("rules.txt"),
    episode: ("verdict", "verdicts"),
    practice: "Each is judged by itself; how the recorded judge decided is in the numbers of the run.",
    late: "the call stays without your verdict",
    seats: &[JUDGE],
    is_blind: true,
    ..People::OF_TASKS
};

impl Audit {
    pub const FACTS: Facts = Facts {
        name: NAME,
        title: "Audit of judges",
        about: "Recorded calls of a judge, asked again. Does it say the same again, do others agree with it, and which verdicts would change?",
        profiles: &[Profile::Strict],
        seats: &[SeatInfo::new(
            JUDGE,
            "replies in the place of the recorded judge: the seat under evaluation",
            "bot:usual",
        )],
        bots: &[BotInfo::new(
            USUAL,
            JUDGE,
            "is the built-in player that usually sits in the seat of the recorded call; all others that fit that seat have their own names here, too",
            // `Audit::bot` replies in its place: only it knows the other benchmarks.
            |_| String::new(),
        )],
        sampling: |_, _| Sampling::at(0.0),
        pack: || Pack::of("turnwise-audit-1", []),
        file_format: "A zip or JSON Lines that `turnwise audit take` made of recorded runs.",
        samples: include_bytes!("../samples/tasks.jsonl"),
        identifying_labels: &[label::TASK],
        // The fields are those of the recorded task, whose answer is not what a rater should say.
        reference_field: None,
        tools: Some(|| &TOOLS),
        people: Some(&PEOPLE),
        measure: |play, _| metrics::measure(play),
        report: |spec, episodes, _| metrics::report(spec, episodes),
        metrics: metrics::METRICS,
        compared_by: &metrics::PERCENT,
        compares: Some(
            "how the raters agree with each other (Cohen's kappa, Krippendorff's alpha) and with people",
        ),
        unranked: |_| Some("an audit says how judges agree, not how good a player is"),
        ..Facts::USUAL
    };

    /// The benchmark of a task's call.
    fn other(&self, task: &Task) -> Result<&'static dyn Benchmark, BadSpec> {
        let name = task.labels.get(label::BENCHMARK).map_or("", String::as_str);
        let mut all = (self.others)().iter().filter(|one| one.name() != NAME);
        all.find(|one| one.name() == name).copied().ok_or_else(|| {
            let why =
                format!("task {} is a call of {name:?}, which is not in this program", task.id);
            BadSpec::new("tasks", why)
        })
    }
}

impl Benchmark for Audit {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::read(name, bytes)
    }

    fn open(&self, _: &Spec, task: &Task, _: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Rating::open(self.other(task)?, task)?))
    }

    fn seats_bot(&self, seat: &Seat, name: &str) -> bool {
        let fits = |one: &&dyn Benchmark| {
            let mut seats = one.seats().iter().filter(|info| info.seat != Seat::PLAYER);
            one.name() != NAME && seats.any(|info| one.seats_bot(&Seat::new(info.seat), name))
        };
        seat.as_str() == JUDGE && (name == USUAL || (self.others)().iter().any(fits))
    }

    fn bot(&self, name: &str, asked: &Asked<'_>) -> Option<Said> {
        let (other, request) = (self.other(asked.task()).ok()?, Request::of(asked.task()).ok()?);
        let usual = || {
            let mut seats = other.seats().iter();
            let info = seats.find(|info| info.seat == request.ask.seat.as_str())?;
            info.default.strip_prefix("bot:")
        };
        let name = if name == USUAL { usual()? } else { name };
        other.bot(name, &asked.of(&request.ask))
    }

    fn most_calls(&self, _: &Spec, _: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        Ok(vec![(JUDGE, 1)])
    }

    fn event_in_words(&self, _: &Spec, _: &str, _: &serde_json::Value) -> Option<String> {
        // What the recorded judge said is in the numbers, not beside what a rater says.
        Some(String::new())
    }

    fn compare(&self, runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
        let runs: Vec<_> =
            runs.iter().map(|(spec, summaries)| (*spec, summaries.iter().collect())).collect();
        Ok(Some(raters::report(&raters::Raters::of(&runs))))
    }
}
