//! The episode of Mind-ParaWorld: search and answer (specification 5). One machine, two profiles.
//!
//! The player is asked with the growing conversation. What it says is read by [`reading`](super::reading); its calls go to
//! the [mediator](super::consult), which asks the engine's seat. Grading is an episode of its own.
//!
//! Every message of the player is a round; each call in it is a turn. An empty reply uses no round. What came back for the
//! calls of one message is noted in the order of the text once all of it is there.

mod calls;
mod replies;
mod track;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::bots::Record;
use super::consult::{Mediator, ends_the_play};
use super::metrics::Status;
use super::noted::WorldNote;
use super::observation::Style;
use super::prompts::Prompts;
use super::scene;
use super::settings::{Engines, Setting, Settings};
use super::task::{is_redacted, of_task};
use calls::Pending;
use track::{Rule, Track};
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

pub mod flag {
    /// The player was told to search or to answer.
    pub const REMINDED: &str = "reminded";
    /// The turns are used up, and a blank answer somewhere before counts as the end (`reference`).
    pub const LAST_CHANCE: &str = "last_chance";
    /// Messages (`reference`) or turns (`strict`) are no longer shown to the player; `dropped` says how many by now.
    pub const WINDOW: &str = "window";
    /// Calls stood in a message and were not run; `calls` says how many.
    pub const IGNORED_CALLS: &str = "ignored_calls";
    /// The engine failed, which is not the player's fault.
    pub const ENGINE_FAULT: &str = "engine_fault";
    /// A call or a message in a wrong format.
    pub const FORMAT_ERROR: &str = "format_error";
    /// The agent cannot cut the query of a call for its record, which ends the episode (`reference`): the player is told so instead
    /// of what the call brought.
    pub const CANNOT_CUT: &str = "cannot_cut";
}

/// Tokens of a reply where the lineup does not say (specification 5.1).
const REPLY_TOKENS: u32 = 8192;

pub struct Play {
    out: Outbox,
    rules: Rules,
    prompts: Prompts,
    mediator: Mediator,
    track: Track,
    /// Messages of the player so far.
    rounds: u32,
    /// Searches handed to the mediator so far.
    tickets: u32,
    /// Format errors in a row.
    errors: u32,
    /// Whether an answer span, be it blank, stood in a message.
    answer_span: bool,
    /// Messages with calls and their raw observations: what the reference's engine is shown.
    calling: Vec<(String, String)>,
    /// What the authors' program writes down of an episode (`reference`).
    written: Written,
    record: Record,
    shown: Vec<Block>,
    /// The message on behalf of which the engine is asked.
    pending: Option<Box<Pending>>,
}

/// The calls of an episode as the authors' program writes them into its `trajectory_log`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Written {
    /// `tool_calls`: those that were refused by the tool included.
    pub calls: Vec<Json>,
    /// `hit_logs`: of those that reached the engine.
    pub logs: Vec<Json>,
}

