//! The world studio: the construction pipeline of Mind-ParaWorld as episodes (specification 3). It makes worlds instead of
//! measuring a player: questions about pairs of entities, the laws that answer them, audits, and a person who may object.
//!
//! `pools` draws pairs, `work` is one question on its way, `protocol` the episode of a pair; `schema`, `reading` and `checks`
//! say what a draft is; `freeze` writes what was accepted as worlds that `paraworld` plays. Numbers in brackets are sections
//! of the specification.

pub mod bots;
pub mod checks;
mod form;
pub mod freeze;
#[rustfmt::skip]
mod numbers;
pub mod pools;
pub mod prompts;
pub mod protocol;
pub mod reading;
pub mod record;
pub mod report;
pub mod scene;
pub mod schema;
mod scripted;
pub mod settings;
mod tools;
pub mod work;

#[cfg(test)]
mod tests;

use serde_json::json;

use settings::Settings;
use turnwise_core::benchmark::{
    Asked, BadTasks, Benchmark, BotInfo, Dice, Legend, Prompt, Schema, SeatInfo, Setup, Tools,
};
use turnwise_core::episode::Episode;
use turnwise_core::metrics::metric::Section;
use turnwise_core::metrics::report::{MeasureOptions, Report};
use turnwise_core::metrics::spending;
use turnwise_core::metrics::summary::{Measured, Summary};
use turnwise_core::prompt::{Pack, Said};
use turnwise_core::seat::{Sampling, Seat};
use turnwise_core::spec::{BadSpec, Budget, Profile, Spec};
use turnwise_core::task::{Task, TaskSet};
use turnwise_core::transcript::Transcript;
use work::seat;

/// The benchmark that makes worlds.
pub struct Studio;

impl Benchmark for Studio {
    fn name(&self) -> &'static str {
        "worlds"
    }

    fn title(&self) -> &'static str {
        "World studio"
    }

    fn about(&self) -> &'static str {
        "Makes worlds for Mind-ParaWorld instead of measuring a player: questions about an invented future, the facts that \
         answer them, and two audits. The score is the share of questions that were accepted."
    }

    fn protocol(&self) -> u32 {
        2
    }

    fn seats(&self) -> &'static [SeatInfo] {
        &[
            SeatInfo {
                seat: seat::QUESTIONER,
                about: "writes questions about a pair of entities (the paper's Parallel World Model)",
                default: "bot:builder",
            },
            SeatInfo {
                seat: seat::LAWGIVER,
                about: "lays down the facts and the answer (the paper's ParaWorld Law Model)",
                default: "bot:builder",
            },
            SeatInfo {
                seat: seat::AUDITOR,
                about: "looks for contradictions, and answers from the facts alone",
                default: "bot:solver",
            },
            SeatInfo {
                seat: seat::EDITOR,
                about: "lets drafts pass, changes or refuses them",
                default: "bot:accept",
            },
        ]
    }

    fn pack(&self) -> Pack {
        prompts::default_pack()
    }

    fn default_settings(&self) -> serde_json::Value {
        json!(Settings::default())
    }

    /// Makers are to vary, auditors and editors are not. Models that may refuse a temperature are sent none. Ours: the paper
    /// says nothing.
    fn default_sampling(&self, _: Setup<'_>, seat: &Seat, model: &str) -> Sampling {
        if Sampling::is_refused_by(model) {
            return Sampling::default();
        }
        let temperature = match seat.as_str() {
            seat::QUESTIONER => 1.0,
            seat::LAWGIVER => 0.7,
            _ => 0.0,
        };
        Sampling { temperature: Some(temperature), ..Sampling::default() }
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        for info in self.seats() {
            if !spec.seats.contains_key(&Seat::new(info.seat)) {
                let problem = format!("nobody sits there; {} is the default", info.default);
                return Err(BadSpec::new(format!("seats.{}", info.seat), problem));
            }
        }
        Settings::of(spec).map(drop)
    }

    /// As many calls as the most tedious pair can need.
    fn default_budget(&self, spec: &Spec) -> Budget {
        Budget { calls: Settings::of(spec).unwrap_or_default().most_calls(), ..Budget::default() }
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        Ok(pools::read(name, bytes)?.to_task_set(name))
    }

    fn file_format(&self) -> &'static str {
        "JSON Lines, a domain each: {\"domain\": \"Band\", \"entities\": [\"…\", \"…\"]}. Pairs are drawn from them."
    }

    fn samples(&self) -> TaskSet {
        self.read_tasks("samples", include_bytes!("../../samples/pools.jsonl"))
            .expect("the samples are part of the program, and a test reads them")
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Making::open(spec, task, pack)?))
    }

    /// Whose turn a cell is.
    fn legend(&self) -> Legend {
        Legend {
            signs: &[
                ("k-ask|A", "a question is written"),
                ("k-other|L", "law laid down, or let pass by the editor"),
                ("k-other|C", "changed by the editor"),
                ("k-other|R", "refused by the editor"),
                ("k-search|S", "first audit"),
                ("k-answer r-correct|✓", "second audit agrees"),
                ("k-answer r-wrong|✗", "it does not"),
                ("k-invalid|?", "invalid reply"),
            ],
            letters: "",
        }
    }

    fn tools(&self) -> Option<&'static Tools> {
        Some(&tools::TOOLS)
    }

    fn schema(&self) -> Schema {
        form::FORM
    }

    /// The authors published no code that makes worlds.
    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Strict]
    }

    fn trials(&self) -> Vec<(Profile, serde_json::Value)> {
        let chinese = json!({ "questions": 2, "audits": 1, "language": "zh" });
        let alone = json!({
            "questions": 3, "audits": 4, "policy": "majority", "filter": "question", "review": [], "repairs": 0,
        });
        vec![
            (Profile::Strict, json!({ "questions": 2 })),
            (Profile::Strict, chinese),
            (Profile::Strict, alone),
        ]
    }

    fn scripted(&self, prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
        scripted::reply(prompt, dice)
    }

    /// Specification 3.5: every question is asked for, answered by a law (and its repairs) and audited; each of
    /// these again after a reply that could not be read.
    fn most_calls(&self, spec: &Spec, _task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        use work::seat;
        let settings = settings::Settings::of(spec)?;
        let each = settings.questions * (1 + settings::RETRIES);
        Ok(vec![
            (seat::QUESTIONER, each),
            (seat::LAWGIVER, each * (1 + settings.repairs)),
            (seat::AUDITOR, each * (1 + settings.audits)),
        ])
    }

    fn bots(&self) -> &'static [BotInfo] {
        bots::BOTS
    }

    fn bot(&self, name: &str, asked: &Asked<'_>) -> Option<Said> {
        bots::reply(name, asked)
    }

    fn seats_bot(&self, seat: &Seat, name: &str) -> bool {
        bots::sits(seat, name)
    }

    fn measure_episode(&self, play: &Transcript, _grading: Option<&Transcript>) -> Measured {
        report::measure(play)
    }

    fn metrics(&self) -> &'static [Section] {
        numbers::METRICS
    }

    fn report(&self, spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
        spending::reported(report::report(spec, episodes, options), spec, episodes, options)
    }
}
