//! The episode: questions and guesses until a guess is right or the rounds are used up, then one free final answer; in `direct` one
//! answer and nothing else (specification 3.b). One machine, two profiles.

use serde_json::{Value, json};
use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::note::{self};
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

use crate::grading::{self, Judging, Verdict, unreadable};
use crate::prompts::{JUDGE, default_pack, field, judge_system};
use crate::reading::{self, Fault, JUDGE_WORDS, Move};
use crate::settings::{self, Mode, Settings};

pub mod ending {
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

pub struct Play {
    out: Outbox,
    profile: Profile,
    settings: Settings,
    is_pass_at_k: bool,
    problem: String,
    judging: Judging,
    /// The round, from 1; one more than there are while the final answer is due.
    round: u32,
    player: Dialogue,
    judge: Dialogue,
    /// How the turns went, in words that bots can read.
    so_far: Vec<&'static str>,
    /// What the player saw: its moves and what came back.
    shown: Vec<Block>,
    /// The guess that is judged, or the last one that was.
    guess: String,
    /// The question that the judge is asked, or the last one.
    question: String,
    /// Whether the judge is asked it for the second time.
    is_asked_again: bool,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::read(spec)?;
        pack.check(default_pack().templates.keys())?;
        let problem = task.text(field::PROBLEM)?;
        let rounds = ("max_rounds", Variable::text(settings.rounds.to_string()));
        let (system, first) = match settings.mode {
            Mode::Interactive => (Message::template(Role::System, "player", [rounds]), "problem"),
            Mode::GuessOnly => {
                (Message::template(Role::System, "guesser", [rounds]), "problem_guess")
            }
            Mode::Direct => (Message::template(Role::System, "solver", []), "problem_direct"),
        };
        let variables = [("problem", Variable::text(problem)), ("so_far", Variable::text(""))];
        let opening = [system, Message::template(Role::User, first, variables)];
        let mut out = Outbox::default();
        let mut play = Play {
            profile: spec.profile,
            settings,
            is_pass_at_k: settings::is_pass_at_k(spec.into()),
            problem: problem.to_owned(),
            judging: Judging::new(spec.profile, task),
            round: 1,
            player: Dialogue::new(Seat::PLAYER, out.thread(), opening),
            judge: Dialogue::new(JUDGE, out.thread(), [judge_system()]),
            so_far: Vec::new(),
            shown: Vec::new(),
            guess: String::new(),
            question: String::new(),
            is_asked_again: false,
            out,
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
        self.out.ask(self.player.ask(Expect::Text));
    }

