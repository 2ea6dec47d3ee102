//! An episode (specification 1.b): the player asks and submits, the judge answers with one token, and after the last turn the
//! player must submit once more. One state machine, two profiles.

use serde_json::{Value, json};
use turnwise_shared::effect::{Effect, Failure, Reply};
use turnwise_shared::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_shared::note::{self, Came, Fault, Note, Tone, Turn, TurnKind};
use turnwise_shared::parse;
use turnwise_shared::prompt::{Pack, Said, ThreadId};
use turnwise_shared::scene::{Block, Gauge, Scene};
use turnwise_shared::seat::{Seat, Viewer};
use turnwise_shared::spec::{BadSpec, Profile, Spec};
use turnwise_shared::task::Task;

use crate::prompts::{Exchange, Prompts, Told};
use crate::reading::{self, FormatError, Kind, Move, Token};
use crate::settings::{JUDGE, JudgeMemory, Mode, Settings};
use crate::tasks::{Language, field};

/// Endings of an episode.
pub mod ending {
    /// A final answer that counts was correct.
    pub const SOLVED: &str = "solved";
    /// Only the forced final was correct (`strict`).
    pub const SOLVED_BY_FORCED_FINAL: &str = "solved_by_forced_final";
    /// No final answer was correct.
    pub const UNSOLVED: &str = "unsolved";
    /// No final answer was found correct, and the judge could not be read on one of them (`strict`): no score.
    pub const JUDGE_INVALID: &str = "judge_invalid";
    /// A seat replied with empty text too often (`reference`).
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
/// How often a seat is asked in all while it says nothing (`reference`).
pub const EMPTY_ATTEMPTS: u32 = 9;
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
    /// The last thread that was opened. The player's is 1, a judge with memory has 2.
    threads: u32,
    history: Vec<Exchange>,
    /// How often the seat that is asked now was asked for the same reply, from 1.
    attempt: u32,
    state: State,
    solved_at: Option<u32>,
    /// Whether the judge could not be read on a final answer that counts.
    is_undecided: bool,
    /// The last final answer, and its token where it has one.
    answer: Option<(String, Option<Token>)>,
}

enum State {
    Player,
    Judge(Judged),
    Over,
}

