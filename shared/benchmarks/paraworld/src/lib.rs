//! Mind-ParaWorld (arXiv 2603.04751): questions about an invented future, and a search engine made of their facts.
//!
//! `protocol` is the episode, `consult` the mediator between the player's calls and the engine's seat, `judging` the grading;
//! `reading` reads what seats say; `task` reads the file of worlds, `worlds` makes and checks worlds; `measure` and `report`
//! have the numbers. Numbers in brackets are sections of the specification.

mod boards;
pub mod bots;
pub mod cache;
pub mod consult;
pub mod engine;
pub mod evidence;
mod form;
mod formats;
pub mod judging;
pub mod measure;
pub mod metrics;
pub mod noted;
mod numbers;
pub mod observation;
mod people;
pub mod prompts;
pub mod protocol;
pub mod reading;
pub mod report;
mod response_cache;
pub mod results;
pub mod scene;
mod scripted;
pub mod sealing;
pub mod settings;
pub mod task;
mod tokens;
pub mod window;
pub mod worlds;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use settings::{Setting, Settings, seat};
use turnwise_core::benchmark::{Attempts, Legend, TaskByTask, USUAL_ATTEMPTS};
use turnwise_core::metrics::paired::Sample;
use turnwise_core::prelude::*;
use turnwise_core::scheduler::Permits;

pub struct ParaWorld;

/// Calls of the engine for one search at most: the reference's attempts.
const ENGINE_CALLS: u32 = 5;

impl ParaWorld {
    pub const FACTS: Facts = Facts {
        name: "paraworld",
        title: "Mind-ParaWorld",
        about: "A hard question about an invented future, and a search engine that finds something only for queries that ask for one \
         thing. Does the model take the question apart, find all the facts, and know when to stop?",
        // 3: under `reference` the tool reads the last block of a message again; refused queries that cannot be cut end the episode;
        // calls side by side are refused, counted and shown as by the authors' program; `glm4` reads a JSON body as it does; and
        // errors have its wording where its analysis looks for words.
        protocol: 3,
        seats: &[
            SeatInfo::new(
                Seat::PLAYER,
                "searches and answers: the seat under evaluation",
                "bot:per-fact",
            ),
            SeatInfo::new(
                seat::ENGINE,
                "the search engine that is made of the world's facts",
                "bot:facts",
            ),
            SeatInfo::new(
                seat::JUDGE,
                "compares the answer with the reference answer",
                "bot:exact",
            ),
        ],
        bots: bots::BOTS,
        // Specification 4.4, 5.1 and 7: player 0.7 and 0.95 with 8,192 tokens, engine 0.7 and 0.9, judge 0. Names with `o3` or
        // `gpt-5` are sent no sampling at all, because such services may refuse it.
        sampling: |_, seat| {
            let (temperature, top_p) = match seat.as_str() {
                Seat::PLAYER => (0.7, Some(0.95)),
                seat::ENGINE => (0.7, Some(0.9)),
                _ => (0.0, None),
            };
            Sampling {
                temperature: Some(temperature),
                top_p,
                max_tokens: Some(8192),
                ..Sampling::default()
            }
        },
        // The engine's calls never wait for those of a player, nor the other way round (specification 6).
        permits: Permits::EachSeat,
        pack: prompts::default_pack,
        schema: Settings::SCHEMA,
        flags: form::FLAGS,
        trials: include_str!("trials.jsonl"),
        scripted: scripted::reply,
        file_format: "JSON Lines as the authors write them: prompt, answer, and the facts of each world.",
        // Nearly every world has a pair of its own, for the intervals.
        identifying_labels: &[task::label::PAIR],
        grading_seats: &[seat::JUDGE],
        verdict: |profile, ask, reply| match ask.seat.as_str() {
            seat::ENGINE => reading::engine::kind(reply).map(str::to_owned),
            seat::JUDGE => {
                let verdict = reading::judge::read(Some(reply), profile);
                verdict.map(|verdict| verdict.name().to_owned())
            }
            _ => None,
        },
        sealing: Some(&sealing::Sealed),
        people: Some(&people::PEOPLE),
        formats: formats::FORMATS,
        boards: Some(&boards::BOARDS),
        // No seat answers questions, so the legend has no cell for an ask.
        legend: Legend {
            signs: &[
                ("k-search|S", "search"),
                ("k-invalid|?", "invalid reply"),
                ("k-answer r-correct|✓", "correct"),
                ("k-answer r-wrong|✗", "wrong"),
                ("bar r-hit", "found a fact"),
                ("bar r-miss", "found none"),
                ("bar r-compound", "several things at once, or too little"),
            ],
            letters: "",
        },
        measure: measure::episode,
        report: report::report,
        metrics: numbers::METRICS,
        reports_either_profile: true,
        compared_by: &numbers::PASS,
        compares: Some(
            "for one player in A, B-guidance, B-few-shot, C and control, the gaps (search gap A - C, guidance gap B - C, \
             search gain C - control)",
        ),
        read_task_by_task: Self::read_task_by_task,
        built_tasks: |name| worlds::Recipe::read(name).map(worlds::Recipe::into_tasks),
        evidence: evidence::grid,
        shown_results: observation::results,
        shared_reply: Self::shared_reply,
        // I11 beyond a run, and the judge's cache of specification 7 (`strict`).
        cached_reply: response_cache::key,
        may_be_cached: response_cache::may_be_cached,
        compared_interval: Some(report::pass_interval),
        is_offered: form::is_offered,
        ..Facts::USUAL
    };