    fn player_said(&mut self, text: &str) {
        let text = self.profile.heard(text);
        if text.is_empty() && self.is_authors_sample() {
            self.player_error("the reply has no text");
            return;
        }
        self.player.said(text);
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
        self.note_turn(&read);
        match read {
            Ok(Move::Guess(answer)) if self.is_direct() => {
                self.out.finish(ending::ANSWERED, json!({ "answer": answer }));
            }
            Ok(Move::Guess(answer)) => self.guessed(answer),
            Ok(Move::Question(question)) => {
                self.judge.tell("question", [("asked", Variable::text(&question))]);
                (self.question, self.is_asked_again) = (question, false);
                self.out.ask(self.judge.ask(Expect::choice(JUDGE_WORDS)));
            }
            Err(_) if self.is_direct() => {
                self.out.finish(ending::NO_ANSWER, json!({ "answer": null }));
            }
            Err(_) if self.is_final() => self.finish_final(None),
            Err(fault) => {
                let told = ("fault", fault.detail());
                self.came(Tone::Negative, "format error", fault.detail());
                self.next_round("format_error", "format_error", Some(told));
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
        let judged = self.judging.begin(&self.guess, &mut self.out);
        self.judged(judged);
    }

    fn judged(&mut self, judged: Option<Verdict>) {
        let Some(verdict) = judged else {
            return;
        };
        let mut detail = json!(verdict);
        detail["turn"] = json!(self.out.turns());
        self.out.event("verdict", detail);
        if verdict.right.is_none() {
            self.out.flag("grader_invalid", Value::Null);
        }
        self.came(verdict.tone(), verdict.word(), verdict.word());
        match verdict.right {
            _ if self.is_final() => self.finish_final(Some(&verdict)),
            Some(true) => self.out.finish(
                ending::SOLVED,
                json!({ "answer": self.guess, "solved_at": self.round, "by": verdict.by }),
            ),
            Some(false) => self.next_round("Incorrect", "wrong", None),
            None => self.next_round("Unchecked", "unchecked", None),
        }
    }

    fn judge_said(&mut self, text: &str) {
        match reading::judge(text, self.profile) {
            Some(word) => {
                self.judge.said(word);
                self.came(tone(word), word, word);
                self.next_round(word, "reply", Some(("reply", word)));
            }
            None if !self.is_asked_again => {
                self.is_asked_again = true;
                let mut again = self.judge.clone();
                again.take_back();
                again.tell("question_again", [("asked", Variable::text(&self.question))]);
                self.out.ask(again.ask(Expect::choice(JUDGE_WORDS)));
            }
            None => {
                self.judge.take_back();
                self.out.flag("judge_invalid", Value::Null);
                self.came(Tone::Failed, "no answer", "");
                self.next_round("Unanswered", "unanswered", None);
            }
        }
    }

    /// Tells the player how its turn went, and asks for the next, or for the final answer.
    fn next_round(&mut self, word: &'static str, template: &str, told: Option<(&str, &str)>) {
        self.so_far.push(word);
        self.round += 1;
        // Bots read variables and nothing else.
        let so_far = ("so_far", Variable::text(self.so_far.join(" ")));
        let told = told.map(|(name, text)| (name, Variable::text(text)));
        self.player.tell(template, told.into_iter().chain([so_far.clone()]));
        if self.is_final() {
            self.player.tell("last", [so_far]);
        }
        self.ask_player();
    }

    fn finish_final(&mut self, verdict: Option<&Verdict>) {
        // A message without an answer is none, and not the guess before it.
        let has_answer = self.profile == Profile::Reference || verdict.is_some();
        let answer = has_answer.then(|| self.guess.clone());
        self.out.finish(ending::FINAL, json!({ "answer": answer, "final": verdict }));
    }

    /// Whether this is a sample of the authors' pass@k run, which is wrong where nothing comes; their naive run goes on with an empty
    /// answer.
    fn is_authors_sample(&self) -> bool {
        self.profile == Profile::Reference && self.is_pass_at_k
    }

    fn player_error(&mut self, message: &str) {
        self.out.finish(ending::PLAYER_ERROR, json!({ "answer": null, "message": message }));
    }

    fn note_turn(&mut self, read: &Result<Move, Fault>) {
        let (kind, sentence) = match read {
            Ok(Move::Question(_)) => (TurnKind::Ask, "asks"),
            Ok(Move::Guess(_)) => (TurnKind::Answer, "answers"),
            Err(_) => (TurnKind::Invalid, "neither asks nor answers"),
        };
        let (text, reading) = match read {
            Ok(Move::Question(text) | Move::Guess(text)) => {
                let applied = json!({ "kind": kind.name(), "text": text });
                (
                    text.clone(),
                    Reading { extracted: Some(text.clone()), ..Reading::applied(applied) },
                )
            }
            Err(fault) => {
                let fault = note::Fault::new(fault.class(), fault.detail());
                (fault.to_string(), fault.into())
            }
        };
        self.shown.push(Block::act(Seat::PLAYER, kind, text));
        self.out.turn(self.round, kind, sentence, reading);
    }

    fn came(&mut self, tone: Tone, word: &str, shown: &str) {
        let fault = match word {
            "unreadable" => Some(unreadable()),
            "no answer" => Some(note::Fault::new(
                "judge_unreadable",
                "the reply is not one of Yes, No, Both and Irrelevant",
            )),
            _ => None,
        };
        self.shown.push(Block::came(tone, word));
        self.out.note(Observation {
            shown: shown.to_owned(),
            reading: fault.map(Reading::from),
            ..Observation::new(self.out.turns(), tone, word)
        });
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        match seat {
            JUDGE => self.judge_said(said.words()),
            Seat::GRADER => {
                let judged = self.judging.said(said.words(), &mut self.out);
                self.judged(judged);
            }
            _ => self.player_said(said.words()),
        }
    }

    fn failed(&mut self, failure: Failure) {
        // Only the authors' runs without a judge go on after a failed call: a pass@k sample is wrong, a naive answer is empty.
        let is_of_authors = self.profile == Profile::Reference
            && self.is_direct()
            && failure.class.can_succeed_later();
        match is_of_authors {
            true if self.is_authors_sample() => self.player_error(&failure.message),
            true => self.out.finish(ending::ANSWERED, json!({ "answer": "" })),
            false => self.out.fail(&failure),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut scene = Scene { awaits: self.out.awaits(viewer), ..Scene::default() };
        let is_asked = scene.awaits.is_some();
        match viewer.seat() {
            Some(JUDGE) => {
                let asked = || Block::act(Seat::PLAYER, TurnKind::Ask, &self.question);
                scene.blocks.extend(is_asked.then(asked));
                return scene;
            }
            Some(Seat::GRADER) => {
                scene.blocks.extend(is_asked.then(|| Block::text(grading::CHECKED, &self.guess)));
                return scene;
            }
            _ => scene.blocks.push(Block::text("Problem", &self.problem)),
        }
        scene.blocks.extend(self.shown.iter().cloned());
        // How a model has to write it stands in its messages; a person has a form.
        if is_asked && !self.is_direct() && self.is_final() {
            scene.blocks.push(Block::remark("No turns are left. Give your final answer."));
        }
        let outcome = self.out.outcome();
        scene.blocks.extend(
            outcome.map(|end| Block::end(&end.ending, end.text("answer").unwrap_or_default())),
        );
        if !self.is_direct() {
            let label = match self.settings.mode {
                Mode::Interactive => TURNS,
                Mode::GuessOnly | Mode::Direct => "guesses",
            };
            let left = self.settings.rounds.saturating_sub(self.round - 1);
            scene.gauges.push(Gauge::new(label, left, self.settings.rounds));
        }
        scene
    }
}
