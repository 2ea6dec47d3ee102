//! The episode of InteractComp: search, ask, answer (specification 3). One machine, two profiles.
//!
//! Grading is an episode of its own, in [`grading`](super::grading).

mod consulted;
mod reference;
mod strict;

use serde_json::{Value, json};

use super::memory::{self, Record};
use super::mode::Mode;
use super::prompts::{Prompts, View};
use super::reading::{ActionName, Reading};
use super::scene;
use super::search;
use super::settings::Settings;
use turnwise_core::effect::Hit;
use turnwise_core::note;
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

pub mod ending {
    /// The player gave an answer that was accepted.
    pub const ANSWERED: &str = "answered";
    /// The last round brought no answer.
    pub const FALLBACK: &str = "fallback";
    /// The fourth invalid reply within one round ended the episode.
    pub const SKIPPED: &str = "skipped";
    /// The third episode attempt failed (`reference` only).
    pub const ERROR: &str = "error";
}

/// The fault of an answer before the minimum of asks.
pub const TOO_EARLY: &str = "too_early";

/// Invalid replies in a row that a round bears; the next ends the episode.
const INVALID_MAX: u32 = 3;
/// Attempts at an episode in the reference code.
const EPISODE_ATTEMPTS: u32 = 3;

pub struct Play {
    out: Outbox,
    profile: Profile,
    settings: Settings,
    prompts: Prompts,
    /// The question as the player sees it.
    question: String,
    locale: Option<String>,
    searches: bool,
    attempt: Attempt,
    state: State,
}

/// What is forgotten when the reference code begins an episode anew.
struct Attempt {
    number: u32,
    /// The round, from 1.
    round: u32,
    /// Invalid replies in a row in this round.
    bad: u32,
    /// The remark for the next request only.
    feedback: Option<String>,
    rounds: Vec<Record>,
}

enum State {
    /// The player is asked for an action.
    Player,
    /// The player is asked for the final answer.
    Final,
    /// The player is asked once more, because the final reply was no answer (`strict`).
    Repair,
    /// The search engine is asked on behalf of a turn.
    Search {
        turn: u32,
        params: Object,
    },
    /// The responder is asked on behalf of a turn.
    Responder(Asking),
    Over,
}

/// A question to the responder.
struct Asking {
    turn: u32,
    question: String,
    params: Object,
    /// Which attempt at a readable reply this is, from 1.
    attempt: u32,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::at(spec, task)?;
        let prompts = Prompts::new(pack, &settings, spec.profile)?;
        let question = prompts.question(task, &settings)?;
        let mut play = Play {
            out: Outbox::default(),
            profile: spec.profile,
            settings,
            prompts,
            question,
            // The reference code sends the query and nothing else.
            locale: (spec.profile == Profile::Strict)
                .then(|| task.labels.get("language").cloned())
                .flatten(),
            searches: spec.search.is_some(),
            attempt: Attempt::new(1),
            state: State::Over,
        };
        play.ask_player();
        Ok(play)
    }

    fn limit(&self) -> u32 {
        self.settings.limit()
    }

    fn is_final(&self) -> bool {
        self.attempt.round >= self.limit()
    }

    /// How many asks the attempt has made.
    fn asked(&self) -> u32 {
        let asks = self.attempt.rounds.iter().filter(|round| round.name == ActionName::Ask.name());
        saturated(asks.count())
    }

    /// Whether an answer would come too early.
    fn is_too_early(&self) -> bool {
        self.settings.mode == Mode::ForcedAsk && self.asked() < self.settings.min_asks
    }

    fn ask_player(&mut self) {
        // Every request is a conversation of its own: the protocol is stateless.
        let thread = self.out.thread();
        let ask = self.with_view(|prompts, view, is_final| {
            if is_final { prompts.last(thread, view) } else { prompts.act(thread, view) }
        });
        self.out.ask(ask);
        self.state = if self.is_final() { State::Final } else { State::Player };
    }

    fn with_view(&self, make: impl FnOnce(&Prompts, &View<'_>, bool) -> Ask) -> Ask {
        let memory = memory::render(&self.question, &self.attempt.rounds);
        let last = self.attempt.rounds.last();
        let view = View {
            question: &self.question,
            memory: &memory,
            last_action: last.map(|round| round.name.as_str()).unwrap_or_default(),
            last_observation: match (&self.attempt.feedback, last) {
                (Some(feedback), _) => feedback,
                (None, Some(round)) => &round.observation,
                (None, None) => "",
            },
            round: self.attempt.round,
            limit: self.limit(),
        };
        make(&self.prompts, &view, self.is_final())
    }

    fn player_said(&mut self, text: Option<&str>) {
        match (self.profile, self.is_final()) {
            (Profile::Strict, false) => self.strict_turn(text),
            (Profile::Strict, true) => self.strict_final(text),
            (Profile::Reference, false) => self.reference_turn(text),
            (Profile::Reference, true) => self.reference_final(text),
        }
    }

    fn next_round(&mut self, action: ActionName, params: Object, observation: String) {
        self.attempt.rounds.push(Record { name: action.name().to_owned(), params, observation });
        self.attempt.bad = 0;
        self.attempt.feedback = None;
        self.attempt.round += 1;
        self.ask_player();
    }

    fn refuse_invalid(&mut self, noted: note::Reading) {
        self.note_turn(TurnKind::Invalid, "no valid action", noted);
        let feedback = self.prompts.invalid();
        self.refuse(feedback);
    }

    fn refuse_early(&mut self, mut noted: note::Reading) {
        let (least, asked) = (self.settings.min_asks, self.asked());
        noted.applied = Value::Null;
        let why = format!("an answer after {asked} of {least} asks");
        noted.fault = Some(note::Fault::new(TOO_EARLY, why));
        self.note_turn(TurnKind::Invalid, "answers too early", noted);
        let feedback = self.prompts.early(least, asked);
        self.refuse(feedback);
    }

    fn refuse(&mut self, feedback: String) {
        self.attempt.bad += 1;
        if self.attempt.bad > INVALID_MAX {
            self.finish(ending::SKIPPED, "", "0");
        } else {
            self.attempt.feedback = Some(feedback);
            self.ask_player();
        }
    }

    fn finish(&mut self, ending: &str, prediction: &str, confidence: &str) {
        let result = json!({ "prediction": prediction, "confidence": confidence });
        self.out.finish(ending, result);
    }

    fn note_turn(&mut self, kind: TurnKind, sentence: &str, reading: note::Reading) -> u32 {
        self.out.turn(self.attempt.round.min(self.limit()), kind, sentence, reading)
    }
}

