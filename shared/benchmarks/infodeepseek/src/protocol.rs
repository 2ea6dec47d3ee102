//! An episode: the player plans steps, searches and opens pages; then it answers from what it found, answers without it, and ranks pages
//! as evidence (3.3 to 3.8 as `strict` has them). The grading answers from the evidence.

mod answering;
mod finding;
mod opening;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};
use turnwise_core::effect::{Hit, Made, Page};
use turnwise_core::parse;
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

use crate::memory::Memory;
use crate::prompts::{self, Prompts};
use crate::reading::{self, Action, Ranked, Step, address};
use crate::settings::{Mode, READER, Settings, USUAL};
use crate::tasks::field;
use opening::Opening;

pub mod ending {
    pub const ANSWERED: &str = "answered";
}

/// Why the search for evidence ended.
pub mod stopped {
    pub const DONE: &str = "done";
    pub const NO_STEP: &str = "no_step";
    pub const STEPS: &str = "steps";
    /// No plan could be read, or the call failed, twice.
    pub const NO_PLAN: &str = "no_plan";
}

/// Flags of an episode; faults of replies are faults of their turns.
pub mod flag {
    /// A step that was done before; it is not done again.
    pub const REPEATED: &str = "repeated";
    /// Nothing came of a search or a visit.
    pub const TOOL_FAILED: &str = "tool_failed";
    pub const FROZEN_MISS: &str = "frozen_miss";
    /// Steps that were planned and not done, because the budget was used up.
    pub const DROPPED_STEPS: &str = "dropped_steps";
    /// Results that did not fit into the window.
    pub const LEFT_OUT: &str = "left_out";
    /// A ranked page whose address was in nothing that was found.
    pub const UNSEEN: &str = "unseen_page";
    /// A reply that is missing because its call failed.
    pub const CALL_FAILED: &str = "call_failed";
    /// A filter of the service kept a reply back.
    pub const FILTERED: &str = "filtered";
}

/// How often the player is asked for one plan or ranking, the first time included.
pub const ATTEMPTS: u32 = 2;
/// The most characters of something in a sentence.
const SENTENCE: usize = 200;
/// The most characters of an unusable reply that the player is shown again.
const SHOWN_AGAIN: usize = 8_000;

enum Stage {
    Plan,
    Search(PlannedStep),
    Open(Box<Opening>),
    Conclude,
    Offline,
    Rank,
}

/// A step that is under way, and the turn that planned it.
#[derive(Clone)]
struct PlannedStep {
    step: Step,
    turn: u32,
}

/// The running episode of a task.
pub struct Play {
    out: Outbox,
    settings: Settings,
    /// How many results a search asks for.
    results: u32,
    prompts: Prompts,
    question: String,
    stage: Stage,
    memory: Memory,
    /// The plan that is due, from 1; one more ends the search.
    iteration: u32,
    planned: VecDeque<PlannedStep>,
    /// Steps that were done, by tool and arguments.
    known: BTreeSet<String>,
    /// Pages that were opened, by their [`address`].
    opened: BTreeMap<String, Page>,
    /// Addresses that were found, as [`address`] has them.
    found: BTreeSet<String>,
    /// The messages of the reply that is asked for, and how often it was asked for.
    asked: Vec<Message>,
    attempts: u32,
    thread: ThreadId,
    result: Found,
    shown: Vec<Block>,
}