    fn read_task_by_task<'a>(name: &'a str, bytes: &'a [u8]) -> Option<TaskByTask<'a>> {
        let tasks = task::rows(bytes)
            .map(move |row| row.map(|world| world.to_core()).map_err(|bad| bad.of_tasks(name)));
        Some(Box::new(tasks))
    }

    /// I11: the same query to the same world has the same page in every episode (`strict`).
    fn shared_reply(spec: &Spec, ask: &Ask, task: &Task) -> Option<Digest> {
        (spec.profile == Profile::Strict && ask.seat.as_str() == seat::ENGINE)
            .then(|| consult::request_key(ask, task))
    }
}

impl Benchmark for ParaWorld {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        Settings::of(spec)?.check_player(spec)
    }

    /// Every turn may ask the engine several times; calls side by side are bounded by the default.
    fn default_budget(&self, spec: &Spec) -> Budget {
        let turns = Settings::of(spec).map_or(0, |settings| settings.turns);
        let budget = Budget::default();
        Budget { calls: budget.calls.max(turns.saturating_mul(1 + ENGINE_CALLS)), ..budget }
    }

    /// Specification 5.8: a call is sent up to three times more; in the authors' code a client library does so twice.
    fn attempts(&self, spec: &Spec) -> Attempts {
        match spec.profile {
            Profile::Strict => 4.into(),
            Profile::Reference => USUAL_ATTEMPTS.into(),
        }
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        let worlds = task::load(bytes).map_err(|bad| bad.of_tasks(name))?;
        Ok(worlds.to_task_set(name))
    }

    fn samples(&self) -> TaskSet {
        worlds::sample().to_task_set("samples")
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
        let has_judge = spec.seats.contains_key(&Seat::new(seat::JUDGE));
        if !has_judge || !play.is_complete() {
            return Ok(None);
        }
        let settings = Settings::of(spec)?;
        let first = spec.profile == Profile::Reference && settings.setting != Setting::Oracle;
        Ok(Some(Box::new(judging::Judging::open(judging::Case {
            profile: spec.profile,
            votes: settings.votes,
            question: match first {
                true => judging::Question::First,
                false => judging::Question::Last,
            },
            task,
            play,
        }))))
    }

    /// Specification 4.4, 5.4 and 7: one message a turn; the engine is asked up to three times for a search
    /// (`strict`) or five (`reference`), and where calls run side by side only the budget bounds them; each vote of the judge has
    /// two attempts (`strict`) or three.
    fn most_calls(&self, spec: &Spec, task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        use settings::seat;
        use task::{field, of_task};
        let settings = settings::Settings::of(spec)?;
        // Few worlds bring a limit, and only those need to be read.
        let own = task.field(field::ROW).is_some_and(|row| row.contains("\"max_turns\""));
        let world = own.then(|| of_task(task)).flatten();
        let turns = match (&world, settings.setting.searches()) {
            (_, false) => 1,
            (Some(world), true) => settings.limit(world),
            (None, true) => settings.turns,
        };
        let (attempts, readings) = match spec.profile {
            Profile::Strict => (3, 2),
            Profile::Reference => (5, 3),
        };
        let searches = match (settings.setting.searches(), settings.parallel) {
            (false, _) => 0,
            (true, false) => turns.saturating_mul(attempts),
            (true, true) => u32::MAX,
        };
        Ok(vec![
            (Seat::PLAYER, turns),
            (seat::ENGINE, searches),
            (seat::JUDGE, settings.votes * readings),
        ])
    }

    fn sample(&self, spec: &Spec, summary: &Summary) -> Option<Sample> {
        report::sample(spec, summary)
    }

    fn compare(&self, runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
        let settings = runs.iter().map(|(spec, _)| report::setting(spec));
        match settings.collect::<BTreeSet<_>>().len() {
            0 | 1 => Ok(None),
            _ => report::compare(runs).map(Some),
        }
    }

    fn needs_seat(&self, spec: &Spec, seat: &str) -> bool {
        match seat {
            seat::ENGINE => Settings::of(spec).is_ok_and(|one| one.setting.searches()),
            seat => seat == Seat::PLAYER,
        }
    }
}
