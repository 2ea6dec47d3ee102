//! The world studio: the construction pipeline of Mind-ParaWorld as episodes (specification 3). It makes worlds instead of
//! measuring a player: questions about pairs of entities, the laws that answer them, audits, and a person who may object.
//!
//! `pools` draws pairs, `work` is one question on its way, `protocol` the episode of a pair; `schema`, `reading` and `checks`
//! say what a draft is; `freeze` writes what was accepted as worlds that `turnwise-paraworld` plays. Numbers in brackets are sections
//! of the specification.

pub mod bots;
pub mod checks;
pub mod freeze;
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

use settings::Settings;
use turnwise_core::benchmark::Legend;
use turnwise_core::prelude::*;
use work::seat;

/// The benchmark that makes worlds.
pub struct Studio;

impl Studio {
    pub const FACTS: Facts = Facts {
        name: "worlds",
        title: "World studio",
        about: "Makes worlds for Mind-ParaWorld instead of measuring a player: questions about an invented future, the facts that \
         answer them, and two audits. The score is the share of questions that were accepted.",
        protocol: 2,
        seats: &[
            SeatInfo::new(
                seat::QUESTIONER,
                "writes questions about a pair of entities (the paper's Parallel World Model)",
                "bot:builder",
            ),
            SeatInfo::new(
                seat::LAWGIVER,
                "lays down the facts and the answer (the paper's ParaWorld Law Model)",
                "bot:builder",
            ),
            SeatInfo::new(
                seat::AUDITOR,
                "looks for contradictions, and answers from the facts alone",
                "bot:solver",
            ),
            SeatInfo::new(seat::EDITOR, "lets drafts pass, changes or refuses them", "bot:accept"),
        ],
        bots: bots::BOTS,
        // Makers are to vary, auditors and editors are not. Models that may refuse a temperature are sent none. Ours: the paper
        // says nothing.
        sampling: |_, seat| {
            let temperature = match seat.as_str() {
                seat::QUESTIONER => 1.0,
                seat::LAWGIVER => 0.7,
                _ => 0.0,
            };
            Sampling::at(temperature)
        },
        pack: prompts::default_pack,
        schema: Settings::SCHEMA,
        // The authors published no code that makes worlds.
        profiles: &[Profile::Strict],
        trials: include_str!("trials.jsonl"),
        scripted: scripted::reply,
        file_format: "JSON Lines, a domain each: {\"domain\": \"Band\", \"entities\": [\"…\", \"…\"]}. Pairs are drawn from them.",
        samples: include_bytes!("../samples/pools.jsonl"),
        tools: Some(|| &tools::TOOLS),
        // Whose turn a cell is.
        legend: Legend {
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
        },
        measure: |play, _| report::measure(play),
        report: report::report,
        metrics: numbers::METRICS,
        ..Facts::USUAL
    };
}

impl Benchmark for Studio {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        Settings::of(spec).map(drop)
    }

    /// As many calls as the most tedious pair can need.
    fn default_budget(&self, spec: &Spec) -> Budget {
        Budget { calls: Settings::of(spec).unwrap_or_default().most_calls(), ..Budget::default() }
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        Ok(pools::read(name, bytes)?.to_task_set(name))
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Making::open(spec, task, pack)?))
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
}
