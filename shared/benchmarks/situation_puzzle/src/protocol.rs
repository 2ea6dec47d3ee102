//! An episode (specification 1.b): the player asks and submits, the judge answers with one token, and after the last turn the
//! player must submit once more. One state machine, two profiles.

use serde_json::{Value, json};
use turnwise_core::effect::{Effect, Failure, Reply};
use turnwise_core::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_core::note::{Came, Fault, Note, Reading, Tone, Turn, TurnKind};
use turnwise_core::parse;
use turnwise_core::prompt::{Pack, ThreadId};
use turnwise_core::python;
use turnwise_core::scene::{Block, Gauge, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::task::Task;
use turnwise_core::transcript::Transcript;

use crate::prompts::{Exchange, Prompts, Told};
use crate::reading::{self, FormatError, Kind, Token};
use crate::settings::{JUDGE, JudgeMemory, Settings};
use crate::tasks::{self, field};

/// Endings of an episode.
pub mod ending {
    /// A final answer that counts was correct.
    pub const SOLVED: &str = "solved";
    /// Only the forced final was correct (`strict`).
    pub const SOLVED_BY_FORCED_FINAL: &str = "solved_by_forced_final";
    pub const UNSOLVED: &str = "unsolved";
    /// No final answer was found correct, and the judge could not be read on one that counts (`strict`): no score.
    pub const JUDGE_INVALID: &str = "judge_invalid";
    /// A seat said nothing, as often as it was asked (`reference`).
    pub const ERROR: &str = "error";
}

/// The flag of a judge's reply that could not be read.
pub const JUDGE_UNREADABLE: &str = "judge_unreadable";
/// The fault class of a turn that no reply of the judge decides.
pub const JUDGE_INVALID: &str = "judge_invalid";
/// The flag of a player's message that also gives the judge's answer.
pub const ANSWERS_FOR_JUDGE: &str = "answers_for_judge";

/// How often an unreadable judge is asked in all (`strict`).
const JUDGE_ATTEMPTS: u32 = 2;
/// How often a call is sent at most (`reference`).
pub const ATTEMPTS: u32 = 9;
/// The most characters of a player's own message that it is shown again (`strict`).
const SHOWN_AGAIN: usize = reading::FINAL_LIMIT + 2_000;
/// The most characters of a move in a sentence.
const SENTENCE: usize = 200;

/// The running episode of a task.
pub struct Play {
    out: Outbox,
    profile: Profile,
    settings: Settings,
    prompts: Prompts,
    setup: String,
    /// The last thread that was opened. The player's is 1, that of a judge with memory 2.
    threads: u32,
    history: Vec<Exchange>,
    /// How often the judge was asked for the same token, from 1.
    attempt: u32,
    state: State,
    solved_at: Option<u32>,
    /// Whether the judge could not be read on a final answer that counts.
    is_undecided: bool,
    /// The last final answer, and its token where it has one.
    answer: (String, Option<Token>),
}

enum State {
    Player,
    Judge(Judged),
    Over,
}

/// What the judge is asked about.
struct Judged {
    kind: Kind,
    content: String,
    /// What the player said, as it is shown to it again.
    said: String,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let setup = task.field(field::SETUP).ok_or_else(|| {
            BadSpec::new("tasks", format!("task {} has no field {:?}", task.id, field::SETUP))
        })?;
        let mut play = Play {
            out: Outbox::default(),
            profile: spec.profile,
            settings,
            prompts: Prompts::new(pack, spec.profile, settings, tasks::suffix(task))?,
            setup: setup.to_owned(),
            threads: 2,
            history: Vec::new(),
            attempt: 1,
            state: State::Over,
            solved_at: None,
            is_undecided: false,
            answer: Default::default(),
        };
        play.ask_player();
        Ok(play)
    }

    /// The turn that is under way, from 1.
    fn turn(&self) -> u32 {
        u32::try_from(self.history.len()).map_or(u32::MAX, |done| done + 1)
    }

    fn is_forced(&self) -> bool {
        self.turn() > self.settings.turns()
    }

    fn ask_player(&mut self) {
        let is_forced = self.is_forced();
        let ask = self.prompts.ask_player(&self.setup, &self.history, is_forced);
        self.out.request(Effect::Ask(ask));
        self.state = State::Player;
    }

    fn ask_judge(&mut self, judged: Judged) {
        let (thread, history) = match self.settings.judge_memory {
            JudgeMemory::Running => (2, self.history.as_slice()),
            JudgeMemory::Stateless => {
                self.threads += 1;
                (self.threads, [].as_slice())
            }
        };
        let ask = self.prompts.ask_judge(ThreadId(thread), history, judged.kind, &judged.content);
        self.out.request(Effect::Ask(ask));
        self.state = State::Judge(judged);
    }

    fn said(&mut self, call: CallId, text: &str) {
        let state = std::mem::replace(&mut self.state, State::Over);
        let text = match self.profile {
            // The authors' client strips every reply, and has asked again after one without text before it gives the run up.
            Profile::Reference => python::strip(text),
            Profile::Strict => text,
        };
        match (state, self.profile) {
            (_, Profile::Reference) if text.is_empty() => self.finish(ending::ERROR),
            (State::Player, Profile::Strict) => self.strict_turn(call, text),
            (State::Player, Profile::Reference) => self.reference_turn(call, text),
            (State::Judge(judged), _) => self.judge_said(call, text, judged),
            (State::Over, _) => {}
        }
    }

    fn strict_turn(&mut self, call: CallId, text: &str) {
        let reading = reading::strict(text);
        let mut said: String = parse::said(text).trim().chars().take(SHOWN_AGAIN).collect();
        if said.is_empty() {
            // Services refuse messages without text.
            said.push('…');
        }
        if reading.answers_for_judge {
            self.flag(ANSWERS_FOR_JUDGE, Value::Null);
        }
        let fault = match reading.result {
            Ok((Kind::Question, _)) if self.is_forced() => FormatError::NotFinal,
            Ok((kind, content)) => return self.submit(call, kind, content, said, reading.repairs),
            Err(fault) => fault,
        };
        let noted = Reading {
            repaired: reading.repairs,
            fault: Some(Fault { class: fault.class().to_owned(), detail: fault.to_string() }),
            ..Reading::default()
        };
        self.note_turn(call, TurnKind::Invalid, format!("format error: {fault}"), noted);
        self.next_turn(Exchange { said, judged: None, told: Told::FormatError });
    }

    fn reference_turn(&mut self, call: CallId, text: &str) {
        let (kind, content) = match self.is_forced() {
            true => (Kind::Final, reading::reference_final(text)),
            false => reading::reference(text),
        };
        self.submit(call, kind, content, text.to_owned(), Vec::new());
    }

    fn submit(
        &mut self,
        call: CallId,
        kind: Kind,
        content: String,
        said: String,
        repaired: Vec<String>,
    ) {
        let kind = match kind {
            Kind::Final if self.is_forced() => Kind::ForcedFinal,
            kind => kind,
        };
        let reading = Reading { repaired, applied: applied(kind, &content), ..Reading::default() };
        self.note_turn(call, turn_kind(kind), sentence(kind, &content), reading);
        if kind != Kind::Question {
            self.answer = (content.clone(), None);
        }
        self.attempt = 1;
        self.ask_judge(Judged { kind, content, said });
    }

    fn note_turn(&mut self, call: CallId, kind: TurnKind, sentence: String, reading: Reading) {
        self.out.note(Note::Turn(Turn {
            index: self.turn(),
            round: self.turn().min(self.settings.turns().max(1)),
            seat: Seat::new(Seat::PLAYER),
            call,
            kind,
            sentence,
            reading,
        }));
    }

    fn flag(&mut self, name: &str, detail: Value) {
        self.out.note(Note::Flag { name: name.to_owned(), turn: Some(self.turn()), detail });
    }

    fn judge_said(&mut self, call: CallId, text: &str, judged: Judged) {
        let token = match self.profile {
            Profile::Strict => reading::strict_token(text, judged.kind),
            Profile::Reference => Some(reading::reference_token(text, judged.kind)),
        };
        if token.is_none() {
            self.flag(JUDGE_UNREADABLE, json!({ "attempt": self.attempt }));
            if self.attempt < JUDGE_ATTEMPTS {
                self.attempt += 1;
                return self.ask_judge(judged);
            }
        }
        let turn = self.turn();
        self.out.note(Note::Came(came(turn, Some(call), judged.kind, token, text)));
        if judged.kind != Kind::Question {
            self.answer.1 = token;
            self.is_undecided |=
                token.is_none() && turn <= self.settings.last_counted(self.profile);
        }
        if token == Some(Token::Correct) {
            self.solved_at = Some(turn);
        }
        self.next_turn(Exchange {
            said: judged.said,
            judged: Some((judged.kind, judged.content)),
            told: token.map_or(Told::NoAnswer, Told::Token),
        });
    }

    fn next_turn(&mut self, exchange: Exchange) {
        let was_forced = self.is_forced();
        self.history.push(exchange);
        self.attempt = 1;
        match self.solved_at {
            Some(turn) if turn <= self.settings.last_counted(self.profile) => {
                self.finish(ending::SOLVED)
            }
            None if !was_forced => self.ask_player(),
            _ if self.is_undecided => self.finish(ending::JUDGE_INVALID),
            Some(_) => self.finish(ending::SOLVED_BY_FORCED_FINAL),
            None => self.finish(ending::UNSOLVED),
        }
    }

    fn finish(&mut self, ending: &str) {
        let (answer, verdict) = &self.answer;
        self.out.finish(Outcome {
            ending: ending.to_owned(),
            result: json!({ "answer": answer, "last_verdict": verdict.map_or("", Token::name) }),
        });
    }

    fn failed(&mut self, failure: &Failure) {
        self.state = State::Over;
        self.out.finish(Outcome::incomplete(failure));
    }
}

