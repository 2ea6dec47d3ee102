//! The episode of InteractComp: search, ask, answer (specification 3). One machine, two profiles.
//!
//! Grading is an episode of its own, in [`grading`](super::grading).

mod consulted;
mod reference;
mod strict;

use serde_json::json;

use super::memory::{self, Record};
use super::mode::Mode;
use super::prompts::{Prompts, View};
use super::reading::{ActionName, Reading};
use super::scene;
use super::search;
use super::settings::Settings;
use turnwise_core::effect::{Effect, Failure, FailureClass, Reply};
use turnwise_core::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_core::json::Object;
use turnwise_core::note::{self, Note, Turn, TurnKind};
use turnwise_core::prompt::{Ask, Pack, Said, ThreadId};
use turnwise_core::scene::{Gauge, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::task::Task;

/// Endings of an episode.
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

/// An episode. See the module's head.
pub struct Play {
    out: Outbox,
    profile: Profile,
    settings: Settings,
    prompts: Prompts,
    /// The question as the player sees it.
    question: String,
    locale: Option<String>,
    searches: bool,
    threads: u32,
    turns: u32,
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
    call: CallId,
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
            threads: 0,
            turns: 0,
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
        u32::try_from(asks.count()).unwrap_or(u32::MAX)
    }

    /// Whether an answer would come too early.
    fn is_too_early(&self) -> bool {
        self.settings.mode == Mode::ForcedAsk && self.asked() < self.settings.min_asks
    }

    fn ask_player(&mut self) {
        let thread = self.thread();
        let ask = self.with_view(|prompts, view, is_final| {
            if is_final { prompts.last(thread, view) } else { prompts.act(thread, view) }
        });
        self.out.request(Effect::Ask(ask));
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

    /// Every request is a conversation of its own: the protocol is stateless.
    fn thread(&mut self) -> ThreadId {
        self.threads += 1;
        ThreadId(self.threads)
    }

    /// The player said something.
    fn player_said(&mut self, call: CallId, said: &Said) {
        let text = said.text.as_deref();
        match (self.profile, self.is_final()) {
            (Profile::Strict, false) => self.strict_turn(call, text),
            (Profile::Strict, true) => self.strict_final(call, text),
            (Profile::Reference, false) => self.reference_turn(call, text),
            (Profile::Reference, true) => self.reference_final(call, text),
        }
    }

    fn next_round(&mut self, action: ActionName, params: Object, observation: String) {
        self.attempt.rounds.push(Record { name: action.name().to_owned(), params, observation });
        self.attempt.bad = 0;
        self.attempt.feedback = None;
        self.attempt.round += 1;
        self.ask_player();
    }

    fn refuse_invalid(&mut self, call: CallId, noted: note::Reading) {
        self.note_turn(call, TurnKind::Invalid, "no valid action", noted);
        let feedback = self.prompts.invalid();
        self.refuse(feedback);
    }

    fn refuse_early(&mut self, call: CallId, mut noted: note::Reading) {
        let (least, asked) = (self.settings.min_asks, self.asked());
        noted.applied = serde_json::Value::Null;
        noted.fault = Some(note::Fault {
            class: TOO_EARLY.to_owned(),
            detail: format!("an answer after {asked} of {least} asks"),
        });
        self.note_turn(call, TurnKind::Invalid, "answers too early", noted);
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

    /// A call failed for good.
    fn failed(&mut self, failure: &Failure) {
        let outside_of_the_reference = matches!(
            failure.class,
            FailureClass::Cancelled
                | FailureClass::BudgetExhausted
                | FailureClass::OffRecording
                | FailureClass::Unavailable
        );
        let is_refused_query =
            failure.class == FailureClass::Filtered && matches!(self.state, State::Search { .. });
        if outside_of_the_reference || (self.profile == Profile::Strict && !is_refused_query) {
            self.incomplete(failure);
            return;
        }
        match std::mem::replace(&mut self.state, State::Over) {
            State::Player | State::Final | State::Repair => self.restart(&failure.message),
            State::Search { turn, params } => {
                self.searched(turn, params, search::Shown::failed_in_reference(failure));
            }
            State::Responder(asking) => self.responder_said(None, asking),
            State::Over => {}
        }
    }

    fn incomplete(&mut self, failure: &Failure) {
        self.state = State::Over;
        self.out.finish(Outcome::incomplete(failure));
    }

    fn finish(&mut self, ending: &str, prediction: &str, confidence: &str) {
        self.state = State::Over;
        self.out.finish(Outcome {
            ending: ending.to_owned(),
            result: json!({ "prediction": prediction, "confidence": confidence }),
        });
    }

    fn flag(&mut self, name: &str) {
        self.out.note(Note::Flag {
            name: name.to_owned(),
            turn: Some(self.turns + 1),
            detail: serde_json::Value::Null,
        });
    }

    fn note_turn(
        &mut self,
        call: CallId,
        kind: TurnKind,
        sentence: &str,
        reading: note::Reading,
    ) -> u32 {
        self.turns += 1;
        self.out.note(Note::Turn(Turn {
            index: self.turns,
            round: self.attempt.round.min(self.limit()),
            seat: Seat::new(Seat::PLAYER),
            call,
            kind,
            sentence: sentence.to_owned(),
            reading,
        }));
        self.turns
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
            Err(_) => serde_json::Value::Null,
        },
        fault: reading.result.as_ref().err().map(|fault| note::Fault {
            class: fault.class().to_owned(),
            detail: fault.to_string(),
        }),
    }
}

impl Episode for Play {
    fn poll(&mut self) -> Step {
        self.out.next_step()
    }

    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        self.out.accept(call, &reply)?;
        match reply {
            Reply::Failed(failure) => self.failed(&failure),
            Reply::Found { hits } => {
                if let State::Search { turn, params } =
                    std::mem::replace(&mut self.state, State::Over)
                {
                    self.searched(turn, params, search::Shown::found(&hits));
                }
            }
            Reply::Said(said) => match std::mem::replace(&mut self.state, State::Over) {
                state @ (State::Player | State::Final | State::Repair) => {
                    self.state = state;
                    self.player_said(call, &said);
                }
                State::Responder(asking) => self.responder_said(Some(&said), asking),
                other => self.state = other,
            },
            Reply::Drawn { .. } => {}
        }
        Ok(())
    }

    /// The authors begin an episode anew after any failed call.
    fn outgrown(&self, seat: &Seat) -> Option<serde_json::Value> {
        let is_ended = self.profile == Profile::Strict && seat.as_str() == Seat::PLAYER;
        is_ended.then_some(serde_json::Value::Null)
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
        if let (Viewer::Seat(seat), State::Responder(asking)) = (viewer, &self.state)
            && seat.as_str() == Seat::RESPONDER
        {
            scene.blocks.push(scene::asked(&asking.question));
        }
        let used = self.attempt.round.saturating_sub(1).min(self.limit());
        scene.gauges.push(Gauge {
            label: "rounds".to_owned(),
            left: self.limit() - used,
            of: self.limit(),
        });
        if self.settings.mode == Mode::ForcedAsk {
            scene.gauges.push(Gauge {
                label: "asks before an answer".to_owned(),
                left: self.settings.min_asks.saturating_sub(self.asked()),
                of: self.settings.min_asks,
            });
        }
        scene
    }
}
