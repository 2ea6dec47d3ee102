//! The grading (6): answers A_1 to A_n from the first pages of the evidence, and what two judges and, where they differ, an arbiter say of
//! these, of the player's answer and of its answer without the web. An answer that is given more than once is judged once.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_core::kit::judge::{self, Judge, majority};
use turnwise_core::parse;
use turnwise_core::prelude::*;

use crate::prompts::{self, JudgeSettings, Judged, Prompts};
use crate::reading::{self, Ranked, fault};
use crate::settings::{ANSWERER, ARBITER, JUDGE, SECOND, Settings};
use crate::tasks::{field, is_false_premise};

pub const GRADED: &str = "graded";
/// The player's own answer could not be judged: no score.
pub const UNRESOLVED: &str = "unresolved";

/// What a verdict says, in the outcome of a grading.
pub const RIGHT: &str = "right";
pub const WRONG: &str = "wrong";

/// How often a judge is asked for one verdict, the first time included.
pub const ATTEMPTS: u32 = 3;
/// How many judges there are, the arbiter included.
const JUDGES: usize = 3;
/// The most characters of an answer in a sentence.
const SENTENCE: usize = 200;

/// What was said of one of the answers that differ.
#[derive(Debug, Clone, Default)]
struct Candidate {
    text: String,
    /// By seat; `None` where a judge could not be read or its call failed.
    votes: BTreeMap<&'static str, Option<bool>>,
}

impl Candidate {
    /// What both judges say, else the majority with the arbiter. `None` while the arbiter is needed.
    fn verdict(&self) -> Option<Option<bool>> {
        let vote = |seat| self.votes.get(seat).copied();
        match (vote(JUDGE)?, vote(SECOND)?) {
            (Some(one), Some(other)) if one == other => Some(Some(one)),
            _ => {
                vote(ARBITER)?;
                Some(majority(self.votes.values().copied().flatten(), JUDGES))
            }
        }
    }
}

pub struct Grading {
    out: Outbox,
    judging: JudgeSettings,
    judge: Judge<Judged>,
    conclusion: Option<String>,
    /// `None`: the player was not asked.
    offline: Option<Option<String>>,
    /// A_1 to A_n; `None` where there is none.
    answers: Vec<Option<String>>,
    /// The answers that are still to come, by call.
    asked: BTreeMap<CallId, usize>,
    candidates: Vec<Candidate>,
    failed_calls: u32,
}