/// How a move is noted.
pub(crate) fn applied(kind: Kind, content: &str) -> Value {
    json!({ "kind": kind, "content": content })
}

pub(crate) fn turn_kind(kind: Kind) -> TurnKind {
    match kind {
        Kind::Question => TurnKind::Ask,
        Kind::Final | Kind::ForcedFinal => TurnKind::Answer,
    }
}

pub(crate) fn sentence(kind: Kind, content: &str) -> String {
    let does = match kind {
        Kind::Question => "asks",
        Kind::Final => "submits",
        Kind::ForcedFinal => "submits at last",
    };
    let short: String = content.chars().take(SENTENCE).collect();
    let cut = if short.len() < content.len() { "…" } else { "" };
    format!("{does} “{short}{cut}”")
}

/// What came back for a turn: `token`, as `text` was read.
pub(crate) fn came(
    turn: u32,
    call: Option<CallId>,
    kind: Kind,
    token: Option<Token>,
    text: &str,
) -> Came {
    let told = token.map_or(Told::NoAnswer, Told::Token);
    let repaired = token.filter(|token| text != token.name());
    Came {
        turn,
        call,
        tone: tone(told),
        word: told.word().to_lowercase().replace('_', " "),
        shown: told.word().to_owned(),
        reading: Some(Reading {
            extracted: None,
            repaired: repaired.map(|token| format!("read as “{token}”")).into_iter().collect(),
            applied: json!(token),
            fault: token.is_none().then(|| Fault {
                class: JUDGE_INVALID.to_owned(),
                detail: format!(
                    "the judge's replies to this {} have no token that can be read",
                    kind.name()
                ),
            }),
        }),
    }
}

