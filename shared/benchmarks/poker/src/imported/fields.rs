//! Reading a line of a log member by member, so that an error can say where it is.

use serde_json::{Map, Number, Value};
use turnwise_core::lenient;

use super::Amount;

/// A log that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLog {
    /// A line, or one of its fields, is not what the schema says.
    #[error("{file}, line {line}{}: {problem}", field_clause(.field))]
    Line {
        /// The file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// Which field, e.g. `players[2].chips`; empty for the whole line.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file as a whole.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
}

fn field_clause(field: &str) -> String {
    match field {
        "" => String::new(),
        field => format!(", field {field}"),
    }
}

/// The lines of a log that are not blank, each with its number (from 1) and read as a JSON object.
pub fn objects<'a>(
    file: &'a str,
    text: &'a str,
) -> impl Iterator<Item = Result<(usize, Map<String, Value>), BadLog>> + 'a {
    // A byte order mark is no part of the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines());
    let full = lines.filter(|(_, line)| !line.trim().is_empty());
    full.map(move |(number, line)| {
        let wrong = |problem: String| BadLog::Line {
            file: file.to_owned(),
            line: number,
            field: String::new(),
            problem,
        };
        match lenient::json(line.as_bytes()) {
            Ok(Value::Object(object)) => Ok((number, object)),
            Ok(other) => Err(wrong(format!("an object is wanted, not {}", kind(&other)))),
            Err(error) => Err(wrong(format!("it is not JSON ({error})"))),
        }
    })
}

/// That a file has no lines.
pub fn empty(file: &str) -> BadLog {
    BadLog::File { file: file.to_owned(), problem: "it has no lines".to_owned() }
}

/// An object of a line, and where it stands.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    file: &'a str,
    line: usize,
    path: String,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// A whole line.
    pub fn new(file: &'a str, line: usize, object: &'a Map<String, Value>) -> Self {
        Fields { file, line, path: String::new(), object }
    }

    /// That a member is wrong.
    pub fn wrong(&self, name: &str, problem: impl Into<String>) -> BadLog {
        BadLog::Line {
            file: self.file.to_owned(),
            line: self.line,
            field: self.at(name),
            problem: problem.into(),
        }
    }

    /// Whether there is such a member, and it is not null.
    pub fn has(&self, name: &str) -> bool {
        self.object.get(name).is_some_and(|value| !value.is_null())
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<&'a str, BadLog> {
        let value = self.value(name)?;
        let text = value.as_str();
        text.ok_or_else(|| self.mistaken(name, "a text", value))
    }

    /// A text that may be missing.
    pub fn text_or_empty(&self, name: &str) -> Result<&'a str, BadLog> {
        if self.has(name) { self.text(name) } else { Ok("") }
    }

    /// A whole number from 0 to 4,294,967,295.
    pub fn count(&self, name: &str) -> Result<u32, BadLog> {
        let value = self.value(name)?;
        let count = lenient::whole(value).and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| self.mistaken(name, "a whole number from 0", value))
    }

    /// A number of chips, perhaps a negative one, perhaps with a fraction.
    pub fn amount(&self, name: &str) -> Result<Amount, BadLog> {
        let number = self.number(name)?;
        let amount = Amount::read(&number);
        amount.ok_or_else(|| self.wrong(name, format!("{number} is more than a billion chips")))
    }

    /// A number.
    pub fn float(&self, name: &str) -> Result<f64, BadLog> {
        let number = self.number(name)?;
        let float = number.as_f64().filter(|number| number.is_finite());
        float.ok_or_else(|| self.wrong(name, format!("{number} is too large")))
    }

    /// A list of objects.
    pub fn objects(&self, name: &str) -> Result<Vec<Fields<'a>>, BadLog> {
        let list = self.list(name)?.iter().enumerate();
        list.map(|(index, value)| self.inside(&format!("{name}[{index}]"), value)).collect()
    }

    fn inside(&self, name: &str, value: &'a Value) -> Result<Fields<'a>, BadLog> {
        match value {
            Value::Object(object) => Ok(Fields { path: self.at(name), object, ..self.clone() }),
            other => Err(self.mistaken(name, "an object", other)),
        }
    }

    fn list(&self, name: &str) -> Result<&'a [Value], BadLog> {
        match self.value(name)? {
            Value::Array(list) => Ok(list),
            other => Err(self.mistaken(name, "a list", other)),
        }
    }

    fn number(&self, name: &str) -> Result<Number, BadLog> {
        let value = self.value(name)?;
        let number = match value {
            Value::Number(number) => Some(number.clone()),
            Value::String(text) => lenient::number_text(text, false).and_then(Number::from_f64),
            _ => None,
        };
        number.ok_or_else(|| self.mistaken(name, "a number", value))
    }

    fn value(&self, name: &str) -> Result<&'a Value, BadLog> {
        let value = self.object.get(name);
        value.ok_or_else(|| self.wrong(name, "it is missing"))
    }

    fn mistaken(&self, name: &str, wanted: &str, found: &Value) -> BadLog {
        self.wrong(name, format!("{wanted} is wanted, not {}", kind(found)))
    }

    fn at(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }
}

/// What a value is, as one says it in an error. Numbers are shown; texts are not, for they may be long.
fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
