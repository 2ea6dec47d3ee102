//! Verdicts on answers, and the grading of an episode where its answer was not judged within it: `direct`, and `reference`, which
//! grades every returned answer again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use turnwise_core::kit::judge::{self, Judge, heard};
use turnwise_core::prelude::*;

use crate::answer::{self, grade_in, tidy};
use crate::prompts::{ask_grader, field};
use crate::protocol::ending;
use crate::reading::{self, without_spaces};
use crate::results::status;
use crate::settings::{self, Mode, Settings};

/// Who decided whether an answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// It is the expected text.
    Text,
    /// The rule of its kind.
    Rule,
    Grader,
}

/// Whether an answer is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// `None`: the grader could not be read.
    pub right: Option<bool>,
    pub by: By,
    /// By which rule, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Verdict {
    /// As a grading says it.
    pub fn word(&self) -> &'static str {
        match self.right {
            Some(true) => "correct",
            Some(false) => "wrong",
            None => "unreadable",
        }
    }

    pub fn tone(&self) -> Tone {
        judge::tone(self.right)
    }
}

/// What text and rule say of an answer; `None` if the grader has to be asked, as always where the expected answer is sealed.
pub fn by_rule(task: &Task, given: &str) -> Option<Verdict> {
    let expected = task.field(field::ANSWER)?;
    let graded = grade_in(task.field(field::PROBLEM).unwrap_or_default(), expected, given);
    let right = match graded.verdict {
        answer::Verdict::Equal => true,
        answer::Verdict::Unequal => false,
        answer::Verdict::Undecided => return None,
    };
    Some(Verdict {
        right: Some(right),
        by: if graded.same_text { By::Text } else { By::Rule },
        reason: (!graded.same_text).then(|| format!("{}: {}", graded.kind.name(), graded.reason)),
    })
}

/// How often the grader is asked for one verdict (`strict`).
const ATTEMPTS: u32 = 2;

/// Answers on their way to a verdict: text, rule, grader; what was decided once is not decided again.
#[derive(Debug)]
pub struct Judging {
    profile: Profile,
    task: Task,
    /// Verdicts of the grader by tidy answer (`strict`).
    known: BTreeMap<String, Verdict>,
    judge: Judge<String>,
}

impl Judging {
    pub fn new(profile: Profile, task: &Task) -> Self {
        // Player and judge have the first two conversations.
        let judge = Judge::new(ATTEMPTS, |given: &String, asked| {
            ask_grader(ThreadId(2 + asked.number), given, asked.attempt)
        });
        Judging { profile, task: task.clone(), known: BTreeMap::new(), judge }
    }

    /// Begins with an answer; `None` if the grader is asked. `reference` always asks it, about the answer as it stands.
    pub fn begin(&mut self, given: &str, out: &mut Outbox) -> Option<Verdict> {
        let (given, decided) = match self.profile {
            Profile::Reference => (given.to_owned(), None),
            Profile::Strict => {
                let given = tidy(given);
                let known = self.known.get(&given).cloned();
                let decided = known.or_else(|| by_rule(&self.task, &given));
                (given, decided)
            }
        };
        if decided.is_none() {
            self.judge.ask(given, out);
        }
        decided
    }

    /// The grader said something; `None` if it is asked again.
    pub fn said(&mut self, text: &str, out: &mut Outbox) -> Option<Verdict> {
        let right = reading::grader(text, self.profile);
        let (given, right) = self.judge.said(right, out)?;
        // Over sealed tasks the server decides by text and rule, and says so before the verdict.
        let is_sealed = self.task.field(field::ANSWER).is_none();
        let by = match text.split_whitespace().next().filter(|_| is_sealed) {
            Some("text") => By::Text,
            Some("rule") => By::Rule,
            _ => By::Grader,
        };
        let verdict = Verdict { right, by, reason: None };
        self.known.insert(given, verdict.clone());
        Some(verdict)
    }
}

/// The answer that an episode ended with; `None` if it has none.
pub fn returned(play: &Outcome) -> Option<&str> {
    play.text("answer")
}

/// Whether an episode that ended so is graded.
pub fn is_needed(spec: &Spec, settings: &Settings, play: &Outcome) -> bool {
    let is_judged = spec.profile == Profile::Strict && settings.mode != Mode::Direct;
    play.is_complete()
        && !is_judged
        && play.ending != ending::PLAYER_ERROR
        && returned(play).is_some()
}