fn tone(told: Told) -> Tone {
    match told {
        Told::Token(Token::Yes | Token::Correct) => Tone::Positive,
        Told::Token(Token::No | Token::Incorrect) => Tone::Negative,
        Told::Token(Token::Both) => Tone::Unknown,
        Told::Token(Token::Irrelevant) => Tone::Neutral,
        Told::FormatError | Told::NoAnswer => Tone::Failed,
    }
}

/// A turn as the notes of an episode tell it.
pub struct Taken<'a> {
    pub turn: &'a Turn,
    /// `None` after a format error, and while the judge is asked.
    pub came: Option<&'a Came>,
}

impl Taken<'_> {
    /// What was submitted; `None` after a format error.
    pub fn kind(&self) -> Option<Kind> {
        serde_json::from_value(self.turn.reading.applied["kind"].clone()).ok()
    }

    /// The judge's token; `None` where it could not be read.
    pub fn token(&self) -> Option<Token> {
        let reading = self.came?.reading.as_ref()?;
        Token::named(reading.applied.as_str()?)
    }
}

/// The turns of an episode.
pub fn turns(play: &Transcript) -> Vec<Taken<'_>> {
    let mut turns: Vec<Taken<'_>> = Vec::new();
    for note in play.notes() {
        match (note, turns.last_mut()) {
            (Note::Turn(turn), _) => turns.push(Taken { turn, came: None }),
            (Note::Came(came), Some(last)) => last.came = Some(came),
            _ => {}
        }
    }
    turns
}

impl Episode for Play {
    fn poll(&mut self) -> Step {
        self.out.next_step()
    }

    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        self.out.accept(call, &reply)?;
        match reply {
            Reply::Said(said) => self.said(call, said.text.as_deref().unwrap_or_default()),
            Reply::Failed(failure) => self.failed(&failure),
            // `accept` lets nothing else through for an `Ask`.
            _ => {}
        }
        Ok(())
    }

    /// The judge's seat sees the story and what it is asked about now; its request has the hidden story.
    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut blocks =
            vec![Block::Text { heading: "Story".to_owned(), text: self.setup.clone() }];
        if *viewer != Viewer::Seat(Seat::new(JUDGE)) {
            for exchange in &self.history {
                blocks.push(act(exchange.judged.as_ref(), &exchange.said));
                blocks.push(Block::Came {
                    tone: tone(exchange.told),
                    text: exchange.told.word().to_owned(),
                });
            }
        }
        let turns = self.settings.turns();
        match (&self.state, self.out.outcome()) {
            (_, Some(outcome)) => blocks
                .push(Block::End { ending: outcome.ending.clone(), text: self.answer.0.clone() }),
            (State::Judge(judged), _) => {
                blocks.push(act(Some(&(judged.kind, judged.content.clone())), ""))
            }
            (State::Player, _) if turns > 0 && self.is_forced() => blocks.push(Block::Remark {
                text: "No turns are left. Submit your final answer.".to_owned(),
            }),
            _ => {}
        }
        let gauge = Gauge {
            label: "turns".to_owned(),
            left: (turns + 1).saturating_sub(self.turn()),
            of: turns,
        };
        Scene {
            blocks,
            gauges: (turns > 0).then_some(gauge).into_iter().collect(),
            awaits: self.out.awaits(viewer),
        }
    }
}

fn act(judged: Option<&(Kind, String)>, said: &str) -> Block {
    Block::Act {
        seat: Seat::new(Seat::PLAYER),
        kind: judged.map_or(TurnKind::Invalid, |(kind, _)| turn_kind(*kind)),
        text: judged.map_or(said, |(_, content)| content).to_owned(),
    }
}
