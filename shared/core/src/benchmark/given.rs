//! A run with its episodes, as formats and commands are given it.

use super::Benchmark;
use crate::call::CallTiming;
use crate::key::EpisodeKey;
use crate::metrics::report::Report;
use crate::metrics::summary::Summary;
use crate::picture::Pictures;
use crate::prompt::Pack;
use crate::spec::Spec;
use crate::task::{OPEN_FIELD, Task, TaskSet, TaskSetOrigin};
use crate::transcript::Transcript;

/// A run, as formats need it.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The benchmark that was played.
    pub benchmark: &'static dyn Benchmark,
    /// Everything that decided how it went.
    pub spec: &'a Spec,
    /// Its name for people; may be empty.
    pub title: &'a str,
    /// By which people find it.
    pub tags: &'a [String],
    /// Its id, or another name that tells it from other runs.
    pub id: &'a str,
    /// Milliseconds since 1970 at which it was opened, where that is known.
    pub opened: Option<u64>,
    /// The version of the program that writes.
    pub program: &'a str,
    /// Its tasks, where they are at hand.
    pub tasks: Option<&'a TaskSet>,
    /// Its prompt pack, where it is at hand.
    pub pack: Option<&'a Pack>,
    /// How much of the tasks' text may be shown.
    pub texts: Texts,
    pub report: &'a Report,
    /// The pictures that its transcripts name, as far as they are at hand.
    pub pictures: &'a Pictures,
}

/// One episode of a run.
#[derive(Clone, Copy)]
pub struct Episode<'a> {
    /// Its name within the run.
    pub key: &'a EpisodeKey,
    pub summary: &'a Summary,
    /// The transcript of its play.
    pub play: &'a Transcript,
    /// The grading that counts, if there is one.
    pub grading: Option<&'a Transcript>,
    /// What its calls took, where that is known; those of other episodes are passed over.
    pub times: &'a [CallTiming],
}

/// How much of a task's text is shown. What models wrote is shown in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    Named,
    /// The question, which every player was sent.
    Question,
    All,
}

impl Texts {
    /// What is shown by default: nothing of sets that are encrypted at rest (ARCHITECTURE.md, rule 3), of others the
    /// question.
    pub fn of(tasks: Option<&TaskSet>) -> Self {
        match tasks.map(|tasks| &tasks.origin) {
            Some(TaskSetOrigin::Encrypted { .. }) => Texts::Named,
            Some(TaskSetOrigin::Plain | TaskSetOrigin::Sealed) | None => Texts::Question,
        }
    }

    fn tells(self, field: &str) -> bool {
        match self {
            Texts::Named => false,
            Texts::Question => field == OPEN_FIELD,
            Texts::All => true,
        }
    }
}

impl<'a> Given<'a> {
    /// The canary that has to stay with every copy of the tasks.
    pub fn canary(&self) -> Option<&'a str> {
        match &self.tasks?.origin {
            TaskSetOrigin::Encrypted { canary } => Some(canary),
            TaskSetOrigin::Plain | TaskSetOrigin::Sealed => None,
        }
    }

    /// A task as it may be shown: hidden fields are covered by their names. Tasks that follow from the spec hide nothing.
    pub fn covered(&self, task: &Task) -> Task {
        let mut covered = task.clone();
        if self.benchmark.reads_tasks() {
            for (name, text) in &mut covered.fields {
                if !self.texts.tells(name) {
                    *text = format!("[{name}: hidden here]");
                }
            }
        }
        covered
    }

    /// The name of the run for people.
    pub fn name(&self) -> &'a str {
        match self.title.trim() {
            "" => self.id,
            title => title,
        }
    }
}
