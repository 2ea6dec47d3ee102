//! Where specs differ, part by part.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::spec::Spec;

/// The most signs of a value that are shown.
const LONGEST: usize = 80;

/// A part in which specs differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differs {
    /// Where, e.g. `settings.rounds`.
    pub part: String,
    /// What stands there, by run; `None` where nothing does.
    pub values: Vec<Option<String>>,
}

/// Every part in which not all specs are alike, in the order of names. Lists are compared as wholes; where a hash and its name
/// differ, the name is enough.
pub fn differs(specs: &[&Spec]) -> Vec<Differs> {
    let flat: Vec<BTreeMap<String, Value>> = specs
        .iter()
        .map(|spec| {
            let mut parts = BTreeMap::new();
            if let Ok(value) = serde_json::to_value(spec) {
                flatten(&value, String::new(), &mut parts);
            }
            parts
        })
        .collect();
    let names: BTreeSet<&String> = flat.iter().flat_map(BTreeMap::keys).collect();
    let at = |part: &str| flat.iter().map(|parts| parts.get(part)).collect::<Vec<_>>();
    let is_same = |values: &[Option<&Value>]| values.windows(2).all(|two| two[0] == two[1]);
    let mut found = Vec::new();
    for part in names {
        let values = at(part);
        let named = part
            .strip_suffix(".digest")
            .is_some_and(|whole| !is_same(&at(&format!("{whole}.name"))));
        if is_same(&values) || named {
            continue;
        }
        found.push(Differs {
            part: part.clone(),
            values: values.into_iter().map(|value| value.map(brief)).collect(),
        });
    }
    found
}

fn flatten(value: &Value, path: String, parts: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                let path = match path.is_empty() {
                    true => name.clone(),
                    false => format!("{path}.{name}"),
                };
                flatten(field, path, parts);
            }
        }
        other => {
            parts.insert(path, other.clone());
        }
    }
}

fn brief(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
