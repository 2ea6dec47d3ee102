//! Verdicts on answers, and the grading of an episode where its answer was not judged within it: `direct`, and `reference`, which
//! grades every returned answer again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use turnwise_core::effect::Failure;
use turnwise_core::episode::{Episode, Outbox, Outcome};
use turnwise_core::note::{Fault, Reading, Tone, TurnKind};
use turnwise_core::prompt::{Said, ThreadId};
use turnwise_core::scene::{Block, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::{Profile, Spec};
use turnwise_core::task::Task;

use crate::answer::{self, grade_in, tidy};
use crate::prompts::{ask_grader, field};
use crate::protocol::ending;
use crate::reading::{grader_reference, grader_strict, without_spaces};
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

    /// How it is drawn.
    pub fn tone(&self) -> Tone {
        match self.right {
            Some(true) => Tone::Positive,
            Some(false) => Tone::Negative,
            None => Tone::Failed,
        }
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

/// One answer on its way to a verdict: text, rule, grader; what was decided once is not decided again.
#[derive(Debug)]
pub struct Judging {
    profile: Profile,
    task: Task,
    /// Verdicts by tidy answer (`strict`).
    known: BTreeMap<String, Verdict>,
    /// Conversations with the grader.
    threads: u32,
    given: String,
    attempt: u32,
}

/// What became of an answer.
pub enum Judged {
    Verdict(Verdict),
    /// The grader is asked.
    Asked,
}

impl Judging {
    pub fn new(profile: Profile, task: &Task) -> Self {
        Judging {
            profile,
            task: task.clone(),
            known: BTreeMap::new(),
            threads: 2,
            given: String::new(),
            attempt: 0,
        }
    }

    /// Begins with an answer. `reference` always asks the grader, about the answer as it stands.
    pub fn begin(&mut self, given: &str, out: &mut Outbox) -> Judged {
        self.attempt = 0;
        if self.profile == Profile::Reference {
            given.clone_into(&mut self.given);
            return self.ask(out);
        }
        self.given = tidy(given);
        let known = self.known.get(&self.given).cloned();
        match known.or_else(|| by_rule(&self.task, &self.given)) {
            Some(verdict) => self.decided(verdict),
            None => self.ask(out),
        }
    }

    fn ask(&mut self, out: &mut Outbox) -> Judged {
        self.attempt += 1;
        self.threads += 1;
        out.ask(ask_grader(ThreadId(self.threads), &self.given, self.attempt));
        Judged::Asked
    }

    fn decided(&mut self, verdict: Verdict) -> Judged {
        self.known.insert(self.given.clone(), verdict.clone());
        Judged::Verdict(verdict)
    }

    /// The grader said something.
    pub fn said(&mut self, text: &str, out: &mut Outbox) -> Judged {
        let right = match self.profile {
            Profile::Reference => Some(grader_reference(text)),
            Profile::Strict => grader_strict(text),
        };
        if right.is_none() && self.attempt < ATTEMPTS {
            return self.ask(out);
        }
        // Over sealed tasks the server decides by text and rule, and says so before the verdict.
        let is_sealed = self.task.field(field::ANSWER).is_none();
        let by = match text.split_whitespace().next() {
            Some("text") if is_sealed => By::Text,
            Some("rule") if is_sealed => By::Rule,
            _ => By::Grader,
        };
        self.decided(Verdict { right, by, reason: None })
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
/// The same in their other runs.
pub const JUDGE_FAILED: &str = "judge_failed";

/// A grading. See the module's head.
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
        let is_pass_at_k = settings::is_pass_at_k(spec.into());
        let mut grading = Grading {
            out: Outbox::default(),
            judging: Judging::new(spec.profile, task),
            answer: returned(play).unwrap_or_default().to_owned(),
            without_grader: match (spec.profile, settings.mode) {
                (Profile::Reference, Mode::Direct) if is_pass_at_k => Some(JUDGE_ERROR),
                (Profile::Reference, Mode::Direct) => Some(JUDGE_FAILED),
                _ => None,
            },
        };
        // Without a judge the authors ask no grader about an empty answer; their naive run compares the others without white space
        // first.
        let is_direct = spec.profile == Profile::Reference && settings.mode == Mode::Direct;
        let is_naive = is_direct && !is_pass_at_k;
        let plain = without_spaces(&grading.answer);
        let expected = task.field(field::ANSWER).map(without_spaces);
        let by_text = match plain.is_empty() {
            true if is_direct => Some((false, "format_error_empty_extracted_answer")),
            false if is_naive && expected.as_ref() == Some(&plain) => {
                Some((true, "ok_exact_match"))
            }
            _ => None,
        };
        match by_text {
            Some((right, status)) => grading.decided(&Verdict {
                right: Some(right),
                by: By::Text,
                reason: Some(status.to_owned()),
            }),
            None => {
                let answer = grading.answer.clone();
                if let Judged::Verdict(verdict) = grading.judging.begin(&answer, &mut grading.out) {
                    grading.decided(&verdict);
                }
            }
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

    fn wrong(&mut self, ending: &str, message: Option<&str>) {
        let verdict =
            Verdict { right: Some(false), by: By::Grader, reason: Some(ending.to_owned()) };
        self.finish(ending, &verdict, message);
    }

    fn note_turn(&mut self, verdict: Option<&Verdict>) {
        let round = self.out.turns() + 1;
        let word = verdict.map_or("unreadable", Verdict::word);
        let kind = if verdict.is_some() { TurnKind::Answer } else { TurnKind::Invalid };
        let reading = match verdict {
            Some(verdict) => Reading::applied(json!(verdict.word())),
            None => unreadable().into(),
        };
        self.out.turn(round, kind, format!("the grader says {word}"), reading);
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
        if let Some(ending) = self.without_grader.filter(|_| said.is_blank()) {
            self.note_turn(None);
            self.wrong(ending, Some("the reply has no text"));
            return;
        }
        let judged = self.judging.said(said.words(), &mut self.out);
        let verdict = match &judged {
            Judged::Verdict(verdict) if verdict.right.is_some() => Some(verdict),
            _ => None,
        };
        self.note_turn(verdict);
        if let Some(verdict) = verdict {
            self.out.came(verdict.tone(), verdict.word());
        }
        if let Judged::Verdict(verdict) = judged {
            self.decided(&verdict);
        }
    }

    fn failed(&mut self, failure: Failure) {
        match self.without_grader {
            Some(ending) if failure.class.can_succeed_later() => {
                self.wrong(ending, Some(&failure.message));
            }
            _ => self.out.fail(&failure),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut scene = Scene::default();
        if matches!(viewer.seat(), None | Some(Seat::GRADER)) {
            scene.blocks.push(answer_block(&self.answer));
            scene.awaits = self.out.awaits(viewer);
        }
        scene
    }
}

/// The answer that the grader is to check.
pub fn answer_block(answer: &str) -> Block {
    Block::text("Answer to be checked", answer)
}
