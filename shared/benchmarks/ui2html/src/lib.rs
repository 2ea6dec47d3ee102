//! UI2Html: a player writes a page that it has never seen, from a description that leaves things out and from answers to its
//! questions.
//!
//! `protocol` is the episode, `grading` scores the final page, `likeness` compares two layouts without a judge, `reading` reads what
//! seats say, `tasks` reads pictures. Numbers in brackets are sections of the specification of Interactive Benchmarks.

pub mod bots;
mod change;
mod formats;
pub mod grading;
pub mod likeness;
pub mod metrics;
pub mod numbers;
mod people;
pub mod prompts;
pub mod protocol;
pub mod reading;
mod sealing;
pub mod settings;
pub mod tasks;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::LazyLock;

use serde_json::{Value, json};
use turnwise_core::effect::RENDER;
use turnwise_core::prelude::*;

use settings::{JUDGE, METER, Mode, SCORER, SUMMARIZER, Settings};

/// The pages of `samples/pages`, and a zip of their pictures: `examples/pack.rs` writes both.
const PAGES: &[u8] = include_bytes!("../samples/pages.jsonl");
/// The web app asks its server for pictures.
#[cfg(not(target_family = "wasm"))]
const PICTURES: &[u8] = include_bytes!("../samples/pictures.zip");
#[cfg(target_family = "wasm")]
const PICTURES: &[u8] = &[];

pub struct Ui2Html;

impl Ui2Html {
    pub const FACTS: Facts = Facts {
        name: "ui2html",
        title: "UI2Html",
        about: "A web page is described, and the description leaves things out. Can the model rebuild the page by asking a judge, who \
                sees both pages, what it should change?",
        profiles: &[Profile::Strict],
        seats: &[
            SeatInfo::new(
                Seat::PLAYER,
                "asks questions and writes the page: the seat under evaluation",
                "bot:asks",
            ),
            SeatInfo::new(JUDGE, "sees target and page; answers yes or no", "bot:likeness"),
            SeatInfo::new(SUMMARIZER, "sees the target and describes it", "bot:frozen")
                .following(JUDGE),
            SeatInfo::new(
                SCORER,
                "sees target and final page; gives five sub-scores",
                "bot:rubric",
            )
            .following(JUDGE),
            SeatInfo::new(METER, "measures how alike both layouts are", "bot:likeness"),
        ],
        bots: bots::BOTS,
        // Ours: the paper does not mention it (2.b).
        sampling: |_, _| Sampling::at(0.0),
        pack: prompts::pack,
        schema: Settings::SCHEMA,
        scripted: bots::scripted,
        file_format: "A zip of PNG files and, if there is one, tasks.jsonl with id, picture (the name of a file), description, omits, \
                      spec and layout of each; or one PNG.",
        // The target is a picture; its specification is hidden text, and no answer.
        reference_field: None,
        grading_seats: &[SCORER, METER],
        verdict: |_, ask, reply| reading::verdict(ask.seat.as_str(), reply),
        identifying_labels: &[tasks::SIZE],
        formats: formats::FORMATS,
        sealing: Some(&sealing::Sealed),
        tools: Some(|| &tools::TOOLS),
        people: Some(&people::PEOPLE),
        boards: Some(&people::BOARDS),
        measure: metrics::measure,
        report: |spec, episodes, _| metrics::report(spec, episodes),
        metrics: numbers::METRICS,
        compared_by: &numbers::TOTAL,
        unranked: |spec| {
            let is_description = spec.settings["mode"] == Mode::Describe.name();
            is_description
                .then_some("the mode describe makes descriptions and plays nothing; use play")
        },
        full_marks: 100.0,
        ..Facts::USUAL
    };
}

impl Benchmark for Ui2Html {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::read(name, bytes)
    }

    fn samples(&self) -> TaskSet {
        static OWN: LazyLock<TaskSet> = LazyLock::new(|| {
            tasks::own(PAGES, PICTURES)
                .expect("the samples are part of the program, and a test reads them")
        });
        OWN.clone()
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Play::open(spec, task, pack)?))
    }

    fn grade(
        &self,
        spec: &Spec,
        task: &Task,
        _: &Pack,
        play: &Outcome,
    ) -> Result<Option<Box<dyn Episode>>, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let is_written = play.ending == protocol::ending::WRITTEN;
        Ok(is_written.then(|| Box::new(grading::Grading::open(&settings, play)) as _))
    }

    fn default_budget(&self, _: &Spec) -> Budget {
        // More than the longest episode needs: a page and its render a round, up to two calls of the judge.
        Budget { calls: 5 * (settings::USUAL_ROUNDS + 2), ..Budget::default() }
    }

    fn trials(&self) -> Vec<(Profile, Value)> {
        let trial = |settings| (Profile::Strict, Settings::SCHEMA.completed(&settings));
        [json!({ "rounds": 3, "description": "live" }), json!({ "mode": "describe" })]
            .map(trial)
            .into()
    }

    /// A page a round and the final one, each rendered; before the first the blank page may be.
    fn most_calls(&self, spec: &Spec, task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let (pages, rounds) = match settings.mode {
            Mode::Play => (settings.rounds + 1, settings.rounds),
            Mode::Describe => (0, 0),
        };
        let descriptions = if settings.describes() { protocol::ATTEMPTS } else { 0 };
        Ok(vec![
            (Seat::PLAYER, pages),
            (JUDGE, rounds * protocol::ATTEMPTS),
            (SUMMARIZER, descriptions),
            (SCORER, pages.min(1) * protocol::ATTEMPTS),
            (METER, pages.min(1)),
            (RENDER, pages + pages.min(1)),
        ])
    }
}
