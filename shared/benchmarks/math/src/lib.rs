//! Math: can a model solve a problem by asking a judge who knows the solution, and by guessing?
//!
//! `answer` decides what mathematics can decide; `protocol` is the episode, `grading` its verdicts; `reading` reads what seats say;
//! `metrics` has the numbers, `results` the authors' files. Sections in comments are those of the specification. Everything that
//! knows the trait [`Benchmark`] stands in this file.

pub mod answer;
mod asking;
mod boards;
pub mod bots;
mod form;
mod formats;
pub mod grading;
pub mod metrics;
#[rustfmt::skip]
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

use serde_json::{Value, json};
use turnwise_core::benchmark::tool::{Argument, Done, Takes};
use turnwise_core::benchmark::{
    Asked, Attempts, BadTasks, Benchmark, BotInfo, Dice, People, Prompt, Schema, SeatInfo, Setup,
    Tool, Tools, USUAL_ATTEMPTS,
};
use turnwise_core::board::Boards;
use turnwise_core::episode::{Episode, Outcome};
use turnwise_core::formats::Formats;
use turnwise_core::hash::Digest;
use turnwise_core::metrics::metric::Section;
use turnwise_core::metrics::report::{MeasureOptions, Report};
use turnwise_core::metrics::spending;
use turnwise_core::metrics::summary::{Measured, Summary};
use turnwise_core::prompt::{Ask, Pack, Said};
use turnwise_core::sealed::Sealing;
use turnwise_core::seat::{Sampling, Seat};
use turnwise_core::spec::{BadSpec, Budget, Profile, Spec};
use turnwise_core::task::{Task, TaskSet};
use turnwise_core::transcript::Transcript;
use turnwise_core::wire::ModelCall;

use prompts::JUDGE;
use settings::{Mode, Settings};

/// The benchmark.
pub struct Math;

const TOOLS: Tools = Tools {
    command: "math",
    about: "Commands of Math",
    tools: &[Tool {
        verb: "grade",
        about: "Compare an answer with the expected one: equal, unequal or undecided, the kind of answer, and the reason",
        details: "",
        arguments: &[
            Argument::at("EXPECTED", "", Takes::Text),
            Argument::at("GIVEN", "", Takes::Text),
            Argument::flag(
                "problem",
                "TEXT",
                "The problem: it may name the unit of its answer, or ask for it up to a factor",
                Takes::Text,
            ),
        ],
        writes: &[],
        run: |asked| {
            let text = |name| asked.text(name).unwrap_or_default();
            let graded = answer::grade_in(text("problem"), text("EXPECTED"), text("GIVEN"));
            Ok(Done::text(graded.to_string()))
        },
    }],
};