/// What an episode comes to.
#[derive(Default)]
struct Found {
    stopped: &'static str,
    conclusion: Option<String>,
    offline: Option<String>,
    evidence: Vec<(Ranked, bool)>,
    /// The last failure of a call that left a reply missing.
    failure: Option<Failure>,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let question = match settings.language.code() {
            "zh" => task.text(field::QUESTION_ZH)?,
            _ => task.text(field::QUESTION)?,
        };
        let mut out = Outbox::default();
        let mut play = Play {
            prompts: Prompts::new(pack, &settings, question)?,
            question: question.to_owned(),
            results: spec.search.as_ref().map_or(USUAL, |search| search.results),
            stage: Stage::Plan,
            memory: Memory::default(),
            iteration: 1,
            planned: VecDeque::new(),
            known: BTreeSet::new(),
            opened: BTreeMap::new(),
            found: BTreeSet::new(),
            asked: Vec::new(),
            attempts: 0,
            thread: out.thread(),
            result: Found::default(),
            shown: Vec::new(),
            settings,
            out,
        };
        match play.settings.mode {
            Mode::Agent => play.plan(),
            Mode::SingleSearch => play.search_once(),
            Mode::Offline => play.conclude(),
        }
        Ok(play)
    }

    /// Asks the player for something in a conversation of its own.
    fn ask(&mut self, stage: Stage, message: Message, expect: Expect) {
        self.stage = stage;
        self.asked = vec![message];
        self.attempts = 1;
        self.thread = self.out.thread();
        self.out.ask(prompts::player(self.thread, self.asked.clone(), expect));
    }

    /// Asks for the same once more; false if it was asked often enough.
    fn ask_again(&mut self, more: Vec<Message>) -> bool {
        if self.attempts == ATTEMPTS {
            return false;
        }
        self.attempts += 1;
        self.asked.extend(more);
        let ask = prompts::player(self.thread, self.asked.clone(), self.expect());
        self.out.ask(ask);
        true
    }

    fn expect(&self) -> Expect {
        match self.stage {
            Stage::Plan => prompts::steps(),
            Stage::Rank => prompts::places(self.settings.pages),
            _ => Expect::Text,
        }
    }

    /// What the player is shown of what it found.
    fn findings(&mut self) -> String {
        let window = usize::try_from(self.settings.window).unwrap_or(usize::MAX);
        let (shown, left_out) = self.memory.shown(window);
        if left_out > 0 {
            self.out.event(flag::LEFT_OUT, json!(left_out));
        }
        shown
    }

    fn plan(&mut self) {
        let findings = self.findings();
        let message = self.prompts.plan(&findings, self.iteration);
        self.ask(Stage::Plan, message, prompts::steps());
    }

    /// Does the next planned step, or plans the next one, until the steps are used up.
    fn next(&mut self) {
        self.iteration += 1;
        let Some(doing) = self.planned.pop_front() else {
            return self.leave(stopped::NO_STEP);
        };
        match doing.step.action() {
            Ok(Action::Stop) => self.leave(stopped::DONE),
            Ok(action) if self.known.contains(&self.key(&doing.step, &action)) => {
                self.out.flag(flag::REPEATED, json!(reading::noted(&doing.step)));
                let text = "You did this already; its result is above. It was not done again.";
                self.observe(&doing, false, "already done", text);
            }
            Ok(action) => {
                self.known.insert(self.key(&doing.step, &action));
                self.act(doing, action);
            }
            Err(fault) => self.observe(&doing, false, &fault.class, &fault.detail),
        }
    }

    fn key(&self, step: &Step, action: &Action) -> String {
        let what = match action {
            Action::Open { url, question, part } => format!("{} {part} {question}", address(url)),
            other => format!("{other:?}").to_lowercase(),
        };
        format!("{} {what}", step.tool)
    }

    /// The step was done; after the last nothing is planned any more.
    fn go_on(&mut self) {
        match self.iteration > self.settings.steps {
            true => {
                let dropped = std::mem::take(&mut self.planned).len();
                if dropped > 0 {
                    self.out.flag(flag::DROPPED_STEPS, json!(dropped));
                }
                self.leave(stopped::STEPS);
            }
            false => self.plan(),
        }
    }

    fn leave(&mut self, why: &'static str) {
        self.result.stopped = why;
        self.planned.clear();
        self.conclude();
    }

    fn planned(&mut self, text: &str) {
        match reading::plan(text) {
            Ok(steps) => {
                let (kind, sentence) = finding::said_of(&steps);
                let noted: Vec<Value> = steps.iter().map(reading::noted).collect();
                let reading = Reading {
                    fault: steps.iter().find_map(|step| step.action().err()),
                    ..Reading::applied(noted.into())
                };
                // The kind says the verb.
                let mut verbs = ["searches ", "opens "].into_iter();
                let bare = verbs.find_map(|verb| sentence.strip_prefix(verb)).unwrap_or(&sentence);
                self.act_block(kind, bare);
                let turn = self.out.turn(self.iteration, kind, sentence, reading);
                self.planned.extend(steps.into_iter().map(|step| PlannedStep { step, turn }));
                self.next();
            }
            Err(fault) => {
                if !self.invalid(text, fault) {
                    self.leave(stopped::NO_PLAN);
                }
            }
        }
    }

    /// Notes a reply of no use, and asks once more; false if that was done already.
    fn invalid(&mut self, text: &str, fault: Fault) -> bool {
        let problem = fault.detail.clone();
        self.act_block(TurnKind::Invalid, &problem);
        let said = match self.stage {
            Stage::Plan => "plans nothing",
            _ => "ranks nothing",
        };
        self.out.turn(self.iteration, TurnKind::Invalid, said, fault.into());
        let mut again: String = parse::said(text).trim().chars().take(SHOWN_AGAIN).collect();
        if again.is_empty() {
            // Services refuse messages without text.
            again.push('…');
        }
        let again = vec![Message::said(again), self.prompts.again(&problem)];
        self.ask_again(again)
    }

    /// What a person is asked for now.
    fn due(&self) -> &'static str {
        match self.stage {
            Stage::Plan => "Search, open a page, or say that you are done.",
            Stage::Conclude if self.settings.mode == Mode::Offline => {
                "Answer from memory, in a sentence or two."
            }
            Stage::Conclude => {
                "The search is over. Answer from what you found, in a sentence or two."
            }
            Stage::Offline => "Answer once more, from memory alone, as if you had found nothing.",
            Stage::Rank => {
                "Rank the pages that answer the question, the most important first. Places may stay empty."
            }
            Stage::Search(_) | Stage::Open(_) => "",
        }
    }

    fn act_block(&mut self, kind: TurnKind, text: &str) {
        self.shown.push(Block::act(Seat::PLAYER, kind, text));
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        if seat == READER {
            return self.read(Some(said.words()));
        }
        match self.stage {
            Stage::Plan => self.planned(said.words()),
            Stage::Rank => self.ranked(said.words()),
            _ => self.answered(&said),
        }
    }

    fn found(&mut self, hits: Vec<Hit>) {
        self.hits(&hits);
    }

    fn made_by_tool(&mut self, made: Made) {
        if let Made::Page(page) = made {
            self.page(*page);
        }
    }

    fn failed(&mut self, failure: Failure) {
        let is_tool = match &self.stage {
            Stage::Search(_) => true,
            Stage::Open(opening) => !opening.is_reading(),
            _ => false,
        };
        let is_miss = is_tool && failure.class == FailureClass::OffRecording;
        if failure.class.is_of_the_run() && !is_miss {
            return self.out.fail(&failure);
        }
        if is_tool {
            return self.tool_failed(&failure);
        }
        self.out.note(Note::flag(flag::CALL_FAILED, None, json!(failure.class)));
        match self.stage {
            Stage::Open(_) => self.read(None),
            Stage::Plan => {
                self.result.failure = Some(failure);
                if !self.ask_again(Vec::new()) {
                    self.leave(stopped::NO_PLAN);
                }
            }
            Stage::Rank => {
                self.result.failure = Some(failure);
                self.finish();
            }
            _ => {
                self.result.failure = Some(failure);
                self.take(None);
            }
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let sees = matches!(viewer.seat(), None | Some(Seat::PLAYER));
        let mut blocks = Vec::new();
        if sees {
            blocks.push(Block::text("Question", &self.question));
            blocks.extend(self.shown.iter().cloned());
            let answer = |text: &str| text.to_owned();
            blocks.extend(self.out.outcome().map(|outcome| {
                Block::end(
                    &outcome.ending,
                    outcome.text("conclusion").map(answer).unwrap_or_default(),
                )
            }));
        }
        let mut gauges = Vec::new();
        if self.settings.mode == Mode::Agent {
            let left = (self.settings.steps + 1).saturating_sub(self.iteration);
            gauges.push(Gauge::new("steps", left, self.settings.steps));
        }
        let awaits = self.out.awaits(viewer);
        if awaits.is_some() && sees {
            blocks.push(Block::remark(self.due()));
        }
        Scene { blocks, gauges, awaits }
    }
}
