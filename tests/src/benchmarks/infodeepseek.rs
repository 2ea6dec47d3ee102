use std::collections::BTreeMap;

use turnwise_shared::task::Task;

/// The question in another language is shown.
pub fn marked(
    task: &Task,
    mark: &dyn Fn(&str) -> String,
) -> Option<(Task, BTreeMap<String, String>)> {
    task.field("question_zh")?;
    let mut task = task.clone();
    let marks: BTreeMap<_, _> =
        ["answer", "answer_zh", "sources"].map(|name| (name.to_owned(), mark(name))).into();
    task.fields.extend(marks.clone());
    Some((task, marks))
}
