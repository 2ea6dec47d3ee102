//! Questions: the official file, its older schema, and files of the same form.

use std::collections::BTreeMap;

use turnwise_core::kit::rows;
use turnwise_core::prelude::*;
use turnwise_core::task::{ANSWER_FIELD, OPEN_FIELD, label_values, texts};

/// Names of a task's fields.
pub mod field {
    use super::{ANSWER_FIELD, OPEN_FIELD};

    pub const QUESTION: &str = OPEN_FIELD;
    pub const QUESTION_ZH: &str = "question_zh";
    pub const ANSWER: &str = ANSWER_FIELD;
    pub const ANSWER_ZH: &str = "answer_zh";
    pub const SOURCES: &str = "sources";
}

/// Names of a task's labels. One that has several values has them joined as [`label_values`] parts them.
pub mod label {
    pub const ATTRIBUTES: &str = "attributes";
    pub const DOMAIN: &str = "domain";
    /// In which languages the web says most about it, by their English names.
    pub const LANGUAGE: &str = "language";
    pub const SOURCES: &str = "sources";
    /// Models that one search did not help, as its authors found.
    pub const RESISTS: &str = "resists";
}

/// SHA-256 of the authors' file.
pub const OFFICIAL_FILE: &str = "88f4911565c721da083074b93e7dd60056f04ab8315082cde2da81b9ed81cf44";

/// The attributes: the member of a row, an older name of it, and its name for people.
pub const ATTRIBUTES: [(&str, &str, &str); 6] = [
    ("multi_hop", "", "multi-hop"),
    ("long_tail", "", "long-tail"),
    ("time_sensitive", "", "time-sensitive"),
    ("freshness", "", "freshness"),
    ("distracting_info", "mixed_truth", "distracting information"),
    ("false_premise", "", FALSE_PREMISE),
];
/// The attribute by which judges are asked.
pub const FALSE_PREMISE: &str = "false premise";

/// The same of the two models with which the authors chose questions.
const RESISTS: [(&str, &str); 2] = [("difficulty_GPT", "GPT-4o"), ("difficulty_DS", "DeepSeek-R1")];

/// The most annotated addresses of a question.
pub const MOST_SOURCES: usize = 50;

/// Reads a file of questions.
///
/// # Errors
/// The first mistake, with row and field, and what is accepted.
pub fn read(name: &str, file: &[u8]) -> Result<TaskSet, BadTasks> {
    rows::tasks(name, file, task)
}

fn task(row: &Fields<'_>) -> Result<Task, BadRow> {
    let id = row.id("id")?;
    let sources: Vec<String> = row.typed("sources")?.unwrap_or_default();
    let problem = match &sources[..] {
        [] => Some(
            "it is missing or empty; every question has an annotated address at least".to_owned(),
        ),
        many if many.len() > MOST_SOURCES => {
            Some(format!("it has more than {MOST_SOURCES} addresses"))
        }
        all => all.iter().find_map(|url| {
            let is_address = url.starts_with("https://") || url.starts_with("http://");
            // The official file has two addresses in one place twice.
            let is_one = is_address && !url.contains(char::is_control);
            (!is_one).then(|| {
                "an address begins with https:// or http:// and has no control characters"
                    .to_owned()
            })
        }),
    };
    if let Some(problem) = problem {
        return Err(row.bad("sources", problem));
    }
    let fields = texts([
        (field::QUESTION, row.filled("query_en")?.to_owned()),
        (field::QUESTION_ZH, row.filled("query_zh")?.to_owned()),
        (field::ANSWER, row.filled("answer_en")?.to_owned()),
        (field::ANSWER_ZH, row.filled("answer_zh")?.to_owned()),
        (field::SOURCES, sources.join("\n")),
    ]);
    let is = |name: &str| Ok::<_, BadRow>(row.typed::<bool>(name)?.unwrap_or_default());
    let (mut attributes, mut resists) = (Vec::new(), Vec::new());
    for (name, older, title) in ATTRIBUTES {
        if is(name)? || !older.is_empty() && is(older)? {
            attributes.push(title);
        }
    }
    for (name, title) in RESISTS {
        if is(name)? {
            resists.push(title);
        }
    }
    let values = |name: &str| Ok::<_, BadRow>(row.typed::<Vec<String>>(name)?.unwrap_or_default());
    let labels = texts([
        (label::ATTRIBUTES, attributes.join(", ")),
        (label::DOMAIN, values("domain")?.join(", ")),
        (label::LANGUAGE, values("advantage_language")?.join(", ")),
        (label::SOURCES, sources.len().to_string()),
        (label::RESISTS, resists.join(", ")),
    ]);
    let labels: BTreeMap<_, _> =
        labels.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    Ok(Task { digest: Digest::of_value(&(&id, &labels, &fields)), id, labels, fields })
}

/// Whether the premise of a question is false, by the labels of its task: they are the only switch (2.2).
pub fn is_false_premise(labels: &BTreeMap<String, String>) -> bool {
    let attributes = labels.get(label::ATTRIBUTES).map_or("", String::as_str);
    label_values(attributes).any(|attribute| attribute == FALSE_PREMISE)
}
