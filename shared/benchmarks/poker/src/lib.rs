//! Texas Hold'em, no limit, 2 to 10 seats. Numbers in brackets are sections of the specification.
//!
//! The engine (`hand`, with `card`, `chips`, `action`, `rank`, `pots`, `policy` and `record`) knows nothing of models, prompts
//! and episodes: cards and decisions come in as arguments. `protocol` asks the seats and notes what happened; `tasks` says
//! which hands a run has, `observation` what a player is sent, `reading` what a reply means; `stats` has the numbers.

pub mod action;
mod boards;
pub mod bots;
pub mod card;
pub mod chance;
pub mod chips;
pub mod departures;
mod flags;
mod formats;
pub mod hand;
pub mod imported;
mod numbers;
pub mod observation;
mod people;
pub mod phh;
pub mod policy;
pub mod pots;
pub mod prompts;
pub mod protocol;
pub mod rank;
pub mod reading;
pub mod record;
pub mod scene;
mod scripted;
pub mod settings;
pub mod stats;
pub mod table;
pub mod tasks;
mod words;

#[cfg(test)]
mod tests;

use serde_json::Value;

use record::HandRecord;
use settings::Settings;
use turnwise_core::benchmark::{self, Attempts, Legend, TaskSource};
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::paired::Sample;
use turnwise_core::prelude::*;

pub struct Poker;

const fn seat(seat: &'static str, default: &'static str) -> SeatInfo {
    SeatInfo::new(seat, "plays for itself at every table", default)
}

impl Poker {
    pub const FACTS: Facts = Facts {
        name: "poker",
        title: "Texas Hold'em",
        about: "No-limit Hold'em at one table: cards that others do not see, bets that may lie, and chips that are won only from \
         somebody else. Who wins, over enough hands to tell skill from luck?",
        // 2: under `reference` replies are read and pot odds are printed as JavaScript does; the line of a fold tells what it had
        // bet on the street; and after a new game the prompt counts hands from 1. 3: under `strict` a reply that asks for different
        // moves, or is an array, is invalid.
        protocol: 3,
        seats: &[
            seat("1", "bot:equity"),
            seat("2", "bot:tight-aggressive"),
            seat("3", "bot:calling-station"),
            seat("4", "bot:random-legal"),
            seat("5", "bot:always-all-in"),
            seat("6", "bot:always-fold"),
        ],
        participants: Some(settings::PARTICIPANTS),
        bots: bots::BOTS,
        pack: prompts::default_pack,
        schema: Settings::SCHEMA,
        flags: flags::FLAGS,
        trials: include_str!("trials.jsonl"),
        scripted: scripted::reply,
        task_source: TaskSource::Spec,
        people: Some(&people::PEOPLE),
        formats: formats::FORMATS,
        boards: Some(&boards::BOARDS),
        legend: Legend {
            letters: "F folds, X checks, C calls, B bets, R raises; a gap is a new street",
            signs: &[],
        },
        measure: |play, _| Measured {
            numbers: Figures::of(&stats::Numbers::of_notes(play.notes())),
            ..Measured::default()
        },
        report: stats::report::report,
        metrics: numbers::METRICS,
        compared_by: &numbers::COMPARED,
        foreknown: Some(
            "You have read, or can read, everybody's cards and those still to come; a bot or a model knows its own.",
        ),
        task_name: |_, task| words::task_name(task),
        comparable: Self::comparable,
        ..Facts::USUAL
    };

    /// Cards follow from the seed, and who is dealt which from the number of participants.
    fn comparable(one: &Spec, other: &Spec) -> Result<(), BadSpec> {
        let count = |spec: &Spec| spec.seats.len();
        if one.seed != other.seed {
            return Err(BadSpec::new(
                "seed",
                format!(
                    "the seeds are {} and {}, so other cards were dealt; runs of one seed play the same decks",
                    one.seed, other.seed
                ),
            ));
        }
        if count(one) != count(other) {
            return Err(BadSpec::new(
                "seats",
                format!(
                    "{} and {} take part, so other cards were dealt to everybody",
                    count(one),
                    count(other)
                ),
            ));
        }
        Ok(())
    }
}

impl Benchmark for Poker {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        Settings::of(spec).map(drop)
    }

    /// More than the longest hands that were ever seen need: a hand may have a hundred raises, and an episode many hands.
    fn default_budget(&self, spec: &Spec) -> Budget {
        const FOR_ONE: u32 = 2_000;
        const FOR_EACH_MORE: u32 = 200;
        let hands = match Settings::of(spec) {
            Ok(settings) if !settings.hands_are_independent(spec.profile) => settings.hands,
            _ => 1,
        };
        Budget {
            calls: FOR_ONE.saturating_add(FOR_EACH_MORE.saturating_mul(hands - 1)),
            ..Budget::default()
        }
    }

    /// Under `reference` the protocol's own attempts are all there are: two in all, and then a fold (0.4, 4.b.6).
    fn attempts(&self, spec: &Spec) -> Attempts {
        match spec.profile {
            Profile::Strict => benchmark::USUAL_ATTEMPTS.into(),
            Profile::Reference => 1.into(),
        }
    }

    fn plan(&self, spec: &Spec) -> Result<TaskSet, BadSpec> {
        tasks::plan(spec)
    }

    fn samples(&self) -> TaskSet {
        tasks::plan(&benchmark::default_spec(self))
            .expect("the default lineup plays the default settings, and a test plans it")
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Play::open(spec, task, pack)?))
    }

    fn result_in_words(&self, play: &Transcript) -> Option<String> {
        words::result(play)
    }

    fn event_in_words(&self, spec: &Spec, name: &str, detail: &Value) -> Option<String> {
        words::event(spec, name, detail)
    }

    fn sample(&self, _spec: &Spec, summary: &Summary) -> Option<Sample> {
        stats::sample(summary)
    }
}

/// The hands that a transcript records, in order; notes that do not read are left out.
pub fn hands(play: &Transcript) -> Vec<HandRecord> {
    play.noted(protocol::event::HAND).collect()
}
