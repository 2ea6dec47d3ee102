//! Reading a file of tasks.

use std::collections::BTreeMap;
use std::fmt;

use super::cipher::{BadCipher, Cipher, looks_encrypted};
use super::{Dataset, Language, Task, plain_lines};
use turnwise_core::hash::Digest;
use turnwise_core::json::{self, Dialect, Json, JsonError, Object};
use turnwise_core::lenient;
use turnwise_core::task::{TaskId, TaskSetOrigin};

/// The most bytes of one row.
pub const LINE_LIMIT: usize = 1 << 20;

/// Reads a file of tasks, one JSON object a line.
///
/// Rows with a `canary` are encrypted under it. `canary` is for encrypted files from which that column was removed; it
/// goes before the column. An encrypted file is never taken for plain text. Blank lines, a byte-order mark and keys that
/// are not known are passed over.
///
/// # Errors
/// The first mistake of the file, with its row and field and how to mend it.
pub fn load(file: &[u8], canary: Option<&str>) -> Result<Dataset, LoadError> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut rows: BTreeMap<TaskId, usize> = BTreeMap::new();
    let mut kept: Option<Option<String>> = None;
    for (index, line) in lenient::rows(file).enumerate() {
        let row = index + 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let object = read_row(line).map_err(|problem| LoadError::row(row, problem))?;
        let fields = Fields { row, object: &object };
        let own = fields.canary()?;
        let encrypted = canary.is_some() || own.is_some();
        match &kept {
            Some(first) if first.is_some() != encrypted => {
                return Err(LoadError::row(row, Problem::Mixed));
            }
            Some(_) => {}
            None => kept = Some(canary.or(own).map(str::to_owned)),
        }
        let task = match canary.or(own) {
            Some(canary) => fields.task(Some(&Cipher::new(canary)))?,
            None => {
                let suspect = ["question", "context"].into_iter().find(|field| {
                    let text = object.get(field).and_then(Json::as_text);
                    text.is_some_and(looks_encrypted)
                });
                if let Some(field) = suspect {
                    return Err(fields.wrong(field, Problem::NoCanary));
                }
                fields.task(None)?
            }
        };
        if let Some(first) = rows.insert(task.id.clone(), row) {
            let problem = Problem::DuplicateId { id: task.id, first };
            return Err(fields.wrong("id", problem));
        }
        tasks.push(task);
    }
    let Some(kept) = kept else {
        return Err(LoadError { row: None, field: None, problem: Problem::NoRows });
    };
    Ok(Dataset {
        plain: Digest::of(plain_lines(&tasks)),
        tasks,
        origin: match kept {
            Some(canary) => TaskSetOrigin::Encrypted { canary },
            None => TaskSetOrigin::Plain,
        },
        file: Digest::of(file),
    })
}

fn read_row(line: &[u8]) -> Result<Object, Problem> {
    if line.len() > LINE_LIMIT {
        return Err(Problem::TooLong { bytes: line.len() });
    }
    let line = std::str::from_utf8(line).map_err(|_| Problem::NotUtf8)?;
    match json::parse(line, Dialect::Strict) {
        Ok(Json::Object(object)) => Ok(object),
        Ok(other) => Err(Problem::NotAnObject { found: other.kind() }),
        Err(error) => Err(Problem::NotJson(error)),
    }
}

/// The fields of one row.
struct Fields<'a> {
    row: usize,
    object: &'a Object,
}

