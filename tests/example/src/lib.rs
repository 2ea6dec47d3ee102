//! Guess the number: a whole benchmark at its smallest. `cargo xtask new` copies it.
//!
//! A judge keeps a number; the player guesses it, and the judge says whether the number is higher or lower. `protocol` is the
//! episode, `prompts` what seats are asked, `reading` what they say; `metrics` has the numbers of a run.

mod bots;
mod metrics;
mod people;
mod prompts;
mod protocol;
mod reading;
mod tasks;
#[cfg(test)]
mod tests;

use turnwise_core::prelude::*;

pub const JUDGE: &str = "judge";

/// How often the judge is asked for one word, the first time included.
const JUDGE_ATTEMPTS: u32 = 2;

settings! {
    Schema::new("Guesses", &[]);
    /// The settings of a run.
    pub struct Settings {
        guesses: u32 = 7
            => entry("Guesses", "after the last one it is over", Holds::Number(1, 20)),
    }
}

pub struct GuessNumber;

impl GuessNumber {
    pub const FACTS: Facts = Facts {
        name: "guess_number",
        title: "Guess the number",
        about: "A judge keeps a number and says of each guess whether the number is higher or lower. Does the model find it with as \
                few guesses as possible?",
        protocol: 1,
        profiles: &[Profile::Strict],
        seats: &[
            SeatInfo::new(Seat::PLAYER, "guesses: the seat under evaluation", "bot:halves"),
            SeatInfo::new(JUDGE, "knows the number; says higher, lower or equal", "bot:compares"),
        ],
        bots: bots::BOTS,
        pack: prompts::pack,
        schema: Settings::SCHEMA,
        scripted: bots::scripted,
        file_format: "JSON Lines: `id`, `most` and `number`, a whole number from 1 to `most`.",
        samples: include_bytes!("../samples/tasks.jsonl"),
        reference_field: Some(tasks::NUMBER),
        verdict: |_, ask, reply| match ask.seat.as_str() {
            JUDGE => reading::answer(reply).map(|answer| answer.word().to_owned()),
            _ => None,
        },
        people: Some(&people::PEOPLE),
        boards: Some(&people::BOARDS),
        measure: |play, _| metrics::measure(play),
        report: metrics::report,
        metrics: metrics::METRICS,
        ..Facts::USUAL
    };
}

impl Benchmark for GuessNumber {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::read(name, bytes)
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        pack.check(prompts::pack().templates.keys())?;
        Ok(Box::new(protocol::Play::open(&Settings::read(spec)?, task)))
    }

    fn most_calls(&self, spec: &Spec, _: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let guesses = Settings::read(spec)?.guesses;
        Ok(vec![(Seat::PLAYER, guesses), (JUDGE, guesses * JUDGE_ATTEMPTS)])
    }
}