/// The ending of a grading that came to a verdict.
pub const GRADED: &str = "graded";
/// The ending of one whose grader could not be read (`strict`).
pub const UNREADABLE: &str = "grader_failed";
/// The ending of one whose grader could not be asked, or said nothing, in the authors' pass@k run: wrong.
pub const JUDGE_ERROR: &str = "judge_api_error";
pub const JUDGE_FAILED: &str = "judge_failed";

pub struct Grading {
    out: Outbox,
    judging: Judging,
    answer: String,
    /// What a grading is called that gets nothing out of its grader and is wrong by that; `None` where it stays open.
    without_grader: Option<&'static str>,
}

impl Grading {
    /// Opens the grading of a play that is to be graded.
    pub fn open(spec: &Spec, settings: &Settings, task: &Task, play: &Outcome) -> Self {
        let is_direct = spec.profile == Profile::Reference && settings.mode == Mode::Direct;
        let is_pass_at_k = settings::is_pass_at_k(spec.into());
        let mut grading = Grading {
            out: Outbox::default(),
            judging: Judging::new(spec.profile, task),
            answer: returned(play).unwrap_or_default().to_owned(),
            without_grader: is_direct.then_some(match is_pass_at_k {
                true => JUDGE_ERROR,
                false => JUDGE_FAILED,
            }),
        };
        // Without a judge the authors ask no grader about an empty answer; their naive run compares the others without white space
        // first.
        let plain = without_spaces(&grading.answer);
        let expected = task.field(field::ANSWER).map(without_spaces);
        let told = |right, status: &str| {
            Some(Verdict { right: Some(right), by: By::Text, reason: Some(status.to_owned()) })
        };
        let verdict = match plain.is_empty() {
            true if is_direct => told(false, status::EMPTY),
            false if is_direct && !is_pass_at_k && expected.as_ref() == Some(&plain) => {
                told(true, status::EXACT)
            }
            _ => grading.judging.begin(&grading.answer, &mut grading.out),
        };
        if let Some(verdict) = verdict {
            grading.decided(&verdict);
        }
        grading
    }

    fn decided(&mut self, verdict: &Verdict) {
        let ending = if verdict.right.is_some() { GRADED } else { UNREADABLE };
        self.finish(ending, verdict, None);
    }

    fn finish(&mut self, ending: &str, verdict: &Verdict, message: Option<&str>) {
        self.out.event("verdict", json!(verdict));
        let mut result = json!({ "by": verdict.by, "reason": verdict.reason });
        if verdict.right.is_some() {
            result["verdict"] = json!(verdict.word());
        }
        if let Some(message) = message {
            result["message"] = json!(message);
        }
        self.out.finish(ending, result);
    }

    /// Without a word of the grader, which is wrong by that.
    fn wrong(&mut self, ending: &str, message: &str) {
        let verdict =
            Verdict { right: Some(false), by: By::Grader, reason: Some(ending.to_owned()) };
        self.finish(ending, &verdict, Some(message));
    }
}

/// The fault of a grader's reply without a verdict.
pub fn unreadable() -> Fault {
    Fault::new("grader_unreadable", "the reply does not end with $$$$ and 0 or 1")
}

impl Episode for Grading {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        let lacks = self.without_grader.filter(|_| said.is_blank());
        let decision = match lacks {
            Some(_) => None,
            None => self.judging.said(said.words(), &mut self.out),
        };
        let word = decision.as_ref().filter(|one| one.right.is_some()).map(Verdict::word);
        let round = self.out.turns() + 1;
        let reading = heard(None, word, unreadable);
        judge::turn(Seat::GRADER, round, word.unwrap_or("unreadable"), reading, &mut self.out);
        if let (Some(word), Some(verdict)) = (word, &decision) {
            self.out.came(verdict.tone(), word);
        }
        match (lacks, &decision) {
            (Some(ending), _) => self.wrong(ending, "the reply has no text"),
            (None, Some(verdict)) => self.decided(verdict),
            (None, None) => {}
        }
    }

    fn failed(&mut self, failure: Failure) {
        match self.without_grader {
            Some(ending) if failure.class.can_succeed_later() => {
                self.wrong(ending, &failure.message);
            }
            _ => self.out.fail(&failure),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        judge::scene(&self.out, viewer, Seat::GRADER, CHECKED, &self.answer)
    }
}

/// What stands over the answer that the grader is to check.
pub const CHECKED: &str = "Answer to be checked";