/// What does not change within an episode.
struct Rules {
    profile: Profile,
    settings: Settings,
    limit: u32,
    style: Style,
    /// Calls of models of the GLM family are mended (`reference`).
    mends_glm: bool,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, seats, pack or task do not fit, or the world is sealed here.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::of(spec)?;
        settings.check_player(spec)?;
        let world = of_task(task).ok_or_else(|| {
            BadSpec::new(
                "tasks",
                format!(
                    "the world of task {} is sealed here, or none of ours: it is played where its facts are at hand",
                    task.id
                ),
            )
        })?;
        let prompts = Prompts::new(pack, &settings, spec.profile, &world, task)?;
        let sitting = &spec.seats[&Seat::new(Seat::PLAYER)];
        let limit = settings.limit(&world);
        let truncates = spec.profile == Profile::Strict || settings.engines == Engines::Local;
        let context = settings.context.filter(|_| truncates && limit > 1);
        let reply = sitting.sampling.max_tokens.unwrap_or(REPLY_TOKENS);
        // Models of the GLM family forget to close their calls, and the authors' code puts that right.
        let is_glm = matches!(
            &sitting.player,
            Player::Model { model, .. } if model.to_lowercase().contains("glm")
        );
        let mut out = Outbox::default();
        // The player's conversation is the first.
        out.thread();
        out.note(WorldNote::of(&world, limit).note());
        let mut play = Play {
            out,
            track: Track::new(Rule::of(spec.profile, context, reply), prompts.opening.clone()),
            record: Record {
                asked: Vec::new(),
                found: match settings.setting {
                    Setting::Oracle => (0..).zip(&world.facts).map(|(fact, _)| fact).collect(),
                    _ => BTreeSet::new(),
                },
                left: limit,
                may_search: settings.setting.searches(),
            },
            mediator: match is_redacted(task) {
                true => Mediator::sealed(world),
                false => Mediator::new(world, spec.profile),
            },
            rules: Rules {
                profile: spec.profile,
                limit,
                style: Style::of(&settings, spec.profile),
                mends_glm: spec.profile == Profile::Reference && is_glm,
                settings,
            },
            prompts,
            rounds: 0,
            tickets: 0,
            errors: 0,
            answer_span: false,
            calling: Vec::new(),
            written: Written::default(),
            shown: Vec::new(),
            pending: None,
        };
        play.ask_player();
        Ok(play)
    }

    /// What the authors' program writes down of this episode (`reference`; nothing under `strict`).
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// Messages with calls and their raw observations, in order (`reference`; none under `strict`).
    pub fn history(&self) -> &[(String, String)] {
        &self.calling
    }

    /// The conversation with the player as far as it is kept, including the latest message to it.
    pub fn conversation(&self) -> Vec<Message> {
        self.track.kept()
    }

    fn is_strict(&self) -> bool {
        self.rules.profile == Profile::Strict
    }

    fn searches(&self) -> bool {
        self.rules.settings.setting.searches()
    }

    /// Asks the player for its next message.
    fn ask_player(&mut self) {
        let left = self.rules.limit.saturating_sub(self.rounds);
        let is_last = left <= 1;
        let last =
            (self.is_strict() && self.searches() && is_last).then(|| self.prompts.last.clone());
        if last.is_some() {
            self.flag(flag::REMINDED, json!({ "last": true }));
        }
        let before = self.track.dropped();
        let messages = self.track.messages(&self.prompts, last.as_ref());
        if self.track.dropped() > before {
            self.flag(flag::WINDOW, json!({ "dropped": self.track.dropped() }));
        }
        self.record.left = left;
        let record = json!(self.record).to_string();
        self.out.ask(self.prompts.ask(messages, &record, is_last));
    }

    fn finish(&mut self, ending: Status, prediction: Option<&str>) {
        self.out.finish(ending.name(), json!({ "prediction": prediction }));
    }

    fn note_turn(&mut self, kind: TurnKind, sentence: &str, reading: Reading) -> u32 {
        if kind == TurnKind::Invalid {
            self.shown.push(Block::act(Seat::PLAYER, kind, sentence));
        }
        self.out.turn(self.rounds, kind, sentence, reading)
    }

    /// Calls stood beside what was carried out.
    fn ignored(&mut self, calls: usize) {
        if calls > 0 {
            self.out.flag(flag::IGNORED_CALLS, json!({ "calls": calls }));
        }
    }

    /// A flag of no turn.
    fn flag(&mut self, name: &str, detail: Value) {
        self.out.note(Note::flag(name, None, detail));
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        match self.pending.take() {
            Some(pending) => self.engine(*pending, Ok(said)),
            None => self.player_said(said.text.as_deref()),
        }
    }

    fn failed(&mut self, failure: Failure) {
        match self.pending.take() {
            _ if ends_the_play(&failure) => self.out.fail(&failure),
            Some(pending) => self.engine(*pending, Err(failure)),
            None if self.is_strict() => self.out.fail(&failure),
            None => {
                let ending = match self.rules.settings.setting {
                    Setting::Oracle => Status::Error,
                    _ => Status::ApiError,
                };
                let Failure { class, message, .. } = failure;
                let result = json!({ "prediction": null, "failure": class, "message": message });
                self.out.finish(ending.name(), result);
            }
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let over = self.out.outcome();
        let pending = self.pending.as_ref().map(|pending| pending.queries()).unwrap_or_default();
        let left = self.rules.limit.saturating_sub(self.rounds);
        Scene {
            blocks: scene::blocks(viewer, &self.prompts.question, &self.shown, &pending, over),
            gauges: match viewer.seat() {
                None | Some(Seat::PLAYER) => vec![Gauge::new("turns", left, self.rules.limit)],
                Some(_) => Vec::new(),
            },
            awaits: self.out.awaits(viewer),
        }
    }
}