impl Grading {
    /// Opens the grading of an episode that ended by itself.
    ///
    /// # Errors
    /// If settings or pack do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack, play: &Outcome) -> Result<Self, BadSpec> {
        let settings = Settings::at(spec, &task.labels)?;
        let code = settings.language.code();
        let question = if code == "zh" { field::QUESTION_ZH } else { field::QUESTION };
        let prompts = Prompts::new(pack, &settings, task.text(question)?)?;
        let pages: Vec<Ranked> = evidence(play);
        let mut out = Outbox::default();
        let mut asked = BTreeMap::new();
        for at in 0..pages.len() {
            let thread = out.thread();
            asked.insert(out.ask(prompts.answer_from(thread, &pages[..=at])), at);
        }
        let text = |name: &str| play.text(name).map(str::to_owned);
        let is_asked_offline = settings.offline && settings.mode != crate::settings::Mode::Offline;
        let mut grading = Grading {
            judging: JudgeSettings {
                code,
                judging: settings.judging,
                is_false_premise: is_false_premise(&task.labels),
                threads: saturated(pages.len()),
            },
            judge: Judge::new(ATTEMPTS, prompts::judge),
            conclusion: text("conclusion"),
            offline: is_asked_offline.then(|| text("offline")),
            answers: vec![None; pages.len()],
            asked,
            candidates: Vec::new(),
            failed_calls: 0,
            out,
        };
        grading.go_on();
        Ok(grading)
    }

    fn answered(&mut self, text: Option<&str>) {
        let Some(at) = self.asked.remove(&self.out.call()) else {
            return;
        };
        let text = text.map(|text| parse::said(text).trim().to_owned());
        let answer = text.filter(|text| !text.is_empty());
        let kind = if answer.is_some() { TurnKind::Answer } else { TurnKind::Invalid };
        let said: String = answer.as_deref().unwrap_or("nothing").chars().take(SENTENCE).collect();
        let sentence = format!("from {} pages: {said}", at + 1);
        let applied = json!({ "pages": at + 1, "answer": answer });
        self.out.turn(self.out.turns() + 1, kind, sentence, Reading::applied(applied));
        self.answers[at] = answer;
        self.go_on();
    }

    /// Once all answers are there they are judged, and once they are judged it is over.
    fn go_on(&mut self) {
        if !self.asked.is_empty() {
            return;
        }
        if self.candidates.is_empty() {
            let offline = self.offline.iter().flatten();
            let given = self.conclusion.iter().chain(offline).chain(self.answers.iter().flatten());
            let mut texts: Vec<String> = Vec::new();
            for text in given {
                if !texts.contains(text) {
                    texts.push(text.clone());
                }
            }
            for text in texts {
                self.candidates.push(Candidate { text, ..Candidate::default() });
                let candidate = self.candidates.len() - 1;
                self.ask(JUDGE, candidate);
                self.ask(SECOND, candidate);
            }
        }
        if !self.judge.is_asked() {
            self.finish();
        }
    }

    fn ask(&mut self, seat: &'static str, candidate: usize) {
        let answer = self.candidates[candidate].text.clone();
        let about = Judged { seat, candidate, answer, settings: self.judging };
        self.judge.ask(about, &mut self.out);
    }

    fn judged(&mut self, seat: &str, text: &str) {
        let vote = reading::verdict(text);
        let word = vote.map(|is_right| if is_right { "yes" } else { "no" });
        let no_verdict = || Fault::new(fault::NO_VERDICT, "the reply says neither yes nor no");
        let reading = Reading {
            applied: json!({ "verdict": vote, "candidate": self.about() }),
            ..judge::heard(Some(text), word, no_verdict)
        };
        let round = self.out.turns() + 1;
        judge::turn(seat, round, word.unwrap_or("nothing"), reading, &mut self.out);
        self.out.came(judge::tone(vote), word.unwrap_or("unread"));
        if let Some((about, vote)) = self.judge.said(vote, &mut self.out) {
            self.voted(&about, vote);
        }
    }

    fn about(&self) -> Option<usize> {
        self.judge.about(&self.out).map(|about| about.candidate)
    }

    fn voted(&mut self, about: &Judged, vote: Option<bool>) {
        let candidate = &mut self.candidates[about.candidate];
        candidate.votes.insert(about.seat, vote);
        let has_both = candidate.votes.len() == 2;
        if has_both && candidate.verdict().is_none() {
            self.ask(ARBITER, about.candidate);
        }
        self.go_on();
    }

    /// The verdict of an answer: what is missing is wrong, without a call.
    fn verdict(&self, answer: Option<&String>) -> Option<bool> {
        let Some(answer) = answer else { return Some(false) };
        let mut candidates = self.candidates.iter();
        candidates.find(|one| one.text == *answer)?.verdict()?
    }

    fn finish(&mut self) {
        let conclusion = self.verdict(self.conclusion.as_ref());
        let offline = self.offline.as_ref().map(|answer| self.verdict(answer.as_ref()));
        let pages: Vec<Option<bool>> =
            self.answers.iter().map(|answer| self.verdict(answer.as_ref())).collect();
        let votes = |one: &Candidate| {
            Some((one.votes.get(JUDGE)?.as_ref()?, one.votes.get(SECOND)?.as_ref()?))
                .map(|(one, other)| one == other)
        };
        let both: Vec<bool> = self.candidates.iter().filter_map(votes).collect();
        let unresolved = self.candidates.iter().filter(|one| one.verdict() == Some(None)).count();
        let mut result = json!({
            "answers": self.answers,
            "verdicts": { "conclusion": conclusion, "pages": pages },
            "judges": {
                "candidates": self.candidates.len(),
                "both": both.len(),
                "agree": both.iter().filter(|agree| **agree).count(),
                "unresolved": unresolved,
            },
        });
        if let Some(offline) = offline {
            result["verdicts"]["offline"] = json!(offline);
        }
        let ending = match conclusion {
            Some(is_right) => {
                result["verdict"] = if is_right { RIGHT } else { WRONG }.into();
                GRADED
            }
            None => UNRESOLVED,
        };
        self.out.finish(ending, result);
    }
}

/// The evidence of an episode that has ended.
pub fn evidence(play: &Outcome) -> Vec<Ranked> {
    let text = |page: &Value, name: &str| page[name].as_str().unwrap_or_default().to_owned();
    let pages = play.result["evidence"].as_array().into_iter().flatten();
    pages.map(|page| Ranked { url: text(page, "url"), content: text(page, "content") }).collect()
}

impl Episode for Grading {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        match seat {
            ANSWERER => self.answered(Some(said.words())),
            seat => self.judged(seat, said.words()),
        }
    }

    /// An answer or a vote is missing; where nothing of what was asked for came, the answers can be graded again.
    fn failed(&mut self, failure: Failure) {
        if failure.class.is_of_the_run() {
            return self.out.fail(&failure);
        }
        self.failed_calls += 1;
        self.out.note(Note::flag(crate::protocol::flag::CALL_FAILED, None, json!(failure.class)));
        match self.judge.give_up(&self.out) {
            Some(about) => self.voted(&about, None),
            None => {
                self.asked.remove(&self.out.call());
                self.go_on();
            }
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let answer = self.conclusion.as_deref().unwrap_or_default();
        let mut scene = judge::scene(&self.out, viewer, JUDGE, "Answer to be judged", answer);
        if viewer.seat().is_none() {
            let verdicts = self.candidates.iter().filter_map(|one| Some((one, one.verdict()?)));
            scene.blocks.extend(verdicts.map(|(one, verdict)| {
                let tone: Tone = judge::tone(verdict);
                turnwise_core::scene::Block::came(tone, &*one.text)
            }));
        }
        scene
    }
}
