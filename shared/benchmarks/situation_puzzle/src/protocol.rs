//! An episode (specification 1.b): the player asks and submits, the judge answers with one token, and after the last turn the
//! player must submit once more. One state machine, two profiles.

use serde_json::{Value, json};
use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::kit::judge::heard;
use turnwise_core::kit::turns::Taken;
use turnwise_core::parse;
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

use crate::prompts::{Prompts, Told};
use crate::reading::{self, FormatError, Kind, Token};
use crate::settings::{JUDGE, JudgeMemory, Settings};
use crate::tasks::{self, field};

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
pub(crate) const JUDGE_ATTEMPTS: u32 = 2;
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
    player: Dialogue,
    /// What a judge with memory remembers.
    judge: Dialogue,
    /// The turn that is under way, from 1.
    turn: u32,
    /// All answers so far, one token a line.
    tokens: String,
    /// Moves and what came back.
    shown: Vec<Block>,
    /// What the judge is asked about, or was last.
    judged: (Kind, String),
    /// How often the judge was asked for the same token, from 1.
    attempt: u32,
    solved_at: Option<u32>,
    /// Whether the judge could not be read on a final answer that counts.
    is_undecided: bool,
    /// The last final answer, and its token where it has one.
    answer: (String, Option<Token>),
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let setup = task.text(field::SETUP)?;
        let prompts = Prompts::new(pack, spec.profile, settings, tasks::suffix(task))?;
        let mut out = Outbox::default();
        let mut play = Play {
            profile: spec.profile,
            settings,
            prompts,
            setup: setup.to_owned(),
            player: prompts.player(out.thread(), setup),
            judge: prompts.judge(out.thread()),
            turn: 1,
            tokens: String::new(),
            shown: Vec::new(),
            judged: (Kind::Question, String::new()),
            attempt: 1,
            solved_at: None,
            is_undecided: false,
            answer: Default::default(),
            out,
        };
        play.ask_player();
        Ok(play)
    }

    fn is_forced(&self) -> bool {
        self.turn > self.settings.turns()
    }

    fn ask_player(&mut self) {
        let is_forced = self.is_forced();
        self.out.ask(self.prompts.ask_player(&mut self.player, is_forced));
    }

    fn ask_judge(&mut self) {
        if self.settings.judge_memory == JudgeMemory::Stateless {
            self.judge = self.prompts.judge(self.out.thread());
        }
        let (kind, content) = &self.judged;
        self.out.ask(self.prompts.ask_judge(&mut self.judge, *kind, content));
    }

    fn strict_turn(&mut self, text: &str) {
        let reading = reading::strict(text);
        let mut said: String = parse::said(text).trim().chars().take(SHOWN_AGAIN).collect();
        if said.is_empty() {
            // Services refuse messages without text.
            said.push('…');
        }
        self.player.said(&said);
        if reading.answers_for_judge {
            self.out.note(Note::flag(ANSWERS_FOR_JUDGE, Some(self.turn), Value::Null));
        }
        let fault = match reading.result {
            Ok((Kind::Question, _)) if self.is_forced() => FormatError::NotFinal,
            Ok((kind, content)) => return self.submit(kind, content, reading.repairs),
            Err(fault) => fault,
        };
        let noted = Fault::new(fault.class(), fault.to_string());
        let noted = Reading { repaired: reading.repairs, ..noted.into() };
        self.note_turn(TurnKind::Invalid, format!("format error: {fault}"), noted);
        self.shown.push(Block::act(Seat::PLAYER, TurnKind::Invalid, said));
        self.next_turn(Told::FormatError);
    }

    fn reference_turn(&mut self, text: &str) {
        let (kind, content) = match self.is_forced() {
            true => (Kind::Final, reading::reference_final(text)),
            false => reading::reference(text),
        };
        self.player.said(text);
        self.submit(kind, content, Vec::new());
    }

    fn submit(&mut self, kind: Kind, content: String, repaired: Vec<String>) {
        let kind = match kind {
            Kind::Final if self.is_forced() => Kind::ForcedFinal,
            kind => kind,
        };
        let reading = Reading { repaired, ..Reading::applied(applied(kind, &content)) };
        self.note_turn(turn_kind(kind), sentence(kind, &content), reading);
        self.shown.push(Block::act(Seat::PLAYER, turn_kind(kind), &content));
        if kind != Kind::Question {
            self.answer = (content.clone(), None);
        }
        self.judged = (kind, content);
        self.attempt = 1;
        self.ask_judge();
    }

    fn note_turn(&mut self, kind: TurnKind, sentence: String, reading: Reading) {
        self.out.turn(self.turn.min(self.settings.turns().max(1)), kind, sentence, reading);
    }

    fn judge_said(&mut self, text: &str) {
        let kind = self.judged.0;
        let token = reading::token(text, kind, self.profile);
        match token {
            Some(token) => self.judge.said(token.name()),
            None => {
                self.judge.take_back();
                self.out.flag(JUDGE_UNREADABLE, json!({ "attempt": self.attempt }));
                if self.attempt < JUDGE_ATTEMPTS {
                    self.attempt += 1;
                    return self.ask_judge();
                }
            }
        }
        self.out.note(came(self.turn, Some(self.out.call()), kind, token, text));
        let counts = self.turn <= self.settings.last_counted(self.profile);
        if kind != Kind::Question {
            self.answer.1 = token;
            self.is_undecided |= token.is_none() && counts;
        }
        if token == Some(Token::Correct) {
            self.solved_at = Some(self.turn);
        }
        self.next_turn(token.map_or(Told::NoAnswer, Told::Token));
    }

    fn next_turn(&mut self, told: Told) {
        let was_forced = self.is_forced();
        self.turn += 1;
        self.shown.push(Block::came(tone(told), told.word()));
        self.tokens.push_str(told.word());
        self.tokens.push('\n');
        self.prompts.tell(&mut self.player, told, self.turn, &self.tokens);
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
        let verdict = verdict.map_or("", Token::name);
        self.out.finish(ending, json!({ "answer": answer, "last_verdict": verdict }));
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
) -> Observation {
    let told = token.map_or(Told::NoAnswer, Told::Token);
    let kind = kind.name();
    let fault = || {
        let why = format!("the judge's replies to this {kind} have no token that can be read");
        Fault::new(JUDGE_INVALID, why)
    };
    Observation {
        turn,
        call,
        tone: tone(told),
        word: told.word().to_lowercase().replace('_', " "),
        shown: told.word().to_owned(),
        reading: Some(heard(Some(text), token.map(Token::name), fault)),
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

/// What was submitted in a turn; `None` after a format error.
pub fn submitted(taken: &Taken<'_>) -> Option<Kind> {
    serde_json::from_value(taken.turn.reading.applied["kind"].clone()).ok()
}

/// The judge's token of a turn; `None` where it could not be read, and after a format error.
pub fn token(taken: &Taken<'_>) -> Option<Token> {
    Token::named(taken.came?.reading.as_ref()?.applied.as_str()?)
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        let text = self.profile.heard(said.words());
        match (seat, self.profile) {
            // The authors' client has asked again after a reply without text before it gives the run up.
            (_, Profile::Reference) if text.is_empty() => self.finish(ending::ERROR),
            (JUDGE, _) => self.judge_said(text),
            (_, Profile::Strict) => self.strict_turn(text),
            (_, Profile::Reference) => self.reference_turn(text),
        }
    }

    /// The judge's seat sees the story and what it is asked about now; its request has the hidden story.
    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut blocks = vec![Block::text("Story", &self.setup)];
        let is_judged = self.out.is_asked(JUDGE);
        match viewer.seat() {
            Some(JUDGE) => blocks.extend(self.shown.last().filter(|_| is_judged).cloned()),
            _ => blocks.extend(self.shown.iter().cloned()),
        }
        let turns = self.settings.turns();
        match self.out.outcome() {
            Some(outcome) => blocks.push(Block::end(&outcome.ending, &self.answer.0)),
            None if !is_judged && turns > 0 && self.is_forced() => {
                blocks.push(Block::remark("No turns are left. Submit your final answer."));
            }
            None => {}
        }
        let gauge = || Gauge::new("turns", (turns + 1).saturating_sub(self.turn), turns);
        Scene {
            blocks,
            gauges: (turns > 0).then(gauge).into_iter().collect(),
            awaits: self.out.awaits(viewer),
        }
    }
}
