//! The episode: questions and guesses until a guess is right or the rounds are used up, then one free final answer; in `direct` one
//! answer and nothing else (specification 3.b). One machine, two profiles.

use serde_json::{Value, json};
use turnwise_core::effect::{Effect, Failure, Reply};
use turnwise_core::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_core::note::{self, Came, Note, Tone, Turn, TurnKind};
use turnwise_core::prompt::{Message, Pack, Role, Variable};
use turnwise_core::python;
use turnwise_core::scene::{Block, Gauge, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::task::Task;

use crate::grading::{Judged, Judging, Verdict, answer_block, unreadable};
use crate::prompts::{JUDGE, ask_judge, ask_player, default_pack, field, judge_system, said, user};
use crate::reading::{self, Fault, Move};
use crate::settings::{self, Mode, Settings};

/// Endings of an episode.
pub mod ending {
    /// A guess was right.
    pub const SOLVED: &str = "solved";
    /// The rounds were used up, and a final answer was given.
    pub const FINAL: &str = "final_answer";
    /// The one answer of `direct` was given.
    pub const ANSWERED: &str = "answered";
    /// There is no answer that can be read (`strict`).
    pub const NO_ANSWER: &str = "no_answer";
    /// The player said nothing, or its call failed, in a pass@k run of the authors: wrong.
    pub const PLAYER_ERROR: &str = "player_api_error";
}

/// The gauge of an episode in which the player may ask.
pub(crate) const TURNS: &str = "turns";

/// How a word of the judge is drawn.
pub fn tone(word: &str) -> Tone {
    match word {
        "Yes" => Tone::Positive,
        "No" => Tone::Negative,
        "Both" => Tone::Unknown,
        _ => Tone::Neutral,
    }
}

/// An episode. See the module's head.
pub struct Play {
    out: Outbox,
    profile: Profile,
    settings: Settings,
    is_pass_at_k: bool,
    problem: String,
    judging: Judging,
    /// The round, from 1; one more than there are while the final answer is due.
    round: u32,
    turns: u32,
    player: Vec<Message>,
    judge: Vec<Message>,
    /// How the turns went, in words that bots can read.
    so_far: Vec<&'static str>,
    /// What the player saw: its moves and what came back.
    shown: Vec<Block>,
    /// The guess that is judged, or the last one that was.
    guess: String,
    state: State,
}

enum State {
    Player,
    /// The judge is asked, for the second time or not.
    Judge {
        question: String,
        again: bool,
    },
    Grader,
    Over,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::of(spec)?;
        for name in default_pack().templates.keys() {
            pack.template(name).map_err(|bad| BadSpec::new("pack", bad.to_string()))?;
        }
        let problem = task
            .field(field::PROBLEM)
            .ok_or_else(|| BadSpec::new("tasks", format!("task {} has no problem", task.id)))?;
        let rounds = ("max_rounds", Variable::text(settings.rounds.to_string()));
        let (system, first) = match settings.mode {
            Mode::Interactive => (Message::template(Role::System, "player", [rounds]), "problem"),
            Mode::GuessOnly => {
                (Message::template(Role::System, "guesser", [rounds]), "problem_guess")
            }
            Mode::Direct => (Message::template(Role::System, "solver", []), "problem_direct"),
        };
        let first =
            user(first, [("problem", Variable::text(problem)), ("so_far", Variable::text(""))]);
        let mut play = Play {
            out: Outbox::default(),
            profile: spec.profile,
            settings,
            is_pass_at_k: settings::is_pass_at_k(spec.into()),
            problem: problem.to_owned(),
            judging: Judging::new(spec.profile, task),
            round: 1,
            turns: 0,
            player: vec![system, first],
            judge: vec![judge_system()],
            so_far: Vec::new(),
            shown: Vec::new(),
            guess: String::new(),
            state: State::Over,
        };
        play.ask_player();
        Ok(play)
    }

    fn is_direct(&self) -> bool {
        self.settings.mode == Mode::Direct
    }

    /// Whether the rounds are used up and the free answer is due.
    fn is_final(&self) -> bool {
        self.round > self.settings.rounds
    }

    fn ask_player(&mut self) {
        self.out.request(Effect::Ask(ask_player(&self.player)));
        self.state = State::Player;
    }

    fn player_said(&mut self, call: CallId, text: &str) {
        let text = match self.profile {
            Profile::Reference => python::strip(text),
            Profile::Strict => text,
        };
        if text.is_empty() && self.is_authors_sample() {
            self.player_error("the reply has no text");
            return;
        }
        self.player.push(said(text));
        let read = match self.profile {
            Profile::Reference if self.is_direct() || self.is_final() => {
                Ok(Move::Guess(reading::answer_reference(text)))
            }
            Profile::Reference => Ok(reading::player_reference(text)),
            Profile::Strict => reading::player_strict(text),
        };
        let only_guesses = self.settings.mode != Mode::Interactive || self.is_final();
        let read = match read {
            Ok(Move::Question(_)) if only_guesses => Err(Fault::NotAllowed),
            other => other,
        };
        self.note_turn(call, &read);
        match read {
            Ok(Move::Guess(answer)) if self.is_direct() => {
                self.finish(ending::ANSWERED, json!({ "answer": answer }));
            }
            Ok(Move::Guess(answer)) => self.guessed(answer),
            Ok(Move::Question(question)) => {
                let asked = user("question", [("asked", Variable::text(&question))]);
                self.judge.push(asked);
                self.out.request(Effect::Ask(ask_judge(self.judge.clone())));
                self.state = State::Judge { question, again: false };
            }
            Err(_) if self.is_direct() => self.finish(ending::NO_ANSWER, json!({ "answer": null })),
            Err(_) if self.is_final() => self.finish_final(None),
            Err(fault) => {
                self.came(Tone::Negative, "format error", fault.detail());
                self.next_round(
                    "format_error",
                    "format_error",
                    [("fault", Variable::text(fault.detail()))],
                );
            }
        }
    }

    fn guessed(&mut self, answer: String) {
        self.guess = answer;
        // The authors grade the final answer in a grading of its own.
        if self.is_final() && self.profile == Profile::Reference {
            self.finish_final(None);
            return;
        }
        self.state = State::Grader;
        let answer = self.guess.clone();
        let judged = self.judging.begin(&answer, &mut self.out);
        self.judged(judged);
    }

    fn judged(&mut self, judged: Judged) {
        let Judged::Verdict(verdict) = judged else {
            return;
        };
        let mut detail = json!(verdict);
        detail["turn"] = json!(self.turns);
        self.out.note(Note::Event { name: "verdict".to_owned(), detail });
        if verdict.right.is_none() {
            self.flag("grader_invalid");
        }
        self.came(verdict.tone(), verdict.word(), verdict.word());
        match verdict.right {
            _ if self.is_final() => self.finish_final(Some(&verdict)),
            Some(true) => {
                let answer = self.guess.clone();
                let result = json!({ "answer": answer, "solved_at": self.round, "by": verdict.by });
                self.finish(ending::SOLVED, result);
            }
            Some(false) => self.next_round("Incorrect", "wrong", []),
            None => self.next_round("Unchecked", "unchecked", []),
        }
    }

    fn judge_said(&mut self, text: &str, question: String, again: bool) {
        let word = match self.profile {
            Profile::Reference => Some(reading::judge_reference(text)),
            Profile::Strict => reading::judge_strict(text),
        };
        match word {
            Some(word) => {
                self.judge.push(said(word));
                self.came(tone(word), word, word);
                self.next_round(word, "reply", [("reply", Variable::text(word))]);
            }
            None if !again => {
                let mut messages = self.judge.clone();
                messages.pop();
                messages.push(user("question_again", [("asked", Variable::text(&question))]));
                self.out.request(Effect::Ask(ask_judge(messages)));
                self.state = State::Judge { question, again: true };
            }
            None => {
                // The question leaves the judge's conversation: it was never answered.
                self.judge.pop();
                self.flag("judge_invalid");
                self.came(Tone::Failed, "no answer", "");
                self.next_round("Unanswered", "unanswered", []);
            }
        }
    }

    /// Tells the player how its turn went, and asks for the next, or for the final answer.
    fn next_round<const N: usize>(
        &mut self,
        word: &'static str,
        template: &str,
        variables: [(&str, Variable); N],
    ) {
        self.so_far.push(word);
        self.round += 1;
        let mut told = user(template, variables);
        self.remember(&mut told);
        self.player.push(told);
        if self.is_final() {
            let mut last = user("last", []);
            self.remember(&mut last);
            self.player.push(last);
        }
        self.ask_player();
    }

    /// Bots read variables and nothing else.
    fn remember(&self, message: &mut Message) {
        if let turnwise_core::prompt::Content::Template { variables, .. } = &mut message.content {
            variables.insert("so_far".to_owned(), Variable::text(self.so_far.join(" ")));
        }
    }

    fn finish_final(&mut self, verdict: Option<&Verdict>) {
        // A message without an answer is none, and not the guess before it.
        let has_answer = self.profile == Profile::Reference || verdict.is_some();
        let answer = has_answer.then(|| self.guess.clone());
        let result = json!({ "answer": answer, "final": verdict });
        self.finish(ending::FINAL, result);
    }

    fn finish(&mut self, ending: &str, result: Value) {
        self.state = State::Over;
        self.out.finish(Outcome { ending: ending.to_owned(), result });
    }

    fn failed(&mut self, failure: &Failure) {
        // Only the authors' runs without a judge go on after a failed call: a pass@k sample is wrong, a naive answer is empty.
        let is_of_authors = self.profile == Profile::Reference
            && self.is_direct()
            && failure.class.can_succeed_later();
        match is_of_authors {
            true if self.is_authors_sample() => self.player_error(&failure.message),
            true => self.finish(ending::ANSWERED, json!({ "answer": "" })),
            false => {
                let result = json!({ "failure": failure.class, "message": failure.message });
                self.finish(Outcome::INCOMPLETE, result);
            }
        }
    }

    /// Whether this is a sample of the authors' pass@k run, which is wrong where nothing comes; their naive run goes on with an empty
    /// answer.
    fn is_authors_sample(&self) -> bool {
        self.profile == Profile::Reference && self.is_pass_at_k
    }

    fn player_error(&mut self, message: &str) {
        let result = json!({ "answer": null, "message": message });
        self.finish(ending::PLAYER_ERROR, result);
    }

    fn flag(&mut self, name: &str) {
        self.out.note(Note::Flag {
            name: name.to_owned(),
            turn: Some(self.turns),
            detail: Value::Null,
        });
    }

    fn note_turn(&mut self, call: CallId, read: &Result<Move, Fault>) {
        self.turns += 1;
        let (kind, sentence, taken) = match read {
            Ok(Move::Question(question)) => (TurnKind::Ask, "asks", Some(question)),
            Ok(Move::Guess(answer)) => (TurnKind::Answer, "answers", Some(answer)),
            Err(_) => (TurnKind::Invalid, "neither asks nor answers", None),
        };
        let fault = read.as_ref().err().map(|fault| note::Fault {
            class: fault.class().to_owned(),
            detail: fault.detail().to_owned(),
        });
        self.shown.push(Block::Act {
            seat: Seat::new(Seat::PLAYER),
            kind,
            text: taken
                .cloned()
                .unwrap_or_else(|| fault.as_ref().map(ToString::to_string).unwrap_or_default()),
        });
        self.out.note(Note::Turn(Turn {
            index: self.turns,
            round: self.round,
            seat: Seat::new(Seat::PLAYER),
            call,
            kind,
            sentence: sentence.to_owned(),
            reading: note::Reading {
                extracted: taken.cloned(),
                repaired: Vec::new(),
                applied: taken
                    .map_or(Value::Null, |text| json!({ "kind": kind.name(), "text": text })),
                fault,
            },
        }));
    }

    fn came(&mut self, tone: Tone, word: &str, shown: &str) {
        let fault = match word {
            "unreadable" => Some(unreadable()),
            "no answer" => Some(note::Fault {
                class: "judge_unreadable".to_owned(),
                detail: "the reply is not one of Yes, No, Both and Irrelevant".to_owned(),
            }),
            _ => None,
        };
        self.shown.push(Block::Came { tone, text: word.to_owned() });
        self.out.note(Note::Came(Came {
            turn: self.turns,
            call: None,
            tone,
            word: word.to_owned(),
            shown: shown.to_owned(),
            reading: fault
                .map(|fault| note::Reading { fault: Some(fault), ..note::Reading::default() }),
        }));
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
            Reply::Said(said) => {
                let text = said.text.as_deref().unwrap_or_default();
                match std::mem::replace(&mut self.state, State::Over) {
                    State::Player => self.player_said(call, text),
                    State::Judge { question, again } => self.judge_said(text, question, again),
                    State::Grader => {
                        self.state = State::Grader;
                        let judged = self.judging.said(text, &mut self.out);
                        self.judged(judged);
                    }
                    State::Over => {}
                }
            }
            Reply::Found { .. } | Reply::Drawn { .. } => {}
        }
        Ok(())
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut scene = Scene { awaits: self.out.awaits(viewer), ..Scene::default() };
        match viewer {
            Viewer::Seat(seat) if seat.as_str() == JUDGE => {
                if let State::Judge { question, .. } = &self.state {
                    scene.blocks.push(Block::Act {
                        seat: Seat::new(Seat::PLAYER),
                        kind: TurnKind::Ask,
                        text: question.clone(),
                    });
                }
                return scene;
            }
            Viewer::Seat(seat) if seat.as_str() == Seat::GRADER => {
                if matches!(self.state, State::Grader) {
                    scene.blocks.push(answer_block(&self.guess));
                }
                return scene;
            }
            _ => {}
        }
        scene
            .blocks
            .push(Block::Text { heading: "Problem".to_owned(), text: self.problem.clone() });
        scene.blocks.extend(self.shown.iter().cloned());
        // How a model has to write it stands in its messages; a person has a form.
        if scene.awaits.is_some() && !self.is_direct() && self.is_final() {
            scene.blocks.push(Block::Remark {
                text: "No turns are left. Give your final answer.".to_owned(),
            });
        }
        if let Some(outcome) = self.out.outcome() {
            scene.blocks.push(Block::End {
                ending: outcome.ending.clone(),
                text: outcome
                    .result
                    .get("answer")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        if !self.is_direct() {
            scene.gauges.push(Gauge {
                label: match self.settings.mode {
                    Mode::Interactive => TURNS,
                    Mode::GuessOnly | Mode::Direct => "guesses",
                }
                .to_owned(),
                left: self.settings.rounds.saturating_sub(self.round - 1),
                of: self.settings.rounds,
            });
        }
        scene
    }
}
