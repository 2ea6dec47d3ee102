//! Situation Puzzle: can a model reconstruct a hidden story by asking yes/no questions?
//!
//! `protocol` is the episode, `reading` reads what player and judge say, `tasks` reads puzzles, `metrics` has the numbers,
//! `results` the authors' files, `check` the criteria for new puzzles. Numbers in brackets are sections of the specification
//! of Interactive Benchmarks.

mod boards;
pub mod bots;
pub mod check;
mod formats;
pub mod metrics;
mod numbers;
mod people;
pub mod prompts;
pub mod protocol;
pub mod reading;
pub mod results;
mod scripted;
pub mod sealing;
pub mod settings;
pub mod tasks;
mod tools;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};
use turnwise_core::benchmark::{Attempts, USUAL_ATTEMPTS};
use turnwise_core::prelude::*;

/// The name in specs, files and addresses.
pub const NAME: &str = "situation_puzzle";

pub struct SituationPuzzle;

impl SituationPuzzle {
    pub const FACTS: Facts = Facts {
        name: NAME,
        title: "Situation Puzzle",
        about: "A short, strange story is told, and a judge knows what lies behind it. Can the model reconstruct the hidden story by \
         asking yes/no questions within a number of turns?",
        protocol: 2,
        seats: &[
            SeatInfo::new(
                Seat::PLAYER,
                "asks questions and submits the hidden story: the seat under evaluation",
                "bot:asks-by-rule",
            ),
            SeatInfo::new(
                settings::JUDGE,
                "knows the hidden story; answers questions and judges final answers with one word",
                "bot:bank",
            ),
        ],
        bots: bots::BOTS,
        // Specification 0.4: temperature 0 for both seats.
        sampling: |_, _| Sampling::at(0.0),
        pack: prompts::default_pack,
        schema: settings::Settings::SCHEMA,
        scripted: scripted::reply,
        file_format: "The official file, or JSON with id, title, setup, solution and notes of each puzzle.",
        samples: include_bytes!("../samples/puzzles.jsonl"),
        reference_field: Some(tasks::field::SOLUTION),
        verdict: reading::verdict,
        sealing: Some(&sealing::Sealed),
        tools: Some(|| &tools::TOOLS),
        people: Some(&people::PEOPLE),
        formats: formats::FORMATS,
        boards: Some(&boards::BOARDS),
        measure: |play, _| metrics::measure(play),
        report: |spec, episodes, _| metrics::report(spec, episodes),
        metrics: numbers::METRICS,
        unranked: Self::unranked,
        check_people: Self::check_people,
        preset: Self::preset,
        is_offered: |setting, _, profile| {
            setting != settings::JUDGE_MEMORY || profile != Profile::Reference
        },
        ..Facts::USUAL
    };

    fn check_people(spec: &Spec) -> Result<(), BadSpec> {
        match Self::unranked(spec) {
            Some(why) => Err(BadSpec::new("settings.mode", why)),
            None => Ok(()),
        }
    }

    fn unranked(spec: &Spec) -> Option<&'static str> {
        let settings = settings::Settings::of(spec).ok()?;
        let is_hearing = settings.iter().any(|one| one.mode == settings::Mode::Hearing);
        is_hearing.then_some("the mode hearing puts a puzzle's own bank to the judge, and nobody plays; use interactive or direct")
    }

    fn preset(profile: Profile, chosen: &mut Map<String, Value>) {
        if profile == Profile::Reference {
            let memory = chosen.entry(settings::JUDGE_MEMORY);
            memory.or_insert_with(|| settings::JudgeMemory::Running.name().into());
        }
    }
}

impl Benchmark for SituationPuzzle {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn default_budget(&self, _: &Spec) -> Budget {
        // More than the longest episode needs: every turn has a call of the player and up to two of the judge.
        let turns = settings::MOST_ROUNDS + 1;
        Budget { calls: 18 * turns, ..Budget::default() }
    }

    /// Specification 0.4: the authors' program sends a call up to nine times, failures and replies without text counted together.
    fn attempts(&self, spec: &Spec) -> Attempts {
        match spec.profile {
            Profile::Reference => Attempts { most: protocol::ATTEMPTS, blank_fails: true },
            Profile::Strict => USUAL_ATTEMPTS.into(),
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let all = settings::Settings::of(spec)?;
        let is_hearing = all.iter().any(|one| one.mode == settings::Mode::Hearing);
        if is_hearing && spec.profile == Profile::Reference {
            return Err(BadSpec::new(
                "settings.mode",
                "hearing asks the judge of the strict profile; use profile strict",
            ));
        }
        Ok(())
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::read(name, bytes)
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        let settings = settings::Settings::at(spec, &task.labels)?;
        Ok(match settings.mode {
            settings::Mode::Hearing => Box::new(check::Hearing::open(task, pack)?),
            _ => Box::new(protocol::Play::open(spec, task, pack)?),
        })
    }

    /// A message a turn and the forced final, each put to the judge; the judge is asked once more where its reply cannot be read
    /// (`strict`).
    fn most_calls(&self, spec: &Spec, task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let settings = settings::Settings::at(spec, &task.labels)?;
        if settings.mode == settings::Mode::Hearing {
            let entries = saturated(tasks::bank(task).len());
            return Ok(vec![(Seat::PLAYER, 0), (settings::JUDGE, entries.saturating_mul(2))]);
        }
        let messages = settings.turns() + 1;
        let readings = match spec.profile {
            Profile::Strict => 2,
            Profile::Reference => 1,
        };
        Ok(vec![(Seat::PLAYER, messages), (settings::JUDGE, messages * readings)])
    }
}