impl Attempt {
    fn new(number: u32) -> Self {
        Attempt { number, round: 1, bad: 0, feedback: None, rounds: Vec::new() }
    }
}

/// How a reading is noted.
fn noted(reading: &Reading, text: Option<&str>) -> note::Reading {
    note::Reading {
        extracted: text.and_then(|text| reading.taken(text)).map(str::to_owned),
        repaired: reading.repairs.iter().map(ToString::to_string).collect(),
        applied: match &reading.result {
            Ok(action) => json!(action),
            Err(_) => Value::Null,
        },
        fault: reading
            .result
            .as_ref()
            .err()
            .map(|fault| note::Fault::new(fault.class(), fault.to_string())),
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        let text = said.text.as_deref();
        match std::mem::replace(&mut self.state, State::Over) {
            State::Responder(asking) => self.responder_said(text, asking),
            state => {
                self.state = state;
                self.player_said(text);
            }
        }
    }

    fn found(&mut self, hits: Vec<Hit>) {
        if let State::Search { turn, params } = std::mem::replace(&mut self.state, State::Over) {
            self.searched(turn, params, search::Shown::found(&hits));
        }
    }

    fn failed(&mut self, failure: Failure) {
        let state = std::mem::replace(&mut self.state, State::Over);
        let is_refused_query =
            failure.class == FailureClass::Filtered && matches!(state, State::Search { .. });
        let is_incomplete =
            failure.class.is_of_the_run() || (self.profile == Profile::Strict && !is_refused_query);
        match state {
            _ if is_incomplete => self.out.fail(&failure),
            State::Player | State::Final | State::Repair => self.restart(&failure.message),
            State::Search { turn, params } => {
                self.searched(turn, params, search::Shown::failed_in_reference(&failure));
            }
            State::Responder(asking) => self.responder_said(None, asking),
            State::Over => {}
        }
    }

    /// The authors begin an episode anew after any failed call.
    fn outgrown(&self, seat: &Seat) -> Option<Value> {
        let is_ended = self.profile == Profile::Strict && seat.as_str() == Seat::PLAYER;
        is_ended.then_some(Value::Null)
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut scene = Scene {
            blocks: scene::blocks(
                viewer,
                &self.question,
                &self.attempt.rounds,
                self.attempt.feedback.as_deref(),
                self.out.outcome(),
            ),
            gauges: Vec::new(),
            awaits: self.out.awaits(viewer),
        };
        if let (Some(Seat::RESPONDER), State::Responder(asking)) = (viewer.seat(), &self.state) {
            scene.blocks.push(scene::asked(&asking.question));
        }
        let used = self.attempt.round.saturating_sub(1).min(self.limit());
        scene.gauges.push(Gauge::new("rounds", self.limit() - used, self.limit()));
        if self.settings.mode == Mode::ForcedAsk {
            let least = self.settings.min_asks;
            let left = least.saturating_sub(self.asked());
            scene.gauges.push(Gauge::new("asks before an answer", left, least));
        }
        scene
    }
}
