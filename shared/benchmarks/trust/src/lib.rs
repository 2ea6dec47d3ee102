//! The Trust Game: a repeated Prisoner's Dilemma of unknown length. Does a model keep faith while it pays, and what does it
//! do once it was deceived?
//!
//! `tasks` makes the matches from the settings, `protocol` plays one, `reading` reads moves, `strategy` is the fixed
//! population, `metrics` and `report` have the numbers. Numbers in brackets are sections of the specification.

mod boards;
pub mod bots;
pub mod game;
pub mod lengths;
pub mod lineup;
pub mod metrics;
mod numbers;
mod people;
pub mod prompts;
pub mod protocol;
pub mod reading;
pub mod report;
pub mod scene;
pub mod seeds;
pub mod settings;
pub mod strategy;
pub mod tasks;
mod words;

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use lineup::Participant;
use settings::{Form, Lengths, Settings};
use turnwise_core::benchmark::{self, Attempts, Legend, TaskSource};
use turnwise_core::metrics::paired::Sample;
use turnwise_core::prelude::*;
use turnwise_core::seat::Lineup;

pub struct Trust;

const PLAYER: &str = "plays against every other seat";

impl Trust {
    pub const FACTS: Facts = Facts {
        name: "trust",
        title: "Trust Game",
        about: "Two players meet again and again and never know whether this round is the last. Cooperation pays both, deceit pays \
         one, once. Who keeps faith, who betrays, who forgives?",
        // 2: under `reference` a reply stands in the conversation without the white space around it.
        protocol: 2,
        seats: &[
            SeatInfo::new("1", PLAYER, "bot:tft"),
            SeatInfo::new("2", PLAYER, "bot:grim"),
            SeatInfo::new("3", PLAYER, "bot:random"),
        ],
        participants: Some(lineup::PLAYERS),
        bots: bots::BOTS,
        // The class default of the reference code, 0.7; models that may refuse a temperature are sent none.
        sampling: |_, _| Sampling::at(0.7),
        pack: prompts::default_pack,
        schema: Settings::SCHEMA,
        trials: include_str!("trials.jsonl"),
        scripted: |prompt, dice| {
            let is_one = prompt.last.contains("COOPERATE or DEFECT");
            is_one.then(|| dice.pick(&["COOPERATE", "COOPERATE", "DEFECT"]).to_owned())
        },
        task_source: TaskSource::Spec,
        people: Some(&people::PEOPLE),
        boards: Some(&boards::BOARDS),
        legend: Legend { letters: "C cooperates, D defects; a gap is a new round", signs: &[] },
        measure: |play, _| report::measure(play),
        report: |spec, episodes, _| report::report(spec, episodes),
        metrics: numbers::METRICS,
        compared_by: &numbers::COMPARED,
        foreknown: Some(
            "The match is as long as the one that you have read, so you may know when it ends; a bot or a model does not.",
        ),
        check_people: Self::check_people,
        task_name: words::task_name,
        take_over: Self::take_over,
        check_own: Self::check_own,
        comparable: Self::comparable,
        ..Facts::USUAL
    };

    /// Of two matches that are equally long the second has a known end.
    fn check_people(spec: &Spec) -> Result<(), BadSpec> {
        let (settings, players) = Settings::of(spec)?;
        let is_person = |one: &Participant| one.player == Player::Person;
        if !players.iter().any(is_person) {
            return Ok(());
        }
        if settings.swap && settings.form == Form::Tournament {
            return Err(BadSpec::new(
                "settings.swap",
                "a match with changed sides is as long as the first, so a person would know when it ends; switch swap off",
            ));
        }
        let alone = players.len() == 2 && settings.delta.0.len() == 1;
        if settings.lengths(spec.profile) == Lengths::Shared && !alone {
            return Err(BadSpec::new(
                "settings.lengths",
                "all matches of a repeat share a length, so a person would know from the first when the others end; use \
                 lengths reference, or one opponent and one delta",
            ));
        }
        Ok(())
    }

    /// Who plays is part of a match's id, labels and length, so the branch says for whom its matches were planned.
    fn take_over(parent: &Spec, seats: Lineup) -> Result<Spec, BadSpec> {
        let (settings, _) = Settings::of(parent)?;
        let planned_for = match settings.planned_for.is_empty() {
            true => lineup::players(parent),
            false => settings.planned_for,
        };
        let mut branch = Spec { seats, ..parent.clone() };
        let Value::Object(written) = &mut branch.settings else {
            return Err(BadSpec::new("settings", "they are not written by name"));
        };
        written.insert("planned_for".to_owned(), json!(planned_for));
        Ok(branch)
    }

    fn check_own(spec: &Spec) -> Result<(), BadSpec> {
        let (settings, _) = Settings::of(spec)?;
        match settings.planned_for.is_empty() {
            true => Ok(()),
            false => Err(BadSpec::new(
                "settings.planned_for",
                "the matches of a run are planned for whoever sits there; only a branch goes on with those of other players",
            )),
        }
    }

    /// Points of different payoffs are not the same points.
    fn comparable(one: &Spec, other: &Spec) -> Result<(), BadSpec> {
        let payoffs = |spec| Settings::of(spec).map(|(settings, _)| settings.payoffs);
        if payoffs(one)? != payoffs(other)? {
            return Err(BadSpec::new(
                "settings.payoffs",
                "the payoffs differ, so points do not mean the same; compare runs of one table of payoffs",
            ));
        }
        Ok(())
    }
}

impl Benchmark for Trust {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        Settings::of(spec).map(drop)
    }

    /// Under `reference` the protocol's own attempts are all there are: five in all, and then a cooperation (0.4, 5.b).
    fn attempts(&self, spec: &Spec) -> Attempts {
        match spec.profile {
            Profile::Strict => benchmark::USUAL_ATTEMPTS.into(),
            Profile::Reference => 1.into(),
        }
    }

    /// As many calls as the longest match can need.
    fn default_budget(&self, spec: &Spec) -> Budget {
        let cap = Settings::of(spec).map_or(lengths::MOST_ROUNDS, |(settings, _)| settings.cap);
        Budget { calls: 2 * protocol::ATTEMPTS * cap, ..Budget::default() }
    }

    fn plan(&self, spec: &Spec) -> Result<TaskSet, BadSpec> {
        tasks::plan(spec)
    }

    fn samples(&self) -> TaskSet {
        tasks::plan(&benchmark::default_spec(self))
            .expect("the default lineup plays the default settings, and a test plans it")
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Ok(Box::new(protocol::Match::open(spec, task, pack)?))
    }

    fn result_in_words(&self, play: &Transcript) -> Option<String> {
        words::result(play)
    }

    fn event_in_words(&self, spec: &Spec, name: &str, detail: &Value) -> Option<String> {
        words::event(spec, name, detail)
    }

    fn sample(&self, _spec: &Spec, summary: &Summary) -> Option<Sample> {
        report::sample(summary)
    }
}