/// What the judge is asked about.
#[derive(Clone)]
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
        let settings = Settings::at(spec, task)?;
        let language = Language::of(task);
        let setup = task.field(field::SETUP).ok_or_else(|| {
            BadSpec::new(
                "tasks",
                format!("task {} has no field {:?}", task.id, field::SETUP),
            )
        })?;
        let mut play = Play {
            out: Outbox::default(),
            profile: spec.profile,
            settings,
            prompts: Prompts::new(pack, spec.profile, settings, language)?,
            setup: setup.to_owned(),
            threads: 2,
            history: Vec::new(),
            attempt: 1,
            state: State::Over,
            solved_at: None,
            is_undecided: false,
            answer: None,
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
        let ask = self
            .prompts
            .ask_player(&self.setup, &self.history, self.is_forced());
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
        let ask = self
            .prompts
            .ask_judge(ThreadId(thread), history, judged.kind, &judged.content);
        self.out.request(Effect::Ask(ask));
        self.state = State::Judge(judged);
    }

    fn said(&mut self, call: CallId, said: &Said) {
        let text = said.text.as_deref().unwrap_or_default();
        let state = std::mem::replace(&mut self.state, State::Over);
        if self.profile == Profile::Reference && text.is_empty() {
            self.said_nothing(state);
            return;
        }
        match state {
            State::Player => match self.profile {
                Profile::Strict => self.strict_turn(call, text),
                Profile::Reference => self.reference_turn(call, text),
            },
            State::Judge(judged) => self.judge_said(call, text, judged),
            State::Over => {}
        }
    }

    /// The authors' program asks again after an empty reply, and at last gives the run up.
    fn said_nothing(&mut self, state: State) {
        self.out.note(Note::Flag {
            name: "empty_reply".to_owned(),
            turn: Some(self.turn()),
            detail: json!({ "attempt": self.attempt }),
        });
        if self.attempt >= EMPTY_ATTEMPTS {
            self.finish(ending::ERROR);
            return;
        }
        self.attempt += 1;
        match state {
            State::Player => self.ask_player(),
            State::Judge(judged) => self.ask_judge(judged),
            State::Over => {}
        }
    }

    fn strict_turn(&mut self, call: CallId, text: &str) {
        let reading = reading::strict(text);
        let said = parse::said(text);
        let mut shown: String = said.trim().chars().take(SHOWN_AGAIN).collect();
        if shown.is_empty() {
            // Services refuse messages without text.
            shown.push('…');
        }
        if reading.answers_for_judge {
            self.out.note(Note::Flag {
                name: ANSWERS_FOR_JUDGE.to_owned(),
                turn: Some(self.turn()),
                detail: Value::Null,
            });
        }
        let result = reading.result.and_then(|one| match one.kind {
            Kind::Question if self.is_forced() => Err(FormatError::NotFinal),
            _ => Ok(one),
        });
        match result {
            Ok(Move { kind, content }) => {
                self.note_move(call, kind, &content, reading.repairs);
                self.submit(kind, content, shown);
            }
            Err(fault) => {
                let noted = note::Reading {
                    repaired: reading.repairs,
                    fault: Some(Fault {
                        class: fault.class().to_owned(),
                        detail: fault.to_string(),
                    }),
                    ..note::Reading::default()
                };
                self.note_turn(
                    call,
                    TurnKind::Invalid,
                    format!("format error: {fault}"),
                    noted,
                );
                self.next_turn(Exchange {
                    said: shown,
                    judged: None,
                    told: Told::FormatError,
                });
            }
        }
    }

    fn reference_turn(&mut self, call: CallId, text: &str) {
        let Move { kind, content } = match self.is_forced() {
            true => Move {
                kind: Kind::Final,
                content: reading::reference_final(text),
            },
            false => reading::reference(text),
        };
        self.note_move(call, kind, &content, Vec::new());
        self.submit(kind, content, text.to_owned());
    }

    fn submit(&mut self, kind: Kind, content: String, said: String) {
        if kind == Kind::Final {
            self.answer = Some((content.clone(), None));
        }
        self.attempt = 1;
        self.ask_judge(Judged {
            kind,
            content,
            said,
        });
    }

    fn note_move(&mut self, call: CallId, kind: Kind, content: &str, repaired: Vec<String>) {
        let (turn_kind, does) = match (kind, self.is_forced()) {
            (Kind::Question, _) => (TurnKind::Ask, "asks"),
            (Kind::Final, false) => (TurnKind::Answer, "submits"),
            (Kind::Final, true) => (TurnKind::Answer, "submits at last"),
        };
        let short: String = content.chars().take(SENTENCE).collect();
        let cut = if short.len() < content.len() {
            "…"
        } else {
            ""
        };
        let reading = note::Reading {
            repaired,
            applied: applied(kind, self.is_forced(), content),
            ..note::Reading::default()
        };
        self.note_turn(call, turn_kind, format!("{does} “{short}{cut}”"), reading);
    }

    fn note_turn(
        &mut self,
        call: CallId,
        kind: TurnKind,
        sentence: String,
        reading: note::Reading,
    ) {
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

    fn judge_said(&mut self, call: CallId, text: &str, judged: Judged) {
        let token = match self.profile {
            Profile::Strict => reading::strict_token(text, judged.kind),
            Profile::Reference => Some(reading::reference_token(text, judged.kind)),
        };
        if token.is_none() {
            self.out.note(Note::Flag {
                name: JUDGE_UNREADABLE.to_owned(),
                turn: Some(self.turn()),
                detail: json!({ "attempt": self.attempt }),
            });
            if self.attempt < JUDGE_ATTEMPTS {
                self.attempt += 1;
                self.ask_judge(judged);
                return;
            }
        }
        let turn = self.turn();
        self.out
            .note(came(turn, Some(call), judged.kind, token, text));
        if judged.kind == Kind::Final {
            if let Some((_, verdict)) = &mut self.answer {
                *verdict = token;
            }
            self.is_undecided |=
                token.is_none() && turn <= self.settings.last_counted(self.profile);
            if token == Some(Token::Correct) {
                self.solved_at = Some(turn);
            }
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
        let last = self.settings.last_counted(self.profile);
        match self.solved_at {
            None if !was_forced => self.ask_player(),
            None if self.is_undecided => self.finish(ending::JUDGE_INVALID),
            None => self.finish(ending::UNSOLVED),
            Some(turn) if turn <= last => self.finish(ending::SOLVED),
            Some(_) if self.is_undecided => self.finish(ending::JUDGE_INVALID),
            Some(_) => self.finish(ending::SOLVED_BY_FORCED_FINAL),
        }
    }

    fn finish(&mut self, ending: &str) {
        self.state = State::Over;
        let (answer, verdict) = self.answer.clone().unwrap_or_default();
        self.out.finish(Outcome {
            ending: ending.to_owned(),
            result: outcome(
                self.solved_at,
                self.history.len(),
                &answer,
                verdict.map_or("", Token::name),
            ),
        });
    }

    fn failed(&mut self, failure: &Failure) {
        self.state = State::Over;
        self.out.finish(Outcome {
            ending: Outcome::INCOMPLETE.to_owned(),
            result: json!({ "failure": failure.class, "message": failure.message }),
        });
    }
}

/// What a move is noted as; the kind of a forced final is that of the authors' files.
pub(crate) fn applied(kind: Kind, is_forced: bool, content: &str) -> Value {
    let kind = match (kind, is_forced) {
        (Kind::Final, true) => FORCED_FINAL,
        (kind, _) => kind.name(),
    };
    json!({ "kind": kind, "content": content })
}

/// The kind of a forced final in notes and in the authors' files.
pub const FORCED_FINAL: &str = "forced_final";

/// What an episode ended with. `verdict` is the token of the last final answer, empty without one.
pub(crate) fn outcome(solved_at: Option<u32>, turns: usize, answer: &str, verdict: &str) -> Value {
    json!({ "solved_at": solved_at, "turns": turns, "answer": answer, "last_verdict": verdict })
}

/// What came back for a turn: `token`, as `text` was read.
pub(crate) fn came(
    turn: u32,
    call: Option<CallId>,
    kind: Kind,
    token: Option<Token>,
    text: &str,
) -> Note {
    let told = token.map_or(Told::NoAnswer, Told::Token);
    let words = kind
        .vocabulary()
        .iter()
        .map(|token| token.name())
        .collect::<Vec<_>>();
    Note::Came(Came {
        turn,
        call,
        tone: tone(told),
        word: told.word().to_lowercase().replace('_', " "),
        shown: told.word().to_owned(),
        reading: Some(note::Reading {
            extracted: None,
            repaired: match token {
                Some(token) if text != token.name() => vec![format!("read as “{token}”")],
                _ => Vec::new(),
            },
            applied: json!(token),
            fault: token.is_none().then(|| Fault {
                class: JUDGE_INVALID.to_owned(),
                detail: format!("no reply of the judge is one of {}", words.join(", ")),
            }),
        }),
    })
}

impl Episode for Play {
    fn poll(&mut self) -> Step {
        self.out.next_step()
    }

    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        self.out.accept(call, &reply)?;
        match reply {
            Reply::Said(said) => self.said(call, &said),
            Reply::Failed(failure) => self.failed(&failure),
            // `accept` lets nothing else through for an `Ask`.
            _ => {}
        }
        Ok(())
    }

    /// The judge's seat sees the story and what it is asked about now; its request has the hidden story.
    fn scene(&self, viewer: &Viewer) -> Scene {
        let is_judge = *viewer == Viewer::Seat(Seat::new(JUDGE));
        let mut blocks = vec![Block::Text {
            heading: "Story".to_owned(),
            text: self.setup.clone(),
        }];
        if !is_judge {
            for exchange in &self.history {
                blocks.extend(exchange_blocks(exchange));
            }
        }
        if let State::Judge(judged) = &self.state {
            blocks.push(act(judged.kind, &judged.content));
        }
        if matches!(self.state, State::Player)
            && self.is_forced()
            && self.settings.mode == Mode::Interactive
        {
            blocks.push(Block::Remark {
                text: "No turns are left. Submit your final answer.".to_owned(),
            });
        }
        if let Some(outcome) = self.out.outcome() {
            blocks.push(Block::End {
                ending: outcome.ending.clone(),
                text: outcome.result["answer"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        let turns = self.settings.turns();
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

fn act(kind: Kind, content: &str) -> Block {
    Block::Act {
        seat: Seat::new(Seat::PLAYER),
        kind: match kind {
            Kind::Question => TurnKind::Ask,
            Kind::Final => TurnKind::Answer,
        },
        text: content.to_owned(),
    }
}

fn exchange_blocks(exchange: &Exchange) -> [Block; 2] {
    let did = match &exchange.judged {
        Some((kind, content)) => act(*kind, content),
        None => Block::Act {
            seat: Seat::new(Seat::PLAYER),
            kind: TurnKind::Invalid,
            text: exchange.said.clone(),
        },
    };
    let came = Block::Came {
        tone: tone(exchange.told),
        text: exchange.told.word().to_owned(),
    };
    [did, came]
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