impl Fields<'_> {
    fn wrong(&self, field: &str, problem: Problem) -> LoadError {
        LoadError { row: Some(self.row), field: Some(field.to_owned()), problem }
    }

    fn wrong_type(&self, field: &str, wanted: &'static str, found: &Json) -> LoadError {
        let found = found.kind();
        self.wrong(field, Problem::WrongType { wanted, found })
    }

    fn canary(&self) -> Result<Option<&str>, LoadError> {
        match self.object.get("canary") {
            None | Some(Json::Null) => Ok(None),
            Some(Json::Text(canary)) if !canary.is_empty() => Ok(Some(canary)),
            Some(Json::Text(_)) => Err(self.wrong("canary", Problem::Blank)),
            Some(other) => Err(self.wrong_type("canary", "text", other)),
        }
    }

    fn task(&self, cipher: Option<&Cipher>) -> Result<Task, LoadError> {
        let question = self.not_blank("question", cipher)?;
        let language = match self.object.get("language") {
            None | Some(Json::Null) => Language::of(&question),
            Some(Json::Text(code)) => {
                Language::named(code).ok_or_else(|| self.wrong("language", Problem::NoLanguage))?
            }
            Some(other) => return Err(self.wrong_type("language", "text", other)),
        };
        Ok(Task {
            id: self.id()?,
            domain: self.not_blank("domain", cipher)?,
            language,
            question,
            context: self.text("context", cipher)?,
            answer: self.not_blank("answer", cipher)?,
            aliases: self.aliases()?,
        })
    }

    fn id(&self) -> Result<TaskId, LoadError> {
        match self.object.get("id") {
            None => Err(self.wrong("id", Problem::Missing)),
            Some(Json::Int(number)) if number.as_i64().is_some() => {
                Ok(TaskId::from(number.digits()))
            }
            Some(Json::Float(number)) if lenient::whole_text(&number.to_string()).is_some() => {
                Ok(TaskId(format!("{number:.0}")))
            }
            Some(Json::Text(id)) => {
                let fits = !id.trim().is_empty()
                    && id.chars().count() <= 100
                    && !id.contains(char::is_control);
                let id = fits.then(|| TaskId::from(id.as_str()));
                id.ok_or_else(|| self.wrong("id", Problem::NoId))
            }
            Some(other) => Err(self.wrong_type("id", "a whole number or text", other)),
        }
    }

    fn text(&self, field: &str, cipher: Option<&Cipher>) -> Result<String, LoadError> {
        let text = match self.object.get(field) {
            None => return Err(self.wrong(field, Problem::Missing)),
            Some(Json::Text(text)) => text,
            Some(other) => return Err(self.wrong_type(field, "text", other)),
        };
        match cipher {
            Some(cipher) => cipher
                .decrypt(text)
                .map_err(|problem| self.wrong(field, Problem::Undecipherable(problem))),
            None => Ok(text.clone()),
        }
    }

    fn not_blank(&self, field: &str, cipher: Option<&Cipher>) -> Result<String, LoadError> {
        match self.text(field, cipher)? {
            blank if blank.trim().is_empty() => Err(self.wrong(field, Problem::Blank)),
            text => Ok(text),
        }
    }

    fn aliases(&self) -> Result<Vec<String>, LoadError> {
        let items = match self.object.get("aliases") {
            None | Some(Json::Null) => return Ok(Vec::new()),
            Some(Json::List(items)) => items,
            Some(other) => return Err(self.wrong_type("aliases", "a list of texts", other)),
        };
        let alias = |item: &Json| match item {
            Json::Text(alias) if alias.trim().is_empty() => {
                Err(self.wrong("aliases", Problem::Blank))
            }
            Json::Text(alias) if alias.contains(['\n', '\r']) => {
                Err(self.wrong("aliases", Problem::LineBreak))
            }
            Json::Text(alias) => Ok(alias.clone()),
            other => Err(self.wrong_type("aliases", "a list of texts", other)),
        };
        items.iter().map(alias).collect()
    }
}

/// Why a file of tasks cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct LoadError {
    /// Which row, from 1; blank lines are counted. `None` if it concerns the whole file.
    pub row: Option<usize>,
    /// Which field of the row.
    pub field: Option<String>,
    /// What is wrong there.
    pub problem: Problem,
}

impl LoadError {
    fn row(row: usize, problem: Problem) -> Self {
        LoadError { row: Some(row), field: None, problem }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row, &self.field) {
            (Some(row), Some(field)) => write!(f, "row {row}, field {field:?}: ")?,
            (Some(row), None) => write!(f, "row {row}: ")?,
            (None, _) => {}
        }
        write!(f, "{}", self.problem)
    }
}

/// What can be wrong in a file of tasks. Every message says how to mend it; none contains text of the file but ids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is not a single row.
    #[error("the file has no rows; it needs one JSON object a line")]
    NoRows,
    /// A row is longer than [`LINE_LIMIT`].
    #[error(
        "the row has {bytes} bytes, the limit is {LINE_LIMIT}; if the file is one JSON list, write its objects one a line"
    )]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// A row is not UTF-8.
    #[error("the row is not UTF-8; save the file in that encoding")]
    NotUtf8,
    /// A row is not JSON.
    #[error("the row is not JSON: {0}; every line has to be one JSON object")]
    NotJson(JsonError),
    /// A row is JSON but no object.
    #[error(
        "the row is {found}; every line has to be one JSON object with id, domain, answer, question and context"
    )]
    NotAnObject {
        /// What it is.
        found: &'static str,
    },
    /// A field is missing.
    #[error("it is missing; every row needs id, domain, answer, question and context")]
    Missing,
    /// A field is of the wrong type.
    #[error("it is {found} and has to be {wanted}")]
    WrongType {
        /// What it has to be.
        wanted: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A field is blank.
    #[error("it is blank; write something, or take the row out")]
    Blank,
    /// An id is not usable.
    #[error("an id has 1 to 100 characters, no control characters, and is not blank")]
    NoId,
    /// An id was used before.
    #[error("the id {id} was already used in row {first}; ids have to differ")]
    DuplicateId {
        /// The id.
        id: TaskId,
        /// Where it was first used.
        first: usize,
    },
    /// A language is not a code.
    #[error(
        "a language is a code of two or three lower-case letters, e.g. en or zh; without one it is told by the question's script"
    )]
    NoLanguage,
    /// An alias has a line break.
    #[error("an alias has a line break; write one alias an entry")]
    LineBreak,
    /// Some rows have a canary and some have not.
    #[error(
        "some rows of the file have a canary and some have not; either all are encrypted or none"
    )]
    Mixed,
    /// The file is encrypted and nothing says under which canary.
    #[error(
        "it looks encrypted, but the row has no canary; add the column again, or decrypt the file with turnwise import --format \
         interactcomp-tasks --canary WORD"
    )]
    NoCanary,
    /// A field cannot be decrypted.
    #[error(
        "it cannot be decrypted: {0}; check the canary, and if the file is plain already, remove the column"
    )]
    Undecipherable(BadCipher),
}
