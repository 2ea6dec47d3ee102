//! A draft of the world studio as fields: what it has, what stands in each, and the JSON that a change to one of them makes.
//! The JSON stays what is sent; fields are another way to write it, and what they cannot say is left as it is.

use serde_json::{Map, Value, json};

/// A member of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    One(Field),
    /// An object with a few fields.
    Group(&'static str, &'static [Field]),
    /// A list of objects, each a row of fields.
    Rows(&'static str, &'static [Field]),
    /// A list of texts, each a row.
    Texts(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// What it is called in JSON.
    pub name: &'static str,
    pub kind: Kind,
}

/// What stands in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Line,
    /// A line that is left out where it is blank.
    Maybe,
    /// A text of several lines.
    Long,
    Number,
    /// One of these words, the first where nothing stands.
    OneOf(&'static [&'static str]),
    /// A list of texts, one a line; left out where there is none.
    Lines,
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind }
}

/// The members of a question.
const QUESTION: &[Member] = &[
    Member::One(field("text", Kind::Long)),
    Member::Group("time_window", &[field("from", Kind::Number), field("to", Kind::Number)]),
    Member::Rows("outputs", &[field("name", Kind::Line), field("type", Kind::Line)]),
    Member::Rows("goal_graph", &[field("node", Kind::Line), field("needs", Kind::Lines)]),
];

/// Names with others for the same.
const TERM: &[Field] = &[field("name", Kind::Line), field("aliases", Kind::Lines)];

/// The members of a law.
const LAW: &[Member] = &[
    Member::Rows(
        "facts",
        &[
            field("key", Kind::Line),
            field("value", Kind::Line),
            field("kind", Kind::OneOf(&["data", "rule", "scope"])),
            field("depends_on", Kind::Lines),
            field("entity", Kind::Maybe),
            field("attribute", Kind::Maybe),
            field("period", Kind::Maybe),
        ],
    ),
    Member::Texts("derivation"),
    Member::One(field("answer_short", Kind::Line)),
    Member::One(field("answer_long", Kind::Long)),
    Member::Rows("entities", TERM),
    Member::Rows("attributes", TERM),
];

/// The members of a draft: a law has facts, a question none.
pub fn members(draft: &Value) -> &'static [Member] {
    match draft.get("facts") {
        Some(_) => LAW,
        None => QUESTION,
    }
}

/// The draft with what was written in the place of what stands; `None` if what was written is no object.
pub fn whole(draft: &Value, written: &str) -> Option<Value> {
    let mut whole = draft.as_object().cloned().unwrap_or_default();
    whole.extend(object(written)?);
    Some(Value::Object(whole))
}

/// Where something stands: the member, in a list also the row, and the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub member: &'static str,
    /// The row, from 0.
    pub row: Option<usize>,
    /// The field within; `None` where the member or the row is a text itself.
    pub field: Option<&'static str>,
}

impl Place {
    fn of(self, draft: &Value) -> Option<&Value> {
        let mut value = draft.get(self.member)?;
        if let Some(row) = self.row {
            value = value.get(row)?;
        }
        match self.field {
            Some(field) => value.get(field),
            None => Some(value),
        }
    }
}

/// What stands in a field.
pub fn text(draft: &Value, place: Place) -> String {
    match place.of(draft) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => {
            let texts = list.iter().map(|item| match item {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Some(other) => other.to_string(),
    }
}

/// How many rows a member has.
pub fn rows(draft: &Value, member: &str) -> usize {
    let list = draft.get(member).and_then(Value::as_array);
    list.map_or(0, Vec::len)
}

/// The texts of lines; blank lines are none.
pub fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// What is written once something else stands in a field; `None` if what was written before is no object.
pub fn put(draft: &Value, written: &str, place: Place, kind: Kind, text: &str) -> Option<String> {
    let value = match kind {
        Kind::Number => match text.trim().parse::<i64>() {
            Ok(number) => Some(json!(number)),
            // The reader of the draft says what is wrong.
            Err(_) => Some(json!(text)),
        },
        Kind::Maybe if text.trim().is_empty() => None,
        Kind::Lines => Some(lines(text)).filter(|list| !list.is_empty()).map(|list| json!(list)),
        Kind::Line | Kind::Maybe | Kind::Long | Kind::OneOf(_) => Some(json!(text)),
    };
    change(draft, written, place.member, |member| {
        let mut target = member;
        if let Some(row) = place.row {
            let list = as_list(target);
            while list.len() <= row {
                list.push(Value::Null);
            }
            target = &mut list[row];
        }
        match place.field {
            None => *target = value.unwrap_or_default(),
            Some(field) => {
                let object = as_object(target);
                match value {
                    Some(value) => drop(object.insert(field.to_owned(), value)),
                    None => drop(object.remove(field)),
                }
            }
        }
    })
}

/// What is written once a member has another row, at its end.
pub fn add(draft: &Value, written: &str, member: &Member) -> Option<String> {
    let (name, row) = match member {
        Member::Rows(name, fields) => {
            let begins = fields.iter().filter_map(|field| match field.kind {
                Kind::Maybe | Kind::Lines => None,
                Kind::OneOf(words) => Some((field.name.to_owned(), json!(words.first()))),
                _ => Some((field.name.to_owned(), json!(""))),
            });
            (name, Value::Object(begins.collect()))
        }
        Member::Texts(name) => (name, json!("")),
        Member::One(_) | Member::Group(..) => return None,
    };
    change(draft, written, name, |list| as_list(list).push(row))
}

/// What is written once a member has lost a row.
pub fn remove(draft: &Value, written: &str, member: &str, row: usize) -> Option<String> {
    change(draft, written, member, |list| {
        let list = as_list(list);
        if row < list.len() {
            list.remove(row);
        }
    })
}

/// Members that were not written yet begin as they stand.
fn change(
    draft: &Value,
    written: &str,
    member: &str,
    how: impl FnOnce(&mut Value),
) -> Option<String> {
    let mut written = object(written)?;
    let standing = || draft.get(member).cloned().unwrap_or_default();
    how(written.entry(member).or_insert_with(standing));
    serde_json::to_string_pretty(&written).ok()
}

/// What was written, as an object; nothing at all is one without members.
fn object(written: &str) -> Option<Map<String, Value>> {
    match written.trim() {
        "" => Some(Map::new()),
        text => serde_json::from_str(text).ok(),
    }
}

fn as_list(value: &mut Value) -> &mut Vec<Value> {
    if !value.is_array() {
        *value = json!([]);
    }
    value.as_array_mut().expect("it was made one")
}

fn as_object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = json!({});
    }
    value.as_object_mut().expect("it was made one")
}

#[cfg(test)]
mod tests;
