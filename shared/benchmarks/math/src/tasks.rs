//! Reading problems: the authors' JSON array, or our own JSON Lines.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise_core::benchmark::BadTasks;
use turnwise_core::hash::Digest;
use turnwise_core::lenient;
use turnwise_core::task::{Task, TaskId, TaskSet, TaskSetOrigin, question_id};

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
    let bad = |message: String| BadTasks { message: format!("{name}: {message}") };
    let text = &*lenient::file_text(bytes).map_err(bad)?;
    let rows: Vec<Value> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text)
            .map_err(|error| bad(format!("not a JSON array of problems: {error}")))?,
        false => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let read = |(index, line): (usize, &str)| {
                serde_json::from_str(line)
                    .map_err(|error| bad(format!("row {}: not JSON: {error}", index + 1)))
            };
            lines.map(read).collect::<Result<_, _>>()?
        }
    };
    let mut ids: BTreeMap<TaskId, usize> = BTreeMap::new();
    let mut tasks = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let number = index + 1;
        let task = task(row)
            .map_err(|(field, problem)| bad(format!("row {number}, {field}: {problem}")))?;
        let same = |other: &&Task| other.field(field::PROBLEM) == task.field(field::PROBLEM);
        let first = ids.insert(task.id.clone(), number);
        let first = first.or_else(|| tasks.iter().position(|other| same(&other)).map(|at| at + 1));
        if let Some(first) = first {
            let problem = format!(
                "row {number}, problem: the same problem or id stands in row {first}; remove one of them"
            );
            return Err(bad(problem));
        }
        tasks.push(task);
    }
    match tasks.is_empty() {
        true => Err(bad("there is no problem in it".to_owned())),
        false => Ok(TaskSet::new(name, tasks, TaskSetOrigin::Plain)),
    }
}

/// The problem of a row.
///
/// # Errors
/// The first field that is wrong, and what is wrong with it.
pub fn task(row: &Value) -> Result<Task, (&'static str, String)> {
    if !row.is_object() {
        return Err(("row", "expected an object with problem, solution and exp_ans".to_owned()));
    }
    let text = |name: &'static str| match row.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.len() > MOST_BYTES => {
            Err((name, format!("it has {} bytes; the most are {MOST_BYTES}", text.len())))
        }
        Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.trim().is_empty())),
        Some(Value::Number(number)) if name != "problem" && name != "solution" => {
            Err((name, format!("expected text, got the number {number}; put it between quotes")))
        }
        Some(_) => Err((name, "expected text".to_owned())),
    };
    let needed =
        |name: &'static str| text(name)?.ok_or((name, "it is missing or empty".to_owned()));
    let (problem, solution) = (needed("problem")?, needed("solution")?);
    let answer = match text("final_answer")? {
        Some(answer) => answer,
        None => needed("exp_ans")?,
    };
    let fields: BTreeMap<String, String> =
        [(field::PROBLEM, problem), (field::SOLUTION, solution), (field::ANSWER, answer)]
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
    Ok(Task {
        id: text("id")?.map_or_else(|| question_id(problem.trim()), |id| TaskId::from(id.trim())),
        digest: Digest::of_value(&fields),
        labels: BTreeMap::from([(
            "answer".to_owned(),
            answer::kind(answer.trim()).name().to_owned(),
        )]),
        fields,
    })
}

/// The problems that come with the benchmark.
pub fn samples() -> TaskSet {
    load("samples", include_bytes!("../samples/problems.jsonl")).expect("a test reads the samples")
}
