//! What readers see of a task beside an answer: its question and what is right.

use crate::benchmark::{Benchmark, TaskSource};
use crate::metrics::summary::Summary;
use crate::task::{OPEN_FIELD, Task, TaskSetOrigin};

/// The most characters of a text of [`TaskTexts`].
const LONGEST_TEXT: usize = 240;

/// What a task asks and what is right, each in one line: readers see them beside the answer. No number is computed from them, and
/// transcripts do not have them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskTexts {
    pub asked: Option<String>,
    pub right: Option<String>,
}

impl TaskTexts {
    /// Those of a task; none of a set that is sealed or encrypted.
    pub fn of(benchmark: &dyn Benchmark, task: &Task, origin: &TaskSetOrigin) -> Self {
        if *origin != TaskSetOrigin::Plain || benchmark.task_source() == TaskSource::Spec {
            return TaskTexts::default();
        }
        let line = |field: &str| task.field(field).and_then(one_line);
        TaskTexts { asked: line(OPEN_FIELD), right: benchmark.reference_field().and_then(line) }
    }
}

/// A text in one line, or its beginning; `None` if it is blank.
pub fn one_line(text: &str) -> Option<String> {
    let words = text.split_whitespace();
    let mut line = String::new();
    let mut left = LONGEST_TEXT;
    for word in words {
        let space = usize::from(!line.is_empty());
        let length = word.chars().count() + space;
        if space == 1 {
            line.push(' ');
        }
        if length > left {
            line.extend(word.chars().take(left.saturating_sub(space)));
            line.push('…');
            break;
        }
        line.push_str(word);
        left -= length;
    }
    (!line.is_empty()).then_some(line)
}

impl Summary {
    /// Adds the texts of its task where there are none: the reference answer only once the episode has ended by its rules, so that
    /// the person who plays it does not read it.
    pub fn add_texts(&mut self, texts: TaskTexts) {
        let measured = &mut self.measured;
        measured.asked = measured.asked.take().or(texts.asked);
        if self.complete {
            measured.right = measured.right.take().or(texts.right);
        }
    }
}
