//! InfoDeepSeek: a player plans, searches and opens pages to answer hard questions, and ranks the pages that answer them.
//!
//! `protocol` is the episode, `grading` answers from the evidence and judges, `scores` has the paper's numbers over questions, `reading`
//! reads what seats say, `memory` and `pages` what the player and its reader are shown, `tasks` questions, `published` the paper's tables.
//! Numbers in brackets are sections of the specification.

pub mod bots;
pub mod grading;
mod memory;
pub mod metrics;
pub mod numbers;
mod pages;
mod people;
pub mod prompts;
pub mod protocol;
mod published;
pub mod reading;
pub mod scores;
pub mod settings;
pub mod tasks;
#[cfg(test)]
mod tests;
mod time;
mod tools;
pub mod verbatim;

use serde_json::{Value, json};
use turnwise_core::benchmark::Attempts;
use turnwise_core::effect::{PAGE, SEARCH};
use turnwise_core::prelude::*;

use settings::{ANSWERER, ARBITER, JUDGE, MOST_PAGES, Mode, READER, SECOND, Settings};

pub const NAME: &str = "infodeepseek";

/// The app asks the server for the pages.
const SAMPLE_WEB: Option<&str> = match cfg!(target_arch = "wasm32") {
    true => None,
    false => Some(include_str!("../samples/web/pages.txt")),
};

pub struct InfoDeepSeek;

impl InfoDeepSeek {
    pub const FACTS: Facts = Facts {
        name: NAME,
        title: "InfoDeepSeek",
        about: "Hard questions that one search does not answer. Does the model find the pages of the web that do, and how few of \
                them does it need?",
        profiles: &[Profile::Strict],
        other_profiles: "the authors' program is not rebuilt, only its numbers are (turnwise metrics --profile reference)",
        seats: &[
            SeatInfo::new(
                Seat::PLAYER,
                "plans, searches, answers and ranks pages: the seat under evaluation",
                "bot:searcher",
            ),
            SeatInfo::new(READER, "says what a page has about a question", "bot:extract")
                .following(Seat::PLAYER),
            SeatInfo::new(ANSWERER, "answers from the first pages of the evidence", "bot:extract")
                .following(Seat::PLAYER),
            SeatInfo::new(JUDGE, "judges answers", "bot:exact"),
            SeatInfo::new(SECOND, "judges the same answers", "bot:exact"),
            SeatInfo::new(ARBITER, "decides where the judges differ", "bot:exact"),
        ],
        bots: bots::BOTS,
        // 5.3: the authors sample at 1, judges included; verdicts are to be the same again (6.4).
        sampling: |_, seat| match seat.as_str() {
            JUDGE | SECOND | ARBITER => Sampling::at(0.0),
            _ => Sampling::at(1.0),
        },
        pack: prompts::pack,
        verbatim: Some(&verbatim::VERBATIM),
        schema: Settings::SCHEMA,
        scripted: bots::scripted,
        file_format: "The official file, or JSON with id, query_en, query_zh, answer_en, answer_zh and sources of each question.",
        official_files: &[tasks::OFFICIAL_FILE],
        samples: include_bytes!("../samples/tasks.jsonl"),
        sample_web: SAMPLE_WEB,
        identifying_labels: &[tasks::label::RESISTS],
        reference_field: Some(tasks::field::ANSWER),
        grading_seats: &[JUDGE, SECOND, ARBITER, ANSWERER],
        verdict: |_, ask, reply| match ask.seat.as_str() {
            JUDGE | SECOND | ARBITER => reading::verdict(reply).map(|right| right.to_string()),
            _ => None,
        },
        tools: Some(|| &tools::TOOLS),
        people: Some(&people::PEOPLE),
        boards: Some(&published::BOARDS),
        measure: metrics::measure,
        report: |spec, episodes, _| metrics::report(spec, episodes),
        metrics: numbers::METRICS,
        reports_either_profile: true,
        compared_by: &numbers::ACCURACY,
        provenance: Self::provenance,
        ..Facts::USUAL
    };

    fn provenance(bytes: &[u8]) -> Option<String> {
        let is_official = Digest::of(bytes).to_string() == tasks::OFFICIAL_FILE;
        let words = if is_official { "the authors' questions" } else { "not the authors' file" };
        Some(words.to_owned())
    }
}

impl Benchmark for InfoDeepSeek {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let all = Settings::of(spec)?;
        let opens = all.iter().any(|settings| settings.mode == Mode::Agent);
        let searches = all.iter().any(|settings| settings.mode != Mode::Offline);
        if opens && spec.web.is_none() {
            let problem =
                "the player opens pages, and no web is chosen; use live, sample or a frozen one";
            return Err(BadSpec::new("web", problem));
        }
        if searches && spec.search.is_none() {
            let problem =
                "the player searches, and no engine is chosen; e.g. local, or the mode offline";
            return Err(BadSpec::new("search", problem));
        }
        Ok(())
    }

    /// The web is read by `agent` alone.
    fn needs_seat(&self, spec: &Spec, seat: &str) -> bool {
        let is_agent = spec.settings["mode"] == Mode::Agent.name();
        is_agent || !matches!(seat, READER | ANSWERER)
    }

    /// 3.8: five attempts, and a reply without text is a failed one.
    fn attempts(&self, _: &Spec) -> Attempts {
        Attempts { most: 5, blank_fails: true }
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        tasks::read(name, bytes)
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        verbatim::VERBATIM.check(pack)?;
        Ok(Box::new(protocol::Play::open(spec, task, pack)?))
    }

    fn grade(
        &self,
        spec: &Spec,
        task: &Task,
        pack: &Pack,
        play: &Outcome,
    ) -> Result<Option<Box<dyn Episode>>, BadSpec> {
        match play.ending == protocol::ending::ANSWERED {
            true => Ok(Some(Box::new(grading::Grading::open(spec, task, pack, play)?))),
            false => Ok(None),
        }
    }

    fn trials(&self) -> Vec<(Profile, Value)> {
        let trial = |settings| (Profile::Strict, Settings::SCHEMA.completed(&settings));
        [
            json!({ "mode": "agent", "steps": 3, "date": "2025-05-20" }),
            json!({ "mode": "single_search", "language": "zh" }),
            json!({ "mode": "offline" }),
        ]
        .map(trial)
        .into()
    }

    fn default_budget(&self, _: &Spec) -> Budget {
        Budget { calls: 2_000, ..Budget::default() }
    }

    /// 8, with the bounds of `strict`: a plan and a ranking are asked for once more, and a part of a page has at most
    /// that many pieces.
    fn most_calls(&self, spec: &Spec, task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let pieces = saturated(pages::PIECES);
        let is_agent = settings.mode == Mode::Agent;
        let steps = if is_agent { settings.steps } else { 0 };
        let pages = if is_agent { settings.pages } else { 0 };
        let offline = u32::from(settings.offline && settings.mode != Mode::Offline);
        let searches =
            if is_agent { steps } else { u32::from(settings.mode == Mode::SingleSearch) };
        let judged = (pages.min(MOST_PAGES) + 1 + offline) * grading::ATTEMPTS;
        Ok(vec![
            (Seat::PLAYER, (steps + u32::from(is_agent)) * protocol::ATTEMPTS + 1 + offline),
            (READER, steps * (pieces + 1)),
            (SEARCH, searches),
            (PAGE, steps),
            (ANSWERER, pages),
            (JUDGE, judged),
            (SECOND, judged),
            (ARBITER, judged),
        ])
    }
}
