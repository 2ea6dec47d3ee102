use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_shared::benchmarks::paraworld::task::{load, of_task};
use turnwise_shared::task::Task;

/// A world keeps its form, because the episode reads it; what it knows are marks.
pub fn marked(
    task: &Task,
    mark: &dyn Fn(&str) -> String,
) -> Option<(Task, BTreeMap<String, String>)> {
    let world = of_task(task)?;
    let mut row: Value = serde_json::from_str(&world.line_text()).expect("a row is JSON");
    let marks: BTreeMap<String, String> = ["answer", "final_answer", "key", "value"]
        .map(|field| (field.to_owned(), mark(field)))
        .into();
    row["answer"] = json!(marks["answer"]);
    let facts: serde_json::Map<String, Value> = (0..world.facts.len())
        .map(|fact| {
            let value = format!("{} {fact}", marks["value"]);
            (format!("{} {fact}", marks["key"]), json!(value))
        })
        .collect();
    row["extra_info"] = json!({ "world_truth_info": {
        "generated_question": world.engine_question(),
        "atomic_facts": facts,
        "final_answer": marks["final_answer"],
    } });
    let worlds = load(row.to_string().as_bytes()).expect("it is a world still");
    Some((worlds.worlds[0].to_core(), marks))
}
