//! Reading problems: the authors' JSON array, or our own JSON Lines.

use std::collections::BTreeMap;

use turnwise_core::kit::rows;
use turnwise_core::prelude::*;
use turnwise_core::task::{question_id, texts};

use crate::answer;
use crate::prompts::field;

/// The most bytes of one text.
const MOST_BYTES: usize = 100_000;

/// Reads a file of problems. The expected answer is `exp_ans`, or `final_answer` where that is not empty. A problem is known by its
/// text, unless the row has an `id`. Texts stay as they are, white space around them included: the authors send them so, and the
/// problem is the key of their files.
///
/// # Errors
/// The first mistake, with row and field and how to fix it.
pub fn load(name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
    let mut problems: BTreeMap<String, usize> = BTreeMap::new();
    rows::tasks(name, bytes, move |row| {
        let task = task(row)?;
        match problems.insert(task.fields[field::PROBLEM].clone(), row.row()) {
            Some(first) => {
                let problem = format!("the same problem is in row {first}; remove one of them");
                Err(row.bad("problem", problem))
            }
            None => Ok(task),
        }
    })
}

/// The problem of a row.
///
/// # Errors
/// The first field that is wrong, and what is wrong with it.
pub fn task(row: &Fields<'_>) -> Result<Task, BadRow> {
    let text = |name: &str| match row.filled(name)? {
        text if text.len() > MOST_BYTES => {
            let problem = format!("it has {} bytes; the most are {MOST_BYTES}", text.len());
            Err(row.bad(name, problem))
        }
        text => Ok(text.to_owned()),
    };
    let is_given =
        |name: &str| Ok(row.maybe::<&str>(name)?.is_some_and(|text| !text.trim().is_empty()));
    let answer = if is_given("final_answer")? { "final_answer" } else { "exp_ans" };
    let (problem, solution, answer) = (text("problem")?, text("solution")?, text(answer)?);
    let id = match row.value("id") {
        Some(_) => row.id("id")?,
        None => question_id(problem.trim()),
    };
    let labels = texts([("answer", answer::kind(answer.trim()).name())]);
    let fields =
        texts([(field::PROBLEM, problem), (field::SOLUTION, solution), (field::ANSWER, answer)]);
    Ok(Task { id, digest: Digest::of_value(&fields), labels, fields })
}

/// The problems that come with the benchmark.
pub fn samples() -> TaskSet {
    load("samples", include_bytes!("../samples/problems.jsonl")).expect("a test reads the samples")
}
