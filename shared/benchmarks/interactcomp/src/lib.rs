//! InteractComp: does a search agent notice that a question is ambiguous, and ask before it answers?
//!
//! `protocol` is the episode, `grading` its grading; `reading`, `responder` and `verdict` read what seats say; `dataset` reads
//! the task file; `report` has the numbers. Numbers in brackets are sections of the specification.

mod boards;
pub mod bots;
pub mod dataset;
mod flags;
mod formats;
pub mod grading;
pub mod imported;
pub mod interaction;
pub mod memory;
pub mod mode;
mod numbers;
mod people;
pub mod prompts;
pub mod protocol;
pub mod reading;
pub mod report;
pub mod responder;
pub mod results_csv;
pub mod scene;
mod scripted;
pub mod sealing;
pub mod search;
pub mod settings;
pub mod verbatim;
pub mod verdict;

#[cfg(test)]
pub(crate) mod tests;

use settings::Settings;

use turnwise_core::effect::SEARCH;
use turnwise_core::prelude::*;

pub struct InteractComp;

impl InteractComp {
    pub const FACTS: Facts = Facts {
        name: "interactcomp",
        title: "InteractComp",
        about: "The question fits a popular look-alike as well as the thing that is meant. Searching does not tell them apart; \
         asking the user does. Does the model notice, and ask before it answers?",
        protocol: 3,
        seats: &[
            SeatInfo::new(
                Seat::PLAYER,
                "searches, asks and answers: the seat under evaluation",
                "bot:asks-by-rule",
            ),
            SeatInfo::new(
                Seat::RESPONDER,
                "the user who knows what is meant, and may say only yes, no or i don't know",
                "bot:lexical",
            ),
            SeatInfo::new(Seat::GRADER, "compares the answer with the truth", "bot:exact"),
        ],
        bots: bots::BOTS,
        // Specification 4, model parameters: player 0.6 and 0.95, responder 1.0, grader 0.0.
        sampling: |_, seat| {
            let (temperature, top_p) = match seat.as_str() {
                Seat::PLAYER => (0.6, Some(0.95)),
                Seat::RESPONDER => (1.0, None),
                _ => (0.0, None),
            };
            Sampling { temperature: Some(temperature), top_p, ..Sampling::default() }
        },
        pack: prompts::default_pack,
        verbatim: Some(&verbatim::VERBATIM),
        schema: Settings::SCHEMA,
        flags: flags::FLAGS,
        trials: include_str!("trials.jsonl"),
        scripted: scripted::reply,
        file_format: "The official encrypted file, or JSON Lines with id, domain, question, context and answer.",
        official_files: &[dataset::OFFICIAL_FILE],
        samples: include_bytes!("../samples/tasks.jsonl"),
        sample_corpus: Some(include_str!("../samples/corpus.jsonl")),
        verdict: |profile, ask, reply| match ask.seat.as_str() {
            Seat::RESPONDER => responder::read(Some(reply), profile).map(|said| said.to_string()),
            Seat::GRADER => verdict::read(Some(reply), profile).map(str::to_owned),
            _ => None,
        },
        sealing: Some(&sealing::Sealed),
        people: Some(&people::PEOPLE),
        formats: formats::FORMATS,
        boards: Some(&boards::BOARDS),
        measure: report::measure,
        report: report::report,
        metrics: numbers::METRICS,
        provenance: Self::provenance,
        ..Facts::USUAL
    };

    fn provenance(bytes: &[u8]) -> Option<String> {
        let set = dataset::load(bytes, None).ok()?;
        Some(set.provenance().to_string())
    }
}

impl Benchmark for InteractComp {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let all = Settings::of(spec)?;
        all.iter().try_for_each(|settings| settings::check_search(spec, settings))
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        match dataset::load(bytes, None) {
            Ok(tasks) => Ok(tasks.into_task_set(name)),
            Err(bad) => Err(bad.of_tasks(name)),
        }
    }

    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        verbatim::VERBATIM.check(pack)?;
        Ok(Box::new(protocol::Play::open(spec, task, pack)?))
    }

    fn grade(
        &self,
        spec: &Spec,
        _task: &Task,
        _pack: &Pack,
        play: &Outcome,
    ) -> Result<Option<Box<dyn Episode>>, BadSpec> {
        let has_grader = spec.seats.contains_key(&Seat::new(Seat::GRADER));
        if !has_grader || !grading::is_needed(spec.profile, play) {
            return Ok(None);
        }
        Ok(Some(Box::new(grading::Grading::open(spec.profile, play))))
    }

    fn result_in_words(&self, play: &Transcript) -> Option<String> {
        let is_skipped = play.outcome()?.ending == protocol::ending::SKIPPED;
        is_skipped.then(|| "No answer: too many invalid replies".to_owned())
    }

    /// Specification 3: four replies a round before the fourth strike ends the episode, in the last round an answer
    /// and a repair (`strict`); three attempts at an episode (`reference`); an unreadable responder or grader is asked twice more
    /// (`strict`).
    fn most_calls(&self, spec: &Spec, task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let settings = settings::Settings::at(spec, task)?;
        let actions = settings.mode.actions();
        let open_rounds = settings.limit() - 1;
        let allows = |action: reading::ActionName| u32::from(actions.contains(&action));
        let (attempts, last, again) = match spec.profile {
            Profile::Strict => (1, 2, 3),
            Profile::Reference => (3, 1, 1),
        };
        Ok(vec![
            (Seat::PLAYER, attempts * (4 * open_rounds + last)),
            (Seat::RESPONDER, attempts * open_rounds * again * allows(reading::ActionName::Ask)),
            (SEARCH, attempts * open_rounds * allows(reading::ActionName::Search)),
            (Seat::GRADER, again),
        ])
    }

    fn needs_seat(&self, spec: &Spec, seat: &str) -> bool {
        match seat {
            Seat::RESPONDER => settings::allows(spec, reading::ActionName::Ask),
            Seat::GRADER => false,
            _ => true,
        }
    }
}

/// What an episode's notes count: actions that were carried out since the last restart, and replies that were not.
///
/// A fallback counts as an answer, as in the reference code: it used the last round.
pub fn counts(play: &Transcript) -> memory::Counts {
    let mut counts = memory::Counts::default();
    for note in play.notes() {
        match note {
            Note::Restarted { .. } => counts = memory::Counts::default(),
            Note::Turn(turn) => match turn.kind {
                TurnKind::Search => counts.search += 1,
                TurnKind::Ask => counts.ask += 1,
                TurnKind::Answer => counts.answer += 1,
                _ => counts.invalid += 1,
            },
            Note::Observation(_) | Note::Event { .. } | Note::Flag { .. } => {}
        }
    }
    let fell_back =
        play.outcome().is_some_and(|outcome| outcome.ending == protocol::ending::FALLBACK);
    if fell_back {
        counts.answer += 1;
        counts.invalid = counts.invalid.saturating_sub(1);
    }
    counts
}
