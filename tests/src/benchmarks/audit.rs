use std::collections::BTreeMap;

use turnwise_shared::task::Task;

/// The request, its templates and what was recorded keep their form, because the episode reads them.
pub fn marked(
    task: &Task,
    mark: &dyn Fn(&str) -> String,
) -> Option<(Task, BTreeMap<String, String>)> {
    task.field("audit:request")?;
    let mut task = task.clone();
    let is_hidden = |name: &&String| !name.contains(':') && name.as_str() != "question";
    let hidden: Vec<String> = task.fields.keys().filter(is_hidden).cloned().collect();
    let marks: BTreeMap<_, _> =
        hidden.into_iter().map(|name| (name.clone(), mark(&name))).collect();
    task.fields.extend(marks.clone());
    Some((task, marks))
}