impl Benchmark for Math {
    fn name(&self) -> &'static str {
        "math"
    }

    fn title(&self) -> &'static str {
        "Math"
    }

    fn about(&self) -> &'static str {
        "A hard problem, and a judge who knows its solution and says only yes, no, both or irrelevant. Does asking help more than \
         answering as often as the same budget allows?"
    }

    fn protocol(&self) -> u32 {
        2
    }

    fn seats(&self) -> &'static [SeatInfo] {
        &[
            SeatInfo {
                seat: Seat::PLAYER,
                about: "asks, guesses and answers: the seat under evaluation",
                default: "bot:bisects",
            },
            SeatInfo {
                seat: JUDGE,
                about: "knows the solution and answers yes, no, both or irrelevant",
                default: "bot:compares",
            },
            SeatInfo {
                seat: Seat::GRADER,
                about: "compares answers with the expected one where no rule decides",
                default: "bot:rules",
            },
        ]
    }

    fn pack(&self) -> Pack {
        prompts::default_pack()
    }

    fn default_settings(&self) -> Value {
        json!(Settings::default())
    }

    /// Judge and grader at 0. The player's arms have one temperature, 0.8, without which the samples of pass@k would be alike; the
    /// authors sample at it in pass@k alone, and else at 0 (specification 0.4).
    fn default_sampling(&self, setup: Setup<'_>, seat: &Seat, model: &str) -> Sampling {
        if Sampling::is_refused_by(model) {
            return Sampling::default();
        }
        let is_varied = seat.as_str() == Seat::PLAYER
            && (setup.profile == Profile::Strict || settings::is_pass_at_k(setup));
        Sampling { temperature: Some(if is_varied { 0.8 } else { 0.0 }), ..Sampling::default() }
    }

    /// Specification 0.4: the authors' programs without a judge send a call up to three times, also after a reply without text.
    fn attempts(&self, spec: &Spec) -> Attempts {
        let is_direct = Settings::of(spec).is_ok_and(|settings| settings.mode == Mode::Direct);
        Attempts {
            blank_fails: spec.profile == Profile::Reference && is_direct,
            ..USUAL_ATTEMPTS.into()
        }
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let settings = Settings::of(spec)?;
        let mut needed = vec![(Seat::PLAYER, "bot:bisects")];
        if settings.mode == Mode::Interactive {
            needed.push((JUDGE, "bot:compares"));
        }
        needed.push((Seat::GRADER, "bot:rules"));
        match needed.into_iter().find(|(seat, _)| !spec.seats.contains_key(&Seat::new(*seat))) {
            None => Ok(()),
            Some((seat, example)) => Err(BadSpec::new(
                format!("seats.{seat}"),
                format!("the seat is empty, and this mode needs it; e.g. {example}"),
            )),
        }
    }

    /// Every turn may need two calls to judge or grader.
    fn default_budget(&self, spec: &Spec) -> Budget {
        let rounds = Settings::of(spec).unwrap_or_default().rounds;
        Budget { calls: 3 * (rounds + 1), ..Budget::default() }
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::load(name, bytes)
    }

    fn file_format(&self) -> &'static str {
        "The official file, or JSON Lines with problem, solution and exp_ans."
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
        let settings = Settings::of(spec)?;
        if !grading::is_needed(spec, &settings, play) {
            return Ok(None);
        }
        Ok(Some(Box::new(grading::Grading::open(spec, &settings, task, play))))
    }

    fn sealing(&self) -> Option<&'static dyn Sealing> {
        Some(&sealing::Sealed)
    }

    fn tools(&self) -> Option<&'static Tools> {
        Some(&TOOLS)
    }

    fn people(&self) -> Option<&'static People> {
        Some(&people::PEOPLE)
    }

    fn formats(&self) -> Formats {
        formats::FORMATS
    }

    fn boards(&self) -> Option<&'static Boards> {
        Some(&boards::BOARDS)
    }

    fn schema(&self) -> Schema {
        form::FORM
    }

    fn trials(&self) -> Vec<(Profile, Value)> {
        let settings = |mode: &str| json!({ "mode": mode, "rounds": 4 });
        [Profile::Strict, Profile::Reference]
            .into_iter()
            .flat_map(|profile| {
                ["interactive", "guess_only", "direct"].map(|mode| (profile, settings(mode)))
            })
            .collect()
    }

    fn scripted(&self, prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
        scripted::reply(prompt, dice)
    }

    /// A message a round and the final answer; each question is put to the judge, each answer to the grader, both once more where
    /// the reply cannot be read (`strict`). `reference` grades the returned answer again.
    fn most_calls(&self, spec: &Spec, _task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let settings = Settings::of(spec)?;
        let readings = match spec.profile {
            Profile::Strict => 2,
            Profile::Reference => 1,
        };
        let rounds = match settings.mode {
            Mode::Direct => 0,
            Mode::Interactive | Mode::GuessOnly => settings.rounds,
        };
        let asks = match settings.mode {
            Mode::Interactive => rounds,
            Mode::GuessOnly | Mode::Direct => 0,
        };
        Ok(vec![
            (Seat::PLAYER, rounds + 1),
            (JUDGE, asks * readings),
            (Seat::GRADER, (rounds + 2) * readings),
        ])
    }

    fn bots(&self) -> &'static [BotInfo] {
        bots::BOTS
    }

    fn bot(&self, name: &str, asked: &Asked<'_>) -> Option<Said> {
        bots::reply(name, asked)
    }

    fn binding_settings(&self, settings: &Value) -> Value {
        settings::binding(settings)
    }

    /// The grader is asked once for each problem and tidy answer (`strict`).
    fn shared_reply(&self, spec: &Spec, ask: &Ask, task: &Task) -> Option<Digest> {
        if spec.profile != Profile::Strict || ask.seat.as_str() != Seat::GRADER {
            return None;
        }
        // A second attempt must be able to differ from an unreadable first.
        let (given, attempt) = (ask.variable("given", task)?, ask.variable("attempt", task)?);
        Some(Digest::of_value(&json!([task.digest, given, attempt])))
    }

    /// The same over all runs: endpoint, model, sampling and the whole request, in which the answer is tidy already.
    fn cached_reply(&self, spec: &Spec, call: &ModelCall) -> Option<Digest> {
        if spec.profile != Profile::Strict || call.seat.as_str() != Seat::GRADER {
            return None;
        }
        Some(Digest::of_value(&json!({
            "seat": call.seat,
            "provider": call.provider,
            "model": call.model,
            "sampling": call.sampling,
            "messages": call.messages.iter().map(|message| json!([message.role, message.text])).collect::<Vec<_>>(),
        })))
    }

    fn may_be_cached(&self, seat: &Seat, text: &str) -> bool {
        seat.as_str() != Seat::GRADER || reading::grader_strict(text).is_some()
    }

    /// The verdict stands in the heading of its turn already; what is told is that nobody was asked for it.
    fn event_in_words(&self, _spec: &Spec, name: &str, detail: &Value) -> Option<String> {
        (name == "verdict").then(|| match detail["by"].as_str() {
            Some("rule") => "Decided by a rule; the grader was not asked".to_owned(),
            _ => String::new(),
        })
    }

    fn measure_episode(&self, play: &Transcript, grading: Option<&Transcript>) -> Measured {
        metrics::measure(play, grading)
    }

    fn metrics(&self) -> &'static [Section] {
        numbers::METRICS
    }

    fn report(&self, spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
        spending::reported(metrics::report(spec, episodes), spec, episodes, options)
    }

    fn compares(&self) -> Option<&'static str> {
        Some("for an interactive and a direct run of one player, pass@k at matched budgets")
    }

    fn compare(&self, runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
        metrics::compare(runs)
    }
}
