//! Math: can a model solve a problem by asking a judge who knows the solution, and by guessing?
//!
//! `answer` decides what mathematics can decide; `protocol` is the episode, `grading` its verdicts; `reading` reads what seats say;
//! `metrics` has the numbers, `results` the authors' files. Sections in comments are those of the specification. Everything that
//! knows the trait [`Benchmark`] stands in this file.

pub mod answer;
mod asking;
mod boards;
pub mod bots;
mod formats;
pub mod grading;
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
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde_json::{Value, json};
use turnwise_core::benchmark::tool::{Done, Given};
use turnwise_core::benchmark::{Attempts, Tools, USUAL_ATTEMPTS};
use turnwise_core::call::ModelCall;
use turnwise_core::kit::judge::cache_key;
use turnwise_core::prelude::*;

use prompts::JUDGE;
use settings::{Mode, Settings};

pub struct Math;

static TOOLS: LazyLock<Tools> =
    LazyLock::new(|| Tools::read(include_str!("tools.toml"), &[("grade", compared)]));

fn compared(asked: &Given<'_>) -> Result<Done, String> {
    let text = |name| asked.text(name).unwrap_or_default();
    let graded = answer::grade_in(text("problem"), text("EXPECTED"), text("GIVEN"));
    Ok(Done::text(graded.to_string()))
}

impl Math {
    pub const FACTS: Facts = Facts {
        name: "math",
        title: "Math",
        about: "A hard problem, and a judge who knows its solution and says only yes, no, both or irrelevant. Does asking help more than \
         answering as often as the same budget allows?",
        protocol: 2,
        seats: &[
            SeatInfo::new(
                Seat::PLAYER,
                "asks, guesses and answers: the seat under evaluation",
                "bot:bisects",
            ),
            SeatInfo::new(
                JUDGE,
                "knows the solution and answers yes, no, both or irrelevant",
                "bot:compares",
            ),
            SeatInfo::new(
                Seat::GRADER,
                "compares answers with the expected one where no rule decides",
                "bot:rules",
            ),
        ],
        bots: bots::BOTS,
        // Judge and grader at 0. The player's arms have one temperature, 0.8, without which the samples of pass@k would be alike; the
        // authors sample at it in pass@k alone, and else at 0 (specification 0.4).
        sampling: |setup, seat| {
            let is_varied = seat.as_str() == Seat::PLAYER
                && (setup.profile == Profile::Strict || settings::is_pass_at_k(setup));
            Sampling::at(if is_varied { 0.8 } else { 0.0 })
        },
        pack: prompts::default_pack,
        schema: Settings::SCHEMA,
        trials: include_str!("trials.jsonl"),
        scripted: scripted::reply,
        file_format: "The official file, or JSON Lines with problem, solution and exp_ans.",
        verdict: |profile, ask, reply| match ask.seat.as_str() {
            JUDGE => reading::judge(reply, profile).map(str::to_owned),
            Seat::GRADER => reading::grader(reply, profile).map(|right| right.to_string()),
            _ => None,
        },
        sealing: Some(&sealing::Sealed),
        tools: Some(|| &TOOLS),
        people: Some(&people::PEOPLE),
        formats: formats::FORMATS,
        boards: Some(&boards::BOARDS),
        measure: metrics::measure,
        report: |spec, episodes, _| metrics::report(spec, episodes),
        metrics: numbers::METRICS,
        compares: Some(
            "for an interactive and a direct run of one player, pass@k at matched budgets",
        ),
        shared_reply: Self::shared_reply,
        cached_reply: Self::cached_reply,
        may_be_cached: |seat, text| {
            seat.as_str() != Seat::GRADER || reading::grader(text, Profile::Strict).is_some()
        },
        ..Facts::USUAL
    };

    /// The grader is asked once for each problem and tidy answer (`strict`).
    fn shared_reply(spec: &Spec, ask: &Ask, task: &Task) -> Option<Digest> {
        if spec.profile != Profile::Strict || ask.seat.as_str() != Seat::GRADER {
            return None;
        }
        // A second attempt must be able to differ from an unreadable first.
        let (given, attempt) = (ask.variable("given", task)?, ask.variable("attempt", task)?);
        Some(Digest::of_value(&json!([task.digest, given, attempt])))
    }

    /// The same over all runs: endpoint, model, sampling and the whole request, in which the answer is tidy already.
    fn cached_reply(spec: &Spec, call: &ModelCall) -> Option<Digest> {
        (spec.profile == Profile::Strict && call.seat.as_str() == Seat::GRADER)
            .then(|| cache_key(call, |text| Some(text.to_owned())))
            .flatten()
    }
}

impl Benchmark for Math {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    /// Specification 0.4: the authors' programs without a judge send a call up to three times, also after a reply without text.
    fn attempts(&self, spec: &Spec) -> Attempts {
        let is_direct = Settings::read(spec).is_ok_and(|settings| settings.mode == Mode::Direct);
        Attempts {
            blank_fails: spec.profile == Profile::Reference && is_direct,
            ..USUAL_ATTEMPTS.into()
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        Settings::read(spec).map(drop)
    }

    /// Every turn may need two calls to judge or grader.
    fn default_budget(&self, spec: &Spec) -> Budget {
        let rounds = Settings::read(spec).unwrap_or_default().rounds;
        Budget { calls: 3 * (rounds + 1), ..Budget::default() }
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::load(name, bytes)
    }

    fn samples(&self) -> TaskSet {
        tasks::samples()
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Play::open(spec, task, pack)?))
    }

    fn grade(
        &self,
        spec: &Spec,
        task: &Task,
        _pack: &Pack,
        play: &Outcome,
    ) -> Result<Option<Box<dyn Episode>>, BadSpec> {
        let settings = Settings::read(spec)?;
        Ok(grading::is_needed(spec, &settings, play)
            .then(|| Box::new(grading::Grading::open(spec, &settings, task, play)) as _))
    }

    /// A message a round and the final answer; each question is put to the judge, each answer to the grader, both once more where
    /// the reply cannot be read (`strict`). `reference` grades the returned answer again.
    fn most_calls(&self, spec: &Spec, _task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let settings = Settings::read(spec)?;
        let readings = if spec.profile == Profile::Strict { 2 } else { 1 };
        let (rounds, asks) = match settings.mode {
            Mode::Interactive => (settings.rounds, settings.rounds),
            Mode::GuessOnly => (settings.rounds, 0),
            Mode::Direct => (0, 0),
        };
        Ok(vec![
            (Seat::PLAYER, rounds + 1),
            (JUDGE, asks * readings),
            (Seat::GRADER, (rounds + 2) * readings),
        ])
    }

    /// The verdict stands in the heading of its turn already; this adds only that the grader was not asked.
    fn event_in_words(&self, _spec: &Spec, name: &str, detail: &Value) -> Option<String> {
        (name == "verdict").then(|| match detail["by"].as_str() {
            Some("rule") => "Decided by a rule; the grader was not asked".to_owned(),
            _ => String::new(),
        })
    }

    fn compare(&self, runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
        metrics::compare(runs)
    }

    fn needs_seat(&self, spec: &Spec, seat: &str) -> bool {
        seat != JUDGE || Settings::read(spec).is_ok_and(|one| one.mode == Mode::Interactive)
    }
}
