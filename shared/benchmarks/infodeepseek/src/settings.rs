//! The settings of a run; a list of steps makes a sweep.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_core::benchmark::schema::Preset;
use turnwise_core::day::Day;
use turnwise_core::prelude::*;

/// Says in a few sentences what a page has about a question.
pub const READER: &str = "reader";
/// Answers from the first pages of the evidence, in the grading.
pub const ANSWERER: &str = "answerer";
/// Judges answers, as [`SECOND`] does; where they differ the [`ARBITER`] is asked.
pub const JUDGE: &str = "judge";
pub const SECOND: &str = "second";
pub const ARBITER: &str = "arbiter";

/// The setting and label with the number of steps.
pub const STEPS: &str = "steps";
/// As in the paper, of plans and of pages.
pub const USUAL: u32 = 5;
pub const MOST_STEPS: u32 = 50;
pub const MOST_PAGES: u32 = 10;

choices! {
    pub enum Mode {
        Agent = "agent" => "plan, search and open pages",
        /// The paper's filter of questions.
        SingleSearch = "single_search" => "one search with the question itself",
        Offline = "offline" => "from memory alone",
    }
}

choices! {
    /// The language of question, prompts and judging.
    pub enum Language {
        Zh = "zh" => "Chinese",
        En = "en" => "English",
        ZhAware = "zh-aware" => "Chinese, searching in any language",
        EnAware = "en-aware" => "English, searching in any language",
    }
}

choices! {
    pub enum Judging {
        Separate = "separate" => "another prompt for false premises",
        Unified = "unified" => "one prompt for all questions",
    }
}

settings! {
    Schema {
        presets: &[Preset {
                id: "step-study",
                label: "Steps: 1, 3, 5, 10, 20",
                sweeps: STEPS,
                settings: || json!({ STEPS: [1, 3, USUAL, 10, 20] }),
                tasks: 50,
        }],
        today: "date",
        ..Schema::new("Steps and languages", &[])
    };
    /// The settings of one episode.
    #[derive(Eq)]
    pub struct Settings {
        mode: Mode = Mode::Agent => entry("What the player may do", "", Holds::Choice(Mode::CHOICES)),
        language: Language = Language::En => entry(
            "Language of the question and of all prompts",
            "",
            Holds::Choice(Language::CHOICES),
        ),
        /// T: the most plans, and the most uses of tools.
        steps: u32 = USUAL => entry(
            "Steps",
            "several, e.g. 1,3,5,10,20, make a sweep",
            Holds::Sweep(1, MOST_STEPS as u64),
        )
        .marked('t')
        .binds(is_agent),
        pages: u32 = USUAL => entry("Pages of evidence at most", "", Holds::Number(1, MOST_PAGES as u64))
            .binds(is_agent),
        since: String = String::new() => entry(
            "Only what is at least as young, e.g. 2024-11-01",
            "where the engine takes a day; empty = no limit",
            Holds::Text,
        )
        .binds(searches)
        .folded(),
        /// Of what was found; tokens are estimated.
        window: u32 = 4096 => entry(
            "Tokens of findings that the player is shown",
            "the oldest results are left out first; tokens are estimated from characters",
            Holds::Number(500, 200_000),
        )
        .binds(is_agent)
        .folded(),
        offline: bool = true => entry(
            "Also ask the player without the web",
            "without it there is no interference rate",
            Holds::Flag,
        )
        .binds(is_not_offline),
        judging: Judging = Judging::Separate => entry("Prompts of the judges", "", Holds::Choice(Judging::CHOICES))
            .folded(),
        date: String = String::new() => entry(
            "The date that seats are told, e.g. 2025-05-20",
            "empty = the day on which the run is opened",
            Holds::Text,
        )
        .folded(),
    }
}

fn is_agent(chosen: &Value) -> bool {
    chosen["mode"] == Mode::Agent.name()
}

fn is_not_offline(chosen: &Value) -> bool {
    chosen["mode"] != Mode::Offline.name()
}

fn searches(chosen: &Value) -> bool {
    is_not_offline(chosen)
}

impl Language {
    /// What ends the names of templates.
    pub fn code(self) -> &'static str {
        match self {
            Language::Zh | Language::ZhAware => "zh",
            Language::En | Language::EnAware => "en",
        }
    }

    /// Whether the prompt asks the player to search in any language.
    pub fn is_aware(self) -> bool {
        matches!(self, Language::ZhAware | Language::EnAware)
    }

    /// The language that engines and sites are to prefer; `None` leaves it to them.
    pub fn locale(self) -> Option<String> {
        (!self.is_aware()).then(|| self.code().to_owned())
    }
}

impl Settings {
    /// The settings of a task's episode: in a sweep those of the value that the task is labelled with.
    ///
    /// # Errors
    /// The setting that cannot be used, and what is accepted.
    pub fn at(spec: &Spec, labels: &BTreeMap<String, String>) -> Result<Self, BadSpec> {
        let settings: Settings = Self::SCHEMA.at(spec, labels)?;
        for (name, text) in [("date", &settings.date), ("since", &settings.since)] {
            if !text.is_empty() && text.parse::<Day>().is_err() {
                let problem = format!("expected a day as 2025-05-20, or nothing, got {text:?}");
                return Err(BadSpec::new(format!("settings.{name}"), problem));
            }
        }
        Ok(settings)
    }

    /// The settings of a spec, one for each value of its sweep.
    ///
    /// # Errors
    /// As [`Settings::at`].
    pub fn of(spec: &Spec) -> Result<Vec<Self>, BadSpec> {
        let labels = |steps: u32| BTreeMap::from([(STEPS.to_owned(), steps.to_string())]);
        let all: Vec<Settings> = Self::SCHEMA.swept(spec)?;
        all.iter().map(|one| Self::at(spec, &labels(one.steps))).collect()
    }
}
